"""Trace the outlines of a mask: polygons with holes.

A corner is a crossing of grid lines at which the outline turns. In each row of points, corners pair
up as ends of horizontal edges, and in each column as ends of vertical edges, so the neighbours of a
corner are known without following edges. Where two cells of the mask touch only at a point, there
are two corners.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from exporter.geometry.area import check_mask
from exporter.geometry.chunks import MapChunk, chunks_of
from exporter.grids.regions import label_regions
from exporter.kernels import warn_uncompiled
from exporter.kernels.outline_rings import COMPILED, trace_rings
from exporter.model.lazy_dataclass import dataclass

CORNERS_IN_A_SECOND = 2_000_000
# Bits of a point's code: which of the cells around it belong to the mask.
UPPER_LEFT, UPPER_RIGHT, LOWER_LEFT, LOWER_RIGHT = 1, 2, 4, 8
# Cells that touch only at the point.
FALLING, RISING = UPPER_LEFT | LOWER_RIGHT, UPPER_RIGHT | LOWER_LEFT
# How many corners lie at a point: where one or three cells belong to the mask there is one.
CORNERS = np.array([bin(code).count("1") % 2 for code in range(16)], np.uint8)
CORNERS[[FALLING, RISING]] = 2


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """The outlines of a mask, one polygon for each 4-connected region.

    A polygon is a ring around the region, clockwise on the screen (y points down), and a
    counter-clockwise ring around each of its holes. A ring contains only points where it turns,
    each once. It starts at its topmost point, of several the leftmost, which is not repeated at the
    end. Rings of one polygon may touch at points.

    Attributes:
        vertices: int32 [vertices, 2]: x and y in cells, ring after ring.
        rings: int32 [rings + 1]: the index in `vertices` where each ring starts, and the end.
        polygons: int32 [polygons + 1]: the index in `rings` where each polygon starts, and the end;
            the first ring of a polygon is the outer one.
    """

    vertices: NDArray[np.int32]
    rings: NDArray[np.int32]
    polygons: NDArray[np.int32]

    def __len__(self) -> int:
        """Return the number of polygons."""
        return self.polygons.size - 1


def outlines(mask: NDArray[np.bool_]) -> Outlines:
    """Trace the outlines of a mask; fill them by the even-odd rule.

    >>> found = outlines(np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], bool))
    >>> found.vertices.tolist()
    [[0, 0], [3, 0], [3, 3], [0, 3], [1, 1], [1, 2], [2, 2], [2, 1]]
    >>> found.rings.tolist(), found.polygons.tolist()
    ([0, 4, 8], [0, 2])

    Polygons come in the order of `label_regions`, holes in row-major order of their first points.
    The time is linear. Memory is about 10 bytes a cell and 60 a vertex; a checkerboard has two
    vertices a cell. Use `outlines_by_chunk` where that is too much.

    Args:
        mask: bool [height, width], sides up to 8192; may be empty.

    Raises:
        ValueError: The mask has not two dimensions, or is too large.
    """
    check_mask(mask)
    stride = mask.shape[1] + 1
    codes = _codes(mask)
    points = np.flatnonzero(CORNERS[codes])
    points = np.repeat(points, CORNERS[codes[points]])
    codes = codes[points]
    corners, starts = _rings(points, codes, stride)
    # To the lower right of its first point an outer ring has the mask, and a hole has not; a hole
    # has it on the upper right.
    firsts = corners[starts[:-1]]
    rows, columns = np.divmod(points[firsts], stride)
    holes = codes[firsts] & LOWER_RIGHT == 0
    order = np.arange(firsts.size)
    if holes.any():
        regions = label_regions(mask).labels[rows - holes, columns] - 1
        order = np.lexsort((points[firsts], holes, regions))
    corners, rings = _reordered(corners, starts, order)
    rows, columns = np.divmod(points[corners], stride)
    return Outlines(
        np.stack([columns, rows], 1).astype(np.int32),
        rings.astype(np.int32),
        np.append(np.flatnonzero(~holes[order]), holes.size).astype(np.int32),
    )


def outlines_by_chunk(mask: NDArray[np.bool_], chunk: int) -> Iterator[tuple[MapChunk, Outlines]]:
    """Trace the outlines of a mask chunk by chunk, cut at the borders.

    Only one chunk is held in memory at a time. Chunks come row after row, with outlines in
    coordinates of the whole map; their sides are `chunk` cells, up to 8192.

    Raises:
        ValueError: The mask has not two dimensions, or is too large; or `chunk` is not positive.
    """
    for part in chunks_of(mask.shape, chunk):
        result = outlines(mask[part.y : part.y + part.height, part.x : part.x + part.width])
        vertices = result.vertices + np.array([part.x, part.y], np.int32)
        yield part, Outlines(vertices, result.rings, result.polygons)


def _codes(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return which cells around each crossing of grid lines are in `mask`.

    Crossings come row after row. Each has the sum of UPPER_LEFT, UPPER_RIGHT, LOWER_LEFT and
    LOWER_RIGHT for those of its four cells that are in the mask.
    """
    height, width = mask.shape
    cells = mask.view(np.uint8)
    codes = np.zeros((height + 1, width + 1), np.uint8)
    codes[1:, 1:] |= cells * np.uint8(UPPER_LEFT)
    codes[1:, :-1] |= cells * np.uint8(UPPER_RIGHT)
    codes[:-1, 1:] |= cells * np.uint8(LOWER_LEFT)
    codes[:-1, :-1] |= cells * np.uint8(LOWER_RIGHT)
    return codes.ravel()


def _rings(
    points: NDArray[np.int64], codes: NDArray[np.uint8], stride: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the corners ring after ring, and where each ring starts.

    Corners are indices of `points`, the positions of all corners; `codes` are the cells around
    each, `stride` is the number of points in a row.
    """
    count = points.size
    warn_uncompiled(COMPILED, "outline_rings", count, CORNERS_IN_A_SECOND)
    twins = np.zeros(count, np.int8)
    first_twins = np.flatnonzero(points[1:] == points[:-1])
    twins[first_twins], twins[first_twins + 1] = 1, -1
    following = _following(points, codes, first_twins, stride)
    order = np.empty(count, np.int32)
    starts = np.empty(count // 4 + 1, np.int32)
    rings = trace_rings(
        following.data,
        twins.data,
        np.full(count, -1, np.int32).data,
        np.empty(count, np.int32).data,
        order.data,
        starts.data,
    )
    return _begun_at_first_point(order, starts[: rings + 1], points)


def _following(
    points: NDArray[np.int64], codes: NDArray[np.uint8], first_twins: NDArray[np.int64], stride: int
) -> NDArray[np.int32]:
    """Return the next corner after every corner, with the mask on the right.

    Corners with an even index are left ends of horizontal edges, those with an odd index right
    ends. Of two corners at the same point, whose first ones `first_twins` are, the first has the
    edge to the left.
    """
    # Sides are short, and numpy sorts short integers in linear time.
    by_column = np.argsort((points % stride).astype(np.int16), kind="stable").astype(np.int32)
    # Of two twins the first in its column must be the one with the edge upwards.
    swapped = first_twins[codes[first_twins] == RISING]
    position = np.empty_like(by_column)
    position[by_column] = np.arange(by_column.size, dtype=np.int32)
    upper = position[swapped]
    by_column[upper], by_column[upper + 1] = by_column[upper + 1], by_column[upper]
    vertical = position
    vertical[by_column[::2]], vertical[by_column[1::2]] = by_column[1::2], by_column[::2]
    index = np.arange(points.size, dtype=np.int32)
    # To the right with the mask below, to the left with the mask above.
    leaving = np.where(index & 1 == 0, codes & LOWER_RIGHT, codes & UPPER_LEFT) != 0
    return np.where(leaving, index ^ 1, vertical).astype(np.int32, copy=False)


def _begun_at_first_point(
    corners: NDArray[np.int32], starts: NDArray[np.int32], points: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Rotate each ring to start at its first corner in row-major order."""
    if corners.size == 0:
        return corners, starts
    least = np.minimum.reduceat(points[corners], starts[:-1])
    lengths = np.diff(starts)
    # No ring has a point twice, so there is exactly one such corner in each.
    firsts = np.flatnonzero(points[corners] == np.repeat(least, lengths))
    index = np.arange(corners.size) + np.repeat(firsts - starts[:-1], lengths)
    index -= np.where(index >= np.repeat(starts[1:], lengths), np.repeat(lengths, lengths), 0)
    return corners[index], starts


def _reordered(
    corners: NDArray[np.int32], starts: NDArray[np.int32], order: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the rings in another `order`, and where each starts."""
    lengths = np.diff(starts)[order]
    moved = np.concatenate([[0], np.cumsum(lengths)])
    index = np.arange(corners.size) + np.repeat(starts[:-1][order] - moved[:-1], lengths)
    return corners[index], moved
