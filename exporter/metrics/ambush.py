"""How many cells of a level are good for an ambush."""

from __future__ import annotations

import numpy as np

from exporter.metrics import metric
from exporter.metrics._measured import Measured
from exporter.visibility.hiding import ambush_cells


@metric(
    "ambush",
    most=1.0,
    needs=("visibility",),
    source="the layer `ambush`",
)
def measure(measured: Measured) -> float:
    """Share of the floor where an ambush works, as the layer `ambush` marks it by default.

    At least 6 floor cells within 3 cells see such a cell, and at most 10 % of the floor farther
    away, within the radius of sight.
    """
    floor = measured.sighted_floor
    count = int(np.count_nonzero(floor))
    marked = ambush_cells(measured.sight, floor)
    return int(np.count_nonzero(marked)) / count if count else 0.0
