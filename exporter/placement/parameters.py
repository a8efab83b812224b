"""What a spec may say of the things to place, before any map is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from exporter.model.errors import ParameterError
from exporter.model.level import Scalar
from exporter.model.parameters import About, Name, Parameters, Within


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
