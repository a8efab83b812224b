"""How many doors lie between the start of a level and its exit."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured
from exporter.metrics._paths import ends_of_level, fewest_doors


@metric(
    "critical_path_doors",
    unit="doors",
    arguments=("object", "object"),
    optional=True,
    needs=("objects",),
    source="shortest path with ways of length 0 and 1: Dial 1969",
    also=("doors", "door_count"),
)
def measure(measured: Measured, first: str | None = None, second: str | None = None) -> int:
    """Doors on the walk from the start to the exit with the fewest, or from the first A to a B.

    Walks go from room to room along the ways between them; a way with doors counts as one door.
    Start and exit are as in `critical_path`, and stand in rooms; of several exits it is the one
    behind the fewest doors.
    """
    return fewest_doors(measured, *ends_of_level(measured, first, second))
