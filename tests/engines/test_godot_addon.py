"""The Godot addon in real Godot.

`.lvb` files are imported as scenes, and its GDScript reader reads them byte for byte as Python
does.
"""

from __future__ import annotations

import base64
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporter
from engine_harness import Godot
from engine_harness.exact import digest, exact
from engine_harness.godot import READ_BLOBS, READ_SCENE
from engine_harness.levels import awkward_level, expected_meanings, layer_of, write_level
from exporter.formats.heights.samples import real_heights
from exporter.model.level import (
    Column,
    HeightRange,
    Layer,
    Level,
    PlacedObject,
    Puzzle,
    Table,
    Tile,
)
from exporter.model.level_values import Scalar

WALL = (Tile(0, "floor", True, False, "#ffffff"), Tile(1, "wall", False, True, "#000000"))


def furnished_level() -> Level:
    """The awkward level with tables and a puzzle."""
    columns = (Column("name", "text"), Column("hp", "integer"), Column("boss", "boolean", True))
    rows = (("rat", 3, False), ("lich \u2620", 2**40, None))
    grid = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
    return replace(
        awkward_level(),
        tables={"monsters": Table("monsters", columns, rows)},
        puzzles={"vault": Puzzle("vault", "sudoku", {"clues": grid, "tries": [1, 2.5, None]})},
    )


def wide_level() -> Level:
    """Layers of several parts, with an odd rest, and steep heights."""
    y, x = np.indices((300, 700))
    caves = ((x * x + y * y * 3) % 91 > 45).astype(np.uint8)
    ids = (caves * 3 + (x // 5 + y // 7) % 3).astype(np.uint8)
    tiles = tuple(
        Tile(number, f"tile {number}", number < 3, number > 2, "#808080") for number in range(6)
    )
    heights = ((x * 53 + y * 91 + x * y // 7) % 50000).astype(np.uint16)
    relief = Layer("relief", "heights", heights, "test", heights=HeightRange(-3.0, 90.5, "feet"))
    layers = [layer_of("caves", caves, WALL), layer_of("ids", ids, tiles), relief]
    return Level("wide", 700, 300, layers={layer.name: layer for layer in layers})


def tiny_level() -> Level:
    return Level(
        "tiny", 1, 1, layers={"ground": layer_of("ground", np.zeros((1, 1), np.uint8), WALL)}
    )


KEYS = ("m\u00fcsik", "m\u00f6sik", "\u9f8d", "two words", "two_words", "two-words", "1st", "")


def level_with_roles() -> Level:
    """A layer of each role and an overlay, with properties of all kinds of names."""
    random = np.random.default_rng(11)
    size = (41, 67)
    overlay = (
        Tile(0, "nothing", True, False, "#00000000"),
        Tile(1, "empty", False, False, "#00000000"),
        Tile(2, "tree", False, True, "#2f7d32"),
        Tile(300, "bridge", True, False, "#8b6b3d"),
    )
    ids = np.array([0, 1, 2, 300, 7], np.uint16)
    rocks = (*WALL, Tile(2, "rock", False, False, "#808080"))
    # Id 3 is not in the legend: the cell is empty.
    ground = np.array([0, 2, 3], np.uint8)[random.choice(3, size, p=[0.5, 0.3, 0.2])]
    layers = [
        replace(layer_of("draft", (random.random(size) < 0.5).astype(np.uint8), WALL), role="data"),
        layer_of("ground", ground, rocks),
        layer_of("things", ids[random.integers(0, 5, size)], overlay),
        replace(layer_of("decals", random.integers(0, 2, size, np.uint8), WALL), role="picture"),
        replace(layer_of("aside", np.ones((5, 9), np.uint8), WALL), grid_aligned=False),
        replace(layer_of("finer", np.ones(size, np.uint8), WALL), grid_aligned=False),
    ]
    values: dict[str, Scalar] = {key: number for number, key in enumerate(KEYS)}
    values |= {"cell": "mine", "properties": "too", "who": None, "gold": 2.5}
    return Level(
        "roles",
        67,
        41,
        layers={layer.name: layer for layer in layers},
        objects=(PlacedObject(1, "chest", 3, 4, values), PlacedObject(2, "key", 5, 6)),
        properties=values,
    )


WARNINGS = (
    "confusable_local_declaration",
    "confusable_local_usage",
    "incompatible_ternary",
    "inference_on_variant",
    "int_as_enum_without_cast",
    "integer_division",
    "narrowing_conversion",
    "redundant_await",
    "shadowed_global_identifier",
    "shadowed_variable",
    "shadowed_variable_base_class",
    "standalone_expression",
    "static_called_on_instance",
    "unassigned_variable",
    "unreachable_code",
    "untyped_declaration",
    "unused_local_constant",
    "unused_parameter",
    "unused_private_class_variable",
    "unused_variable",
)

LEVELS: dict[str, Callable[[], Level]] = {
    "crypt": furnished_level,
    "wide": wide_level,
    "tiny": tiny_level,
    "roles": level_with_roles,
}


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with the addon, two levels as scenes of the target and all as blobs."""
    folder = godot.new_project(tmp_path_factory.mktemp("addon"), ("level_exporter",))
    # An imported blob has the shapes of its TileSet's tiles.
    tiles: dict[str, Any] = dict.fromkeys(("collision", "occlusion", "navigation"), "tiles")
    write_level("godot", furnished_level(), folder / "levels", **tiles)
    for name, level in LEVELS.items():
        (folder / f"{name}.lvb").write_bytes(exporter.write_blob(level()))
    (folder / "broken.lvb").write_bytes(b"this is no level")
    shutil.copyfile(folder / "tiny.lvb", folder / "gone.lvb")
    output = godot.import_project(folder, first_start=True)
    assert "broken.lvb: not a level blob" in output
    godot.import_project(folder)
    # As in an exported game, which has no source files.
    (folder / "gone.lvb").unlink()
    return folder


@pytest.fixture(scope="module")
def scenes(godot: Godot, project: Path) -> dict[str, Any]:
    paths = ["res://crypt.lvb", "res://levels/crypt.lvb", "res://wide.lvb", "res://tiny.lvb"]
    answers: dict[str, Any] = godot.query(project, READ_SCENE, {"scenes": paths})
    return answers


@pytest.fixture(scope="module")
def blobs(godot: Godot, project: Path) -> dict[str, Any]:
    names = [*LEVELS]
    files = [{"path": str(project / f"{name}.lvb"), "viewers": []} for name in names]
    answers = godot.query(project, READ_BLOBS, files)
    return dict(zip(names, answers, strict=True))


@pytest.mark.parametrize("path", ["res://crypt.lvb", "res://levels/crypt.lvb", "res://wide.lvb"])
def test_an_imported_blob_is_a_scene_with_every_cell(scenes: dict[str, Any], path: str) -> None:
    level = wide_level() if "wide" in path else furnished_level()
    answer = scenes[path]
    assert answer["name"] == level.name
    assert len(answer["layers"]) == len(level.tile_layers())
    for result, layer in zip(answer["layers"], level.tile_layers(), strict=True):
        numbers = np.frombuffer(base64.b64decode(result["cells"]), "<i4").reshape(-1, 4)
        cells: list[tuple[int, str] | None] = [None] * layer.cells.size
        for (x, y, number, flags), name in zip(numbers.tolist(), result["names"], strict=True):
            cells[y * layer.width + x] = (number, name)
            assert bool(flags & 4) is not bool(flags & 1)
            assert bool(flags & 16) is bool(flags & 1)
            assert bool(flags & 8) is bool(flags & 2)
        assert cells == expected_meanings(layer)


def test_an_imported_blob_uses_the_tile_set_exported_beside_it(scenes: dict[str, Any]) -> None:
    beside = {layer["tile_set"] for layer in scenes["res://levels/crypt.lvb"]["layers"]}
    assert beside == {"res://levels/crypt.tileset.tres"}
    alone = {layer["tile_set"] for layer in scenes["res://crypt.lvb"]["layers"]}
    assert not any(path.endswith(".tres") for path in alone)


def test_objects_of_an_imported_blob_stand_in_their_cells(scenes: dict[str, Any]) -> None:
    answer = scenes["res://crypt.lvb"]
    size = answer["layers"][0]["tile_size"][0]
    level = furnished_level()
    for result, thing in zip(answer["objects"], level.objects, strict=True):
        assert result["position"] == [(thing.x + 0.5) * size, (thing.y + 0.5) * size]
        assert result["meta"]["object"] == thing.name
        assert result["meta"]["cell"] == [thing.x, thing.y]
        given = {key: value for key, value in thing.properties.items() if value is not None}
        assert given.items() <= result["meta"].items()


def test_a_file_that_is_no_level_becomes_a_scene_that_says_so(godot: Godot, project: Path) -> None:
    script = """
func query(_arguments):
	var scene = load("res://broken.lvb").instantiate()
	var answer = [scene.problem, scene.get_child(0).text]
	scene.free()
	return answer
"""
    problem, text = godot.query(project, script)
    assert problem == "not a level blob"
    assert "broken.lvb" in text


SCENE_WITH_ROLES = """
func query(_arguments):
	var scene = load("res://roles.lvb").instantiate()
	var layers = []
	for node in scene.get_children():
		if node is TileMapLayer:
			var flags = [node.collision_enabled, node.navigation_enabled, node.occlusion_enabled]
			var solid = []
			for cell in node.get_used_cells():
				if node.get_cell_tile_data(cell).get_collision_polygons_count(0) > 0:
					solid.append([cell.x, cell.y])
			layers.append([node.name, node.visible, flags, solid])
	var metas = []
	for node in [scene] + scene.get_node("Objects").get_children():
		var meta = {}
		for key in node.get_meta_list():
			meta[key] = node.get_meta(key)
			if meta[key] is Vector2i:
				meta[key] = [meta[key].x, meta[key].y]
		metas.append(meta)
	scene.free()
	return [layers, metas]
"""


def test_a_scene_has_the_layers_that_are_seen_and_pictures_stop_nobody(
    godot: Godot, project: Path
) -> None:
    layers, _ = godot.query(project, SCENE_WITH_ROLES)
    on, off = [True] * 3, [False] * 3
    assert [layer[:3] for layer in layers] == [
        ["ground", True, on],
        ["things", True, on],
        ["decals", True, off],
    ]
    # Tiles stop exactly where some play layer has one that does.
    level = level_with_roles()
    blocked = np.zeros((level.height, level.width), bool)
    for _, _, flags, solid in layers:
        if flags == on:
            blocked[tuple(np.array(solid).T[::-1])] = True
    grounds = [layer.walkable for layer in level.play_layers()]
    np.testing.assert_array_equal(np.any(grounds, axis=0) & ~blocked, level.walkable())


def test_properties_keep_their_names_in_one_dictionary(godot: Godot, project: Path) -> None:
    _, (root, chest, key) = godot.query(project, SCENE_WITH_ROLES)
    values = dict(level_with_roles().properties)
    assert root["properties"] == chest["properties"] == values
    plain = {"two_words": KEYS.index("two_words"), "gold": 2.5}
    assert root == {"properties": values, "cell": "mine", **plain}
    # A marker's own metadata is kept.
    assert chest == {"properties": values, "object": "chest", "cell": [3, 4], **plain}
    assert key == {"object": "key", "cell": [5, 6]}


def test_the_reader_knows_no_role_of_a_layer_that_is_not_there(godot: Godot, project: Path) -> None:
    script = """
const Blob := preload("res://addons/level_exporter/runtime/level_blob.gd")

func query(_arguments):
	var blob = Blob.open("res://roles.lvb")
	return [blob.role("decals"), blob.error, blob.role("none"), blob.error]
"""
    answer = godot.query(project, script)
    assert answer == ["picture", "", "", "there is no layer none"]


def test_the_walkable_cells_of_odd_levels_are_refused_or_none(
    godot: Godot, project: Path, tmp_path: Path
) -> None:
    # A level of more cells than any blob may have, and a play layer of another size than its level.
    wrong = layer_of("ground", np.zeros((4, 4), np.uint8), WALL)
    levels = [Level("vast", 1 << 23, 1 << 23), Level("odd", 5, 3, layers={"ground": wrong})]
    paths = []
    for level in levels:
        paths.append(str(tmp_path / f"{level.name}.lvb"))
        Path(paths[-1]).write_bytes(exporter.write_blob(level))
    script = """
const Blob := preload("res://addons/level_exporter/runtime/level_blob.gd")

func query(paths):
	var answers = []
	for path in paths:
		var blob = Blob.from_bytes(FileAccess.get_file_as_bytes(path))
		answers.append([Array(blob.walkable()), Array(blob.play_layers()), blob.error])
	return answers
"""
    vast, odd = godot.query(project, script, paths)
    assert vast == [[], [], "a level of 8388608 x 8388608 cells is over the limit"]
    assert odd == [[0] * 15, [], ""]


@pytest.mark.parametrize("name", LEVELS)
def test_the_reader_gives_what_python_gives(blobs: dict[str, Any], name: str) -> None:
    same_level(blobs[name], [LEVELS[name]()])


def test_a_level_opens_where_only_its_import_is_left(godot: Godot, project: Path) -> None:
    script = """
const Blob := preload("res://addons/level_exporter/runtime/level_blob.gd")

func query(_arguments):
	var gone = Blob.open("res://gone.lvb")
	var never = Blob.open("res://never.lvb")
	return [gone.error, gone.level_name, never.error]
"""
    answer = godot.query(project, script)
    assert answer == ["", "tiny", "cannot read res://never.lvb"]


def test_the_scripts_have_no_warnings(godot: Godot, tmp_path: Path) -> None:
    project = godot.new_project(tmp_path / "strict", ("level_exporter",))
    settings = project / "project.godot"
    lines = ["", "[debug]", "gdscript/warnings/exclude_addons=false"]
    lines += ["gdscript/warnings/directory_rules={}"]
    lines += [f"gdscript/warnings/{name}=2" for name in WARNINGS]
    settings.write_text(settings.read_text() + "\n".join(lines) + "\n")
    godot.import_project(project)


def test_levels_of_a_pack_are_read_separately(godot: Godot, project: Path, tmp_path: Path) -> None:
    levels = [tiny_level(), furnished_level()]
    (tmp_path / "pack.lvb").write_bytes(exporter.write_pack(levels))
    files = [{"path": str(tmp_path / "pack.lvb"), "viewers": []}]
    same_level(godot.query(project, READ_BLOBS, files)[0], levels)


def same_level(answer: dict[str, Any], levels: list[Level]) -> None:
    """Assert that the reader's answer matches the levels."""
    assert answer["error"] == ""
    assert len(answer["levels"]) == len(levels)
    for result, level in zip(answer["levels"], levels, strict=True):
        assert result["name"] == level.name
        assert result["size"] == [level.width, level.height]
        assert result["properties"] == exact(level.properties)
        assert result["play_layers"] == [layer.name for layer in level.play_layers()]
        assert result["seen_layers"] == [layer.name for layer in level.seen_layers()]
        assert result["walkable"] == digest(level.walkable())
        for layer, expected in zip(result["layers"], level.layers.values(), strict=True):
            same_layer(layer, expected)
        assert result["objects"] == exact(map(stored_object, level.objects))
        assert result["tables"] == exact(map(asdict, level.tables.values()))
        assert result["puzzles"] == exact(map(asdict, level.puzzles.values()))


def stored_object(thing: PlacedObject) -> dict[str, Any]:
    """An object as it is in a blob: the spec's entry that asked for it is not."""
    values = asdict(thing)
    del values["entry"]
    return values


def same_layer(result: dict[str, Any], layer: Layer) -> None:
    assert (result["name"], result["kind"]) == (layer.name, layer.kind)
    assert result["size"] == [layer.width, layer.height]
    assert result["role"] == layer.role
    assert result["bytes"] == digest(layer.cells.astype(layer.cells.dtype.newbyteorder("<")))
    assert result["cells"] == digest(layer.cells.astype("<i4"))
    assert result["opaque"] == digest(layer.opaque)
    walkable = layer.walkable if layer.walkable is not None else np.zeros(0, bool)
    assert result["walkable"] == digest(walkable)
    if layer.kind == "heights":
        assert result["heights"] == digest(real_heights(layer).astype("<f4"))
    assert result["tiles"] == exact(map(asdict, layer.tiles))
