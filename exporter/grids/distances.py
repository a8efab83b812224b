"""Measure walking steps and distances on a grid.

`distance_from` is a breadth-first search (the "Dijkstra map" of roguelikes); `distance_to` is a
distance transform that ignores obstacles, after Rosenfeld and Pfaltz, "Sequential operations in
digital picture processing" (1966). Both count in whole steps.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exporter.kernels import warn_uncompiled
from exporter.kernels.distances import COMPILED, flood

Metric = Literal["chebyshev", "taxicab"]

UNREACHABLE = -1
_BLOCKED = -2
# Larger than any distance in a grid, small enough that adding to it cannot overflow int32.
_FAR = 1 << 29


def distance_from(sources: NDArray[np.bool_], passable: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return each cell's steps from the nearest source: int32 [height, width].

    A step goes to one of the four neighbours. Unreachable and impassable cells are -1; an
    impassable source is ignored.

    Args:
        sources: bool [height, width]: where walks begin.
        passable: bool [height, width]: where walks may go.

    Raises:
        ValueError: The arrays differ in shape, or are not two-dimensional.
    """
    if sources.ndim != 2 or sources.shape != passable.shape:
        raise ValueError(
            f"sources and passable cells differ in shape: {sources.shape} and {passable.shape}"
        )
    height, width = passable.shape
    stride = width + 2
    framed = np.zeros((height + 2, stride), np.int32)
    inner = framed[1:-1, 1:-1]
    inner[:] = passable
    framed += np.int32(_BLOCKED)  # one more is `UNREACHABLE`
    flat = framed.ravel()
    rows, columns = np.divmod(np.flatnonzero(sources & passable), width)
    starts = (rows + 1) * stride + columns + 1
    flat[starts] = 0
    queue = np.empty(passable.size, np.int32)
    queue[: starts.size] = starts
    if starts.size:
        warn_uncompiled(COMPILED, "distances", passable.size, 1_000_000)
        flood(flat.data, queue.data, starts.size, stride)
    return np.maximum(inner, np.int32(UNREACHABLE))


def distance_to(marked: NDArray[np.bool_], metric: Metric) -> NDArray[np.int32]:
    """Return each cell's distance to the nearest marked cell.

    The result is int32 [height, width]; all cells are -1 if no cell is marked. Obstacles are
    ignored.

    Args:
        marked: bool [height, width]: the cells to measure the distance to.
        metric: `chebyshev` counts steps to any of eight neighbours, `taxicab` to any of four.

    Raises:
        ValueError: `marked` has not two dimensions, or the metric is unknown.
    """
    if marked.ndim != 2:
        raise ValueError(f"the mask has {marked.ndim} dimensions (needed: 2)")
    if metric not in ("chebyshev", "taxicab"):
        raise ValueError(f"unknown metric {metric!r} (known: chebyshev, taxicab)")
    framed = np.pad(marked, 1)
    if not framed.any():
        return np.full(marked.shape, UNREACHABLE, np.int32)
    distances = np.where(framed, np.int32(0), np.int32(_FAR))
    if metric == "taxicab":
        for _ in range(2):
            # Along one axis, then along the other: taxicab distances are sums of the two.
            _sweep(distances)
            distances = np.ascontiguousarray(distances.T)
    else:
        _sweep(distances)
        _grow(distances)
        _grow(distances[::-1])
    return distances[1:-1, 1:-1].copy()


def _sweep(distances: NDArray[np.int32]) -> None:
    """Lower each cell to its left or right neighbour plus 1, in place.

    Cells that are lower already stay.
    """
    ramp = np.arange(distances.shape[1], dtype=np.int32)
    right = np.minimum.accumulate(distances - ramp, axis=1) + ramp
    left = np.minimum.accumulate((distances + ramp)[:, ::-1], axis=1)[:, ::-1] - ramp
    np.minimum(right, left, out=distances)


def _grow(distances: NDArray[np.int32]) -> None:
    """Lower each row to the row above plus 1, also diagonally, in place.

    Cells that are lower already stay.
    """
    for above, row in pairwise(distances):
        stepped = above + np.int32(1)
        np.minimum(row, stepped, out=row)
        np.minimum(row[1:], stepped[:-1], out=row[1:])
        np.minimum(row[:-1], stepped[1:], out=row[:-1])
