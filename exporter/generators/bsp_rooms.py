"""Rooms by binary space partition: the map is halved again and again, and each part gets a room.

After the dungeon method of RogueBasin ("Basic BSP Dungeon generation"). The two parts of every
split are joined, so the dungeon is always connected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Request, generator
from exporter.generators._corridors import (
    Point,
    bend_is_free,
    count_sides,
    dig_around,
    sides_apart,
    sides_of,
)
from exporter.generators._fixed import with_open_middle
from exporter.generators._legend import FLOOR, FLOOR_AND_WALL, WALL
from exporter.model.errors import ParameterError
from exporter.model.former import Formerly
from exporter.model.level import Layer, Room
from exporter.model.parameters import About, Percent, Within
from exporter.streams import Draws

Side = Annotated[int, Within(1, 1024)]


@dataclass(frozen=True, kw_only=True)
class BspRooms(MapParameters):
    """Rectangular rooms spread evenly over the map, always connected.

    The map is split in two across its longer side until the parts are small or `depth` is reached.
    Every part gets a room, and bent corridors join the rooms of neighbouring parts.
    """

    depth: Annotated[
        int,
        Within(0, 12),
        About("How often the map is split, at most.", also=("iterations", "splits", "levels")),
    ] = 5
    min_room_size: Annotated[
        tuple[Side, Side],
        About("Smallest room, width and height.", "cells", also=("room_size",)),
        Formerly("room_min"),
    ] = (4, 4)
    max_room_size: Annotated[
        tuple[Side, Side],
        About("Largest room, width and height, inclusive.", "cells", also=("room_size",)),
        Formerly("room_max"),
    ] = (16, 12)
    split_percent: Annotated[
        int,
        Within(0, 50),
        About("Largest distance of a split from the middle of the side.", "% of the side"),
        Formerly("split"),
    ] = 20
    corridor_width: Annotated[int, Within(1, 16), About("Width of the corridors.", "cells")] = 1
    extra_corridor_percent: Annotated[
        Percent,
        About("Chance of a second corridor wherever two parts are joined.", "%"),
        Formerly("extra_corridors"),
    ] = 0

    def check(self, width: int, height: int) -> None:
        """Refuse what can never work on a map of this size.

        Raises:
            ParameterError: With the path of the parameter at fault.
        """
        for axis, side in enumerate(("width", "height")):
            low, high = self.min_room_size[axis], self.max_room_size[axis]
            if high < low:
                raise ParameterError(
                    f"the smallest {side} of a room, {low}, is above the largest, {high} "
                    "(lower `min_room_size` or raise `max_room_size`)",
                    (self.changed("max_room_size", "min_room_size"), axis),
                )


@dataclass(slots=True)
class _Part:
    """A part of the map; its last column and row stay solid, so that rooms never touch."""

    x: int
    y: int
    width: int
    height: int
    depth: int
    children: tuple[int, int] | None = None
    room: Room | None = None


def _shortfall(_: BspRooms, layer: Layer) -> str:
    if layer.complete:
        return ""
    return sides_apart(layer) or "no room fits (lower `min_room_size` or enlarge the map)"


@generator(
    "bsp_rooms",
    version=1,
    shortfall=_shortfall,
    tiles=FLOOR_AND_WALL,
    also=("bsp", "rooms", "dungeon", "binary_space_partition"),
)
def generate(parameters: BspRooms, request: Request) -> Generated:
    """Partition the map, place rooms, join the parts of every split."""
    parameters.check(request.width, request.height)
    draws = request.stream.portable.draws("partition")
    cells = np.full((request.height, request.width), WALL.id, np.uint8)
    parts = _partition(parameters, request, draws)
    rooms = _place_rooms(parameters, parts, draws)
    for room in rooms:
        cells[room.y : room.y + room.height, room.x : room.x + room.width] = FLOOR.id
    fixed = request.fixed
    report = {"rooms": len(rooms)}
    if fixed is None:
        _join(parameters, parts, cells, draws)
    else:
        cells[fixed.open] = FLOOR.id
        rooms = _cut_rooms(parts, fixed.blocked)
        _join(parameters, parts, cells, draws, fixed.blocked)
        report = {"rooms": len(rooms), "sides": count_sides(rooms, fixed.blocked)}
    return Generated(
        cells,
        FLOOR_AND_WALL,
        complete=bool(rooms) and report.get("sides", 1) <= 1,
        report=report,
        rooms=tuple(rooms),
    )


def _partition(parameters: BspRooms, request: Request, draws: Draws) -> list[_Part]:
    """Return the parts of the tree, parents before children."""
    parts = [_Part(1, 1, request.width - 1, request.height - 1, 0)]
    smallest = (parameters.min_room_size[0] + 1, parameters.min_room_size[1] + 1)
    for part in parts:  # the list grows as parts are split
        if part.depth == parameters.depth:
            continue
        can = part.width >= 2 * smallest[0], part.height >= 2 * smallest[1]
        if not any(can):
            continue
        # Across the clearly longer side; by lot when the part is nearly square.
        lot = bool(draws.next(0, 2))
        upright = part.width * 4 > part.height * 5 or (part.width * 5 >= part.height * 4 and lot)
        if not can[0] or (can[1] and not upright):
            cut = _cut(part.height, smallest[1], parameters.split_percent, draws)
            first = _Part(part.x, part.y, part.width, cut, part.depth + 1)
            second = _Part(part.x, part.y + cut, part.width, part.height - cut, part.depth + 1)
        else:
            cut = _cut(part.width, smallest[0], parameters.split_percent, draws)
            first = _Part(part.x, part.y, cut, part.height, part.depth + 1)
            second = _Part(part.x + cut, part.y, part.width - cut, part.height, part.depth + 1)
        part.children = (len(parts), len(parts) + 1)
        parts += [first, second]
    return parts


def _cut(length: int, smallest: int, spread: int, draws: Draws) -> int:
    """Return where to cut a side, near its middle, leaving room on both sides."""
    low = max(smallest, length * (50 - spread) // 100)
    high = min(length - smallest, length * (50 + spread) // 100)
    cut: int = draws.next(low, max(high, low) + 1)
    return cut


def _place_rooms(parameters: BspRooms, parts: list[_Part], draws: Draws) -> list[Room]:
    """Give every undivided part that is large enough a room."""
    rooms: list[Room] = []
    for part in parts:
        if part.children is not None:
            continue
        most = (
            min(parameters.max_room_size[0], part.width - 1),
            min(parameters.max_room_size[1], part.height - 1),
        )
        if most[0] < parameters.min_room_size[0] or most[1] < parameters.min_room_size[1]:
            continue
        width = draws.next(parameters.min_room_size[0], most[0] + 1)
        height = draws.next(parameters.min_room_size[1], most[1] + 1)
        x = part.x + draws.next(0, part.width - width)
        y = part.y + draws.next(0, part.height - height)
        center = (x + width // 2, y + height // 2)
        part.room = Room(f"room_{len(rooms) + 1}", x, y, width, height, center)
        rooms.append(part.room)
    return rooms


def _cut_rooms(parts: list[_Part], blocked: NDArray[np.bool_]) -> list[Room]:
    """Return the rooms with a cell that is not blocked, each with such a cell as its middle."""
    rooms = []
    for part in parts:
        if part.room is not None:
            part.room = with_open_middle(part.room, ~blocked)
        if part.room is not None:
            rooms.append(part.room)
    return rooms


def _join(
    parameters: BspRooms,
    parts: list[_Part],
    cells: NDArray[np.uint8],
    draws: Draws,
    blocked: NDArray[np.bool_] | None = None,
) -> None:
    """Join the rooms under every split; later parts lie deeper, so go backwards.

    Rooms between which blocked cells leave no way are not joined. Where others on the same side
    of them are not yet, they get a corridor that is not drawn by lot.
    """
    sides = None if blocked is None else sides_of(blocked)
    rooms_under: list[list[Room]] = [[] for _ in parts]
    for index in range(len(parts) - 1, -1, -1):
        part = parts[index]
        if part.children is None:
            rooms_under[index] = [] if part.room is None else [part.room]
            continue
        first, second = (rooms_under[child] for child in part.children)
        rooms_under[index] = first + second
        if not first or not second:
            continue
        corridors = 2 if draws.next(0, 100) < parameters.extra_corridor_percent else 1
        pairs = []
        for _ in range(corridors):
            start = first[draws.next(0, len(first))].center
            end = second[draws.next(0, len(second))].center
            pairs.append((end, start) if draws.next(0, 2) else (start, end))
        if sides is not None:
            pairs = _joinable(pairs, first, second, sides)
        for start, end in pairs:
            _dig(cells, start, end, parameters.corridor_width, blocked)


def _joinable(
    pairs: list[tuple[Point, Point]],
    first: list[Room],
    second: list[Room],
    sides: NDArray[np.int32],
) -> list[tuple[Point, Point]]:
    """Return the pairs between which there is a way, and one more for each side without any."""
    kept = [(start, end) for start, end in pairs if sides[start[::-1]] == sides[end[::-1]]]
    served = {int(sides[start[::-1]]) for start, _ in kept}
    ends: dict[int, Point] = {}
    for room in second:
        ends.setdefault(int(sides[room.center[::-1]]), room.center)
    for room in first:
        side = int(sides[room.center[::-1]])
        if side in ends and side not in served:
            served.add(side)
            kept.append((room.center, ends[side]))
    return kept


def _dig(
    cells: NDArray[np.uint8],
    start: tuple[int, int],
    end: tuple[int, int],
    width: int,
    blocked: NDArray[np.bool_] | None,
) -> None:
    """Open a corridor with one bend, inside the border.

    Where blocked cells are in its way it bends elsewhere, or goes around them.
    """
    if blocked is not None and not bend_is_free(blocked, start, (end[0], start[1]), end):
        start, end = end, start
        if not bend_is_free(blocked, start, (end[0], start[1]), end):
            dig_around(cells, blocked, start, end, width)
            return
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    inner = cells[1:-1, 1:-1]
    back, ahead = 1 + (width - 1) // 2, width // 2
    inner[max(start[1] - back, 0) : start[1] + ahead, max(left - back, 0) : right + ahead] = (
        FLOOR.id
    )
    inner[max(top - back, 0) : bottom + ahead, max(end[0] - back, 0) : end[0] + ahead] = FLOOR.id
