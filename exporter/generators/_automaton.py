"""Smooth caves by the 4-5 rule, 64 cells at a time.

A cell becomes wall when at least five of the nine cells of its 3 x 3 block are walls, which is
the same as "a wall stays with four wall neighbours, a floor turns to wall with five". The sums
are carried bit by bit as in a hardware adder, for all cells at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.kernels.cellular_rounds import COMPILED, run_rounds

Words = NDArray[np.uint64]


def smooth(
    walls: NDArray[np.bool_], rounds: int, given: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Smooth the caves in `walls`, `rounds` times; outside the map is wall.

    In a round a cell becomes wall if at least five of the nine cells around and including it are
    walls. Cells in `given` never change. All arrays are bool [height, width], True for walls.
    """
    if rounds == 0:
        return walls
    words = _pack(walls)
    # Bits outside the map, which every round sets to wall again.
    outside = _pack(np.zeros((1, walls.shape[1]), bool))[1]
    if given is None:
        _run_rounds(words, outside, rounds)
        return _unpack(words, walls.shape[1])
    # In the frame both are wall, and given cells there do not matter.
    free, given_walls = ~_pack(given), _pack(walls & given)
    for _ in range(rounds):
        _run_rounds(words, outside, 1)
        words &= free
        words |= given_walls
    return _unpack(words, walls.shape[1])


def _run_rounds(words: Words, outside: Words, rounds: int) -> None:
    """Smooth `words` in place, by the kernel if it is compiled.

    `words` has a bit for each cell, 1 for walls; `outside` has the bits of a row that are outside
    the map, which stay walls.
    """
    if COMPILED:
        sums = np.empty((6, words.shape[1]), np.uint64)
        run_rounds(words.data, outside.data, rounds, sums.data)
    else:
        _interpreted_rounds(words, outside, rounds)


def _interpreted_rounds(words: Words, outside: Words, rounds: int) -> None:
    """Smooth `words` in place with numpy, without a compiled kernel."""
    scratch = np.empty_like(words), np.empty_like(words)
    for _ in range(rounds):
        _round(words, scratch)
        words[1:-1] |= outside


def _pack(walls: NDArray[np.bool_]) -> Words:
    """Return the rows of `walls` as 64-bit words, in a frame of walls.

    Bit 0 of the first word of a row is the frame, bit 1 is column 0.
    """
    height, width = walls.shape
    columns = -(-(width + 2) // 64) * 64
    framed = np.ones((height + 2, columns), bool)
    framed[1:-1, 1 : width + 1] = walls
    packed = np.packbits(framed, axis=1, bitorder="little")
    words: Words = packed.view("<u8").astype(np.uint64)
    return words


def _unpack(words: Words, width: int) -> NDArray[np.bool_]:
    packed = np.ascontiguousarray(words[1:-1].astype("<u8", copy=False)).view(np.uint8)
    cells = np.unpackbits(packed, axis=1, bitorder="little", count=width + 1)
    walls: NDArray[np.bool_] = cells[:, 1:] != 0
    return walls


def _round(words: Words, scratch: tuple[Words, Words]) -> None:
    """Smooth all rows of `words` but the first and last once, in place.

    `scratch` are two arrays like `words`, which are overwritten.
    """
    west, east = scratch
    item, last = np.uint64(1), np.uint64(63)
    np.left_shift(words, item, out=west)
    west[:, 1:] |= words[:, :-1] >> last
    np.right_shift(words, item, out=east)
    east[:, :-1] |= words[:, 1:] << last
    ones, twos = _sum_of_three(west, words, east)
    sum_1, carry_1 = _sum_of_three(ones[:-2], ones[1:-1], ones[2:])
    sum_2, four_a = _sum_of_three(twos[:-2], twos[1:-1], twos[2:])
    # total = sum_1 + 2 * (carry_1 + sum_2) + 4 * four_a
    four_b = carry_1 & sum_2
    below_four = sum_1 | (carry_1 ^ sum_2)
    # At least five: two fours, or one four and something more.
    words[1:-1] = (four_a & four_b) | ((four_a ^ four_b) & below_four)


def _sum_of_three(a: Words, b: Words, c: Words) -> tuple[Words, Words]:
    """Add three bits in each position; return the bits of value 1, and of 2."""
    either: Words = np.bitwise_xor(a, b)
    return either ^ c, (a & b) | (either & c)
