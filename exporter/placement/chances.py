"""Choose cells independently of each other, for `place: by_cell`."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from exporter.model.errors import ParameterError
from exporter.placement.by_cell import MOST_OBJECTS
from exporter.streams import PortableStream

# Random numbers of so many cells are made at once.
_CELLS_AT_ONCE = 1 << 20


def chosen_cells(
    mask: NDArray[np.bool_], percent: float, stream: PortableStream
) -> NDArray[np.int64]:
    """Choose each cell of `mask` with the same chance.

    Return the chosen cells as numbers y * width + x, ascending.

    Args:
        mask: bool [height, width].
        percent: The chance of each cell, from 0 to 100, exact to 64 bits.
        stream: Random numbers of the group; its origin is the first cell of the mask.

    Raises:
        ParameterError: There are more objects than the limit; the error has the path of `percent`.
    """
    height, width = mask.shape
    # Of the written number, not of the nearest binary one: the same on every machine.
    threshold = int(Fraction(repr(percent)) * (1 << 64) / 100)
    if threshold == 0:
        return np.zeros(0, np.int64)
    rows = max(1, _CELLS_AT_ONCE // max(1, width))
    result = []
    x, y = stream.origin
    for top in range(0, height, rows):
        part = mask[top : top + rows]
        here = part
        if threshold < 1 << 64:
            words = PortableStream(stream.path, (x, y + top)).words("by_cell", width, len(part))
            here = part & (words < np.uint64(threshold))
        result.append(np.flatnonzero(here).astype(np.int64) + top * width)
    cells = np.concatenate(result)
    if cells.size > MOST_OBJECTS:
        raise ParameterError(
            f"{cells.size:,} objects would be placed (allowed: {MOST_OBJECTS:,}; lower `percent`)",
            ("percent",),
        )
    return cells
