# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Choose many things of which no two are in conflict.

In terms of graphs, these are independent sets. `exporter.geometry._cuts` uses this to choose cuts
that do not cross. Uncompiled a hundred thousand conflicts take about 20 milliseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED: bool = cython.compiled


@cython.cfunc
@cython.exceptval(check=False)
def _change(
    thing: cython.Py_ssize_t,
    amount: cython.int,
    starts: cython.longlong[::1],
    others: cython.int[::1],
    chosen: cython.uchar[::1],
    tightness: cython.int[::1],
) -> cython.void:
    """Choose `thing` (`amount` 1) or give it up (`amount` -1).

    `tightness` counts with how many chosen things each thing is in conflict; it is updated.
    """
    place: cython.Py_ssize_t
    chosen[thing] = amount > 0
    for place in range(starts[thing], starts[thing + 1]):
        tightness[others[place]] += amount


@cython.cfunc
@cython.exceptval(check=False)
def _partner(
    index: cython.Py_ssize_t,
    free: cython.Py_ssize_t,
    starts: cython.longlong[::1],
    others: cython.int[::1],
    waiting: cython.int[::1],
) -> cython.Py_ssize_t:
    """Return a thing that could be chosen together with `waiting[index]`.

    It is the next of the first `free` things of `waiting` without a conflict; -1 without one.
    """
    conflict: cython.Py_ssize_t = starts[waiting[index]]
    end: cython.Py_ssize_t = starts[waiting[index] + 1]
    place: cython.Py_ssize_t
    # Both lists ascend.
    for place in range(index + 1, free):
        while conflict < end and others[conflict] < waiting[place]:
            conflict += 1
        if conflict == end or others[conflict] > waiting[place]:
            return waiting[place]
    return -1


def choose_independent(
    starts: cython.longlong[::1],
    others: cython.int[::1],
    chosen: cython.uchar[::1],
    tightness: cython.int[::1],
    waiting: cython.int[::1],
) -> None:
    """Choose many things of which no two are in conflict.

    First everything without conflict is chosen, in order. Then, as long as that helps, one chosen
    thing is given up for two others (Andrade, Resende, Werneck, "Fast local search for the maximum
    independent set problem", 2012).

    Args:
        starts: int64: the index in `others` where the conflicts of each thing begin, and the end of
            all.
        others: int32: the numbers of the things that each thing is in conflict with, ascending.
        chosen: uint8, all 0: receives 1 for the chosen things.
        tightness: int32, all 0: receives how many chosen things each thing is in conflict with.
        waiting: int32, one for each thing: working space.
    """
    thing: cython.Py_ssize_t
    place: cython.Py_ssize_t
    index: cython.Py_ssize_t
    improved: cython.bint = True
    for thing in range(chosen.shape[0]):
        if tightness[thing] == 0:
            _change(thing, 1, starts, others, chosen, tightness)
    while improved:
        improved = False
        for thing in range(chosen.shape[0]):
            if chosen[thing] == 0:
                continue
            # Candidates that only this one excludes.
            free: cython.Py_ssize_t = 0
            for place in range(starts[thing], starts[thing + 1]):
                if tightness[others[place]] == 1:
                    waiting[free] = others[place]
                    free += 1
            second: cython.Py_ssize_t = -1
            for index in range(free - 1):
                second = _partner(index, free, starts, others, waiting)
                if second >= 0:
                    improved = True
                    _change(thing, -1, starts, others, chosen, tightness)
                    _change(waiting[index], 1, starts, others, chosen, tightness)
                    _change(second, 1, starts, others, chosen, tightness)
                    break
            if second < 0:
                continue
            # Other cells that became free.
            for place in range(starts[thing], starts[thing + 1]):
                if chosen[others[place]] == 0 and tightness[others[place]] == 0:
                    _change(others[place], 1, starts, others, chosen, tightness)
