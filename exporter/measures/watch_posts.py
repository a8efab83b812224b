"""Choose few cells from which all floor is seen.

The method is greedy set cover (V. Chvatal, "A greedy heuristic for the set-covering problem",
1979): always take the cell that sees the most unseen cells; ties go to the first in reading order.
No fast algorithm is known to be better by more than a constant factor. The gain of a cell, the
number of unseen cells that it sees, is kept up to date: when a cell is first seen, the gain of each
cell that sees it drops by one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from exporter.kernels.visibility_viewers import COMPILED, retract
from exporter.measures import measure
from exporter.measures.maps import GREEN, RED, SKY, Label, OverlayMap, classes
from exporter.visibility.sums import viewer_counts

if TYPE_CHECKING:
    from exporter.measures.measured import Measured
    from exporter.visibility.table import VisibilityTable


@measure("watch_posts", needs=("visibility",), also=("guards",))
def posts(level: Measured) -> OverlayMap:
    """Cells that together see all floor, chosen greedily, with their order."""
    floor = level.sighted_floor
    chosen, unseen = watch_posts(level.sight, floor)
    mask = np.zeros(floor.shape, bool)
    for x, y in chosen:
        mask[y, x] = True
    displayed = classes((floor, "seen", SKY), (unseen, "unseen", RED), (mask, "post", GREEN))
    marks = tuple(Label(x, y, str(number)) for number, (x, y) in enumerate(chosen, 1))
    return replace(displayed, marks=marks)


# Called after each post with all posts so far, and the unseen cells.
TellPost = Callable[[list[tuple[int, int]], NDArray[np.bool_]], None]


def watch_posts(
    table: VisibilityTable,
    cells: NDArray[np.bool_],
    limit: int | None = None,
    tell: TellPost | None = None,
) -> tuple[list[tuple[int, int]], NDArray[np.bool_]]:
    """Choose few of `cells` from which all of them are seen.

    Args:
        table: The visibility of the level.
        cells: bool [height, width]: the cells to be seen, none of which blocks sight; posts are
            chosen among these.
        limit: The largest number of posts; None for no limit.
        tell: Called after each chosen post, if given.

    Returns:
        The posts (x, y) in the order of choice, and the cells left unseen.
    """
    unseen = cells & ~table.opaque
    candidates = unseen.copy()
    gains = np.where(candidates, _gains(table, unseen), 0).astype(np.int32)
    best = gains.max(axis=1)
    posts: list[tuple[int, int]] = []
    while limit is None or len(posts) < limit:
        y = int(best.argmax())
        if best[y] <= 0:
            break
        x = int(gains[y].argmax())
        posts.append((x, y))
        across, down = _fresh(table, unseen, x, y)
        unseen[down, across] = False
        lower(table, gains, across, down)
        # A viewer of a cell that a post sees is at most two radii away from the post.
        top, bottom = max(0, y - 2 * table.radius), y + 2 * table.radius + 1
        best[top:bottom] = gains[top:bottom].max(axis=1)
        if tell is not None:
            tell(posts, unseen)
    return posts, unseen


def _fresh(
    table: VisibilityTable, unseen: NDArray[np.bool_], x: int, y: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows and columns of the `unseen` cells that cell (x, y) sees.

    The cell itself, which does not block sight, is among them.
    """
    across, down = table.seen_cells(np.array([x]), np.array([y]))
    across, down = np.append(across, x), np.append(down, y)
    fresh = unseen[down, across]
    return across[fresh], down[fresh]


def _gains(table: VisibilityTable, cells: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return how many of `cells` each cell sees, itself included.

    None of `cells` blocks sight. The result is int32 [height, width].
    """
    if table.mutual:
        return viewer_counts(table, cells) + cells
    gains = cells.astype(np.int32)
    for index, (dx, dy) in enumerate(table.offsets.tolist()):
        y, x = np.nonzero(table.plane(index))
        gains[y, x] += cells[y + dy, x + dx]
    return gains


def lower(
    table: VisibilityTable,
    gains: NDArray[np.int32],
    x: NDArray[np.int64],
    y: NDArray[np.int64],
    loop: Callable[..., None] | None = retract if COMPILED else None,
) -> None:
    """Lower the gain of each cell by one for each given cell that it sees.

    The gain of a cell is the number of unseen cells that it sees. The given cells, at `x` and `y`,
    have just become seen. Gains of opaque cells have no meaning, but do not rise. `loop` is the
    compiled kernel; None uses numpy.
    """
    if loop is not None and table.blocks.size:
        offsets = table.offsets.astype(np.int32)
        x, y = np.ascontiguousarray(x, np.int64), np.ascontiguousarray(y, np.int64)
        bits = table.blocks.reshape(-1).data
        loop(bits, offsets.data, table.blocks.shape[1], table.mutual, x.data, y.data, gains.data)
        return
    across, down = table.viewing_cells(x, y)
    np.subtract.at(gains, (np.append(down, y), np.append(across, x)), 1)
