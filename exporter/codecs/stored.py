"""Store the cells unchanged, little-endian, row by row.

A boolean is one byte, 0 or 1.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from exporter.codecs.codec import Array, Side, codec


def encode(array: Array, side: Side) -> bytes:
    """Return the bytes of the cells."""
    return array.tobytes()


def decode(payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], side: Side) -> Array:
    """Return the array whose cells are the bytes of `payload`.

    Raises:
        ValueError: The length does not match the shape, or a boolean is not 0 or 1.
    """
    if len(payload) != prod(shape) * dtype.itemsize:
        raise ValueError(
            f"the data has {len(payload)} bytes, but the array needs {prod(shape) * dtype.itemsize}"
        )
    if dtype == np.bool_ and payload and max(payload) > 1:
        raise ValueError("a byte of a bool array is neither 0 nor 1")
    return np.frombuffer(payload, dtype).reshape(shape).copy()


def least(array: Array, distinct: int, side: Side) -> int | None:
    """Return the exact number of bytes that a payload will have."""
    return array.nbytes


STORED = codec("stored", 0, encode, decode, ("small", "fast"), least)
