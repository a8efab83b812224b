# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Trace the rings of edges around the cells of a mask.

This is the loop behind `exporter.geometry.outlines`. Only corners are visited; uncompiled each
takes about half a microsecond.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED: bool = cython.compiled


def trace_rings(
    following: cython.int[::1],
    twins: cython.schar[::1],
    places: cython.int[::1],
    path: cython.int[::1],
    order: cython.int[::1],
    starts: cython.int[::1],
) -> int:
    """Follow the corners of the outlines around; return the number of rings.

    Where a ring passes the same point twice, at two twin corners, the part between becomes a
    separate ring. So no ring has a point twice.

    Args:
        following: int32: the next corner of every corner.
        twins: int8: where the other corner at the same point is: 1 for the next index, -1 for the
            one before, 0 if the corner is the only one.
        places: int32, -1 for each corner: working space.
        path: int32, one for each corner: working space.
        order: int32, one for each corner, receives the corners ring after ring.
        starts: int32 with room for a quarter of the corners and one more, receives the index in
            `order` where each ring begins, and the end.
    """
    rings: cython.Py_ssize_t = 0
    written: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t
    place: cython.Py_ssize_t
    for first in range(following.shape[0]):
        # -1: not visited; -2: in a finished ring; else the place in the path.
        if places[first] != -1:
            continue
        length: cython.Py_ssize_t = 0
        corner: cython.Py_ssize_t = first
        while True:
            twin: cython.Py_ssize_t = corner + twins[corner]
            if twin != corner and places[twin] >= 0:
                # The part behind the twin, with the twin, is a ring; this corner replaces it.
                starts[rings] = written
                rings += 1
                for place in range(places[twin], length):
                    order[written] = path[place]
                    written += 1
                length = places[twin]
                for place in range(starts[rings - 1], written):
                    places[order[place]] = -2
            path[length] = corner
            places[corner] = length
            length += 1
            corner = following[corner]
            if corner == first:
                break
        starts[rings] = written
        rings += 1
        for place in range(length):
            order[written] = path[place]
            written += 1
            places[path[place]] = -2
    starts[rings] = written
    return rings
