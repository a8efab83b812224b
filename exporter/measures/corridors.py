"""Find the floor cells where a map is one cell wide."""

from __future__ import annotations

import numpy as np

from exporter.measures import measure
from exporter.measures.maps import SKY, Mask
from exporter.measures.measured import Measured


@measure(
    "corridors",
    most=1.0,
    shown=("one cell wide", SKY),
    source="residue of a morphological opening: Serra 1982",
    also=("narrow",),
)
def corridors(level: Measured) -> Mask:
    """Floor that is one cell wide: cells that lie in no 2 x 2 square of floor."""
    floor = level.walkable
    squares = floor[1:, 1:] & floor[1:, :-1] & floor[:-1, 1:] & floor[:-1, :-1]
    wide = np.zeros(floor.shape, bool)
    wide[1:, 1:] |= squares
    wide[1:, :-1] |= squares
    wide[:-1, 1:] |= squares
    wide[:-1, :-1] |= squares
    return floor & ~wide
