"""How many rooms have one neighbour."""

from __future__ import annotations

import numpy as np

from exporter.grids import room_paths
from exporter.metrics import metric
from exporter.metrics._measured import Measured


@metric("dead_end_rooms", unit="rooms")
def measure(measured: Measured) -> int:
    """Number of rooms with exactly one neighbour.

    Neighbours are rooms that a way leads to; two ways to the same room count once.
    """
    return int(np.count_nonzero(room_paths.dead_end_rooms(measured.room_map.graph)))
