"""Measure how much of the floor is seen from each cell."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from exporter.measures import measure
from exporter.measures.maps import OverlayMap, scale
from exporter.measures.measured import Measured
from exporter.visibility.sums import circle_size

ISOVIST = "isovist area: Benedikt 1979"


@measure("exposure", needs=("visibility",), also=("seen", "visible", "viewshed"))
def exposure(level: Measured) -> OverlayMap:
    """Number of cells that each floor cell sees, itself included."""
    return scale(level.sight.count.astype(np.int32), level.sighted_floor, "cells")


@measure(
    "exposure_mean",
    most=1.0,
    needs=("visibility",),
    source=ISOVIST,
    also=("exposure", "mean_exposure", "visibility", "fov"),
)
def mean(level: Measured) -> float:
    """Mean share of a full circle of sight that a floor cell sees.

    Cells that are seen count whether they are floor or not, as does the cell itself; the circle has
    as many cells as are seen on an empty map. Floor that blocks sight is left out.
    """
    counts = _counts(level)
    return int(counts.sum()) / (counts.size * circle_size(level.sight)) if counts.size else 0.0


@measure("exposure_max", most=1.0, needs=("visibility",), source=ISOVIST)
def greatest(level: Measured) -> float:
    """Largest share of a full circle of sight that a floor cell sees."""
    return int(_counts(level).max(initial=0)) / circle_size(level.sight)


@measure(
    "exposure_spread", most=1.0, needs=("visibility",), source=ISOVIST, also=("exposure_deviation",)
)
def spread(level: Measured) -> float:
    """Standard deviation of the floor cells' shares of a circle of sight."""
    counts = _counts(level)
    if not counts.size:
        return 0.0
    # In whole numbers, so that every platform agrees.
    total, squares = int(counts.sum()), int((counts * counts).sum())
    deviation = sqrt(counts.size * squares - total * total) / counts.size
    return deviation / circle_size(level.sight)


def _counts(level: Measured) -> NDArray[np.int64]:
    return level.sight.count[level.sighted_floor].astype(np.int64)
