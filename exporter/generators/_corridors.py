"""Plan and dig corridors between rooms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import UNREACHABLE, distance_from
from exporter.grids.regions import label_regions
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Room
from exporter.model.parameters import Parameters


def backtracking_draws(prevent_percent: int) -> int:
    """Return how many of the numbers 0 to 99 let a corridor turn back.

    A corridor draws one of these numbers at each turn, to decide whether it may turn into the
    reverse of its first direction. `prevent_percent` is the chance of preventing this. At 50 it is
    prevented in 49 of 100 cases only, as in the reference program, which compares a draw with `>
    50`.
    """
    return 100 - prevent_percent + (prevent_percent == 50)


def check_corridor_lengths(parameters: Parameters, shortest: int, longest: int) -> None:
    """Refuse a `shortest` corridor length above the `longest`.

    Raises:
        ParameterError: The lengths conflict; the error has the path of the parameter that is set.
    """
    if shortest > longest:
        raise ParameterError(
            f"min_corridor_length {shortest} is greater than max_corridor_length {longest}",
            (parameters.changed("min_corridor_length", "max_corridor_length"),),
        )


Point = tuple[int, int]
# A detour around given walls is searched this near to its ends first, then farther.
NEAR = (16, 64, 256, 8192)


def bend_is_free(blocked: NDArray[np.bool_], start: Point, bend: Point, end: Point) -> bool:
    """Return whether a corridor with the corner `bend` avoids blocked cells.

    It runs straight from `start` to `bend`, and from there to `end`, all cells (x, y). `blocked` is
    bool [height, width].
    """
    for (x, y), (other_x, other_y) in ((start, bend), (bend, end)):
        rows = slice(min(y, other_y), max(y, other_y) + 1)
        if blocked[rows, min(x, other_x) : max(x, other_x) + 1].any():
            return False
    return True


def sides_of(blocked: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Number the areas within which corridors can run: int32 [height, width].

    Corridors enter neither cells of `blocked`, bool [height, width], nor the border of the map.
    These cells are 0.
    """
    free = np.zeros(blocked.shape, bool)
    free[1:-1, 1:-1] = ~blocked[1:-1, 1:-1]
    return label_regions(free).labels


def count_sides(rooms: Sequence[Room], blocked: NDArray[np.bool_]) -> int:
    """Return how many areas the middles of `rooms` lie in.

    Areas are separated by `blocked` cells, bool [height, width], so that no corridor can join two.
    """
    sides = sides_of(blocked)
    return len({int(sides[y, x]) for x, y in (room.center for room in rooms)})


def sides_apart(layer: Layer) -> str:
    """Return a warning if fixed walls separate the rooms of `layer`, or ""."""
    sides = layer.report.get("sides", 1)
    if sides <= 1:
        return ""
    return (
        f"the given walls divide the rooms into {sides} parts without a corridor between them "
        "(open some cells of `fixed`, `only_in` or `never_in`)"
    )


def dig_bent(
    cells: NDArray[np.uint8],
    start: Point,
    end: Point,
    width: int,
    blocked: NDArray[np.bool_] | None,
    *,
    across_first: bool,
) -> None:
    """Open a corridor with one bend; leave the border of the map solid.

    If a blocked cell is in the way, the corridor bends at the other corner, or else runs around the
    blocked cells.

    Args:
        cells: uint8 [height, width]; receives 0 in the corridor.
        start: One end (x, y).
        end: The other end.
        width: The width of the corridor in cells.
        blocked: bool [height, width]: cells that the corridor must not enter; None for none.
        across_first: Whether the corridor leaves `start` in its row, not in its column.
    """
    bend = (end[0], start[1]) if across_first else (start[0], end[1])
    if blocked is not None and not bend_is_free(blocked, start, bend, end):
        bend = (start[0], end[1]) if across_first else (end[0], start[1])
        if not bend_is_free(blocked, start, bend, end):
            dig_around(cells, blocked, start, end, width)
            return
    for first, second in ((start, bend), (bend, end)):
        left, right = sorted((first[0], second[0]))
        top, bottom = sorted((first[1], second[1]))
        before, behind = (width - 1) // 2, width // 2
        rows = slice(max(top - before, 1), min(bottom + behind + 1, cells.shape[0] - 1))
        columns = slice(max(left - before, 1), min(right + behind + 1, cells.shape[1] - 1))
        cells[rows, columns] = 0


def dig_around(
    cells: NDArray[np.uint8] | NDArray[np.int32],
    blocked: NDArray[np.bool_],
    start: Point,
    end: Point,
    width: int,
) -> None:
    """Open the shortest corridor that avoids blocked cells and the border.

    `cells` receives 0 in the corridor, which is `width` wide, but narrower beside `blocked` cells.
    If there is no path, nothing is opened.
    """
    height, columns = blocked.shape
    solid = np.ones(blocked.shape, bool)
    solid[1:-1, 1:-1] = blocked[1:-1, 1:-1]
    left, right = sorted((start[0], end[0]))
    top, bottom = sorted((start[1], end[1]))
    for margin in NEAR:
        x, y = max(left - margin, 0), max(top - margin, 0)
        part = solid[y : bottom + margin + 1, x : right + margin + 1]
        way = _shortest_way(part, (start[0] - x, start[1] - y), (end[0] - x, end[1] - y))
        if way:
            break
    before, behind = (width - 1) // 2, width // 2 + 1
    for column, row in way:
        rows = slice(max(y + row - before, 1), min(y + row + behind, height - 1))
        across = slice(max(x + column - before, 1), min(x + column + behind, columns - 1))
        cells[rows, across][~blocked[rows, across]] = 0


def _shortest_way(solid: NDArray[np.bool_], start: Point, end: Point) -> list[Point]:
    """Return the cells (x, y) of a shortest path, with both ends; [] if none."""
    goal = np.zeros(solid.shape, bool)
    goal[end[1], end[0]] = True
    steps = distance_from(goal, ~solid)
    x, y = start
    if steps[y, x] == UNREACHABLE:
        return []
    way = [start]
    while steps[y, x]:
        for next_x, next_y in ((x, y - 1), (x, y + 1), (x + 1, y), (x - 1, y)):
            inside = 0 <= next_x < steps.shape[1] and 0 <= next_y < steps.shape[0]
            if inside and steps[next_y, next_x] == steps[y, x] - 1:
                x, y = next_x, next_y
                break
        way.append((x, y))
    return way
