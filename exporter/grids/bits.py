"""Pack 64 cells of a grid row into a uint64, for fast operations on masks.

The uint64 numbers are called words. Bit b of word k is column 64 * k + b, on every machine; bits
after the last column are 0.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

WORD = 64


def words_for(width: int) -> int:
    """Return how many 64-bit words hold a row of `width` cells."""
    return -(-width // WORD)


def pack_rows(mask: NDArray[np.bool_]) -> Words:
    """Pack `mask`, bool [height, width], into uint64 [height, words]."""
    height, width = mask.shape
    octets = np.packbits(mask, axis=1, bitorder="little")
    padded = np.zeros((height, words_for(width) * 8), np.uint8)
    padded[:, : octets.shape[1]] = octets
    words: Words = padded.view("<u8").astype(np.uint64, copy=False)
    return words


def unpack_rows(words: Words, width: int) -> NDArray[np.bool_]:
    """Unpack `words`, uint64 [height, words], into bool [height, width]."""
    octets = np.ascontiguousarray(words.astype("<u8", copy=False)).view(np.uint8)
    mask: NDArray[np.bool_] = np.unpackbits(octets, axis=1, count=width, bitorder="little").view(
        np.bool_
    )
    return mask


def shift_columns(words: Words, columns: int) -> Words:
    """Return bit rows in which each cell has the bit `columns` to its right.

    `columns` may be negative: then the bit is to its left. Beyond the ends of a row, bits count as
    0. `words` is uint64 [..., words].
    """
    whole, part = divmod(columns, WORD)
    count = words.shape[-1]
    padded = np.zeros((*words.shape[:-1], count + 1), np.uint64)
    first, last = max(0, -whole), min(count + 1, count - whole)
    if last > first:
        padded[..., first:last] = words[..., first + whole : last + whole]
    if part == 0:
        return np.ascontiguousarray(padded[..., :count])
    shifted: Words = (padded[..., :-1] >> np.uint64(part)) | (
        padded[..., 1:] << np.uint64(WORD - part)
    )
    return shifted


def shift_rows(rows: Words, dx: int, dy: int) -> Words:
    """Move the bits of `rows` by `dx` cells to the right and `dy` down.

    Negative numbers move to the left or up. Bits that leave the array are lost; new cells are 0.
    """
    result = np.zeros_like(rows)
    height = len(rows)
    if abs(dy) < height:
        source = rows[max(0, -dy) : height - max(0, dy)]
        result[max(0, dy) : height - max(0, -dy)] = shift_columns(source, -dx)
    return result


def sum_planes(planes: Iterable[Words], shape: tuple[int, int]) -> NDArray[np.int32]:
    """Count for each cell how many of `planes` have its bit set.

    The result is int32 of `shape` (height, width). 64 cells are added at a time: counter word k has
    bit k of each cell's count, and adding a plane carries from one counter word to the next.
    """
    counters: list[Words] = []
    for plane in planes:
        carry = plane
        for location, counter in enumerate(counters):
            counters[location], carry = counter ^ carry, counter & carry
            if not carry.any():
                break
        else:
            counters.append(carry)
    counts = np.zeros(shape, np.int32)
    for position, counter in enumerate(counters):
        counts += unpack_rows(counter, shape[1]).astype(np.int32) << position
    return counts
