"""The area a mask stands for, on lattice lines that need not be evenly spaced.

A mask's own lattice lines are the borders of its cells. An area that was shrunk for an agent has
more lines, at fractions of a cell: coordinates are whole numbers, in units of 1/256 of a cell, so
that everything after is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Binary, so that a coordinate times the size of a tile is an exact floating-point number.
UNITS = 256
# 8192 cells of 256 units: products of three coordinates' differences stay far below 2^63.
MAX_SIDE = 8192


@dataclass(frozen=True, slots=True, eq=False)
class Area:
    """Which fields of a lattice belong to an area.

    Attributes:
        fields: bool [rows - 1, columns - 1]: whether the field between two columns and two
            rows belongs to the area.
        columns: int64 [columns], ascending: x of the vertical lattice lines.
        rows: int64 [rows], ascending: y of the horizontal lattice lines.
        units: How many units of the coordinates are one cell.
    """

    fields: NDArray[np.bool_]
    columns: NDArray[np.int64]
    rows: NDArray[np.int64]
    units: int


def area_of(mask: NDArray[np.bool_]) -> Area:
    """Return the area of all cells of a mask, in units of a cell.

    Raises:
        ValueError: `mask` has not two dimensions, or a side is longer than 8192 cells.
    """
    check_mask(mask)
    height, width = mask.shape
    return Area(mask, np.arange(width + 1), np.arange(height + 1), 1)


def shrunk_area(mask: NDArray[np.bool_], radius: int, chunk: int = 0) -> Area:
    """Return where a square agent can stand: the area shrunk by a radius, in units of 1/256 cell.

    A point belongs to it if the open square with sides of twice the radius around the point
    touches only cells of the mask. (A square and not a disc, because then all edges stay on
    lattice lines.) A corridor as wide as twice the radius, or narrower, vanishes; so parts of a
    connected mask may come apart.

    Args:
        mask: bool [height, width].
        radius: In units of 1/256 of a cell, from 0.
        chunk: If given, the borders of chunks of so many cells are lattice lines, too.

    Raises:
        ValueError: As for `area_of`; or the radius is negative.
    """
    check_mask(mask)
    if radius < 0:
        raise ValueError(f"a radius is not negative: {radius}")
    height, width = mask.shape
    columns, rows = _lines(width, radius, chunk), _lines(height, radius, chunk)
    closed = _closed_in_rows(~mask, columns, radius)
    closed = _closed_in_rows(closed.T, rows, radius).T
    return Area(np.ascontiguousarray(~closed), columns, rows, UNITS)


def check_mask(mask: NDArray[np.bool_]) -> None:
    """Refuse what is no mask, or too large.

    Raises:
        ValueError: `mask` has not two dimensions, or a side is longer than 8192 cells.
    """
    if mask.ndim != 2:
        raise ValueError(f"a mask has two dimensions, not {mask.ndim}")
    if max(mask.shape) > MAX_SIDE:
        raise ValueError(f"a side has at most {MAX_SIDE} cells, not {max(mask.shape)}")


def _lines(cells: int, radius: int, chunk: int) -> NDArray[np.int64]:
    """Return the coordinates between which nothing changes, from border to border."""
    borders = np.arange(cells + 1) * UNITS
    ends = borders[[0, -1]]
    chunks = borders[:: max(chunk, 1)] if chunk else ends
    lines = np.unique(np.concatenate([borders - radius, borders + radius, chunks, ends]))
    return lines[(lines >= ends[0]) & (lines <= ends[1])]


def _closed_in_rows(
    closed: NDArray[np.bool_], lines: NDArray[np.int64], radius: int
) -> NDArray[np.bool_]:
    """Return which strips between the lines have a closed cell within the radius in their row."""
    height, width = closed.shape
    # How many closed cells there are before a cell; beyond both ends everything is closed.
    before = np.zeros((height, width + 1), np.int32)
    np.cumsum(closed, axis=1, out=before[:, 1:])
    first = (lines[:-1] - radius) // UNITS
    behind = -(-(lines[1:] + radius) // UNITS)
    outside = (first < 0) | (behind > width)
    counted = before[:, behind.clip(0, width)] - before[:, first.clip(0, width)]
    return outside | (counted > 0)
