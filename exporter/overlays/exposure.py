"""How much is seen from where."""

from __future__ import annotations

import numpy as np

from exporter.overlays import overlay
from exporter.overlays._maps import OverlayMap, scale
from exporter.overlays._subject import Subject


@overlay("exposure", needs=("visibility",), also=("seen", "visible", "viewshed"))
def compute(subject: Subject) -> OverlayMap:
    """How many cells each floor cell sees, itself included, as the layer `exposure` counts them."""
    table = subject.sight
    return scale(table.count.astype(np.int32), subject.measured.sighted_floor, "cells")
