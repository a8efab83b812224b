"""Measure a mission: its shortest complete walk, and its locks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from exporter.grids.room_maps import NO_ROOM, RoomMap, room_map
from exporter.measures import measure
from exporter.measures.maps import Label, Mark, OverlayMap, Path, classes
from exporter.measures.measured import Measured
from exporter.missions.states import MissionMap, bits, level_map
from exporter.missions.walks import MissionWalk, shortest_walk
from exporter.model.errors import NotMeasurableError

if TYPE_CHECKING:
    from exporter.measures.maps import Mask
    from exporter.model.level import Level

SOURCE = "shortest path by A*: Hart, Nilsson, Raphael 1968"


@measure("mission_rooms", unit="rooms", needs=("objects",), source=SOURCE)
def entered_rooms(level: Measured) -> int:
    """Rooms that the shortest complete walk of the mission enters.

    It is the walk with the fewest steps from start to goal, with the keys it needs. The rooms are
    those of the last layer that has some.
    """
    return len(_rooms_on(_rooms(level), _walk(level)))


@measure("mission_backtracking", most=1.0, needs=("objects",), source=SOURCE)
def backtracking(level: Measured) -> float:
    """Share of the shortest complete walk's steps to cells visited before."""
    walk = _walk(level)
    return (len(walk.cells) - len(set(walk.cells))) / walk.steps if walk.steps else 0.0


@measure("mission_branches", needs=("objects",), source=SOURCE)
def branches(level: Measured) -> int:
    """Rooms off the mission's shortest complete walk, but next to one on it."""
    rooms = _rooms(level)
    entered = _rooms_on(rooms, _walk(level))
    beside = {other for room in entered for other in rooms.graph.neighbours[room]}
    return len(beside - entered)


@measure("mission", needs=("objects",), also=("locks", "keys", "walkthrough"))
def overlay(level: Measured) -> OverlayMap:
    """Areas of the level by the lock that opens each, and a shortest walk.

    The walk is the shortest complete one from start to goal. Areas are in the order in which it
    opens their locks; locks that it leaves closed come last. The map also marks locks and keys.
    """
    result = _map(level)
    walk = _walk(level)
    parts = _parts(result, walk)
    closed = np.zeros(level.walkable.shape, bool)
    marks: list[Mark] = [Path(walk.cells)]
    for lock in result.locks:
        for x, y in lock.cells:
            closed[y, x] = True
        marks.append(Label(*lock.cells[0], lock.name))
        marks += [Path((item, lock.cells[0])) for item in lock.opened_from[:1]]
    marks += [Label(*key.cell, f"key of {key.opens}") for key in result.keys]
    marks += [Label(*result.start, "start"), Label(*result.goal, "goal")]
    displayed = classes(*((cells, name) for name, cells in parts), (closed, "lock", "#000000"))
    return replace(displayed, marks=tuple(marks))


def cells_behind(level: Level) -> dict[str, Mask]:
    """Return the cells behind each lock of the level's mission, by lock name.

    These cells cannot be reached while the lock is closed and all others are open.
    """
    result = level_map(level)
    if result is None or result.graph.start is None:
        return {}
    found = {}
    for name in dict.fromkeys(lock.name for lock in result.locks):
        others = sum(1 << i for i, lock in enumerate(result.locks) if lock.name != name)
        reached = _cells(result, result.graph.reached(result.graph.start, others))
        found[name] = result.walkable & ~reached
    return found


def _map(level: Measured) -> MissionMap:
    result = level_map(level.level)
    if result is None:
        raise NotMeasurableError("the level has no mission (add `mission:` to the spec)")
    return result


def _walk(level: Measured) -> MissionWalk:
    walk = shortest_walk(_map(level))
    if walk is None:
        raise NotMeasurableError("no shortest complete walk of the mission was found")
    return walk


def _rooms(level: Measured) -> RoomMap:
    for layer in reversed(level.level.tile_layers()):
        result = room_map([layer])
        if result is not None:
            return result
    raise NotMeasurableError("this measure needs rooms, and no layer has them")


def _rooms_on(rooms: RoomMap, walk: MissionWalk) -> set[int]:
    return {int(rooms.numbers[y, x]) for x, y in walk.cells} - {NO_ROOM}


def _parts(result: MissionMap, walk: MissionWalk) -> list[tuple[str, Mask]]:
    """Return name and cells of each area that opens as locks are opened.

    The first area is open from the start. The locks are opened in the order of `walk`, then the
    others.
    """
    graph = result.graph
    assert graph.start is not None
    order = [event.lock for event in walk.events if event.key is None]
    order += [index for index in range(len(result.locks)) if index not in order]
    opened = 0
    known = graph.reached(graph.start, 0)
    parts = [("from the start", known)]
    for index in order:
        opened |= 1 << index
        reached = graph.reached(graph.start, opened)
        x, y = result.locks[index].cells[0]
        parts.append((f"behind {result.locks[index].name} at [{x}, {y}]", reached & ~known))
        known |= reached
    return [(name, _cells(result, nodes)) for name, nodes in parts if nodes]


def _cells(result: MissionMap, nodes: int) -> Mask:
    graph = result.graph
    chosen = np.zeros(graph.count - len(graph.specials) + 1, bool)
    cells = np.zeros(result.walkable.shape, bool)
    for node in bits(nodes):
        if node < len(graph.specials):
            x, y = graph.specials[node]
            cells[y, x] = True
        else:
            chosen[node - len(graph.specials) + 1] = True
    return cells | chosen[graph.labels]
