"""Make rooms that are not rectangles, as masks of connected cells."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exporter.kernels.random_draws import Draws
from exporter.kernels.room_shapes import draw_merged, draw_polygon

Method = Literal["polygon", "merged"]
Mask = NDArray[np.uint8]

# Radii of a shape in a given frame are drawn in this unit: from half to full size.
UNIT = 1024


def round_room(
    method: Method, low: int, high: int, corners: int, draws: Draws
) -> tuple[Mask, tuple[int, int]]:
    """Make a room of random shape around a centre.

    The method `polygon` joins `corners` random points, `low` to `high` cells from the centre;
    `merged` overlaps two to four rectangles and discs within a radius drawn from the same range.

    Returns:
        The mask, uint8 [2 * high + 1, 2 * high + 1] with 1 in the room, and the cell (x, y) of the
        room nearest to the middle.
    """
    side = 2 * high + 1
    canvas = np.zeros((side + 2, side + 2), np.uint8)
    if method == "polygon":
        draw_polygon(canvas.data, high + 1, high + 1, 1, 1, 1, low, high, corners, draws)
    else:
        radius = draws.next(low, high + 1)
        draw_merged(canvas.data, high + 1, high + 1, radius, radius, draws)
    return _cut(canvas, high, high)


def framed_room(
    columns: int, rows: int, corners: int, draws: Draws
) -> tuple[Mask, tuple[int, int]]:
    """Make a room of random shape in a frame of `columns` x `rows` cells.

    It is a polygon of `corners` corners, or several rectangles and discs.

    Returns:
        The mask, uint8 [rows, columns] with 1 in the room, and the cell (x, y) of the room nearest
        to the middle.
    """
    canvas = np.zeros((rows + 2, columns + 2), np.uint8)
    extent_x, extent_y = (columns - 1) // 2, (rows - 1) // 2
    x, y = extent_x + 1, extent_y + 1
    if draws.next(0, 2) == 0:
        draw_polygon(canvas.data, x, y, extent_x, extent_y, UNIT, UNIT // 2, UNIT, corners, draws)
    else:
        draw_merged(canvas.data, x, y, extent_x, extent_y, draws)
    return _cut(canvas, extent_x, extent_y)


def _cut(canvas: Mask, center_x: int, center_y: int) -> tuple[Mask, tuple[int, int]]:
    """Return `canvas` without its margin of one cell, and a cell of the room.

    That is the room's cell nearest to (`center_x`, `center_y`).
    """
    mask = np.ascontiguousarray(canvas[1:-1, 1:-1])
    rows, columns = np.nonzero(mask)
    nearest = int(((rows - center_y) ** 2 + (columns - center_x) ** 2).argmin())
    return mask, (int(columns[nearest]), int(rows[nearest]))
