"""Replace an array's values by indices into its distinct values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.codecs.codec import Array

# Beyond this many distinct values nothing treats cells as symbols.
MOST = 256
# Ids of tiles lie closer together than this, on average.
SCALE_GAP = 8


def distinct_count(array: Array) -> int:
    """Return the number of distinct values in `array`; 257 for more than 256."""
    if array.size == 0:
        return 0
    if array.dtype.itemsize <= 2:
        return min(MOST + 1, int(np.count_nonzero(_present(array))))
    # Most wide arrays show more than 256 values in a first piece, without sorting all of it.
    if np.unique(array.reshape(-1)[:65536]).size > MOST:
        return MOST + 1
    return min(MOST + 1, int(np.unique(array).size))


def dense_ids(array: Array) -> tuple[Array, NDArray[Any]]:
    """Return the distinct values in `array`, and the index of each cell's.

    The values ascend. If there are more than 256, the indices are empty.
    """
    if array.dtype.itemsize <= 2:
        ids = np.flatnonzero(_present(array))
        if ids.size > MOST:
            return ids, np.zeros(0, np.uint8)
        index = np.zeros(1 << 8 * array.dtype.itemsize, np.uint8)
        index[ids] = np.arange(ids.size)
        return ids.astype(array.dtype), index[array.view(f"<u{array.dtype.itemsize}")]
    ids, inverse = np.unique(array, return_inverse=True)
    return ids, inverse.reshape(array.shape)


def on_a_scale(ids: Array) -> bool:
    """Return whether ascending `ids` are spread out like measured values.

    Heights are such values, ids of tiles are not.
    """
    return ids.size > 2 and int(ids[-1]) - int(ids[0]) >= SCALE_GAP * ids.size


def _present(array: Array) -> NDArray[np.bool_]:
    present = np.zeros(1 << 8 * array.dtype.itemsize, np.bool_)
    present[array.reshape(-1).view(f"<u{array.dtype.itemsize}")] = True
    return present
