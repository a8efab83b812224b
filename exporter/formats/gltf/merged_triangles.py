"""Divide the ground of terraces and of ramps between them into triangles.

Cells that lie in one plane are merged: level ground, and straight ramps along terraces. Where ramps
turn, each square between the centres of four cells has triangles of its own. All points are half a
cell apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.geometry.area import Area
from exporter.geometry.surfaces import (
    Faces,
    corner_points,
    shared_corners,
    surface_faces,
    with_points_on_sides,
)

# Kinds of the squares between the middles of four cells. Ramps at even and at odd positions are two
# kinds, so that neighbours of one kind are always in one plane.
_LEVEL, _EVEN_RAMP, _ODD_RAMP, _TURN = range(4)
# Whether each quarter of a square is below and to the right.
_QUARTERS = [(down, right) for down in (0, 1) for right in (0, 1)]
# The corners of a square, and its two triangles if it is divided, clockwise on the screen.
_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
_FALLING, _RISING = _SQUARE[[[0, 1, 2], [0, 2, 3]]], _SQUARE[[[0, 1, 3], [1, 2, 3]]]


def merged_triangles(
    heights: NDArray[np.float64],
    falling: NDArray[np.bool_],
    regions: NDArray[np.integer[Any]],
    is_part: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Divide the ground into triangles, merging what lies in one plane.

    Args:
        heights: float64 [height + 2, width + 2]: heights at the centres of cells, with a border of
            one cell.
        falling: bool [height + 1, width + 1]: whether the square between the centres of four cells
            is divided from its upper left to its lower right corner; else the other way.
        regions: Integers [height, width]: the region of each cell; no triangle lies in two.
        is_part: Whether the level is a chunk of a world, whose ground goes on beyond the border.
            Then all points of the border become corners.

    Returns:
        The corners of triangles, int64 [n, 3], as indices of points that lie half a cell apart, in
        reading order; and the region of each triangle, int64 [n].
    """
    squares = _square_kinds(heights)
    halves = regions.repeat(2, 0).repeat(2, 1)
    kinds = squares.repeat(2, 0).repeat(2, 1)[1:-1, 1:-1]
    height, width = halves.shape
    lines = np.arange(width + 1), np.arange(height + 1)
    faces = [_turning_faces(squares, falling, halves)]
    for region in np.unique(regions).tolist():
        for kind in (_LEVEL, _EVEN_RAMP, _ODD_RAMP):
            faces.append(surface_faces(Area((halves == region) & (kinds == kind), *lines, 1)))
    points = corner_points(faces, (height, width))
    if is_part:
        points[[0, -1]] = points[:, [0, -1]] = True
    sizes = np.concatenate([np.diff(some.starts) for some in faces])
    corners = np.concatenate([some.corners for some in faces])
    together = Faces(corners, np.concatenate([[0], np.cumsum(sizes)]))
    places, triangles = shared_corners(with_points_on_sides(together, points))
    x, y = places[triangles].sum(axis=1).T // 6
    return (places[:, 1] * (width + 1) + places[:, 0])[triangles], regions[y, x]


def _square_kinds(heights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return whether each square between four cells is level, ramp or turn.

    The result has `_LEVEL`, `_EVEN_RAMP`, `_ODD_RAMP` (by the ramp's row or column) and `_TURN`.
    """
    right, down = np.diff(heights) != 0, np.diff(heights, axis=0) != 0
    across, along = right[:-1] | right[1:], down[:, :-1] | down[:, 1:]
    rows, columns = np.indices(across.shape, sparse=True)
    kinds: NDArray[np.int64] = _EVEN_RAMP + np.where(across, columns % 2, rows % 2)
    kinds[across & along] = _TURN
    kinds[~across & ~along] = _LEVEL
    return kinds


def _turning_faces(
    squares: NDArray[np.int64], falling: NDArray[np.bool_], halves: NDArray[np.integer[Any]]
) -> Faces:
    """Return the faces of those of `squares` in which ramps turn.

    `falling` says how a square is divided; `halves` has the region of each quarter of a cell. A
    square in several regions is divided into its quarters.
    """
    y, x = np.nonzero(squares == _TURN)
    around = np.pad(halves, 1, constant_values=-1)
    quarters = np.array([around[2 * y + down, 2 * x + right] for down, right in _QUARTERS])
    whole = (quarters[0] >= 0) & (np.ptp(quarters, axis=0) == 0)
    falls = falling[y, x]
    centres = np.stack([x, y], 1)[:, None] * 2
    polygons = []
    for side, parts in ((whole & falls, _FALLING), (whole & ~falls, _RISING)):
        polygons += [centres[side] + part * 2 - 1 for part in parts]
    for (down, right), quarter in zip(_QUARTERS, quarters, strict=True):
        begins = centres + np.array([right - 1, down - 1])
        here, divided = ~whole & (quarter >= 0), falls == (down == right)
        polygons.append(begins[here & ~divided] + _SQUARE)
        for part in _FALLING if down == right else _RISING:
            polygons.append(begins[here & divided] + part)
    sizes = np.repeat([part.shape[1] for part in polygons], [len(part) for part in polygons])
    corners = np.concatenate([part.reshape(-1, 2) for part in polygons])
    return Faces(corners, np.concatenate([[0], np.cumsum(sizes)]))
