"""Sums over a visibility table: how many cells each cell sees.

Bits of many planes are added up 64 origins at a time: number k of a column of counters holds bit
k of every origin's count, and adding a plane carries from one to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from exporter.grids.bits import Words, unpack_rows

if TYPE_CHECKING:
    from exporter.visibility.table import VisibilityTable


def seen_counts(table: VisibilityTable) -> NDArray[np.int32]:
    """Return how many cells each cell sees, itself included: int32 [height, width]."""
    counts = count_planes(_planes(table), table.shape)
    counts[table.opaque] = 0
    counts += 1
    return counts


def _planes(table: VisibilityTable) -> Iterator[Words]:
    for index in range(len(table.offsets)):
        yield table.packed_plane(index)
        if table.mutual:
            yield table.packed_opposite(index)


def count_planes(planes: Iterator[Words], shape: tuple[int, int]) -> NDArray[np.int32]:
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
