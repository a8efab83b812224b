"""The farthest cell of a map, and the way there."""

from __future__ import annotations

from exporter.overlays import overlay
from exporter.overlays._maps import Label, OverlayMap, Path
from exporter.overlays._subject import Subject
from exporter.overlays._walks import steps_map, walk_back


@overlay("farthest", also=("longest_walk", "diameter"))
def compute(subject: Subject) -> OverlayMap:
    """A shortest walk from the certificate's start to the farthest cell, and steps from there.

    The start is the first cell, row by row, of the largest region; of equally far cells it is the
    first one.
    """
    measured = subject.measured
    steps = measured.steps_from_start
    found = steps_map(steps, measured.walkable)
    if measured.start is None:
        return found
    y, x = divmod(int(steps.argmax()), steps.shape[1])
    label = Label(x, y, f"{int(steps[y, x])} steps")
    return OverlayMap(
        found.values, found.classes, found.scale, (Path(walk_back(steps, x, y)), label)
    )
