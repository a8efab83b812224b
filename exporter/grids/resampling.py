"""Resize a grid of 16-bit samples, such as heights, in integers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def resampled(
    samples: NDArray[np.int32], width: int, height: int, from_middles: bool, to_middles: bool
) -> NDArray[np.int32]:
    """Interpolate `samples` to another grid size: int32 [height, width].

    Args:
        samples: int32 [rows, columns] from 0 to 65535.
        width: The number of columns of the result.
        height: The number of rows of the result.
        from_middles: Whether `samples` are at the centres of their cells; else the first and last
            of a row or column are on the edges of the area.
        to_middles: The same for the samples of the result.
    """
    rows, columns = samples.shape
    left, across, width_parts = _places(columns, width, from_middles, to_middles)
    above, down, height_parts = _places(rows, height, from_middles, to_middles)
    right, below = np.minimum(left + 1, columns - 1), np.minimum(above + 1, rows - 1)
    whole = width_parts * height_parts
    result = np.empty((height, width), np.int32)
    # A few rows at a time, which stay in the processor's cache.
    rows_at_once = max(1, 16384 // max(width, columns))
    for y in range(0, height, rows_at_once):
        part = slice(y, y + rows_at_once)
        lines = np.take(samples, above[part], 0) * (height_parts - down[part])[:, None]
        lines += np.take(samples, below[part], 0) * down[part][:, None]
        blended = np.take(lines, left, 1) * (2 * (width_parts - across))
        blended += np.take(lines, right, 1) * (2 * across)
        blended += whole
        blended //= 2 * whole
        result[part] = blended
    return result


def _places(
    old: int, new: int, from_middles: bool, to_middles: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Return for each new sample the old one before it, and the gap between.

    There are `old` and `new` samples. The gap is a fraction of the distance of old samples: an
    array of numerators, and their common denominator.
    """
    number = np.arange(new, dtype=np.int64)
    if to_middles:
        location, parts = 2 * number + 1, 2 * new  # of the side, as a fraction
    elif new > 1:
        location, parts = 2 * number, 2 * (new - 1)
    else:
        location, parts = np.ones(1, np.int64), 2
    position = location * old - parts // 2 if from_middles else location * (old - 1)
    position = np.clip(position, 0, (old - 1) * parts)
    return position // parts, position % parts, parts
