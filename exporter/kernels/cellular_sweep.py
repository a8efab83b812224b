# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Smooth caves with a cellular automaton, one cell after another.

A cell becomes wall if at least five cells of its 3 x 3 block are walls (the 4-5 rule). As in the
reference program, later cells see the new values of earlier ones. Uncompiled it takes about 2
microseconds for a cell in each round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED = cython.compiled


def sweep(
    padded: cython.uchar[:, ::1], rounds: cython.int, given: cython.uchar[:, ::1] = None
) -> None:
    """Smooth a map in place, row after row and cell after cell.

    A cell becomes wall if at least five cells of its 3 x 3 block are walls.

    Args:
        padded: uint8 [height + 2, width + 2], 1 for wall, with a frame of ones: cells outside the
            map count as wall.
        rounds: How often the whole map is swept.
        given: uint8 [height + 2, width + 2], 1 for cells that stay as they are; None for none.
    """
    height: cython.Py_ssize_t = padded.shape[0] - 2
    width: cython.Py_ssize_t = padded.shape[1] - 2
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    some_given: cython.bint = given is not None
    for _round in range(rounds):
        for y in range(1, height + 1):
            for x in range(1, width + 1):
                if some_given and given[y, x] != 0:
                    continue
                count: cython.int = (
                    padded[y - 1, x - 1]
                    + padded[y - 1, x]
                    + padded[y - 1, x + 1]
                    + padded[y, x - 1]
                    + padded[y, x]
                    + padded[y, x + 1]
                    + padded[y + 1, x - 1]
                    + padded[y + 1, x]
                    + padded[y + 1, x + 1]
                )
                padded[y, x] = 1 if count >= 5 else 0
