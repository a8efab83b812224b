# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Assign cells to the rooms that contain them, or are nearest to them.

These are the loops behind `exporter.grids.room_graph`. Both are breadth-first searches over a
framed grid, so that no step leaves it.
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


def claim_rooms(
    labels: cython.int[::1],
    rooms: cython.int[:, ::1],
    free_in_row: cython.int[::1],
    queue: cython.int[::1],
    stride: cython.Py_ssize_t,
) -> None:
    """Give each room the free cells of its rectangle that can be reached.

    Each is reached from the rectangle's free cell that is nearest to the middle. A cell belongs to
    the first room that reaches it.

    Args:
        labels: int32, the rows of a framed grid: 0 for free cells, -1 for unwalkable ones, changed
            to the numbers of the rooms.
        rooms: int32 [count, 7]: number, left, top, right, bottom, and the column and row of the
            middle, in framed cells; right and bottom are the last cells of the rectangle. The
            rectangles are not empty and lie inside the frame.
        free_in_row: int32: how many cells of each framed row are free; updated. Many large rooms
            without a free cell then cost little.
        queue: int32 with room for every cell: working space.
        stride: The number of cells in a framed row.
    """
    step: cython.Py_ssize_t
    column: cython.Py_ssize_t
    row: cython.Py_ssize_t
    read: cython.Py_ssize_t
    waiting: cython.Py_ssize_t
    far: cython.Py_ssize_t
    room: cython.Py_ssize_t
    left: cython.Py_ssize_t
    top: cython.Py_ssize_t
    right: cython.Py_ssize_t
    bottom: cython.Py_ssize_t
    for room in range(rooms.shape[0]):
        number: cython.int = rooms[room, 0]
        left, top = rooms[room, 1], rooms[room, 2]
        right, bottom = rooms[room, 3], rooms[room, 4]
        start: cython.Py_ssize_t = -1
        column, row = rooms[room, 5], rooms[room, 6]
        if left <= column <= right and top <= row <= bottom and labels[row * stride + column] == 0:
            start = row * stride + column
        else:
            nearest: cython.Py_ssize_t = 0
            for row in range(top, bottom + 1):
                if free_in_row[row] == 0:
                    continue
                for column in range(left, right + 1):
                    if labels[row * stride + column] == 0:
                        far = abs(column - rooms[room, 5]) + abs(row - rooms[room, 6])
                        if start < 0 or far < nearest:
                            start = row * stride + column
                            nearest = far
        if start < 0:
            continue
        labels[start] = number
        free_in_row[start // stride] -= 1
        queue[0] = start
        read, waiting = 0, 1
        while read < waiting:
            position: cython.Py_ssize_t = queue[read]
            read += 1
            for step in range(4):
                other: cython.Py_ssize_t = neighbour(position, step, stride)
                if labels[other] == 0:
                    row = other // stride
                    column = other - row * stride
                    if left <= column <= right and top <= row <= bottom:
                        labels[other] = number
                        free_in_row[row] -= 1
                        queue[waiting] = other
                        waiting += 1


def spread_rooms(
    owners: cython.int[::1],
    distances: cython.int[::1],
    queue: cython.int[::1],
    waiting: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
) -> int:
    """Give every free cell the room that is nearest by walking.

    Of equally near rooms, it is the one with the lowest number.

    Args:
        owners: int32, the rows of a framed grid: the number of the room, 0 for free cells, -1 for
            unwalkable cells; changed.
        distances: int32 like `owners`, all 0; receives the steps to the room.
        queue: int32 with room for every cell; the first `waiting` hold the cells of rooms.
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
        owner: cython.int = owners[position]
        distance: cython.int = distances[position] + 1
        for step in range(4):
            other: cython.Py_ssize_t = neighbour(position, step, stride)
            if owners[other] == 0:
                owners[other] = owner
                distances[other] = distance
                queue[waiting] = other
                waiting += 1
            elif distances[other] == distance and owner < owners[other]:
                # Every cell that is one step nearer is read before `other` is.
                owners[other] = owner
    return waiting
