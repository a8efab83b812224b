"""Placement: puts stairs, keys, chests and monsters on cells where they can be found.

The objects of a spec and the finished layers flow in, placed objects flow out. What is wanted of
an object is a row of filters over the cells (walkable, clear of walls, reachable, far enough);
among the cells that are left the choice is random, apart by a distance (Poisson disk), or the
farthest or nearest. Every name has a random stream of its own, so that a change of one object
moves the others only where they come into its way. What cannot be placed is an error that says
how many cells each demand left.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from exporter.model.errors import ParameterError
from exporter.model.level import Layer, PlacedObject
from exporter.model.suggestions import unknown_name
from exporter.placement.board import Board
from exporter.placement.ground import Grounds
from exporter.placement.parameters import ObjectParameters

if TYPE_CHECKING:
    from exporter.streams import Stream


def place_objects(
    objects: Sequence[ObjectParameters],
    layers: Mapping[str, Layer],
    play: Sequence[str],
    stream: Stream,
    standing: Sequence[PlacedObject] = (),
) -> tuple[PlacedObject, ...]:
    """Place all objects.

    An object that names others is placed after them, wherever it stands in the spec; fixed
    places are kept free for their owners. No two objects share a cell.

    Args:
        objects: In the order of the spec.
        layers: The finished layers of the level by name.
        play: The names of its play layers: where objects stand that name no layer.
        stream: The portable stream is used, whatever `rng` is.
        standing: Objects that have their cells already, numbered from 1.

    Returns:
        Those that stand already, then the objects in the order of the spec; ids count from 1.

    Raises:
        ParameterError: With the path (index, parameter): a name that does not exist, objects
            that wait for each other, or fewer places than wanted.
    """
    order = placing_order(objects, {one.name for one in standing})
    board = Board(objects, Grounds(layers, play), stream.portable, standing)
    cells: dict[int, list[int]] = {}
    for index in order:
        try:
            cells[index] = board.place(index)
        except ParameterError as error:
            raise ParameterError(error.message, (index, *error.path)) from None
    places = [(i, cell) for i in range(len(objects)) for cell in cells[i]]
    placed = (
        PlacedObject(
            number,
            objects[i].name,
            cell % board.width,
            cell // board.width,
            objects[i].properties,
            entry=i,
        )
        for number, (i, cell) in enumerate(places, len(standing) + 1)
    )
    return (*standing, *placed)


def placing_order(objects: Sequence[ObjectParameters], standing: Collection[str] = ()) -> list[int]:
    """Return the indices of the objects, each after those it refers to, else as in the spec.

    Args:
        objects: In the order of the spec.
        standing: Names of objects that have their cells already.

    Raises:
        ParameterError: With the path (index, parameter), for a reference to an object that does
            not exist, to itself, or round in a circle.
    """
    names = sorted({one.name for one in objects})
    for index, one in enumerate(objects):
        for name, path in one.references():
            if name not in names and name not in standing:
                known = sorted({*names, *standing})
                raise ParameterError(unknown_name("object", name, known), (index, *path))
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
                f"{objects[index].name!r} refers to {name!r}, which refers back to it",
                (index, *path),
            )
        order += ready
        waiting = [index for index in waiting if index not in set(ready)]
    return order
