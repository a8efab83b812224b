"""Halve a map again and again, and put a room into each part.

The method is the dungeon method of RogueBasin ("Basic BSP Dungeon generation"). The two parts of
every split are joined, so the dungeon is always connected.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Request, generator
from exporter.generators._corridors import (
    count_sides,
    dig_bent,
    sides_apart,
    sides_of,
)
from exporter.generators._drawn_rooms import (
    BORDER,
    PLACES,
    DrawnMap,
    DrawnRooms,
    PlacedRoom,
    Shape,
    check_drawn_rooms,
    draw_shape,
    drawn_cost,
    no_way,
    read_shapes,
    refuse_unused,
)
from exporter.generators._legend import FLOOR, FLOOR_AND_WALL, WALL, Legend, cells_of
from exporter.generators._partition import CutSteps, SplitRectangle, partition
from exporter.generators.fixed import with_open_middle
from exporter.model.costs import Cost, most_expensive
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
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
        tuple[Side, Side], About("Smallest room, width and height.", "cells", also=("room_size",))
    ] = (4, 4)
    max_room_size: Annotated[
        tuple[Side, Side],
        About("Largest room, width and height, inclusive.", "cells", also=("room_size",)),
    ] = (16, 12)
    split_percent: Annotated[
        int,
        Within(0, 50),
        About("Largest distance of a split from the middle of the side.", "% of the side"),
    ] = 20
    corridor_width: Annotated[int, Within(1, 16), About("Width of the corridors.", "cells")] = 1
    extra_corridor_percent: Annotated[
        Percent, About("Chance of a second corridor wherever two parts are joined.", "%")
    ] = 0
    drawn_rooms: Annotated[
        tuple[DrawnRooms, ...],
        Within(0, 256, length=True),
        About(
            "Rooms drawn by hand: every room is one of these that fits its part, and corridors run "
            "from door to door. Parts are at least as large as the smallest of them."
        ),
    ] = ()

    def may_have_other_tiles(self) -> bool:
        """Return whether drawn rooms or fixed cells may bring other tiles."""
        return bool(self.drawn_rooms) or self.gives_cells

    def check(self, width: int, height: int) -> None:
        """Refuse a smallest room above the largest, and wrong drawn rooms."""
        for axis, side in enumerate(("width", "height")):
            low, high = self.min_room_size[axis], self.max_room_size[axis]
            if high < low:
                raise ParameterError(
                    f"the smallest {side} of a room, {low}, is greater than the largest, {high} "
                    "(lower `min_room_size` or raise `max_room_size`)",
                    (self.changed("max_room_size", "min_room_size"), axis),
                )
        if self.drawn_rooms:
            refuse_unused(
                self, ("min_room_size", "max_room_size"), "the drawings already give the sizes"
            )
            check_drawn_rooms(self.drawn_rooms)


def _shortfall(parameters: BspRooms, layer: Layer) -> str:
    if layer.complete:
        return ""
    apart = sides_apart(layer) or no_way(layer)
    if apart or not parameters.drawn_rooms:
        return apart or "no room fits (lower `min_room_size` or enlarge the map)"
    return "none of the drawn rooms fits (draw smaller ones or enlarge the map)"


def cost(parameters: BspRooms, width: int, height: int) -> Cost:
    """Estimate the time, which is longer with hand-drawn rooms."""
    rooms = min(1 << parameters.depth, width * height // 9) if parameters.drawn_rooms else 0
    return most_expensive(width, height, drawn_cost(rooms, "depth"))


@generator(
    "bsp_rooms",
    version=1,
    cost=cost,
    shortfall=_shortfall,
    tiles=FLOOR_AND_WALL,
    also=("bsp", "rooms", "dungeon", "binary_space_partition"),
)
def generate(parameters: BspRooms, request: Request) -> Generated:
    """Split the map, place rooms, and join the two parts of each split."""
    parameters.check(request.width, request.height)
    draws = request.stream.portable.draws("partition")
    if parameters.drawn_rooms:
        return _drawn(parameters, request, draws)
    cells = np.full((request.height, request.width), WALL.id, np.uint8)
    steps = CutSteps(request.trace, cells, WALL, FLOOR_AND_WALL)
    whole = SplitRectangle(1, 1, request.width - 1, request.height - 1, 0)
    depth, spread = parameters.depth, parameters.split_percent
    parts = partition(depth, spread, whole, parameters.min_room_size, draws, steps.cut)
    rooms = _place_rooms(parameters, parts, draws)
    for number, room in enumerate(rooms, 1):
        cells[room.y : room.y + room.height, room.x : room.x + room.width] = FLOOR.id
        steps.room(number, len(rooms))
    fixed = request.fixed
    blocked = sides = None
    report = {"rooms": len(rooms)}
    if fixed is not None:
        blocked = fixed.blocked
        sides = sides_of(blocked)
        cells[fixed.open] = FLOOR.id
        rooms = _cut_rooms(parts, blocked)
        report = {"rooms": len(rooms), "sides": count_sides(rooms, blocked)}
    joins = list(_joins(parameters, parts, draws, sides))
    for number, (start, end) in enumerate(joins, 1):
        width = parameters.corridor_width
        dig_bent(cells, end.center, start.center, width, blocked, across_first=False)
        if request.trace is not None:
            request.trace.frame("corridor", cells, FLOOR_AND_WALL, number=number, of=len(joins))
    return Generated(
        cells,
        FLOOR_AND_WALL,
        complete=bool(rooms) and report.get("sides", 1) <= 1,
        report=report,
        rooms=tuple(rooms),
    )


def _drawn(parameters: BspRooms, request: Request, draws: Draws) -> Generated:
    """Split the map, place hand-drawn rooms, and join the parts of each split."""
    legend = Legend(FLOOR_AND_WALL)
    shapes = read_shapes(parameters.drawn_rooms, legend, request)
    # Space for corridors stays around all parts.
    whole = SplitRectangle(
        BORDER, BORDER, request.width - 2 * BORDER + 1, request.height - 2 * BORDER + 1, 0
    )
    smallest = min(
        ((item.width, item.height) for turned in shapes for item in turned),
        key=lambda size: size[0] * size[1],
    )
    fixed = request.fixed
    blocked = None if fixed is None else fixed.blocked
    drawn = DrawnMap(request.width, request.height, WALL.id, blocked)
    steps = CutSteps(request.trace, drawn.ids, WALL, legend.tiles)
    depth, spread = parameters.depth, parameters.split_percent
    parts = partition(depth, spread, whole, smallest, draws, steps.cut)
    placed: dict[Room, PlacedRoom] = {}
    for part in parts:
        item = None
        if part.children is None:
            item = _drawn_room(part, shapes, None if fixed is None else fixed.kept, draws)
        if item is not None:
            part.room = item.room(len(placed) + 1)
            placed[part.room] = item
            drawn.lay(item)
            steps.room(len(placed))
    report = {"rooms": len(placed)}
    sides = None
    if fixed is not None:
        groups = drawn.groups(list(placed.values()))
        report["sides"] = len(groups)
        sides = np.zeros(drawn.ids.shape, np.int32)
        for number, group in enumerate(groups, 1):
            for item in group:
                sides[item.center[::-1]] = number
    unjoined = 0
    joins = list(_joins(parameters, parts, draws, sides))
    for number, (start, end) in enumerate(joins, 1):
        unjoined += not drawn.join(placed[start], placed[end], parameters.corridor_width)
        if request.trace is not None:
            request.trace.frame("corridor", drawn.ids, legend.tiles, number=number, of=len(joins))
    if unjoined:
        report["unjoined"] = unjoined
    return Generated(
        cells_of(drawn.ids),
        legend.tiles,
        complete=bool(placed) and not unjoined and report.get("sides", 1) <= 1,
        report=report,
        rooms=tuple(placed),
        kept=drawn.occupied,
    )


def _drawn_room(
    part: SplitRectangle,
    shapes: list[tuple[Shape, ...]],
    remaining: NDArray[np.bool_] | None,
    draws: Draws,
) -> PlacedRoom | None:
    """Choose a drawn room and its position in `part`; None if none fits.

    `shapes` has each room in its allowed orientations. `remaining` are the fixed cells: if there
    are any, several rooms and positions are tried until one avoids them.
    """
    for _ in range(1 if remaining is None else PLACES):
        shape = draw_shape(shapes, part.width - 1, part.height - 1, draws)
        if shape is None:
            return None
        x = part.x + draws.next(0, part.width - shape.width)
        y = part.y + draws.next(0, part.height - shape.height)
        around = slice(y - 1, y + shape.height + 1), slice(x - 1, x + shape.width + 1)
        if remaining is None or not remaining[around].any():
            return PlacedRoom(shape, x, y)
    return None


def _place_rooms(parameters: BspRooms, parts: list[SplitRectangle], draws: Draws) -> list[Room]:
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


def _cut_rooms(parts: list[SplitRectangle], blocked: NDArray[np.bool_]) -> list[Room]:
    """Return rooms that `blocked` does not cover, their middles on free cells."""
    rooms = []
    for part in parts:
        if part.room is not None:
            part.room = with_open_middle(part.room, ~blocked)
        if part.room is not None:
            rooms.append(part.room)
    return rooms


def _joins(
    parameters: BspRooms,
    parts: list[SplitRectangle],
    draws: Draws,
    sides: NDArray[np.int32] | None = None,
) -> Iterator[tuple[Room, Room]]:
    """Yield the pairs of rooms to join for every split, the deepest first.

    `sides` has the number of the area of each cell, if blocked cells separate areas. Rooms in
    different areas are never joined. Rooms in the same area that would stay apart get an extra
    corridor, without drawing a random number.
    """
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
            pair = first[draws.next(0, len(first))], second[draws.next(0, len(second))]
            pairs.append(pair[::-1] if draws.next(0, 2) else pair)
        yield from pairs if sides is None else _joinable(pairs, first, second, sides)


def _joinable(
    pairs: list[tuple[Room, Room]], first: list[Room], second: list[Room], sides: NDArray[np.int32]
) -> list[tuple[Room, Room]]:
    """Return the `pairs` whose rooms are in one area, and pairs they lack.

    `sides` has the number of each cell's area. An area with rooms of both parts, `first` and
    `second`, but no pair gets one.
    """

    def side_of(room: Room) -> int:
        return int(sides[room.center[::-1]])

    remaining = [(start, end) for start, end in pairs if side_of(start) == side_of(end)]
    served = {side_of(start) for start, _ in remaining}
    ends: dict[int, Room] = {}
    for room in second:
        ends.setdefault(side_of(room), room)
    for room in first:
        side = side_of(room)
        if side in ends and side not in served:
            served.add(side)
            remaining.append((room, ends[side]))
    return remaining
