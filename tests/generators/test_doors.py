"""Doors in layers of rooms: their tiles, and refused settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exporter.build.build import Build, build_level
from exporter.model.errors import SpecError
from exporter.model.level import Connection, Layer, Level
from exporter.reading.reader import load_level, parse_level
from exporter.visibility import compute_visibility
from exporter.visibility.table import VisibilityTable

# Two rooms of three by three cells with a corridor between them.
ROOMS = """\
size: [11, 5]
layers:
  hand:
    generator: from_tiled
    file: rooms.tmj
  ground: {generator: doors, of: hand%s}
visibility: {layer: ground, radius: 8}
"""
DRAWN = ["###########", "#...###...#", "#.........#", "#...###...#", "###########"]
WIDE = [*DRAWN[:3], DRAWN[2], DRAWN[0]]


def tiled(rows: list[str], door: dict[str, Any] | None = None) -> bytes:
    """Return a map of Tiled with two rooms as rectangles."""

    kinds = {".": 1, "#": 2, "+": 3}
    tiles = [
        {"id": 0, "type": "floor"},
        {"id": 1, "type": "wall"},
        {"id": 2, "type": "door", **({} if door is None else {"properties": properties(door)})},
    ]
    rectangles = [
        {"id": 1, "name": "west", "x": 16, "y": 16, "width": 48, "height": 48},
        {"id": 2, "name": "east", "x": 112, "y": 16, "width": 48, "height": 48},
    ]
    common = {"type": "map", "version": "1.10", "orientation": "orthogonal", "infinite": False}
    tileset = {
        "firstgid": 1,
        "name": "t",
        "tilewidth": 16,
        "tileheight": 16,
        "tilecount": 3,
        "columns": 3,
        "tiles": tiles,
    }
    layer = {
        "id": 1,
        "name": "g",
        "type": "tilelayer",
        "width": 11,
        "height": 5,
        "data": [kinds[cell] for row in rows for cell in row],
    }
    areas = {"id": 2, "name": "areas", "type": "objectgroup", "objects": rectangles}
    size = {"width": 11, "height": 5, "tilewidth": 16, "tileheight": 16}
    document = {**common, **size, "tilesets": [tileset], "layers": [layer, areas]}
    return json.dumps(document).encode()


def properties(values: dict[str, bool]) -> list[dict[str, Any]]:
    return [{"name": name, "type": "bool", "value": value} for name, value in values.items()]


@pytest.fixture
def level(tmp_path: Path) -> Any:
    def build(options: str = "", rows: list[str] = DRAWN, door: Any = None) -> Level:
        (tmp_path / "rooms.tmj").write_bytes(tiled(rows, door))
        (tmp_path / "probe.level.yaml").write_text(ROOMS % options)
        return build_level(load_level(tmp_path / "probe.level.yaml"))

    return build


def picture(layer: Layer) -> list[str]:
    signs = {"floor": ".", "wall": "#", "door": "+", "open_door": "'"}
    named = {tile.id: signs.get(tile.name, "?") for tile in layer.tiles}
    return ["".join(named[cell] for cell in row) for row in layer.cells.tolist()]


def test_a_corridor_between_hand_created_rooms_gets_two_doors(level: Any) -> None:
    result = level().layers["ground"]
    assert picture(result)[2] == "#...+.+...#"
    assert result.report == {"openings": 2, "doors": 2, "kept": 0, "unfit": 0}
    assert result.connections == (Connection((0, 1), 4, 2, "door"),)
    assert [room.name for room in result.rooms] == ["west", "east"]


def test_closed_doors_block_sight_and_open_ones_do_not(level: Any) -> None:
    closed, opened = level(), level(", closed: false")
    assert picture(opened.layers["ground"])[2] == "#...'.'...#"
    assert closed.layers["ground"].opaque[2].tolist() == [c in "#+" for c in "#...+.+...#"]
    assert opened.layers["ground"].opaque[2].tolist() == [c == "#" for c in "#...+.+...#"]
    # From the first room one sees the second only through open doors.
    assert not closed.visibility.visible_from(1, 2)[2, 8]
    assert opened.visibility.visible_from(1, 2)[2, 8]
    assert closed.layers["ground"].walkable.all(where=closed.layers["hand"].walkable)


def test_the_layer_without_doors_becomes_data_and_keeps_its_openings(level: Any) -> None:
    built = level()
    assert (built.layers["hand"].role, built.layers["ground"].role) == ("data", "play")
    assert built.layers["hand"].connections == (Connection((0, 1), 5, 2, "opening"),)


def test_a_share_of_the_openings_gets_doors() -> None:
    text = (
        "size: [90, 90]\nseed: 4\nlayers:\n  dug: {generator: bsp_rooms, corridor_width: 1}\n"
        "  ground: {generator: doors, of: dug, percent: %d}\n"
    )
    layers = [
        build_level(parse_level((text % share).encode(), "a.level.yaml")).layers["ground"]
        for share in (0, 50, 100)
    ]
    none, some, most = (set(map(tuple, np.argwhere(layer.doors))) for layer in layers)
    assert not none
    assert len(most) // 4 < len(some) < len(most)
    assert layers[1].report["doors"] == len(some)


def test_a_wide_opening_is_narrowed_to_its_door(level: Any) -> None:
    rows = WIDE
    left = level("", rows)
    assert left.layers["ground"].report["unfit"] == 2
    assert picture(left.layers["ground"]) == picture(left.layers["hand"])
    result = level(", max_width: 2", rows).layers["ground"]
    assert picture(result)[2:4] == ["#...+.+...#", "#...#.#...#"]


def test_a_door_that_is_there_stays(level: Any) -> None:
    rows = [*DRAWN[:2], "#...+.....#", *DRAWN[3:]]
    result = level("", rows).layers["ground"]
    assert picture(result)[2] == "#...+.+...#"
    assert result.report == {"openings": 2, "doors": 1, "kept": 1, "unfit": 0}


def test_that_no_door_fits_is_reported(tmp_path: Path) -> None:
    (tmp_path / "rooms.tmj").write_bytes(tiled(WIDE))
    (tmp_path / "a.level.yaml").write_text(ROOMS % "")
    build = Build(load_level(tmp_path / "a.level.yaml"))
    build.prepare()
    assert [(shortfall.line, shortfall.message) for shortfall in build.shortfalls()] == [
        (
            6,
            "layer 'ground': no door fits into the 2 openings of its rooms: they are wider than "
            "1 cells or lie in corners (raise `max_width`)",
        )
    ]


def test_rooms_that_touch_nothing_are_reported(tmp_path: Path) -> None:
    (tmp_path / "rooms.tmj").write_bytes(tiled([*DRAWN[:2], DRAWN[1], *DRAWN[3:]]))
    (tmp_path / "a.level.yaml").write_text(ROOMS % "")
    build = Build(load_level(tmp_path / "a.level.yaml"))
    build.prepare()
    assert [shortfall.message for shortfall in build.shortfalls()] == [
        "layer 'ground': no room has an opening (its rooms touch neither corridors nor each other)"
    ]


def messages_of(text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(SpecError) as caught:
        build_level(parse_level(text.encode(), "a.level.yaml"))
    return [(problem.line, problem.column, problem.message) for problem in caught.value.problems]


def test_a_layer_without_rooms_is_refused() -> None:
    caves = "size: [20, 20]\nlayers:\n  caves: {generator: cellular_caves}\n"
    text = caves + "  ground: {generator: doors, of: caves}\n"
    assert messages_of(text) == [
        (
            4,
            34,
            "the layer 'caves' has no rooms (name a layer of a generator that builds rooms, "
            "of prefabs, or of a map with areas)",
        )
    ]


@pytest.mark.parametrize(
    ("meaning", "options", "message"),
    [
        ({"walkable": False}, "",
         ("the tile 'door' of the layer 'hand' is not walkable, so doors would separate "
"the rooms (make it walkable, or give it another name)")),
        ({"opaque": False}, "",
         "the tile 'door' of the layer 'hand' does not block sight (change its `opaque`, or "
         "write `closed: false`)"),
    ],
)  # fmt: skip
def test_a_door_that_means_something_else_is_refused(
    level: Any, meaning: dict[str, bool], options: str, message: str
) -> None:
    with pytest.raises(SpecError) as caught:
        level(options, [*DRAWN[:2], "#...+.....#", *DRAWN[3:]], meaning)
    problem = caught.value.problems[0]
    assert (problem.line, problem.column, problem.message) == (6, 34, message)


def test_opening_a_door_changes_what_the_recipe_of_the_page_recomputes() -> None:
    text = (
        "size: [60, 40]\nseed: 4\nlayers:\n  dug: {generator: bsp_rooms, corridor_width: 1}\n"
        "  ground: {generator: doors, of: dug}\nvisibility: {layer: ground, radius: 6}\n"
    )
    level = build_level(parse_level(text.encode(), "a.level.yaml"))
    ground, table = level.layers["ground"], level.visibility
    assert isinstance(table, VisibilityTable)
    changed = 0
    for y, x in np.argwhere(ground.doors).tolist()[:3]:
        reach = 2 * table.radius
        top, left = max(0, y - reach), max(0, x - reach)
        opened = ground.opaque.copy()
        opened[y, x] = False
        part = opened[top : y + reach + 1, left : x + reach + 1].copy()
        around = compute_visibility(part, table.radius, table.algorithm)
        whole = compute_visibility(opened, table.radius, table.algorithm)
        for viewer_y, viewer_x in np.argwhere(ground.walkable).tolist():
            seen = whole.visible_from(viewer_x, viewer_y)
            if max(abs(viewer_y - y), abs(viewer_x - x)) > table.radius:
                assert (seen == table.visible_from(viewer_x, viewer_y)).all()
                continue
            near = around.visible_from(viewer_x - left, viewer_y - top)
            rows, columns = near.shape
            assert (seen[top : top + rows, left : left + columns] == near).all()
            changed += int((seen != table.visible_from(viewer_x, viewer_y)).any())
    assert changed
