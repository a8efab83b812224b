"""Measure the walking steps from the start to each cell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import UNREACHABLE
from exporter.measures import measure
from exporter.measures.critical_path import STARTS
from exporter.measures.maps import RED, Circle, Mask, OverlayMap, scale
from exporter.measures.measured import Measured


def steps_map(steps: NDArray[np.int32], walkable: Mask) -> OverlayMap:
    """Make an overlay of walking steps, with a class for unreachable floor.

    `steps` is int32 [height, width], -1 for unreachable cells; `walkable` is the floor.
    """
    reached = steps != UNREACHABLE
    return scale(steps, reached, "steps", [(walkable & ~reached, "cannot be reached", RED)])


@measure("steps", also=("distance",))
def steps(level: Measured) -> OverlayMap:
    """Walking steps from the start to every cell.

    The start is the first object that is called like one (`start`, `entrance`, `spawn`, `player`,
    ...), else the first cell, row by row, of the largest region.
    """
    name = next((start for start in STARTS if start in level.objects), None)
    sources = level.objects[name][:1] if name is not None else []
    if not sources and level.start is not None:
        sources = [level.start]
    result = steps_map(level.steps_from(sources), level.walkable)
    return replace(result, marks=tuple(Circle(x, y, 1) for x, y in sources))
