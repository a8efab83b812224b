"""Compute a layer's certificate: proven facts about its walkable cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import distance_from
from exporter.grids.regions import Regions, label_regions
from exporter.kernels import warn_uncompiled
from exporter.kernels.connectivity import COMPILED, mark_chokes
from exporter.model.level import Certificate


def certify(
    walkable: NDArray[np.bool_],
    regions_before: int | None = None,
    cells_carved: int = 0,
    regions: Regions | None = None,
) -> Certificate:
    """Compute a certificate: number of regions, farthest cell, dead ends, ...

    Steps count from the first cell, row by row, of the largest region. The time is linear.

    Args:
        walkable: bool [height, width]: the walkable cells.
        regions_before: The number of regions before cells were opened to join them; None if no
            cells were opened.
        cells_carved: The number of cells opened to join regions.
        regions: The regions of `walkable`, if known.
    """
    regions = label_regions(walkable) if regions is None else regions
    start = first_cell(regions)
    farthest = 0
    if start is not None:
        source = np.zeros(walkable.shape, bool)
        source[start[1], start[0]] = True
        farthest = int(distance_from(source, walkable).max())
    return Certificate(
        regions_before=regions.count if regions_before is None else regions_before,
        regions_after=regions.count,
        cells_carved=cells_carved,
        floor=int(np.count_nonzero(walkable)),
        cells=int(walkable.size),
        farthest=farthest,
        start=start,
        dead_ends=int(np.count_nonzero(find_dead_ends(walkable))),
        chokes=int(np.count_nonzero(find_chokes(walkable))),
    )


def first_cell(regions: Regions) -> tuple[int, int] | None:
    """Return the first cell (x, y), row by row, of the largest region.

    Return None if there are no regions.
    """
    if regions.count == 0:
        return None
    position = int((regions.labels == regions.largest).argmax())
    y, x = divmod(position, regions.labels.shape[1])
    return x, y


def find_dead_ends(walkable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the walkable cells with exactly one walkable neighbour.

    A cell has four neighbours. Argument and result are bool [height, width].
    """
    height, width = walkable.shape
    stride = width + 2
    framed = np.zeros((height + 2, stride), np.uint8)
    framed[1:-1, 1:-1] = walkable
    # Added as one long row, which in a small map takes a fraction of the time.
    cells = framed.ravel()
    neighbours = cells[: -2 * stride] + cells[2 * stride :]
    neighbours += cells[stride - 1 : -stride - 1]
    neighbours += cells[stride + 1 : 1 - stride]
    dead_ends: NDArray[np.bool_] = neighbours.reshape(height, stride)[:, 1:-1] == 1
    dead_ends &= walkable
    return dead_ends


def find_chokes(walkable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the walkable cells whose removal would split their region.

    Argument and result are bool [height, width]; the time is linear.
    """
    height, width = walkable.shape
    stride = width + 2
    orders = np.zeros((height + 2, stride), np.int32)
    orders[1:-1, 1:-1] = walkable
    orders -= 1
    lows = np.empty(orders.size, np.int32)
    parents = np.empty(orders.size, np.int32)
    steps = np.zeros(orders.size, np.uint8)
    chokes = np.zeros(orders.shape, np.uint8)
    warn_uncompiled(COMPILED, "connectivity", orders.size, 700_000)
    mark_chokes(
        orders.ravel().data, lows.data, parents.data, steps.data, chokes.ravel().data, stride
    )
    return chokes[1:-1, 1:-1].astype(bool)
