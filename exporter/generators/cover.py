"""Cover: share of the cells around a cell that do not see it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exporter.generators import Generated, Request, generator
from exporter.generators._derived import (
    GradedParameters,
    Levels,
    graded,
    source_of,
)
from exporter.model.level import HeightRange


@dataclass(frozen=True, kw_only=True)
class Cover(GradedParameters):
    """Share of the floor within the radius that does not see a floor cell.

    A cell without other floor within the radius has full cover.
    """

    levels: Levels = 4


@generator("cover", version=1, stage="derived", role="data", also=("hiding", "shelter"))
def generate(parameters: Cover, request: Request) -> Generated:
    """Compare the viewers of each cell with the cells within the radius."""
    from exporter.visibility.sums import circle_counts, viewer_counts

    parameters.check(request.width, request.height)
    source = source_of(parameters, request)
    near = circle_counts(source.table, source.floor).astype(np.int64)
    hidden = near - viewer_counts(source.table, source.floor)
    # In thousandths, rounded down; 1000 where nobody is near.
    share = np.where(near > 0, hidden * 1000 // np.maximum(near, 1), 1000).astype(np.int32)
    heights = HeightRange(0.0, 100.0, "%")
    return graded(share, 1000, parameters.levels, source.floor, "cover", heights)
