"""Measure the share of the floor within some steps of the start."""

from __future__ import annotations

import numpy as np

from exporter.measures import measure
from exporter.measures.measured import Measured


@measure("reachable", most=1.0, arguments=("number",))
def reachable(level: Measured, steps: int) -> float:
    """Share of the floor within some steps of the start.

    The start is that of `farthest`: the first cell, row by row, of the largest region.
    """
    distances = level.steps_from_start
    near = np.count_nonzero((distances >= 0) & (distances <= steps))
    count = level.floor_count
    return int(near) / count if count else 0.0
