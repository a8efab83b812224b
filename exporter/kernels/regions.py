# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Find the regions of a grid by joining runs of cells (union-find).

This is the loop behind `exporter.grids.regions`. It visits only runs (unbroken stretches of a row),
whose number is some percent of that of the cells. So it is quick enough even uncompiled: a fifth of
a second for 1024 x 1024 cells of noise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

# Uncompiled, the caller paints with numpy instead of `paint_runs`.
COMPILED: bool = cython.compiled


def number_runs(
    changes: cython.longlong[::1],
    stride: cython.longlong,
    reach: cython.longlong,
    labels: cython.int[::1],
    sizes: cython.longlong[::1],
) -> int:
    """Give touching runs of cells the same number; return the highest one.

    Args:
        changes: For each run the position where it begins, then the one after its last cell;
            ascending. A position is `y * stride + x`.
        stride: The number of positions from a cell to the one below; more than the width, so that
            runs of different rows are never neighbours by accident.
        reach: 0 when runs must share a column to touch (4-connected), 1 when a corner is enough
            (8-connected).
        labels: int32, one for each run, receives the numbers: 1, 2, ... in the order in which the
            regions begin.
        sizes: int64, one for each run, receives the number of cells of region 1, 2, ...
    """
    count: cython.Py_ssize_t = changes.shape[0] // 2
    run: cython.Py_ssize_t
    above: cython.Py_ssize_t = 0
    regions: cython.int = 0
    # Until the last loop `labels` holds parents; a root is the first run of its region.
    for run in range(count):
        start: cython.longlong = changes[2 * run] - stride
        end: cython.longlong = changes[2 * run + 1] - stride
        labels[run] = run
        while changes[2 * above + 1] + reach <= start:
            above += 1
        root: cython.int = run
        touching: cython.Py_ssize_t = above
        while changes[2 * touching] < end + reach:
            other: cython.int = touching
            while labels[other] != other:
                labels[other] = labels[labels[other]]
                other = labels[other]
            if other < root:
                labels[root] = other
                root = other
            else:
                labels[other] = root
            touching += 1
    for run in range(count):
        # Parents come first, so a parent's label is final by now: its region's number.
        if labels[run] == run:
            sizes[regions] = 0
            regions += 1
            labels[run] = regions
        else:
            labels[run] = labels[labels[run]]
        sizes[labels[run] - 1] += changes[2 * run + 1] - changes[2 * run]
    return regions


def paint_runs(
    changes: cython.longlong[::1],
    labels: cython.int[::1],
    width: cython.longlong,
    stride: cython.longlong,
    cells: cython.int[::1],
) -> None:
    """Write the number of each run to its cells.

    Args:
        changes: For each run the position where it begins, then the one after its last cell.
        labels: int32, the number of each run.
        width: The number of cells in a row.
        stride: The number of positions from a cell to the one below.
        cells: int32, all 0: the grid, one row of `width` cells after the other.
    """
    run: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    for run in range(labels.shape[0]):
        shift: cython.longlong = (changes[2 * run] // stride) * (stride - width)
        label: cython.int = labels[run]
        for cell in range(changes[2 * run] - shift, changes[2 * run + 1] - shift):
            cells[cell] = label
