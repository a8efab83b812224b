"""Which cells everybody must pass."""

from __future__ import annotations

from exporter.grids.certificates import find_chokes
from exporter.overlays import overlay
from exporter.overlays._maps import RED, OverlayMap, classes
from exporter.overlays._subject import Subject


@overlay("chokes", also=("bottlenecks",))
def compute(subject: Subject) -> OverlayMap:
    """Floor cells whose removal splits their region."""
    return classes((find_chokes(subject.measured.walkable), "choke", RED))
