"""Cells that were painted in Godot become hand edits of the level, by the addon's own script."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import exporter
from engine_harness import Godot
from engine_harness.folders import copy_addon
from exporter.cli.main import main
from exporter.reading.edits import parse_edits

SPEC = """\
size: [24, 16]
seed: 3
layers:
  ground: {generator: cellular_caves, connect: guaranteed}
"""
INHERITING = """\
[gd_scene load_steps=2 format=3]

[ext_resource type="PackedScene" path="res://levels/crypt.tscn" id="1"]

[node name="Inheriting" instance=ExtResource("1")]
"""
# Paints cells with tiles of other cells, saves the scene, and prints what the addon reads in it.
PAINT = """
extends RefCounted

const PaintedCells := preload("res://addons/level_exporter/editor/painted_cells.gd")


func query(arguments: Dictionary) -> Dictionary:
	var root: Node = (load("res://child.tscn") as PackedScene).instantiate(
		PackedScene.GEN_EDIT_STATE_MAIN_INHERITED
	)
	var ground: TileMapLayer = root.get_node("ground")
	var before: TileMapLayer = ground.duplicate()
	for stroke: Array in arguments["strokes"]:
		var to := Vector2i(stroke[0], stroke[1])
		if stroke.size() == 2:
			ground.erase_cell(to)
			continue
		var from := Vector2i(stroke[2], stroke[3])
		var source := before.get_cell_source_id(from)
		ground.set_cell(to, source, before.get_cell_atlas_coords(from))
	before.free()
	var packed := PackedScene.new()
	packed.pack(root)
	root.free()
	ResourceSaver.save(packed, "res://child.tscn")
	var again := ResourceLoader.load("res://child.tscn", "", ResourceLoader.CACHE_MODE_REPLACE)
	var saved: Node = (again as PackedScene).instantiate()
	var hiding := PaintedCells.overridden(saved)
	var state := PaintedCells.state_folder()
	var file := PaintedCells.write(PaintedCells.painted(PaintedCells.level_in(saved)), state)
	saved.free()
	return {"state": state, "file": file, "hiding": hiding}
"""
CELLS = """
extends RefCounted


func query(path: String) -> Array:
	var root: Node = (load(path) as PackedScene).instantiate()
	var ground: TileMapLayer = root.get_node("ground")
	var found := []
	for y in 16:
		for x in 24:
			var data := ground.get_cell_tile_data(Vector2i(x, y))
			found.append(null if data == null else data.get_custom_data("name"))
	root.free()
	return found
"""


TEAM_TILE_SET = """\
[gd_resource type="TileSet" load_steps=3 format=3]

[ext_resource type="Texture2D" path="res://art/plain.png" id="1"]

[sub_resource type="TileSetAtlasSource" id="a"]
texture = ExtResource("1")
0:0/0 = 0
1:0/0 = 0
2:0/0 = 0

[resource]
sources/0 = SubResource("a")
"""
# Paints with an unknown tile, and returns the addon's refusal.
PAINT_STRANGE = """
extends RefCounted

const PaintedCells := preload("res://addons/level_exporter/editor/painted_cells.gd")


func query(cell: Array) -> String:
	var root: Node = (load("res://child.tscn") as PackedScene).instantiate()
	(root.get_node("ground") as TileMapLayer).set_cell(
		Vector2i(cell[0], cell[1]), 0, Vector2i(2, 0)
	)
	var answer := PaintedCells.unnamed(PaintedCells.painted(root))
	root.free()
	return answer
"""


@pytest.fixture
def game(godot: Godot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels/crypt.level.yaml").write_text(SPEC)
    (tmp_path / "exporter.yaml").write_text("targets:\n  godot: {path: game/levels}\n")
    folder = godot.new_project(tmp_path / "game")
    copy_addon(folder)
    assert main(["export", "-q"]) == 0
    (folder / "child.tscn").write_text(INHERITING)
    godot.import_project(folder)
    return folder


def kinds() -> list[list[str | None]]:
    layer = exporter.build_level(exporter.load_level("levels/crypt.level.yaml")).layers["ground"]
    names = {tile.id: None if tile.empty else tile.name for tile in layer.tiles}
    return [[names[int(item)] for item in row] for row in layer.cells]


def paint(godot: Godot, game: Path, strokes: list[list[int]]) -> Any:
    return godot.query(game, PAINT, {"strokes": strokes})


def test_what_was_painted_in_an_inheriting_scene_is_preserved(
    godot: Godot, game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = kinds()
    floor = next((x, y) for y in range(16) for x in range(24) if before[y][x] == "floor")
    wall = next((x, y) for y in range(16) for x in range(24) if before[y][x] == "wall")
    answer = paint(godot, game, [[*wall, *floor], [*floor, *wall], [12, 8]])
    assert answer["hiding"] == ["ground"]
    file = Path(answer["file"])
    assert file == Path(".exporter/painted/crypt.json").resolve()
    assert main(["edits", "take", "--json"]) == 0
    (level,) = json.loads(capsys.readouterr().out)["levels"]
    assert (level["cells"], level["kept"], level["errors"]) == (3, [], [])
    assert not file.exists()
    edits = parse_edits(Path("levels/crypt.edits.yaml").read_bytes(), "x").layers["ground"]
    assert {edit.at: (edit.was, edit.now) for edit in edits} == {
        wall: ("wall", "floor"),
        floor: ("floor", "wall"),
        (12, 8): (before[8][12], None),
    }
    godot.import_project(game)
    expected = [name for row in kinds() for name in row]
    for scene in ("res://levels/crypt.tscn", "res://child.tscn"):
        assert godot.query(game, CELLS, scene) == expected
    assert expected[8 * 24 + 12] is None


def test_a_scene_without_strokes_gives_no_edits(
    godot: Godot, game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = paint(godot, game, [])
    assert answer["hiding"] == []
    assert main(["edits", "take", "--from", answer["file"]]) == 0
    assert not Path("levels/crypt.edits.yaml").exists()
    assert not Path(answer["file"]).exists()


def test_the_next_export_takes_what_waits(godot: Godot, game: Path) -> None:
    before = kinds()
    paint(godot, game, [[12, 8]])
    assert main(["export", "-q"]) == 0
    assert kinds()[8][12] is None
    assert before[8][12] is not None
    assert not list(Path(".exporter/painted").iterdir())


def test_cells_for_another_size_are_reported_and_wait(
    godot: Godot, game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = paint(godot, game, [[12, 8]])
    Path("levels/crypt.level.yaml").write_text(SPEC.replace("[24, 16]", "[30, 16]"))
    assert main(["edits", "take"]) == 1
    assert (
        "the cells were painted on a map of 24 x 16 cells, but the level has 30 x 16"
        in capsys.readouterr().err
    )
    assert Path(answer["file"]).exists()
    # The addon shows the reason, and forgets it when cells are kept again.
    reply = Path(answer["file"] + ".refused")
    assert "the level has 30 x 16" in reply.read_text()
    paint(godot, game, [[12, 8]])
    assert not reply.exists()


def test_tiles_of_the_team_are_those_that_the_target_names(
    godot: Godot, game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (game / "art").mkdir()
    (game / "art" / "plain.tres").write_text(TEAM_TILE_SET)
    Image.new("RGBA", (48, 16), "red").save(game / "art" / "plain.png")
    Path("exporter.yaml").write_text(
        "targets:\n  godot: {path: game/levels, tileset: {file: res://art/plain.tres,"
        " tiles: {wall: [0, 0], floor: [1, 0]}}}\n"
    )
    assert main(["export", "-q"]) == 0
    godot.import_project(game)
    before = kinds()
    wall = next((x, y) for y in range(16) for x in range(24) if before[y][x] == "wall")
    floor = next((x, y) for y in range(16) for x in range(24) if before[y][x] == "floor")
    refusal = godot.query(game, PAINT_STRANGE, [5, 3])
    assert refusal == "(2, 0) of source 0 in the cell (5, 3) of the layer ground"
    paint(godot, game, [[*wall, *floor]])
    assert main(["edits", "take"]) == 0
    assert kinds()[wall[1]][wall[0]] == "floor"
    edits = parse_edits(Path("levels/crypt.edits.yaml").read_bytes(), "x").layers["ground"]
    assert [(edit.at, edit.was, edit.now) for edit in edits] == [(wall, "wall", "floor")]
