"""Cover a surface of smooth heights with few right-angled triangles.

Triangles are halved only where the heights need it. All points are half a cell apart. Each point,
except the corners of the coarsest squares, is in the middle of the longest side of two triangles
and divides both, so no corner ever lies on a side. After Evans, Kirkpatrick and Townsend,
"Right-Triangulated Irregular Networks" (2001).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

# The side of the coarsest squares in cells, and the steps from the middle of a square's side to its
# ends, in half cells, from the finest.
_CELLS = 32
_STEPS = tuple(1 << power for power in range(_CELLS.bit_length()))


def halved_triangles(
    heights: NDArray[np.float64],
    regions: NDArray[np.integer[Any]],
    limit: float,
    is_part: bool,
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Approximate `heights` by triangles that each lie in one region.

    Args:
        heights: [2 * height + 1, 2 * width + 1]: the heights at points half a cell apart.
        regions: Integers [height, width]: the number of each cell's region.
        limit: The greatest vertical distance between the triangles and `heights`.
        is_part: Whether the level is a chunk of a world, whose ground goes on beyond the border.
            Then all points of the border become corners.

    Returns:
        The heights of the triangles at all points, in the shape of `heights`; the corners of the
        triangles, int64 [triangles, 3], as indices in the flattened heights; and the region of each
        triangle.
    """
    height, width = regions.shape
    missing = [(0, -side % _CELLS) for side in regions.shape]
    padded = np.pad(heights, [(0, 2 * more) for _, more in missing], mode="edge")
    inside = np.pad(regions, missing, constant_values=-1)
    used = np.zeros(padded.shape, bool)
    if is_part:
        own = used[: 2 * height + 1, : 2 * width + 1]
        own[[0, -1]] = own[:, [0, -1]] = True
    _use_borders(used[::2, ::2], inside)
    surface = _use_bent_points(used, padded, limit)
    places = _triangles(used)
    rows, columns = np.divmod(places, padded.shape[1])
    found = inside[rows.sum(axis=1) // 6, columns.sum(axis=1) // 6]
    kept = found >= 0
    places = rows[kept] * (2 * width + 1) + columns[kept]
    return surface[: 2 * height + 1, : 2 * width + 1], places, found[kept].astype(np.int64)


def _use_borders(corners: NDArray[np.bool_], regions: NDArray[np.integer[Any]]) -> None:
    """Mark corners so that sides between two regions are triangles' sides.

    One end of each such side is marked in `corners`; the other then becomes a corner, too.
    """
    around = np.pad(regions, 1, constant_values=-1)
    level = around[1:, 1:-1] != around[:-1, 1:-1]
    upright = around[1:-1, 1:] != around[1:-1, :-1]
    corners[:, :-1] |= level
    corners[:, 1:] |= level
    corners[:-1] |= upright
    corners[1:] |= upright
    corners &= ~_is_even(corners.shape)


def _use_bent_points(
    used: NDArray[np.bool_], heights: NDArray[np.float64], limit: float
) -> NDArray[np.float64]:
    """Mark corners in `used` until triangles are within `limit` of `heights`.

    `used` is bool, in the shape of `heights`. Return the heights of the triangles at all points.
    """
    for step in _STEPS:
        for point, middle, is_used in zip(
            _middles(heights, step), _between(heights, step), _middles(used, step), strict=True
        ):
            is_used |= abs(point - middle) > limit
    while True:
        _use_parents(used)
        surface = heights.copy()
        for step in reversed(_STEPS):
            # One after the other: the ends of sides are not in the middles of squares.
            for point, middle, is_used in zip(
                _middles(surface, step), _between(surface, step), _middles(used, step), strict=True
            ):
                np.copyto(point, middle, where=~is_used)
        far = abs(surface - heights) > limit
        if not far.any():
            return surface
        used |= far


def _use_parents(used: NDArray[np.bool_]) -> None:
    """Mark in `used` all corners on which the marked ones depend.

    A corner divides two larger triangles, whose own corners have to be marked.
    """
    for step in _STEPS:
        corners = used[:: 2 * step, :: 2 * step]
        centres, level, upright = _middles(used, step)
        centres |= level[:-1] | level[1:] | upright[:, :-1] | upright[:, 1:]
        even = _is_even(centres.shape)
        for first, second, chosen in (
            (np.s_[:-1, 1:], np.s_[1:, :-1], centres & even),
            (np.s_[:-1, :-1], np.s_[1:, 1:], centres & ~even),
        ):
            corners[first] |= chosen
            corners[second] |= chosen


def _triangles(used: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the triangles between the corners in `used`, clockwise on screen.

    A triangle is three indices in the flattened `used`.
    """
    numbers = np.arange(used.size).reshape(used.shape)
    found = []
    for step in (*reversed(_STEPS), 0):
        side = 2 * step or 1
        places = _corners(numbers[::side, ::side])
        # A square without its middle is two triangles, each with the right angle at a corner.
        whole = ~used[step::side, step::side] if step else True
        coarsest = step == _STEPS[-1]
        even = _is_even(places[0].shape)
        for turn, (apex, is_used) in enumerate(
            zip(places, _corners(used[::side, ::side]), strict=True)
        ):
            here = whole & (even == bool(turn % 2)) & (is_used | coarsest)
            ends = places[(turn + 1) % 4], places[turn - 1]
            found.append(np.stack([part[here] for part in (apex, *ends)], 1))
        if not step:
            break
        # With its middle it is four triangles; divided ones are replaced by smaller ones.
        centres, level, upright = _middles(used, step)
        middles = numbers[step::side, step::side]
        sides = level[:-1], upright[:, 1:], level[1:], upright[:, :-1]
        for turn, is_divided in enumerate(sides):
            here = centres & ~is_divided
            corners = middles, places[turn], places[(turn + 1) % 4]
            found.append(np.stack([part[here] for part in corners], 1))
    return np.concatenate(found)


def _middles(values: NDArray[Any], step: int) -> tuple[NDArray[Any], ...]:
    """Return `values` at the centres of squares, and of the squares' sides.

    A square is `2 * step` points wide. The arrays are for squares, horizontal and vertical sides.
    """
    side = 2 * step
    return values[step::side, step::side], values[::side, step::side], values[step::side, ::side]


def _between(values: NDArray[np.float64], step: int) -> Iterator[NDArray[np.float64]]:
    """Yield the mean of `values` at both ends of each triangle's longest side.

    The centres of these sides are the points of `_middles`; the arrays come in the same order.
    """
    corners = values[:: 2 * step, :: 2 * step]
    first, second, third, fourth = _corners(corners)
    yield np.where(_is_even(first.shape), first + third, second + fourth) / 2
    yield (corners[:, :-1] + corners[:, 1:]) / 2
    yield (corners[:-1] + corners[1:]) / 2


def _corners(values: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return `values` at the four corners of all squares, as four arrays.

    The first is for upper left corners; the others follow clockwise.
    """
    return values[:-1, :-1], values[:-1, 1:], values[1:, 1:], values[1:, :-1]


def _is_even(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return a chessboard of `shape`: True where row plus column is even."""
    rows, columns = np.indices(shape, sparse=True)
    even: NDArray[np.bool_] = (rows + columns) % 2 == 0
    return even
