# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Lower the gains of cells that see given cells, by a visibility table.

The gain of a cell is how many unseen cells it sees, so what it would add as a watch post. Without a
compiled kernel, the measure `watch_posts` uses numpy instead; interpreted, this file gives the same
numbers, slowly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED = cython.compiled


def retract(
    table: cython.ulonglong[::1],
    offsets: cython.int[:, ::1],
    blocks: cython.Py_ssize_t,
    mutual: cython.bint,
    across: cython.longlong[::1],
    down: cython.longlong[::1],
    gains: cython.int[:, ::1],
) -> None:
    """Lower each cell's gain by one for each given open cell that it sees.

    Args:
        table: uint64, the blocks of a visibility table as one dimension.
        offsets: int32 [planes, 2], the (dx, dy) from viewer to seen cell of each plane.
        blocks: The table's number of blocks of rows.
        mutual: Whether each plane also serves the opposite offset.
        across: int64, the x of each given cell.
        down: int64, the y of each given cell.
        gains: int32 [height, width], changed: the number of unseen cells that each cell sees.
            Ignore those of opaque cells afterwards.
    """
    height: cython.Py_ssize_t = gains.shape[0]
    width: cython.Py_ssize_t = gains.shape[1]
    planes: cython.Py_ssize_t = offsets.shape[0]
    item: cython.Py_ssize_t
    plane: cython.Py_ssize_t
    word: cython.ulonglong
    for item in range(across.shape[0]):
        x: cython.Py_ssize_t = across[item]
        y: cython.Py_ssize_t = down[item]
        gains[y, x] -= 1
        for plane in range(planes):
            at_x: cython.Py_ssize_t = x - offsets[plane, 0]
            at_y: cython.Py_ssize_t = y - offsets[plane, 1]
            if 0 <= at_x < width and 0 <= at_y < height:
                word = table[
                    (((at_x >> 6) * blocks + (at_y >> 3)) * planes + plane) * 8 + (at_y & 7)
                ]
                gains[at_y, at_x] -= cython.cast(cython.int, (word >> (at_x & 63)) & 1)
            if mutual:
                at_x = x + offsets[plane, 0]
                at_y = y + offsets[plane, 1]
                if 0 <= at_x < width and 0 <= at_y < height:
                    word = table[(((x >> 6) * blocks + (y >> 3)) * planes + plane) * 8 + (y & 7)]
                    gains[at_y, at_x] -= cython.cast(cython.int, (word >> (x & 63)) & 1)
