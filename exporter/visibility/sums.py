"""Sums over a visibility table: how many cells each cell sees, and how many see it.

Bits of many planes are added up 64 origins at a time: number k of a column of counters holds bit
k of every origin's count, and adding a plane carries from one to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from exporter.grids.bits import Words, pack_rows, shift_columns, unpack_rows

if TYPE_CHECKING:
    from exporter.visibility.table import VisibilityTable


def seen_counts(table: VisibilityTable) -> NDArray[np.int32]:
    """Return how many cells each cell sees, itself included: int32 [height, width]."""
    counts = _added((words for _, words in _planes(table)), table.shape)
    counts[table.opaque] = 0
    counts += 1
    return counts


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
    return _added(
        (
            moved(words & looking, dx, dy)
            for (dx, dy), words in _planes(table)
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
    return _added(
        (moved(rows, dx, dy) for dx, dy in offsets if dx * dx + dy * dy > beyond * beyond),
        table.shape,
    )


def moved(rows: Words, dx: int, dy: int) -> Words:
    """Return bit rows moved by an offset; what leaves the words or rows is lost."""
    result = np.zeros_like(rows)
    height = len(rows)
    if abs(dy) < height:
        source = rows[max(0, -dy) : height - max(0, dy)]
        result[max(0, dy) : height - max(0, -dy)] = shift_columns(source, -dx)
    return result


def _planes(table: VisibilityTable) -> Iterator[tuple[tuple[int, int], Words]]:
    """Yield every offset, of mutual tables the opposite ones too, and who sees there.

    Bits of opaque origins mean nothing.
    """
    for index, (dx, dy) in enumerate(table.offsets.tolist()):
        yield (dx, dy), table.packed_plane(index)
        if table.mutual:
            yield (-dx, -dy), table.packed_opposite(index)


def _added(planes: Iterable[Words], shape: tuple[int, int]) -> NDArray[np.int32]:
    """Return, for every cell, in how many planes its bit is set: int32 [height, width]."""
    counters: list[Words] = []
    for plane in planes:
        carry = plane
        for place, counter in enumerate(counters):
            counters[place], carry = counter ^ carry, counter & carry
            if not carry.any():
                break
        else:
            counters.append(carry)
    counts = np.zeros(shape, np.int32)
    for place, counter in enumerate(counters):
        counts += unpack_rows(counter, shape[1]).astype(np.int32) << place
    return counts
