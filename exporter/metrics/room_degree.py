"""How many ways lead out of a room."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured


@metric(
    "room_degree",
    unit="rooms",
    source="average degree of a graph: 2 edges / nodes",
    also=("branching",),
)
def measure(measured: Measured) -> float:
    """Mean number of neighbours of a room.

    Neighbours are rooms that a way leads to; two ways to the same room count once.
    """
    graph = measured.room_map.graph
    return 2 * graph.edges / graph.count
