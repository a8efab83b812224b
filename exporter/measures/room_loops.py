"""Count the independent cycles in the room graph: ways to walk in loops."""

from __future__ import annotations

from exporter.grids.room_paths import room_cycles
from exporter.measures import measure
from exporter.measures.measured import Measured


@measure("room_loops", source="circuit rank of a graph: Kirchhoff 1847")
def room_loops(level: Measured) -> int:
    """Number of independent cycles in the graph of rooms.

    It is the number of pairs of neighbours - rooms + connected parts of the graph. Two connections
    between the same two rooms are no cycle.
    """
    return room_cycles(level.room_map.graph)
