"""How many ways of a map lead nowhere."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured


@metric("dead_ends", unit="cells")
def measure(measured: Measured) -> int:
    """Number of floor cells with exactly one floor cell beside them (of four)."""
    return measured.certificate.dead_ends
