"""Rearrange the bytes of the cells and deflate them.

This is the main codec of the `fast` profile: Godot, .NET and browsers inflate zlib streams
natively, and each layout takes a reader at most five lines. The `small` profile uses it for cells
that no other codec makes much smaller. The payload is one byte for the layout, then the stream.

    layout 0    bytes as `stored`
    layout 1    cells of 0 and 1, eight to a byte, first cell in the high bit
    layout 2    the bytes of each significance together: all low bytes first
    layout 3    16-bit cells as folded steps from W + N - NW: all low bytes, all high bytes
    layout 4    16-bit cells of at most 256 values: their number less one and the values, before
                the stream; the place of each cell's value, a byte each
"""

from __future__ import annotations

import zlib as platform_zlib
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.codecs._symbols import dense_ids
from exporter.codecs.bitmap import as_grid
from exporter.codecs.codec import Array, Side, codec
from exporter.deflate import coded_bits, compress, compress_rows

PLAIN, BITS, PLANES, STEPS, VALUES = range(5)
SAMPLE = np.dtype("<u2")


def encode(array: Array, side: Side) -> bytes:
    """Encode the cells of `array` in the layout that deflates best."""
    if array.dtype == SAMPLE and array.size:
        return _encode_samples(array)
    if array.dtype.itemsize > 1:
        layout, raw = PLANES, _planes(array).tobytes()
    elif array.size and int(array.max()) <= 1:
        layout, raw = BITS, np.packbits(array.reshape(-1)).tobytes()
    else:
        layout, raw = PLAIN, array.tobytes()
    return bytes((layout,)) + compress(raw, quick=True)


def _encode_samples(array: Array) -> bytes:
    """Encode 16-bit cells in the layout that deflates best."""
    values, places = dense_ids(array)
    if places.size:
        head = bytes((VALUES, values.size - 1)) + values.astype(SAMPLE).tobytes()
        return head + compress(places.astype(np.uint8).tobytes(), quick=True)
    planes, steps = _planes(array), _planes(_steps(array))
    # A quarter, from the middle, predicts as much as all.
    middle = slice(array.size * 3 // 8, array.size * 5 // 8 + 1)
    if coded_bits(steps[:, middle]) <= coded_bits(planes[:, middle]):
        # Of steps only neighbours repeat: matches of other distances would be found by chance.
        return bytes((STEPS,)) + compress_rows(steps)
    return bytes((PLANES,)) + compress(planes.tobytes(), quick=True)


def _planes(array: Array) -> NDArray[np.uint8]:
    """Return the bytes of all cells, the lowest byte of each first.

    The result is uint8 [bytes, cells].
    """
    planes = np.ascontiguousarray(array).view(np.uint8).reshape(-1, array.dtype.itemsize).T
    return np.ascontiguousarray(planes)


def _steps(array: Array) -> NDArray[np.uint16]:
    """Return 16-bit cells as differences from a prediction, unsigned.

    The prediction is W + N - NW, from the cells to the west, north and north-west.
    """
    cells = array.reshape(as_grid(array.shape))
    across = cells.copy()
    across[:, 1:] -= cells[:, :-1]
    steps = across.copy()
    steps[1:] -= across[:-1]
    item, fifteen = SAMPLE.type(1), SAMPLE.type(15)
    return np.asarray((steps << item) ^ (SAMPLE.type(0) - (steps >> fifteen)), SAMPLE)


def _from_steps(folded: NDArray[np.uint16], shape: tuple[int, ...]) -> Array:
    """Return the cells, an array of `shape`, from differences by `_steps`."""
    item = SAMPLE.type(1)
    steps = (folded >> item) ^ (SAMPLE.type(0) - (folded & item))
    across = np.cumsum(steps.reshape(as_grid(shape)), axis=0, dtype=SAMPLE)
    return np.cumsum(across, axis=1, dtype=SAMPLE).reshape(shape)


def decode(payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], side: Side) -> Array:
    """Decode a payload of `encode` to the array.

    Raises:
        ValueError: The stream does not have exactly the bytes of the shape.
    """
    layout = payload[0]
    if layout > VALUES or (layout >= STEPS and dtype != SAMPLE):
        raise ValueError("unknown number of the byte layout")
    count = prod(shape)
    if layout == VALUES:
        return _decode_values(payload, shape)
    if layout == BITS:
        raw = inflate(payload[1:], -(-count // 8))
        bits = np.unpackbits(np.frombuffer(raw, np.uint8), count=count)
        return bits.astype(dtype).reshape(shape)
    cells = np.frombuffer(inflate(payload[1:], count * dtype.itemsize), np.uint8)
    if layout >= PLANES:
        cells = np.ascontiguousarray(cells.reshape(dtype.itemsize, count).T)
    elif dtype == np.bool_ and count and int(cells.max()) > 1:
        raise ValueError("a byte of a bool array is neither 0 nor 1")
    array = cells.reshape(-1).view(dtype).reshape(shape)
    return _from_steps(array, shape) if layout == STEPS else array.copy()


def _decode_values(payload: bytes, shape: tuple[int, ...]) -> Array:
    stream = 2 + SAMPLE.itemsize * (payload[1] + 1)
    values = np.frombuffer(payload[2:stream], SAMPLE)
    places = np.frombuffer(inflate(payload[stream:], prod(shape)), np.uint8)
    if places.size and int(places.max()) >= values.size:
        raise ValueError("a palette index is larger than the palette")
    return values[places].reshape(shape)


def inflate(stream: bytes, size: int) -> bytes:
    """Decompress the zlib `stream`, which must give exactly `size` bytes.

    Raises:
        ValueError: The stream has another length, or more bytes follow.
    """
    engine = platform_zlib.decompressobj()
    try:
        # One byte more than requested distinguishes a stream that is too long from one that fits.
        raw = engine.decompress(stream, size + 1)
    except platform_zlib.error as error:
        raise ValueError(str(error)) from error
    if len(raw) != size or not engine.eof or engine.unused_data:
        raise ValueError("the stream does not have the declared length")
    return raw


def least(array: Array, distinct: int, side: Side) -> int | None:
    """Return 0, the least possible size, so that the codec is always tried."""
    return 0


ZLIB = codec("zlib", 1, encode, decode, ("small", "fast"), least, last_resort=("small",))
