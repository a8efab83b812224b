# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Choose a pattern for each cell so that all neighbours agree.

This is wave function collapse. The algorithm is Maxim Gumin's (WaveFunctionCollapse, 2016), with
the support counters of Mathieu Fehr and Nathaniel Courant ("fast-wfc"): every cell keeps, for each
of its possible patterns and each side, how many patterns of the neighbour still allow it. The next
cell to decide is one with the fewest patterns left, from an indexed heap; no logarithm is needed,
so every machine decides alike. Uncompiled it takes about a microsecond for each support that is
withdrawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

if cython.compiled:
    from cython.cimports.exporter.kernels.random_draws import Draws
else:
    from exporter.kernels.random_draws import Draws

COMPILED = cython.compiled


def collapse(
    options: cython.uchar[:, ::1],
    support: cython.short[:, :, ::1],
    neighbours: cython.int[:, ::1],
    starts: cython.int[:, ::1],
    allowed: cython.int[::1],
    weights: cython.int[::1],
    keys: cython.longlong[::1],
    heap: cython.int[::1],
    places: cython.int[::1],
    banned: cython.int[::1],
    count: cython.Py_ssize_t,
    draws: Draws,
    tell: Callable[[int], None] | None = None,
    every: cython.Py_ssize_t = 1,
) -> cython.bint:
    """Choose the patterns of all cells; return False if a cell has none left.

    Directions are north, south, east, west.

    Args:
        options: uint8 [cells, patterns], 1 for patterns that a cell can have; changed in place.
        support: int16 [cells, patterns, 4]: on each side, how many of the patterns that the
            neighbour can have allow this one.
        neighbours: int32 [4, cells]: the neighbour on that side, or -1.
        starts: int32 [4, patterns + 1]: the index in `allowed` where a pattern's list begins.
        allowed: int32: for each side and pattern the patterns that may lie there.
        weights: int32 [patterns]: how often each pattern is chosen, relative to others.
        keys: int64 [cells]: patterns left * 2**32 + a random number below 2**32.
        heap: int32 [cells]: the cells, as a binary heap by key.
        places: int32 [cells]: the index of each cell in the heap.
        banned: int32 [cells * patterns]: a stack of `cell * patterns + pattern` for patterns that
            are no longer possible, which neighbours do not take into account yet.
        count: The initial size of the stack `banned`.
        draws: The random numbers.
        tell: Called with how many cells were decided by choice, after their consequences were
            computed; None for no calls.
        every: The number of choices between two calls of `tell`.
    """
    cells: cython.Py_ssize_t = heap.shape[0]
    patterns: cython.Py_ssize_t = weights.shape[0]
    waiting: cython.Py_ssize_t = cells
    pattern: cython.Py_ssize_t
    decided: cython.Py_ssize_t = 0
    # Never reached without a callback: more than all cells.
    due: cython.Py_ssize_t = cells + 1 if tell is None else every
    while True:
        if not _settle(
            options, support, neighbours, starts, allowed, keys, heap, places, banned, count
        ):
            return False
        count = 0
        if decided >= due and tell is not None:
            due += every
            tell(decided)
        if waiting == 0:
            return True
        cell: cython.Py_ssize_t = heap[0]
        waiting -= 1
        _remove_first(keys, heap, places, waiting)
        if (keys[cell] >> 32) == 1:
            continue
        decided += 1
        total: cython.longlong = 0
        for pattern in range(patterns):
            if options[cell, pattern]:
                total += weights[pattern]
        total = draws.next(0, total)
        for pattern in range(patterns):
            if options[cell, pattern]:
                if 0 <= total < weights[pattern]:
                    total = -1  # this one stays
                    continue
                if total >= 0:
                    total -= weights[pattern]
                options[cell, pattern] = 0
                banned[count] = cython.cast(cython.int, cell * patterns + pattern)
                count += 1


def settle(
    options: cython.uchar[:, ::1],
    support: cython.short[:, :, ::1],
    neighbours: cython.int[:, ::1],
    starts: cython.int[:, ::1],
    allowed: cython.int[::1],
    keys: cython.longlong[::1],
    heap: cython.int[::1],
    places: cython.int[::1],
    banned: cython.int[::1],
    count: cython.Py_ssize_t,
) -> cython.bint:
    """Remove the patterns that become impossible; choose none.

    The arguments are as in `collapse`. `banned` holds the patterns removed so far; removals spread
    to neighbours until nothing changes.

    Returns:
        False if a cell has no pattern left: then no choices lead to a map.
    """
    settled: cython.bint = _settle(
        options, support, neighbours, starts, allowed, keys, heap, places, banned, count
    )
    return settled


@cython.cfunc
@cython.exceptval(check=False)
def _settle(
    options: cython.uchar[:, ::1],
    support: cython.short[:, :, ::1],
    neighbours: cython.int[:, ::1],
    starts: cython.int[:, ::1],
    allowed: cython.int[::1],
    keys: cython.longlong[::1],
    heap: cython.int[::1],
    places: cython.int[::1],
    banned: cython.int[::1],
    count: cython.Py_ssize_t,
) -> cython.bint:
    """Do what `settle` does, without the cost of a call from Python."""
    patterns: cython.Py_ssize_t = options.shape[1]
    one: cython.longlong = 1 << 32
    at: cython.Py_ssize_t
    side: cython.Py_ssize_t
    while count > 0:
        count -= 1
        cell: cython.Py_ssize_t = banned[count] // patterns
        pattern: cython.Py_ssize_t = banned[count] - cell * patterns
        keys[cell] -= one
        if keys[cell] < one:
            return False
        if places[cell] >= 0:
            _rise(keys, heap, places, places[cell])
        for side in range(4):
            if neighbours[side, cell] < 0:
                continue
            other: cython.Py_ssize_t = neighbours[side, cell]
            # Seen from there, this cell lies on the opposite side: 0 and 1, 2 and 3.
            facing: cython.Py_ssize_t = side ^ 1
            for at in range(starts[side, pattern], starts[side, pattern + 1]):
                lost: cython.Py_ssize_t = allowed[at]
                left: cython.short = support[other, lost, facing] - 1
                support[other, lost, facing] = left
                if left == 0 and options[other, lost]:
                    options[other, lost] = 0
                    banned[count] = cython.cast(cython.int, other * patterns + lost)
                    count += 1
    return True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _rise(
    keys: cython.longlong[::1],
    heap: cython.int[::1],
    places: cython.int[::1],
    at: cython.Py_ssize_t,
) -> cython.void:
    """Move the cell at `at`, whose key shrank, up to its place in the heap."""
    cell: cython.int = heap[at]
    while at > 0:
        above: cython.Py_ssize_t = (at - 1) // 2
        if keys[heap[above]] <= keys[cell]:
            break
        heap[at] = heap[above]
        places[heap[at]] = cython.cast(cython.int, at)
        at = above
    heap[at] = cell
    places[cell] = cython.cast(cython.int, at)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _remove_first(
    keys: cython.longlong[::1],
    heap: cython.int[::1],
    places: cython.int[::1],
    size: cython.Py_ssize_t,
) -> cython.void:
    """Remove the first cell of the heap, which then has `size` cells."""
    cell: cython.int = heap[size]
    at: cython.Py_ssize_t = 0
    below: cython.Py_ssize_t = 1
    places[heap[0]] = -1
    if size == 0:
        return
    while below < size:
        if below + 1 < size and keys[heap[below + 1]] < keys[heap[below]]:
            below += 1
        if keys[cell] <= keys[heap[below]]:
            break
        heap[at] = heap[below]
        places[heap[at]] = cython.cast(cython.int, at)
        at = below
        below = 2 * at + 1
    heap[at] = cell
    places[cell] = cython.cast(cython.int, at)
