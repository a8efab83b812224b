"""Which cells hang together."""

from __future__ import annotations

import numpy as np

from exporter.overlays import overlay
from exporter.overlays._maps import COLORS, GREY, OverlayMap, classes
from exporter.overlays._subject import Subject

# The largest regions have a colour of their own.
_OWN_COLORS = len(COLORS) - 1


@overlay("regions", also=("islands", "components", "connectivity"))
def compute(subject: Subject) -> OverlayMap:
    """Regions of floor that hang together by their sides, the largest first."""
    regions = subject.measured.regions
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
