"""Compute where rain water flows and gathers on a grid of heights.

Hollows are filled by a priority flood, and each cell drains to one of its eight neighbours; see
`exporter.kernels.drainage` for the methods and the order of ties.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.kernels import view, warn_uncompiled
from exporter.kernels.drainage import COMPILED, descend, flood
from exporter.model.lazy_dataclass import dataclass

_FRAME, _END = 1, 2
# A cell's neighbours (dx, dy), in the order in which they are tried.
_AROUND = ((0, -1), (0, 1), (1, 0), (-1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))
# The value of `down` for cells where water ends or leaves the map.
AWAY = -1


@dataclass(frozen=True, slots=True, eq=False)
class Drainage:
    """Where water flows on a grid of heights.

    Attributes:
        levels: int32 [height, width]: the height of the surface when all hollows are full of water;
            the height of the ground in dry cells.
        down: int32 [height, width]: the cell into which each cell drains, as `y * width + x`; -1 if
            water ends or leaves the map there.
        gathered: int32 [height, width]: the number of cells that drain through each, itself
            included.
    """

    levels: NDArray[np.int32]
    down: NDArray[np.int32]
    gathered: NDArray[np.int32]


def drain(heights: NDArray[np.int32], ends: NDArray[np.bool_]) -> Drainage:
    """Compute how water flows from each cell to a sink or the map's edge.

    Args:
        heights: int32 [height, width] from 0 to 65535.
        ends: bool [height, width]: the sinks, where water ends, such as the sea.
    """
    height, width = heights.shape
    stride = width + 2
    ground = np.zeros((height + 2, stride), np.int32)
    ground[1:-1, 1:-1] = heights
    outside = np.full((height + 2, stride), _FRAME, np.uint8)
    outside[1:-1, 1:-1] = np.where(ends, np.uint8(_END), np.uint8(0))
    closed = outside.copy()
    inner = closed[1:-1, 1:-1]
    inner[0] = inner[-1] = inner[:, 0] = inner[:, -1] = _END
    levels = ground.copy()
    down = np.full(ground.shape, AWAY, np.int32)
    order = np.empty(heights.size, np.int32)
    around = np.array([y * stride + x for x, y in _AROUND], np.int32)
    warn_uncompiled(COMPILED, "drainage", heights.size, 100_000)
    count = flood(
        view(ground.ravel()),
        view(closed.ravel()),
        view(levels.ravel()),
        view(down.ravel()),
        view(order),
        view(np.full(65536, -1, np.int32)),
        view(np.empty(65536, np.int32)),
        view(np.empty(ground.size, np.int32)),
        view(around),
    )
    gathered = np.ones(ground.shape, np.int32)
    descend(
        view(levels.ravel()),
        view(outside.ravel()),
        view(order),
        count,
        view(down.ravel()),
        view(gathered.ravel()),
        view(around),
    )
    framed = down[1:-1, 1:-1]
    inside = np.where(framed < 0, AWAY, framed - 2 * (framed // stride) - width - 1)
    return Drainage(levels[1:-1, 1:-1].copy(), inside.astype(np.int32), gathered[1:-1, 1:-1].copy())
