"""Dungeons against a slow program written sentence by sentence from their description."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.generators import Request, _room_shapes, rooms_and_corridors
from exporter.generators.rooms_and_corridors import OUTCOMES, RoomsAndCorridors, generate
from exporter.grids.regions import label_regions
from exporter.kernels import rooms as kernel
from exporter.model.errors import ParameterError
from exporter.streams import open_stream

DIRECTIONS = [(0, -1), (0, 1), (1, 0), (-1, 0)]
Cell = tuple[int, int]


def request(width: int, height: int, seed: int | str, rng: str) -> Request:
    return Request("ground", width, height, open_stream(rng, seed, "ground"))


class Rectangle:
    def __init__(self, x: int, y: int, width: int, height: int):
        self.x, self.y, self.width, self.height = x, y, width, height
        self.right, self.bottom = x + width, y + height

    def contains(self, cell: Cell) -> bool:
        return self.x <= cell[0] < self.right and self.y <= cell[1] < self.bottom

    def inflate(self, by: int) -> Rectangle:
        return Rectangle(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def cells(self) -> list[Cell]:
        """All cells, right and bottom edge included."""
        columns, rows = range(self.x, self.right + 1), range(self.y, self.bottom + 1)
        return [(x, y) for x in columns for y in rows]

    def intersects(self, other: Rectangle) -> bool:
        across = self.x < other.right and other.x < self.right
        return across and self.y < other.bottom and other.y < self.bottom


class Slow:
    """The reference program's rules, with lists and searches and no cleverness."""

    def __init__(self, p: RoomsAndCorridors, width: int, height: int, seed: int, rng: str):
        self.p = p
        self.width, self.height = width, height
        self.draws = open_stream(rng, seed, "ground").draws("rooms")
        self.clear()

    def clear(self) -> None:
        self.map = {(x, y): 1 for x in range(self.width) for y in range(self.height)}
        self.rooms: list[Rectangle] = []
        self.corridors: list[Cell] = []
        self.potential: list[Cell] = []
        self.current = Rectangle(0, 0, 0, 0)

    def size(self) -> tuple[int, int]:
        width = self.draws.next(self.p.min_room_size[0], self.p.max_room_size[0] + 1)
        return width, self.draws.next(self.p.min_room_size[1], self.p.max_room_size[1] + 1)

    def build_room(self, room: Rectangle) -> bool:
        """Open a room; the reference program crashes where this says False."""
        if any(cell not in self.map for cell in room.cells()):
            return False
        self.rooms.append(room)
        for cell in room.cells():
            self.map[cell] = 0
        return True

    def run(self) -> str:
        if self.p.start == "one_room":
            width, height = self.size()
            x, y = self.width // 2, self.height // 2
            width, height = min(width, self.width - 1 - x), min(height, self.height - 1 - y)
            if width < 1 or height < 1:
                return "no space"
            self.build_room(Rectangle(x, y, width, height))
        elif not any(self.try_joining() for _ in range(rooms_and_corridors.START_TRIES)):
            return "not joined"
        return self.main_loop()

    def try_joining(self) -> bool:
        self.clear()
        self.direction = DIRECTIONS[self.draws.next(0, 4)]
        for side in range(2):
            w, h = self.size()
            if self.direction[0] == 0:
                x = self.draws.next(0, self.width - w)
                y = 1 if side == 0 else self.height - h - 1
            else:
                y = self.draws.next(0, self.height - h)
                x = 1 if side == 0 else self.width - w - 2
            if not self.build_room(Rectangle(x, y, w, h)):
                return False
        if self.corridor_start() != "ok" or self.grow(100, True) != "existing room":
            return False
        self.build_corridor()
        return True

    def main_loop(self) -> str:
        counter = 0
        while len(self.rooms) < self.p.rooms:
            if counter > self.p.attempts:
                return "attempts"
            counter += 1
            start = self.corridor_start()
            if start == "no edge":
                return start
            if start != "ok":
                continue
            turns = self.draws.next(1, self.p.corridor_max_turns)
            draw = self.draws.next(0, 100)
            prevent = self.p.prevent_backtracking
            outcome = self.grow(turns, draw > 50 if prevent == 50 else draw >= 100 - prevent)
            if outcome in ("existing room", "existing corridor", "self"):
                self.build_corridor()
            elif outcome == "completed":
                room = self.room_at_end()
                if self.fits(room):
                    self.build_corridor()
                    self.build_room(room)
        return "complete"

    def build_corridor(self) -> None:
        for cell in self.potential:
            self.map[cell] = 0
        self.corridors += self.potential
        self.potential = []

    def corridor_start(self) -> str:
        self.current = Rectangle(0, 0, 0, 0)
        self.potential = []
        if self.corridors and not self.draws.next(0, 100) >= self.p.from_corridor_percent:
            if not self.corridor_edge():
                return "no edge"
        else:
            self.room_edge()
        return self.test(self.point, self.direction)

    def corridor_edge(self) -> bool:
        count = len(self.corridors)
        for _ in range(4096 + 64 * count):
            x, y = self.corridors[0 if count == 1 else self.draws.next(1, count - 1)]
            solid = [d for d in DIRECTIONS if self.map.get((x + d[0], y + d[1])) == 1]
            if solid:
                self.direction = solid[self.draws.next(0, len(solid))]
                self.point = (x + self.direction[0], y + self.direction[1])
                return True
        return False

    def room_edge(self) -> None:
        self.current = self.rooms[self.draws.next(0, len(self.rooms))]
        x = self.draws.next(self.current.x + 1, self.current.right - 1)
        y = self.draws.next(self.current.y + 1, self.current.bottom - 1)
        self.direction = DIRECTIONS[self.draws.next(0, 4)]
        while True:
            x, y = x + self.direction[0], y + self.direction[1]
            if self.map.get((x, y), 1) == 1:
                self.point = (x, y)
                return

    def test(self, cell: Cell, direction: Cell) -> str:
        if cell not in self.map:
            return "invalid"
        if cell in self.corridors:
            return "existing corridor"
        if cell in self.potential:
            return "self"
        if self.current.contains(cell):
            return "origin room"
        if any(room.contains(cell) for room in self.rooms):
            return "existing room"
        for r in range(-self.p.corridor_spacing, self.p.corridor_spacing + 1):
            across = (cell[0] + r, cell[1]) if direction[0] == 0 else (cell[0], cell[1] + r)
            if self.map.get(across, 1) != 1:
                return "too close"
        return "ok"

    def grow(self, turns: int, memory: bool) -> str:
        self.potential = [self.point]
        first = self.direction
        x, y = self.point
        while turns > 0:
            turns -= 1
            low, high = self.p.min_corridor_length, self.p.max_corridor_length
            for _ in range(self.draws.next(low, high + 1)):
                x, y = x + self.direction[0], y + self.direction[1]
                outcome = self.test((x, y), self.direction)
                if outcome != "ok":
                    return outcome
                self.potential.append((x, y))
            if turns > 1:
                forbidden = [self.direction, first] if memory else [self.direction]
                new = DIRECTIONS[self.draws.next(0, 4)]
                while (-new[0], -new[1]) in forbidden:
                    new = DIRECTIONS[self.draws.next(0, 4)]
                self.direction = new
        return "completed"

    def room_at_end(self) -> Rectangle:
        w, h = self.size()
        x, y = self.potential[-1]
        if self.direction[0] == 0:
            left = self.draws.next(x - w + 1, x)
            return Rectangle(left, y + 1 if self.direction[1] == 1 else y - h - 1, w, h)
        top = self.draws.next(y - h + 1, y)
        return Rectangle(x - w if self.direction[0] == -1 else x + 1, top, w, h)

    def fits(self, room: Rectangle) -> bool:
        spaced = room.inflate(self.p.room_distance)
        if any(self.map.get(cell) != 1 for cell in spaced.cells()):
            return False
        if any(spaced.intersects(other) for other in self.rooms):
            return False
        near = room.inflate(self.p.corridor_distance)
        return not any(near.contains(cell) for cell in self.corridors)

    def array(self) -> np.ndarray[Any, Any]:
        rows = range(self.height)
        return np.array([[self.map[x, y] for x in range(self.width)] for y in rows], np.uint8)


ENDS = {
    "complete": OUTCOMES[kernel.COMPLETE],
    "attempts": OUTCOMES[kernel.NO_ATTEMPTS_LEFT],
    "no edge": OUTCOMES[kernel.NO_EDGE],
    "not joined": OUTCOMES[kernel.NOT_JOINED],
    "no space": OUTCOMES[kernel.NO_SPACE],
}


@st.composite
def cases(draw: st.DrawFn) -> tuple[RoomsAndCorridors, int, int, int, str]:
    width = draw(st.integers(3, 60))
    height = draw(st.integers(3, 60))
    least = draw(st.tuples(st.integers(1, min(width, 6)), st.integers(1, min(height, 6))))
    more = draw(st.tuples(st.integers(0, 8), st.integers(0, 8)))
    shortest = draw(st.integers(0, 6))
    parameters = RoomsAndCorridors(
        min_room_size=least,
        max_room_size=(least[0] + more[0], least[1] + more[1]),
        rooms=draw(st.integers(1, 12)),
        room_distance=draw(st.integers(0, 6)),
        corridor_distance=draw(st.integers(0, 9)),
        min_corridor_length=shortest,
        max_corridor_length=shortest + draw(st.integers(0, 9)),
        corridor_max_turns=draw(st.integers(2, 8)),
        corridor_spacing=draw(st.integers(0, 4)),
        from_corridor_percent=draw(st.sampled_from([0, 30, 50, 100])),
        prevent_backtracking=draw(st.sampled_from([50, 50, 0, 1, 49, 99, 100])),
        attempts=draw(st.sampled_from([0, 20, 120])),
        start=draw(st.sampled_from(["one_room", "connected_rooms"])),
    )
    seed = draw(st.integers(-(2**31), 2**31 - 1))
    return parameters, width, height, seed, draw(st.sampled_from(["portable", "dotnet"]))


@given(cases())
@settings(deadline=None, max_examples=80)
def test_every_cell_and_the_outcome_follow_the_description(
    case: tuple[RoomsAndCorridors, int, int, int, str],
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms_and_corridors, "START_TRIES", 25)
        parameters, width, height, seed, rng = case
        slow = Slow(parameters, width, height, seed, rng)
        outcome = slow.run()
        result = generate(parameters, request(width, height, seed, rng))
    assert np.array_equal(result.cells, slow.array())
    assert result.report["outcome"] == ENDS[outcome]
    assert result.complete == (outcome == "complete")
    assert result.report["rooms"] == len(result.rooms) == len(slow.rooms)
    for room, expected in zip(result.rooms, slow.rooms, strict=True):
        assert (room.x, room.y) == (expected.x, expected.y)
        assert (room.width, room.height) == (expected.width + 1, expected.height + 1)
        assert result.cells[room.center[1], room.center[0]] == 0


@each_case("rng", ["portable", "dotnet"])
@each_case(
    ("seed", "width", "height", "start", "turns", "select"),
    [
        (1, 150, 150, "one_room", 5, 50),
        (-7, 130, 90, "one_room", 25, 100),
        (3, 90, 140, "one_room", 5, 0),
        (4, 100, 70, "connected_rooms", 5, 50),
    ],
)
def test_big_maps_follow_the_description(
    rng: str, seed: int, width: int, height: int, start: Any, turns: int, select: int
) -> None:
    parameters = RoomsAndCorridors(
        start=start, corridor_max_turns=turns, from_corridor_percent=select
    )
    slow = Slow(parameters, width, height, seed, rng)
    outcome = slow.run()
    result = generate(parameters, request(width, height, seed, rng))
    assert np.array_equal(result.cells, slow.array())
    assert result.report["outcome"] == ENDS[outcome]
    assert len(slow.rooms) > 3


@each_case("shape", ["rectangle", "irregular"])
@each_case("start", ["one_room", "connected_rooms"])
def test_rooms_and_corridors_hang_together(start: Any, shape: Any) -> None:
    for seed in range(40):
        size = (60 + seed, 90 - seed)
        for rng in ("portable", "dotnet"):
            parameters = RoomsAndCorridors(start=start, room_shape=shape, room_distance=seed % 6)
            result = generate(parameters, request(*size, seed, rng))
            assert label_regions(result.cells == 0).count == 1
            assert len(result.rooms) > 1


@pytest.mark.parametrize("start", ["one_room", "connected_rooms"])
def test_irregular_rooms_stay_in_their_frames_and_are_not_rectangles(start: Any) -> None:
    parameters = RoomsAndCorridors(start=start, room_shape="irregular", min_room_size=(6, 6))
    result = generate(parameters, request(150, 150, 5, "portable"))
    filled = [
        (result.cells[r.y : r.y + r.height, r.x : r.x + r.width] == 0).mean() for r in result.rooms
    ]
    assert len(filled) == 15
    assert min(filled) > 0.2
    assert np.mean(filled) < 0.95
    for room in result.rooms:
        assert result.cells[room.center[1], room.center[0]] == 0


def test_a_thousand_rooms_in_a_small_map_are_a_report_and_not_an_endless_loop() -> None:
    for start in ("one_room", "connected_rooms"):
        result = generate(RoomsAndCorridors(rooms=1000, start=start), request(20, 20, 1, "dotnet"))
        assert not result.complete
        assert result.report["wanted"] == 1000
        assert 1 <= result.report["rooms"] == len(result.rooms) < 10
        assert result.report["outcome"] == "gave up: attempts exceeded"


def test_a_start_room_that_would_leave_the_map_is_cut_and_that_is_said() -> None:
    parameters = RoomsAndCorridors(min_room_size=(12, 3), max_room_size=(12, 3), rooms=1)
    result = generate(parameters, request(15, 30, 1, "dotnet"))
    assert result.report["start_room"] == "cut, as it would have left the map"
    assert (result.rooms[0].x, result.rooms[0].width, result.rooms[0].height) == (7, 8, 4)
    tiny = generate(RoomsAndCorridors(min_room_size=(1, 1)), request(2, 2, 1, "portable"))
    assert not tiny.complete
    assert tiny.cells.all()


def test_start_rooms_that_cannot_be_joined_end_in_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms_and_corridors, "START_TRIES", 300)
    parameters = RoomsAndCorridors(
        start="connected_rooms", min_corridor_length=0, max_corridor_length=0
    )
    result = generate(parameters, request(60, 60, 1, "portable"))
    assert not result.complete
    assert result.report["outcome"] == "gave up: the two start rooms could not be joined"


@each_case(
    ("wrong", "path", "message"),
    [
        ({"min_room_size": (9, 3), "max_room_size": (8, 8)}, ("min_room_size", 0),
         "width of a room, 9, is greater than"),
        ({"min_room_size": (3, 9), "max_room_size": (8, 8)}, ("min_room_size", 1),
         "height of a room, 9"),
        ({"min_room_size": (21, 3), "max_room_size": (25, 8)}, ("min_room_size", 0),
         "does not fit into a map"),
        ({"min_corridor_length": 16}, ("min_corridor_length",), "16 is greater than"),
    ],
)  # fmt: skip
def test_what_can_never_work_is_refused_with_its_position(
    wrong: dict[str, Any], path: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(ParameterError, match=message) as caught:
        generate(RoomsAndCorridors(**wrong), request(20, 20, 1, "portable"))
    assert caught.value.path == path


@each_case("shape", ["rectangle", "irregular"])
@each_case("start", ["one_room", "connected_rooms"])
def test_dungeons_are_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType],
    monkeypatch: pytest.MonkeyPatch,
    start: Any,
    shape: Any,
) -> None:
    parameters = RoomsAndCorridors(start=start, room_shape=shape)
    cases = [(3, "portable"), (4, "dotnet"), (5, "portable")]
    compiled = [generate(parameters, request(90, 75, *case)) for case in cases]
    monkeypatch.setattr(rooms_and_corridors, "Builder", interpreted("rooms").Builder)
    shapes = interpreted("room_shapes")
    monkeypatch.setattr(_room_shapes, "draw_polygon", shapes.draw_polygon)
    monkeypatch.setattr(_room_shapes, "draw_merged", shapes.draw_merged)
    plain = [generate(parameters, request(90, 75, *case)) for case in cases]
    for ours, theirs in zip(compiled, plain, strict=True):
        assert np.array_equal(ours.cells, theirs.cells)
        assert ours.rooms == theirs.rooms
        assert ours.report == theirs.report
