"""Zlib: the cells' bytes in a zlib stream, two-valued layers packed to bits first.

The portable back end of the `fast` profile: Godot and .NET inflate it natively. The payload is
one byte of layout, then the stream.

    layout 0    bytes as `stored`
    layout 1    cells of 0 and 1, eight to a byte, first cell in the high bit
    layout 2    the bytes of each significance together: all low bytes first
"""

from __future__ import annotations

import zlib as platform_zlib
from math import prod
from typing import Any

import numpy as np

from exporter.codecs._codec import Array, Side, codec
from exporter.deflate import compress

PLAIN, BITS, PLANES = 0, 1, 2


def encode(array: Array, side: Side) -> bytes:
    """Return the layout and the deflated bytes."""
    if array.dtype.itemsize > 1:
        layout = PLANES
        raw = (
            np.ascontiguousarray(array).view(np.uint8).reshape(-1, array.dtype.itemsize).T.tobytes()
        )
    elif array.size and int(array.max()) <= 1:
        layout, raw = BITS, np.packbits(array.reshape(-1)).tobytes()
    else:
        layout, raw = PLAIN, array.tobytes()
    return bytes((layout,)) + compress(raw)


def decode(payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], side: Side) -> Array:
    """Return the cells.

    Raises:
        ValueError: When the stream does not hold exactly the shape.
    """
    count = prod(shape)
    layout = payload[0]
    wanted = {PLAIN: count * dtype.itemsize, BITS: -(-count // 8), PLANES: count * dtype.itemsize}
    raw = inflate(payload[1:], wanted[layout])
    if layout == BITS:
        bits = np.unpackbits(np.frombuffer(raw, np.uint8), count=count)
        return bits.astype(dtype).reshape(shape)
    cells = np.frombuffer(raw, np.uint8)
    if layout == PLANES:
        cells = np.ascontiguousarray(cells.reshape(dtype.itemsize, count).T)
    elif dtype == np.bool_ and count and int(cells.max()) > 1:
        raise ValueError("a truth value is neither 0 nor 1")
    return cells.reshape(-1).view(dtype).reshape(shape).copy()


def inflate(stream: bytes, size: int) -> bytes:
    """Inflate a zlib stream that must give exactly `size` bytes and leave nothing over.

    Raises:
        ValueError: When it gives less, more, or is followed by something.
    """
    engine = platform_zlib.decompressobj()
    try:
        # One byte more than wanted tells a stream that is too long from one that fits.
        raw = engine.decompress(stream, size + 1)
    except platform_zlib.error as error:
        raise ValueError(str(error)) from error
    if len(raw) != size or not engine.eof or engine.unused_data:
        raise ValueError("the stream does not have the declared length")
    return raw


def least(array: Array, distinct: int, side: Side) -> int | None:
    """Say that this codec takes everything."""
    return 0


ZLIB = codec("zlib", 1, encode, decode, ("fast",), least)
