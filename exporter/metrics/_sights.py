"""Sums over the floor of a level that several metrics of sight share."""

from __future__ import annotations

from math import sqrt

from exporter.metrics._measured import Measured
from exporter.visibility.sums import circle_size


def exposures(measured: Measured) -> tuple[int, int, int, int, int]:
    """Return the floor cells, the sums of what they see and of its squares, the most, the circle.

    All in whole numbers, so that every platform agrees.
    """
    table, floor = measured.sight, measured.sighted_floor
    counts = table.count[floor].astype(int)
    most = int(counts.max()) if counts.size else 0
    squares = int((counts * counts).sum())
    return int(counts.size), int(counts.sum()), squares, most, circle_size(table)


def standard_deviation(count: int, total: int, squares: int) -> float:
    """Return the standard deviation of whole numbers, from their number, sum and squares' sum."""
    return sqrt(count * squares - total * total) / count if count else 0.0
