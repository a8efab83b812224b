"""How much of a map is near its start."""

from __future__ import annotations

import numpy as np

from exporter.metrics import metric
from exporter.metrics._measured import Measured


@metric("reachable", most=1.0, arguments=("number",))
def measure(measured: Measured, steps: int) -> float:
    """Share of the floor that can be reached within so many steps of the start.

    The start is that of `farthest`: the first cell, row by row, of the largest region.
    """
    distances = measured.steps_from_start
    near = np.count_nonzero((distances >= 0) & (distances <= steps))
    count = measured.floor_count
    return int(near) / count if count else 0.0
