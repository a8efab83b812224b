"""Find the separate regions of the floor."""

from __future__ import annotations

import numpy as np

from exporter.measures import measure
from exporter.measures.maps import COLORS, GREY, OverlayMap, classes
from exporter.measures.measured import Measured

# The largest regions have a separate colour.
_OWN_COLORS = len(COLORS) - 1


@measure(
    "regions",
    number=lambda level: level.certificate.regions_after,
    source="connected components: Rosenfeld, Pfaltz 1966",
    also=("islands", "components", "connectivity"),
)
def separate_regions(level: Measured) -> OverlayMap:
    """Separate regions of floor, whose cells are connected by their sides."""
    regions = level.regions
    # Of equally large ones the first comes first.
    order = np.argsort(-regions.sizes, kind="stable") + 1
    kinds = [
        (regions.labels == number, f"region {rank}", COLORS[rank - 1])
        for rank, number in enumerate(order[:_OWN_COLORS].tolist(), 1)
    ]
    further = order[_OWN_COLORS:]
    if further.size:
        small = np.zeros(regions.count + 1, bool)
        small[further] = True
        kinds.append((small[regions.labels], f"{further.size} smaller regions", GREY))
    return classes(*kinds) if kinds else OverlayMap(np.zeros(regions.labels.shape, np.uint8))
