"""Rooms drawn by hand stand as they are drawn, and corridors join them at their doors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.build.build import build_level
from exporter.generators import GENERATORS, Generated, Parameters, Request
from exporter.generators import bsp_rooms as bsp
from exporter.generators import irregular_rooms as irregular
from exporter.generators._drawn_rooms import DrawnRooms
from exporter.generators._legend import FLOOR, FLOOR_AND_WALL, WALL, TileOptions
from exporter.generators.fixed import restored
from exporter.generators.given import FixedCells
from exporter.grids.regions import find_regions
from exporter.model.errors import ParameterError
from exporter.model.level import Layer
from exporter.reading.reader import parse_level
from exporter.streams import open_stream
from ldtk_projects import Entity, EntityDefinition, Level, Project
from ldtk_projects import Layer as LdtkLayer

HUT = "#####\n#...#\n#...+\n#####"
CROSS = "  ###\n  #.#\n###.###\n+.....+\n###.###\n  #.#\n  ###"
COURT = "#######\n#.....#\n#.   .#\n#.   .#\n#.....#\n###+###"
OPEN = "...\n.T.\n..."


def scattered(
    *rooms: DrawnRooms, width: int = 60, height: int = 40, seed: int = 1, **values: Any
) -> Generated:
    files = values.pop("files", {})
    parameters = irregular.IrregularRooms(drawn_rooms=rooms, **values)
    return irregular.generate(parameters, request(width, height, seed, files))


def parted(
    *rooms: DrawnRooms, width: int = 60, height: int = 40, seed: int = 1, **values: Any
) -> Generated:
    files = values.pop("files", {})
    parameters = bsp.BspRooms(drawn_rooms=rooms, **values)
    return bsp.generate(parameters, request(width, height, seed, files))


def request(width: int, height: int, seed: int, files: dict[str, bytes]) -> Request:
    stream = open_stream("portable", seed, "map")
    return Request("map", width, height, stream, read_file=files.__getitem__)


def names(result: Generated) -> np.ndarray:
    table = np.array([tile.name for tile in sorted(result.tiles, key=lambda tile: tile.id)])
    return table[result.cells]


def walkable(result: Generated) -> np.ndarray:
    return np.isin(result.cells, [tile.id for tile in result.tiles if tile.walkable])


def drawings(art: str, turn: bool, mirror: bool) -> list[np.ndarray]:
    """All directions of a drawing: names of tiles, empty where it has none."""
    words = {"#": "wall", ".": "floor", "+": "door", "T": "tree", " ": ""}
    lines = art.split("\n")
    width = max(map(len, lines))
    drawn = np.array([[words[item] for item in line.ljust(width)] for line in lines])
    turned = [np.rot90(drawn, quarter) for quarter in range(4 if turn else 1)]
    return turned + ([np.fliplr(item) for item in turned] if mirror else [])


@given(
    make=st.sampled_from([scattered, parted]),
    seed=st.integers(0, 999),
    width=st.integers(3, 70),
    height=st.integers(3, 50),
    turn=st.booleans(),
    mirror=st.booleans(),
    corridor=st.integers(1, 4),
)
@settings(deadline=None, max_examples=80)
def test_rooms_stay_as_drawn_and_are_joined_around_each_other(
    make: Callable[..., Generated],
    seed: int,
    width: int,
    height: int,
    turn: bool,
    mirror: bool,
    corridor: int,
) -> None:
    arts = [HUT, CROSS, COURT, OPEN]
    rooms = [DrawnRooms(art=art, turn=turn, mirror=mirror) for art in arts]
    built = make(*rooms, width=width, height=height, seed=seed, corridor_width=corridor)
    result = names(built)
    assert result.shape == (height, width)
    known = [drawing for art in arts for drawing in drawings(art, turn, mirror)]
    covered = np.zeros((height, width), bool)
    for room in built.rooms:
        part = slice(room.y, room.y + room.height), slice(room.x, room.x + room.width)
        cut = result[part]
        assert any(
            item.shape == cut.shape and ((item == cut) | (item == "")).all() for item in known
        )
        assert not covered[room.y - 1 : room.y + room.height + 1, part[1]].any()
        covered[part] = True
        assert walkable(built)[room.center[1], room.center[0]]
    border = np.ones((height, width), bool)
    border[1:-1, 1:-1] = False
    assert not walkable(built)[border].any()
    if built.rooms:
        assert find_regions(walkable(built)).count == 1
        assert "unjoined" not in built.report


@pytest.mark.parametrize("make", [scattered, parted])
def test_corridors_meet_a_room_at_its_doors_alone(make: Callable[..., Generated]) -> None:
    built = make(DrawnRooms(art=HUT, turn=True), corridor_width=1)
    assert len(built.rooms) > 5
    result = names(built)
    for room in built.rooms:
        part = result[room.y : room.y + room.height, room.x : room.x + room.width]
        assert np.count_nonzero(part == "door") == 1
        assert np.count_nonzero(part == "wall") == 13


def test_a_room_without_doors_is_entered_where_its_edge_is_walkable() -> None:
    result = scattered(DrawnRooms(art=OPEN), rooms=5)
    assert result.complete
    assert find_regions(walkable(result)).count == 1


@pytest.mark.parametrize("make", [scattered, parted])
def test_the_same_spec_gives_the_same_cells_and_another_seed_others(
    make: Callable[..., Generated],
) -> None:
    rooms = [DrawnRooms(art=HUT, turn=True, mirror=True), DrawnRooms(art=CROSS)]
    first, again, other = make(*rooms), make(*rooms), make(*rooms, seed=2)
    assert np.array_equal(first.cells, again.cells)
    assert not np.array_equal(first.cells, other.cells)


def test_rooms_are_turned_and_mirrored_only_on_request() -> None:
    for turn, mirror, count in (
        (False, False, 1),
        (True, False, 4),
        (False, True, 2),
        (True, True, 8),
    ):
        art = "###\n#.+\n#.#\n###"
        built = scattered(
            DrawnRooms(art=art, turn=turn, mirror=mirror), rooms=80, width=120, height=120
        )
        result = names(built)
        seen = {
            result[room.y : room.y + room.height, room.x : room.x + room.width].tobytes()
            + bytes([room.width])
            for room in built.rooms
        }
        assert len(seen) == count


def test_every_room_of_a_project_is_one_of_its_levels() -> None:
    things = LdtkLayer("Things", "Entities")
    walls = LdtkLayer("Walls", values={1: "wall", 2: "floor"})
    rooms = {
        "Room_1": [[1, 1, 1], [1, 2, 1], [1, 1, 1]],
        "Room_2": [[1, 1, 1, 1], [1, 2, 2, 1], [1, 1, 1, 1]],
        "Hall": [[2] * 9] * 9,
    }
    levels = [
        Level(name, {"Walls": rows, "Things": [Entity("Door", (16, 0))]})
        for name, rows in rooms.items()
    ]
    project = Project(levels, [things, walls], entities=[EntityDefinition("Door")])
    source = DrawnRooms(file="rooms.ldtk", level="Room_*")
    built = scattered(source, rooms=20, files={"rooms.ldtk": project.content()})
    assert {(room.width, room.height) for room in built.rooms} == {(3, 3), (4, 3)}
    result = names(built)
    assert all(result[room.y, room.x + 1] == "door" for room in built.rooms)
    assert find_regions(walkable(built)).count == 1


def test_tiles_of_a_drawing_are_added_to_those_of_the_generator() -> None:
    lava = TileOptions(name="lava", walkable=False)
    result = parted(DrawnRooms(art="...\n.!.\n...", glyphs={"!": lava}), depth=3)
    assert [tile.name for tile in result.tiles] == ["floor", "wall", "lava"]
    assert np.count_nonzero(names(result) == "lava") == len(result.rooms) > 0


def message(call: Callable[[], Any]) -> tuple[str, tuple[str | int, ...]]:
    with pytest.raises(ParameterError) as caught:
        call()
    return caught.value.message, caught.value.path


def test_a_room_that_cannot_be_entered_is_refused_with_the_way_out() -> None:
    text, path = message(lambda: scattered(DrawnRooms(art=HUT), DrawnRooms(art="###\n#.#\n###")))
    assert "3 x 3 cells has no entrance" in text
    assert "draw the tile `door` there" in text
    assert path == ("drawn_rooms", 1, "art")


def test_a_door_inside_a_room_is_no_way_in() -> None:
    text, _ = message(lambda: scattered(DrawnRooms(art="#####\n#.+.#\n#####")))
    assert "has no entrance" in text


def test_a_room_that_nobody_can_walk_in_is_refused() -> None:
    text, _ = message(lambda: parted(DrawnRooms(art="###\n###")))
    assert text.startswith("a drawn room has no walkable cell (if cells without a tile are floor")


@each_case(
    ("parameters", "name"),
    [
        (irregular.IrregularRooms(min_radius=3, drawn_rooms=(DrawnRooms(art=HUT),)), "min_radius"),
        (irregular.IrregularRooms(points=4, drawn_rooms=(DrawnRooms(art=HUT),)), "points"),
        (irregular.IrregularRooms(method="merged", drawn_rooms=(DrawnRooms(art=HUT),)), "method"),
        (bsp.BspRooms(max_room_size=(9, 9), drawn_rooms=(DrawnRooms(art=HUT),)), "max_room_size"),
    ],
)
def test_a_parameter_that_would_do_nothing_is_refused(parameters: Parameters, name: str) -> None:
    text, path = message(lambda: parameters.check(50, 50))
    assert f"`{name}` has no effect with `drawn_rooms`" in text
    assert path == (name,)


@each_case(
    ("source", "where"),
    [
        (DrawnRooms(), ()),
        (DrawnRooms(art=HUT, file="x.txt"), ()),
        (DrawnRooms(art=HUT, layer="Walls"), ("layer",)),
        (DrawnRooms(file="x.txt", legend={1: "wall"}), ("legend",)),
        (DrawnRooms(file="x.tmj", level="A"), ("level",)),
        (DrawnRooms(file="x.ldtk", glyphs={"!": TileOptions(name="lava")}), ("glyphs",)),
        (DrawnRooms(art="?"), ("art",)),
    ],
)
def test_sources_are_checked_before_anything_is_read(
    source: DrawnRooms, where: tuple[str, ...]
) -> None:
    for parameters in (
        irregular.IrregularRooms(drawn_rooms=(source,)),
        bsp.BspRooms(drawn_rooms=(source,)),
    ):
        _, path = message(lambda parameters=parameters: parameters.check(50, 50))
        assert path == ("drawn_rooms", 0, *where)


def test_rooms_that_cannot_be_placed_are_reported() -> None:
    result = scattered(DrawnRooms(art=HUT), rooms=500, width=30, height=30)
    assert not result.complete
    assert 0 < result.report["rooms"] < 500
    none = parted(DrawnRooms(art=HUT), width=6, height=6)
    assert (none.complete, none.rooms) == (False, ())


def around_wall(
    name: str, opening: int | None, seed: int = 1, **values: Any
) -> tuple[Generated, np.ndarray]:
    """Make drawn rooms where a wall down the middle is given, with an opening or without."""
    cells = np.full((30, 41), -1, np.int32)
    cells[:, 20] = WALL.id
    if opening is not None:
        cells[opening, 20] = FLOOR.id
    fixed = FixedCells(FLOOR_AND_WALL, cells, cells > 9, cells == FLOOR.id, cells == WALL.id)
    entry = GENERATORS.get(name)
    parameters = entry.parameters(drawn_rooms=(DrawnRooms(art=HUT, turn=True),), **values)
    result = entry.generate(parameters, replace(request(41, 30, seed, {}), fixed=fixed))
    return result, names(restored(fixed, result))


@each_case(("name", "values"), [("irregular_rooms", {"rooms": 9}), ("bsp_rooms", {"depth": 4})])
@each_case("seed", range(4))
def test_drawn_rooms_and_corridors_keep_off_given_cells(
    name: str, values: dict[str, int], seed: int
) -> None:
    built, result = around_wall(name, 15, seed, **values)
    assert len(built.rooms) > 3
    for room in built.rooms:
        part = result[room.y : room.y + room.height, room.x : room.x + room.width]
        assert np.count_nonzero(part == "door") == 1
        assert np.count_nonzero(part == "wall") == 13
    assert {room.x < 20 for room in built.rooms} == {True, False}
    assert find_regions(np.isin(result, ["floor", "door"])).count == 1
    assert "unjoined" not in built.report


@pytest.mark.parametrize("name", ["irregular_rooms", "bsp_rooms"])
def test_given_cells_that_keep_drawn_rooms_apart_are_reported(name: str) -> None:
    built, result = around_wall(name, None)
    assert find_regions(np.isin(result, ["floor", "door"])).count == built.report["sides"] == 2
    assert not built.complete
    entry = GENERATORS.get(name)
    layer = Layer("map", "tiles", built.cells, name, report=built.report, complete=False)
    assert entry.shortfall is not None
    parameters = entry.parameters(drawn_rooms=(DrawnRooms(art=HUT),))
    assert "divide the rooms into 2 parts" in entry.shortfall(parameters, layer)


def test_guaranteed_joins_never_open_a_drawn_wall() -> None:
    art = "#######\\n#.....#\\n#.###.#\\n#.#.#.#\\n#.###.#\\n#.....+\\n#######"
    text = (
        "size: [40, 30]\nlayers:\n  map: {generator: irregular_rooms, rooms: 3, "
        f'drawn_rooms: [{{art: "{art}"}}], connect: guaranteed}}\n'
    )
    layer = build_level(parse_level(text.encode(), "x.level.yaml")).layers["map"]
    result = np.array([tile.name for tile in layer.tiles])[layer.cells]
    for room in layer.rooms:
        part = result[room.y : room.y + room.height, room.x : room.x + room.width]
        assert np.count_nonzero(part == "wall") == 31
    assert not layer.complete
