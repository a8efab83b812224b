# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Choose cells that keep a distance from each other (dart throwing).

A grid marks the cells that are still free; a chosen cell clears the disc around it, so one lookup
shows whether a dart, a randomly tried cell, is too close to another. Random darts make a
Poisson-disk sample (Cook, "Stochastic sampling in computer graphics", 1986).
"""

from __future__ import annotations

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


def throw_darts(
    free: cython.uchar[::1],
    width: cython.longlong,
    halves: cython.int[::1],
    draws: Draws,
    darts: cython.longlong,
    chosen: cython.longlong[::1],
    found: cython.longlong,
) -> int:
    """Choose random free cells of the whole grid until there are enough.

    Args:
        free: uint8 [height * width]: 1 where a cell can be chosen; the discs around chosen cells
            become 0.
        width: The number of cells in a row.
        halves: int32: how far the disc around a chosen cell reaches to the left and right, in its
            own row, the rows next to it, and so on.
        draws: The random numbers: x, then y, of every dart.
        darts: How many cells to try at most.
        chosen: int64 [number of required cells]: receives the chosen cells.
        found: The number of cells that `chosen` holds already.

    Returns:
        How many cells `chosen` holds now.
    """
    height: cython.longlong = free.shape[0] // width
    wanted: cython.longlong = chosen.shape[0]
    _dart: cython.longlong
    for _dart in range(darts):
        if found >= wanted:
            break
        cell: cython.longlong = draws.next(0, width)
        cell += draws.next(0, height) * width
        if free[cell]:
            chosen[found] = cell
            found += 1
            clear_disc(free, width, halves, cell)
    return found


def take_in_order(
    free: cython.uchar[::1],
    width: cython.longlong,
    halves: cython.int[::1],
    order: cython.longlong[::1],
    chosen: cython.longlong[::1],
    found: cython.longlong,
) -> int:
    """Choose the free cells of `order`, one by one, until there are enough.

    A chosen cell clears the disc around it in `free`. `order` is int64 [cells]; the other arguments
    are those of `throw_darts`.

    Returns:
        How many cells `chosen` holds now.
    """
    wanted: cython.longlong = chosen.shape[0]
    i: cython.longlong
    for i in range(order.shape[0]):
        if found >= wanted:
            break
        cell: cython.longlong = order[i]
        if free[cell]:
            chosen[found] = cell
            found += 1
            clear_disc(free, width, halves, cell)
    return found


def take_few(
    free: cython.uchar[::1],
    width: cython.longlong,
    halves: cython.int[::1],
    cells: cython.longlong[::1],
    primary: cython.longlong[::1],
    hashes: cython.ulonglong[::1],
    parts: cython.longlong[:, ::1],
    first: cython.Py_ssize_t,
    few: cython.longlong,
    chosen: cython.longlong[::1],
) -> int:
    """Choose the best free cells of one area after the other.

    The best cell is the one with the least `primary`, then with the least hash, then the first. A
    chosen cell clears the disc around it.

    Args:
        free: uint8 [height * width]: 1 where a cell can be chosen; discs are cleared in it.
        width: The number of cells in a row.
        halves: int32: how far the disc around a chosen cell reaches to the left and right, in its
            own row, the rows next to it, and so on.
        cells: int64 [cells]: the cells of all areas, as y * width + x.
        primary: int64 [cells]: the first criterion for each of `cells`, least is best.
        hashes: uint64 [cells]: the second criterion, likewise.
        parts: int64 [areas, 4]: where the cells of each area begin and end in `cells`, how many to
            choose, and where to write the first of these in `chosen`.
        first: The area to begin with.
        few: The largest number of cells that this function chooses for an area.
        chosen: int64 [all required cells]: receives the chosen cells.

    Returns:
        The first area that requires more than `few`, or that has too few free cells; nothing is
        chosen for it. The number of areas if all succeed.
    """
    part: cython.Py_ssize_t
    found: cython.longlong
    reach: cython.longlong = halves.shape[0]
    i: cython.longlong
    j: cython.longlong
    for part in range(first, parts.shape[0]):
        begin: cython.longlong = parts[part, 0]
        wanted: cython.longlong = parts[part, 2]
        place: cython.longlong = parts[part, 3]
        if wanted > few:
            return part
        for found in range(wanted):
            best: cython.longlong = -1
            for i in range(begin, parts[part, 1]):
                cell: cython.longlong = cells[i]
                if not free[cell]:
                    continue
                if best >= 0 and (
                    primary[i] > primary[best]
                    or (primary[i] == primary[best] and hashes[i] >= hashes[best])
                ):
                    continue
                for j in range(found):
                    other: cython.longlong = chosen[place + j]
                    away: cython.longlong = abs(cell // width - other // width)
                    across: cython.longlong = abs(cell % width - other % width)
                    if away < reach and across <= halves[away]:
                        break
                else:
                    best = i
            if best < 0:
                return part
            chosen[place + found] = cells[best]
        for j in range(wanted):
            clear_disc(free, width, halves, chosen[place + j])
    return int(parts.shape[0])


@cython.ccall
def clear_disc(
    free: cython.uchar[::1], width: cython.longlong, halves: cython.int[::1], cell: cython.longlong
) -> cython.void:
    """Mark all cells of `free` in a disc around `cell` as not free.

    `width` is that of the grid. `halves[d]` is how far the disc reaches to the left and right in
    the rows `d` above and below `cell`.
    """
    height: cython.longlong = free.shape[0] // width
    x: cython.longlong = cell % width
    y: cython.longlong = cell // width
    reach: cython.longlong = halves.shape[0] - 1
    row: cython.longlong
    i: cython.longlong
    for row in range(max(0, y - reach), min(height, y + reach + 1)):
        half: cython.longlong = halves[row - y if row > y else y - row]
        low: cython.longlong = row * width + max(0, x - half)
        high: cython.longlong = row * width + min(width, x + half + 1)
        for i in range(low, high):
            free[i] = 0
