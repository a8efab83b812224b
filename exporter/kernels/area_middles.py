# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Find the middle cell of every area of a map, such as a room."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED: bool = cython.compiled


def middles(
    number: cython.int[:, ::1],
    walked: cython.int[:, ::1],
    ahead: cython.int[:, ::1],
    boxes: cython.longlong[:, ::1],
    nearest: cython.longlong[::1],
) -> None:
    """Find each area's cell nearest to the middle of its rectangle.

    Only cells that can be reached from both ends of a path count, also for the rectangle. Of
    equally near cells the first, row by row, is taken.

    Args:
        number: int32 [height, width]: the area of every cell, -1 for none.
        walked: int32 [height, width]: steps from the start of the path, -1 for unreachable cells.
        ahead: int32 [height, width]: steps to the end of the path, -1 for unreachable cells.
        boxes: int64 [areas, 5], -1 in the last column: receives the top, bottom, left and right of
            each area, and four times the squared distance of its cell.
        nearest: int64 [areas], receives the cell of each area as y * width + x; unchanged if no
            cell counts.
    """
    area: cython.int
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    for row in range(number.shape[0]):
        for column in range(number.shape[1]):
            area = number[row, column]
            if area < 0 or walked[row, column] < 0 or ahead[row, column] < 0:
                continue
            if boxes[area, 4] < 0:
                boxes[area, 0] = row
                boxes[area, 2] = boxes[area, 3] = column
                # Above the square of any distance in a level.
                boxes[area, 4] = 1 << 60
            boxes[area, 1] = row
            boxes[area, 2] = min(boxes[area, 2], column)
            boxes[area, 3] = max(boxes[area, 3], column)
    for row in range(number.shape[0]):
        for column in range(number.shape[1]):
            area = number[row, column]
            if area < 0 or walked[row, column] < 0 or ahead[row, column] < 0:
                continue
            down: cython.longlong = 2 * row - boxes[area, 0] - boxes[area, 1]
            across: cython.longlong = 2 * column - boxes[area, 2] - boxes[area, 3]
            away: cython.longlong = down * down + across * across
            if away < boxes[area, 4]:
                boxes[area, 4] = away
                nearest[area] = row * number.shape[1] + column
