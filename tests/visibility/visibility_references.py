"""The three rules of sight, one origin at a time, as documented.

Slow, exact, and apart from the package: nothing here is shared with it. Cells are (x, y), a map
is a function from a cell to whether it is opaque, and slopes are fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

Cell = tuple[int, int]
IsOpaque = Callable[[Cell], bool]


def field_of_view(
    opaque: NDArray[np.bool_], origin: Cell, radius: int, algorithm: str, see_walls: bool = False
) -> NDArray[np.bool_]:
    """Return the cells `origin` sees: bool [height, width]."""
    height, width = opaque.shape
    grid = opaque.tolist()

    def is_opaque(cell: Cell) -> bool:
        x, y = cell
        return not (0 <= x < width and 0 <= y < height) or grid[y][x]

    seen: set[Cell] = set()
    if not is_opaque(origin):
        if algorithm == "symmetric":
            seen = symmetric(origin, radius, is_opaque)
        elif algorithm == "shadowcast":
            seen = shadowcast(origin, radius, is_opaque)
        else:
            seen = raycast(origin, radius, is_opaque, see_walls)
    seen.add(origin)
    visible = np.zeros(opaque.shape, bool)
    for x, y in seen:
        if 0 <= x < width and 0 <= y < height:
            visible[y, x] = True
    return visible


# Symmetric shadowcasting, after Albert Ford's article and program.


def symmetric(origin: Cell, radius: int, is_opaque: IsOpaque) -> set[Cell]:
    seen: set[Cell] = set()
    x, y = origin
    quadrants: list[Callable[[int, int], Cell]] = [
        lambda depth, column: (x + column, y - depth),
        lambda depth, column: (x + column, y + depth),
        lambda depth, column: (x + depth, y + column),
        lambda depth, column: (x - depth, y + column),
    ]
    for quadrant in quadrants:

        def scan(
            depth: int,
            start: Fraction,
            end: Fraction,
            quadrant: Callable[[int, int], Cell] = quadrant,
        ) -> None:
            if depth > radius:
                return
            previous_is_opaque = None
            # The first column to reach more than a point above `start`, the last below `end`.
            for column in range(floor(depth * start + Fraction(1, 2)), depth + 1):
                if column - Fraction(1, 2) >= depth * end:
                    break
                tile = quadrant(depth, column)
                wall = is_opaque(tile)
                centre_is_seen = depth * start <= column <= depth * end
                if (wall or centre_is_seen) and column**2 + depth**2 <= radius**2:
                    seen.add(tile)
                left_edge = Fraction(2 * column - 1, 2 * depth)
                if previous_is_opaque is True and not wall:
                    start = left_edge
                if previous_is_opaque is False and wall:
                    scan(depth + 1, start, left_edge)
                previous_is_opaque = wall
            if previous_is_opaque is False:
                scan(depth + 1, start, end)

        scan(1, Fraction(-1), Fraction(1))
    return seen


# Recursive shadowcasting, after Bjorn Bergstrom's article.


def shadowcast(origin: Cell, radius: int, is_opaque: IsOpaque) -> set[Cell]:
    seen: set[Cell] = set()
    x, y = origin
    for xx, xy, yx, yy in [
        (1, 0, 0, 1), (0, 1, 1, 0), (0, -1, 1, 0), (-1, 0, 0, 1),
        (-1, 0, 0, -1), (0, -1, -1, 0), (0, 1, -1, 0), (1, 0, 0, -1),
    ]:  # fmt: skip

        def cast(
            row: int,
            start: Fraction,
            end: Fraction,
            turn: tuple[int, int, int, int] = (xx, xy, yx, yy),
        ) -> None:
            xx, xy, yx, yy = turn
            if start < end:
                return
            for j in range(row, radius + 1):
                blocked = False
                for dx in range(-j, 1):
                    dy = -j
                    left = (dx - Fraction(1, 2)) / (dy + Fraction(1, 2))
                    right = (dx + Fraction(1, 2)) / (dy - Fraction(1, 2))
                    if start < right:
                        continue
                    if end > left:
                        break
                    tile = (x + dx * xx + dy * xy, y + dx * yx + dy * yy)
                    if dx * dx + dy * dy <= radius * radius:
                        seen.add(tile)
                    if is_opaque(tile):
                        if not blocked:
                            cast(j + 1, start, left)
                        blocked = True
                        new_start = right
                    elif blocked:
                        blocked = False
                        start = new_start
                if blocked:
                    return

        cast(1, Fraction(1), Fraction(0))
    return seen


# Ray casting along Bresenham's lines.


def raycast(origin: Cell, radius: int, is_opaque: IsOpaque, see_walls: bool) -> set[Cell]:
    seen: set[Cell] = set()
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            if dx * dx + dy * dy < radius * radius:
                for cell in line(origin, (origin[0] + dx, origin[1] + dy)):
                    if is_opaque(cell):
                        if see_walls:
                            seen.add(cell)
                        break
                    seen.add(cell)
    return seen


def line(a: Cell, b: Cell) -> Iterator[Cell]:
    dx, dy = b[0] - a[0], b[1] - a[1]
    n = max(abs(dx), abs(dy))
    yield a
    for i in range(1, n + 1):
        yield a[0] + half_away(Fraction(i * dx, n)), a[1] + half_away(Fraction(i * dy, n))


def half_away(value: Fraction) -> int:
    """Round to the nearest whole number, halves away from zero."""
    return floor(value + Fraction(1, 2)) if value >= 0 else ceil(value - Fraction(1, 2))
