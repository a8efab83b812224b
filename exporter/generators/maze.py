"""Make mazes: perfect ones, or braided ones with loops for dead ends."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Request, generator
from exporter.generators._legend import FLOOR_AND_WALL, WALL
from exporter.generators.given import FixedCells
from exporter.kernels import maze, warn_uncompiled
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, Percent, Within


@dataclass(frozen=True, kw_only=True)
class Maze(MapParameters):
    """A maze that fills the map, with or without loops.

    It grows from one cell. With `newest_percent: 100` it always continues from the newest cell,
    which gives long winding corridors (recursive backtracker). With 0 it continues from a random
    cell, which gives short corridors with many dead ends.
    """

    newest_percent: Annotated[
        Percent, About("Chance to continue from the newest cell instead of a random one.", "%")
    ] = 100
    braid_percent: Annotated[
        Percent, About("Share of dead ends that are opened into loops.", "%", also=("loops",))
    ] = 0
    corridor_width: Annotated[
        int, Within(1, 64), About("Width of the corridors.", "cells", also=("path_width", "width"))
    ] = 1
    wall_width: Annotated[int, Within(1, 64), About("Width of the walls.", "cells")] = 1

    def check(self, width: int, height: int) -> None:
        """Refuse parameters that cannot work on a map of this size."""
        wall, corridor = self.wall_width, self.corridor_width
        least = 2 * wall + corridor
        if width < least or height < least:
            raise ParameterError(
                f"{width} x {height} cells are too few for a maze with corridors of {corridor} "
                f"and walls of {wall} (needed: {least} x {least})",
                ("size",),
            )


@generator("maze", version=1, tiles=FLOOR_AND_WALL, also=("labyrinth", "backtracker"))
def generate(parameters: Maze, request: Request) -> Generated:
    """Grow the maze, open its dead ends, and draw it as tiles."""
    parameters.check(request.width, request.height)
    wall, corridor = parameters.wall_width, parameters.corridor_width
    columns = (request.width - wall) // (wall + corridor)
    rows = (request.height - wall) // (wall + corridor)
    draws = request.stream.portable.draws("maze")
    passages = np.zeros((rows, columns), np.uint8)
    warn_uncompiled(maze.COMPILED, "maze", rows * columns, 200_000)
    closed, barred = np.zeros((2, rows, columns), np.uint8)
    if request.fixed is not None:
        closed, barred = _put_fixed(passages, request.fixed, wall, corridor)
    reached = closed.copy()

    def draw(solid: NDArray[np.uint8]) -> NDArray[np.uint8]:
        drawn = _draw(passages, solid, wall, corridor)
        cells = np.full((request.height, request.width), WALL.id, np.uint8)
        cells[: drawn.shape[0], : drawn.shape[1]] = drawn
        return cells

    def draw_reached() -> NDArray[np.uint8]:
        return draw(closed | ((reached == 0) & (passages == 0)))

    trace = request.trace
    if rows * columns > 1:
        active = np.empty(rows * columns, np.int32)
        tell = None if trace is None else trace.teller("passage", draw_reached, FLOOR_AND_WALL)
        every = 1 if trace is None else trace.every(rows * columns - 1)
        maze.grow(passages, reached, barred, active, draws, parameters.newest_percent, tell, every)
    if parameters.braid_percent:
        tell = None if trace is None else trace.teller("loop", draw_reached, FLOOR_AND_WALL)
        maze.braid(passages, barred, draws, parameters.braid_percent, tell)
    return Generated(draw(closed), FLOOR_AND_WALL, report={"columns": columns, "rows": rows})


def _put_fixed(
    passages: NDArray[np.uint8], fixed: FixedCells, wall: int, corridor: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Open the passages that are fixed as floor, in place.

    A maze cell with a fixed wall is closed, and no passage may lead through a fixed wall. `wall`
    and `corridor` are the widths of walls and passages in cells of the map.

    Returns:
        uint8 [rows, columns] each: 1 for closed maze cells, and the directions in which a maze cell
        must not get a passage (1 north, 2 south, 4 east, 8 west, added).
    """
    rows, columns = passages.shape
    down = _starts(rows, wall, corridor)
    across = _starts(columns, wall, corridor)
    size = (down[-1] + wall, across[-1] + wall)
    blocked = fixed.blocked[: size[0], : size[1]]
    given = fixed.open[: size[0], : size[1]]
    or_, and_ = np.logical_or.reduceat, np.logical_and.reduceat
    solid = or_(or_(blocked, down, axis=0), across, axis=1)
    south = or_(and_(given, down, axis=0), across, axis=1)[2:-1:2, 1::2]
    east = or_(and_(given, across, axis=1), down, axis=0)[1::2, 2:-1:2]
    closed = solid[1::2, 1::2]
    # Beyond the edge everything is closed.
    around = np.pad(closed, 1, constant_values=True)
    barred = np.zeros(passages.shape, np.uint8)
    for bit, way, beyond in (
        (1, solid[:-1:2, 1::2], around[:-2, 1:-1]),
        (2, solid[2::2, 1::2], around[2:, 1:-1]),
        (4, solid[1::2, 2::2], around[1:-1, 2:]),
        (8, solid[1::2, :-1:2], around[1:-1, :-2]),
    ):
        barred[way | beyond | closed] |= bit
    south = south & (barred[:-1] & 2 == 0)
    east = east & (barred[:, :-1] & 4 == 0)
    passages[:-1][south] |= 2
    passages[1:][south] |= 1
    passages[:, :-1][east] |= 4
    passages[:, 1:][east] |= 8
    return closed.astype(np.uint8), barred


def _starts(count: int, wall: int, corridor: int) -> list[int]:
    """Return where walls and passages start along a side, alternating.

    There are `count` passages; `wall` and `corridor` are the widths in cells.
    """
    step = wall + corridor
    return [number // 2 * step + number % 2 * wall for number in range(2 * count + 1)]


def _draw(
    passages: NDArray[np.uint8], closed: NDArray[np.uint8], wall: int, corridor: int
) -> NDArray[np.uint8]:
    """Draw a maze as cells of the map, 1 for walls.

    `wall` and `corridor` are the widths of walls and passages; maze cells in `closed` stay walls.
    """
    rows, columns = passages.shape
    fine = np.ones((2 * rows + 1, 2 * columns + 1), np.uint8)
    fine[1::2, 1::2] = closed
    fine[2::2, 1::2] = (passages & 2) == 0
    fine[1::2, 2::2] = (passages & 4) == 0
    widths = [wall, corridor]
    across = np.array((widths * columns) + [wall])
    down = np.array((widths * rows) + [wall])
    return np.repeat(np.repeat(fine, down, axis=0), across, axis=1)
