"""How much of a map can be walked on."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured


@metric("floor", most=1.0, also=("density", "openings"))
def measure(measured: Measured) -> float:
    """Share of the cells that can be walked on."""
    return measured.floor_count / measured.cells
