"""How far every cell is from the objects of a name."""

from __future__ import annotations

from exporter.overlays import overlay
from exporter.overlays._maps import Circle, OverlayMap
from exporter.overlays._subject import Subject
from exporter.overlays._walks import steps_map
from exporter.placement.board import walking_steps


@overlay("reach", argument="object", also=("steps_from",))
def compute(subject: Subject) -> OverlayMap:
    """Walking steps from the nearest object of a name, and the floor that it cannot reach.

    An object that stands in a wall counts from the cells beside it.
    """
    walkable = subject.measured.walkable
    cells = subject.named_objects()
    width = walkable.shape[1]
    steps = walking_steps(walkable, [y * width + x for x, y in cells], aside=False)
    found = steps_map(steps, walkable)
    marks = tuple(Circle(x, y, 1) for x, y in cells)
    return OverlayMap(found.values, found.classes, found.scale, marks)
