"""Few cells that together see everything."""

from __future__ import annotations

import numpy as np

from exporter.overlays import overlay
from exporter.overlays._maps import GREEN, RED, SKY, Label, OverlayMap, classes
from exporter.overlays._subject import Subject
from exporter.visibility.posts import watch_posts


@overlay("watch_posts", needs=("visibility",), also=("guards",))
def compute(subject: Subject) -> OverlayMap:
    """Cells that together see all floor, chosen greedily, with their order."""
    table = subject.sight
    floor = subject.measured.sighted_floor
    posts, unseen = watch_posts(table, floor)
    chosen = np.zeros(floor.shape, bool)
    for x, y in posts:
        chosen[y, x] = True
    marks = tuple(Label(x, y, str(number)) for number, (x, y) in enumerate(posts, 1))
    shown = classes((floor, "seen", SKY), (unseen, "unseen", RED), (chosen, "post", GREEN))
    return OverlayMap(shown.values, shown.classes, None, marks)
