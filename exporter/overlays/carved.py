"""Which cells were opened to join regions."""

from __future__ import annotations

import numpy as np

from exporter.overlays import overlay
from exporter.overlays._maps import ORANGE, OverlayMap, classes
from exporter.overlays._subject import Subject


@overlay("carved", argument="layer", also=("joins", "connected", "tunnels"))
def compute(subject: Subject) -> OverlayMap:
    """Cells that `connect` opened to join regions, of a layer or of all.

    The layer is generated once more without `connect` and compared, before hand edits.
    """
    named = subject.named_layer()
    layers = [named] if named is not None else list(subject.level.layers.values())
    opened = np.zeros((subject.level.height, subject.level.width), bool)
    for layer in layers:
        if not layer.grid_aligned:
            continue
        before = subject.build.separate_cells(layer.name)
        after = subject.build.generated_layer(layer.name).walkable
        if before is not None and after is not None:
            opened |= after & ~before
    return classes((opened, "opened to join regions", ORANGE))
