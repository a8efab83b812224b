# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Find where the water of a relief flows and gathers.

`flood` fills hollows up to where they run over: the priority flood of Barnes, Lehman and Mulla,
"Priority-flood: An optimal depression-filling and watershed-labeling algorithm for digital
elevation models" (2014). Heights have 16 bits, so the priority queue is a list for each height, and
equal heights leave it in the order in which they came. `descend` then sends each cell to one of its
eight neighbours (D8: O'Callaghan and Mark, 1984) and counts the water through it.

All grids are framed by cells that nothing enters. Uncompiled, both together take about 4
microseconds a cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED: bool = cython.compiled


def flood(
    ground: cython.int[::1],
    closed: cython.uchar[::1],
    levels: cython.int[::1],
    came_from: cython.int[::1],
    order: cython.int[::1],
    heads: cython.int[::1],
    tails: cython.int[::1],
    following: cython.int[::1],
    around: cython.int[::1],
) -> int:
    """Fill the hollows of a relief with water, from its outlets inwards.

    Args:
        ground: int32, the rows of a framed grid, heights of 0 to 65535.
        closed: uint8: 0 for cells to flood, 1 for the frame, 2 for outlets, where water leaves; all
            are 1 afterwards.
        levels: int32, receives the heights of the water's surface, or of dry ground.
        came_from: int32, receives the cell from which the flood reached each cell; -1 for outlets.
        order: int32, receives the positions of all cells in the order in which they were left: by
            levels, and equal levels in the order in which they were reached.
        heads: int32 [65536], all -1: working space.
        tails: int32 [65536]: working space.
        following: int32 with room for every cell: working space.
        around: int32 [8], steps from a cell to its neighbours: up, down, right, left, then up left,
            up right, down left and down right.

    Returns:
        How many cells are in `order`.
    """
    size: cython.Py_ssize_t = ground.shape[0]
    position: cython.Py_ssize_t
    step: cython.int
    level: cython.int = 0
    left: cython.Py_ssize_t = 0
    for position in range(size):
        if closed[position] == 2:
            closed[position] = 1
            came_from[position] = -1
            _enter(heads, tails, following, ground[position], position)
            levels[position] = ground[position]
    while level < 65536:
        position = heads[level]
        if position < 0:
            level += 1
            continue
        heads[level] = following[position]
        order[left] = position
        left += 1
        for step in range(8):
            other: cython.Py_ssize_t = position + around[step]
            if closed[other]:
                continue
            closed[other] = 1
            height: cython.int = ground[other]
            if height < level:
                height = level
            levels[other] = height
            came_from[other] = position
            _enter(heads, tails, following, height, other)
    return left


def descend(
    levels: cython.int[::1],
    outside: cython.uchar[::1],
    order: cython.int[::1],
    count: cython.Py_ssize_t,
    down: cython.int[::1],
    gathered: cython.int[::1],
    around: cython.int[::1],
) -> None:
    """Send each cell's water to a neighbour; count what drains through each.

    The water goes to the neighbour with the steepest descent, diagonal ones being sqrt(2) away; of
    equally steep ones to the first. Where no neighbour is lower, it goes back to where the flood
    came from, which leads to where the flat or the hollow runs over.

    Args:
        levels: int32, the rows of a framed grid: the height of the water or dry ground, from
            `flood`.
        outside: uint8: 1 for the frame, 2 for cells in which water ends, else 0.
        order: int32, the positions of all cells, lowest level first, from `flood`.
        count: The number of cells in `order`.
        down: int32: the cell from which the flood reached each cell, which is replaced by the cell
            into which it drains; -1 where water ends or leaves the map.
        gathered: int32, all 1: receives how many cells drain through each, itself included.
        around: int32 [8], steps from a cell to its neighbours, diagonal ones last.
    """
    size: cython.Py_ssize_t = levels.shape[0]
    position: cython.Py_ssize_t
    other: cython.Py_ssize_t
    place: cython.Py_ssize_t
    step: cython.int
    for position in range(size):
        if outside[position]:
            if outside[position] == 2:
                down[position] = -1
            continue
        steepest: cython.longlong = 0
        level: cython.int = levels[position]
        for step in range(8):
            other = position + around[step]
            if levels[other] >= level or outside[other] == 1:
                continue
            drop: cython.longlong = level - levels[other]
            # Steepness squared, twice: without roots.
            drop = 2 * drop * drop if step < 4 else drop * drop
            if drop > steepest:
                steepest = drop
                down[position] = other
    for place in range(count - 1, -1, -1):
        position = order[place]
        other = down[position]
        if other >= 0:
            # Lower cells, and cells flooded earlier, come later in this loop.
            gathered[other] += gathered[position]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _enter(
    heads: cython.int[::1],
    tails: cython.int[::1],
    following: cython.int[::1],
    level: cython.Py_ssize_t,
    position: cython.Py_ssize_t,
) -> cython.void:
    """Append `position` to the queue of cells whose water is at `level`."""
    following[position] = -1
    if heads[level] < 0:
        heads[level] = position
    else:
        following[tails[level]] = position
    tails[level] = position
