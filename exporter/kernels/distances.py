# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Search a framed grid breadth-first, for `exporter.grids.distances`.

Uncompiled it takes about a microsecond a cell: fine up to 512 x 512 cells, a second beyond.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

if cython.compiled:
    from cython.cimports.exporter.kernels._steps import neighbour
else:
    from exporter.kernels._steps import neighbour

COMPILED: bool = cython.compiled


def flood(
    distances: cython.int[::1],
    queue: cython.int[::1],
    waiting: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
) -> int:
    """Spread distances from some cells over a grid, in 4-connected steps.

    Args:
        distances: int32, the rows of a grid with a frame of cells that cannot be entered: -1 for
            cells that receive a distance, -2 for cells that cannot be entered, 0 for cells in the
            queue.
        queue: int32 with room for every cell; the first `waiting` hold positions to start from.
        waiting: The number of positions in `queue` at first.
        stride: The number of cells in a framed row.

    Returns:
        How many positions are in the queue now, nearest first: every reached cell once.
    """
    step: cython.Py_ssize_t
    read: cython.Py_ssize_t = 0
    while read < waiting:
        position: cython.Py_ssize_t = queue[read]
        read += 1
        distance: cython.int = distances[position] + 1
        for step in range(4):
            other: cython.Py_ssize_t = neighbour(position, step, stride)
            if distances[other] == -1:
                distances[other] = distance
                queue[waiting] = other
                waiting += 1
    return waiting
