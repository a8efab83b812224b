# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Build rooms and corridors one after another, for one generator.

The grid lies row after row with a frame of cells of value 2 (outside); 1 is solid, 0 open, 3 solid
and never opened. The cell (x, y) is at `(y + 1) * stride + x + 1` with `stride = width + 2`.
Directions count north, south, east, west; `direction ^ 1` is the reverse. A room is a list of left,
top, width, height; as in the reference program it is opened up to its right and bottom edge
inclusive, while "in the room" leaves these edges out.

The generator is `rooms_and_corridors`. Uncompiled, the default map takes some milliseconds with one
start room, 20 or so with two.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

if cython.compiled:
    from cython.cimports.exporter.kernels.random_draws import Draws
else:
    from exporter.kernels.random_draws import Draws

# Left, top, width, height, and an open cell (x, y).
Room = tuple[int, int, int, int, int, int]
# From columns and rows to a mask and an open cell (x, y) of it.
Shape = Callable[[int, int], tuple[Any, tuple[int, int]]]

# How building ended.
COMPLETE = 0
NO_ATTEMPTS_LEFT = 1
NO_EDGE = 2
NOT_JOINED = 3
NO_SPACE = 4

# Where a corridor's next cell lies: C constants when compiled.
OK: cython.int = 0
INVALID: cython.int = 1
CORRIDOR: cython.int = 2
SELF: cython.int = 3
ORIGIN_ROOM: cython.int = 4
ROOM: cython.int = 5
TOO_CLOSE: cython.int = 6
COMPLETED: cython.int = 7

OUTSIDE: cython.int = 2
CLOSED: cython.int = 3
NO_ROOM: cython.int = -1
START_TURNS: cython.int = 100
# A search for a corridor's edge ends after this many vain tries and 64 for each cell: if there is
# any edge, a try finds it with a chance of one in the number of cells.
PATIENCE: cython.int = 4096
TRIES_PER_CELL: cython.int = 64


@cython.final
@cython.cclass
class Builder:
    """Builds rooms at the ends of corridors, and corridors from rooms.

    Args:
        cells: uint8, framed rows, all solid (1) but for given cells; receives the dungeon.
        in_rooms: uint8 like `cells`, all 0: receives how many rooms a cell lies in.
        in_corridors: uint8 like `cells`, 1 for given open cells, else 0: receives 1 for cells of
            corridors.
        attempts: int32 like `cells`, all 0: receives the number of the last attempt through a cell.
        attempt: int32 scratch: room for as many cells as one corridor can have, and one more.
        size: Width and height of the map.
        room_sizes: The smallest width and height of a room, and one more than the largest.
        distances: How many cells stay solid between a new room and other rooms, and between it and
            corridors.
        runs: The smallest number of cells of a straight run, and one more than the largest.
        spacing: How many cells stay solid on both sides of a corridor.
        from_corridor: Chance in percent that a corridor starts from another corridor.
        draws: The random numbers.
        shape: Draws a room that is not a rectangle: from columns and rows to a uint8 array [rows,
            columns] and an open cell (x, y) of it; None for rectangles.
    """

    cells: cython.uchar[::1]
    in_rooms: cython.uchar[::1]
    in_corridors: cython.uchar[::1]
    attempts: cython.int[::1]
    attempt: cython.int[::1]
    offsets: cython.int[::1]
    width: cython.Py_ssize_t
    height: cython.Py_ssize_t
    stride: cython.Py_ssize_t
    room_sizes: tuple[int, int, int, int]
    room_distance: cython.Py_ssize_t
    corridor_distance: cython.Py_ssize_t
    run_low: cython.longlong
    run_high: cython.longlong
    spacing: cython.longlong
    from_corridor: cython.longlong
    draws: Draws
    shape: Shape | None
    edge: cython.Py_ssize_t
    rooms: list[Room]
    corridors: list[int]
    current: cython.Py_ssize_t
    start: cython.Py_ssize_t
    start_direction: cython.int
    position: cython.Py_ssize_t
    direction: cython.int
    length: cython.Py_ssize_t
    number: cython.int

    def __init__(
        self,
        cells: cython.uchar[::1],
        in_rooms: cython.uchar[::1],
        in_corridors: cython.uchar[::1],
        attempts: cython.int[::1],
        attempt: cython.int[::1],
        size: tuple[int, int],
        room_sizes: tuple[int, int, int, int],
        distances: tuple[int, int],
        runs: tuple[int, int],
        spacing: int,
        from_corridor: int,
        draws: Draws,
        shape: Shape | None,
    ) -> None:
        self.cells = cells
        self.in_rooms = in_rooms
        self.in_corridors = in_corridors
        self.attempts = attempts
        self.attempt = attempt
        self.width, self.height = size
        self.stride = self.width + 2
        self.offsets = array("i", [-self.stride, self.stride, 1, -1])
        self.room_sizes = room_sizes
        self.room_distance, self.corridor_distance = distances
        self.run_low, self.run_high = runs
        self.spacing = spacing
        self.from_corridor = from_corridor
        self.draws = draws
        self.shape = shape
        # Rectangles leave their right and bottom edge out of "in the room", as the reference
        # program does; shapes that are not rectangles own their whole frame.
        self.edge = 0 if shape is None else 1
        self.rooms = []
        self.corridors = []
        self.current = NO_ROOM
        self.number = 0

    def detected_rooms(self) -> list[Room]:
        """Return left, top, width, height and an open cell of every room."""
        return self.rooms

    def place_start_room(self) -> tuple[int, bool]:
        """Place a room with its upper left corner at the centre of the map.

        Returns:
            COMPLETE or NO_SPACE, and whether the room was cut off at the map's edge.
        """
        left: cython.Py_ssize_t = self.width // 2
        top: cython.Py_ssize_t = self.height // 2
        wanted: tuple[int, int] = self.draw_size()
        width: int = min(wanted[0], self.width - 1 - left)
        height: int = min(wanted[1], self.height - 1 - top)
        if width < 1 or height < 1:
            return NO_SPACE, True
        self.add_room(left, top, width, height)
        self.shape_rooms(0)
        return COMPLETE, (width, height) != wanted

    def join_start_rooms(self, tries: int) -> int:
        """Place two rooms on opposite sides and join them by a corridor.

        Returns:
            COMPLETE; or NOT_JOINED if `tries` tries with new rooms failed.
        """
        joined: cython.bint = False
        side: cython.int
        width: cython.Py_ssize_t
        height: cython.Py_ssize_t
        left: cython.Py_ssize_t
        top: cython.Py_ssize_t
        for _ in range(tries):
            self.clear()
            self.direction = self.draws.next(0, 4)
            for side in range(2):
                width, height = self.draw_size()
                if self.direction < 2:
                    left = self.draws.next(0, self.width - width)
                    top = 1 if side == 0 else self.height - height - 1
                else:
                    top = self.draws.next(0, self.height - height)
                    left = 1 if side == 0 else self.width - width - 2
                if left < 0 or top < 0 or left + width >= self.width or top + height >= self.height:
                    break
                self.add_room(left, top, width, height)
            else:
                if self.find_start() == 1 and self.grow(START_TURNS, True) == ROOM:
                    joined = True
                    break
        self.shape_rooms(0)
        if joined:
            self.build_corridor(ROOM)
        return COMPLETE if joined else NOT_JOINED

    def build(
        self,
        wanted: int,
        attempts: int,
        most_turns: int,
        backtracking: int,
        tell: Callable[[int], None] | None = None,
    ) -> int:
        """Add corridors and rooms until `wanted` rooms exist.

        Args:
            wanted: The number of rooms, with those that exist already.
            attempts: Building stops after `attempts + 1` tries of a corridor.
            most_turns: Exclusive limit: a corridor has at most `most_turns - 1` straight runs.
            backtracking: Chance in percent that a corridor may turn back from its first direction.
            tell: Called after each corridor and its room, if any, with the number of corridors.

        Returns:
            COMPLETE; NO_ATTEMPTS_LEFT; or NO_EDGE if there is nowhere to start a corridor.
        """
        rounds: cython.longlong = 0
        built: cython.longlong = 0
        while len(self.rooms) < wanted:
            if rounds > attempts:
                return NO_ATTEMPTS_LEFT
            rounds += 1
            started: cython.int = self.find_start()
            if started < 0:
                return NO_EDGE
            if started == 0:
                continue
            turns: cython.longlong = self.draws.next(1, most_turns)
            outcome: cython.int = self.grow(turns, self.draws.next(0, 100) >= backtracking)
            if outcome in (ROOM, CORRIDOR, SELF):
                self.build_corridor(outcome)
            elif outcome == COMPLETED and self.try_room():
                self.shape_rooms(len(self.rooms) - 1)
                self.build_corridor(COMPLETED)
            else:
                continue
            built += 1
            if tell is not None:
                tell(built)
        return COMPLETE

    @cython.cfunc
    def clear(self) -> cython.void:
        """Remove all rooms again."""
        while self.rooms:
            self.mark_room(self.rooms.pop(), 1, -1)

    @cython.cfunc
    def draw_size(self) -> tuple[int, int]:
        """Draw the width, then the height of a room."""
        width: int = self.draws.next(self.room_sizes[0], self.room_sizes[2])
        height: int = self.draws.next(self.room_sizes[1], self.room_sizes[3])
        return width, height

    @cython.cfunc
    def add_room(
        self,
        left: cython.Py_ssize_t,
        top: cython.Py_ssize_t,
        width: cython.Py_ssize_t,
        height: cython.Py_ssize_t,
    ) -> cython.void:
        """Open a rectangle and append it to the rooms."""
        room: Room = (left, top, width, height, left + width // 2, top + height // 2)
        self.rooms.append(room)
        self.mark_room(room, 0, 1)

    @cython.cfunc
    def mark_room(self, room: Room, value: cython.uchar, change: cython.int) -> cython.void:
        """Set the cells of `room` to `value`; add `change` to their `in_rooms`.

        Given cells, over which only rooms at the start can lie, keep their value.
        """
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        left: cython.Py_ssize_t = room[0]
        top: cython.Py_ssize_t = room[1]
        right: cython.Py_ssize_t = left + room[2]
        bottom: cython.Py_ssize_t = top + room[3]
        for y in range(top, bottom + 1):
            position: cython.Py_ssize_t = (y + 1) * self.stride + left + 1
            for x in range(left, right + 1):
                if self.cells[position] != CLOSED and self.in_corridors[position] == 0:
                    self.cells[position] = value
                if x < right + self.edge and y < bottom + self.edge:
                    self.in_rooms[position] += change
                position += 1

    @cython.cfunc
    def shape_rooms(self, first: cython.Py_ssize_t) -> cython.void:
        """Redraw rooms from index `first` on, unless all are rectangles."""
        mask: cython.uchar[:, ::1]
        index: cython.Py_ssize_t
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        if self.shape is None:
            return
        for index in range(first, len(self.rooms)):
            room: Room = self.rooms[index]
            self.mark_room(room, 1, 0)
            mask, (x, y) = self.shape(room[2] + 1, room[3] + 1)
            self.rooms[index] = (*room[:4], room[0] + x, room[1] + y)
            corner: cython.Py_ssize_t = (room[1] + 1) * self.stride + room[0] + 1
            for y in range(room[3] + 1):
                for x in range(room[2] + 1):
                    position: cython.Py_ssize_t = corner + y * self.stride + x
                    if mask[y, x] == 1 and self.cells[position] != CLOSED:
                        self.cells[position] = 0

    @cython.cfunc
    def find_start(self) -> cython.int:
        """Choose where a corridor starts, on the edge of a room or corridor.

        Returns:
            1 if it may start there, 0 if not, -1 if there is no edge at all.
        """
        self.current = NO_ROOM
        self.number += 1
        if self.corridors and self.draws.next(0, 100) < self.from_corridor:
            if not self.find_corridor_edge():
                return -1
        else:
            self.find_room_edge()
        self.start = self.position
        self.start_direction = self.direction
        return 1 if self.test(self.position, self.direction) == OK else 0

    @cython.cfunc
    def find_room_edge(self) -> cython.void:
        """Walk from a random cell of a random room straight to its edge."""
        self.current = self.draws.next(0, len(self.rooms))
        room: Room = self.rooms[self.current]
        x: cython.Py_ssize_t = self.draws.next(room[0] + 1, room[0] + room[2] - 1)
        y: cython.Py_ssize_t = self.draws.next(room[1] + 1, room[1] + room[3] - 1)
        self.direction = self.draws.next(0, 4)
        self.position = (y + 1) * self.stride + x + 1 + self.offsets[self.direction]
        while self.cells[self.position] == 0 or (
            self.edge == 1 and self.cells[self.position] == 1 and self.in_room(room, self.position)
        ):
            self.position += self.offsets[self.direction]

    @cython.cfunc
    def find_corridor_edge(self) -> cython.bint:
        """Choose a solid cell beside a corridor; return whether one was found.

        The first and the last cell of `corridors` do not count, unless there is only one.
        """
        count: cython.Py_ssize_t = len(self.corridors)
        tries: cython.longlong = 0
        position: cython.Py_ssize_t
        direction: cython.int
        while tries < PATIENCE + TRIES_PER_CELL * count:
            tries += 1
            position = self.corridors[0 if count == 1 else self.draws.next(1, count - 1)]
            solid: cython.int = 0
            for direction in range(4):
                if self.cells[position + self.offsets[direction]] == 1:
                    solid += 1
            if solid == 0:
                continue
            chosen: cython.int = self.draws.next(0, solid)
            for direction in range(4):
                if self.cells[position + self.offsets[direction]] == 1:
                    if chosen == 0:
                        self.direction = direction
                        self.position = position + self.offsets[direction]
                        return True
                    chosen -= 1
        return False

    @cython.cfunc
    def in_room(self, room: Room, position: cython.Py_ssize_t) -> cython.bint:
        """Return whether `room` contains the cell at `position`."""
        x: cython.Py_ssize_t = position % self.stride - 1
        y: cython.Py_ssize_t = position // self.stride - 1
        left: cython.Py_ssize_t = room[0]
        top: cython.Py_ssize_t = room[1]
        right: cython.Py_ssize_t = left + room[2] + self.edge
        bottom: cython.Py_ssize_t = top + room[3] + self.edge
        return left <= x < right and top <= y < bottom

    @cython.cfunc
    def test(self, position: cython.Py_ssize_t, direction: cython.int) -> cython.int:
        """Return what a corridor in `direction` would meet at `position`.

        OK if the cell and those on both sides are solid; else ROOM, CORRIDOR, TOO_CLOSE and so on.
        """
        step: cython.Py_ssize_t = self.offsets[direction ^ 2]
        _side: cython.int
        _distance: cython.longlong
        if self.cells[position] == OUTSIDE or self.cells[position] == CLOSED:
            return INVALID
        if self.in_corridors[position] == 1:
            return CORRIDOR
        if self.attempts[position] == self.number:
            return SELF
        if self.in_rooms[position] > 0:
            if self.current != NO_ROOM and self.in_room(self.rooms[self.current], position):
                return ORIGIN_ROOM
            return ROOM
        if self.cells[position] == 0:
            return TOO_CLOSE
        for _side in range(2):
            beside: cython.Py_ssize_t = position
            for _distance in range(self.spacing):
                beside += step
                if self.cells[beside] == 0:
                    return TOO_CLOSE
                if self.cells[beside] == OUTSIDE:
                    break
            step = -step
        return OK

    @cython.cfunc
    def grow(self, turns: cython.longlong, memory: cython.bint) -> cython.int:
        """Plan a corridor of up to `turns` straight runs; return what it met.

        COMPLETED means that it met nothing. Its cells go to `attempt`. With `memory`, it never
        turns back from its first direction.
        """
        first: cython.int = self.direction
        self.attempt[0] = self.position
        self.attempts[self.position] = self.number
        self.length = 1
        while turns > 0:
            turns -= 1
            run: cython.longlong = self.draws.next(self.run_low, self.run_high)
            while run > 0:
                run -= 1
                self.position += self.offsets[self.direction]
                outcome: cython.int = self.test(self.position, self.direction)
                if outcome != OK:
                    return outcome
                self.attempt[self.length] = self.position
                self.attempts[self.position] = self.number
                self.length += 1
            if turns > 1:
                new: cython.int = self.draws.next(0, 4)
                while new == self.direction ^ 1 or (memory and new == first ^ 1):
                    new = self.draws.next(0, 4)
                self.direction = new
        return COMPLETED

    @cython.cfunc
    def build_corridor(self, outcome: cython.int) -> cython.void:
        """Open the planned corridor, and cells from its ends into shaped rooms."""
        index: cython.Py_ssize_t
        last: cython.Py_ssize_t = self.attempt[self.length - 1]
        for index in range(self.length):
            position: cython.Py_ssize_t = self.attempt[index]
            self.cells[position] = 0
            self.in_corridors[position] = 1
            self.corridors.append(position)
        if self.shape is None:
            return
        if self.current != NO_ROOM:
            self.lead_in(self.start, self.start_direction, self.rooms[self.current])
        if outcome == COMPLETED:
            self.lead_in(last, self.direction, self.rooms[len(self.rooms) - 1])
        elif outcome == ROOM:
            for index in range(len(self.rooms)):
                if self.in_room(self.rooms[index], self.position):
                    self.lead_in(last, self.direction, self.rooms[index])
                    break

    @cython.cfunc
    def lead_in(
        self, position: cython.Py_ssize_t, direction: cython.int, room: Room
    ) -> cython.void:
        """Open cells from a corridor's end, `position`, to an open cell of `room`."""
        x: cython.Py_ssize_t = position % self.stride - 1
        y: cython.Py_ssize_t = position // self.stride - 1
        to_x: cython.Py_ssize_t = room[4]
        to_y: cython.Py_ssize_t = room[5]
        while x != to_x or y != to_y:
            if y != to_y and (direction < 2 or x == to_x):
                y += 1 if y < to_y else -1
            else:
                x += 1 if x < to_x else -1
            position = (y + 1) * self.stride + x + 1
            if self.cells[position] == 0:
                return
            if self.cells[position] != CLOSED:
                self.cells[position] = 0

    @cython.cfunc
    def try_room(self) -> cython.bint:
        """Add a room at the corridor's end if it fits; return whether it does."""
        end: cython.Py_ssize_t = self.attempt[self.length - 1]
        x: cython.Py_ssize_t = end % self.stride - 1
        y: cython.Py_ssize_t = end // self.stride - 1
        left: cython.Py_ssize_t
        top: cython.Py_ssize_t
        width: cython.Py_ssize_t
        height: cython.Py_ssize_t
        width, height = self.draw_size()
        if self.direction < 2:
            left = self.draws.next(x - width + 1, x)
            top = y + 1 if self.direction == 1 else y - height - 1
        else:
            top = self.draws.next(y - height + 1, y)
            left = x + 1 if self.direction == 2 else x - width
        if not self.fits(left, top, left + width, top + height):
            return False
        self.add_room(left, top, width, height)
        return True

    @cython.cfunc
    def fits(
        self,
        left: cython.Py_ssize_t,
        top: cython.Py_ssize_t,
        right: cython.Py_ssize_t,
        bottom: cython.Py_ssize_t,
    ) -> cython.bint:
        """Return whether a new room lies in solid rock, far enough from all else.

        Cells that are never opened may be near it, but not in it.
        """
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        position: cython.Py_ssize_t
        room: Room
        far: cython.Py_ssize_t = self.room_distance
        near: cython.Py_ssize_t = self.corridor_distance
        if left < far or top < far or right + far >= self.width or bottom + far >= self.height:
            return False
        for y in range(top - far, bottom + far + 1):
            position = (y + 1) * self.stride + left - far + 1
            for x in range(left - far, right + far + 1):
                if self.cells[position] == CLOSED:
                    if left <= x <= right and top <= y <= bottom:
                        return False
                elif self.cells[position] != 1 or (self.edge == 1 and self.in_rooms[position] > 0):
                    return False
                position += 1
        for room in self.rooms:
            if (
                room[0] < right + far
                and left - far < room[0] + room[2]
                and room[1] < bottom + far
                and top - far < room[1] + room[3]
            ):
                return False
        for y in range(max(top - near, 0), min(bottom + near, self.height)):
            position = (y + 1) * self.stride + 1
            for x in range(max(left - near, 0), min(right + near, self.width)):
                if self.in_corridors[position + x] == 1:
                    return False
        return True
