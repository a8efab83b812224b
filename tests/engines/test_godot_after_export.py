"""A script of the game that gets every exported level, in real Godot."""

from __future__ import annotations

import pytest

from engine_harness import Godot
from engine_harness.live_project import new_live_project

HOOK = """@tool
extends RefCounted


func after_export(root: Node) -> void:
	var sign := Label.new()
	sign.name = "Sign"
	root.add_child(sign)
	sign.text = "%s: %d" % [root.get_meta("level"), root.get_node("objects").get_child_count()]
	root.get_node("ground").modulate = Color.RED
"""
LOOK = """
func query(path):
	var root = load(path).instantiate()
	Engine.get_main_loop().root.add_child(root)
	await Engine.get_main_loop().process_frame
	var answer = [root.get_node("Sign").text, str(root.get_node("ground").modulate)]
	answer.append(root.find_children("Sign*", "", true, false).size())
	root.free()
	return answer
"""


@pytest.mark.parametrize("chunks", ["auto", "always"])
def test_a_script_of_the_game_gets_the_level_through_both_doors(
    godot: Godot, tmp_path_factory: pytest.TempPathFactory, chunks: str
) -> None:
    project = new_live_project(godot, tmp_path_factory.mktemp("hook"))
    (project.game / "tools").mkdir()
    # The editor of the tests goes from game to game, and keeps scripts by their paths.
    hook = project.game / "tools" / f"{chunks}.gd"
    hook.write_text(HOOK if chunks == "auto" else HOOK.replace('root.get_node("ground")', "root"))
    project.target(f", chunks: {chunks}, after_export: res://tools/{chunks}.gd")
    project.write(
        "size: [20, 12]\nseed: 1\nlayers: {ground: {generator: cellular_caves}}\n"
        "objects: [{name: chest, count: 2}]\n"
    )
    project.export()
    godot.import_project(project.game)
    look = LOOK if chunks == "auto" else LOOK.replace('root.get_node("ground")', "root")
    for ending in ("tscn", "lvb"):
        answer = godot.query(project.game, look, f"res://levels/crypt.{ending}")
        assert answer == ["crypt: 2", "(1.0, 0.0, 0.0, 1.0)", 1]


LATER_EXPORT = """@tool
extends RefCounted


func after_export(root: Node) -> void:
	if root.get_meta("level") == "crypt":
		var folder := "res://levels/"
		var bytes := FileAccess.get_file_as_bytes(folder + "annex.lvb")
		FileAccess.open(folder + "crypt.lvb", FileAccess.WRITE).store_buffer(bytes)
"""


def test_a_blob_that_changes_while_it_is_imported_is_imported_again(
    godot: Godot, tmp_path_factory: pytest.TempPathFactory
) -> None:
    project = new_live_project(godot, tmp_path_factory.mktemp("later"))
    (project.game / "later.gd").write_text(LATER_EXPORT)
    project.target(", chunks: never, after_export: res://later.gd")
    for name in ("crypt", "annex"):
        project.write("size: [9, 9]\nlayers: {ground: {generator: cellular_caves}}\n", name)
    project.export()
    godot.import_project(project.game)
    look = "func query(path): return load(path).instantiate().get_meta('level')"
    assert godot.query(project.game, look, "res://levels/crypt.lvb") == "annex"
