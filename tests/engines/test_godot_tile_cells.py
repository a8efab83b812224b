"""Tiles that are scenes, and paths over water, in real Godot: through both doors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cases import each_case
from engine_harness import Godot
from engine_harness.live_project import LiveProject, new_live_project
from engine_harness.object_scenes import SCENES, write_things
from exporter.cli.main import main

DOORS = ("res://levels/crypt.tscn", "res://levels/crypt.lvb")
SPEC = """\
size: [14, 5]
layers:
  plan: {generator: blank, role: none}
  ground:
    generator: stamp
    of: plan
    at: [[0, 0]]
    art: |
      ##############
      #..+..~~~~~~~#
      #..#..~~~~~~~#
      #..+..~~~~~~~#
      ##############
"""
LOOK = """
extends RefCounted

const PaintedCells := preload("res://addons/level_exporter/editor/painted_cells.gd")


func query(arguments: Dictionary) -> Dictionary:
	var tree: SceneTree = Engine.get_main_loop()
	var root: Node = (load(arguments["scene"]) as PackedScene).instantiate()
	tree.root.add_child.call_deferred(root)
	await tree.process_frame
	var things := []
	for node in root.get_node("objects").get_children():
		things.append([
			node.name, node.scene_file_path, str(node.position), node.is_in_group("door"),
			str(node.get_meta("object")), str(node.get_meta("cell")), node.gold,
		])
	var found := {"things": things}
	if root.has_node("ground"):
		found["seen"] = root.get_node("ground").get_used_cells().size()
		PaintedCells.write(PaintedCells.painted(root), PaintedCells.state_folder())
	var query := NavigationPathQueryParameters2D.new()
	var result := NavigationPathQueryResult2D.new()
	query.map = root.get_world_2d().navigation_map
	var ways := {}
	for frame in 300:
		await tree.physics_frame
		for layers in [1, 2]:
			query.navigation_layers = layers
			query.start_position = Vector2(7.5 * 16, 1.5 * 16)
			query.target_position = Vector2(11.5 * 16, 3.5 * 16)
			NavigationServer2D.query_path(query, result)
			var there: bool = (
				result.path.size() > 1 and result.path[-1].distance_to(query.target_position) < 0.01
			)
			ways[str(layers)] = there
		if ways["2"]:
			break
	found["ways"] = ways
	root.free()
	return found
"""


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> LiveProject:
    result = new_live_project(godot, tmp_path_factory.mktemp("tiles"))
    write_things(result.game)
    result.write(SPEC)
    return result


def look(godot: Godot, project: LiveProject, options: str, scene: str) -> Any:
    scenes = "{door: " + SCENES["chest"] + "}"
    project.target(f", scenes: {scenes}, navigation_layers: {{water: 2}}{options}")
    project.export()
    godot.import_project(project.game)
    return godot.query(project.game, LOOK, {"scene": scene}, allow_warnings=False)


@each_case(
    "scene, options",
    [(scene, more) for scene in DOORS for more in ("", ", chunks: always, agent_radius: 0")],
)
def test_doors_are_scenes_and_boats_have_paths(
    godot: Godot, project: LiveProject, scene: str, options: str
) -> None:
    found = look(godot, project, options, scene)
    assert found["things"] == [
        [f"door_{number}", SCENES["chest"], f"(56.0, {y}.0)", True, "door", f"(3, {row})", 12]
        for number, (row, y) in enumerate(((1, 24), (3, 56)), 1)
    ]
    assert found["ways"] == {"1": False, "2": True}


def test_cells_of_scenes_have_no_picture_and_are_not_erased(
    godot: Godot,
    project: LiveProject,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = look(godot, project, "", DOORS[0])
    assert found["seen"] == 14 * 5 - 2
    monkeypatch.chdir(project.root)
    assert main(["edits", "take", "--json"]) == 0
    (level,) = json.loads(capsys.readouterr().out)["levels"]
    assert (level["cells"], level["errors"]) == (0, [])
