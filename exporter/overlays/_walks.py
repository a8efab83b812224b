"""Overlays of walking distances share this: numbers of steps, and a way back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import UNREACHABLE
from exporter.grids.walking import HERE, NOWHERE, flow
from exporter.overlays._maps import RED, OverlayMap, scale

# What one step in each direction of a flow is: north, east, south, west.
_MOVES = ((0, -1), (1, 0), (0, 1), (-1, 0))


def steps_map(steps: NDArray[np.int32], walkable: NDArray[np.bool_]) -> OverlayMap:
    """Return steps as an overlay; floor that no walk reaches is a class.

    Args:
        steps: int32 [height, width], -1 where no walk leads.
        walkable: bool [height, width].
    """
    reached = steps != UNREACHABLE
    return scale(steps, reached, "steps", [(walkable & ~reached, "cannot be reached", RED)])


def walk_back(steps: NDArray[np.int32], x: int, y: int) -> tuple[tuple[int, int], ...]:
    """Return the cells of a shortest walk from the nearest source to a cell, both included.

    Where several neighbours are nearer, the walk back takes the first of north, east, south, west.
    """
    directions = flow(steps)
    cells = [(x, y)]
    while directions[y, x] not in (HERE, NOWHERE):
        dx, dy = _MOVES[int(directions[y, x])]
        x, y = x + dx, y + dy
        cells.append((x, y))
    return tuple(reversed(cells))
