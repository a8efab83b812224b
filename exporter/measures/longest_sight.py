"""Measure the longest line of sight in a level."""

from __future__ import annotations

from math import sqrt

from exporter.grids.bits import pack_rows, shift_rows
from exporter.measures import measure
from exporter.measures.measured import Measured


@measure(
    "longest_sight",
    unit="cells",
    needs=("visibility",),
    source="longest radial of an isovist: Benedikt 1979",
    also=("sight_line",),
)
def longest_sight(level: Measured) -> float:
    """Largest distance between two floor cells of which one sees the other.

    Straight, in cells (Euclid); at most the radius of sight, and 0 if no cell sees another.
    """
    rows = pack_rows(level.sighted_floor)
    best = 0
    # A mutual table has a plane for one of two opposite offsets, which is enough here.
    for index, (dx, dy) in sorted(
        enumerate(level.sight.offsets.tolist()), key=lambda item: -_square(item[1])
    ):
        seen = level.sight.packed_plane(index) & rows
        if (seen & shift_rows(rows, -dx, -dy)).any():
            best = _square((dx, dy))
            break
    return sqrt(best)


def _square(offset: tuple[int, int] | list[int]) -> int:
    dx, dy = offset
    return dx * dx + dy * dy
