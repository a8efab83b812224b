"""Show the cells that were opened to connect regions."""

from __future__ import annotations

import numpy as np

from exporter.measures import measure
from exporter.measures.maps import ORANGE, OverlayMap, classes
from exporter.measures.measured import Measured


@measure("carved", arguments=("layer",), optional=True, also=("joins", "connected", "tunnels"))
def carved(level: Measured, name: str | None = None) -> OverlayMap:
    """Cells that `connect` opened to join regions, of a layer or of all.

    The layer is generated once more without `connect` and compared, before hand edits.
    """
    layers = [level.aligned_layer(name)] if name else level.level.layers.values()
    opened = np.zeros((level.level.height, level.level.width), bool)
    for layer in layers:
        if not layer.grid_aligned:
            continue
        before = level.making.separate_cells(layer.name)
        after = level.making.generated_layer(layer.name).walkable
        if before is not None and after is not None:
            opened |= after & ~before
    return classes((opened, "opened to join regions", ORANGE))
