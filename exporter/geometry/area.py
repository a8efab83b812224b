"""Represent an area as fields between grid lines.

The grid lines of a mask are the borders of its cells. An area that was shrunk by the radius of an
agent has further lines, at fractions of a cell. Coordinates are integers in units of a fraction of
a cell (1/256, or a pixel of a tile), so all later steps are exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.geometry.chunks import MapChunk
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_SIDE

# Binary, so that a coordinate times the size of a tile is an exact floating-point number. On the
# longest side, products of two differences of coordinates stay far below 2^63.
UNITS = 256


@dataclass(frozen=True, slots=True, eq=False)
class Area:
    """The fields between grid lines that belong to an area.

    Attributes:
        fields: bool [rows - 1, columns - 1]: whether the field between two columns and two rows
            belongs to the area.
        columns: int64 [columns], ascending: x of the vertical grid lines.
        rows: int64 [rows], ascending: y of the horizontal grid lines.
        units: The number of coordinate units in one cell.
    """

    fields: NDArray[np.bool_]
    columns: NDArray[np.int64]
    rows: NDArray[np.int64]
    units: int


def area_of(mask: NDArray[np.bool_], part: MapChunk | None = None) -> Area:
    """Return the area covered by the cells of a mask.

    Args:
        mask: bool [height, width].
        part: If given, only the cells of this chunk.

    Raises:
        ValueError: `mask` has not two dimensions, or a side is longer than 8192 cells.
    """
    check_mask(mask)
    part = part or MapChunk(0, 0, mask.shape[1], mask.shape[0])
    return Area(
        mask[part.y : part.y + part.height, part.x : part.x + part.width],
        np.arange(part.x, part.x + part.width + 1),
        np.arange(part.y, part.y + part.height + 1),
        1,
    )


def shrunk_area(
    mask: NDArray[np.bool_], radius: int, part: MapChunk | None = None, units: int = UNITS
) -> Area:
    """Return where the centre of a square agent can be inside a mask.

    A point belongs to the area if the open square around it, with sides of twice the radius,
    touches only cells of the mask. (A square, not a disc, keeps all edges on grid lines.) A
    corridor not wider than twice the radius vanishes, so a connected mask may fall apart. Cells
    outside the array count as closed.

    Args:
        mask: bool [height, width].
        radius: The radius of the agent in units, from 0.
        part: If given, the result is limited to this chunk.
        units: The number of units in one cell: the pixels of a tile, or 256.

    Raises:
        ValueError: `mask` has not two dimensions, or a side is longer than 8192 cells; the radius
            is negative; `units` is not positive.
    """
    check_mask(mask)
    if radius < 0:
        raise ValueError(f"the radius {radius} is negative")
    if units < 1:
        raise ValueError(f"{units} units a cell are too few (needed: at least 1)")
    part = part or MapChunk(0, 0, mask.shape[1], mask.shape[0])
    # Cells this far outside the chunk matter, too.
    margin = -(-radius // units)
    left, top = max(part.x - margin, 0), max(part.y - margin, 0)
    cells = mask[top : part.y + part.height + margin, left : part.x + part.width + margin]
    columns = _lines(part.x, part.width, radius, units)
    rows = _lines(part.y, part.height, radius, units)
    closed = _closed_in_rows(~cells, columns - left * units, radius, units)
    closed = _closed_in_rows(closed.T, rows - top * units, radius, units).T
    return Area(np.ascontiguousarray(~closed), columns, rows, units)


def check_mask(mask: NDArray[np.bool_]) -> None:
    """Raise ValueError unless `mask` has two dimensions and sides up to 8192."""
    if mask.ndim != 2:
        raise ValueError(f"the mask has {mask.ndim} dimensions (needed: 2)")
    if max(mask.shape) > MAXIMUM_SIDE:
        raise ValueError(f"a side of {max(mask.shape)} cells is too long (allowed: {MAXIMUM_SIDE})")


def _lines(first: int, cells: int, radius: int, units: int) -> NDArray[np.int64]:
    """Return the grid lines of a shrunk area along one axis, ascending.

    The area has `cells` cells from cell `first` on. Lines are `radius` from borders of cells.
    """
    ends = np.array([first, first + cells]) * units
    # A line this far from a border of cells lies in the same place as one within a cell of it.
    near = radius % units
    borders = np.arange(first - 1, first + cells + 2) * units
    # With indices: without them numpy imports its masked arrays, which takes 10 ms.
    lines, _ = np.unique(np.concatenate([borders - near, borders + near, ends]), return_index=True)
    remaining: NDArray[np.int64] = lines[(lines >= ends[0]) & (lines <= ends[1])]
    return remaining


def _closed_in_rows(
    closed: NDArray[np.bool_], lines: NDArray[np.int64], radius: int, units: int
) -> NDArray[np.bool_]:
    """Mark, in each row, the strips that are near a closed cell.

    Strips lie between two adjacent `lines`. Near is at most `radius` away, in the same row.
    """
    height, width = closed.shape
    # How many closed cells there are before a cell; beyond both ends everything is closed.
    before = np.zeros((height, width + 1), np.int32)
    np.cumsum(closed, axis=1, out=before[:, 1:])
    first = (lines[:-1] - radius) // units
    behind = -(-(lines[1:] + radius) // units)
    outside = (first < 0) | (behind > width)
    counted = before[:, behind.clip(0, width)] - before[:, first.clip(0, width)]
    reached: NDArray[np.bool_] = outside | (counted > 0)
    return reached
