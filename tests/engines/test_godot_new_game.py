"""The game that `exporter init` begins in an empty folder runs in Godot as it is."""

from __future__ import annotations

from pathlib import Path

from cases import each_case
from command_line import run
from engine_harness import Godot

WALK = """\
extends RefCounted


func query(_arguments: Variant) -> Dictionary:
	var tree := Engine.get_main_loop() as SceneTree
	var main: Node = (load("res://main.tscn") as PackedScene).instantiate()
	tree.root.add_child(main)
	var hero: Node2D = main.get_node("Hero")
	var ground: TileMapLayer = main.get_node("Level/ground")
	await tree.physics_frame
	var before := hero.position
	var reached := 0.0
	for side: String in ["ui_left", "ui_right", "ui_up", "ui_down"]:
		Input.action_press(side)
		for frame in 30:
			await tree.physics_frame
		Input.action_release(side)
		reached = maxf(reached, hero.position.distance_to(before))
	var starts := tree.get_nodes_in_group("start")
	var tile := ground.get_cell_tile_data(ground.local_to_map(hero.position))
	return {
		"at_start": starts.is_empty() or before.distance_to(starts[0].position) < 1.0,
		"walks": reached > 8.0,
		"stays_on_floor": tile.get_custom_data("walkable"),
		"live": tree.root.has_node("LevelExporterLive"),
	}
"""


@each_case("template", ["", "rooms"])
def test_a_new_game_shows_its_level_and_a_hero_that_walks(
    template: str, godot: Godot, tmp_path: Path
) -> None:
    game = tmp_path / "my-game"
    assert run("init", game, *(["--template", template] if template else [])).returncode == 0
    godot.import_project(game, first_start=True)
    answer = godot.query(game, WALK, allow_warnings=False)
    assert answer == {"at_start": True, "walks": True, "stays_on_floor": True, "live": True}
