# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Carve mazes on a grid: grow a tree of passages, then open dead ends.

Passages are bits of a cell: north 1, south 2, east 4, west 8. The growing tree is Jamis Buck's
("Mazes for Programmers", 2015). Uncompiled it takes about 3 microseconds a cell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

if cython.compiled:
    from cython.cimports.exporter.kernels.random_draws import Draws
else:
    from exporter.kernels.random_draws import Draws

COMPILED = cython.compiled


def grow(
    passages: cython.uchar[:, ::1],
    reached: cython.uchar[:, ::1],
    barred: cython.uchar[:, ::1],
    active: cython.int[::1],
    draws: Draws,
    newest: cython.longlong,
    tell: Callable[[int], None] | None = None,
    every: cython.longlong = 1,
) -> None:
    """Carve a perfect maze, with exactly one path between any two cells.

    Cells that cannot be reached from the first one get separate mazes. Cells that are joined by
    passages from the beginning count as one.

    Args:
        passages: uint8 [rows, columns] of given passages: bits 1 north, 2 south, 4 east, 8 west;
            receives all passages.
        reached: uint8 [rows, columns], 1 for cells outside the maze; receives 1 for all.
        barred: uint8 [rows, columns]: the directions, as such bits, in which a cell must not get a
            passage.
        active: int32 [rows * columns]: working space.
        draws: The random numbers.
        newest: Chance in percent to go on from the newest cell, else from a random one.
        tell: Called with the number of opened passages; None for no calls.
        every: The number of passages between two calls of `tell`.
    """
    rows: cython.longlong = passages.shape[0]
    columns: cython.longlong = passages.shape[1]
    count: cython.longlong = 0
    x: cython.longlong = draws.next(0, columns)
    y: cython.longlong = draws.next(0, rows)
    first: cython.longlong = y * columns + x
    tried: cython.longlong
    opened: cython.longlong = 0
    due: cython.longlong = -1 if tell is None else every
    for tried in range(rows * columns):
        # The drawn cell, and then all behind it: each that is not reached by now is a new part.
        y = (first + tried) // columns
        x = first + tried - y * columns
        if y >= rows:
            y -= rows
        if reached[y, x] != 0:
            continue
        count = _reach(passages, reached, active, 0, y, x)
        while count > 0:
            at: cython.longlong = count - 1
            if newest < 100 and draws.next(0, 100) >= newest:
                at = draws.next(0, count)
            y = active[at] // columns
            x = active[at] - y * columns
            closed: cython.int = 0
            ways: cython.longlong = 0
            if y > 0 and reached[y - 1, x] == 0 and (barred[y, x] & 1) == 0:
                closed += 1
                ways += 1
            if y + 1 < rows and reached[y + 1, x] == 0 and (barred[y, x] & 2) == 0:
                closed += 2
                ways += 1
            if x + 1 < columns and reached[y, x + 1] == 0 and (barred[y, x] & 4) == 0:
                closed += 4
                ways += 1
            if x > 0 and reached[y, x - 1] == 0 and (barred[y, x] & 8) == 0:
                closed += 8
                ways += 1
            if ways == 0:
                count -= 1
                active[at] = active[count]
                continue
            pick: cython.longlong = draws.next(0, ways)
            direction: cython.longlong = 0
            while True:
                if closed & (1 << direction):
                    if pick == 0:
                        break
                    pick -= 1
                direction += 1
            y, x = _open(passages, y, x, direction)
            count = _reach(passages, reached, active, count, y, x)
            opened += 1
            if opened == due and tell is not None:
                due += every
                tell(opened)


@cython.cfunc
@cython.exceptval(check=False)
def _reach(
    passages: cython.uchar[:, ::1],
    reached: cython.uchar[:, ::1],
    active: cython.int[::1],
    count: cython.longlong,
    y: cython.longlong,
    x: cython.longlong,
) -> cython.longlong:
    """Append (x, y) and all cells joined to it to `active`; return the count."""
    columns: cython.longlong = passages.shape[1]
    at: cython.longlong = count
    direction: cython.longlong
    reached[y, x] = 1
    active[count] = cython.cast(cython.int, y * columns + x)
    count += 1
    while at < count:
        y = active[at] // columns
        x = active[at] - y * columns
        at += 1
        for direction in range(4):
            if not passages[y, x] & (1 << direction):
                continue
            next_y: cython.longlong = y + (1 if direction == 1 else (-1 if direction == 0 else 0))
            next_x: cython.longlong = x + (1 if direction == 2 else (-1 if direction == 3 else 0))
            if reached[next_y, next_x] == 0:
                reached[next_y, next_x] = 1
                active[count] = cython.cast(cython.int, next_y * columns + next_x)
                count += 1
    return count


def braid(
    passages: cython.uchar[:, ::1],
    barred: cython.uchar[:, ::1],
    draws: Draws,
    percent: cython.longlong,
    tell: Callable[[int], None] | None = None,
) -> None:
    """Open dead ends of a maze into loops, if possible to other dead ends.

    Args:
        passages: uint8 [rows, columns], bits 1 north, 2 south, 4 east, 8 west; changed in place.
        barred: uint8 [rows, columns]: the directions, as such bits, in which a cell must not get a
            passage.
        draws: The random numbers.
        percent: The chance in percent that a dead end is opened.
        tell: Called after each opened dead end with the number of opened ones; None for no calls.
    """
    rows: cython.longlong = passages.shape[0]
    columns: cython.longlong = passages.shape[1]
    x: cython.longlong
    y: cython.longlong
    direction: cython.longlong
    next_x: cython.longlong
    next_y: cython.longlong
    opened: cython.longlong = 0
    for y in range(rows):
        for x in range(columns):
            if not _dead_end(passages[y, x]) or draws.next(0, 100) >= percent:
                continue
            best: cython.longlong = -1
            found: cython.longlong = 0
            quality: cython.longlong = 0
            for direction in range(4):
                next_y = y + (1 if direction == 1 else (-1 if direction == 0 else 0))
                next_x = x + (1 if direction == 2 else (-1 if direction == 3 else 0))
                if next_x < 0 or next_y < 0 or next_x >= columns or next_y >= rows:
                    continue
                if (passages[y, x] | barred[y, x]) & (1 << direction):
                    continue
                if _dead_end(passages[next_y, next_x]):
                    if quality == 0:
                        quality = 1
                        found = 0
                elif quality == 1:
                    continue
                # Each of the equally good passages is kept with an even chance.
                found += 1
                if draws.next(0, found) == 0:
                    best = direction
            if best >= 0:
                _open(passages, y, x, best)
                opened += 1
                if tell is not None:
                    tell(opened)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _dead_end(ways: cython.int) -> cython.bint:
    """Return whether `ways`, the bits of a cell's passages, are exactly one."""
    return ways == 1 or ways == 2 or ways == 4 or ways == 8


@cython.cfunc
@cython.inline
def _open(
    passages: cython.uchar[:, ::1],
    y: cython.longlong,
    x: cython.longlong,
    direction: cython.longlong,
) -> tuple[cython.longlong, cython.longlong]:
    """Open a passage of the cell (x, y); return y and x of its other end."""
    passages[y, x] |= cython.cast(cython.uchar, 1 << direction)
    if direction == 0:
        y -= 1
        passages[y, x] |= 2
    elif direction == 1:
        y += 1
        passages[y, x] |= 1
    elif direction == 2:
        x += 1
        passages[y, x] |= 8
    else:
        x -= 1
        passages[y, x] |= 4
    return y, x
