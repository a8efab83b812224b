"""Which cells lead nowhere."""

from __future__ import annotations

from exporter.grids.certificates import find_dead_ends
from exporter.overlays import overlay
from exporter.overlays._maps import PINK, OverlayMap, classes
from exporter.overlays._subject import Subject


@overlay("dead_ends")
def compute(subject: Subject) -> OverlayMap:
    """Floor cells with exactly one floor cell beside them (of four)."""
    return classes((find_dead_ends(subject.measured.walkable), "dead end", PINK))
