"""How many ways around there are from room to room."""

from __future__ import annotations

from exporter.grids.room_paths import room_cycles
from exporter.metrics import metric
from exporter.metrics._measured import Measured


@metric(
    "room_loops",
    source="circuit rank of a graph: Kirchhoff 1847",
)
def measure(measured: Measured) -> int:
    """Number of independent cycles in the graph of rooms.

    There are as many as pairs of neighbours - rooms + parts of the graph that hang together. Two
    ways between the same two rooms are no cycle.
    """
    return room_cycles(measured.room_map.graph)
