"""Prefabs stand where they may, never over each other, and are only left out for lack of room."""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.generators import Generated, Request
from exporter.generators._legend import FLOOR_AND_WALL, TileOptions
from exporter.generators.prefabs import Prefab, Prefabs, generate
from exporter.model.errors import ParameterError
from exporter.model.level import Layer
from exporter.streams import open_stream
from ldtk_projects import Layer as LdtkLayer
from ldtk_projects import Level, Project

HUT = "####\n#..+\n####"


def base(walkable: np.ndarray) -> dict[str, Layer]:
    cells = (~walkable).astype(np.uint8)
    return {"base": Layer("base", "tiles", cells, "test", tiles=FLOOR_AND_WALL, walkable=walkable)}


def make(width: int, height: int, *prefabs: Prefab, seed: int = 1, **values: Any) -> Generated:
    request = Request(
        "map",
        width,
        height,
        open_stream("portable", seed, "map"),
        layers=values.pop("layers", {}),
        read_file=values.pop("files", {}).__getitem__,
    )
    return generate(Prefabs(prefabs=prefabs, **values), request)


@given(
    width=st.integers(1, 30),
    height=st.integers(1, 30),
    seed=st.integers(0, 999),
    count=st.integers(1, 20),
    spacing=st.integers(0, 4),
    margin=st.integers(0, 3),
    turn=st.booleans(),
    mirror=st.booleans(),
    over=st.sampled_from(["anything", "walkable", "blocked"]),
)
@settings(deadline=None, max_examples=80)
def test_prefabs_keep_their_distance_and_stand_where_they_may(
    width: int,
    height: int,
    seed: int,
    count: int,
    spacing: int,
    margin: int,
    turn: bool,
    mirror: bool,
    over: Any,
) -> None:
    walkable = open_stream("portable", seed, "walkable").portable.chance("w", width, height, 97)
    result = make(
        width,
        height,
        Prefab(art=HUT, count=count, turn=turn, mirror=mirror),
        seed=seed,
        of="base",
        layers=base(walkable),
        over=over,
        spacing=spacing,
        margin=margin,
    )
    assert result.cells.shape == (height, width)
    assert result.complete == (len(result.rooms) == count)
    assert result.report == {"placed": {"prefab": len(result.rooms)}}
    used = np.zeros((height + 2 * spacing, width + 2 * spacing), bool)
    covered = np.zeros((height, width), bool)
    for room in result.rooms:
        assert margin <= room.x <= width - margin - room.width
        assert margin <= room.y <= height - margin - room.height
        around = (
            slice(room.y, room.y + room.height + 2 * spacing),
            slice(room.x, room.x + room.width + 2 * spacing),
        )
        assert not used[around].any()
        used[
            room.y + spacing : room.y + spacing + room.height,
            room.x + spacing : room.x + spacing + room.width,
        ] = True
        inside = slice(room.y, room.y + room.height), slice(room.x, room.x + room.width)
        covered[inside] = True
        assert sorted(result.cells[inside].ravel().tolist()) == [0] * 2 + [1] * 9 + [2]
    assert np.array_equal(result.cells[~covered], (~walkable).astype(np.uint8)[~covered])
    if over != "anything":
        assert (walkable[covered] == (over == "walkable")).all()


def test_a_piece_is_placed_as_long_as_there_is_any_room() -> None:
    walkable = np.zeros((200, 200), bool)
    walkable[117:120, 33:37] = True
    result = make(
        200, 200, Prefab(art=HUT, turn=False), of="base", layers=base(walkable), over="walkable"
    )
    assert [(room.x, room.y) for room in result.rooms] == [(33, 117)]


def test_impossible_demands_end_and_are_reported() -> None:
    result = make(20, 20, Prefab(art=HUT, count=1000), Prefab(art="~" * 21, name="moat"))
    assert not result.complete
    assert result.report["placed"]["moat"] == 0
    assert 0 < result.report["placed"]["prefab"] < 1000


def test_spaces_leave_the_map_as_it_is() -> None:
    layers = base(np.ones((3, 3), bool))
    result = make(3, 3, Prefab(art=" ~\n~", turn=False), of="base", layers=layers)
    assert sorted(result.cells.ravel().tolist()) == [0] * 7 + [2] * 2


def test_pieces_are_turned_and_mirrored_only_when_allowed() -> None:
    seen = {
        (turn, mirror): {
            make(3, 3, Prefab(art="#.\n..", turn=turn, mirror=mirror), seed=seed).cells.tobytes()
            for seed in range(200)
        }
        for turn in (False, True)
        for mirror in (False, True)
    }
    # Four places; one, two or four directions of the corner.
    assert len(seen[False, False]) == 4
    assert len(seen[False, True]) == 8
    assert len(seen[True, False]) == 16
    assert len(seen[True, True]) == 16


def tiled(
    data: Any, width: int = 2, height: int = 1, objects: tuple[Any, ...] = (), **layer: Any
) -> bytes:
    tiles = [{"id": 5, "type": "wall"}, {"id": 6, "class": "floor"}]
    grid = {"type": "tilelayer", "name": "Walls", "width": width, "height": height, "data": data}
    return json.dumps(
        {
            "type": "map",
            "orientation": "orthogonal",
            "width": width,
            "height": height,
            "tilewidth": 16,
            "tileheight": 16,
            "layers": [
                {"type": "objectgroup", "name": "Things", "objects": objects},
                {**grid, **layer},
            ],
            "tilesets": [
                {
                    "firstgid": 1,
                    "name": "stones",
                    "tilewidth": 16,
                    "tileheight": 16,
                    "tilecount": 8,
                    "columns": 8,
                    "tiles": tiles,
                }
            ],
        }
    ).encode()


NUMBERS = np.array([6, 0x80000007], "<u4").tobytes()


@each_case(
    "content",
    [
        tiled([2, 1]),
        tiled([6, 7]),
        tiled([6, 0x80000007]),
        tiled(base64.b64encode(NUMBERS).decode(), encoding="base64"),
        tiled(
            base64.b64encode(zlib.compress(NUMBERS)).decode(), encoding="base64", compression="zlib"
        ),
        tiled(
            base64.b64encode(gzip.compress(NUMBERS)).decode(), encoding="base64", compression="gzip"
        ),
    ],
)
def test_a_tiled_map_is_a_piece(content: bytes) -> None:
    result = make(2, 1, Prefab(file="hut.tmj", turn=False), files={"hut.tmj": content})
    assert result.cells.tolist() == [[1, 0]]


def test_a_text_file_is_a_drawing() -> None:
    files = {"hut.txt": b"#L\r\n.."}
    glyphs = {"L": TileOptions(name="lava", walkable=False)}
    result = make(2, 2, Prefab(file="hut.txt", turn=False), files=files, glyphs=glyphs)
    assert result.cells.tolist() == [[1, 2], [0, 0]]


@each_case(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        tiled([1]),
        tiled([1, -1]),
        tiled(["a", "b"]),
        tiled("!!"),
        tiled("AAAA"),
        tiled(base64.b64encode(zlib.compress(bytes(10**7))).decode(), compression="zlib"),
        tiled(base64.b64encode(b"nonsense").decode(), compression="zlib"),
        tiled([1, 2], width=0),
        tiled([1, 2], width=10**9),
        tiled([99, 1]),
        tiled(None),
    ],
)
def test_a_file_that_is_no_piece_is_refused_at_its_position(content: bytes) -> None:
    with pytest.raises(ParameterError) as caught:
        make(9, 9, Prefab(file="hut.tmj"), files={"hut.tmj": content})
    # A tile beyond the sheet is a matter of the legend, which could name it.
    assert caught.value.path in (("prefabs", 0, "file"), ("prefabs", 0, "legend"))


@pytest.mark.parametrize(
    ("prefab", "path"),
    [
        (Prefab(), ("prefabs", 0)),
        (Prefab(art="#", file="a.txt"), ("prefabs", 0)),
        (Prefab(art="?"), ("prefabs", 0, "art")),
    ],
)
def test_a_piece_must_be_drawn_or_read(prefab: Prefab, path: tuple[Any, ...]) -> None:
    with pytest.raises(ParameterError) as caught:
        make(9, 9, prefab)
    assert caught.value.path == path


def test_rooms_marked_in_a_tiled_map_are_pieces_of_their_own() -> None:
    rooms = tuple(
        {"id": x, "name": "", "type": kind, "x": 16 * x, "y": 0, "width": 32, "height": 32}
        for x, kind in ((0, "room"), (2, "Room"), (4, "vault"))
    )
    content = tiled([6, 6, 7, 7, 1, 1] * 2, 6, 2, objects=rooms)
    result = [
        make(2, 2, Prefab(file="rooms.tmj"), files={"rooms.tmj": content}, seed=seed)
        for seed in range(20)
    ]
    assert {item.cells.tobytes() for item in result} == {bytes([1] * 4), bytes([0] * 4)}


def test_the_shape_of_a_room_is_that_of_its_area() -> None:
    corners = [
        {"x": x, "y": y} for x, y in ((0, 0), (48, 0), (48, 16), (16, 16), (16, 48), (0, 48))
    ]
    room = {"id": 1, "name": "", "type": "room", "x": 0, "y": 0, "polygon": corners}
    content = tiled([7] * 9, 3, 3, objects=(room,))
    result = make(3, 3, Prefab(file="rooms.tmj", turn=False), files={"rooms.tmj": content})
    assert result.cells.tolist() == [[0, 0, 0], [0, 1, 1], [0, 1, 1]]


def test_an_object_of_the_class_door_makes_its_cell_a_door() -> None:
    door = {"id": 1, "name": "", "type": "door", "x": 24, "y": 8, "point": True}
    content = tiled([6, 6], objects=(door,))
    result = make(2, 1, Prefab(file="hut.tmj", turn=False), files={"hut.tmj": content})
    assert [result.tiles[number].name for number in result.cells.ravel()] == ["wall", "door"]


def test_cells_without_a_tile_can_be_filled() -> None:
    content = tiled([6, 0])
    files = {"hut.tmj": content}
    result = make(2, 1, Prefab(file="hut.tmj", turn=False, fill="water"), files=files)
    assert [result.tiles[number].name for number in result.cells.ravel()] == ["wall", "water"]


def test_a_legend_says_what_tiles_of_a_file_are() -> None:
    files = {"hut.tmj": tiled([6, 3])}
    legend: dict[int, Any] = {3: TileOptions(name="lava", walkable=False), 6: "floor"}
    result = make(2, 1, Prefab(file="hut.tmj", turn=False, legend=legend), files=files)
    assert [result.tiles[number].name for number in result.cells.ravel()] == ["floor", "lava"]
    with pytest.raises(ParameterError) as caught:
        make(2, 1, Prefab(file="hut.tmj"), files=files)
    assert caught.value.path == ("prefabs", 0, "legend")


def test_every_level_of_a_project_is_a_piece_and_each_is_as_likely() -> None:
    walls = LdtkLayer("Walls", values={1: "wall", 2: "floor"})
    rooms = {"Room_1": [[1, 1]], "Room_2": [[2, 2]], "Hall": [[1, 2]]}
    levels = [Level(name, {"Walls": rows}) for name, rows in rooms.items()]
    files = {"rooms.ldtk": Project(levels, [walls]).content()}

    def counts(**values: Any) -> dict[bytes, int]:
        result: dict[bytes, int] = {}
        for seed in range(300):
            built = make(2, 1, Prefab(file="rooms.ldtk", **values), files=files, seed=seed)
            cells = bytes(sorted(built.cells.ravel().tolist()))
            result[cells] = result.get(cells, 0) + 1
        return result

    every = counts()
    assert set(every) == {bytes([1, 1]), bytes([0, 0]), bytes([0, 1])}
    # The hall has more directions than the others, and is no more likely for it.
    assert all(70 < count < 130 for count in every.values())
    assert set(counts(level="Room_*")) == {bytes([1, 1]), bytes([0, 0])}


def test_a_level_that_is_not_there_is_refused_at_its_position() -> None:
    files = {"rooms.ldtk": Project([Level("A", {"W": [[1]]})], [LdtkLayer("W")]).content()}
    with pytest.raises(ParameterError, match=r"rooms\.ldtk has no level called 'B") as caught:
        make(2, 1, Prefab(file="rooms.ldtk", level="B*"), files=files)
    assert caught.value.path == ("prefabs", 0, "level")


def test_rooms_without_cells_are_refused() -> None:
    room = {"id": 1, "name": "", "type": "room", "x": 640, "y": 0, "width": 32, "height": 32}
    files = {"hut.tmj": tiled([6, 7], objects=(room,))}
    with pytest.raises(ParameterError, match="have no cells"):
        make(2, 1, Prefab(file="hut.tmj"), files=files)
