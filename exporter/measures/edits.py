"""Show the cells that were edited by hand."""

from __future__ import annotations

import numpy as np

from exporter.measures import measure
from exporter.measures.maps import OverlayMap, classes
from exporter.measures.measured import Measured

# The colours of frames in pictures.
_EDIT, _CONFLICT = "#fad64c", "#e2353c"


@measure("edits", arguments=("layer",), optional=True, also=("conflicts",))
def edits(level: Measured, name: str | None = None) -> OverlayMap:
    """Cells edited by hand, and edits in conflict with the generated cell."""
    marked = level.making.edited_cells(level.aligned_layer(name).name if name else None)
    shape = level.level.height, level.level.width
    masks = {kind: np.zeros(shape, bool) for kind in ("edit", "conflict")}
    for (x, y), kind in marked.items():
        masks[kind][y, x] = True
    return classes(
        (masks["edit"], "edited by hand", _EDIT), (masks["conflict"], "conflict", _CONFLICT)
    )
