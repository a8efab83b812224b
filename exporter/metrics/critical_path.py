"""How long the shortest way through a level is."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured
from exporter.metrics._paths import critical_walk


@metric(
    "critical_path",
    unit="steps",
    arguments=("object", "object"),
    optional=True,
    needs=("objects",),
    source="shortest path by breadth-first search: Moore 1959",
    also=("main_path", "shortest_path"),
)
def measure(measured: Measured, first: str | None = None, second: str | None = None) -> int:
    """Steps of the shortest walk from the start to the exit, or from the first A to the nearest B.

    Without names, the start is the first placed object called `start`, `entrance`, `entry`,
    `spawn`, `player_start`, `player` or `stairs_up`, whichever of these names is used first in this
    order; the exit is the nearest one called `exit`, `goal`, `end`, `finish` or `stairs_down`.
    """
    return critical_walk(measured, first, second).steps
