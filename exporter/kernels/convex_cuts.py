# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Cut the walkable area into convex pieces.

All grids here are framed: `stride` positions in a row, a row and a column of frame on each side.
A lattice point has the position of the cell to its lower right, so the four cells around point
`p` are `p - stride - 1`, `p - stride`, `p - 1` and `p`. The coordinates of columns and rows of
points need not be evenly spaced. All tests are exact: whole numbers below 2^63.

Uncompiled they take about 80 microseconds for each reflex corner of a cave.
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
def _on_edge(
    marks: cython.uchar[::1], point: cython.Py_ssize_t, stride: cython.Py_ssize_t
) -> cython.bint:
    """Whether a point lies on an edge of the area, or of a lattice cut."""
    return (
        (marks[point] & 3) != 0 or (marks[point - 1] & 1) != 0 or (marks[point - stride] & 2) != 0
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _side(
    first: cython.Py_ssize_t,
    second: cython.Py_ssize_t,
    point: cython.Py_ssize_t,
    columns: cython.longlong[::1],
    rows: cython.longlong[::1],
    stride: cython.Py_ssize_t,
) -> cython.int:
    """Return a point's side of the line `first` to `second`: -1, 0 or 1."""
    x: cython.longlong = columns[first % stride]
    y: cython.longlong = rows[first // stride]
    product: cython.longlong = (columns[second % stride] - x) * (rows[point // stride] - y)
    product -= (rows[second // stride] - y) * (columns[point % stride] - x)
    return (product > 0) - (product < 0)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _cross(
    first: cython.Py_ssize_t,
    second: cython.Py_ssize_t,
    third: cython.Py_ssize_t,
    fourth: cython.Py_ssize_t,
    columns: cython.longlong[::1],
    rows: cython.longlong[::1],
    stride: cython.Py_ssize_t,
) -> cython.bint:
    """Return whether two segments cross between their ends."""
    return (
        _side(first, second, third, columns, rows, stride)
        * _side(first, second, fourth, columns, rows, stride)
        < 0
        and _side(third, fourth, first, columns, rows, stride)
        * _side(third, fourth, second, columns, rows, stride)
        < 0
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _trace_segment(
    first: cython.Py_ssize_t,
    second: cython.Py_ssize_t,
    marks: cython.uchar[::1],
    columns: cython.longlong[::1],
    rows: cython.longlong[::1],
    stride: cython.Py_ssize_t,
    path: cython.int[::1],
) -> cython.Py_ssize_t:
    """Write the cells a segment touches; return how many, or -1 at an edge.

    Two segments that cross have a cell in common; a cell may be written twice. The first cell
    must belong to the area. A segment along the lattice touches the cells on both
    of its sides, and is not tested.
    """
    x: cython.Py_ssize_t = first % stride
    y: cython.Py_ssize_t = first // stride
    last_x: cython.Py_ssize_t = second % stride
    last_y: cython.Py_ssize_t = second // stride
    right: cython.Py_ssize_t = 1 if last_x > x else -1
    down: cython.Py_ssize_t = 1 if last_y > y else -1
    count: cython.Py_ssize_t = 0
    start_x: cython.longlong = columns[x]
    start_y: cython.longlong = rows[y]
    width: cython.longlong = (columns[last_x] - start_x) * right
    height: cython.longlong = (rows[last_y] - start_y) * down
    across: cython.longlong
    along: cython.longlong
    position: cython.Py_ssize_t
    if x == last_x:
        while y != last_y:
            position = y * stride + x if down > 0 else (y - 1) * stride + x
            path[count] = position
            path[count + 1] = position - 1
            count += 2
            y += down
        return count
    if y == last_y:
        while x != last_x:
            position = y * stride + x if right > 0 else y * stride + x - 1
            path[count] = position
            path[count + 1] = position - stride
            count += 2
            x += right
        return count
    while True:
        # (x, y) is the corner of the present cell that is nearest to the start.
        path[count] = (y if down > 0 else y - 1) * stride + (x if right > 0 else x - 1)
        count += 1
        across = (columns[x + right] - start_x) * right * height
        along = (rows[y + down] - start_y) * down * width
        if across < along:
            x += right
            if marks[(y if down > 0 else y - 1) * stride + x] & 2:
                return -1
        elif across > along:
            y += down
            if marks[y * stride + (x if right > 0 else x - 1)] & 1:
                return -1
        else:
            x += right
            y += down
            if x == last_x:
                return count
            if _on_edge(marks, y * stride + x, stride):
                return -1
            # Another segment may pass this point through the two other cells.
            path[count] = y * stride + x
            count += 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _enter(
    cut: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    path: cython.int[::1],
    heads: cython.int[::1],
    entries: cython.int[::1],
    links: cython.int[::1],
    used: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Enter a cut in the lists of its cells; return the number of entries."""
    cell: cython.Py_ssize_t
    for cell in range(count):
        entries[used] = cut
        links[used] = heads[path[cell]]
        heads[path[cell]] = used
        used += 1
    return used


def find_candidates(
    corners: cython.int[::1],
    kinds: cython.uchar[::1],
    marks: cython.uchar[::1],
    columns: cython.longlong[::1],
    rows: cython.longlong[::1],
    steps_x: cython.int[::1],
    steps_y: cython.int[::1],
    most: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
    path: cython.int[::1],
    firsts: cython.int[::1],
    seconds: cython.int[::1],
) -> int:
    """Find cuts that resolve two reflex corners at once; return how many.

    Args:
        corners: int32, the positions of the reflex corners.
        kinds: uint8, one for each position: 0, or for a reflex corner 1 + 2 * down + right with
            the side on which its closed cell lies.
        marks: uint8, one for each position: 1 if the unit edge to the right of the point is an
            edge, plus 2 if the one below is.
        columns: int64, the x of every column of points, by position in the row.
        rows: int64, the y of every row of points.
        steps_x: int32, how far to the side other corners are looked for, nearest first.
        steps_y: int32, how far down, one for each of `steps_x`.
        most: Slanted cuts kept for a corner, the nearest.
        stride: Positions in a row.
        path: int32, scratch with room for four times the sum of both sides.
        firsts: int32 with room for `most + 2` for each corner, receives the first ends.
        seconds: int32, receives the other ends.
    """
    index: cython.Py_ssize_t
    step: cython.Py_ssize_t
    point: cython.Py_ssize_t
    other: cython.Py_ssize_t
    found: cython.Py_ssize_t = 0
    kept: cython.Py_ssize_t
    side: cython.Py_ssize_t
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    height: cython.Py_ssize_t = rows.shape[0]
    kind: cython.int
    for index in range(corners.shape[0]):
        point = corners[index]
        kind = kinds[point] - 1
        # To the right: the closed cell is on the left, and on the right at the other end.
        if kind & 1 == 0:
            other = point + 1
            while not _on_edge(marks, other, stride):
                other += 1
            if kinds[other] > 0 and (kinds[other] - 1) & 1 == 1:
                firsts[found] = point
                seconds[found] = other
                found += 1
        if kind & 2 != 0:
            continue
        # Down: the closed cell is above, and below at the other end.
        other = point + stride
        while not _on_edge(marks, other, stride):
            other += stride
        if kinds[other] > 0 and (kinds[other] - 1) & 2 == 2:
            firsts[found] = point
            seconds[found] = other
            found += 1
        # Slanted: the closed cells are on opposite sides.
        side = 1 if kind == 0 else -1
        x = point % stride
        y = point // stride
        kept = 0
        for step in range(steps_x.shape[0]):
            if kept == most:
                break
            if y + steps_y[step] >= height:
                continue
            if x + side * steps_x[step] < 0 or x + side * steps_x[step] >= stride:
                continue
            other = point + side * steps_x[step] + stride * steps_y[step]
            if kinds[other] != 4 - kind:
                continue
            if _trace_segment(point, other, marks, columns, rows, stride, path) < 0:
                continue
            firsts[found] = point
            seconds[found] = other
            found += 1
            kept += 1
    return found


def find_conflicts(
    firsts: cython.int[::1],
    seconds: cython.int[::1],
    marks: cython.uchar[::1],
    columns: cython.longlong[::1],
    rows: cython.longlong[::1],
    stride: cython.Py_ssize_t,
    path: cython.int[::1],
    heads: cython.int[::1],
    entries: cython.int[::1],
    links: cython.int[::1],
    seen: cython.int[::1],
    pairs: cython.int[::1],
) -> int:
    """Find crossing or touching candidates; return the numbers in `pairs`.

    Args:
        firsts: int32, the first ends of the candidates.
        seconds: int32, their other ends.
        marks: As for `find_candidates`.
        columns: As for `find_candidates`.
        rows: As for `find_candidates`.
        stride: Positions in a row.
        path: As for `find_candidates`.
        heads: int32, -1 for each position.
        entries: int32, scratch with room for the cells of all candidates.
        links: int32, scratch like `entries`.
        seen: int32, scratch, -1 for each candidate.
        pairs: int32, receives one candidate and the other in turn, as far as there is room.
    """
    index: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    count: cython.Py_ssize_t
    entry: cython.int
    other: cython.int
    used: cython.Py_ssize_t = 0
    written: cython.Py_ssize_t = 0
    for index in range(firsts.shape[0]):
        count = _trace_segment(firsts[index], seconds[index], marks, columns, rows, stride, path)
        for cell in range(count):
            entry = heads[path[cell]]
            while entry >= 0:
                other = entries[entry]
                entry = links[entry]
                if seen[other] == index:
                    continue
                seen[other] = index
                if (
                    firsts[index] == firsts[other]
                    or firsts[index] == seconds[other]
                    or seconds[index] == firsts[other]
                    or seconds[index] == seconds[other]
                    or _cross(
                        firsts[index],
                        seconds[index],
                        firsts[other],
                        seconds[other],
                        columns,
                        rows,
                        stride,
                    )
                ):
                    if written + 2 <= pairs.shape[0]:
                        pairs[written] = index
                        pairs[written + 1] = other
                    written += 2
        used = _enter(index, count, path, heads, entries, links, used)
    return written


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _between(
    first: cython.Py_ssize_t,
    second: cython.Py_ssize_t,
    point: cython.Py_ssize_t,
    columns: cython.longlong[::1],
    rows: cython.longlong[::1],
    stride: cython.Py_ssize_t,
) -> cython.bint:
    """Return whether a point lies on a slanted segment, ends included."""
    x: cython.Py_ssize_t = point % stride
    left: cython.Py_ssize_t = first % stride
    right: cython.Py_ssize_t = second % stride
    if left > right:
        left, right = right, left
    return left <= x <= right and _side(first, second, point, columns, rows, stride) == 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cast_ray(
    point: cython.Py_ssize_t,
    step: cython.Py_ssize_t,
    marks: cython.uchar[::1],
    columns: cython.longlong[::1],
    rows: cython.longlong[::1],
    stride: cython.Py_ssize_t,
    firsts: cython.int[::1],
    seconds: cython.int[::1],
    alive: cython.uchar[::1],
    heads: cython.int[::1],
    entries: cython.int[::1],
    links: cython.int[::1],
    path: cython.int[::1],
) -> cython.Py_ssize_t:
    """Return where a lattice ray meets an edge, or -1 minus the cut before it.

    A slanted cut blocks the ray even where they meet at a lattice point.
    """
    following: cython.Py_ssize_t
    count: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    entry: cython.int
    cut: cython.int
    ended: cython.bint
    while True:
        following = point + step
        ended = _on_edge(marks, following, stride)
        count = _trace_segment(point, following, marks, columns, rows, stride, path)
        for cell in range(count):
            entry = heads[path[cell]]
            while entry >= 0:
                cut = entries[entry]
                entry = links[entry]
                if alive[cut] == 0:
                    continue
                if _cross(point, following, firsts[cut], seconds[cut], columns, rows, stride) or (
                    not ended
                    and _between(firsts[cut], seconds[cut], following, columns, rows, stride)
                ):
                    return -1 - cut
        point = following
        if ended:
            return point


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _free_target(
    point: cython.Py_ssize_t,
    right: cython.Py_ssize_t,
    down: cython.Py_ssize_t,
    kinds: cython.uchar[::1],
    marks: cython.uchar[::1],
    columns: cython.longlong[::1],
    rows: cython.longlong[::1],
    steps_x: cython.int[::1],
    steps_y: cython.int[::1],
    stride: cython.Py_ssize_t,
    firsts: cython.int[::1],
    seconds: cython.int[::1],
    alive: cython.uchar[::1],
    heads: cython.int[::1],
    entries: cython.int[::1],
    links: cython.int[::1],
    path: cython.int[::1],
) -> cython.Py_ssize_t:
    """Return the nearest free lattice point on an edge for a cut, or 0.

    Not another reflex corner that could choose this one in turn: the cut would be there twice.
    """
    step: cython.Py_ssize_t
    other: cython.Py_ssize_t
    count: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    entry: cython.int
    cut: cython.int
    blocked: cython.bint
    for step in range(steps_x.shape[0]):
        x = point % stride + right * steps_x[step]
        y = point // stride + down * steps_y[step]
        if x < 1 or x >= stride or y < 1 or y >= rows.shape[0]:
            continue
        other = y * stride + x
        if not _on_edge(marks, other, stride):
            continue
        if kinds[other] > 0 and ((kinds[point] - 1) ^ (kinds[other] - 1)) & 3 == 3:
            continue
        count = _trace_segment(point, other, marks, columns, rows, stride, path)
        blocked = count < 0
        for cell in range(count):
            entry = heads[path[cell]]
            while entry >= 0 and not blocked:
                cut = entries[entry]
                entry = links[entry]
                if alive[cut] == 0:
                    continue
                blocked = _cross(point, other, firsts[cut], seconds[cut], columns, rows, stride)
        if not blocked:
            return other
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mark_along(
    point: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
    marks: cython.uchar[::1],
) -> cython.void:
    """Mark the unit edges between two points in a row or in a column."""
    step: cython.Py_ssize_t
    bit: cython.uchar
    if last < point:
        point, last = last, point
    bit = 1 if last - point < stride else 2
    step = 1 if bit == 1 else stride
    while point != last:
        marks[point] |= bit
        point += step


def resolve_corners(
    corners: cython.int[::1],
    waiting: cython.Py_ssize_t,
    kinds: cython.uchar[::1],
    marks: cython.uchar[::1],
    columns: cython.longlong[::1],
    rows: cython.longlong[::1],
    steps_x: cython.int[::1],
    steps_y: cython.int[::1],
    stride: cython.Py_ssize_t,
    path: cython.int[::1],
    firsts: cython.int[::1],
    seconds: cython.int[::1],
    alive: cython.uchar[::1],
    resolving: cython.uchar[::1],
    count: cython.Py_ssize_t,
    heads: cython.int[::1],
    entries: cython.int[::1],
    links: cython.int[::1],
) -> int:
    """Cut at every remaining reflex corner; return the slanted cuts.

    A corner is resolved by the shorter of its two cuts along the lattice that end at an edge. If
    slanted cuts block both, it is resolved by a slanted cut to a point on an edge; and if none
    exists, a blocking slanted cut is given up, and its corners wait again.

    Args:
        corners: int32 with room for every reflex corner; the first `waiting` are those left.
        waiting: How many.
        kinds: As for `find_candidates`; 8 is added for corners that were resolved by a slanted
            cut here.
        marks: As for `find_candidates`; receives the cuts along the lattice.
        columns: As for `find_candidates`.
        rows: As for `find_candidates`.
        steps_x: As for `find_candidates`.
        steps_y: As for `find_candidates`.
        stride: Positions in a row.
        path: As for `find_candidates`.
        firsts: int32, the first ends of the slanted cuts, with room for one more for each
            reflex corner; receives further cuts.
        seconds: int32, the other ends.
        alive: uint8, receives 1 for the cuts that are kept.
        resolving: uint8, receives how many ends of a cut were resolved by it.
        count: How many slanted cuts there are at first.
        heads: int32, -1 for each position.
        entries: int32, scratch with room for the cells of all slanted cuts.
        links: int32, scratch like `entries`.
    """
    size: cython.Py_ssize_t = corners.shape[0]
    read: cython.Py_ssize_t = 0
    used: cython.Py_ssize_t = 0
    index: cython.Py_ssize_t
    cells: cython.Py_ssize_t
    point: cython.Py_ssize_t
    right: cython.Py_ssize_t
    down: cython.Py_ssize_t
    aside: cython.Py_ssize_t
    along: cython.Py_ssize_t
    target: cython.Py_ssize_t
    cut: cython.Py_ssize_t
    wide: cython.longlong
    high: cython.longlong
    for index in range(count):
        alive[index] = 1
        resolving[index] = 2
        cells = _trace_segment(firsts[index], seconds[index], marks, columns, rows, stride, path)
        used = _enter(index, cells, path, heads, entries, links, used)
    while waiting > 0:
        point = corners[read]
        read = read + 1 if read + 1 < size else 0
        waiting -= 1
        # The quadrant opposite to the closed cell.
        right = -1 if (kinds[point] - 1) & 1 else 1
        down = -1 if (kinds[point] - 1) & 2 else 1
        while True:
            aside = _cast_ray(
                point, right, marks, columns, rows, stride,
                firsts, seconds, alive, heads, entries, links, path,
            )  # fmt: skip
            along = _cast_ray(
                point, down * stride, marks, columns, rows, stride,
                firsts, seconds, alive, heads, entries, links, path,
            )  # fmt: skip
            if aside >= 0 or along >= 0:
                target = aside
                if aside >= 0 and along >= 0:
                    wide = (columns[aside % stride] - columns[point % stride]) * right
                    high = (rows[along // stride] - rows[point // stride]) * down
                    if high < wide:
                        target = along
                elif aside < 0:
                    target = along
                _mark_along(point, target, stride, marks)
                break
            target = 0
            if kinds[point] < 8:
                target = _free_target(
                    point, right, down, kinds, marks, columns, rows, steps_x, steps_y, stride,
                    firsts, seconds, alive, heads, entries, links, path,
                )  # fmt: skip
            if target > 0:
                kinds[point] += 8
                firsts[count] = point
                seconds[count] = target
                alive[count] = 1
                resolving[count] = 1
                cells = _trace_segment(point, target, marks, columns, rows, stride, path)
                used = _enter(count, cells, path, heads, entries, links, used)
                count += 1
                break
            cut = -1 - aside
            alive[cut] = 0
            for index in range(resolving[cut]):
                target = firsts[cut] if index == 0 else seconds[cut]
                corners[(read + waiting) % size] = target
                waiting += 1
    return count
