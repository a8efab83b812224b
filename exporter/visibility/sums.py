"""Sums over a visibility table: how many of some cells see each cell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.grids.bits import pack_rows, shift_rows, sum_planes
from exporter.visibility.table import VisibilityTable


def viewer_counts(
    table: VisibilityTable, viewers: NDArray[np.bool_], beyond: int = 0
) -> NDArray[np.int32]:
    """Return how many of some cells see each cell: int32 [height, width].

    Args:
        table: The table.
        viewers: bool [height, width], the cells that look; opaque ones see only themselves.
        beyond: Count only viewers farther than this from the cell, so that
            dx * dx + dy * dy > beyond * beyond; with 0, a cell does not count as its own viewer.
    """
    looking = pack_rows(viewers & ~table.opaque)
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
    """Return how many of some cells lie within a table's offsets of each cell, seen or not.

    int32 [height, width]; `beyond` as for `viewer_counts`. A cell does not count for itself.
    """
    rows = pack_rows(cells)
    offsets = [(dx, dy) for dx, dy in table.offsets.tolist()]
    if table.mutual:
        offsets += [(-dx, -dy) for dx, dy in offsets]
    return sum_planes(
        (shift_rows(rows, dx, dy) for dx, dy in offsets if dx * dx + dy * dy > beyond * beyond),
        table.shape,
    )
