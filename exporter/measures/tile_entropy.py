"""Measure how mixed the tiles of a map are, by their entropy."""

from __future__ import annotations

from math import log2

import numpy as np

from exporter.measures import measure
from exporter.measures.measured import Measured


@measure("tile_entropy", unit="bits per cell", source="Shannon 1948")
def tile_entropy(level: Measured) -> float:
    """Entropy of the tiles of the last `play` layer, in bits.

    A tile's probability is its share of all cells. The result is rounded to a millionth of a bit.
    """
    cells = level.tiles.cells
    counts = np.bincount(cells.ravel())
    shares = [int(count) / cells.size for count in counts if count]
    # Rounded, since logarithms differ in the last bit from one platform to another.
    return abs(round(-sum(share * log2(share) for share in shares), 6))
