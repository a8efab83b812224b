"""Measure distances between rooms: how many rooms or doors apart they are.

Rooms are numbered from 0, as in `exporter.model.level.Connection`. Distances in rooms are found by
breadth-first search (Moore, "The shortest path through a maze", 1959), distances in doors by the
same search with a double-ended queue, since a connection costs 0 or 1 ("0-1 BFS", after Dial,
Algorithm 360, 1969).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import UNREACHABLE
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Connection


@dataclass(frozen=True, slots=True)
class RoomGraph:
    """The graph of rooms: the neighbours of each room.

    Attributes:
        neighbours: For each room a mapping: the rooms that it is connected to, each with the number
            of doors between, 0 or 1; 1 only if every connection of the two has a door.
    """

    neighbours: tuple[Mapping[int, int], ...]

    @property
    def count(self) -> int:
        """The number of rooms."""
        return len(self.neighbours)

    @property
    def edges(self) -> int:
        """The number of connected pairs of rooms."""
        return sum(map(len, self.neighbours)) // 2


def room_graph(count: int, connections: Iterable[Connection]) -> RoomGraph:
    """Return the graph of rooms from their connections.

    Several connections between two rooms make one edge, which has a door if all of them have.

    >>> graph = room_graph(3, [Connection((0, 1), 4, 2, "door"), Connection((1, 2), 9, 2)])
    >>> [dict(one) for one in graph.neighbours]
    [{1: 1}, {0: 1, 2: 0}, {1: 0}]

    Args:
        count: The number of rooms.
        connections: The connections between rooms; those from a room to itself are ignored.

    Raises:
        ValueError: A connection leads to a room that does not exist.
    """
    neighbours: list[dict[int, int]] = [{} for _ in range(count)]
    for connection in connections:
        first, second = connection.rooms
        if not (0 <= first < count and 0 <= second < count):
            raise ValueError(
                f"a connection joins the rooms {connection.rooms}, but there are only {count} rooms"
            )
        if first != second:
            doors = min(int(connection.kind == "door"), neighbours[first].get(second, 1))
            neighbours[first][second] = neighbours[second][first] = doors
    return RoomGraph(tuple(neighbours))


def rooms_away(graph: RoomGraph, sources: Iterable[int]) -> NDArray[np.int32]:
    """Return how many connections each room is from the nearest source.

    `sources` are numbers of rooms. The result is int32 [rooms]; unreachable rooms are -1.
    """
    distances = np.full(graph.count, UNREACHABLE, np.int32)
    queue = deque(dict.fromkeys(sources))
    distances[list(queue)] = 0
    while queue:
        room = queue.popleft()
        for other in graph.neighbours[room]:
            if distances[other] == UNREACHABLE:
                distances[other] = distances[room] + 1
                queue.append(other)
    return distances


def doors_away(graph: RoomGraph, sources: Iterable[int]) -> NDArray[np.int32]:
    """Return the fewest doors on a path from any source to each room.

    `sources` are numbers of rooms. The result is int32 [rooms]; unreachable rooms are -1.
    """
    distances = np.full(graph.count, UNREACHABLE, np.int32)
    queue = deque((room, 0) for room in dict.fromkeys(sources))
    while queue:
        room, doors = queue.popleft()
        if distances[room] != UNREACHABLE:
            continue  # it was reached with as few doors before
        distances[room] = doors
        for other, further in graph.neighbours[room].items():
            if distances[other] == UNREACHABLE:
                if further:
                    queue.append((other, doors + 1))
                else:
                    queue.appendleft((other, doors))
    return distances


def rooms_between(
    graph: RoomGraph, first: Iterable[int], second: Iterable[int]
) -> NDArray[np.bool_]:
    """Return which rooms are on shortest paths from `first` to `second`.

    Both are numbers of rooms. A path may begin in any room of `first` and end in any of `second`;
    these are on the path, too. The result is bool [rooms], all False without a path.
    """
    there, back = rooms_away(graph, first), rooms_away(graph, second)
    both: NDArray[np.bool_] = (there != UNREACHABLE) & (back != UNREACHABLE)
    if not both.any():
        return both
    total = there + back
    result: NDArray[np.bool_] = both & (total == total[both].min())
    return result


def dead_end_rooms(graph: RoomGraph) -> NDArray[np.bool_]:
    """Return which rooms have exactly one neighbour in `graph`: bool [rooms]."""
    return np.array([len(neighbour) == 1 for neighbour in graph.neighbours], bool)


def room_cycles(graph: RoomGraph) -> int:
    """Return the number of independent cycles of `graph`.

    It is how many edges can be removed without disconnecting rooms.
    """
    parts = 0
    seen = [False] * graph.count
    for start in range(graph.count):
        if seen[start]:
            continue
        parts += 1
        seen[start], waiting = True, [start]
        while waiting:
            for other in graph.neighbours[waiting.pop()]:
                if not seen[other]:
                    seen[other] = True
                    waiting.append(other)
    return graph.edges - graph.count + parts
