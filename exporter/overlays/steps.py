"""How far every cell is from the start."""

from __future__ import annotations

from exporter.metrics._paths import STARTS
from exporter.overlays import overlay
from exporter.overlays._maps import Circle, OverlayMap
from exporter.overlays._subject import Subject
from exporter.overlays._walks import steps_map


@overlay("steps", also=("distance",))
def compute(subject: Subject) -> OverlayMap:
    """Walking steps from the start to every cell.

    The start is the first object that is called like one (`start`, `entrance`, `spawn`, `player`,
    ...), else the first cell, row by row, of the largest region.
    """
    measured = subject.measured
    name = next((one for one in STARTS if one in measured.objects), None)
    sources = measured.objects[name][:1] if name is not None else []
    if not sources and measured.start is not None:
        sources = [measured.start]
    found = steps_map(measured.steps_from(sources), measured.walkable)
    marks = tuple(Circle(x, y, 1) for x, y in sources)
    return OverlayMap(found.values, found.classes, found.scale, marks)
