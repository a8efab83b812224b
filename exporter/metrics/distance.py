"""How far objects are from each other."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured
from exporter.metrics._paths import steps_between


@metric(
    "distance",
    unit="steps",
    arguments=("object", "object"),
    needs=("objects",),
    source="shortest path by breadth-first search: Moore 1959",
    also=("path_length", "steps_between", "separation"),
)
def measure(measured: Measured, first: str, second: str) -> int:
    """Steps of the shortest walk from the first placed object A to the nearest object B.

    A step goes to one of four neighbours. `distance.chest.chest` leads to the nearest other chest.
    """
    _, _, steps = steps_between(measured, first, second)
    return steps
