"""Put rooms into blocks of a lattice, and join adjacent ones.

This is the floor plan of games that show one room at a time. Blocks are taken one after another
beside taken ones, so the rooms are a tree with many dead ends; further doors make loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np

from exporter.generators import Generated, Request, generator
from exporter.generators._legend import FLOOR, FLOOR_AND_WALL, WALL
from exporter.model.costs import Cost, most_expensive
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Room
from exporter.model.parameters import About, Parameters, Percent, Within
from exporter.streams import Draws

# A room has one solid cell around it in its block.
BORDER = 1

Block = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class RoomLattice(Parameters):
    """Rooms in the blocks of a lattice, joined with adjacent ones.

    A block has a room or none. All rooms are connected, and corridors run straight from a room to
    one in the next block.
    """

    columns: Annotated[int, Within(1, 256), About("Blocks in a row.")] = 8
    rows: Annotated[int, Within(1, 256), About("Rows of blocks.")] = 8
    rooms: Annotated[
        int, Within(1, 4096), About("Number of rooms.", also=("room_count", "count"))
    ] = 20
    min_room_size: Annotated[
        tuple[Annotated[int, Within(1, 1000)], Annotated[int, Within(1, 1000)]],
        About("Smallest room, width and height; the largest fills its block.", "cells"),
    ] = (3, 3)
    loop_percent: Annotated[
        Percent,
        About(
            "Chance of a further connection between rooms of adjacent blocks. Rooms with one "
            "connection keep it, so that dead ends remain.",
            "%",
        ),
    ] = 20

    def check(self, width: int, height: int) -> None:
        """Refuse parameters that cannot work on a map of this size."""
        if self.rooms > self.columns * self.rows:
            raise ParameterError(
                f"{self.columns} x {self.rows} blocks hold {self.columns * self.rows} rooms, not "
                f"{self.rooms} (lower `rooms`, or raise `columns` or `rows`)",
                (self.changed("rooms", "columns", "rows"),),
            )
        axes = (("columns", width, "width"), ("rows", height, "height"))
        for axis, (name, side, what) in enumerate(axes):
            block = side // getattr(self, name)
            if block < self.min_room_size[axis] + 2 * BORDER:
                raise ParameterError(
                    f"a block has a {what} of {block} cells, and a room of "
                    f"{self.min_room_size[axis]} needs {self.min_room_size[axis] + 2 * BORDER} "
                    f"(lower `{name}` or `min_room_size`, or enlarge the map)",
                    (name,),
                )


def cost(parameters: RoomLattice, width: int, height: int) -> Cost:
    """Estimate the time of choosing blocks and joining rooms."""
    return most_expensive(width, height, Cost(parameters.rooms * 10e-6, ("rooms",)))


@generator(
    "room_lattice", version=1, cost=cost, tiles=FLOOR_AND_WALL, also=("lattice", "floor_plan")
)
def generate(parameters: RoomLattice, request: Request) -> Generated:
    """Choose the blocks, place a room in each and join them."""
    parameters.check(request.width, request.height)
    draws = request.stream.portable.draws("lattice")
    size = request.width // parameters.columns, request.height // parameters.rows
    cells = np.full((request.height, request.width), WALL.id, np.uint8)
    blocks, joins = _plan(parameters, draws)
    rooms: list[Room] = []
    for number, block in enumerate(blocks, 1):
        room = _room(parameters, block, size, number, draws)
        cells[room.y : room.y + room.height, room.x : room.x + room.width] = FLOOR.id
        rooms.append(room)
        if request.trace is not None:
            request.trace.frame("room", cells, FLOOR_AND_WALL, number=number, of=len(blocks))
    for number, (first, second) in enumerate(joins, 1):
        (x, y), (to_x, to_y) = sorted((rooms[first].center, rooms[second].center))
        cells[min(y, to_y) : max(y, to_y) + 1, x : to_x + 1] = FLOOR.id
        if request.trace is not None:
            request.trace.frame("corridor", cells, FLOOR_AND_WALL, number=number, of=len(joins))
    return Generated(cells, FLOOR_AND_WALL, report={"rooms": len(rooms)}, rooms=tuple(rooms))


def _plan(parameters: RoomLattice, draws: Draws) -> tuple[list[Block], list[tuple[int, int]]]:
    """Choose at random which blocks have rooms, and which rooms are joined.

    Returns the block of each room, and pairs of numbers of rooms.
    """
    distances: dict[Block, int] = {(parameters.columns // 2, parameters.rows // 2): 0}
    joins: list[tuple[int, int]] = []
    degrees = [0] * parameters.rooms
    free = list(_beside(parameters, next(iter(distances))))
    while len(distances) < parameters.rooms:
        # Of two the one with fewer neighbours: the plan spreads, and has more dead ends.
        first, other = (draws.next(0, len(free)) for _ in range(2))
        chosen = min(first, other, key=lambda index: _count(parameters, free[index], distances))
        block = free.pop(chosen)
        near = [distances[item] for item in _beside(parameters, block) if item in distances]
        number = len(distances)
        parent = near[draws.next(0, len(near))]
        distances[block] = number
        joins.append((parent, number))
        degrees[parent] += 1
        degrees[number] += 1
        free += [
            item
            for item in _beside(parameters, block)
            if item not in distances and item not in free
        ]
    joined = set(joins)
    for block, number in distances.items():
        for item in _beside(parameters, block):
            pair = distances.get(item, number), number
            may_join = pair[0] < number and pair not in joined
            may_join = may_join and min(degrees[pair[0]], degrees[number]) > 1
            if may_join and draws.next(0, 100) < parameters.loop_percent:
                joins.append(pair)
    return list(distances), joins


def _beside(parameters: RoomLattice, block: Block) -> Iterator[Block]:
    """Yield the blocks of the lattice that are adjacent to `block`."""
    column, row = block
    for right, down in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        if 0 <= column + right < parameters.columns and 0 <= row + down < parameters.rows:
            yield column + right, row + down


def _count(parameters: RoomLattice, block: Block, occupied: dict[Block, int]) -> int:
    return sum(item in occupied for item in _beside(parameters, block))


def _room(
    parameters: RoomLattice, block: Block, size: tuple[int, int], number: int, draws: Draws
) -> Room:
    """Choose a random rectangle around the middle of `block` as room `number`.

    `size` is the width and height of a block. All rooms cover the middles of their blocks, so that
    corridors between adjacent ones can run straight.
    """
    sides = []
    for axis in (0, 1):
        length = draws.next(parameters.min_room_size[axis], size[axis] - 2 * BORDER + 1)
        middle = size[axis] // 2
        first = max(BORDER, middle - length + 1)
        last = min(middle, size[axis] - BORDER - length)
        sides.append((block[axis] * size[axis] + draws.next(first, last + 1), length))
    (x, width), (y, height) = sides
    center = (block[0] * size[0] + size[0] // 2, block[1] * size[1] + size[1] // 2)
    return Room(f"room_{number}", x, y, width, height, center)
