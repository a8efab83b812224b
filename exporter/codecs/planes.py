"""Planes: wide cells split into bytes, each significance coded as a grid of its own.

For what no other codec knows well: 32-bit cells, ids in the thousands. The payload is

    1 byte            bit 0: cells are steps from the cell before them in their row
    for each byte of a cell, lowest first:
        1 byte            codec
        base-128 number   bytes of its payload
        payload           the plane, as bytes of the same shape
"""

from __future__ import annotations

from typing import Any

import numpy as np

from exporter.codecs._codec import CODECS, NO_SIDE, Array, Side, codec, codec_by_number
from exporter.codecs._range import number, read_number
from exporter.codecs._symbols import distinct_count
from exporter.codecs._waiting import announce_planes

# What a plane may be coded with: codecs that nest nothing themselves.
INNER = ("stored", "pack", "bitmap", "tiles", "constant")


def encode(array: Array, side: Side) -> bytes | None:
    """Return the smaller of both layouts, or None for cells of one byte."""
    if array.dtype.itemsize == 1 or array.size == 0:
        return None
    unsigned = array.view(f"<u{array.dtype.itemsize}")
    steps = unsigned.copy()
    steps[..., 1:] -= unsigned[..., :-1]
    # A small step down has high bytes of 255: fold the sign into the lowest bit.
    signs = steps >> np.array(8 * steps.dtype.itemsize - 1, steps.dtype)
    folded = (steps << np.array(1, steps.dtype)) ^ (np.zeros_like(steps) - signs)
    plain, stepped = _split(unsigned), _split(folded)
    announce_planes(plain + stepped)
    return min(b"\0" + _coded(plain), b"\1" + _coded(stepped), key=len)


def decode(payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], side: Side) -> Array:
    """Return the cells.

    Raises:
        ValueError: When the planes are broken.
    """
    if payload[0] > 1 or dtype.itemsize == 1:
        raise ValueError("unknown flags")
    cells = np.zeros(shape, f"<u{dtype.itemsize}")
    at = 1
    for place in range(dtype.itemsize):
        inner = codec_by_number(payload[at])
        if inner.name not in INNER:
            raise ValueError(f"a plane cannot be coded as {inner.name}")
        length, at = read_number(payload, at + 1)
        if length > len(payload) - at:
            raise ValueError("a plane is cut short")
        plane = inner.decode(payload[at : at + length], shape, np.dtype(np.uint8), NO_SIDE)
        cells |= plane.astype(cells.dtype) << np.array(8 * place, cells.dtype)
        at += length
    if at != len(payload):
        raise ValueError("something follows the planes")
    if payload[0] & 1:
        one = np.array(1, cells.dtype)
        cells = (cells >> one) ^ (np.zeros_like(cells) - (cells & one))
        cells = np.cumsum(cells, axis=-1, dtype=cells.dtype)
    return cells.view(dtype)


def _split(unsigned: Array) -> list[Array]:
    """Return the bytes of each significance, lowest first."""
    places = range(unsigned.dtype.itemsize)
    return [(unsigned >> np.array(8 * place, unsigned.dtype)).astype(np.uint8) for place in places]


def _coded(planes: list[Array]) -> bytes:
    out = bytearray()
    for plane in planes:
        best: tuple[int, bytes] | None = None
        distinct = distinct_count(plane)
        for name in INNER:
            inner = CODECS.get(name)
            if inner.least(plane, distinct, NO_SIDE) is None:
                continue
            payload = inner.encode(plane, NO_SIDE)
            if payload is not None and (best is None or len(payload) < len(best[1])):
                best = inner.number, payload
        assert best is not None  # `stored` takes everything
        out.append(best[0])
        out += number(len(best[1])) + best[1]
    return bytes(out)


def least(array: Array, distinct: int, side: Side) -> int | None:
    """Say that this codec is for wide cells of many values."""
    return 0 if array.dtype.itemsize > 1 and distinct > 256 else None


PLANES = codec("planes", 3, encode, decode, ("small",), least, last_resort=True)
