"""Objects that are scenes of the game, in real Godot: through both doors, and while a game runs."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import exporter
from engine_harness import Godot
from engine_harness.driven import Driven, driven
from engine_harness.godot import errors_in
from engine_harness.live_project import LiveProject, new_live_project
from engine_harness.object_scenes import FILES, SCENES, SPEC, scenes_option, write_things
from exporter.blob import Chunk, with_chunk
from exporter.formats.godot.node_classes import has_no_position, is_engine_class
from exporter.formats.godot.variants import packed
from exporter.model.level import Level

HARNESS = Path(__file__).parent / "engine_harness"
CHEST = SCENES["chest"]
DOORS = ("res://levels/crypt.tscn", "res://levels/crypt.lvb")
ALL_THINGS = """
func query(paths):
	var answers = {}
	for path in paths:
		var root = load(path).instantiate()
		Engine.get_main_loop().root.add_child(root)
		await Engine.get_main_loop().process_frame
		var things = {}
		for node in root.get_node("objects").get_children():
			var seen = {
				"scene": node.scene_file_path,
				"class": node.get_class(),
				"groups": node.get_groups().map(func(group): return str(group)),
				"inside": node.find_children("*", "", true, false).size(),
			}
			if "position" in node:
				seen["position"] = str(node.position)
			for key in ["gold", "locked", "kind", "note", "animation", "partner", "tint",
					"weight", "most", "номер", "secret", "touch_label", "touch_chance", "speed",
					"line", "text", "visible", "z_index", "mood", "fears", "side", "color",
					"offset", "lamp_offset", "chest", "prices", "words", "anything"]:
				if key in node:
					seen[key] = var_to_str(node.get(key))
			if "route" in node:
				seen["item"] = node.item.resource_path
				seen["route"] = node.route.map(func(one): return str(one.name))
				seen["post"] = str(node.post.name)
				seen["free"] = var_to_str(node.get_meta("free"))
				seen["friend"] = str(node.get_node(node.get_meta("friend")).name)
			things[str(node.name)] = seen
		answers[path] = things
		root.free()
	return answers
"""


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> LiveProject:
    """A game in its own style, with a level that has its objects; imported."""
    result = new_live_project(godot, tmp_path_factory.mktemp("things"))
    write_things(result.game)
    result.add_scenes()
    result.add_autoloads()
    result.target(f", scenes: {scenes_option()}")
    result.write(SPEC.format(seed=1))
    result.export()
    godot.import_project(result.game)
    return result


def test_instances_are_the_same_through_both_doors(godot: Godot, project: LiveProject) -> None:
    answer = godot.query(project.game, HARNESS / "describe_scenes.gd", DOORS)
    expected, result = (answer[path] for path in DOORS)
    assert list(result) == list(expected)
    for path, node in expected.items():
        assert result[path] == node, path
    assert result["objects/chest_1/Reach/Shape"]["owned"] is False
    assert result["objects/chest_1"]["owned"] is True


def test_large_levels_have_the_same_instances(
    godot: Godot, project: LiveProject, tmp_path: Path
) -> None:
    copy = LiveProject(tmp_path / "copy", tmp_path / "copy" / "game")
    shutil.copytree(project.root, copy.root)
    copy.target(f", chunks: always, scenes: {scenes_option()}")
    copy.export()
    godot.import_project(copy.game)
    answer = godot.query(copy.game, HARNESS / "describe_scenes.gd", DOORS)
    assert answer[DOORS[0]] == answer[DOORS[1]]
    whole = godot.query(project.game, HARNESS / "describe_scenes.gd", DOORS[:1])[DOORS[0]]
    streamed = answer[DOORS[0]]
    assert "chunks" in streamed
    things = [path for path in whole if path.startswith("objects/")]
    assert [streamed[path] for path in things] == [whole[path] for path in things]


@pytest.fixture(scope="module")
def things(godot: Godot, project: LiveProject) -> dict[str, Any]:
    answer: dict[str, Any] = godot.query(project.game, ALL_THINGS, DOORS)
    return answer


@pytest.mark.parametrize("door", DOORS)
def test_properties_set_exported_variables(things: dict[str, Any], door: str) -> None:
    chest = things[door]["chest_1"]
    assert chest["scene"] == SCENES["chest"]
    assert chest["inside"] == 3
    assert sorted(chest["groups"]) == ["chest", "interactable"]
    expected = {
        "gold": "7",
        "locked": "true",
        "kind": "4",
        "note": '"a \\"b\\""',
        "animation": '&"open"',
        "partner": 'NodePath("../Door:scale")',
        "weight": "2.0",
        "most": "3",
        "номер": "8",
        "touch_label": '"open"',
        "touch_chance": "1.0",
        # No exported variables, and nothing of the spec: as the scene has them.
        "secret": "3",
        "visible": "true",
        "tint": "Color(0.85490197, 0.64705884, 0.1254902, 1)",
        "z_index": "2",
    }
    assert {key: chest[key] for key in expected} == expected
    iron = things[door]["iron"]
    assert (iron["gold"], iron["kind"], iron["scene"]) == ("50", "4", SCENES["iron"])
    guard = things[door]["guard_2"]
    assert (guard["class"], guard["speed"]) == ("CharacterBody2D", "60")
    assert guard["touch_label"] == '"talk to"'
    expected = {
        "mood": "3",
        "fears": "17",
        "side": '"south"',
        "color": "Color(1, 0.5019608, 0, 0.5019608)",
        "offset": "Vector2i(3, -4)",
        "lamp_offset": "Vector3(1, 2.5, 3)",
        "chest": 'NodePath("../chest_1")',
        "prices": "Array[int]([1, 2])",
        "words": 'PackedStringArray("a", "b c")',
        "anything": "[1, Color(1, 1, 1, 1), null]",
        "item": "res://things/gem.svg",
        "route": ["stairs", "iron"],
        "post": "stairs",
        "free": "Color(0, 1, 0, 1)",
        "friend": "guard_1",
    }
    assert {key: guard[key] for key in expected} == expected
    assert things[door]["sign"]["text"] == '"Beware"'


@pytest.mark.parametrize("door", DOORS)
def test_markers_stay_where_there_is_no_scene(things: dict[str, Any], door: str) -> None:
    for name in ("ghost", "stairs"):
        assert things[door][name]["class"] == "Marker2D"
        assert things[door][name]["scene"] == ""
    assert things[door]["lamp"]["class"] == "Node3D"
    positions = [thing["position"] for thing in things[door].values() if "position" in thing]
    assert len(set(positions)) == len(positions) == len(things[door])


def test_instances_look_the_same_through_both_doors(
    godot: Godot, project: LiveProject, tmp_path: Path
) -> None:
    files = {door: tmp_path / f"{number}.png" for number, door in enumerate((*DOORS, CHEST))}
    pictures = [
        {"scene": door, "file": str(file), "lamps": [[100, 90], [240, 160], [400, 120]]}
        for door, file in files.items()
    ]
    question = {"pictures": pictures}
    godot.query(project.game, HARNESS / "draw_by_lamps.gd", question, window=(480, 320))
    seen = {door: np.array(Image.open(file).convert("RGB")) for door, file in files.items()}
    np.testing.assert_array_equal(seen[DOORS[0]], seen[DOORS[1]])
    # The colour of chests that a property has locked, somewhere in the light.
    gold = seen[DOORS[0]].astype(int) - (218, 165, 32)
    assert (np.abs(gold).max(axis=2) < 40).any()
    assert (seen[CHEST] != seen[DOORS[0]]).any()


def test_the_imported_scene_refers_to_the_things_and_does_not_copy_them(
    godot: Godot, project: LiveProject
) -> None:
    script = "func query(path): return Array(ResourceLoader.get_dependencies(path))"
    listed = godot.query(project.game, script, DOORS[1])
    assert {item.rpartition("::")[2] for item in listed} >= set(SCENES.values()) - {SCENES["ghost"]}
    changed = project.game / "things/chests/chest.tscn"
    try:
        changed.write_text(FILES["things/chests/chest.tscn"].replace("gold = 12", "weight = 9.5"))
        answers = godot.query(project.game, ALL_THINGS.replace('"weight"', '"z_index"'), DOORS)
        for door in DOORS:
            assert answers[door]["iron"]["gold"] == "50"
        inherited = (
            "func query(path): return load(path).instantiate().get_node('objects/iron').weight"
        )
        assert godot.query(project.game, inherited, DOORS[1], allow_errors=True) == 9.5
    finally:
        changed.write_text(FILES["things/chests/chest.tscn"])


def test_the_editor_keeps_our_settings_and_an_export_keeps_the_editors(
    project: LiveProject,
) -> None:
    settings = project.game / "levels" / "crypt.lvb.import"
    before = settings.read_bytes()
    assert b"create_objects=true" in before
    assert b'scenes=PackedStringArray("res://things/chests/chest.tscn", "res://' in before
    project.export()
    assert settings.read_bytes() == before


BUILD = """
const SceneBuilder := preload("res://addons/level_exporter/editor/level_scene.gd")

func query(arguments):
	var answers = []
	for scenes in arguments.allowed:
		var options = {"scenes": PackedStringArray(scenes)} if scenes is Array else {}
		if scenes is String:
			options = {"scenes": scenes}
		var bytes = Marshalls.base64_to_raw(arguments.blob)
		var root = SceneBuilder.build(bytes, "res://levels/crypt.lvb", options)
		answers.append([root.problem, root.get_node("objects").get_children().filter(
			func(node): return not node.scene_file_path.is_empty()
		).map(func(node): return node.scene_file_path)])
		root.free()
	return answers
"""


def test_only_the_scenes_of_the_settings_are_instanced(godot: Godot, project: LiveProject) -> None:
    blob = (project.game / "levels" / "crypt.lvb").read_bytes()
    chest = SCENES["chest"]
    allowed = [None, [], [chest], ["res://things/../things/chests/chest.tscn"], chest]
    answers, output = godot.query_with_output(
        project.game, BUILD, {"blob": base64.b64encode(blob).decode(), "allowed": allowed}
    )
    assert [problem for problem, _ in answers] == [""] * 5
    assert [result for _, result in answers] == [[], [], [chest] * 3, [], []]
    assert f"{chest} is not among the scenes of the import settings" in output
    assert errors_in(output) == []


FOREIGN = """
const SceneBuilder := preload("res://addons/level_exporter/editor/level_scene.gd")

func query(arguments):
	var options = {"scenes": PackedStringArray([arguments.scene])}
	var bytes = Marshalls.base64_to_raw(arguments.blob)
	var root = SceneBuilder.build(bytes, "res://levels/crypt.lvb", options)
	var node = root.get_child(0)
	var answer = [root.problem, node.scene_file_path, node.gold, node.locked, node.kind, node.note,
		node.visible, node.z_index, node.secret, node.get_script().resource_path, str(node.tint)]
	root.free()
	return answer
"""


def test_a_blob_sets_nothing_but_exported_variables_of_a_fitting_type(
    godot: Godot, project: LiveProject
) -> None:
    variables = {
        "gold": [4, "many"],
        "locked": [2, 1],
        "kind": [3, 2.0],
        "note": [21, "name"],
        "visible": [1, False],
        "z_index": [2, 9],
        "secret": [2, 9],
        "script": [4, "res://things/guards/guard.gd"],
        "tint": [4, "#ff0000"],
        "position:x": [3, 5.0],
    }
    nodes = [
        [-1, "Node2D", "crypt", (), {}, {}, {}],
        [0, "SceneInstance", "a", (), {"variables": variables}, {"scene": 0}, {}],
    ]
    value = {
        "format": 2,
        "script": "",
        "tile_size": 16,
        "resources": [["PackedScene", SCENES["chest"]]],
        "nodes": nodes,
    }
    plain = exporter.write_blob(Level("crypt", 8, 8))
    blob = with_chunk(plain, Chunk("gdsc", 0, packed(value)))
    arguments = {"scene": SCENES["chest"], "blob": base64.b64encode(blob).decode()}
    answer = godot.query(project.game, FOREIGN, arguments)
    chest = "res://things/chests/chest.gd"
    tint = "(0.8549, 0.6471, 0.1255, 1.0)"
    assert answer == ["", SCENES["chest"], 12, True, 2, "name", True, 2, 3, chest, tint]


def test_classes_of_nodes_are_those_of_the_engine(godot: Godot, project: LiveProject) -> None:
    script = """
func query(_a):
	var answers = {"Node": false}
	for name in ClassDB.get_inheriters_from_class("Node"):
		if ClassDB.class_get_api_type(name) == ClassDB.API_CORE:
			answers[name] = (
				ClassDB.is_parent_class(name, "Node2D") or ClassDB.is_parent_class(name, "Control"))
	return answers
"""
    answers: dict[str, bool] = godot.query(project.game, script)
    assert len(answers) > 200
    for name, placed in answers.items():
        assert is_engine_class(name), name
        assert has_no_position(name) != placed, name


MAIN = """\
[gd_scene load_steps=3 format=3]

[ext_resource type="PackedScene" path="res://levels/crypt.tscn" id="1"]
[ext_resource type="PackedScene" path="res://levels/crypt.lvb" id="2"]
[ext_resource type="Script" path="res://main.gd" id="3"]

[node name="Main" type="Node2D"]
script = ExtResource("3")

[node name="Scene" parent="." instance=ExtResource("1")]

[node name="Blob" parent="." instance=ExtResource("2")]
"""
MAIN_SCRIPT = """\
extends Node2D

var swapped := 0


func _ready() -> void:
	var live := get_node("/root/LevelExporterLive")
	live.level_swapped.connect(func(_level: Node) -> void: swapped += 1)
	for level in get_children():
		# One chest is opened, one is taken, one guard is hurt.
		level.get_node("objects/chest_1").locked = false
		level.get_node("objects/chest_1/Reach/Shape").shape.size = Vector2(1, 2)
		level.get_node("objects/chest_2").free()
		level.get_node("objects/sign").text = "read"
		level.get_node("objects/sign").set_meta("times", 1)
"""
LIVE = """
var found := {"swapped": driver.get_node("/root/Main").swapped}
for name in ["Scene", "Blob"]:
	var things := {}
	for node in driver.get_node("/root/Main/" + name + "/objects").get_children():
		var seen := {"number": node.get_instance_id(), "scene": node.scene_file_path,
			"cell": str(node.get_meta("cell")), "owned": node.owner == node.get_parent().owner}
		if "position" in node:
			seen["position"] = str(node.position)
		for key in ["gold", "locked", "speed", "text"]:
			if key in node:
				seen[key] = str(node.get(key))
		if node.has_node("Reach/Shape"):
			seen["reach"] = str(node.get_node("Reach/Shape").shape.size)
		things[str(node.name)] = seen
	found[name] = things
return found
"""


@pytest.fixture
def game(godot: Godot, project: LiveProject) -> Iterator[Driven]:
    (project.game / "main.tscn").write_text(MAIN)
    (project.game / "main.gd").write_text(MAIN_SCRIPT)
    with driven(godot, project.game, "res://main.tscn") as running:
        running.run(LIVE)
        yield running
    assert errors_in(running.output) == []


def until_swapped(game: Driven, count: int) -> dict[str, Any]:
    game.until('return driver.get_node("/root/Main").swapped', count)
    state: dict[str, Any] = game.run(LIVE)
    return state


def test_a_running_game_moves_things_and_keeps_what_became_of_them(
    game: Driven, project: LiveProject
) -> None:
    before = game.run(LIVE)
    try:
        project.write(SPEC.format(seed=2).replace("gold: 50", "gold: 51"))
        project.export()
        after = until_swapped(game, 2)
        for level in ("Scene", "Blob"):
            old, new = before[level], after[level]
            # The chest that the game has freed is another one in another cell.
            assert sorted(new) == sorted([*old, "chest_2"])
            for name, thing in new.items():
                if name == "chest_2":
                    continue
                assert thing["number"] == old[name]["number"], name
                assert thing["owned"], name
            assert new["chest_1"]["position"] != old["chest_1"]["position"]
            assert new["chest_1"]["locked"] == "false"
            assert new["chest_1"]["reach"] == "(1.0, 2.0)"
            assert new["sign"]["position"] != old["sign"]["position"]
            assert new["sign"]["text"] == "read"
            assert (old["iron"]["gold"], new["iron"]["gold"]) == ("50", "51")
        # Another scene for a thing is another thing; a scene that comes takes the marker's place.
        scenes = scenes_option().replace(SCENES["iron"], SCENES["chest"])
        project.target(f", scenes: {scenes.replace('ghost.tscn', 'sign.tscn')}")
        project.export()
        last = until_swapped(game, 4)
        for level in ("Scene", "Blob"):
            old, new = after[level], last[level]
            changed = {name for name in new if new[name]["number"] != old[name]["number"]}
            assert changed == {"iron", "ghost"}
            assert new["iron"]["scene"] == SCENES["chest"]
            assert new["iron"]["position"] == old["iron"]["position"]
            assert new["ghost"]["scene"] == SCENES["sign"]
            assert list(new) == list(old)
    finally:
        project.target(f", scenes: {scenes_option()}")
        project.write(SPEC.format(seed=1))
        project.export()
