"""How much of a level lies off the shortest way through it."""

from __future__ import annotations

import numpy as np

from exporter.grids.distances import distance_from
from exporter.metrics import metric
from exporter.metrics._measured import Measured
from exporter.metrics._paths import critical_walk

# Steps from the critical path that are not yet a detour.
NEAR_STEPS = 8


@metric(
    "detours",
    most=1.0,
    arguments=("object", "object"),
    optional=True,
    needs=("objects",),
    also=("side_paths",),
)
def measure(measured: Measured, first: str | None = None, second: str | None = None) -> float:
    """Share of the floor that is more than 8 steps from every shortest walk of `critical_path`.

    A cell counts as on the way if any shortest walk leads over it; floor that cannot be reached
    counts as off it.
    """
    walk = critical_walk(measured, first, second)
    steps = distance_from(walk.cells, measured.walkable)
    near = int(np.count_nonzero((steps >= 0) & (steps <= NEAR_STEPS)))
    return (measured.floor_count - near) / measured.floor_count
