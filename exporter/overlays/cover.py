"""Where one is not seen."""

from __future__ import annotations

import numpy as np

from exporter.overlays import overlay
from exporter.overlays._maps import OverlayMap, scale
from exporter.overlays._subject import Subject
from exporter.visibility.hiding import cover_thousandths


@overlay("cover", needs=("visibility",), also=("shelter",))
def compute(subject: Subject) -> OverlayMap:
    """Share of the floor within the radius of sight that does not see a floor cell.

    In whole per cent, rounded down; full where there is no other floor within the radius.
    """
    table = subject.sight
    floor = subject.measured.sighted_floor
    shares = cover_thousandths(table, floor) // np.int32(10)
    return scale(shares, floor, "%")
