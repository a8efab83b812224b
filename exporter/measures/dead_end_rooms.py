"""Count the rooms with only one neighbour in the room graph."""

from __future__ import annotations

import numpy as np

from exporter.grids import room_paths
from exporter.measures import measure
from exporter.measures.measured import Measured


@measure("dead_end_rooms", unit="rooms")
def dead_end_rooms(level: Measured) -> int:
    """Number of rooms with exactly one neighbour.

    Neighbours are connected rooms; two connections to the same room count once.
    """
    return int(np.count_nonzero(room_paths.dead_end_rooms(level.room_map.graph)))
