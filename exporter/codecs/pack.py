"""Code each cell as an index, in the fewest bits that can hold it.

The width of an index is ceil(log2(distinct)) bits, and 0 for a single value. The most frequent
values get the lowest indices (equal counts by value). The payload is self-contained:

    1-3 bytes   number of distinct values, as a base-128 number, low bits first
    table       the values in the order of their indices, each as wide as its element type
    cells       indices, `width` bits each, most significant bit first, zeros up to a byte

At width 8 of byte cells the table is empty (the count still says how many values there are)
and the cells are stored as they are.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.codecs._range import number, read_number
from exporter.codecs._symbols import MOST, dense_ids, distinct_count
from exporter.codecs.codec import Array, Side, codec

# A table of more values than this is larger than anything it could save on a level.
MOST_VALUES = 1 << 16


def width_of(distinct: int) -> int:
    """Return how many bits a cell needs for `distinct` values."""
    return max(0, distinct - 1).bit_length()


def encode(array: Array, side: Side) -> bytes | None:
    """Encode at most 65,536 distinct values as a table and indices; else None."""
    distinct = distinct_count(array)
    if not 1 <= distinct <= MOST_VALUES:
        return None
    if distinct > MOST:
        values, inverse = np.unique(array, return_inverse=True)
        if values.size > MOST_VALUES:
            return None
    else:
        values, inverse = dense_ids(array)
    head, width = number(values.size), width_of(values.size)
    if width == 8 and array.dtype.itemsize == 1:
        return head + array.tobytes()
    order = np.argsort(-np.bincount(inverse.reshape(-1)), kind="stable")
    codes = np.empty(values.size, np.uint8 if width <= 8 else ">u2")
    codes[order] = np.arange(values.size)
    return head + values[order].tobytes() + _packed(codes[inverse.reshape(-1)], width)


def decode(payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], side: Side) -> Array:
    """Decode a payload of `encode` to a grid.

    Raises:
        ValueError: An index has no value, or the length does not match.
    """
    count = prod(shape)
    distinct, start = read_number(payload, 0, 3)
    width = width_of(distinct)
    if not 1 <= distinct <= MOST_VALUES:
        raise ValueError("the number of distinct values is out of range")
    if width == 8 and dtype.itemsize == 1:
        table, cells = np.arange(256).astype(dtype), np.frombuffer(payload, np.uint8, -1, start)
        if cells.size != count or (dtype == np.bool_):
            raise ValueError("the data do not have the length of the array's shape")
        return table[cells].reshape(shape)
    table = np.frombuffer(payload, dtype, distinct, start)
    start += distinct * dtype.itemsize
    if len(payload) - start != -(-count * width // 8):
        raise ValueError("the data do not have the length of the array's shape")
    bits = np.unpackbits(np.frombuffer(payload, np.uint8, -1, start), count=count * width)
    codes = _numbers_of(bits, count, width)
    if count and int(codes.max()) >= distinct:
        raise ValueError("a code is larger than the number of distinct values")
    if dtype == np.bool_ and max(table.view(np.uint8)) > 1:
        raise ValueError("a byte of a bool array is neither 0 nor 1")
    return table[codes].reshape(shape)


def _packed(codes: NDArray[Any], width: int) -> bytes:
    """Pack the low `width` bits of each code, high bit first.

    `codes` is uint8, or big-endian uint16 if `width` is above 8. Zeros fill the last byte.
    """
    if width == 8:
        return codes.tobytes()
    bits = np.unpackbits(codes.view(np.uint8)).reshape(-1, 8 * codes.itemsize)
    return np.packbits(bits[:, bits.shape[1] - width :]).tobytes()


def _numbers_of(bits: NDArray[np.uint8], count: int, width: int) -> NDArray[np.uint32]:
    codes = np.zeros(count, np.uint32)
    for column in bits.reshape(count, width).T:
        codes = codes << np.uint32(1) | column
    return codes


def least(array: Array, distinct: int, side: Side) -> int | None:
    """Return the bytes that the indices take, as the least possible size.

    Return None for too many values.
    """
    return array.size * width_of(distinct) // 8 if 1 <= distinct <= MOST else None


PACK = codec("pack", 2, encode, decode, ("small", "fast"), least)
