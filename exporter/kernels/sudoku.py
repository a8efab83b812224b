# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Solve Sudoku: narrow the digits of each cell, then guess.

Every cell has a mask of its possible digits (bit d - 1 for digit d). A fixed digit leaves the masks
of its 20 peers; a cell with one digit left is fixed (naked single), and so is the only cell of a
row, column or box that can hold a digit (hidden single). Where neither applies, the cell with the
fewest digits is guessed, as in Norvig, "Solving Every Sudoku Puzzle" (2006), but with a stack of
masks instead of recursion and a limit on the guesses. Guesses are limited by their number, not by
time, so the search always ends, and equally on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED = cython.compiled

CELLS = 81
# Masks of the position before any guess, and of one for each guess that can be open at a time.
LEVELS = 82


def search(
    clues: cython.uchar[::1],
    preference: cython.uchar[::1],
    peers: cython.uchar[::1],
    units: cython.uchar[::1],
    wanted: cython.longlong,
    limit: cython.longlong,
    masks: cython.ushort[::1],
    queue: cython.uchar[::1],
    guessed: cython.uchar[::1],
    remaining: cython.ushort[::1],
    solution: cython.uchar[::1],
    counts: cython.longlong[::1],
) -> None:
    """Count the solutions of a Sudoku.

    Args:
        clues: uint8 [81], row-major: 1 to 9, or 0 for an empty cell.
        preference: uint8 [81 * 9]: for every cell the digits in the order they are guessed.
        peers: uint8 [81 * 20]: the cells that share a row, column or box with each cell.
        units: uint8 [27 * 9]: the cells of every row, column and box.
        wanted: The number of solutions after which to stop.
        limit: The number of guesses after which to stop.
        masks: uint16 [82 * 81], working space.
        queue: uint8 [81], working space.
        guessed: uint8 [82], working space.
        remaining: uint16 [82], working space.
        solution: uint8 [81]: receives the first solution.
        counts: int64 [3]: receives the number of solutions, the number of guesses, and 1 if the
            limit ended the search, else 0.
    """
    level: cython.int = 0
    cell: cython.int
    i: cython.int
    good: cython.bint = True
    full: cython.int = 511
    counts[0] = 0
    counts[1] = 0
    counts[2] = 0
    for i in range(81):
        masks[i] = full
    for i in range(81):
        if clues[i] != 0 and good:
            good = _fix(masks, 0, i, 1 << (clues[i] - 1), peers, queue)
    good = good and _hidden_singles(masks, 0, peers, units, queue)
    while True:
        remaining[level] = 0
        if good:
            cell = _fewest(masks, level * 81)
            if cell < 0:
                counts[0] += 1
                if counts[0] == 1:
                    _read_out(masks, level * 81, solution)
                if counts[0] >= wanted:
                    return
            else:
                guessed[level] = cell
                remaining[level] = masks[level * 81 + cell]
        while remaining[level] == 0:
            if level == 0:
                return
            level -= 1
        if counts[1] >= limit:
            counts[2] = 1
            return
        counts[1] += 1
        cell = guessed[level]
        bit: cython.int = 0
        for i in range(9):
            digit: cython.int = preference[cell * 9 + i]
            bit = 1 << (digit - 1)
            if remaining[level] & bit:
                break
        remaining[level] ^= bit
        base: cython.int = level * 81
        for i in range(81):
            masks[base + 81 + i] = masks[base + i]
        level += 1
        good = _fix(masks, base + 81, cell, bit, peers, queue) and _hidden_singles(
            masks, base + 81, peers, units, queue
        )


@cython.cfunc
def _fix(
    masks: cython.ushort[::1],
    base: cython.int,
    cell: cython.int,
    bit: cython.int,
    peers: cython.uchar[::1],
    queue: cython.uchar[::1],
) -> cython.bint:
    """Fix a digit in a cell, and all that follow as the only one of a cell.

    Returns False if a cell has no digit left.
    """
    head: cython.int = 0
    tail: cython.int = 1
    i: cython.int
    if not masks[base + cell] & bit:
        return False
    if masks[base + cell] == bit:
        # It became a single before and has been followed up.
        return True
    masks[base + cell] = bit
    queue[0] = cell
    while head < tail:
        cell = queue[head]
        head += 1
        bit = masks[base + cell]
        for i in range(cell * 20, cell * 20 + 20):
            peer: cython.int = peers[i]
            if masks[base + peer] & bit:
                left: cython.int = masks[base + peer] ^ bit
                masks[base + peer] = left
                if left == 0:
                    return False
                if left & (left - 1) == 0:
                    queue[tail] = peer
                    tail += 1
    return True


@cython.cfunc
def _hidden_singles(
    masks: cython.ushort[::1],
    base: cython.int,
    peers: cython.uchar[::1],
    units: cython.uchar[::1],
    queue: cython.uchar[::1],
) -> cython.bint:
    """Fix each digit that fits only one cell of a row, column or box.

    Returns False if a digit fits no cell of one.
    """
    unchanged: cython.int = 0
    unit: cython.int = 0
    i: cython.int
    mask: cython.int
    # Round and round, until all 27 units in a row had nothing to give.
    while unchanged < 27:
        once: cython.int = 0
        twice: cython.int = 0
        for i in range(unit * 9, unit * 9 + 9):
            mask = masks[base + units[i]]
            twice |= once & mask
            once |= mask
        if once != 511:
            return False
        unchanged += 1
        hidden: cython.int = once & ~twice
        if hidden:
            for i in range(unit * 9, unit * 9 + 9):
                cell: cython.int = units[i]
                mask = masks[base + cell]
                if mask & hidden and mask & (mask - 1):
                    mask &= hidden
                    # Two digits whose only place is this cell cannot both have it.
                    if mask & (mask - 1):
                        return False
                    if not _fix(masks, base, cell, mask, peers, queue):
                        return False
                    unchanged = 0
        unit += 1
        if unit == 27:
            unit = 0
    return True


@cython.cfunc
def _fewest(masks: cython.ushort[::1], base: cython.int) -> cython.int:
    """Return the first open cell with the fewest digits; -1 if all are fixed."""
    best: cython.int = -1
    fewest: cython.int = 10
    i: cython.int
    for i in range(81):
        mask: cython.int = masks[base + i]
        mask &= mask - 1
        if mask:
            digits: cython.int = 1
            while mask:
                mask &= mask - 1
                digits += 1
            if digits < fewest:
                fewest = digits
                best = i
                if digits == 2:
                    return best
    return best


@cython.cfunc
def _read_out(
    masks: cython.ushort[::1], base: cython.int, solution: cython.uchar[::1]
) -> cython.void:
    """Write the digits of the solved `masks` to `solution`."""
    i: cython.int
    for i in range(81):
        mask: cython.int = masks[base + i]
        digit: cython.int = 1
        while mask > 1:
            mask >>= 1
            digit += 1
        solution[i] = digit
