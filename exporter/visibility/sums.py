"""Count, from a visibility table, the viewers of each cell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.grids.bits import pack_rows, shift_rows, sum_planes
from exporter.kernels.visibility_viewers import COMPILED, retract
from exporter.visibility.table import VisibilityTable

# Up to this many viewers, going through them one by one is faster than bit rows are.
_FEW_VIEWERS = 8192
# An offset that leads out of every map.
_OUTSIDE = 1 << 24


def viewer_counts(
    table: VisibilityTable, viewers: NDArray[np.bool_], beyond: int = 0
) -> NDArray[np.int32]:
    """Count how many of `viewers` see each cell: int32 [height, width].

    Args:
        table: The visibility of a map.
        viewers: bool [height, width], the cells that see; opaque ones see only themselves.
        beyond: Count only viewers farther than this from the cell, so that
            dx * dx + dy * dy > beyond * beyond; with 0, a cell does not count as its own viewer.
    """
    looking_cells = viewers & ~table.opaque
    if COMPILED and table.mutual and np.count_nonzero(looking_cells) <= _FEW_VIEWERS:
        return _counts_of_few(table, looking_cells, beyond)
    looking = pack_rows(looking_cells)
    return sum_planes(
        (
            shift_rows(words & looking, dx, dy)
            for (dx, dy), words in table.planes()
            if dx * dx + dy * dy > beyond * beyond
        ),
        table.shape,
    )


def circle_counts(
    table: VisibilityTable, cells: NDArray[np.bool_], beyond: int = 0
) -> NDArray[np.int32]:
    """Count those of `cells` within sight's radius of each cell, seen or not.

    The result is int32 [height, width]; a cell never counts itself. Only cells farther than
    `beyond` count: dx * dx + dy * dy > beyond * beyond.
    """
    offsets = [(dx, dy) for dx, dy in table.offsets.tolist()]
    if table.mutual:
        offsets += [(-dx, -dy) for dx, dy in offsets]
    height, width = cells.shape
    radius = table.radius
    # How many of the cells lie before a column, with a margin on both sides.
    before = np.zeros((height, width + 2 * radius + 1), np.int32)
    before[:, 1:] = np.cumsum(np.pad(cells, ((0, 0), (radius, radius))), axis=1, dtype=np.int32)
    counts = np.zeros(cells.shape, np.int32)
    for dy, first, last in _runs(offsets, beyond):
        if abs(dy) >= height:
            continue
        # A cell at an offset lies in the opposite direction of who is counted.
        rows = before[max(0, -dy) : height - max(0, dy)]
        to, since = radius - first + 1, radius - last
        counts[max(0, dy) : height - max(0, -dy)] += (
            rows[:, to : to + width] - rows[:, since : since + width]
        )
    return counts


def _runs(offsets: list[tuple[int, int]], beyond: int) -> list[tuple[int, int, int]]:
    """Return runs of adjacent offsets in a row, as (dy, first dx, last dx).

    Offsets no farther than `beyond` are left out.
    """
    runs: list[tuple[int, int, int]] = []
    for dy, dx in sorted((dy, dx) for dx, dy in offsets if dx * dx + dy * dy > beyond * beyond):
        if runs and runs[-1][0] == dy and runs[-1][2] == dx - 1:
            runs[-1] = dy, runs[-1][1], dx
        else:
            runs.append((dy, dx, dx))
    return runs


def _counts_of_few(
    table: VisibilityTable, looking: NDArray[np.bool_], beyond: int
) -> NDArray[np.int32]:
    """Count how many of the cells `looking` see each cell, one by one.

    Viewers no farther than `beyond` do not count. Only for mutual tables, in which seen cells are
    viewers; quick if few cells look.
    """
    lowered = np.zeros(table.shape, np.int32)
    y, x = np.nonzero(looking)
    if table.blocks.size:
        offsets = table.offsets.astype(np.int32)
        near = (offsets * offsets).sum(axis=1) <= beyond * beyond
        offsets[near] = _OUTSIDE
        blocks = np.ascontiguousarray(table.blocks)
        retract(
            blocks.reshape(-1).data,
            offsets.data,
            blocks.shape[1],
            True,
            x.astype(np.int64).data,
            y.astype(np.int64).data,
            lowered.data,
        )
        # Everybody sees themselves, which is not counted here.
        lowered[looking] += 1
    return -lowered


def circle_size(table: VisibilityTable) -> int:
    """Return how many cells a cell would see, itself included, without walls."""
    return len(table.offsets) * (2 if table.mutual else 1) + 1
