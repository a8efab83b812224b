# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Drop edges that convex faces do not need, and trace the faces.

These are the loops behind `exporter.geometry._subdivision`. Every edge is two half-edges, one in
each direction. The half-edges that leave a node are linked in a circle by their angle. Without
compilation, the loops take about a quarter of a microsecond for each half-edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED: bool = cython.compiled


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _inessential(
    half: cython.Py_ssize_t,
    steps_x: cython.longlong[::1],
    steps_y: cython.longlong[::1],
    before: cython.int[::1],
    after: cython.int[::1],
) -> cython.bint:
    """Return whether the face at the start of `half` stays convex without it."""
    first: cython.Py_ssize_t = before[half]
    second: cython.Py_ssize_t = after[half]
    turn: cython.longlong = steps_x[first] * steps_y[second] - steps_y[first] * steps_x[second]
    if turn != 0:
        return turn > 0
    return steps_x[first] * steps_x[second] + steps_y[first] * steps_y[second] < 0


def drop_edges(
    halves: cython.int[::1],
    twins: cython.int[::1],
    steps_x: cython.longlong[::1],
    steps_y: cython.longlong[::1],
    before: cython.int[::1],
    after: cython.int[::1],
    kept: cython.uchar[::1],
) -> int:
    """Drop the edges that convex faces do not need; return how many.

    The method is that of Hertel, Mehlhorn, "Fast triangulation of simple polygons", 1983.

    Args:
        halves: int32: one half-edge of every edge that may be dropped, in the order to try.
        twins: int32: the other half of every half-edge's edge.
        steps_x: int64: how far a half-edge goes to the right.
        steps_y: int64: how far a half-edge goes down.
        before: int32: the half-edge of the same node with the next smaller angle; updated.
        after: int32: the half-edge of the same node with the next greater angle; updated.
        kept: uint8, receives 0 for the half-edges that are dropped.
    """
    dropped: cython.Py_ssize_t = 0
    index: cython.Py_ssize_t
    for index in range(halves.shape[0]):
        half: cython.Py_ssize_t = halves[index]
        twin: cython.Py_ssize_t = twins[half]
        if _inessential(half, steps_x, steps_y, before, after) and _inessential(
            twin, steps_x, steps_y, before, after
        ):
            before[after[half]] = before[half]
            after[before[half]] = after[half]
            before[after[twin]] = before[twin]
            after[before[twin]] = after[twin]
            kept[half] = 0
            kept[twin] = 0
            dropped += 1
    return dropped


def trace_faces(
    twins: cython.int[::1],
    before: cython.int[::1],
    inside: cython.uchar[::1],
    order: cython.int[::1],
    starts: cython.int[::1],
) -> int:
    """Follow the half-edges around every face; return the number of faces.

    Args:
        twins: int32: the other half of every half-edge's edge.
        before: int32: the half-edge of the same node with the next smaller angle, as `drop_edges`
            left it.
        inside: uint8: 1 for the half-edges with a face of the area on their right; all are 0
            afterwards.
        order: int32, one for each half-edge, receives the half-edges face after face.
        starts: int32, one for each half-edge and one more, receives the index in `order` where each
            face begins, and the end.
    """
    faces: cython.Py_ssize_t = 0
    written: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t
    for first in range(inside.shape[0]):
        if inside[first] == 0:
            continue
        starts[faces] = written
        faces += 1
        half: cython.Py_ssize_t = first
        while inside[half] != 0:
            inside[half] = 0
            order[written] = half
            written += 1
            half = before[twins[half]]
    starts[faces] = written
    return faces
