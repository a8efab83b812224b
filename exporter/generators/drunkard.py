"""Make caves by random walks until the map has enough floor."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Request, generator
from exporter.generators._legend import FLOOR, FLOOR_AND_WALL, WALL
from exporter.generators.given import FixedCells
from exporter.kernels import random_walk, view, warn_uncompiled
from exporter.model.costs import Cost, kernel_seconds, most_expensive
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer
from exporter.model.parameters import About, Percent, Within

# A wall that is given, for the kernel.
CLOSED = 2


@dataclass(frozen=True, kw_only=True)
class Drunkard(MapParameters):
    """Ragged caves in one connected piece, opened by random walks.

    A walker steps in random directions and opens the cells it enters. After `lifetime` steps the
    next walker starts from an open cell, so all caves are connected.
    """

    floor_percent: Annotated[
        int,
        Within(1, 95),
        About("Share of cells to open.", "%", also=("coverage", "density", "fill")),
    ] = 40
    straight_percent: Annotated[
        Percent, About("Chance to keep the direction; a higher chance gives longer tunnels.", "%")
    ] = 20
    lifetime: Annotated[
        int,
        Within(0, 1_000_000),
        About("Steps of a walker before the next one starts elsewhere; 0: one walker.", "steps"),
    ] = 400
    start: Annotated[Literal["center", "random"], About("Where the first walker starts.")] = (
        "center"
    )
    border: Annotated[int, Within(0, 64), About("Width of the solid border.", "cells")] = 1
    steps_per_cell: Annotated[
        int,
        Within(1, 1000),
        About("Limit of all steps together, for each cell of the map.", "steps"),
    ] = 50

    def check(self, width: int, height: int) -> None:
        """Refuse parameters that cannot work on a map of this size."""
        if width <= 2 * self.border or height <= 2 * self.border:
            raise ParameterError(
                f"a border of {self.border} leaves no cells to dig in a map of {width} x {height} "
                "cells",
                ("border",),
            )


def _shortfall(_: Drunkard, layer: Layer) -> str:
    if layer.complete:
        return ""
    return (
        f"{layer.report.get('dug', 0)} of {layer.report.get('wanted', 0)} cells are dug "
        "(raise `steps_per_cell`, or lower `floor_percent` or `border`)"
    )


def cost(parameters: Drunkard, width: int, height: int) -> Cost:
    """Estimate the time of the random walk."""
    # All steps are used only where hardly any cell is left.
    steps = width * height * min(parameters.steps_per_cell, parameters.floor_percent)
    seconds = kernel_seconds(random_walk, steps, 100e6, 400e3)
    return most_expensive(width, height, Cost(seconds, ("steps_per_cell",)))


@generator(
    "drunkard",
    version=1,
    cost=cost,
    shortfall=_shortfall,
    tiles=FLOOR_AND_WALL,
    also=("random_walk", "walk", "tunnels"),
)
def generate(parameters: Drunkard, request: Request) -> Generated:
    """Let walkers open cells until `floor_percent` or the step limit is met."""
    parameters.check(request.width, request.height)
    width, height, border = request.width, request.height, parameters.border
    inner = (width - 2 * border) * (height - 2 * border)
    draws = request.stream.portable.draws("walk")
    x, y = width // 2, height // 2
    if parameters.start == "random":
        x, y = draws.next(border, width - border), draws.next(border, height - border)
    expected = max(1, width * height * parameters.floor_percent // 100)
    cells = np.full((height, width), WALL.id, np.uint8)
    begun, outside = np.empty(0, np.int64), 0
    if request.fixed is not None:
        begun, outside, inner = _put_fixed(cells, request.fixed, border)
        x, y = _nearest_start(cells, border, x, y)
    places = np.empty(max(min(expected - outside, inner), len(begun)), np.int32)
    places[: len(begun)] = begun
    dug = outside + len(begun)
    if len(begun) < len(places):
        steps = parameters.steps_per_cell * width * height
        warn_uncompiled(random_walk.COMPILED, "random_walk", steps, 400_000)
        tell, every = None, 1
        if request.trace is not None:
            tell = request.trace.teller(
                "cell", lambda: cells != FLOOR.id, FLOOR_AND_WALL, of=len(places)
            )
            every = request.trace.every(len(places) - len(begun))
        dug = outside + random_walk.stagger(
            view(cells),
            view(places),
            draws,
            x,
            y,
            border,
            steps,
            parameters.lifetime,
            parameters.straight_percent,
            len(begun),
            tell,
            every,
        )
    cells[cells == CLOSED] = WALL.id
    return Generated(
        cells, FLOOR_AND_WALL, complete=dug >= expected, report={"wanted": expected, "dug": dug}
    )


def _put_fixed(
    cells: NDArray[np.uint8], fixed: FixedCells, border: int
) -> tuple[NDArray[np.int64], int, int]:
    """Put fixed cells into the solid map `cells`, in place.

    Returns:
        The open cells inside the border (numbers y * width + x, ascending), how many open cells the
        border has, and how many cells inside the border are or can become open.
    """
    height, width = cells.shape
    cells[fixed.open] = FLOOR.id
    cells[fixed.blocked] = CLOSED
    inner = np.zeros(cells.shape, bool)
    inner[border : height - border, border : width - border] = True
    begun = np.flatnonzero(fixed.open & inner)
    outside = int(np.count_nonzero(fixed.open & ~inner))
    return begun, outside, int(np.count_nonzero(inner & ~fixed.blocked))


def _nearest_start(cells: NDArray[np.uint8], border: int, x: int, y: int) -> tuple[int, int]:
    """Return the cell nearest to (x, y) inside the border that may be dug.

    Cells that are `CLOSED` may not be dug. Return (x, y) itself if all cells inside the border are
    `CLOSED`. `border` is the width of the border in cells.
    """
    height, width = cells.shape
    rows, columns = np.nonzero(cells[border : height - border, border : width - border] != CLOSED)
    if not len(rows):
        return x, y
    nearest = int((np.square(rows + border - y) + np.square(columns + border - x)).argmin())
    return int(columns[nearest]) + border, int(rows[nearest]) + border
