"""Objects from a table in real engines: nodes have the values of their rows and their scenes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import exporter
from command_line import run
from engine_harness import Godot
from engine_harness.live_project import LiveProject, new_live_project
from exporter.model.level import Level

SPEC = """\
size: [60, 40]
seed: 4
layers:
  ground: {generator: bsp_rooms}
objects:
  - {name: start}
  - {name: exit, far_from: start}
  - name: monster
    spawn: {table: monsters, budget: [9, 18], along: [start, exit]}
    properties: {faction: cellar}
tables:
  monsters:
    columns:
      {name: text, danger: integer, weight: integer, hp: integer, speed: number, boss: "boolean?"}
    rows:
      - [rat, 1, 6, 3, 1.5, null]
      - [ogre, 5, 3, 20, 0.5, false]
      - [dragon, 9, 3, 90, 0.25, true]
"""
SCENE = """\
[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://{name}.gd" id="1"]

[node name="{title}" type="Node2D"]
script = ExtResource("1")
"""
SCRIPT = (
    "extends Node2D\n\n@export var hp := 1\n@export var speed := 1.0\n@export var weight := 7\n"
)
DOORS = ("res://levels/crypt.tscn", "res://levels/crypt.lvb")
THINGS = """
func query(paths):
	var answers = {}
	for path in paths:
		var root = load(path).instantiate()
		var things = {}
		for node in root.get_node("objects").get_children():
			var seen = {"scene": node.scene_file_path, "class": node.get_class()}
			for key in node.get_meta_list():
				seen[str(key)] = var_to_str(node.get_meta(key))
			for key in ["hp", "speed", "weight"]:
				if key in node:
					seen["own " + key] = var_to_str(node.get(key))
			things[node.get_meta("id")] = seen
		answers[path] = things
		root.free()
	return answers
"""


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> LiveProject:
    result = new_live_project(godot, tmp_path_factory.mktemp("spawned"))
    for name in ("beast", "ogre"):
        (result.game / f"{name}.tscn").write_text(SCENE.format(name=name, title=name.title()))
        (result.game / f"{name}.gd").write_text(SCRIPT)
    result.target(", scenes: {monster: 'res://beast.tscn', monster/ogre: 'res://ogre.tscn'}")
    result.write(SPEC)
    result.export()
    godot.import_project(result.game)
    return result


@pytest.fixture(scope="module")
def level(project: LiveProject) -> Level:
    return exporter.read_blob((project.game / "levels" / "crypt.lvb").read_bytes())


def test_nodes_have_the_values_of_their_rows_and_the_scene_of_their_kind(
    godot: Godot, project: LiveProject, level: Level
) -> None:
    answer: dict[str, Any] = godot.query(project.game, THINGS, DOORS)
    kinds = set()
    for path in DOORS:
        things = answer[path]
        assert len(things) == len(level.objects)
        for item in level.objects:
            seen = things[str(item.id)]
            if item.name != "monster":
                assert (seen["class"], seen["scene"]) == ("Marker2D", "")
                continue
            row = item.properties
            kinds.add(row["name"])
            scene = "ogre" if row["name"] == "ogre" else "beast"
            assert seen["scene"] == f"res://{scene}.tscn"
            assert seen["object"] == '"monster"'
            assert seen["name"] == json.dumps(row["name"])
            assert int(seen["hp"]) == int(seen["own hp"]) == row["hp"]
            assert float(seen["speed"]) == float(seen["own speed"]) == row["speed"]
            assert int(seen["danger"]) == row["danger"]
            assert seen["faction"] == '"cellar"'
            assert seen.get("boss") == (json.dumps(row["boss"]) if "boss" in row else None)
            # A weight is only for the drawing: it is no property that could set a variable.
            assert "weight" not in seen
            assert seen["own weight"] == "7"
    assert kinds == {"rat", "ogre", "dragon"}


def test_maps_of_tiled_have_the_values_of_their_rows(tmp_path: Path) -> None:
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "crypt.level.yaml").write_text(SPEC)
    (tmp_path / "exporter.yaml").write_text(
        "levels: levels/*.level.yaml\ntargets:\n  tiled: {path: tiled}\n  unity: {path: unity}\n"
    )
    run("export", tmp_path).check_returncode()
    level = exporter.read_blob((tmp_path / "unity" / "crypt.lvb").read_bytes())
    drawn = json.loads((tmp_path / "tiled" / "crypt.tmj").read_text())
    things = {
        thing["id"]: {item["name"]: item["value"] for item in thing.get("properties", [])}
        for layer in drawn["layers"]
        if layer["name"] == "objects"
        for thing in layer["objects"]
    }
    assert things == {item.id: dict(item.properties) for item in level.objects}
    assert {item.properties["name"] for item in level.objects if item.name == "monster"} == {
        "rat",
        "ogre",
        "dragon",
    }
