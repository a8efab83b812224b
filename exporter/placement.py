"""Placement: puts stairs, keys, chests and monsters on cells where they can be found.

The objects of a spec and the finished layers flow in, placed objects flow out. What is wanted of
an object is a row of filters over the cells (walkable, clear of walls, reachable, far enough);
among the cells that are left the choice is random, apart by a distance (Poisson disk), or the
farthest or nearest. Every name has a random stream of its own, so that a change of one object
moves the others only where they come into its way. What cannot be placed is an error that says
how many cells each demand left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from exporter.errors import ParameterError
from exporter.level import Layer, PlacedObject, Scalar
from exporter.parameters import About, Name, Parameters, Within
from exporter.registry import unknown_name

if TYPE_CHECKING:
    from exporter.streams import Stream

__all__ = ["ObjectParameters", "place_objects", "placing_order"]


@dataclass(frozen=True, kw_only=True)
class ObjectParameters(Parameters):
    """Things of one kind, each on a cell of its own.

    Distances of `clear_radius` and `spacing` are Euclidean, in cells from centre to centre;
    those of `far_from` and `near` are steps to one of four neighbours along walkable cells, and
    objects do not block the way. A cell that cannot be walked to is neither near nor far.
    """

    name: Annotated[Name, About("What it is; several entries may share a name.")]
    count: Annotated[int, Within(1, 65536), About("How many are placed.")] = 1
    layer: Annotated[
        Name | None, About("The layer it stands on; the first tile layer if nothing is said.")
    ] = None
    on: Annotated[
        str | None,
        About(
            "The tile it stands on, by name, also one that is not walkable (it counts as "
            "reachable from a neighbour); any walkable cell if nothing is said."
        ),
    ] = None
    at: Annotated[
        tuple[int, int] | None, About("A fixed place [x, y]; the other demands still hold.")
    ] = None
    clear_radius: Annotated[
        int,
        Within(0, 64),
        About(
            "Every cell within this distance must be inside the map and walkable (or of the "
            "tile `on`); 2 to 3 keeps things out of nooks.",
            "cells",
        ),
    ] = 0
    spacing: Annotated[
        int, Within(0, 4096), About("Least distance between objects of this name.", "cells")
    ] = 0
    reachable_from: Annotated[
        Name | None, About("An object from which a walk must lead here (from one of that name).")
    ] = None
    far_from: Annotated[
        Name | tuple[Name, ...] | None,
        About(
            "Objects to be far from: the nearest of them counts. Without `min_distance` the "
            "farthest cells are taken."
        ),
    ] = None
    min_distance: Annotated[
        Annotated[int, Within(1, 2**31 - 1)] | None,
        About("Least distance to the objects of `far_from`.", "steps"),
    ] = None
    near: Annotated[
        Name | None,
        About("An object to be near to. Without `max_distance` the nearest cells are taken."),
    ] = None
    max_distance: Annotated[
        Annotated[int, Within(1, 2**31 - 1)] | None,
        About("Greatest distance to the nearest object of `near`.", "steps"),
    ] = None
    room: Annotated[str | None, About("A room of the layer, by name.")] = None
    region: Annotated[
        Literal["largest"] | Annotated[int, Within(1, 2**31 - 1)] | None,
        About("A connected region of walkable cells by its rank in size, 1 is the largest."),
    ] = None
    required: Annotated[bool, About("Whether it is an error when not all can be placed.")] = True
    properties: Annotated[Mapping[str, Scalar], About("Values passed to the engines.")] = field(
        default_factory=dict
    )

    def check(self, width: int, height: int) -> None:
        """Check what concerns several parameters, or the map's size.

        Raises:
            ParameterError: With the path of the parameter at fault.
        """
        if self.at is not None:
            x, y = self.at
            if not (0 <= x < width and 0 <= y < height):
                raise ParameterError(
                    f"[{x}, {y}] is outside the map "
                    f"(allowed: [0, 0] to [{width - 1}, {height - 1}])",
                    ("at",),
                )
            if self.count != 1:
                raise ParameterError("only one object fits into one place", ("count",))
        if self.min_distance is not None and self.far_from is None:
            raise ParameterError("'min_distance' needs 'far_from'", ("min_distance",))
        if self.max_distance is not None and self.near is None:
            raise ParameterError("'max_distance' needs 'near'", ("max_distance",))

    def references(self) -> list[tuple[str, tuple[str | int, ...]]]:
        """Return the names of other objects this one needs, with the path of each."""
        named: list[tuple[str, tuple[str | int, ...]]] = []
        if self.reachable_from is not None:
            named.append((self.reachable_from, ("reachable_from",)))
        if isinstance(self.far_from, str):
            named.append((self.far_from, ("far_from",)))
        elif self.far_from is not None:
            named += [(name, ("far_from", i)) for i, name in enumerate(self.far_from)]
        if self.near is not None:
            named.append((self.near, ("near",)))
        return named


def place_objects(
    objects: Sequence[ObjectParameters], layers: Mapping[str, Layer], stream: Stream
) -> tuple[PlacedObject, ...]:
    """Place all objects.

    An object that names others is placed after them, wherever it stands in the spec; fixed
    places are kept free for their owners. No two objects share a cell.

    Args:
        objects: In the order of the spec.
        layers: The finished layers of the level by name.
        stream: The portable stream is used, whatever `rng` is.

    Returns:
        The objects in the order of the spec, with ids from 1.

    Raises:
        ParameterError: With the path (index, parameter): a name that does not exist, objects
            that wait for each other, or fewer places than wanted.
    """
    from exporter._placement_board import Board

    order = placing_order(objects)
    board = Board(objects, layers, stream.portable)
    cells: dict[int, list[int]] = {}
    for index in order:
        try:
            cells[index] = board.place(index)
        except ParameterError as error:
            raise ParameterError(error.message, (index, *error.path)) from None
    places = [(objects[i], cell) for i in range(len(objects)) for cell in cells[i]]
    return tuple(
        PlacedObject(number, one.name, cell % board.width, cell // board.width, one.properties)
        for number, (one, cell) in enumerate(places, 1)
    )


def placing_order(objects: Sequence[ObjectParameters]) -> list[int]:
    """Return the indices of the objects, each after those it refers to, else as in the spec.

    Raises:
        ParameterError: With the path (index, parameter), for a reference to an object that does
            not exist, to itself, or round in a circle.
    """
    names = sorted({one.name for one in objects})
    for index, one in enumerate(objects):
        for name, path in one.references():
            if name not in names:
                raise ParameterError(unknown_name("object", name, names), (index, *path))
            if name == one.name:
                raise ParameterError(
                    f"{name!r} cannot refer to itself (spacing keeps them apart)", (index, *path)
                )
    order: list[int] = []
    waiting = list(range(len(objects)))
    while waiting:
        unplaced = {objects[index].name for index in waiting}
        ready = [
            index
            for index in waiting
            if not any(name in unplaced for name, _ in objects[index].references())
        ]
        if not ready:
            index = waiting[0]
            name, path = next(
                entry for entry in objects[index].references() if entry[0] in unplaced
            )
            raise ParameterError(
                f"{objects[index].name!r} waits for {name!r}, which waits for it in turn",
                (index, *path),
            )
        order += ready
        waiting = [index for index in waiting if index not in set(ready)]
    return order
