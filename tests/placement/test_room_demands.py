"""Demands counted in rooms, checked again with plain code on maps whose rooms are drawn."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.build.build import build_level
from exporter.build.room_connections import with_connections
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, PlacedObject, Room, Tile
from exporter.placement.parameters import ROOM_DEMANDS, ObjectParameters
from exporter.reading.reader import parse_level
from exporter.streams import open_stream
from placed_objects import place_objects

TILES = (
    Tile(0, "floor", walkable=True, opaque=False, color="#ffffff"),
    Tile(1, "wall", walkable=False, opaque=True, color="#000000"),
    Tile(2, "door", walkable=True, opaque=True, color="#805020"),
)
ROWS, COLUMNS = 3, 4
Cell = tuple[int, int]
Demands = dict[str, Any]


def rooms_of(gaps: list[int]) -> Layer:
    """Rooms of 2 x 2 cells in rows; a gap between two is a wall, an opening or a door."""
    cells = np.ones((3 * ROWS + 1, 3 * COLUMNS + 1), np.uint8)
    rooms = []
    for row, column in product(range(ROWS), range(COLUMNS)):
        x, y = 3 * column + 1, 3 * row + 1
        cells[y : y + 2, x : x + 2] = 0
        rooms.append(Room(f"room_{len(rooms) + 1}", x, y, 2, 2, (x, y)))
    for (y, x), gap in zip(GAPS, gaps, strict=True):
        cells[y, x] = (1, 0, 2)[gap]
    return with_connections(
        Layer(
            "ground", "tiles", cells, "test", tiles=TILES, walkable=cells != 1, rooms=tuple(rooms)
        )
    )


GAPS = [(3 * row + 1, 3 * column) for row, column in product(range(ROWS), range(1, COLUMNS))]
GAPS += [(3 * row, 3 * column + 2) for row, column in product(range(1, ROWS), range(COLUMNS))]


def room_at(layer: Layer, cell: Cell) -> int | None:
    x, y = cell
    for number, room in enumerate(layer.rooms):
        if room.x <= x < room.x + room.width and room.y <= y < room.y + room.height:
            return number
    return None


def neighbours(layer: Layer) -> dict[int, dict[int, int]]:
    """Of every room, those behind a gap, each with the doors in it."""
    result: dict[int, dict[int, int]] = {number: {} for number in range(len(layer.rooms))}
    for y, x in GAPS:
        if layer.cells[y, x] != 1:
            beside = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
            item, other = (r for r in (room_at(layer, cell) for cell in beside) if r is not None)
            result[item][other] = result[other][item] = int(layer.cells[y, x] == 2)
    return result


def distances(layer: Layer, cells: list[Cell], *, doors: bool) -> dict[int, int]:
    """Rooms or doors from the nearest of some cells to every room that can be reached."""
    result = {room: 0 for room in (room_at(layer, cell) for cell in cells) if room is not None}
    ways = neighbours(layer)
    for _ in ways:
        for item, others in ways.items():
            for other, door in others.items():
                if item in result:
                    step = result[item] + (door if doors else 1)
                    result[other] = min(result.get(other, 99), step)
    return result


def allowed(
    layer: Layer, room: int | None, demands: Demands, placed: dict[str, list[Cell]]
) -> bool:
    """Whether a cell of a room, or of none, meets demands."""
    far = placed["start"] + placed["exit"]
    if room is None:
        return not any(value is not None and value is not False for value in demands.values())
    for name, doors in (("min_rooms", False), ("min_doors", True)):
        least = demands[name]
        if least is not None and distances(layer, far, doors=doors).get(room, -1) < least:
            return False
    for name, doors in (("max_rooms", False), ("max_doors", True)):
        most = demands[name]
        if most is not None and distances(layer, placed["start"], doors=doors).get(room, 99) > most:
            return False
    if demands["dead_end_rooms"] and len(neighbours(layer)[room]) != 1:
        return False
    there = distances(layer, placed["start"], doors=False)
    back = distances(layer, placed["exit"], doors=False)
    sums = {room: there[room] + back[room] for room in there if room in back}
    on = {room for room in sums if sums[room] == min(sums.values())}
    if demands["on_critical_path"] is not None and room not in on:
        return False
    return demands["off_critical_path"] is None or (room in sums and room not in on)


ENDS = ("start", "exit")
STANDING = [
    ObjectParameters(name="start", in_rooms=True, count=2),
    ObjectParameters(name="exit", in_rooms=True),
]


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    gaps=st.lists(st.integers(0, 2), min_size=len(GAPS), max_size=len(GAPS)),
    demands=st.fixed_dictionaries(
        {
            "min_rooms": st.none() | st.integers(1, 4),
            "min_doors": st.none() | st.integers(1, 2),
            "max_rooms": st.none() | st.integers(0, 4),
            "max_doors": st.none() | st.integers(0, 2),
            "in_rooms": st.booleans(),
            "dead_end_rooms": st.booleans(),
            "on_critical_path": st.none() | st.none() | st.just(ENDS),
            "off_critical_path": st.none() | st.none() | st.just(ENDS),
        }
    ),
)
def test_objects_stand_exactly_where_the_rooms_allow(
    seed: int, gaps: list[int], demands: Demands
) -> None:
    layer = rooms_of(gaps)
    limits = {key for key, value in demands.items() if value is not None and value is not False}
    requested = ObjectParameters(
        name="chest",
        count=100,  # more than there are cells: the objects fill all allowed ones
        required=False,
        far_from=ENDS if limits & {"min_rooms", "min_doors"} else None,
        near="start" if limits & {"max_rooms", "max_doors"} else None,
        **demands,
    )
    stream = open_stream("portable", seed, "objects")
    objects = place_objects([*STANDING, requested], {"ground": layer}, ["ground"], stream)
    placed: dict[str, list[Cell]] = {"start": [], "exit": [], "chest": []}
    for item in objects:
        placed[item.name].append((item.x, item.y))
    assert len(placed["start"]) == 2
    assert all(room_at(layer, cell) is not None for cell in placed["start"] + placed["exit"])
    used = {*placed["start"], *placed["exit"]}
    floor = [(x, y) for y, x in np.argwhere(layer.cells != 1).tolist()]
    rooms = [*range(len(layer.rooms)), None]
    good = {room for room in rooms if allowed(layer, room, demands, placed)}
    expected = {cell for cell in floor if cell not in used and room_at(layer, cell) in good}
    assert set(placed["chest"]) == expected


# Five rooms in a row: 1 - 2 = 3 - 4, 5 apart; `=` is a door; the row below 1 hangs on 1.
ROW = [1, 2, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]


def put(*objects: ObjectParameters, layer: Layer | None = None) -> tuple[PlacedObject, ...]:
    ground = rooms_of(ROW) if layer is None else layer
    stream = open_stream("portable", 1, "objects")
    return place_objects(objects, {"ground": ground}, ["ground"], stream)


START = ObjectParameters(name="start", room="room_1")
EXIT = ObjectParameters(name="exit", room="room_4")
APART = ObjectParameters(name="exit", room="room_12")
CORRIDOR = ObjectParameters(name="start", at=(3, 1))


@each_case(
    ("objects", "message", "path"),
    [
        ([START, ObjectParameters(name="a", far_from="start", min_rooms=4)],
         "a: only 0 of 1 could be placed: 52 floor cells, 0 at least 4 rooms from start (the "
         "farthest of the 5 rooms that can be reached is 3 rooms away)", (1, "min_rooms")),
        ([START, ObjectParameters(name="a", far_from="start", min_doors=2)],
         "a: only 0 of 1 could be placed: 52 floor cells, 0 at least 2 doors from start (the "
         "farthest of the 5 rooms that can be reached is 1 door away)", (1, "min_doors")),
        ([START, ObjectParameters(name="a", count=9, near="start", max_rooms=0)],
         "a: only 3 of 9 could be placed: 52 floor cells, 4 within 0 rooms of start, 3 free",
         (1, "max_rooms")),
        ([START, ObjectParameters(name="a", count=13, near="start", max_doors=0)],
         "a: only 11 of 13 could be placed: 52 floor cells, 12 within 0 doors of start, 11 free",
         (1, "max_doors")),
        ([ObjectParameters(name="a", count=49, in_rooms=True)],
         "a: only 48 of 49 could be placed: 52 floor cells, 48 in rooms", (0, "in_rooms")),
        ([ObjectParameters(name="a", count=9, dead_end_rooms=True)],
         "a: only 8 of 9 could be placed: 52 floor cells, 8 in a room with one neighbour",
         (0, "dead_end_rooms")),
        ([START, EXIT, ObjectParameters(name="a", count=17, on_critical_path=ENDS)],
         ("a: only 14 of 17 could be placed: 52 floor cells, 16 on the way from start to "
"exit, 14 free"),
         (2, "on_critical_path")),
        ([START, EXIT, ObjectParameters(name="a", count=9, off_critical_path=ENDS)],
         ("a: only 4 of 9 could be placed: 52 floor cells, 4 in rooms off the way from "
"start to exit"),
         (2, "off_critical_path")),
        ([START, APART, ObjectParameters(name="a", on_critical_path=ENDS)],
         ("no path leads through rooms from 'start' to 'exit' (it reaches only room_1, "
"room_2, room_3, room_4, room_5; join the rooms with `connect: guaranteed`)"),
         (2, "on_critical_path")),
        ([CORRIDOR, ObjectParameters(name="a", far_from="start", min_rooms=1)],
         "'start' at [3, 1] is in no room, so no rooms can be counted from there (write "
         "`in_rooms: true` for 'start')", (1, "min_rooms")),
        ([EXIT, CORRIDOR, ObjectParameters(name="a", off_critical_path=("exit", "start"))],
         "'start' at [3, 1] is in no room, so no rooms can be counted from there (write "
         "`in_rooms: true` for 'start')", (2, "off_critical_path")),
        ([START, ObjectParameters(name="a", at=(2, 2), far_from="start", min_rooms=1)],
         "a: [2, 2] is not at least 1 room from start", (1, "at")),
        ([ObjectParameters(name="a", min_rooms=2)],
         "`min_rooms` has no effect without `far_from` (add `far_from`)",
         (0, "min_rooms")),
        ([START, ObjectParameters(name="a", min_doors=2, near="start")],
         "`min_doors` has no effect without `far_from` (add `far_from`)", (1, "min_doors")),
        ([ObjectParameters(name="a", max_rooms=0)],
         "`max_rooms` has no effect without `near` (add `near`)",
         (0, "max_rooms")),
        ([START, ObjectParameters(name="a", max_doors=0, far_from="start")],
         "`max_doors` has no effect without `near` (add `near`)", (1, "max_doors")),
        ([START, ObjectParameters(name="a", on_critical_path=("start", "start"))],
         "a way from 'start' to itself has one room (name two objects)",
         (1, "on_critical_path", 1)),
    ],
)  # fmt: skip
def test_what_finds_no_room_says_why_and_where(
    objects: list[ObjectParameters], message: str, path: tuple[str | int, ...]
) -> None:
    with pytest.raises(ParameterError) as caught:
        put(*objects)
    assert (caught.value.message, caught.value.path) == (message, path)


def test_many_rooms_that_can_be_reached_are_counted() -> None:
    gaps = [1] * len(GAPS)
    for position_of_gap, (y, x) in enumerate(GAPS):
        if (y, x) in ((7, 9), (6, 11)):  # both ways to the last room
            gaps[position_of_gap] = 0
    with pytest.raises(ParameterError, match=r"reaches only (room_\d, ){7}room_8 and 3 more; join"):
        put(START, APART, ObjectParameters(name="a", on_critical_path=ENDS), layer=rooms_of(gaps))


@each_case("demand", ROOM_DEMANDS)
def test_a_map_without_rooms_has_none_to_count(demand: str) -> None:
    values: Demands = {
        "in_rooms": True, "dead_end_rooms": True, "on_critical_path": ENDS,
        "off_critical_path": ENDS,
    }  # fmt: skip
    expected: Demands = {demand: values.get(demand, 1)}
    expected |= {"far_from": "start"} if demand.startswith("min_") else {}
    expected |= {"near": "start"} if demand.startswith("max_") else {}
    cells = np.zeros((4, 4), np.uint8)
    cave = Layer("cave", "tiles", cells, "test", tiles=TILES, walkable=cells == 0)
    ends = [ObjectParameters(name="start"), ObjectParameters(name="exit")]
    with pytest.raises(ParameterError) as caught:
        put(*ends, ObjectParameters(name="a", **expected), layer=cave)
    assert caught.value.path == (2, demand)
    assert caught.value.message == (
        "the `play` layers have no rooms (if another layer has, name it with `layer`)"
    )
    optional = ObjectParameters(name="a", required=False, **expected)
    assert [item.name for item in put(*ends, optional, layer=cave)] == ["start", "exit"]


def test_without_others_nothing_is_far_from_them_or_near() -> None:
    missing = ObjectParameters(name="start", room="nowhere", required=False)
    for limits in ({"far_from": "start", "min_rooms": 1}, {"near": "start", "max_rooms": 9}):
        with pytest.raises(
            ParameterError, match=r"could be placed: 52 floor cells, 0 [a-z0-9 ]+ start$"
        ):
            put(missing, ObjectParameters(name="a", **limits))


def test_an_optional_group_is_not_placed_where_rooms_cannot_be_counted() -> None:
    dropped = ObjectParameters(name="a", far_from="start", min_rooms=1, required=False)
    assert [item.name for item in put(CORRIDOR, dropped)] == ["start"]


def test_steps_and_rooms_can_be_requested_for_together() -> None:
    both = ObjectParameters(
        name="a", count=100, required=False, far_from="start", min_rooms=1, min_distance=8
    )
    start = ObjectParameters(name="start", at=(1, 1))
    placed = {(item.x, item.y) for item in put(start, both) if item.name == "a"}
    # Room 3 begins 6 steps from the start, room 4 has all its cells at least 8 steps away.
    assert placed == {(x, y) for x in (8, 10, 11) for y in (1, 2) if x + y >= 10}


def test_what_is_not_walkable_belongs_to_the_room_beside_it() -> None:
    layer = rooms_of(ROW)
    torch = ObjectParameters(name="torch", on_tile="wall", dead_end_rooms=True, count=100)
    torches = put(torch.__class__(**{**vars(torch), "required": False}), layer=layer)
    assert torches
    for item in torches:
        beside = [
            room_at(layer, cell)
            for cell in (
                (item.x, item.y - 1),
                (item.x - 1, item.y),
                (item.x + 1, item.y),
                (item.x, item.y + 1),
            )
        ]
        first = next(room for room in beside if room is not None)
        assert len(neighbours(layer)[first]) == 1


LEVEL = """\
size: [40, 30]
seed: 3
layers:
  ground: {{generator: {generator}}}
objects:
  - {{name: start, {start}}}
  - {{name: exit, far_from: start, {demand}}}
"""


@each_case(
    ("generator", "start", "demand", "message"),
    [
        ("cellular_caves", "count: 1", "min_rooms: 2",
         "7:46: error: the `play` layers have no rooms (if another layer has, name it with "
         "`layer`)"),
        ("cellular_caves, role: play", "layer: ground", "layer: ground, min_doors: 2",
         "7:61: error: layer 'ground' has no rooms"),
        ("bsp_rooms", "in_rooms: true", "min_rooms: 0",
         "7:46: error: value 0 is out of range (allowed: 1 to 65536)"),
        ("bsp_rooms", "in_rooms: true", "on_critical_path: [start]",
         "7:53: error: the list is too short (expected a list of 2 names, as in [start, exit])"),
        ("bsp_rooms", "in_rooms: true", "off_critical_path: [start, chests]",
         "7:62: error: unknown object 'chests' (known: exit, start)"),
        ("bsp_rooms", "in_rooms: true", "on_critical_path: [start, exit]",
         "7:61: error: 'exit' cannot refer to itself (use `spacing` to keep them apart)"),
        ("bsp_rooms", "in_rooms: true", "rooms_away: 3",
         "7:35: error: unknown key 'rooms_away' (did you mean 'min_rooms'?)"),
        ("bsp_rooms", "near: exit, max_rooms: 2", "min_rooms: 3",
         "6:25: error: cycle: start -> exit -> start (each is built after what it names: remove "
         "one of these references)"),
    ],
)  # fmt: skip
def test_mistakes_are_reported_at_their_line(
    generator: str, start: str, demand: str, message: str
) -> None:
    text = LEVEL.format(generator=generator, start=start, demand=demand)
    with pytest.raises(Exception) as caught:  # noqa: PT011 - its text is compared
        build_level(parse_level(text.encode(), "crypt.level.yaml"))
    first = str(caught.value).splitlines()[0]
    assert first == f"crypt.level.yaml:{message}"
