"""How many cells of a map everybody must pass."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured


@metric(
    "chokes",
    unit="cells",
    source="articulation points: Hopcroft, Tarjan 1973",
    also=("bottlenecks",),
)
def measure(measured: Measured) -> int:
    """Number of floor cells whose removal splits their region."""
    return measured.certificate.chokes
