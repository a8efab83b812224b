"""Divide the walkable area of a window into rectangles that fit together.

Engines join polygons with equal edges, so both sides of a window's border need the same corners on
it, though each side is computed alone. So a strip one cell wide along every border is divided
separately. The other side is given a few cells beyond the border, divides the strip in the same way
and adds the strip's corners to its own rectangles.

This takes a third of the time of `exporter.geometry.pieces` for the same map, and gives a fifth
more polygons.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.geometry._subdivision import Faces
from exporter.geometry._thin_faces import SLENDERNESS
from exporter.geometry.area import UNITS, area_of, shrunk_area
from exporter.geometry.chunks import MapChunk, chunks_of
from exporter.geometry.pieces import begun_before_turns
from exporter.geometry.rectangles import area_rectangles
from exporter.model.lazy_dataclass import dataclass

# Rows and columns of cells that are divided at a time: beyond the strips, the fewer the faster.
_SIDE = 128


@dataclass(frozen=True, slots=True, eq=False)
class Rings:
    """Rectangles with further corners where other rectangles touch them.

    Attributes:
        corners: int32 [corners, 2]: x and y, y down, in units, clockwise on the screen, one
            rectangle after the other.
        starts: int32 [rectangles + 1]: the index in `corners` where each rectangle starts, and the
            end.
        units: The number of coordinate units in one cell; 1 if the area was not shrunk by a radius.
    """

    corners: NDArray[np.int32]
    starts: NDArray[np.int32]
    units: int

    def __len__(self) -> int:
        """Return the number of rectangles."""
        return self.starts.size - 1


def window_rectangles(
    mask: NDArray[np.bool_], window: MapChunk, chunk: int, agent_radius: int = 0, units: int = UNITS
) -> list[tuple[MapChunk, Rings]]:
    """Divide the part of a window where an agent fits into rectangles.

    Args:
        mask: bool [height, width]: the window, with a margin as far as the map goes: one cell, and
            the radius in cells, rounded up.
        window: Where the window is in the mask.
        chunk: The side in cells of the chunks in which rectangles are returned.
        agent_radius: How far rectangles keep away from cells outside the mask, in units.
        units: The number of units in one cell, if the area is shrunk.

    Returns:
        The chunks of the window that have rectangles, row after row, in cells of the mask. A
        rectangle belongs to the chunk with its upper left corner.

    Raises:
        ValueError: The mask has not two dimensions, or is too large; the radius is negative;
            `chunk` is not positive.
    """
    parts = chunks_of((window.height, window.width), chunk)
    units = units if agent_radius else 1
    # How near to each other corners on a side can be: lines lie a radius from borders of cells.
    apart = 2 * agent_radius % units
    nearest = min(apart, units - apart) if apart else units

    def divided(part: MapChunk) -> NDArray[np.int64]:
        area = shrunk_area(mask, agent_radius, part, units) if agent_radius else area_of(mask, part)
        return _without_thin_ones(area_rectangles(area), units, nearest)

    height, width = mask.shape
    inside = np.concatenate([divided(part) for part in _parts(window)])
    beside = np.concatenate([divided(part) for part in _strips_beside(window, width, height)])
    points = _corners(np.concatenate([inside, beside])).reshape(-1, 2)
    columns = -(-window.width // chunk)
    first = inside[:, :2] // units - (window.x, window.y)
    places = first[:, 1] // chunk * columns + first[:, 0] // chunk
    order = np.argsort(places, kind="stable")
    rings = _rings(inside[order], points)
    ends = np.searchsorted(places[order], np.arange(len(parts) + 1))
    result = []
    for part, begin, end in zip(parts, ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        if begin == end:
            continue
        starts = rings.starts[begin : end + 1]
        corners = rings.corners[starts[0] : starts[-1]].astype(np.int32)
        where = MapChunk(part.x + window.x, part.y + window.y, part.width, part.height)
        result.append((where, Rings(corners, (starts - starts[0]).astype(np.int32), units)))
    return result


def _segments(first: int, length: int) -> list[tuple[int, int]]:
    """Split a range into strip, middle and strip: (start, length) of each.

    Strips have the length 1; short ranges have no middle, or only one strip.
    """
    segments = [(first, 1), (first + 1, length - 2), (first + length - 1, 1)]
    if length == 1:
        segments = segments[:1]
    return [segment for segment in segments if segment[1] > 0]


def _parts(window: MapChunk) -> list[MapChunk]:
    """Return the parts of a window: strips along borders, squares inside."""
    parts = []
    for y, height in _segments(window.y, window.height):
        for x, width in _segments(window.x, window.width):
            if width == 1 or height == 1:
                parts.append(MapChunk(x, y, width, height))
                continue
            for square in chunks_of((height, width), _SIDE):
                parts.append(MapChunk(x + square.x, y + square.y, square.width, square.height))
    return parts


def _strips_beside(window: MapChunk, width: int, height: int) -> list[MapChunk]:
    """Return the one-cell strips around `window` that lie within the mask."""
    parts = [MapChunk(0, 0, 0, 0)]
    for x in (window.x - 1, window.x + window.width):
        if 0 <= x < width:
            parts += [MapChunk(x, y, 1, long) for y, long in _segments(window.y, window.height)]
    for y in (window.y - 1, window.y + window.height):
        if 0 <= y < height:
            parts += [MapChunk(x, y, long, 1) for x, long in _segments(window.x, window.width)]
    return parts


def _without_thin_ones(boxes: NDArray[np.int64], units: int, nearest: int) -> NDArray[np.int64]:
    """Halve rectangles that are too long and thin, at whole cells.

    Engines divide a polygon into triangles from its edges; `nearest` is the shortest edge, and
    `units` the number of coordinate units in one cell.
    """
    while True:
        sides = boxes[:, 2:] - boxes[:, :2]
        long, wide = sides.max(axis=1), np.minimum(sides.min(axis=1), nearest)
        # Sides up to 8192 cells of 256 units: the products stay far below 2^63.
        thin = (long > 2 * units) & (long**3 > SLENDERNESS * units * wide**2)
        if not thin.any():
            return boxes
        cut = boxes[thin]
        axis = np.argmax(sides[thin], axis=1)
        rows = np.arange(len(cut))
        middle = (cut[rows, axis] + long[thin] // 2) // units * units
        second = cut.copy()
        cut[rows, axis + 2] = middle
        second[rows, axis] = middle
        boxes = np.concatenate([boxes[~thin], cut, second])


def _corners(boxes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the corners of rectangles, clockwise: int64 [rectangles, 4, 2]."""
    corners: NDArray[np.int64] = boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)
    return corners


def _rings(boxes: NDArray[np.int64], points: NDArray[np.int64]) -> Faces:
    """Return `boxes` as faces, with corners at the `points` on their sides."""
    begins = _corners(boxes)
    ends = np.roll(begins, -1, axis=1)
    # Sides 0 and 2 are horizontal: points on them have the same y; points on 1 and 3 the same x.
    # Points are sorted by that, then along the side.
    counts = np.zeros(begins.shape[:2], np.int64)
    firsts = np.zeros(begins.shape[:2], np.int64)
    along: list[NDArray[np.int64]] = []
    for axis in (0, 1):
        keys = np.unique(points[:, 1 - axis] << 32 | points[:, axis])
        along.append(keys & 0xFFFFFFFF)
        line = begins[:, axis::2, 1 - axis] << 32
        low = np.minimum(begins[:, axis::2, axis], ends[:, axis::2, axis])
        high = np.maximum(begins[:, axis::2, axis], ends[:, axis::2, axis])
        firsts[:, axis::2] = np.searchsorted(keys, line | low, side="right")
        counts[:, axis::2] = np.searchsorted(keys, line | high, side="left") - firsts[:, axis::2]
    # Every side gives its first corner, then the further ones, backwards on the last two sides.
    sizes = (counts + 1).ravel()
    behind = np.cumsum(sizes)
    sides = np.repeat(np.arange(sizes.size), sizes)
    nth = np.arange(sides.size) - (behind - sizes)[sides]
    kind = sides % 4
    corners = begins.reshape(-1, 2)[sides]
    further = np.flatnonzero(nth > 0)
    forwards = kind[further] < 2
    item = firsts.ravel()[sides[further]]
    item += np.where(forwards, nth[further] - 1, counts.ravel()[sides[further]] - nth[further])
    for axis in (0, 1):
        here = kind[further] % 2 == axis
        corners[further[here], axis] = along[axis][item[here]]
    starts = np.concatenate([[0], behind.reshape(-1, 4)[:, 3]])
    return begun_before_turns(Faces(corners, starts))
