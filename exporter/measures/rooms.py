"""Count the rooms of a level and draw the room graph."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from exporter.grids.room_maps import NO_ROOM
from exporter.measures import measure
from exporter.measures.maps import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RED,
    YELLOW,
    Label,
    Mark,
    OverlayMap,
    Path,
    classes,
)
from exporter.measures.measured import Measured


@measure(
    "rooms", number=lambda level: len(level.rooms), also=("room_count", "room_graph", "connections")
)
def rooms(level: Measured) -> OverlayMap:
    """Rooms that the generators of the `play` layers built.

    The overlay shows them by the number of their neighbours, with the connections between them and
    doors. Floor in no room is a corridor; where rooms of several layers overlap, the last layer
    counts.
    """
    result = level.room_map
    degrees = np.array([len(neighbour) for neighbour in result.graph.neighbours], np.int64)
    inside = (result.numbers != NO_ROOM) & level.walkable
    degree = np.append(degrees, 0)[result.numbers]
    meeting = np.zeros(level.walkable.shape, bool)
    doors = meeting.copy()
    marks: list[Mark] = []
    for layer in level.layers:
        for way in layer.connections:
            (doors if way.kind == "door" else meeting)[way.y, way.x] = True
            first, second = (layer.rooms[number].center for number in way.rooms)
            marks.append(Path((first, (way.x, way.y), second)))
        marks += [Label(*room.center, room.name) for room in layer.rooms]
    displayed = classes(
        (level.walkable & ~inside, "corridor", GREY),
        (inside & (degree == 0), "room without a way", RED),
        (inside & (degree == 1), "room with one neighbour", ORANGE),
        (inside & (degree == 2), "room with two neighbours", YELLOW),
        (inside & (degree > 2), "room with more neighbours", GREEN),
        (meeting, "opening", BLUE),
        (doors, "door", "#000000"),
    )
    return replace(displayed, marks=tuple(marks))
