"""Shape a relief, a field of heights: int64 from 0 (lowest) to 2**28.

Every step is a pure function in whole numbers, so that a relief is the same on every machine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Extremes
from exporter.generators._noise import UNIT, Field
from exporter.model.windows import Window

SAMPLE_MAXIMUM = 65535


def stretch(field: Field, top: int, extremes: Extremes | None = None) -> Field:
    """Scale the heights of `field` to the range from 0 to `top`.

    A flat field becomes 0. If `field` is a chunk, `extremes` are the lowest and highest number of
    the whole map; numbers outside them are clipped.
    """
    if extremes is None:
        extremes = Extremes(int(field.min()), int(field.max()))
    else:
        field = np.clip(field, extremes.least, extremes.greatest)
    return scale(field, extremes.least, extremes.greatest - extremes.least, top)


def scale(field: Field, lowest: int, span: int, top: int) -> Field:
    """Return `(field - lowest) * top / span`, rounded to whole numbers.

    Instead of a slow division for each sample, this multiplies by a reciprocal, precise enough that
    `lowest` becomes 0 and `lowest + span` becomes `top`. `top` is at most 2**28 and `span` at most
    2**34.
    """
    if span == 0:
        return np.zeros(field.shape, np.int64)
    bits = 62 - top.bit_length()
    factor = (top << bits) // span + 1
    result = np.empty(field.shape, np.int64)
    rows = max(1, 32768 // field.shape[1])
    for y in range(0, field.shape[0], rows):
        block = result[y : y + rows]
        np.subtract(field[y : y + rows], lowest, out=block)
        block *= factor
        block += 1 << (bits - 1)
        block >>= bits
        if span >> (bits - 1):
            np.minimum(block, top, out=block)
    return result


def samples(relief: Field) -> NDArray[np.uint16]:
    """Convert the heights of `relief`, 0 to 2**28, to samples of 0 to 65535."""
    return scale(np.clip(relief, 0, UNIT), 0, UNIT, SAMPLE_MAXIMUM).astype(np.uint16)


def island(relief: Field, percent: int, window: Window) -> Field:
    """Lower the heights of `relief` towards the edges of the map.

    `window` is the rectangle of the map that `relief` covers; at `percent` 100 the edges become 0.
    Heights are multiplied by (1 - u^2)(1 - v^2) with u, v of -1..1 across the map, after Amit
    Patel's "square bump" (Red Blob Games, "Making maps with noise functions").
    """
    width, height = window.whole
    rows = _bump(height)[window.y : window.bottom]
    columns = _bump(width)[window.x : window.right]
    mask = (rows[:, None] * columns[None, :]) >> 16
    share = (percent << 16) // 100
    keep = (1 << 16) - ((share * ((1 << 16) - mask)) >> 16)
    return (relief * keep) >> 16


def _bump(count: int) -> Field:
    """Return 1 - u^2 for u from -1 to 1 along a side, with 16 fraction bits."""
    if count == 1:
        return np.array([1 << 16], np.int64)
    u = ((2 * np.arange(count, dtype=np.int64) - (count - 1)) << 16) // (count - 1)
    return (1 << 16) - ((u * u) >> 16)


def terraces(relief: Field, steps: int, sharpness: int) -> Field:
    """Round the heights of `relief` to `steps` flat levels, at least 2.

    `sharpness` 0 leaves the relief unchanged, 100 makes vertical cliffs; values between leave
    slopes between the levels.
    """
    rises = steps - 1
    scaled = relief * rises
    step = scaled >> 28
    within = scaled - (step << 28)
    # A rise takes the middle (100 - sharpness) percent of the distance between steps.
    ramp = UNIT * (100 - sharpness) // 100
    start = (UNIT - ramp) // 2
    if ramp == 0:
        risen = np.where(within >= UNIT // 2, UNIT, 0).astype(np.int64)
    else:
        risen = np.clip((within - start) * (1 << 16) // ramp, 0, 1 << 16) << 12
    return ((step << 28) + risen) // rises
