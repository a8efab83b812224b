"""Choose few cells (watch posts) that together see all floor."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, Request, generator
from exporter.generators._derived import DerivedParameters, classes, measured
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer
from exporter.model.parameters import About, Within
from exporter.model.texts import count


@dataclass(frozen=True, kw_only=True)
class WatchPosts(DerivedParameters):
    """Cells for guards, cameras or torches that together see all floor.

    They are chosen greedily.
    """

    max_posts: Annotated[
        Annotated[int, Within(1, 1_000_000)] | None,
        About("Largest number of posts; default: as many as are needed to see all floor."),
    ] = None


def _shortfall(_: WatchPosts, layer: Layer) -> str:
    unseen = layer.report.get("unseen", 0)
    if not unseen:
        return ""
    floor, posts = layer.report.get("floor", 0), layer.report.get("posts", 0)
    by = count(posts, "post")
    return f"{unseen} of {floor} cells of floor are not seen by {by} (raise `max_posts`)"


@generator(
    "watch_posts",
    version=1,
    stage="sight",
    shortfall=_shortfall,
    role="data",
    also=("guards",),
)
def generate(parameters: WatchPosts, request: Request) -> Generated:
    """Choose cells that together see all floor; report floor left unseen."""
    from exporter.measures.watch_posts import watch_posts

    level = measured(parameters, request)
    floor = level.sighted_floor
    trace = request.trace

    def tell(posts: list[tuple[int, int]], unseen: NDArray[np.bool_]) -> None:
        if trace is not None:
            result = _marked(floor, posts, unseen)
            trace.frame("post", result.cells, result.tiles, number=len(posts))

    posts, unseen = watch_posts(
        level.sight, floor, parameters.max_posts, None if trace is None else tell
    )
    built = _marked(floor, posts, unseen)
    left = int(unseen.sum())
    return Generated(
        built.cells,
        built.tiles,
        complete=left == 0,
        report={"posts": len(posts), "unseen": left, "floor": int(floor.sum())},
    )


def _marked(
    floor: NDArray[np.bool_], posts: list[tuple[int, int]], unseen: NDArray[np.bool_]
) -> Generated:
    """Return a layer with tiles for `posts` (x, y), seen and unseen floor."""
    marks = np.where(floor, np.where(unseen, 1, 2), 0).astype(np.uint8)
    for x, y in posts:
        marks[y, x] = 3
    return classes(
        marks,
        (("unseen", "#803030a0"), ("seen", "#00000000"), ("post", "#30b050ff")),
    )
