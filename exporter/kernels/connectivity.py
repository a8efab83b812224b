# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Find the cheapest joins between regions, and articulation cells.

An articulation cell is one whose removal splits its region. These are the loops behind
`exporter.grids.connectivity` and `exporter.grids.certificates`. All grids here are framed: one row
after the other, with a frame of cells that can never be entered, so that no step needs a test for
the edge. Uncompiled they take about a microsecond a cell: fine for the sizes levels have, a second
or two for 1024 x 1024 cells.
"""

from __future__ import annotations

from collections.abc import Callable
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


def spread(
    owners: cython.int[::1],
    distances: cython.int[::1],
    parents: cython.int[::1],
    queue: cython.int[::1],
    waiting: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
) -> None:
    """Let all regions grow into the solid cells around them until they meet.

    Args:
        owners: int32: the region of a cell; 0 for solid cells that may be carved, -1 for other
            solid cells. Receives the nearest region of every cell that can be reached.
        distances: int32, 0 for all: receives how many solid cells must be opened to join a cell
            with its owner, the cell included.
        parents: int32: receives the neighbour that is one cell nearer to the owner.
        queue: int32 with room for every cell; the first `waiting` hold the cells of the regions
            that can grow.
        waiting: The number of cells in `queue` at first.
        stride: The number of cells in a framed row.
    """
    step: cython.Py_ssize_t
    read: cython.Py_ssize_t = 0
    while read < waiting:
        position: cython.Py_ssize_t = queue[read]
        read += 1
        for step in range(4):
            other: cython.Py_ssize_t = neighbour(position, step, stride)
            if owners[other] == 0:
                owners[other] = owners[position]
                distances[other] = distances[position] + 1
                parents[other] = position
                queue[waiting] = other
                waiting += 1


def join_meetings(
    meetings: cython.longlong[::1],
    others: cython.longlong[::1],
    owners: cython.int[::1],
    distances: cython.int[::1],
    parents: cython.int[::1],
    groups: cython.int[::1],
    cells: cython.uchar[::1],
    tell: Callable[[int], None] | None = None,
) -> int:
    """Join regions as cheaply as possible; return how many cells were opened.

    Args:
        meetings: Cells at which the territories of two regions (the cells nearest to each) meet,
            the cheapest join first.
        others: For each of `meetings` the neighbour in the other territory.
        owners: int32: the nearest region of each cell, as `spread` left them.
        distances: int32: how many solid cells lie between a cell and its region, as `spread` left
            them.
        parents: int32: the next cell towards the region, as `spread` left them.
        groups: int32, one for each region and one for 0: the union-find forest of joined regions,
            in which every region is its own parent at first.
        cells: uint8: 1 for open cells; receives the opened ones.
        tell: Called after each join with the number of joins; None for no calls.
    """
    index: cython.Py_ssize_t
    side: cython.Py_ssize_t
    carved: cython.longlong = 0
    joins: cython.longlong = 0
    for index in range(meetings.shape[0]):
        first: cython.int = owners[meetings[index]]
        while groups[first] != first:
            groups[first] = groups[groups[first]]
            first = groups[first]
        second: cython.int = owners[others[index]]
        while groups[second] != second:
            groups[second] = groups[groups[second]]
            second = groups[second]
        if first == second:
            continue
        if first < second:
            groups[second] = first
        else:
            groups[first] = second
        for side in range(2):
            position: cython.Py_ssize_t = meetings[index] if side == 0 else others[index]
            while distances[position] > 0:
                if cells[position] == 0:
                    cells[position] = 1
                    carved += 1
                position = parents[position]
        joins += 1
        if tell is not None:
            tell(joins)
    return carved


def mark_chokes(
    orders: cython.int[::1],
    lows: cython.int[::1],
    parents: cython.int[::1],
    steps: cython.uchar[::1],
    chokes: cython.uchar[::1],
    stride: cython.Py_ssize_t,
) -> None:
    """Mark the articulation cells, whose removal would split their region.

    Tarjan's depth-first search (Hopcroft, Tarjan, "Algorithm 447", 1973) without recursion: the
    path back is kept in `parents`.

    Args:
        orders: int32: 0 for walkable cells, -1 for all others; receives the order of discovery.
        lows: int32, working space.
        parents: int32, working space.
        steps: uint8, 0 for all: working space, the number of a cell's neighbours that were visited.
        chokes: uint8, 0 for all: receives 1 for articulation cells.
        stride: The number of cells in a framed row.
    """
    root: cython.Py_ssize_t
    order: cython.int = 0
    for root in range(orders.shape[0]):
        if orders[root] != 0:
            continue
        order += 1
        orders[root] = order
        lows[root] = order
        parents[root] = root
        branches: cython.int = 0
        position: cython.Py_ssize_t = root
        while True:
            step: cython.int = steps[position]
            if step < 4:
                steps[position] = step + 1
                other: cython.Py_ssize_t = neighbour(position, step, stride)
                if orders[other] == 0:
                    order += 1
                    orders[other] = order
                    lows[other] = order
                    parents[other] = position
                    position = other
                elif 0 < orders[other] < lows[position] and other != parents[position]:
                    lows[position] = orders[other]
                continue
            if position == root:
                break
            parent: cython.Py_ssize_t = parents[position]
            if parent == root:
                branches += 1
            elif lows[position] >= orders[parent]:
                chokes[parent] = 1
            if lows[position] < lows[parent]:
                lows[parent] = lows[position]
            position = parent
        if branches > 1:
            chokes[root] = 1
