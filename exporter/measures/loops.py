"""Count the obstacles that a player can walk around."""

from __future__ import annotations

import numpy as np

from exporter.measures import measure
from exporter.measures.measured import Measured


@measure(
    "loops",
    source="Euler's formula for 4-connected grids: Gray 1971",
    also=("cycles", "circuits", "holes"),
)
def loops(level: Measured) -> int:
    """Number of solid parts that one can walk around.

    A solid part is a group of cells without floor that share sides or corners, none of them at the
    border of the map. There are as many as independent cycles in the graph of floor cells
    and steps, squares of four cells left out: regions - cells + steps - squares.
    """
    floor = level.walkable
    down = np.count_nonzero(floor[1:] & floor[:-1])
    steps = down + np.count_nonzero(floor[:, 1:] & floor[:, :-1])
    squares = np.count_nonzero(floor[1:, 1:] & floor[1:, :-1] & floor[:-1, 1:] & floor[:-1, :-1])
    regions = level.certificate.regions_after
    return int(regions - level.floor_count + steps - squares)
