"""Find cells for an ambush: seen by nearby floor, hardly by farther floor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.measures import measure
from exporter.measures.maps import RED, Mask

if TYPE_CHECKING:
    from exporter.measures.measured import Measured

# Defaults of a cell for an ambush.
NEAR_RADIUS = 3
MIN_NEAR_CELLS = 6
MAX_FAR_PERCENT = 10


@measure(
    "ambush", most=1.0, shown=("ambush", RED), needs=("visibility",), source="the layer `ambush`"
)
def ambush(
    level: Measured,
    near_radius: int = NEAR_RADIUS,
    min_near_cells: int = MIN_NEAR_CELLS,
    max_far_percent: int = MAX_FAR_PERCENT,
) -> Mask:
    """Floor that near floor sees, but hardly any farther away.

    At least 6 floor cells within 3 cells see such a cell, and at most 10 % of the floor farther
    away, within the radius of sight; as a share of the floor.
    """
    from exporter.visibility.sums import circle_counts, viewer_counts

    table, floor = level.sight, level.sighted_floor
    far = viewer_counts(table, floor, beyond=near_radius).astype(int)
    near = viewer_counts(table, floor) - far
    farther = circle_counts(table, floor, beyond=near_radius)
    hidden = far * 100 <= farther * max_far_percent
    result: Mask = floor & (near >= min_near_cells) & hidden
    return result
