"""The GDScript of the pages: all of it runs in real Godot, in one process."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine_harness import Godot
from engine_harness.folders import copy_addon
from exporter.cli.main import main
from page_snippets import Snippet, snippets
from snippet_gdscript import GAME, script_of
from snippet_rules import runner_of
from snippet_runners import GDScript

# Each script has its own node in the tree, since the levels of two would overlap.
QUERY = """
func query(paths: Array) -> Variant:
	var found := {}
	await (Engine.get_main_loop() as SceneTree).process_frame  # nodes are in the tree from then on
	for path: String in paths:
		found[path] = await result_of(path)
	return found

func result_of(path: String) -> Variant:
	var script: GDScript = load(path)
	if script == null or not script.can_instantiate():
		return "does not compile"
	var root := (Engine.get_main_loop() as SceneTree).root
	var before := root.get_children()
	var node: Node = script.new()
	var result: Variant = await node.test(root)
	for child in root.get_children():
		if child not in before:
			root.remove_child(child)
			child.queue_free()
	if is_instance_valid(node) and not node.is_queued_for_deletion():
		node.queue_free()
	return result
"""


@pytest.fixture(scope="module")
def game(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = godot.new_project(tmp_path_factory.mktemp("pages"))
    copy_addon(folder)
    for path, text in GAME.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    assert main(["export", str(folder)]) == 0
    godot.import_project(folder)
    return folder


def test_the_gdscript_of_the_pages_does_what_they_say(godot: Godot, game: Path) -> None:
    scripts: dict[str, Snippet] = {}
    for snippet in snippets():
        rule = runner_of(snippet)
        if isinstance(rule, GDScript):
            path = f"res://snippet_{len(scripts)}.gd"
            (game / path.removeprefix("res://")).write_text(
                script_of(snippet.text, rule), encoding="utf-8"
            )
            scripts[path] = snippet
    assert len(scripts) >= 12
    results, output = godot.query_with_output(game, QUERY, list(scripts))
    wrong = {str(scripts[path]): result for path, result in results.items() if result is not True}
    assert wrong == {}, output
    assert "SCRIPT ERROR" not in output, output
