# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Large independent sets of a graph, behind `exporter.geometry.pieces`.

Uncompiled a hundred thousand conflicts take about 20 milliseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED: bool = cython.compiled


def choose_independent(
    starts: cython.longlong[::1],
    others: cython.int[::1],
    chosen: cython.uchar[::1],
    tightness: cython.int[::1],
    waiting: cython.int[::1],
) -> None:
    """Choose as many things as possible of which no two are in conflict.

    First everything that is free, in order; then, as long as that helps, one is given up for two
    (Andrade, Resende, Werneck, "Fast local search for the maximum independent set problem", 2012).

    Args:
        starts: int64: where the conflicts of every thing begin in `others`, and the end.
        others: int32: its conflicts, ascending.
        chosen: uint8, 0 for each, receives 1 for the chosen ones.
        tightness: int32, 0 for each: receives how many chosen ones it is in conflict with.
        waiting: int32, one for each: scratch.
    """
    count: cython.Py_ssize_t = chosen.shape[0]
    thing: cython.Py_ssize_t
    place: cython.Py_ssize_t
    index: cython.Py_ssize_t
    second_position: cython.Py_ssize_t
    first: cython.Py_ssize_t = -1
    second: cython.Py_ssize_t = -1
    free: cython.Py_ssize_t
    improved: cython.bint = True
    for thing in range(count):
        if tightness[thing] == 0:
            chosen[thing] = 1
            for place in range(starts[thing], starts[thing + 1]):
                tightness[others[place]] += 1
    while improved:
        improved = False
        for thing in range(count):
            if chosen[thing] == 0:
                continue
            # Candidates that only this one excludes.
            free = 0
            for place in range(starts[thing], starts[thing + 1]):
                if tightness[others[place]] == 1:
                    waiting[free] = others[place]
                    free += 1
            if free < 2:
                continue
            second = -1
            for index in range(free):
                first = waiting[index]
                # The next of them that is not in conflict with it: both lists ascend.
                second_position = starts[first]
                for place in range(index + 1, free):
                    while (
                        second_position < starts[first + 1]
                        and others[second_position] < waiting[place]
                    ):
                        second_position += 1
                    if (
                        second_position == starts[first + 1]
                        or others[second_position] > waiting[place]
                    ):
                        second = waiting[place]
                        break
                if second >= 0:
                    break
            if second < 0:
                continue
            improved = True
            chosen[thing] = 0
            for place in range(starts[thing], starts[thing + 1]):
                tightness[others[place]] -= 1
            chosen[first] = 1
            for place in range(starts[first], starts[first + 1]):
                tightness[others[place]] += 1
            chosen[second] = 1
            for place in range(starts[second], starts[second + 1]):
                tightness[others[place]] += 1
            # Other cells that became free.
            for place in range(starts[thing], starts[thing + 1]):
                first = others[place]
                if chosen[first] == 0 and tightness[first] == 0:
                    chosen[first] = 1
                    for index in range(starts[first], starts[first + 1]):
                        tightness[others[index]] += 1
