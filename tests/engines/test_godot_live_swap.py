"""A game that runs from the editor swaps a level in place as soon as it is exported."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine_harness import Godot
from engine_harness.driven import Driven, driven
from engine_harness.godot import errors_in
from engine_harness.live_project import LEVEL, LiveProject, new_live_project

MAIN = """\
[gd_scene load_steps=6 format=3]

[ext_resource type="PackedScene" path="res://levels/crypt.tscn" id="1"]
[ext_resource type="PackedScene" path="res://child.tscn" id="2"]
[ext_resource type="PackedScene" path="res://levels/crypt.lvb" id="3"]
[ext_resource type="PackedScene" path="res://blob_child.tscn" id="4"]
[ext_resource type="Script" path="res://main.gd" id="5"]

[node name="Main" type="Node2D"]
script = ExtResource("5")

[node name="Scene" parent="." instance=ExtResource("1")]

[node name="Child" parent="." instance=ExtResource("2")]
position = Vector2(400, 0)

[node name="Blob" parent="." instance=ExtResource("3")]
position = Vector2(0, 300)

[node name="BlobChild" parent="." instance=ExtResource("4")]
position = Vector2(400, 300)

[node name="Player" type="Node2D" parent="."]
position = Vector2(120, 90)
"""
SCRIPT = """\
extends Node2D

const PRELOADED := preload("res://levels/crypt.tscn")

var swapped := []


func _ready() -> void:
	var live := get_node_or_null("/root/LevelExporterLive")
	if live != null:
		live.level_swapped.connect(func(level: Node) -> void: swapped.append(str(level.name)))
	# What games do with levels: an added node inside, one removed, one changed, a signal.
	var torch := Node2D.new()
	torch.name = "Torch"
	$Scene/ground.add_child(torch)
	$Scene/objects/chest_2.free()
	$Scene/ground.add_to_group("lit")
	$Scene/ground.enabled = false
	$Scene/objects/chest_1.visibility_changed.connect(_on_changed)


func _on_changed() -> void:
	pass
"""
LEVELS = ("Scene", "Child", "Blob", "BlobChild")
STATE = """
var main := driver.get_node("/root/Main")
var result := {"swapped": main.swapped, "player": str(main.get_node("Player").position)}
var cells := func(layer: TileMapLayer) -> String:
	return layer.tile_map_data.hex_encode().md5_text()
for name in ["Scene", "Child", "Blob", "BlobChild"]:
	var level: Node = main.get_node(name)
	var ground: TileMapLayer = level.get_node("ground")
	var chest: Node = level.find_children("chest*", "Marker2D", true, false)[0]
	result[name] = {
		"ids": [level.get_instance_id(), ground.get_instance_id(), chest.get_instance_id()],
		"cells": cells.call(ground),
		"position": str(level.position),
		"children": level.get_children().map(func(node): return str(node.name)),
		"seed": str(level.get_meta("seed", "")),
		"modulate": str(ground.modulate),
		"enabled": ground.enabled,
	}
var path := "res://levels/crypt.tscn"
var fresh: Node = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE).instantiate()
result["disk"] = cells.call(fresh.get_node("ground"))
fresh.free()
var preloaded: Node = main.PRELOADED.instantiate()
result["preloaded"] = cells.call(preloaded.get_node("ground"))
preloaded.free()
return result
"""
GAME_PARTS = """
var level := driver.get_node("/root/Main/Scene")
var chest: Node = level.get_node("objects/chest_1")
return {
	"torch": level.has_node("ground/Torch"),
	"opened": level.has_node("objects/chest_2"),
	"lit": level.get_node("ground").is_in_group("lit"),
	"connected": chest.visibility_changed.get_connections().size(),
}
"""
SECOND_LAYER = "  second: {generator: cellular_caves}\n"
# Long enough for the game to look at the status.
WAIT = "await driver.get_tree().create_timer(0.5).timeout\nreturn 0"
SETTINGS = 'FileAccess.get_file_as_string("res://project.godot")'
PRESET = """\
[preset.0]

name="Linux"
platform="Linux"
runnable=true
export_filter="all_resources"
include_filter=""
exclude_filter="addons/driver/*"
export_path=""

[preset.0.options]

binary_format/embed_pck=false
"""


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> LiveProject:
    result = new_live_project(godot, tmp_path_factory.mktemp("live_swap"))
    result.add_scenes()
    result.add_autoloads()
    (result.game / "main.tscn").write_text(MAIN)
    (result.game / "main.gd").write_text(SCRIPT)
    godot.import_project(result.game)
    return result


@pytest.fixture
def game(godot: Godot, project: LiveProject) -> Iterator[Driven]:
    project.export(seed=1)
    with driven(godot, project.game, "res://main.tscn") as running:
        running.run(STATE)
        yield running


def after_swap(game: Driven, count: int) -> dict[str, Any]:
    """Wait for this number of swaps, and return the state."""
    game.until('return driver.get_node("/root/Main").swapped.size()', count)
    state: dict[str, Any] = game.run(STATE)
    return state


def test_levels_are_swapped_in_place(game: Driven, project: LiveProject) -> None:
    before = game.run(STATE)
    for number, seed in enumerate((2, 3), start=1):
        project.export(seed=seed)
        after = after_swap(game, 4 * number)
        assert after["disk"] != before["disk"]
        assert sorted(after["swapped"]) == sorted(LEVELS * number)
        assert after["preloaded"] == after["disk"]
        assert after["player"] == "(120.0, 90.0)"
        for name in LEVELS:
            now, then = after[name], before[name]
            assert now["ids"] == then["ids"]
            assert now["cells"] != then["cells"]
            assert now["position"] == then["position"]
        assert after["Scene"]["cells"] == after["Child"]["cells"] == after["disk"]
        assert after["Scene"]["seed"] == after["Child"]["seed"] == str(seed)
        assert after["Blob"]["cells"] == after["BlobChild"]["cells"]
        # The inheriting scene's own values of a node stay.
        assert after["Child"]["modulate"] == "(1.0, 0.5, 0.5, 1.0)"
        assert after["Scene"]["modulate"] == "(1.0, 1.0, 1.0, 1.0)"
        before = after
    assert errors_in(game.output) == []


def test_what_the_game_did_to_a_level_stays(game: Driven, project: LiveProject) -> None:
    parts = {"torch": True, "opened": False, "lit": True, "connected": 1}
    assert game.run(GAME_PARTS) == parts
    # Another layer, but the same chests: opened ones stay away.
    project.write(LEVEL.format(seed=1).replace("objects:", f"{SECOND_LAYER}objects:"))
    project.export()
    after = after_swap(game, 4)
    assert "second" in after["Scene"]["children"]
    assert game.run(GAME_PARTS) == parts
    assert after["Scene"]["enabled"] is False
    assert after["Child"]["enabled"] is True
    # A chest in another cell is another chest.
    project.export(seed=4)
    after = after_swap(game, 8)
    assert game.run(GAME_PARTS) == {**parts, "opened": True}
    assert after["Scene"]["enabled"] is False
    assert errors_in(game.output) == []


@pytest.mark.parametrize("stop", ["Engine.time_scale = 0.0", "driver.get_tree().paused = true"])
def test_a_paused_game_swaps_its_levels(game: Driven, project: LiveProject, stop: str) -> None:
    game.run(f"driver.process_mode = Node.PROCESS_MODE_ALWAYS\n{stop}\nreturn 0")
    project.export(seed=7)
    after = after_swap(game, 4)
    assert after["Scene"]["seed"] == "7"


def test_levels_deep_in_the_tree_twice_or_preserved_outside_of_it_are_swapped(
    game: Driven, project: LiveProject
) -> None:
    game.run(
        """
var main := driver.get_node("/root/Main")
var view := SubViewport.new()
view.name = "View"
main.add_child(view)
var deep := Node.new()
deep.name = "Deep"
view.add_child(deep)
for i in 3:
	var level: Node = load("res://levels/crypt.tscn").instantiate()
	level.name = "Room%d" % i
	deep.add_child(level)
	var player := Camera2D.new()
	player.name = "Player"
	player.position = Vector2(33, 44)
	level.add_child(player)
var kept: Node = deep.get_node("Room2")
deep.remove_child(kept)
driver.set_meta("kept", kept)
return 0
"""
    )
    project.export(seed=8)
    game.until('return driver.get_node("/root/Main").swapped.size()', 7)
    rooms = """
var deep := driver.get_node("/root/Main/View/Deep")
deep.add_child(driver.get_meta("kept"))
var disk: Node = ResourceLoader.load(
	"res://levels/crypt.tscn", "", ResourceLoader.CACHE_MODE_IGNORE).instantiate()
var found := deep.get_children().map(func(level): return [
	level.get_meta("seed"), level.get_node("Player").position == Vector2(33, 44),
	level.get_node("ground").tile_map_data == disk.get_node("ground").tile_map_data])
disk.free()
return found
"""
    assert game.run(rooms) == [[8, True, True]] * 3
    assert errors_in(game.output) == []


def test_a_level_that_is_renamed_or_broken_stays_as_it_is_until_it_is_back(
    game: Driven, project: LiveProject
) -> None:
    before = game.run(STATE)
    spec = project.root / "levels" / "crypt.level.yaml"
    text = spec.read_text(encoding="utf-8")
    spec.rename(spec.with_name("vault.level.yaml"))
    project.export()
    game.run(WAIT)
    spec.with_name("vault.level.yaml").rename(spec)
    project.export()
    game.until('return driver.get_node("/root/Main").swapped.size()', 4)
    assert game.run(STATE)["Scene"] == before["Scene"]
    project.write("size: [24\n")
    project.export(fails=True)
    game.run(WAIT)
    project.write(text.replace("seed: 1", "seed: 9"))
    project.export()
    after = after_swap(game, 8)
    assert after["Scene"]["seed"] == "9"
    assert after["Scene"]["ids"] == before["Scene"]["ids"]
    assert errors_in(game.output) == []


def test_layers_and_objects_come_and_go(game: Driven, project: LiveProject) -> None:
    layers = """
var level := driver.get_node("/root/Main/Scene")
var child := driver.get_node("/root/Main/Child")
var names := func(node): return node.get_children().map(func(one): return str(one.name))
return [names.call(level), names.call(child), level.get_node("ground").get_groups().size(),
	level.get_children().all(func(node): return node.owner == level or node.name == "Torch")]
"""
    before = game.run(layers)
    assert before[0] == before[1]
    assert before[0][-1] == "objects"
    rest = before[0][:-1]
    # A layer below, and no objects: the node that the game has put into one of them stays.
    game.run(
        """
var lamp := Node2D.new()
lamp.name = "Lamp"
driver.get_node("/root/Main/Scene/objects/chest_1").add_child(lamp)
lamp.global_position = Vector2(50, 60)
return 0
"""
    )
    text = LEVEL.format(seed=1).replace(
        "layers:\n", "layers:\n  below: {generator: cellular_caves}\n"
    )
    project.write(text.split("objects:")[0])
    project.export()
    after_layers = """
return driver.get_node("/root/Main").swapped.size()
"""
    game.until(after_layers, 4)
    after = game.run(layers)
    assert after[0] == ["below", *rest, "Lamp"]
    assert after[1] == ["below", *rest]
    lamp = 'return str(driver.get_node("/root/Main/Scene/Lamp").global_position)'
    assert game.run(lamp) == "(50.0, 60.0)"
    project.export(seed=1)
    game.until(after_layers, 8)
    back = game.run(layers)
    assert back[0] == [*rest, "objects", "Lamp"]
    assert back[1] == before[1]
    assert back[3] is False  # the lamp is the game's
    assert errors_in(game.output) == []


def test_large_levels_are_swapped_with_what_their_script_has_created(
    game: Driven, project: LiveProject
) -> None:
    chunk = """
var node: Node = driver.get_node("/root/Main/Scene").find_child("*", false, false)
for child in driver.get_node("/root/Main/Scene").get_children():
	if child.has_method("chunk_at"):
		node = child
if not node.has_method("chunk_at"):
	return null
if not node.chunk_opened.is_connected(driver.get_tree().root.set_meta.bind("opened")):
	node.chunk_opened.connect(driver.get_tree().root.set_meta.bind("opened"))
node.margin = 300.0
var open: Node2D = node.chunk_at(Vector2i(0, 0))
for i in 10:
	if open == null:
		await driver.get_tree().process_frame
		open = node.chunk_at(Vector2i(0, 0))
return [open.get_child(0).tile_map_data.hex_encode().md5_text(), node.margin,
	node.get_parent().get_children().size()]
"""
    state = """
for child in driver.get_node("/root/Main/Scene").get_children():
	if child.has_method("chunk_at"):
		var open: Node2D = child.chunk_at(Vector2i(0, 0))
		return null if open == null else [
			open.get_child(0).tile_map_data.hex_encode().md5_text(), child.margin,
			child.get_parent().get_children().size(),
			child.chunk_opened.get_connections().size()]
return null
"""
    try:
        project.target(", chunks: always")
        project.export(seed=1)
        game.until('return driver.get_node("/root/Main").swapped.size()', 4)
        before = game.run(chunk)
        project.export(seed=2)
        game.until('return driver.get_node("/root/Main").swapped.size()', 8)
        after = game.run(state)
        assert after[0] != before[0]
        assert after[1:] == [300.0, before[2], 1]
    finally:
        project.target("")


def test_a_tile_set_and_its_picture_are_swapped_too(game: Driven, project: LiveProject) -> None:
    tiles = """
var found := []
for name in ["Scene", "Child"]:
	var layer: TileMapLayer = driver.get_node("/root/Main/" + name + "/ground")
	var source: TileSetAtlasSource = layer.tile_set.get_source(0)
	var image := Image.load_from_file(
		ProjectSettings.globalize_path("res://levels/crypt.tileset.png"))
	var fresh: Node = load("res://levels/crypt.tscn").instantiate()
	var has_same: bool = fresh.get_node("ground").tile_set == layer.tile_set
	fresh.free()
	found.append([has_same, source.margins.x, source.separation.x,
		source.texture.get_size() == Vector2(image.get_size()),
		layer.get_cell_tile_data(Vector2i(0, 0)).get_custom_data("name")])
return found
"""
    before = game.run(tiles)
    assert before[0] == before[1]
    try:
        project.target(", extrude: 2")
        project.export(seed=1)
        after_swap(game, 4)
        after = game.run(tiles)
        assert after[0] == after[1]
        assert after[0] == [True, 2, 4, True, before[0][4]]
        assert errors_in(game.output) == []
    finally:
        project.target("")


def test_the_plugin_makes_the_script_an_autoload_that_exported_games_do_not_have(
    godot: Godot, tmp_path: Path
) -> None:
    project = new_live_project(godot, tmp_path)
    settings = project.game / "project.godot"
    settings.write_text(
        settings.read_text().replace(
            "[application]\n", '[application]\n\nrun/main_scene="res://levels/crypt.tscn"'
        )
    )
    (project.game / "export_presets.cfg").write_text(PRESET)
    godot.import_project(project.game)
    there = f"return {SETTINGS}.contains('LevelExporterLive=\"*')"
    with driven(godot, project.game, "--editor") as editor:
        editor.until('return ProjectSettings.has_setting("autoload/LevelExporterLive")', True)
        editor.until(there, True)
        setting = '"level_exporter/swap_levels_in_running_games"'
        assert editor.run(f"return ProjectSettings.get_setting({setting})") is True
        switch = f"ProjectSettings.set_setting({setting}, %s)\nreturn ProjectSettings.save()"
        assert editor.run(switch % "false") == 0
        editor.until(there, False)
        assert editor.run(switch % "true") == 0
        editor.until(there, True)
        assert errors_in(editor.output) == []
    before = settings.read_text()
    pack = tmp_path / "game.pck"
    output = godot.run(["--path", str(project.game), "--export-pack", "Linux", str(pack)])
    assert errors_in(output) == []
    content = pack.read_bytes()
    # Godot's list of identifiers names scripts that are not there, so their compiled form counts.
    assert b"addons/level_exporter/runtime/level_blob.gdc" in content
    assert b"levels/crypt.tscn" in content
    for absent in ("live/live_levels", "live/status_reader", "editor/level_importer", "plugin"):
        assert f"addons/level_exporter/{absent}.gdc".encode() not in content
    assert b"LevelExporterLive" not in content
    assert settings.read_text() == before
    assert 'LevelExporterLive="*' in before
    assert errors_in(godot.run(["--main-pack", str(pack), "--quit-after", "5"])) == []
