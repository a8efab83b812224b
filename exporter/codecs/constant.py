"""Constant: every cell has the same value; the payload is that value, nothing for zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from exporter.codecs._codec import Array, Side, codec


def encode(array: Array, side: Side) -> bytes | None:
    """Return the value's bytes without high zero bytes, or None when values differ."""
    if array.size == 0:
        return b""
    first = array.flat[0]
    if not np.array_equal(array, np.broadcast_to(first, array.shape)):
        return None
    return np.array(first, array.dtype).tobytes().rstrip(b"\0")


def decode(payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], side: Side) -> Array:
    """Return an array full of the value.

    Raises:
        ValueError: When the payload is no value of the type.
    """
    if len(payload) > dtype.itemsize or payload.endswith(b"\0"):
        raise ValueError("the constant does not fit its type")
    if dtype == np.bool_ and payload not in (b"", b"\1"):
        raise ValueError("a truth value is neither 0 nor 1")
    value = np.frombuffer(payload.ljust(dtype.itemsize, b"\0"), dtype)[0]
    return np.full(shape, value, dtype)


def least(array: Array, distinct: int, side: Side) -> int | None:
    """Say that this codec is for one value."""
    return 0 if distinct <= 1 else None


CONSTANT = codec("constant", 33, encode, decode, ("small", "fast"), least)
