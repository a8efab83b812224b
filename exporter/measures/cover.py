"""Measure how well cells are hidden from the floor around them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.measures import measure
from exporter.measures.maps import OverlayMap, scale
from exporter.measures.measured import Measured
from exporter.visibility.sums import circle_counts, viewer_counts


def cover_thousandths(level: Measured) -> NDArray[np.int32]:
    """Return which share of the nearby floor does not see each cell.

    The result is int32 [height, width], in thousandths, rounded down; 1000 without other floor
    nearby. Nearby cells are those within the radius of sight, without the cell itself.
    """
    near = circle_counts(level.sight, level.sighted_floor).astype(np.int64)
    hidden = near - viewer_counts(level.sight, level.sighted_floor)
    return np.where(near > 0, hidden * 1000 // np.maximum(near, 1), 1000).astype(np.int32)


def _mean(level: Measured) -> float:
    shares = cover_thousandths(level)[level.sighted_floor]
    return int(shares.sum(dtype=int)) / (1000 * shares.size) if shares.size else 0.0


@measure(
    "cover",
    number=_mean,
    most=1.0,
    needs=("visibility",),
    source="the layer `cover`",
    also=("shelter",),
)
def cover(level: Measured) -> OverlayMap:
    """Cover of the floor: share of the near floor that does not see a cell.

    As the layer `cover` has it: for each cell in whole thousandths, rounded down, and full where
    there is no other floor within the radius. The metric is the mean; the overlay has whole per
    cent.
    """
    return scale(cover_thousandths(level) // np.int32(10), level.sighted_floor, "%")
