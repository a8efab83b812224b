# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Find the cheapest paths on a framed grid of costs.

These are the loops behind `exporter.grids.ways`. The search is Dijkstra's with the buckets of Dial,
"Algorithm 360: shortest-path forest with topological ordering" (1969): all costs are small whole
numbers, so cells that cost the same lie in one list, and no heap is needed. A cell is in at most
one list, which is linked both ways, so that it moves when a cheaper path to it is found. Afterwards
turns are counted, on the cheapest paths from one cell alone: depth first, so that a cell is counted
after all cells that follow it.

Uncompiled it takes about ten microseconds a cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED: bool = cython.compiled

# More turns than any path has.
NEVER: cython.int = 1 << 30


def search(
    costs: cython.int[::1],
    remaining: cython.longlong[::1],
    buckets: cython.int[::1],
    following: cython.int[::1],
    previous: cython.int[::1],
    goal: cython.Py_ssize_t,
    wanted: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
) -> int:
    """Compute the cost of the cheapest path from each cell to `goal`.

    Args:
        costs: int32, the rows of a grid with a frame of zeros: the cost of entering each cell. It
            is 0 for cells that no path enters, and negative where a path may only begin or end; the
            cost is then the number without its sign.
        remaining: int64, all -1: receives the cost of the path from each cell to the goal, without
            that of the cell itself.
        buckets: int32, all -1, with more items than the highest cost: the first cell of each list
            of cells that cost the same.
        following: int32 with room for every cell: the next cell of the list.
        previous: int32 with room for every cell: the previous cell of the list, or -1.
        goal: The cell where paths end.
        wanted: The search ends when this cell's cost is final; -1 to finish all cells.
        stride: The number of cells in a framed row.

    Returns:
        The number of finished cells, whose cost is final.
    """
    step: cython.Py_ssize_t
    span: cython.Py_ssize_t = buckets.shape[0]
    current: cython.longlong = 0
    waiting: cython.Py_ssize_t = 1
    finished: cython.Py_ssize_t = 0
    remaining[goal] = 0
    buckets[0] = goal
    following[goal] = -1
    previous[goal] = -1
    while waiting > 0:
        bucket: cython.Py_ssize_t = current % span
        while buckets[bucket] < 0:
            current += 1
            bucket += 1
            if bucket == span:
                bucket = 0
        position: cython.Py_ssize_t = buckets[bucket]
        buckets[bucket] = following[position]
        if following[position] >= 0:
            previous[following[position]] = -1
        waiting -= 1
        finished += 1
        if position == wanted:
            break
        cost: cython.int = costs[position]
        # A cell that is entered but not left can only begin a path.
        if cost < 0 and position != goal:
            continue
        total: cython.longlong = current + (cost if cost > 0 else -cost)
        for step in range(4):
            other: cython.Py_ssize_t = _beside(position, step, stride)
            if costs[other] == 0:
                continue
            if remaining[other] >= 0:
                if remaining[other] <= total:
                    continue
                # Take it out of its list.
                if previous[other] >= 0:
                    following[previous[other]] = following[other]
                else:
                    buckets[remaining[other] % span] = following[other]
                if following[other] >= 0:
                    previous[following[other]] = previous[other]
                waiting -= 1
            remaining[other] = total
            bucket = total % span
            following[other] = buckets[bucket]
            previous[other] = -1
            if buckets[bucket] >= 0:
                previous[buckets[bucket]] = other
            buckets[bucket] = other
            waiting += 1
    return finished


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _beside(
    position: cython.Py_ssize_t, step: cython.Py_ssize_t, stride: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return the cell one `step` away: 0 north, 1 east, 2 south, 3 west."""
    if step == 0:
        return position - stride
    if step == 1:
        return position + 1
    if step == 2:
        return position + stride
    return position - 1


def count_turns(
    costs: cython.int[::1],
    remaining: cython.longlong[::1],
    turns: cython.int[::1],
    marks: cython.int[::1],
    stack: cython.int[::1],
    start: cython.Py_ssize_t,
    goal: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
) -> None:
    """Count the turns of the cheapest paths from the cell `start` to `goal`.

    Args:
        costs: int32, the cost of entering each cell, as for `search`.
        remaining: int64, the cost from each cell to the goal, as `search` has left it; `start` must
            be finished.
        turns: int32 [4 * cells], anything: for each cell on a cheapest path and each direction of
            the next step, receives the fewest turns of a cheapest path that begins so, or `NEVER`.
        marks: int32, all -1: the current step of a cell, or 4 and the fewest turns.
        stack: int32 with room for every cell: working space.
        start: The cell where paths begin.
        goal: The cell where paths end.
        stride: The number of cells in a framed row.
    """
    depth: cython.Py_ssize_t = 0
    further: cython.Py_ssize_t
    fewest: cython.int
    marks[goal] = 4
    if start == goal:
        return
    stack[0] = start
    marks[start] = 0
    while depth >= 0:
        position: cython.Py_ssize_t = stack[depth]
        step: cython.int = marks[position]
        if step == 4:
            fewest = NEVER
            for further in range(4):
                if turns[4 * position + further] < fewest:
                    fewest = turns[4 * position + further]
            marks[position] = 4 + fewest
            depth -= 1
            continue
        other: cython.Py_ssize_t = _beside(position, step, stride)
        cost: cython.int = costs[other]
        # A cell that is entered but not left only ends the path to itself.
        if cost < 0 and other == goal:
            cost = -cost
        if cost <= 0 or remaining[other] < 0 or remaining[other] + cost != remaining[position]:
            turns[4 * position + step] = NEVER
            marks[position] = step + 1
            continue
        if marks[other] < 0:
            depth += 1
            stack[depth] = other
            marks[other] = 0
            continue
        if other == goal:
            fewest = 0
        else:
            # Straight on, or with a turn as `other` goes on best.
            fewest = turns[4 * other + step]
            if marks[other] - 3 < fewest:
                fewest = marks[other] - 3
        turns[4 * position + step] = fewest
        marks[position] = step + 1


def follow(
    turns: cython.int[::1],
    way: cython.int[::1],
    start: cython.Py_ssize_t,
    goal: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
) -> int:
    """Write the cheapest path with the fewest turns to `way`.

    `count_turns` must run before. Of several such paths it is the one that, where they part, takes
    the first direction of: north, east, south, west.

    Args:
        turns: int32, the fewest turns from each cell and direction, as `count_turns` has left it.
        way: int32 with room for the path: receives its positions, from `start` to `goal`.
        start: The cell where the path begins.
        goal: The cell where the path ends.
        stride: The number of cells in a framed row.

    Returns:
        The number of positions of the path.
    """
    step: cython.Py_ssize_t
    last: cython.Py_ssize_t = -1
    position: cython.Py_ssize_t = start
    count: cython.Py_ssize_t = 1
    way[0] = start
    while position != goal:
        best: cython.Py_ssize_t = 0
        fewest: cython.int = NEVER + 2
        for step in range(4):
            some: cython.int = turns[4 * position + step]
            if last >= 0 and step != last:
                some += 1
            if some < fewest:
                fewest = some
                best = step
        last = best
        position = _beside(position, best, stride)
        way[count] = position
        count += 1
    return count
