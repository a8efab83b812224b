# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Cut the walkable area into convex pieces, from its reflex corners.

A reflex corner is one whose inner angle is above 180 degrees. All grids here are framed: `stride`
positions in a row, a row and a column of frame on each side. A lattice point has the position of
the cell to its lower right, so the four cells around point `p` are `p - stride - 1`, `p - stride`,
`p - 1` and `p`. The coordinates of columns and rows of points need not be evenly spaced. All tests
are exact: they use integers below 2^63.

Uncompiled this takes about 80 microseconds for each reflex corner of a map of caves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED: bool = cython.compiled


@cython.final
@cython.cclass
class CornerCuts:
    """Finds cuts between lattice points that divide an area.

    Args:
        kinds: uint8, one for each position: 0; or 1 + 2 * down + right for a reflex corner, where
            `down` and `right` are 1 if its closed cell is on that side. `resolve` adds 8 to corners
            that get a slanted cut.
        marks: uint8, one for each position: 1 if the unit edge to the right of the point is an edge
            of the area, plus 2 if the one below is; receives the cuts along the lattice.
        columns: int64, the x of every column of points, by position in the row.
        rows: int64, the y of every row of points.
        steps_x: int32, how far to the side from a corner the other ends of cuts are looked for,
            nearest first.
        steps_y: int32, how far down, one for each of `steps_x`.
        path: int32, scratch with room for twice the sum of both sides.
        heads: int32, scratch, one for each position.
    """

    kinds: cython.uchar[::1]
    marks: cython.uchar[::1]
    columns: cython.longlong[::1]
    rows: cython.longlong[::1]
    steps_x: cython.int[::1]
    steps_y: cython.int[::1]
    path: cython.int[::1]
    heads: cython.int[::1]
    stride: cython.Py_ssize_t
    firsts: cython.int[::1]
    seconds: cython.int[::1]
    alive: cython.uchar[::1]
    entries: cython.int[::1]
    links: cython.int[::1]
    used: cython.Py_ssize_t

    def __init__(
        self,
        kinds: cython.uchar[::1],
        marks: cython.uchar[::1],
        columns: cython.longlong[::1],
        rows: cython.longlong[::1],
        steps_x: cython.int[::1],
        steps_y: cython.int[::1],
        path: cython.int[::1],
        heads: cython.int[::1],
    ) -> None:
        self.kinds = kinds
        self.marks = marks
        self.columns = columns
        self.rows = rows
        self.steps_x = steps_x
        self.steps_y = steps_y
        self.path = path
        self.heads = heads
        self.stride = columns.shape[0]

    def find_candidates(
        self,
        corners: cython.int[::1],
        most: cython.Py_ssize_t,
        firsts: cython.int[::1],
        seconds: cython.int[::1],
    ) -> int:
        """Find cuts that resolve two reflex corners at once; return how many.

        Args:
            corners: int32, the positions of the reflex corners.
            most: How many slanted cuts to list for a corner: the nearest ones.
            firsts: int32 with room for `most + 2` cuts for each corner: receives the first end of
                each cut.
            seconds: int32, likewise: receives the other ends.
        """
        index: cython.Py_ssize_t
        step: cython.Py_ssize_t
        other: cython.Py_ssize_t
        found: cython.Py_ssize_t = 0
        for index in range(corners.shape[0]):
            point: cython.Py_ssize_t = corners[index]
            kind: cython.int = self.kinds[point] - 1
            # To the right: the closed cell is on the left, and on the right at the other end.
            if kind & 1 == 0:
                other = point + 1
                while not self.on_edge(other):
                    other += 1
                if self.kinds[other] > 0 and (self.kinds[other] - 1) & 1 == 1:
                    firsts[found] = point
                    seconds[found] = other
                    found += 1
            if kind & 2 != 0:
                continue
            # Down: the closed cell is above, and below at the other end.
            other = point + self.stride
            while not self.on_edge(other):
                other += self.stride
            if self.kinds[other] > 0 and (self.kinds[other] - 1) & 2 == 2:
                firsts[found] = point
                seconds[found] = other
                found += 1
            # Slanted: the closed cells are on opposite sides.
            side: cython.Py_ssize_t = 1 if kind == 0 else -1
            kept: cython.Py_ssize_t = 0
            for step in range(self.steps_x.shape[0]):
                if kept == most:
                    break
                x: cython.Py_ssize_t = point % self.stride + side * self.steps_x[step]
                if x < 0 or x >= self.stride:
                    continue
                if point // self.stride + self.steps_y[step] >= self.rows.shape[0]:
                    continue
                other = point + side * self.steps_x[step] + self.stride * self.steps_y[step]
                if self.kinds[other] != 4 - kind or self.trace(point, other) < 0:
                    continue
                firsts[found] = point
                seconds[found] = other
                found += 1
                kept += 1
        return found

    def find_conflicts(
        self,
        firsts: cython.int[::1],
        seconds: cython.int[::1],
        entries: cython.int[::1],
        links: cython.int[::1],
        seen: cython.int[::1],
        pairs: cython.int[::1],
    ) -> int:
        """List the pairs of candidate cuts that cross or share an end.

        Args:
            firsts: int32, the first ends of the candidates.
            seconds: int32, the other ends of the candidates.
            entries: int32, scratch with room for the cells of all candidates.
            links: int32, scratch like `entries`.
            seen: int32, scratch, -1 for each candidate.
            pairs: int32, receives the numbers of both cuts of each pair, as far as there is room.

        Returns:
            How many items `pairs` needs.
        """
        index: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        written: cython.Py_ssize_t = 0
        self.begin(firsts, seconds, entries, links)
        for index in range(firsts.shape[0]):
            first: cython.Py_ssize_t = firsts[index]
            second: cython.Py_ssize_t = seconds[index]
            count: cython.Py_ssize_t = self.trace(first, second)
            for cell in range(count):
                entry: cython.int = self.heads[self.path[cell]]
                while entry >= 0:
                    other: cython.int = entries[entry]
                    entry = links[entry]
                    if seen[other] == index:
                        continue
                    seen[other] = index
                    if (
                        first == firsts[other]
                        or first == seconds[other]
                        or second == firsts[other]
                        or second == seconds[other]
                        or self.cross(first, second, other)
                    ):
                        if written + 2 <= pairs.shape[0]:
                            pairs[written] = index
                            pairs[written + 1] = other
                        written += 2
            self.enter(index, count)
        return written

    def resolve(
        self,
        corners: cython.int[::1],
        waiting: cython.Py_ssize_t,
        firsts: cython.int[::1],
        seconds: cython.int[::1],
        alive: cython.uchar[::1],
        resolving: cython.uchar[::1],
        count: cython.Py_ssize_t,
        entries: cython.int[::1],
        links: cython.int[::1],
    ) -> int:
        """Cut at the remaining reflex corners; return the number of slanted cuts.

        A corner gets the shorter of its two cuts along the lattice that end at an edge. If slanted
        cuts block both, it gets a slanted cut to a point on an edge. If there is no such point, a
        slanted cut that blocks it is removed, and the corners of that cut wait again.

        Args:
            corners: int32 with room for every reflex corner; the first `waiting` are to be cut.
            waiting: The number of corners to be cut.
            firsts: int32, the first ends of the slanted cuts so far, with room for one more for
                each reflex corner; receives those of new cuts.
            seconds: int32, the other ends of the slanted cuts, likewise.
            alive: uint8, receives 1 for the slanted cuts that are not removed.
            resolving: uint8, receives for each cut how many of its two ends it resolves.
            count: How many slanted cuts there are at first.
            entries: int32, scratch with room for the cells of all slanted cuts.
            links: int32, scratch like `entries`.
        """
        size: cython.Py_ssize_t = corners.shape[0]
        read: cython.Py_ssize_t = 0
        index: cython.Py_ssize_t
        target: cython.Py_ssize_t
        wide: cython.longlong
        high: cython.longlong
        self.begin(firsts, seconds, entries, links)
        self.alive = alive
        for index in range(count):
            alive[index] = 1
            resolving[index] = 2
            self.enter(index, self.trace(firsts[index], seconds[index]))
        while waiting > 0:
            point: cython.Py_ssize_t = corners[read]
            read = read + 1 if read + 1 < size else 0
            waiting -= 1
            # The quadrant opposite to the closed cell.
            right: cython.Py_ssize_t = -1 if (self.kinds[point] - 1) & 1 else 1
            down: cython.Py_ssize_t = -1 if (self.kinds[point] - 1) & 2 else 1
            while True:
                aside: cython.Py_ssize_t = self.cast_ray(point, right)
                along: cython.Py_ssize_t = self.cast_ray(point, down * self.stride)
                if aside >= 0 or along >= 0:
                    target = aside
                    if aside >= 0 and along >= 0:
                        wide = self.columns[aside % self.stride] - self.columns[point % self.stride]
                        high = self.rows[along // self.stride] - self.rows[point // self.stride]
                        if high * down < wide * right:
                            target = along
                    elif aside < 0:
                        target = along
                    self.mark_along(point, target)
                    break
                target = self.free_target(point, right, down) if self.kinds[point] < 8 else 0
                if target > 0:
                    self.kinds[point] += 8
                    firsts[count] = point
                    seconds[count] = target
                    alive[count] = 1
                    resolving[count] = 1
                    self.enter(count, self.trace(point, target))
                    count += 1
                    break
                cut: cython.Py_ssize_t = -1 - aside
                alive[cut] = 0
                for index in range(resolving[cut]):
                    corners[(read + waiting) % size] = firsts[cut] if index == 0 else seconds[cut]
                    waiting += 1
        return count

    @cython.cfunc
    @cython.exceptval(check=False)
    def begin(
        self,
        firsts: cython.int[::1],
        seconds: cython.int[::1],
        entries: cython.int[::1],
        links: cython.int[::1],
    ) -> cython.void:
        """Set the slanted cuts and scratch arrays; no cut is listed at cells yet."""
        index: cython.Py_ssize_t
        self.firsts = firsts
        self.seconds = seconds
        self.entries = entries
        self.links = links
        self.used = 0
        for index in range(self.heads.shape[0]):
            self.heads[index] = -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def enter(self, cut: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.void:
        """Store that `cut` touches the first `count` cells of `path`."""
        cell: cython.Py_ssize_t
        for cell in range(count):
            self.entries[self.used] = cut
            self.links[self.used] = self.heads[self.path[cell]]
            self.heads[self.path[cell]] = self.used
            self.used += 1

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def on_edge(self, point: cython.Py_ssize_t) -> cython.bint:
        """Return whether `point` lies on the area's edge or on a straight cut."""
        return (
            (self.marks[point] & 3) != 0
            or (self.marks[point - 1] & 1) != 0
            or (self.marks[point - self.stride] & 2) != 0
        )

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def side(
        self, first: cython.Py_ssize_t, second: cython.Py_ssize_t, point: cython.Py_ssize_t
    ) -> cython.int:
        """Return on which side of a line `point` lies: -1 or 1; 0 for on it.

        The line goes from `first` to `second`.
        """
        x: cython.longlong = self.columns[first % self.stride]
        y: cython.longlong = self.rows[first // self.stride]
        product: cython.longlong
        product = (self.columns[second % self.stride] - x) * (self.rows[point // self.stride] - y)
        product -= (self.rows[second // self.stride] - y) * (self.columns[point % self.stride] - x)
        return (product > 0) - (product < 0)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def cross(
        self, first: cython.Py_ssize_t, second: cython.Py_ssize_t, cut: cython.Py_ssize_t
    ) -> cython.bint:
        """Return whether `cut` crosses the segment from `first` to `second`."""
        third: cython.Py_ssize_t = self.firsts[cut]
        fourth: cython.Py_ssize_t = self.seconds[cut]
        return (
            self.side(first, second, third) * self.side(first, second, fourth) < 0
            and self.side(third, fourth, first) * self.side(third, fourth, second) < 0
        )

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def lies_on(self, point: cython.Py_ssize_t, cut: cython.Py_ssize_t) -> cython.bint:
        """Return whether `point` lies on the slanted `cut`, ends included."""
        x: cython.Py_ssize_t = point % self.stride
        left: cython.Py_ssize_t = self.firsts[cut] % self.stride
        right: cython.Py_ssize_t = self.seconds[cut] % self.stride
        if left > right:
            left, right = right, left
        return left <= x <= right and self.side(self.firsts[cut], self.seconds[cut], point) == 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def trace(self, first: cython.Py_ssize_t, second: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the cells that a segment touches to `path`; return their number.

        It is -1 if the segment meets an edge. Two segments that cross have a cell in common; a cell
        may be written twice. The first cell must belong to the area. A segment along the lattice
        touches the cells on both of its sides, and is not tested for edges.
        """
        stride: cython.Py_ssize_t = self.stride
        x: cython.Py_ssize_t = first % stride
        y: cython.Py_ssize_t = first // stride
        last_x: cython.Py_ssize_t = second % stride
        last_y: cython.Py_ssize_t = second // stride
        right: cython.Py_ssize_t = 1 if last_x > x else -1
        down: cython.Py_ssize_t = 1 if last_y > y else -1
        count: cython.Py_ssize_t = 0
        start_x: cython.longlong = self.columns[x]
        start_y: cython.longlong = self.rows[y]
        width: cython.longlong = (self.columns[last_x] - start_x) * right
        height: cython.longlong = (self.rows[last_y] - start_y) * down
        position: cython.Py_ssize_t
        if x == last_x:
            while y != last_y:
                position = (y if down > 0 else y - 1) * stride + x
                self.path[count] = position
                self.path[count + 1] = position - 1
                count += 2
                y += down
            return count
        if y == last_y:
            while x != last_x:
                position = y * stride + (x if right > 0 else x - 1)
                self.path[count] = position
                self.path[count + 1] = position - stride
                count += 2
                x += right
            return count
        while True:
            # (x, y) is the corner of the present cell that is nearest to the start.
            self.path[count] = (y if down > 0 else y - 1) * stride + (x if right > 0 else x - 1)
            count += 1
            across: cython.longlong = (self.columns[x + right] - start_x) * right * height
            along: cython.longlong = (self.rows[y + down] - start_y) * down * width
            if across < along:
                x += right
                if self.marks[(y if down > 0 else y - 1) * stride + x] & 2:
                    return -1
            elif across > along:
                y += down
                if self.marks[y * stride + (x if right > 0 else x - 1)] & 1:
                    return -1
            else:
                x += right
                y += down
                if x == last_x:
                    return count
                if self.on_edge(y * stride + x):
                    return -1
                # Another segment may pass this point through the two other cells.
                self.path[count] = y * stride + x
                count += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def blocking(
        self, first: cython.Py_ssize_t, second: cython.Py_ssize_t, at_end: cython.bint
    ) -> cython.Py_ssize_t:
        """Return a slanted cut that a segment would cross; -1 without one.

        The segment goes from `first` to `second`; -2 if it meets an edge. With `at_end`, a cut
        through `second` counts, too.
        """
        count: cython.Py_ssize_t = self.trace(first, second)
        cell: cython.Py_ssize_t
        if count < 0:
            return -2
        for cell in range(count):
            entry: cython.int = self.heads[self.path[cell]]
            while entry >= 0:
                cut: cython.int = self.entries[entry]
                entry = self.links[entry]
                if self.alive[cut] == 0:
                    continue
                if self.cross(first, second, cut) or (at_end and self.lies_on(second, cut)):
                    return cut
        return -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def cast_ray(self, point: cython.Py_ssize_t, step: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return where a ray from `point` meets an edge; it goes by `step`.

        If a slanted cut blocks the ray, even at a lattice point, return -1 minus the cut's number.
        """
        while True:
            following: cython.Py_ssize_t = point + step
            ended: cython.bint = self.on_edge(following)
            cut: cython.Py_ssize_t = self.blocking(point, following, not ended)
            if cut >= 0:
                return -1 - cut
            point = following
            if ended:
                return point

    @cython.cfunc
    @cython.exceptval(check=False)
    def free_target(
        self, point: cython.Py_ssize_t, right: cython.Py_ssize_t, down: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return the nearest point on an edge to which `point` can be cut, or 0.

        It lies in the quadrant of `right` and `down` (1 or -1), and the cut crosses no other. Left
        out are reflex corners that could choose `point` in turn.
        """
        step: cython.Py_ssize_t
        for step in range(self.steps_x.shape[0]):
            x: cython.Py_ssize_t = point % self.stride + right * self.steps_x[step]
            y: cython.Py_ssize_t = point // self.stride + down * self.steps_y[step]
            if x < 1 or x >= self.stride or y < 1 or y >= self.rows.shape[0]:
                continue
            other: cython.Py_ssize_t = y * self.stride + x
            if not self.on_edge(other):
                continue
            if self.kinds[other] > 0 and (
                ((self.kinds[point] - 1) ^ (self.kinds[other] - 1)) & 3 == 3
            ):
                continue
            if self.blocking(point, other, False) == -1:
                return other
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def mark_along(self, point: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.void:
        """Mark as edges all unit edges from `point` to `last`, in one line."""
        if last < point:
            point, last = last, point
        bit: cython.uchar = 1 if last - point < self.stride else 2
        step: cython.Py_ssize_t = 1 if bit == 1 else self.stride
        while point != last:
            self.marks[point] |= bit
            point += step
