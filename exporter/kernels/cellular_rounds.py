# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Smooth caves with a cellular automaton, 64 cells at a time.

A cell becomes wall if at least five cells of its 3 x 3 block are walls (the 4-5 rule). Without a
compiled kernel, numpy is used instead, in `exporter.generators._automaton`; interpreted, this file
gives the same result, slowly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

COMPILED = cython.compiled


@cython.cfunc
@cython.exceptval(check=False)
def _add_across(
    words: cython.ulonglong[:, ::1],
    row: cython.Py_ssize_t,
    sums: cython.ulonglong[:, ::1],
    target: cython.Py_ssize_t,
) -> cython.void:
    """Add up each cell of `row` and its neighbours left and right, bit by bit.

    The sums are 0 to 3: `sums[target]` receives their lower bits, the next row the upper ones.
    """
    full: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    columns: cython.Py_ssize_t = words.shape[1]
    column: cython.Py_ssize_t
    for column in range(columns):
        here: cython.ulonglong = words[row, column]
        west: cython.ulonglong = (here << 1) & full
        if column > 0:
            west |= words[row, column - 1] >> 63
        east: cython.ulonglong = here >> 1
        if column + 1 < columns:
            east |= (words[row, column + 1] << 63) & full
        sums[target, column] = west ^ here ^ east
        sums[target + 1, column] = (west & here) | ((west ^ here) & east)


def run_rounds(
    words: cython.ulonglong[:, ::1],
    outside: cython.ulonglong[::1],
    rounds: cython.int,
    sums: cython.ulonglong[:, ::1],
) -> None:
    """Smooth all rows of a map but the first and the last, in place.

    Args:
        words: uint64 [height + 2, columns], a bit for each cell, 1 for walls, row by row.
        outside: uint64 [columns], the bits of a row that lie outside the map: always walls.
        rounds: How often each cell is set by the majority of its 3 x 3 block.
        sums: uint64 [6, columns], working space.
    """
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    for _round in range(rounds):
        _add_across(words, 0, sums, 0)
        _add_across(words, 1, sums, 2)
        for row in range(1, words.shape[0] - 1):
            # The row below is added up before this one changes.
            above: cython.Py_ssize_t = (row - 1) % 3 * 2
            here: cython.Py_ssize_t = row % 3 * 2
            below: cython.Py_ssize_t = (row + 1) % 3 * 2
            _add_across(words, row + 1, sums, below)
            for column in range(words.shape[1]):
                a: cython.ulonglong = sums[above, column]
                b: cython.ulonglong = sums[here, column]
                c: cython.ulonglong = sums[below, column]
                ones: cython.ulonglong = a ^ b ^ c
                carry: cython.ulonglong = (a & b) | ((a ^ b) & c)
                a = sums[above + 1, column]
                b = sums[here + 1, column]
                c = sums[below + 1, column]
                twos: cython.ulonglong = a ^ b ^ c
                four_a: cython.ulonglong = (a & b) | ((a ^ b) & c)
                # The sum of the nine is ones + 2 * (carry + twos) + 4 * four_a: at least five are
                # two fours, or one four and something more.
                four_b: cython.ulonglong = carry & twos
                words[row, column] = (
                    (four_a & four_b) | ((four_a ^ four_b) & (ones | (carry ^ twos)))
                ) | outside[column]
