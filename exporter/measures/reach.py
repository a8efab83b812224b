"""Measure the steps from objects with a given name to each cell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from exporter.grids.walking import steps_from
from exporter.measures import measure
from exporter.measures.maps import Circle, OverlayMap
from exporter.measures.measured import Measured
from exporter.measures.steps import steps_map


@measure("reach", arguments=("object",), also=("steps_from",))
def reach(level: Measured, name: str) -> OverlayMap:
    """Walking steps from the nearest object of a name.

    The floor it cannot reach is a class of its own.

    An object in a wall counts from its adjacent cells.
    """
    cells = level.placed(name)
    sources = np.zeros(level.walkable.shape, bool)
    for x, y in cells:
        sources[y, x] = True
    result = steps_map(steps_from(sources, level.walkable), level.walkable)
    return replace(result, marks=tuple(Circle(x, y, 1) for x, y in cells))
