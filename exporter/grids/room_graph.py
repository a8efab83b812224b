"""Build a layer's room graph: each room's cells, and the connections.

Definitions:

Rooms. A room has the walkable cells of its rectangle that can be reached from its middle (or the
nearest such cell) inside the rectangle, and that no earlier room has; rooms with smaller rectangles
come first. So a room inside another is a room, and a corridor that crosses the corner of an
irregular room's rectangle is not part of the room.

Connections. A walkable cell outside rooms belongs to the room that is nearest by walking; of
equally near ones to the first. Two rooms are connected where their cells touch. So each stretch of
corridor connects two rooms, and where three corridors meet, the nearest room is connected to the
two others. Touching cells within one cell of each other are one connection; two rooms with two
corridors between them are connected twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.kernels import warn_uncompiled
from exporter.kernels.room_territories import COMPILED, claim_rooms, spread_rooms
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Connection, Room

_WALL = -1


def room_labels(walkable: NDArray[np.bool_], rooms: Sequence[Room]) -> NDArray[np.int32]:
    """Return the room of each cell: int32 [height, width].

    The numbers are positions in `rooms`, from 1; unwalkable cells and cells outside rooms are 0.

    Args:
        walkable: bool [height, width]: the walkable cells.
        rooms: The rooms; their rectangles may overlap, and reach beyond the grid.
    """
    labels = _framed_labels(walkable, rooms)[1:-1, 1:-1]
    return np.maximum(labels, 0)


def room_edges(
    walkable: NDArray[np.bool_], doors: NDArray[np.bool_], rooms: Sequence[Room]
) -> tuple[Connection, ...]:
    """Return the connections between rooms, sorted by rooms, row and column.

    The first room of a connection is the earlier one in `rooms`. The path of a connection is the
    shortest path from room to room where the two touch; of equally short ones, the middle one in
    reading order. The connection is a `door` if a door is on the path, the last cells in the rooms
    included; its cell is then that door. Of several doors, the one on the fewest connections is
    taken, and of these the nearest to the first room; so the door at the end of a branch represents
    the branch. Without a door, its cell is where the rooms touch, preferably in the corridor.

    Args:
        walkable: bool [height, width]: the walkable cells.
        doors: bool [height, width]: the cells that are doors.
        rooms: The rooms; their rectangles may overlap, and reach beyond the grid.
    """
    if len(rooms) < 2:
        return ()
    labels = _framed_labels(walkable, rooms)
    territory = _spread(labels)
    meetings = _meetings(territory)
    if not meetings.first.size:
        return ()
    chosen = _shortest(meetings, _ways(meetings, territory), territory)
    doors_on = _doors_on(chosen, territory, np.pad(doors & walkable, 1).ravel())
    result = _connections(chosen, doors_on, territory)
    return tuple(sorted(result, key=lambda item: (item.rooms, item.y, item.x)))


@dataclass(frozen=True, slots=True, eq=False)
class _Territory:
    """The nearest room of each cell; rows have a frame of walls around.

    Attributes:
        owners: int32: the number of the room; 0 if no room is reached, -1 for walls.
        distances: int32: the steps to the room; 0 inside.
        stride: The number of cells in a row with its frame.
    """

    owners: NDArray[np.int32]
    distances: NDArray[np.int32]
    stride: int


@dataclass(frozen=True, slots=True, eq=False)
class _Meetings:
    """Pairs of adjacent cells that belong to different rooms: int64 [count].

    Attributes:
        first: The cell that belongs to the room with the lower number.
        second: The cell that belongs to the other room.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]


def _framed_labels(walkable: NDArray[np.bool_], rooms: Sequence[Room]) -> NDArray[np.int32]:
    """Return the room of each cell, with a frame of walls around.

    Rooms count from 1; 0 is outside rooms, -1 a wall.
    """
    height, width = walkable.shape
    labels = np.full((height + 2, width + 2), _WALL, np.int32)
    labels[1:-1, 1:-1][walkable] = 0
    areas = []
    for number, room in enumerate(rooms, start=1):
        left, top = max(room.x, 0), max(room.y, 0)
        right, bottom = min(room.x + room.width, width), min(room.y + room.height, height)
        if left < right and top < bottom:
            x, y = room.center
            size = room.width * room.height
            areas.append((size, number, left + 1, top + 1, right, bottom, x + 1, y + 1))
    if areas:
        areas.sort()
        places = np.array(areas, np.int64)[:, 1:].clip(-1, 1 << 20).astype(np.int32)
        warn_uncompiled(COMPILED, "room_territories", walkable.size, 1_000_000)
        queue = np.empty(walkable.size, np.int32)
        free_in_row = (labels == 0).sum(axis=1, dtype=np.int32)
        claim_rooms(labels.ravel().data, places.data, free_in_row.data, queue.data, width + 2)
    return labels


def _spread(labels: NDArray[np.int32]) -> _Territory:
    stride = labels.shape[1]
    owners = labels.ravel()
    distances = np.zeros(owners.size, np.int32)
    queue = np.empty(owners.size, np.int32)
    starts = np.flatnonzero(owners > 0)
    queue[: starts.size] = starts
    warn_uncompiled(COMPILED, "room_territories", owners.size, 1_000_000)
    spread_rooms(owners.data, distances.data, queue.data, starts.size, stride)
    return _Territory(owners, distances, stride)


def _meetings(territory: _Territory) -> _Meetings:
    """Return all pairs of adjacent cells of two rooms, unsorted."""
    owners = territory.owners
    result = []
    for step in (1, territory.stride):
        here, there = owners[:-step], owners[step:]
        # The frame has -1 everywhere, so a step around the end of a row finds none.
        cells = np.flatnonzero((here != there) & (here > 0) & (there > 0))
        result.append((cells, cells + step))
    item = np.concatenate([pair[0] for pair in result])
    other = np.concatenate([pair[1] for pair in result])
    lower = owners[item] < owners[other]
    return _Meetings(np.where(lower, item, other), np.where(lower, other, item))


def _ways(meetings: _Meetings, territory: _Territory) -> NDArray[np.int64]:
    """Return for each pair in `meetings` the number of its connection.

    Pairs of the same rooms within one cell of each other are one connection.
    """
    rooms = territory.owners.astype(np.int64)
    _, pairs = np.unique(
        rooms[meetings.first] * (rooms.max() + 1) + rooms[meetings.second], return_inverse=True
    )
    rows = meetings.first // territory.stride + meetings.second // territory.stride
    columns = meetings.first % territory.stride + meetings.second % territory.stride
    # The middle of two cells in half cells, as one number: nearby middles lie at fixed
    # differences, as some free numbers keep the ends of rows apart.
    span = np.int64(2 * territory.stride + 4)
    places = (pairs * np.int64(rows.max() + 4) + rows) * span + columns
    order = np.argsort(places, kind="stable")
    places = places[order]
    links = []
    for down, right in _NEARBY:
        expected = places + (down * span + right)
        result = np.searchsorted(places, expected)
        result[result == places.size] = 0
        linked = np.flatnonzero(places[result] == expected)
        links.append((linked, result[linked]))
    roots = _joined(places.size, *(np.concatenate(ends) for ends in zip(*links, strict=True)))
    ways = np.empty_like(roots)
    ways[order] = roots
    return ways


# Half cells down and right: all places within one cell that come later in reading order.
_NEARBY = [(down, right) for down in range(3) for right in range(-2, 3) if (down, right) > (0, 0)]


def _joined(count: int, item: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each of `count` nodes the lowest node that it is joined to.

    Edge i joins the nodes `item[i]` and `other[i]`.
    """
    roots = np.arange(count)
    while True:
        before = roots.copy()
        lowest = np.minimum(before[item], before[other])
        np.minimum.at(roots, before[item], lowest)
        np.minimum.at(roots, before[other], lowest)
        roots = roots[roots]
        if np.array_equal(roots, before):
            return roots


def _shortest(
    meetings: _Meetings, ways: NDArray[np.int64], territory: _Territory
) -> list[tuple[int, int]]:
    """Return for each connection the two cells where its path crosses over.

    The path is the shortest between the two rooms, and each of the cells belongs to one of them.
    `ways` has the connection of each pair in `meetings`.
    """
    distances = territory.distances
    steps = distances[meetings.first] + distances[meetings.second]
    # In reading order of their middles, which are where the sums of rows and columns say.
    rows = meetings.first // territory.stride + meetings.second // territory.stride
    order = np.lexsort((meetings.first + meetings.second, rows, steps, ways))
    ways, steps = ways[order], steps[order]
    starts = np.flatnonzero(np.diff(ways, prepend=-1))
    shortest = np.repeat(steps[starts], np.diff(starts, append=ways.size))
    equals = np.add.reduceat((steps == shortest).astype(np.int64), starts)
    middle = order[starts + (equals - 1) // 2]
    return list(zip(meetings.first[middle].tolist(), meetings.second[middle].tolist(), strict=True))


def _doors_on(
    chosen: list[tuple[int, int]], territory: _Territory, doors: NDArray[np.bool_]
) -> list[list[int]]:
    """Return the doors on each connection, from its first room to its second.

    `chosen` has the two cells where the rooms of each connection touch.
    """
    if not doors.any():
        return [[] for _ in chosen]
    on_ways = []
    for first, second in chosen:
        way = [*reversed(_walk(territory, first)), *_walk(territory, second)]
        on_ways.append([cell for cell in way if doors[cell]])
    return on_ways


def _walk(territory: _Territory, cell: int) -> list[int]:
    """Return the shortest walk from `cell` to the room it belongs to."""
    # Elements of memoryviews are Python's own numbers, which is twice as fast.
    owners, distances = territory.owners.data, territory.distances.data
    cells = [cell]
    owner, distance = owners[cell], distances[cell]
    while distance:
        distance -= 1
        for step in (-territory.stride, -1, 1, territory.stride):
            if owners[cell + step] == owner and distances[cell + step] == distance:
                cell += step
                break
        cells.append(cell)
    return cells


def _connections(
    chosen: list[tuple[int, int]], doors_on: list[list[int]], territory: _Territory
) -> Iterable[Connection]:
    """Yield the connections, each in its best door or else in a cell between.

    `chosen` has the two cells where the rooms of each connection touch, `doors_on` the doors on it.
    """
    owners, distances = territory.owners, territory.distances
    ways_of_door = Counter(cell for cells in doors_on for cell in cells)
    for cells, (first, second) in zip(doors_on, chosen, strict=True):
        cell = first if distances[first] or not distances[second] else second
        if cells:
            cell = min(cells, key=ways_of_door.__getitem__)
        y, x = divmod(cell, territory.stride)
        rooms = int(owners[first]) - 1, int(owners[second]) - 1
        yield Connection(rooms, x - 1, y - 1, "door" if cells else "opening")
