"""Make a map without features: all floor, all wall or nothing."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from exporter.generators import Generated, MapParameters, Parts, Request, cells_alone, generator
from exporter.generators._legend import FLOOR, FLOOR_AND_WALL, WALL
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import CLEAR, Tile
from exporter.model.limits import MAXIMUM_SIDE
from exporter.model.parameters import About, Within

EMPTY = Tile(2, "empty", walkable=False, opaque=False, color=CLEAR)


@dataclass(frozen=True, kw_only=True)
class Blank(MapParameters):
    """All floor or all wall, or nothing, with an optional border of wall.

    Stamps on `tile: empty` make a plan for `fixed`: its other cells are free.
    """

    tile: Annotated[
        Literal["floor", "wall", "empty"],
        About("The tile of every cell; `empty` leaves all cells empty."),
    ] = "floor"
    border: Annotated[
        int, Within(0, MAXIMUM_SIDE), About("Width of the wall around the floor.", "cells")
    ] = 0

    def check(self, width: int, height: int) -> None:
        """Refuse a border around tiles other than floor."""
        if self.border and self.tile != "floor":
            raise ParameterError(
                f"`tile: {self.tile}` cannot have a border, because a border needs floor inside "
                "(write `border: 0`, or `tile: floor`)",
                ("border",),
            )


@generator(
    "blank",
    version=1,
    parts=Parts(cells_alone),
    makes="tiles",
    also=("empty", "fill", "flat", "none", "solid"),
)
def generate(parameters: Blank, request: Request) -> Generated:
    """Make all cells floor, wall or empty."""
    shape = (request.height, request.width)
    if parameters.tile == "empty":
        return Generated(np.full(shape, EMPTY.id, np.uint8), (*FLOOR_AND_WALL, EMPTY))
    cells = np.full(shape, WALL.id, np.uint8)
    if parameters.tile == "floor":
        border, window = parameters.border, request.window
        columns, rows = window.whole
        inside = (
            slice(max(0, border - first), max(0, side - border - first))
            for side, first in ((rows, window.y), (columns, window.x))
        )
        cells[tuple(inside)] = FLOOR.id
    return Generated(cells, FLOOR_AND_WALL)
