"""Map each cell of a level to its room, and list connected rooms.

The rooms of all walkable layers are merged into one map, which placement and measures both use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.grids.room_graph import room_labels
from exporter.grids.room_paths import RoomGraph, room_graph
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Connection, Layer, Room

# The number of cells that are in no room.
NO_ROOM = -1


@dataclass(frozen=True, slots=True, eq=False)
class RoomMap:
    """The rooms of a map and the graph of their connections.

    Attributes:
        numbers: int32 [height, width]: the number of each cell's room, from 0; -1 outside rooms, as
            in corridors. An unwalkable cell belongs to an adjacent room: the first of above, left,
            right, below.
        rooms: The rooms by number, layer after layer.
        graph: The connections between rooms.
    """

    numbers: NDArray[np.int32]
    rooms: tuple[Room, ...]
    graph: RoomGraph

    def cells(self, rooms: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the cells in the rooms whose number is True in `rooms`.

        `rooms` is bool [number of rooms], the result bool [height, width].
        """
        # The last entry, at -1, is for cells in no room.
        result: NDArray[np.bool_] = np.append(rooms, False)[self.numbers]
        return result

    def names(self, rooms: Iterable[int]) -> list[str]:
        """Return the names of the rooms with the numbers `rooms`."""
        return [self.rooms[number].name for number in rooms]


def room_map(layers: Sequence[Layer]) -> RoomMap | None:
    """Return the room map of `layers`, all of one size; None without rooms.

    A cell in rooms of several layers belongs to the room of the last layer, which is on top.
    """
    rooms: list[Room] = []
    connections: list[Connection] = []
    numbers: NDArray[np.int32] | None = None
    for layer in layers:
        if not layer.rooms:
            continue
        first = len(rooms)
        walkable = layer.walkable
        if walkable is None:
            walkable = np.ones(layer.cells.shape, bool)
        # Things in walls, such as torches, belong to a room as well.
        labels = _with_walls(room_labels(walkable, layer.rooms), walkable)
        own = np.where(labels > 0, labels + np.int32(first - 1), np.int32(NO_ROOM))
        numbers = own if numbers is None else np.where(labels > 0, own, numbers)
        rooms += layer.rooms
        connections += [
            Connection(
                (connection.rooms[0] + first, connection.rooms[1] + first),
                connection.x,
                connection.y,
                connection.kind,
            )
            for connection in layer.connections
        ]
    if numbers is None:
        return None
    return RoomMap(numbers, tuple(rooms), room_graph(len(rooms), connections))


def _with_walls(labels: NDArray[np.int32], walkable: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return `labels` with unwalkable cells added to adjacent rooms.

    A cell of no room (0) gets the label of the first neighbour in a room: above, left, right,
    below.
    """
    framed = np.pad(labels, 1)
    result = labels
    for beside in (framed[:-2, 1:-1], framed[1:-1, :-2], framed[1:-1, 2:], framed[2:, 1:-1]):
        result = np.where((result == 0) & ~walkable, beside, result)
    return result
