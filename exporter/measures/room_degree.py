"""Measure the mean number of neighbours of a room."""

from __future__ import annotations

from exporter.measures import measure
from exporter.measures.measured import Measured


@measure(
    "room_degree",
    unit="rooms",
    source="average degree of a graph: 2 edges / nodes",
    also=("branching",),
)
def room_degree(level: Measured) -> float:
    """Mean number of neighbours of a room.

    Neighbours are connected rooms; two connections to the same room count once.
    """
    graph = level.room_map.graph
    return 2 * graph.edges / graph.count
