"""How much of a map is narrow."""

from __future__ import annotations

import numpy as np

from exporter.metrics import metric
from exporter.metrics._measured import Measured


@metric(
    "corridors",
    most=1.0,
    source="residue of a morphological opening: Serra 1982",
    also=("narrow",),
)
def measure(measured: Measured) -> float:
    """Share of the floor that is one cell wide: cells that lie in no 2 x 2 square of floor."""
    floor = measured.walkable
    squares = floor[1:, 1:] & floor[1:, :-1] & floor[:-1, 1:] & floor[:-1, :-1]
    wide = np.zeros(floor.shape, bool)
    wide[1:, 1:] |= squares
    wide[1:, :-1] |= squares
    wide[:-1, 1:] |= squares
    wide[:-1, :-1] |= squares
    count = measured.floor_count
    return (count - int(np.count_nonzero(wide))) / count if count else 0.0
