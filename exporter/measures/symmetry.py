"""Measure how symmetric a map is."""

from __future__ import annotations

import numpy as np

from exporter.measures import measure
from exporter.measures.measured import Measured


@measure("symmetry", most=1.0, also=("mirror",))
def symmetry(level: Measured) -> float:
    """Share of the cells that equal their mirrored cell.

    The map is mirrored left to right, top to bottom, or turned by 180 degrees, whichever gives the
    largest share. 1: fully symmetric.
    """
    floor = level.walkable
    mirrored = (floor[:, ::-1], floor[::-1], floor[::-1, ::-1])
    return max(int(np.count_nonzero(floor == item)) for item in mirrored) / floor.size
