"""The rooms of a level and the ways between them."""

from __future__ import annotations

import numpy as np

from exporter.grids.room_maps import NO_ROOM
from exporter.model.errors import NotMeasurableError, ParameterError
from exporter.overlays import overlay
from exporter.overlays._maps import (
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
from exporter.overlays._subject import Subject


@overlay("rooms", needs=("rooms",), also=("room_graph", "connections"))
def compute(subject: Subject) -> OverlayMap:
    """Rooms by the number of their neighbours, the ways between them, and their doors.

    Floor in no room is a corridor. Rooms are those of the walkable layers; of several in one place
    it is that of the last layer.
    """
    measured = subject.measured
    try:
        found = measured.room_map
    except NotMeasurableError:
        raise ParameterError(
            "the level has no rooms: no layer of it was built of rooms (use rooms_and_corridors, "
            "bsp_rooms or prefabs)"
        ) from None
    degrees = np.array([len(one) for one in found.graph.neighbours], np.int64)
    inside = (found.numbers != NO_ROOM) & measured.walkable
    degree = np.append(degrees, 0)[found.numbers]
    meeting = np.zeros(measured.walkable.shape, bool)
    doors = meeting.copy()
    marks: list[Mark] = []
    for layer in measured.layers:
        for way in layer.connections:
            (doors if way.kind == "door" else meeting)[way.y, way.x] = True
            first, second = (layer.rooms[number].center for number in way.rooms)
            marks.append(Path((first, (way.x, way.y), second)))
        marks += [Label(*room.center, room.name) for room in layer.rooms]
    shown = classes(
        (measured.walkable & ~inside, "corridor", GREY),
        (inside & (degree == 0), "room without a way", RED),
        (inside & (degree == 1), "room with one neighbour", ORANGE),
        (inside & (degree == 2), "room with two neighbours", YELLOW),
        (inside & (degree > 2), "room with more neighbours", GREEN),
        (meeting, "opening", BLUE),
        (doors, "door", "#000000"),
    )
    return OverlayMap(shown.values, shown.classes, None, tuple(marks))
