"""Measure how symmetric a map is."""

from __future__ import annotations

import numpy as np

from exporter.measures import measure
from exporter.measures.measured import Measured


@measure("symmetry", most=1.0, also=("mirror",))
def symmetry(level: Measured) -> float:
    """Share of the cells equal to their mirrored cell, in the best way.

    These are left to right, top to bottom, and a turn by 180 degrees. 1: fully symmetric.
    """
    floor = level.walkable
    mirrored = (floor[:, ::-1], floor[::-1], floor[::-1, ::-1])
    return max(int(np.count_nonzero(floor == item)) for item in mirrored) / floor.size
