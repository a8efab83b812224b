"""Which cells were edited by hand."""

from __future__ import annotations

import numpy as np

from exporter.overlays import overlay
from exporter.overlays._maps import OverlayMap, classes
from exporter.overlays._subject import Subject

# Those of the frames in pictures.
_EDIT, _CONFLICT = "#fad64c", "#e2353c"


@overlay("edits", argument="layer", also=("conflicts",))
def compute(subject: Subject) -> OverlayMap:
    """Cells that were edited by hand, and edits whose generated cell has changed since."""
    named = subject.named_layer()
    marked = subject.build.edited_cells(None if named is None else named.name)
    shape = subject.level.height, subject.level.width
    masks = {kind: np.zeros(shape, bool) for kind in ("edit", "conflict")}
    for (x, y), kind in marked.items():
        masks[kind][y, x] = True
    return classes(
        (masks["edit"], "edited by hand", _EDIT), (masks["conflict"], "conflict", _CONFLICT)
    )
