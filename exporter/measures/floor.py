"""Measure the share of walkable cells."""

from __future__ import annotations

from exporter.measures import measure
from exporter.measures.measured import Measured


@measure("floor", most=1.0, also=("density", "openings"))
def floor(level: Measured) -> float:
    """Share of the cells that can be walked on."""
    return level.floor_count / level.cells
