"""Cover a mask with few rectangles, for physics engines.

Engines compute with rounded numbers, so between two shapes that meet in a slanted line some points
belong to neither. Rectangles meet on grid lines, where numbers are exact. Cuts start at reflex
corners of the mask, so few rectangles end in the middle of a straight wall, where a sliding body
would catch on the seam.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from exporter.geometry._cuts import find_cuts
from exporter.geometry._lattice import lattice_of
from exporter.geometry._subdivision import convex_faces
from exporter.geometry.area import Area, area_of
from exporter.geometry.chunks import MapChunk, chunks_of


def rectangles(mask: NDArray[np.bool_], part: MapChunk | None = None) -> NDArray[np.int32]:
    """Divide the cells of a mask into rectangles.

    >>> rectangles(np.array([[1, 1, 0], [1, 1, 0], [1, 1, 1]], bool)).tolist()
    [[0, 0, 2, 3], [2, 2, 1, 1]]

    Args:
        mask: bool [height, width], sides up to 8192; may be empty.
        part: If given, only the cells of this chunk.

    Returns:
        int32 [rectangles, 4]: x, y, width and height in cells of the whole map, in row-major order
        of their upper left corners. Every cell lies in exactly one rectangle.

    Raises:
        ValueError: The mask has not two dimensions, or is too large.
    """
    result = area_rectangles(area_of(mask, part))
    result[:, 2:] -= result[:, :2]
    return result.astype(np.int32)


def area_rectangles(area: Area) -> NDArray[np.int64]:
    """Divide an area into rectangles, which do not overlap.

    Returns:
        int64 [rectangles, 4]: x and y of the upper left corner, then of the lower right one, in
        units, in row-major order of the upper left corners.
    """
    lattice = lattice_of(area)
    faces = convex_faces(lattice, find_cuts(lattice, reach=0))
    if faces.starts.size == 1:
        return np.zeros((0, 4), np.int64)
    first = np.minimum.reduceat(faces.corners, faces.starts[:-1])
    last = np.maximum.reduceat(faces.corners, faces.starts[:-1])
    order = np.lexsort((first[:, 0], first[:, 1]))
    result: NDArray[np.int64] = np.hstack([first, last])[order]
    return result


def rectangles_by_chunk(
    mask: NDArray[np.bool_], chunk: int
) -> Iterator[tuple[MapChunk, NDArray[np.int32]]]:
    """Yield each chunk with rectangles that cover its cells, row after row.

    The sides of chunks are `chunk` cells. Rectangles are int32 [rectangles, 4]: x, y, width and
    height in cells of the whole map.

    Raises:
        ValueError: The mask has not two dimensions, or is too large; or `chunk` is not positive.
    """
    for part in chunks_of(mask.shape, chunk):
        yield part, rectangles(mask, part)
