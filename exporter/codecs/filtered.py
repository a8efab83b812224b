"""Filtered: heights predicted as `heights` does, the misses in a zlib stream.

For readers in scripts: the prediction is a short loop, and the engine inflates natively. The
payload is

    base-128 number   bytes of the head
    head              range-coded numbers of the prediction
    rest              zlib stream of the low bytes of all folded misses, then the high bytes
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from exporter.codecs._codec import Array, Side, codec
from exporter.codecs._numbers import Model, NumberReader, NumberWriter
from exporter.codecs._range import number, read_number
from exporter.codecs.bitmap import as_grid
from exporter.codecs.heights import least, read_prediction, residuals, samples, write_prediction
from exporter.codecs.zlib import inflate
from exporter.deflate import compress


def encode(array: Array, side: Side) -> bytes | None:
    """Return the payload, or None for grids that are no samples."""
    found = residuals(array, (1, 6))
    if found is None or int(found[1].max()) > 0xFFFF:
        return None
    prediction, folded = found
    writer = NumberWriter()
    write_prediction(writer, Model(), prediction)
    head = writer.finish()
    planes = folded.astype("<u2").reshape(-1, 1).view(np.uint8).T
    return number(len(head)) + head + compress(planes.tobytes())


def decode(payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], side: Side) -> Array:
    """Return the samples.

    Raises:
        ValueError: When head, stream or samples are broken.
    """
    length, at = read_number(payload, 0)
    prediction = read_prediction(NumberReader(payload[at : at + length]), Model())
    count = prod(shape)
    planes = np.frombuffer(inflate(payload[at + length :], 2 * count), np.uint8)
    folded = planes[:count].astype(np.uint32) | planes[count:].astype(np.uint32) << np.uint32(8)
    return samples(prediction, folded.reshape(as_grid(shape)), dtype).reshape(shape)


FILTERED = codec("filtered", 19, encode, decode, ("fast",), least)
