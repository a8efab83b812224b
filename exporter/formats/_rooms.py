"""Describe a layer's rooms for games, each with neighbours and doors."""

from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np

from exporter.grids.room_graph import room_labels
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Connection, Layer, Room


@dataclass(frozen=True, slots=True)
class RoomNode:
    """A room of a layer, with its neighbours and doors.

    Attributes:
        room: The room.
        neighbours: Connected rooms, as ascending indices in the layer's `rooms`.
        doors: The cells (x, y) of doors in the room and at its edge, in reading order.
    """

    room: Room
    neighbours: tuple[int, ...]
    doors: tuple[tuple[int, int], ...]


def layer_rooms(layer: Layer) -> list[RoomNode]:
    """Return the rooms of `layer`, in order, with neighbours and doors."""
    neighbours: list[set[int]] = [set() for _ in layer.rooms]
    for connection in layer.connections:
        first, second = connection.rooms
        if first != second:
            neighbours[first].add(second)
            neighbours[second].add(first)
    doors = _doors(layer)
    return [
        RoomNode(room, tuple(sorted(neighbours[index])), tuple(doors[index]))
        for index, room in enumerate(layer.rooms)
    ]


def rooms_json(layer: Layer) -> str:
    """Return the rooms and connections of `layer` as JSON.

    The keys have the same names as in blobs; rooms also have `neighbours` and `doors`.
    """
    rooms = [
        {
            "name": node.room.name,
            "x": node.room.x,
            "y": node.room.y,
            "width": node.room.width,
            "height": node.room.height,
            "center": node.room.center,
            "neighbours": node.neighbours,
            "doors": node.doors,
        }
        for node in layer_rooms(layer)
    ]
    document = {"rooms": rooms, "connections": list(_ways(layer.connections))}
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def _ways(connections: Iterable[Connection]) -> Iterable[dict[str, object]]:
    for connection in connections:
        yield {
            "rooms": connection.rooms,
            "x": connection.x,
            "y": connection.y,
            "kind": connection.kind,
        }


def _doors(layer: Layer) -> list[list[tuple[int, int]]]:
    """Return, for each room of `layer`, the cells (x, y) of its doors."""
    result: list[list[tuple[int, int]]] = [[] for _ in layer.rooms]
    doors = layer.doors
    if layer.walkable is None or not doors.any():
        return result
    labels = np.pad(room_labels(layer.walkable, layer.rooms), 1)
    for y, x in np.argwhere(doors).tolist():
        around = labels[y : y + 3, x : x + 3]
        # The cell itself and its four neighbours, without diagonal ones.
        for number in {*around[1].tolist(), *around[:, 1].tolist()} - {0}:
            result[number - 1].append((x, y))
    return result
