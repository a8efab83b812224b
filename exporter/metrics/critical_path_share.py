"""How much of a level the shortest way through it needs."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured
from exporter.metrics._paths import critical_walk


@metric(
    "critical_path_share",
    most=1.0,
    arguments=("object", "object"),
    optional=True,
    needs=("objects",),
    source="shortest path by breadth-first search: Moore 1959",
)
def measure(measured: Measured, first: str | None = None, second: str | None = None) -> float:
    """Cells of a shortest walk of `critical_path`, both ends included, as a share of the floor."""
    return (critical_walk(measured, first, second).steps + 1) / measured.floor_count
