"""Where an ambush works."""

from __future__ import annotations

from exporter.overlays import overlay
from exporter.overlays._maps import RED, OverlayMap, classes
from exporter.overlays._subject import Subject
from exporter.visibility.hiding import ambush_cells


@overlay("ambush", needs=("visibility",))
def compute(subject: Subject) -> OverlayMap:
    """Floor that near floor sees, but hardly any farther away, as the layer `ambush` has it."""
    table = subject.sight
    return classes((ambush_cells(table, subject.measured.sighted_floor), "ambush", RED))
