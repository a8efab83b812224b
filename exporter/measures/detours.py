"""Measure how much of a level lies off the shortest path to its exit."""

from __future__ import annotations

import numpy as np

from exporter.grids.distances import distance_from
from exporter.measures import measure
from exporter.measures.critical_path import critical_walk
from exporter.measures.measured import Measured

# Steps from the critical path that are not yet a detour.
NEAR_STEPS = 8


@measure(
    "detours",
    most=1.0,
    arguments=("object", "object"),
    optional=True,
    needs=("objects",),
    also=("side_paths",),
)
def detours(level: Measured, first: str | None = None, second: str | None = None) -> float:
    """Share of the floor over 8 steps off every walk of `critical_path`.

    A cell counts as on the way if any shortest walk leads over it; of several equally near exits
    the one that was placed first counts. Floor that cannot be reached counts as off it.
    """
    walk = critical_walk(level, first, second)
    steps = distance_from(walk.cells, level.walkable)
    near = int(np.count_nonzero((steps >= 0) & (steps <= NEAR_STEPS)))
    return (level.floor_count - near) / level.floor_count
