"""Find the farthest cell of a map, and the path to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.grids.walking import HERE, NOWHERE, flow
from exporter.measures import measure
from exporter.measures.maps import Label, OverlayMap, Path
from exporter.measures.measured import Cell, Measured
from exporter.measures.steps import steps_map

# The step of each direction of a flow: north, east, south, west.
_MOVES = ((0, -1), (1, 0), (0, 1), (-1, 0))


@measure(
    "farthest",
    number=lambda level: level.certificate.farthest,
    unit="steps",
    source="eccentricity of a vertex in a graph",
    also=("longest_walk", "diameter", "depth"),
)
def farthest(level: Measured) -> OverlayMap:
    """Steps from the start to the farthest cell that can be reached from it.

    The start is the first cell, row by row, of the largest region; of equally far cells it is the
    first one. The overlay shows a shortest walk to it.
    """
    steps = level.steps_from_start
    result = steps_map(steps, level.walkable)
    if level.start is None:
        return result
    y, x = divmod(int(steps.argmax()), steps.shape[1])
    label = Label(x, y, f"{int(steps[y, x])} steps")
    return replace(result, marks=(Path(_walk_back(steps, x, y)), label))


def _walk_back(steps: NDArray[np.int32], x: int, y: int) -> tuple[Cell, ...]:
    """Return the cells of a shortest walk to (x, y) from where `steps` is 0.

    The walk is traced from its end: of several neighbours nearer to the start, the first of north,
    east, south, west is taken.
    """
    directions = flow(steps)
    cells = [(x, y)]
    while directions[y, x] not in (HERE, NOWHERE):
        dx, dy = _MOVES[int(directions[y, x])]
        x, y = x + dx, y + dy
        cells.append((x, y))
    return tuple(reversed(cells))
