"""Layers from maps of Tiled: the meaning of tiles, their positions, and properties."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.build.build import Build, build_level
from exporter.generators import _handmade
from exporter.model.errors import Problem, SpecError
from exporter.model.level import Level
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import parse_level
from hand_tiled import drawn, group, layer, properties, things, tileset

WALLS = np.array([[1, 1, 1, 1], [1, 2, 2, 1], [1, 1, 0, 1]], np.uint32)
TILES: dict[int, Any] = {0: {"type": "wall"}, 1: {"type": "floor"}}


def point(name: str, x: int, y: int, **values: Any) -> dict[str, Any]:
    return {"name": name, "x": x * 16 + 8, "y": y * 16 + 8, "point": True, **values}


def write(folder: Path, *layers: dict[str, Any], tiles: dict[int, Any] | None = None) -> None:
    content = drawn(*layers, tilesets=[tileset(TILES if tiles is None else tiles)])
    (folder / "cave.tmj").write_bytes(content)


def spec_of(folder: Path, parameters: str = "", rest: str = "", size: str = "[4, 3]") -> LevelSpec:
    more = f", {parameters}" if parameters else ""
    plan = f"{{generator: from_tiled, file: cave.tmj{more}}}"
    text = f"size: {size}\nlayers:\n  plan: {plan}\n{rest}"
    return parse_level(text.encode(), "x.level.yaml", folder)


def built(folder: Path, parameters: str = "", rest: str = "", size: str = "[4, 3]") -> Level:
    return build_level(spec_of(folder, parameters, rest, size))


def problem(folder: Path, parameters: str = "", rest: str = "", size: str = "[4, 3]") -> Problem:
    with pytest.raises(SpecError) as caught:
        built(folder, parameters, rest, size)
    (only,) = caught.value.problems
    return only


def pointed_at(result: Problem) -> str:
    """Return the text that a problem's caret underlines."""
    return result.source[result.column - 1 :][: result.length]


def warnings_of(folder: Path, parameters: str = "") -> list[str]:
    build = Build(spec_of(folder, parameters))
    build.prepare()
    return [shortfall.message for shortfall in build.shortfalls()]


def names(level: Level) -> list[list[str]]:
    plan = level.layers["plan"]
    known = {tile.id: tile.name for tile in plan.tiles}
    return [[known[number] for number in row] for row in plan.cells.tolist()]


def test_the_classes_of_tiles_say_what_they_are(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS))
    level = built(tmp_path)
    assert names(level) == [
        ["wall"] * 4,
        ["wall", "floor", "floor", "wall"],
        ["wall", "wall", "empty", "wall"],
    ]
    plan = level.layers["plan"]
    assert plan.cells.dtype == np.uint8
    assert plan.walkable is not None
    assert np.array_equal(plan.walkable, WALLS == 2)
    assert np.array_equal(plan.opaque, WALLS == 1)


def test_the_legend_goes_before_what_the_file_says(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS))
    lava = "{name: lava, walkable: false, color: '#ff0000'}"
    level = built(tmp_path, f"legend: {{1: water, 2: {lava}, 9: grass}}, fill: floor")
    assert names(level)[1:] == [
        ["water", "lava", "lava", "water"],
        ["water", "water", "floor", "water"],
    ]
    tiles = {tile.name: tile for tile in level.layers["plan"].tiles}
    assert set(tiles) == {"floor", "water", "lava"}
    assert tiles["lava"].color == "#ff0000"
    assert not tiles["lava"].walkable


def test_terrains_are_known_by_name_as_in_bands(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS))
    level = built(tmp_path, "legend: {1: beach, 2: river, 9: mountain}, fill: snow")
    tiles = {tile.name: tile for tile in level.layers["plan"].tiles}
    assert {name: (tile.walkable, tile.opaque) for name, tile in tiles.items()} == {
        "snow": (True, False),
        "beach": (True, False),
        "river": (False, False),
    }


def test_properties_say_what_a_tile_is_that_nobody_knows(tmp_path: Path) -> None:
    bush = {"type": "bush", "properties": properties(walkable=False)}
    fence = {"type": "x", "properties": properties(tile="fence", walkable=False, opaque=True)}
    write(tmp_path, layer("Walls", WALLS), tiles={0: bush, 1: fence})
    tiles = {tile.name: tile for tile in built(tmp_path).layers["plan"].tiles}
    assert (tiles["bush"].walkable, tiles["bush"].opaque) == (False, False)
    assert (tiles["fence"].walkable, tiles["fence"].opaque) == (False, True)


def test_properties_change_a_tile_that_is_known(tmp_path: Path) -> None:
    glass = {"type": "wall", "properties": properties(opaque=False)}
    write(tmp_path, layer("Walls", WALLS), tiles={0: glass, 1: {"type": "floor"}})
    tiles = {tile.name: tile for tile in built(tmp_path).layers["plan"].tiles}
    assert (tiles["wall"].walkable, tiles["wall"].opaque) == (False, False)


def test_one_name_cannot_mean_two_things(tmp_path: Path) -> None:
    glass = {"type": "wall", "properties": properties(opaque=False)}
    write(tmp_path, layer("Walls", WALLS), tiles={0: glass, 1: {"type": "wall"}})
    message = problem(tmp_path).message
    assert "tile number 2 (tile 1 of walls) at cell (1, 1)" in message
    assert "has the same name 'wall' as another tile" in message


def test_an_unknown_tile_is_named_with_its_position_and_the_way_out(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS), tiles={0: {"type": "wall"}, 1: {"type": "moss"}})
    result = problem(tmp_path, "legend: {1: wall}")
    assert "tile number 2 (tile 1 of walls) at cell (1, 1) of the layer 'Walls'" in result.message
    assert "(its class is 'moss')" in result.message
    assert "`legend: {2: wall}`" in result.message
    assert result.source[result.column - 1 :].startswith("{1: wall}")


def test_an_unknown_name_in_the_legend_is_detected_at_its_position(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS))
    result = problem(tmp_path, "legend: {1: wal}")
    assert "did you mean 'wall'?" in result.message
    assert "{name: wal, walkable: false, opaque: true}" in result.message
    assert pointed_at(result) == "wal"
    assert "unknown tile" in problem(tmp_path, "fill: plasma").message


@pytest.mark.parametrize("wrong", ["legend: {0: wall}", "legend: {-1: wall}", "legend: {a: wall}"])
def test_numbers_of_the_legend_are_those_of_tiles(tmp_path: Path, wrong: str) -> None:
    write(tmp_path, layer("Walls", WALLS))
    assert problem(tmp_path, wrong).line == 3


def test_a_layer_is_chosen_by_its_name_with_its_groups(tmp_path: Path) -> None:
    other = np.full((3, 4), 2, np.uint32)
    write(tmp_path, layer("Ground", other), group("Upper", layer("Walls", WALLS)))
    assert (built(tmp_path, "layer: Ground").layers["plan"].cells == 1).all()
    assert names(built(tmp_path, "layer: Upper/Walls"))[0] == ["wall"] * 4
    result = problem(tmp_path)
    assert "choose one with `layer`: Ground, Upper/Walls)" in result.message
    result = problem(tmp_path, "layer: Grund")
    assert "did you mean 'Ground'?" in result.message
    assert pointed_at(result) == "Grund"
    write(tmp_path, layer("Ground", other), layer("Ground", WALLS))
    assert "2 layers called 'Ground'" in problem(tmp_path, "layer: Ground").message
    write(tmp_path, things("Objects"))
    assert "no tile layer" in problem(tmp_path, size="[1, 1]").message


def test_a_map_of_another_size_is_refused_with_both_sizes(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS))
    result = problem(tmp_path, size="[5, 5]")
    assert "has 4 x 3 cells, but the layer has 5 x 5" in result.message
    assert "`size: [4, 3]`" in result.message
    assert pointed_at(result) == "cave.tmj"


def test_a_map_can_be_laid_anywhere_with_its_objects_and_rooms(tmp_path: Path) -> None:
    hall = {"name": "hall", "x": 0, "y": 16, "width": 64, "height": 32}
    write(tmp_path, layer("Walls", WALLS), things("o", point("exit", 1, 1), hall))
    level = built(tmp_path, "at: [2, 3], fill: grass", size="[7, 7]")
    assert names(level)[4] == ["grass", "grass", "wall", "floor", "floor", "wall", "grass"]
    assert [(item.name, item.x, item.y) for item in level.objects] == [("exit", 3, 4)]
    (room,) = level.layers["plan"].rooms
    assert (room.name, room.x, room.y, room.width, room.height) == ("hall", 2, 4, 4, 2)
    cut = built(tmp_path, "at: [-1, -2], fill: grass", size="[2, 2]")
    assert names(cut) == [["wall", "empty"], ["grass", "grass"]] or names(cut)[0][0] == "wall"
    (room,) = cut.layers["plan"].rooms
    assert (room.x, room.y, room.width, room.height) == (0, 0, 2, 1)


def test_objects_stand_before_any_is_placed(tmp_path: Path) -> None:
    smith = point("Bob", 1, 1, type="smith", properties=properties(gold=7))
    write(tmp_path, layer("Walls", WALLS), things("o", smith, point("x", 0, 0)))
    rest = "objects:\n  - {name: chest, near: smith}\n"
    level = built(tmp_path, rest=rest)
    assert [(item.id, item.name, item.x, item.y, item.entry) for item in level.objects] == [
        (1, "smith", 1, 1, None),
        (2, "x", 0, 0, None),
        (3, "chest", 2, 1, 0),
    ]
    assert level.objects[0].properties == {"name": "Bob", "gold": 7}


def test_the_objects_of_a_map_are_counted_and_fill_their_cells(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS), things("o", point("chest", 1, 1)))
    build = Build(spec_of(tmp_path, rest="objects: [{name: chest, count: 2, required: false}]\n"))
    build.prepare()
    count = build.object_counts()["chest"]
    assert (count.requested, count.placed) == (3, 2)
    result = problem(tmp_path, rest="objects: [{name: rat, at: [1, 1]}]\n")
    assert "rat: [1, 1] is not free" in result.message


def test_objects_can_be_listed_or_left_out(tmp_path: Path) -> None:
    bad = point("b\u00fcg Chest!", 2, 1)
    write(tmp_path, layer("Walls", WALLS), things("o", point("exit", 1, 1), bad))
    assert not built(tmp_path, "objects: false").objects
    assert [item.name for item in built(tmp_path, "objects: [exit]").objects] == ["exit"]
    assert not warnings_of(tmp_path, "objects: [exit]")
    result = problem(tmp_path, "objects: [exit, chst]")
    assert "unknown object 'chst'" in result.message
    assert pointed_at(result) == "chst"


def test_names_of_objects_are_known_as_far_as_the_spec_lists_them(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS), things("o", point("exit", 1, 1)))
    rest = "objects: [{name: rat, near: exti}]\nrequire: {objects.exti: {at_least: 1}}\n"
    with pytest.raises(SpecError) as caught:
        spec_of(tmp_path, "objects: [exit]", rest)
    assert [item.line for item in caught.value.problems] == [4, 5]
    # Unless they are listed, only the file gives them.
    spec_of(tmp_path, rest=rest)
    result = problem(tmp_path, rest="objects: [{name: rat, near: exti}]\n")
    assert "did you mean 'exit'?" in result.message
    assert pointed_at(result) == "exti"


def test_metrics_and_derived_layers_see_the_objects_of_a_map(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS), things("o", point("exit", 1, 1)))
    built(tmp_path, rest="require: {objects.exit: {at_least: 1}}\n")
    assert (
        "objects.exit" in problem(tmp_path, rest="require: {objects.exit: {at_least: 2}}\n").message
    )


def test_several_layers_of_one_map_bring_its_objects_once(tmp_path: Path) -> None:
    twins = [point("exit", 1, 1), point("exit", 1, 1)]
    write(tmp_path, layer("Walls", WALLS), layer("Roof", WALLS), things("o", *twins))
    text = b"""size: [4, 3]
layers:
  walls: {generator: from_tiled, file: cave.tmj, layer: Walls}
  roof: {generator: from_tiled, file: cave.tmj, layer: Roof, role: picture}
"""
    level = build_level(parse_level(text, "x.level.yaml", tmp_path))
    assert [(item.id, item.name) for item in level.objects] == [(1, "exit"), (2, "exit")]


def test_areas_are_rooms_in_which_objects_are_placed(tmp_path: Path) -> None:
    corners = [{"x": 0, "y": 0}, {"x": 20, "y": 0}, {"x": 16, "y": 16}, {"x": 0, "y": 16}]
    write(
        tmp_path,
        layer("Walls", WALLS),
        things(
            "o",
            {"name": "hall", "x": 16, "y": 16, "width": 32, "height": 16},
            {"type": "nook", "x": 32, "y": 16, "polygon": corners},
            {"x": 0, "y": 0, "width": 64, "height": 48},
        ),
    )
    rest = "objects:\n  - {name: chest, room: nook}\n  - {name: rat, room: hall}\n"
    level = built(tmp_path, rest=rest)
    assert [(item.name, item.x, item.y) for item in level.objects] == [
        ("chest", 2, 1),
        ("rat", 1, 1),
    ]
    plan = level.layers["plan"]
    assert [room.name for room in plan.rooms] == ["hall"]
    assert {name: np.argwhere(mask).tolist() for name, mask in plan.masks.items()} == {
        "nook": [[1, 2]]
    }
    result = problem(tmp_path, rest="objects: [{name: chest, room: nok}]\n")
    assert "did you mean 'nook'?" in result.message


def test_a_loss_is_a_warning_with_a_fix(tmp_path: Path) -> None:
    reference = [{"name": "enemy", "type": "object", "value": 3}]
    write(
        tmp_path,
        layer("Walls", WALLS),
        things("o", point("", 1, 1), point("far", 9, 9), point("a", 1, 1, properties=reference)),
    )
    (said,) = warnings_of(tmp_path)
    assert "1 of 3 objects have neither a class nor a name" in said
    assert "1 of 2 objects lie outside the layer" in said
    assert "enemy (they are left out; write them as text)" in said
    assert not warnings_of(tmp_path, "objects: false")


def test_objects_need_the_cells_of_the_level(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS), things("o", point("exit", 1, 1)))
    result = problem(tmp_path, "size: [4, 3]", size="[8, 6]")
    assert "`objects: false`" in result.message
    level = built(tmp_path, "size: [4, 3], objects: false", size="[8, 6]")
    assert not level.layers["plan"].grid_aligned


def test_a_changed_map_or_tileset_makes_the_layer_anew(tmp_path: Path) -> None:
    entry = {"firstgid": 1, "source": "walls.tsj"}
    (tmp_path / "cave.tmj").write_bytes(drawn(layer("Walls", WALLS), tilesets=[entry]))
    (tmp_path / "walls.tsj").write_text('{"type": "tileset", "tilewidth": 16, "tiles": []}')
    build = Build(spec_of(tmp_path, "legend: {1: wall, 2: floor}"))
    build.prepare()
    assert set(build.files.hashes) == {"cave.tmj", "walls.tsj"}


@each_case("source", ["../walls.tsj", "/etc/hostname", "a/../../walls.tsj", "link.tsj"])
def test_tilesets_outside_the_project_are_refused(tmp_path: Path, source: str) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (tmp_path / "walls.tsj").write_text('{"type": "tileset", "tilewidth": 16}')
    (folder / "link.tsj").symlink_to(tmp_path / "walls.tsj")
    content = drawn(layer("Walls", WALLS), tilesets=[{"firstgid": 1, "source": source}])
    (folder / "cave.tmj").write_bytes(content)
    assert "outside the project" in problem(folder).message


def test_too_many_areas_that_are_no_rectangles_are_refused(tmp_path: Path) -> None:
    ponds = [
        {"name": f"pond{number}", "x": 0, "y": 0, "width": 40, "height": 40, "ellipse": True}
        for number in range(257)
    ]
    write(tmp_path, layer("Walls", WALLS), things("o", *ponds))
    assert "(allowed: 256" in problem(tmp_path).message


def test_areas_that_cover_too_many_cells_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pond = {"name": "pond", "x": 0, "y": 0, "width": 64, "height": 48, "ellipse": True}
    write(tmp_path, layer("Walls", WALLS), things("o", *[pond] * 3))
    monkeypatch.setattr(_handmade, "MAXIMUM_AREA_CELLS", 36)
    assert set(built(tmp_path).layers["plan"].masks) == {"pond"}
    monkeypatch.setattr(_handmade, "MAXIMUM_AREA_CELLS", 35)
    assert "cover too many cells (allowed: 35" in problem(tmp_path).message


def test_areas_outside_of_the_layer_are_empty(tmp_path: Path) -> None:
    far = {"name": "far", "x": 900, "y": -900, "width": 40, "height": 40, "ellipse": True}
    write(tmp_path, layer("Walls", WALLS), things("o", far))
    assert not built(tmp_path).layers["plan"].masks["far"].any()


def test_objects_of_a_layer_stand_before_those_that_no_parameter_connects(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS), things("o", point("exit", 1, 1)))
    text = b"""size: [4, 3]
layers:
  ground: {generator: blank}
  plan: {generator: from_tiled, file: cave.tmj, role: none}
objects:
  - {name: rat, count: 11}
"""
    level = build_level(parse_level(text, "x.level.yaml", tmp_path))
    cells = {(item.x, item.y) for item in level.objects}
    assert [item.name for item in level.objects] == ["exit", *["rat"] * 11]
    assert len(cells) == 12


def test_a_search_for_seeds_sees_objects_of_layers_that_nothing_else_needs(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS), things("o", point("exit", 1, 1)))
    text = b"""size: [4, 3]
seed: {search: 3, where: "objects.exit >= 1"}
layers:
  ground: {generator: blank}
  plan: {generator: from_tiled, file: cave.tmj, role: none}
"""
    level = build_level(parse_level(text, "x.level.yaml", tmp_path))
    assert [item.name for item in level.objects] == ["exit"]


FREE_TEXTS = (
    ("Spawn Point", "Spawn_Point"),
    ("Spawn_Point", "Spawn_Point_2"),  # the map's own name below comes first
    ("Händler", "Handler"),
    ("enemy:slime", "enemy_slime"),
    ("-90", "90"),
    ("Straße", "Strasse"),
    ("敵", "object"),
    ("!!", "object_2"),
    ("x" * 70, "x" * 56),
)


def test_free_text_becomes_a_legal_name_with_a_warning_and_the_original(tmp_path: Path) -> None:
    texts = [text for text, _ in FREE_TEXTS]
    write(
        tmp_path,
        layer("Walls", np.full((3, 12), 2, np.uint32)),
        things("o", *(point(text, x, 0) for x, text in enumerate(texts))),
    )
    objects = built(tmp_path, size="[12, 3]").objects
    expected = ["Spawn_Point_2", "Spawn_Point", *(name for _, name in FREE_TEXTS[2:])]
    assert [item.name for item in objects] == expected
    originals = [item.properties.get("original_name") for item in objects]
    assert originals == [text if text != "Spawn_Point" else None for text in texts]


def test_thousands_of_free_texts_take_no_longer_than_names(tmp_path: Path) -> None:
    texts = [f"r{'!' * (number % 90)}{'?' * (number // 90)}" for number in range(8000)]
    write(tmp_path, layer("Walls", WALLS), things("o", *(point(text, 1, 1) for text in texts)))
    started = time.process_time()
    level = built(tmp_path)
    assert time.process_time() - started < 4.0  # compared in pairs they took 30
    assert len({item.name for item in level.objects}) == len(texts)


def test_names_are_chosen_as_the_warning_says(tmp_path: Path) -> None:
    write(
        tmp_path,
        layer("Walls", WALLS),
        things("o", *(point(text, x, 0) for x, text in enumerate(("enemy: {a}", "-90", "it's")))),
    )
    (warning,) = warnings_of(tmp_path)
    names = warning.partition("write `")[2].partition("`")[0]
    assert names == "names: {'enemy: {a}': enemy_a, '-90': '90', 'it''s': it_s}"
    assert not warnings_of(tmp_path, names)
    level = built(tmp_path, names.replace("it_s", "its"))
    assert [item.name for item in level.objects] == ["enemy_a", "90", "its"]
    assert not any("original_name" in item.properties for item in level.objects)
    assert "did you mean '-90'?" in problem(tmp_path, "names: {'90-': x}").message


def test_areas_that_are_not_used_are_reported_and_created_walls_as_the_warning_says(
    tmp_path: Path,
) -> None:
    def area(x: int, y: int, width: int, height: int, **values: Any) -> dict[str, Any]:
        return {"x": x, "y": y, "width": width, "height": height, **values}

    write(
        tmp_path,
        layer("Walls", np.full((3, 4), 2, np.uint32)),
        things("Blocks", area(0, 0, 32, 16), area(0, 32, 64, 3)),
        things("o", area(48, 0, 16, 32, type="Collision"), area(16, 16, 32, 16, type="market")),
        things("p", area(32, 16, 16, 16, gid=2, type="walls")),
    )
    (warning,) = warnings_of(tmp_path)
    assert "not read: 2 areas without a class and a name in 'Blocks'" in warning
    assert "1 area of the class 'Collision'" in warning
    assert "1 object of the class 'walls'" in warning
    assert "market" not in warning
    assert not warnings_of(tmp_path, "solid: []")
    ground = built(tmp_path, "solid: [Blocks, Collision, walls]").layers["plan"]
    assert ground.walkable is not None
    assert ground.walkable.astype(int).tolist() == [[0, 0, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0]]
    assert [room.name for room in ground.rooms] == ["market"]
    assert "did you mean 'Blocks'?" in problem(tmp_path, "solid: [blocks]").message


def test_a_layer_is_chosen_by_its_position_or_id_where_names_repeat(tmp_path: Path) -> None:
    second = np.full((3, 4), 2, np.uint32)
    write(tmp_path, {**layer("Walls", WALLS), "id": 4}, {**layer("Walls", second), "id": 9})
    lower, upper = (
        built(tmp_path, f"layer: {chosen}").layers["plan"].cells.tolist()
        for chosen in ("Walls#1", "Walls#2")
    )
    assert lower != upper
    assert built(tmp_path, "layer: {id: 9}").layers["plan"].cells.tolist() == upper
    message = problem(tmp_path, "layer: Walls").message
    for fix in message.split("`")[1::2]:
        built(tmp_path, fix)
    for wrong in ("Walls#3", "Walls#0", "{id: 5}"):
        problem(tmp_path, f"layer: {wrong}")


def test_known_classes_are_known_in_any_case(tmp_path: Path) -> None:
    write(tmp_path, layer("Walls", WALLS), tiles={0: {"type": "WALL"}, 1: {"type": "Flor"}})
    assert "(its class is 'Flor'; did you mean 'floor'?)" in problem(tmp_path).message
    level = built(tmp_path, "legend: {2: floor}")
    assert {tile.name for tile in level.layers["plan"].tiles} >= {"wall", "floor"}


def test_numbers_beyond_the_sheet_are_read_where_the_legend_names_them(tmp_path: Path) -> None:
    cells = np.full((3, 4), 99, np.uint32)
    write(tmp_path, layer("Walls", cells))
    message = problem(tmp_path).message
    assert "tile number 99 (in no tileset)" in message
    for fix in message.split("`")[1::2]:
        built(tmp_path, fix)


def test_walls_outside_of_the_map_or_thinner_than_a_cell_are_accepted(tmp_path: Path) -> None:
    far = {"x": 0, "y": -9999, "width": 40, "height": 40, "rotation": 30, "type": "w"}
    thin = {"x": 34, "y": 2, "polygon": [{"x": 0, "y": 0}, {"x": 9, "y": 1}, {"x": 0, "y": 2}]}
    write(tmp_path, layer("Walls", np.full((3, 4), 2, np.uint32)), things("w", far, thin))
    ground = built(tmp_path, "solid: [w]").layers["plan"]
    assert ground.walkable is not None
    assert np.argwhere(~ground.walkable).tolist() == [[0, 2]]


HUT = """
size: [9, 7]
layers:
  hut: {{generator: from_tiled, file: cave.tmj, layer: Walls{own}}}
  land: {{generator: blank, tile: floor}}
  ground: {way}
objects:
  - {{name: chest, room: hall, layer: ground}}
"""


def hut(folder: Path, own: str, way: str) -> Level:
    """Build a level with a drawn hut that has a room, an area, and a smith."""
    corners = [{"x": 0, "y": 0}, {"x": 20, "y": 0}, {"x": 16, "y": 16}, {"x": 0, "y": 16}]
    hall = {"name": "hall", "x": 16, "y": 16, "width": 32, "height": 16}
    nook = {"type": "nook", "x": 32, "y": 16, "polygon": corners}
    write(folder, layer("Walls", WALLS), things("o", hall, nook, point("smith", 1, 1)))
    return build_level(parse_level(HUT.format(own=own, way=way).encode(), "x.level.yaml", folder))


def test_a_stamp_brings_rooms_areas_and_objects_to_every_place(tmp_path: Path) -> None:
    way = "{generator: stamp, of: land, from_layer: hut, at: [[1, 1], [5, 4], [-20, 0]]}"
    level = hut(tmp_path, ", size: [4, 3]", way)
    ground = level.layers["ground"]
    assert [(room.name, room.x, room.y) for room in ground.rooms] == [
        ("hall", 2, 2),
        ("hall", 6, 5),
    ]
    assert [room.center for room in ground.rooms] == [(3, 2), (7, 5)]
    assert np.argwhere(ground.masks["nook"]).tolist() == [[2, 3], [5, 7]]
    smiths = [item for item in level.objects if item.name == "smith"]
    assert [(item.id, item.x, item.y) for item in smiths] == [(1, 2, 2), (2, 6, 5)]
    (chest,) = (item for item in level.objects if item.name == "chest")
    assert any(room.x <= chest.x < room.x + 2 and room.y == chest.y for room in ground.rooms)


def test_fixed_cells_bring_their_rooms_and_areas(tmp_path: Path) -> None:
    way = "{generator: cellular_caves, fixed: hut}"
    level = hut(tmp_path, ", at: [2, 2]", way)
    ground = level.layers["ground"]
    assert [(room.name, room.x, room.y) for room in ground.rooms] == [("hall", 3, 3)]
    assert np.argwhere(ground.masks["nook"]).tolist() == [[3, 4]]
    smith = level.objects[0]
    assert (smith.name, smith.x, smith.y) == ("smith", 3, 3)


def test_objects_of_a_layer_with_a_size_of_its_own_need_a_stamp(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"4:.*`size`, stamp the layer"):
        hut(tmp_path, ", size: [4, 3]", "{generator: maze}")
