"""Measure how open the floor of a map is."""

from __future__ import annotations

import numpy as np

from exporter.measures import measure
from exporter.measures.measured import Measured


@measure("openness", most=1.0, also=("open_space",))
def openness(level: Measured) -> float:
    """Mean share of floor among the eight cells around a floor cell.

    Cells outside the map are no floor.
    """
    floor = level.walkable
    # Each pair of floor cells that share a side or a corner counts for both of them.
    pairs = (
        np.count_nonzero(floor[1:] & floor[:-1])
        + np.count_nonzero(floor[:, 1:] & floor[:, :-1])
        + np.count_nonzero(floor[1:, 1:] & floor[:-1, :-1])
        + np.count_nonzero(floor[1:, :-1] & floor[:-1, 1:])
    )
    count = level.floor_count
    return int(pairs) / (4 * count) if count else 0.0
