"""Watch posts: few cells that together see all floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from exporter.generators import Generated, Request, generator
from exporter.generators._derived import DerivedParameters, classes, source_of
from exporter.model.parameters import About, Within


@dataclass(frozen=True, kw_only=True)
class WatchPosts(DerivedParameters):
    """Cells for guards, cameras or torches: as few as a greedy choice finds, they see all floor."""

    limit: Annotated[
        Annotated[int, Within(1, 1_000_000)] | None,
        About("The most posts; by default as many as it takes to see everything."),
    ] = None


@generator("watch_posts", version=1, stage="derived")
def generate(parameters: WatchPosts, request: Request) -> Generated:
    """Choose the posts; the layer is incomplete if the limit left some floor unseen."""
    from exporter.visibility.posts import watch_posts

    source = source_of(parameters, request)
    posts, unseen = watch_posts(source.table, source.floor, parameters.limit)
    marks = np.where(source.floor, np.where(unseen, 1, 2), 0).astype(np.uint8)
    for x, y in posts:
        marks[y, x] = 3
    made = classes(
        marks,
        (("unseen", "#803030a0"), ("seen", "#00000000"), ("post", "#30b050ff")),
    )
    left = int(unseen.sum())
    return Generated(
        made.cells,
        made.tiles,
        complete=left == 0,
        report={"posts": len(posts), "unseen": left, "floor": int(source.floor.sum())},
    )
