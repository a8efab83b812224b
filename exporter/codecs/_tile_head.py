"""Code the start of a tile payload: its ids, and the class of each id.

A class, 0 or 1, groups similar tiles, such as walls and floors.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.codecs._range import number, read_number
from exporter.codecs.codec import Array


def ids_head(ids: Array) -> bytes:
    """Encode the ascending tile `ids` that occur in a grid."""
    return _run_numbers(tuple(ids.tolist()))


@lru_cache(maxsize=16)
def _run_numbers(values: tuple[int, ...]) -> bytes:
    """Encode ascending `values`: the first one, then run-length coded gaps.

    Each run is a gap - 1 and a length - 1, as base-128 numbers.
    """
    first = values[0]
    head = bytearray(number(first << 1 if first >= 0 else (-first << 1) - 1))
    index = 1
    while index < len(values):
        gap = values[index] - values[index - 1]
        run = 1
        while index + run < len(values) and values[index + run] - values[index + run - 1] == gap:
            run += 1
        head += number(gap - 1) + number(run - 1)
        index += run
    return bytes(head)


def read_ids(payload: bytes, start: int, count: int, dtype: np.dtype[Any]) -> tuple[Array, int]:
    """Decode `count` tile ids at `start` in `payload`.

    Return the ids, and the position after them.

    Raises:
        ValueError: The ids do not fit their type or are cut short.
    """
    folded, start = read_number(payload, start)
    values = [folded >> 1 if not folded & 1 else -(folded + 1 >> 1)]
    while len(values) < count:
        gap, start = read_number(payload, start)
        run, start = read_number(payload, start)
        if run + 1 > count - len(values):
            raise ValueError("the list has more tile ids than the declared count")
        values += [values[-1] + (gap + 1) * step for step in range(1, run + 2)]
    information = np.iinfo(dtype)
    if values[0] < information.min or values[-1] > information.max:
        raise ValueError("a tile id is outside the range of the array's type")
    return np.array(values, dtype), start


def read_classes(payload: bytes, start: int, count: int) -> tuple[NDArray[np.uint8], int]:
    """Decode the classes of `count` ids at `start` in `payload`.

    Return the classes, uint8 [count], and the position after them.

    Raises:
        ValueError: The classes are cut short.
    """
    end = start + (count + 7) // 8
    packed = np.frombuffer(payload[start:end], np.uint8)
    if packed.size != (count + 7) // 8:
        raise ValueError("the list of cell classes is incomplete")
    return np.unpackbits(packed, count=count), end
