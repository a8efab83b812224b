"""Draw straight lines of cells (Bresenham's algorithm).

(J. E. Bresenham, "Algorithm for computer control of a digital plotter", 1965.)

From a to b there are n = max(|dx|, |dy|) steps; cell i is a plus (i * dx, i * dy) / n. The smaller
of the two parts is rounded to the nearest whole number, halves away from a. So the line from b to a
may take other cells than the one from a to b.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import index

import numpy as np
from numpy.typing import NDArray

Cell = tuple[int, int]


def line(a: Cell, b: Cell) -> list[Cell]:
    """Return the cells (x, y) from `a` to `b` in order, both included.

    >>> line((0, 0), (4, 2))
    [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)]
    """
    return list(_cells(a, b))


def line_until(a: Cell, b: Cell, opaque: NDArray[np.bool_]) -> list[Cell]:
    """Return the cells (x, y) of a line before its first opaque cell.

    The list always begins with `a`, even if that is opaque.

    Args:
        a: The cell (x, y) where the line begins.
        b: The cell (x, y) to which it leads.
        opaque: bool [height, width]: the cells that stop the line.

    Raises:
        ValueError: `a` is not a cell of the map, or `opaque` has not two dimensions.
    """
    if opaque.ndim != 2:
        raise ValueError(f"the array `opaque` has {opaque.ndim} dimensions (needed: 2)")
    height, width = opaque.shape
    if not (0 <= a[0] < width and 0 <= a[1] < height):
        raise ValueError(f"{a} is not inside {width} x {height} cells")
    # Cell by cell: the end may be as far outside the map as it likes.
    whole = _cells(a, b)
    cells = [next(whole)]
    for x, y in whole:
        if not (0 <= x < width and 0 <= y < height) or opaque[y, x]:
            break
        cells.append((x, y))
    return cells


def _cells(a: Cell, b: Cell) -> Iterator[Cell]:
    # In Python's integers: differences of numpy's unsigned ones would wrap.
    ax, ay, bx, by = (index(part) for part in (*a, *b))
    dx, dy = bx - ax, by - ay
    steps = max(abs(dx), abs(dy))
    for step in range(steps + 1):
        yield ax + _part(dx, step, steps), ay + _part(dy, step, steps)


def _part(distance: int, step: int, steps: int) -> int:
    """Return `distance * step / steps`, rounded, halves away from zero."""
    if steps == 0:
        return 0
    rounded = (2 * step * abs(distance) + steps) // (2 * steps)
    return rounded if distance >= 0 else -rounded
