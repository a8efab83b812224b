"""Scenes that are open in the Godot editor show the last export of a level."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine_harness import Godot
from engine_harness.driven import Driven, driven
from engine_harness.godot import errors_in
from engine_harness.live_project import LEVEL, LiveProject, new_live_project

SCENES = ("levels/crypt.tscn", "child.tscn", "instancing.tscn", "outer.tscn", "blob_child.tscn")

OPEN = """
for scene in {scenes}:
	var path: String = "res://" + scene
	for attempt in 200:
		var edited := EditorInterface.get_edited_scene_root()
		if edited != null and edited.scene_file_path == path:
			break
		EditorInterface.open_scene_from_path(path)  # dropped while the editor is busy
		await driver.get_tree().create_timer(0.2).timeout
return EditorInterface.get_edited_scene_root().scene_file_path
"""
# Where the chests are: by the file on disk, and in every open scene.
CHESTS = """
var chests := func(root: Node) -> String:
	var found := []
	for marker in root.find_children("chest*", "Marker2D", true, false):
		found.append(str(marker.position))
	found.sort()
	return " ".join(found)
var result := {"tabs": []}
for root in EditorInterface.get_open_scene_roots():
	result[root.scene_file_path] = chests.call(root)
for tabs in EditorInterface.get_base_control().find_children("*", "EditorSceneTabs", true, false):
	for bar in tabs.find_children("*", "TabBar", true, false):
		for tab in bar.tab_count:
			result["tabs"].append(bar.get_tab_title(tab))
		break
var path := "res://levels/crypt.tscn"
var fresh = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE).instantiate()
result["disk"] = chests.call(fresh)
fresh.free()
return result
"""
MOVE = """
var root := EditorInterface.get_edited_scene_root()
var changes := EditorInterface.get_editor_undo_redo()
changes.create_action("Move")
changes.add_do_property(root, "position", Vector2(7, 8))
changes.add_undo_property(root, "position", Vector2())
changes.commit_action()
for i in 20:
	await driver.get_tree().process_frame
return root.scene_file_path
"""
DOCK = """
for panel in EditorInterface.get_base_control().find_children("Levels", "", true, false):
	if panel.has_method("show_held_back"):
		var label: Label = panel.get_child(1)
		return label.text if label.visible else ""
return null
"""
MESSAGE = DOCK.replace("var label: Label = panel.get_child(1)", "var label: Label = panel._message")
# The data of the sheet in every open scene: its margins in the TileSet, and the size of its
# picture. (Without a screen Godot keeps the pixels of the first one.)
SHEETS = """
var result := {}
for root in EditorInterface.get_open_scene_roots():
	var layer: TileMapLayer = root.find_children("ground", "TileMapLayer", true, false)[0]
	var source: TileSetAtlasSource = layer.tile_set.get_source(0)
	result[root.scene_file_path] = [source.margins.x, str(source.texture.get_size())]
var drawn := Image.load_from_file(ProjectSettings.globalize_path("res://levels/crypt.tileset.png"))
result["disk"] = str(Vector2(drawn.get_size()))
return result
"""
# The addon looks at the status, or does not.
WATCHING = """
for node in driver.get_tree().root.find_children("*", "EditorPlugin", true, false):
	for child in node.get_children():
		if child.has_signal("changed") and "SECONDS" in child:
			child.set_process(%s)
			return true
return false
"""

# The editor's type of a file; nothing if it does not know it, or has not imported it.
KNOWN = """func(path: String) -> String:
	var files := EditorInterface.get_resource_filesystem()
	return files.get_file_type(path) if not files.is_scanning() else "scanning"
"""
TYPES = ["PackedScene", "PackedScene", "TileSet"]
EDITED = "return EditorInterface.get_edited_scene_root().scene_file_path"
TABS = """
for tabs in EditorInterface.get_base_control().find_children("*", "EditorSceneTabs", true, false):
	for bar in tabs.find_children("*", "TabBar", true, false):
		return range(bar.tab_count).map(func(tab): return bar.get_tab_title(tab))
return []
"""


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> LiveProject:
    result = new_live_project(godot, tmp_path_factory.mktemp("open_scenes"))
    result.add_scenes()
    godot.import_project(result.game)
    return result


@pytest.fixture(scope="module")
def opened(godot: Godot, project: LiveProject) -> Iterator[Driven]:
    with driven(godot, project.game, "--editor") as running:
        go_to(running, *SCENES)
        yield running


@pytest.fixture
def editor(opened: Driven, project: LiveProject) -> Iterator[Driven]:
    """The editor with all scenes open and nothing unsaved, which reports no error meanwhile."""
    project.target("")
    (project.root / "levels" / "annex.level.yaml").unlink(missing_ok=True)
    project.export(seed=1)
    project.add_scenes()
    for scene in SCENES:
        go_to(opened, scene)
        opened.run(f'EditorInterface.reload_scene_from_path("res://{scene}")\nreturn null')
    opened.until(TABS, [Path(scene).stem for scene in SCENES])
    printed = len(opened.output)
    yield opened
    # The picture of a saved scene needs a screen, and that of a deleted level needs its files.
    expected = ('Parameter "t" is null.', "res://levels/vault.")
    result = errors_in(opened.output[printed:])
    assert [line for line in result if not any(part in line for part in expected)] == []


def types_of(level: str) -> str:
    """Return a script that prints the editor's resource types of a level's files."""
    files = [f'"res://levels/{level}.{suffix}"' for suffix in ("tscn", "lvb", "tileset.tres")]
    return f"return [{', '.join(files)}].map({KNOWN})"


def wait_until_displayed(editor: Driven, scenes: tuple[str, ...]) -> dict[str, Any]:
    """Wait until these scenes show the state on disk."""
    expected = [f"res://{scene}" for scene in scenes]
    last: dict[str, Any] = {}
    for _ in range(600):
        last = editor.run(CHESTS)
        # While the editor loads a scene again, it is not among the open ones.
        if all(last.get(scene) == last["disk"] for scene in expected):
            return last
    pytest.fail(f"{last}\n{editor.output}")


def wait_for_sheets(editor: Driven, margin: int) -> dict[str, Any]:
    """Wait until all scenes show the sheet on disk by a TileSet with these margins."""
    last: dict[str, Any] = {}
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        last = editor.run(SHEETS)
        if all(last.get(f"res://{scene}") == [margin, last["disk"]] for scene in SCENES):
            return last
    pytest.fail(f"{last}\n{editor.output}")


def go_to(editor: Driven, *scenes: str) -> None:
    listed = ", ".join(f'"{scene}"' for scene in scenes)
    assert editor.run(OPEN.format(scenes=f"[{listed}]")) == f"res://{scenes[-1]}"


def test_open_scenes_show_what_was_exported(editor: Driven, project: LiveProject) -> None:
    before = wait_until_displayed(editor, SCENES)
    go_to(editor, "child.tscn")
    for seed in (11, 12):
        project.export(seed=seed)
        after = wait_until_displayed(editor, SCENES)
        assert after["disk"] != before["disk"]
        # Nothing looks as if the user had changed it, and the tabs stand where they stood.
        editor.until(TABS, [Path(scene).stem for scene in SCENES])
        editor.until(EDITED, "res://child.tscn")
        before = after


def test_changes_that_are_not_displayed_are_not_lost(editor: Driven, project: LiveProject) -> None:
    go_to(editor, "child.tscn")
    assert editor.run(MOVE) == "res://child.tscn"
    go_to(editor, "levels/crypt.tscn")
    project.export(seed=31)
    wait_until_displayed(editor, ("levels/crypt.tscn", "instancing.tscn", "outer.tscn"))
    # The editor merges new nodes into the scene when its tab is shown.
    go_to(editor, "child.tscn")
    displayed = wait_until_displayed(editor, SCENES)
    editor.until(DOCK, "")
    assert "child(*)" in displayed["tabs"]
    root = "EditorInterface.get_edited_scene_root()"
    assert editor.run(f"return str({root}.position)") == "(7.0, 8.0)"


def test_a_scene_with_unsaved_changes_waits_until_they_are_saved(
    editor: Driven, project: LiveProject
) -> None:
    before = wait_until_displayed(editor, SCENES)
    tile_set = project.game / "levels" / "crypt.tileset.tres"
    written = tile_set.read_bytes()
    go_to(editor, "child.tscn")
    assert editor.run(MOVE) == "res://child.tscn"
    message = "res://child.tscn has unsaved changes and shows an older level until they are saved"
    warned = editor.output.count(f"Level Exporter: {message}")
    project.export(seed=21)
    editor.until(DOCK, f"{message}.")
    after = editor.run(CHESTS)
    assert after["res://child.tscn"] == before["disk"] != after["disk"]
    assert "child(*)" in after["tabs"]
    assert editor.output.count(f"Level Exporter: {message}") == warned + 1
    saved = editor.run("return EditorInterface.save_scene()")
    assert saved == 0
    wait_until_displayed(editor, SCENES)
    editor.until(DOCK, "")
    editor.until(EDITED, "res://child.tscn")
    # The user's changes are saved, and nothing of the level, which later exports must reach.
    text = (project.game / "child.tscn").read_text(encoding="utf-8")
    assert "position = Vector2(7, 8)" in text
    assert "modulate = Color(1, 0.5, 0.5, 1)" in text
    assert "tile_map_data" not in text
    assert "chest" not in text
    # Godot would save the TileSet, too, and later exports would keep it.
    assert tile_set.read_bytes() == written


def test_cells_that_hide_those_of_later_exports_are_mentioned(
    editor: Driven, project: LiveProject
) -> None:
    child = project.game / "child.tscn"
    child.write_text(child.read_text() + "tile_map_data = PackedByteArray(0, 0)\n")
    editor.run('EditorInterface.reload_scene_from_path("res://child.tscn")\nreturn null')
    go_to(editor, "outer.tscn")
    message = (
        "Level Exporter: child.tscn has cells of its own in the layer ground, and does not show "
        "those of later exports (Keep Painted Cells takes them into the level; or revert "
        "`tile_map_data` of the layer)"
    )
    go_to(editor, "child.tscn")
    editor.until(MESSAGE, message)
    # Once for each export.
    go_to(editor, "outer.tscn", "child.tscn")
    assert editor.output.count(message) == 1
    project.export(seed=41)
    deadline = time.monotonic() + 30
    while editor.output.count(message) < 2 and time.monotonic() < deadline:
        editor.run("return null")
    assert editor.output.count(message) == 2


def test_open_scenes_show_another_sheet_and_tile_set(editor: Driven, project: LiveProject) -> None:
    before = wait_for_sheets(editor, 0)
    project.target(", extrude: 1")
    project.export()
    after = wait_for_sheets(editor, 1)
    assert before["disk"] != after["disk"]


def test_files_of_one_second_are_not_missed(editor: Driven, project: LiveProject) -> None:
    before = wait_until_displayed(editor, SCENES)
    wait_for_sheets(editor, 0)
    assert editor.run(WATCHING % "false") is True
    files = [path for path in (project.game / "levels").iterdir() if path.is_file()]
    times = {path: path.stat() for path in files}
    project.target(", extrude: 1")
    project.export(seed=41)
    for path, was in times.items():
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert editor.run(WATCHING % "true") is True
    wait_for_sheets(editor, 1)
    assert wait_until_displayed(editor, SCENES)["disk"] != before["disk"]


def test_new_files_of_one_second_are_not_missed(editor: Driven, project: LiveProject) -> None:
    folder = project.game / "levels"
    spec = project.root / "levels" / "annex.level.yaml"
    ask = types_of("annex")
    for written, expected in ((True, TYPES), (False, ["", "", ""])):
        assert editor.run(WATCHING % "false") is True
        was = folder.stat()
        project.write(LEVEL.format(seed=61), "annex") if written else spec.unlink()
        project.export()
        os.utime(folder, ns=(was.st_atime_ns, was.st_mtime_ns))
        assert editor.run(WATCHING % "true") is True
        editor.until(ask, expected)
        imported = (project.game / ".godot" / "imported").glob("annex.lvb-*.scn")
        assert not written or any(imported)


def test_a_scene_that_was_removed_meanwhile_is_displayed_again(
    editor: Driven, project: LiveProject
) -> None:
    wait_until_displayed(editor, SCENES)
    go_to(editor, "levels/crypt.tscn")
    spec = project.root / "levels" / "crypt.level.yaml"
    spec.rename(spec.with_name("vault.level.yaml"))
    project.export()
    # Godot takes a scene without a file for one that is not saved.
    unsaved = [Path(scene).stem for scene in SCENES]
    editor.until(TABS, ["crypt(*)", *unsaved[1:]])
    editor.until(types_of("vault"), TYPES)
    spec.with_name("vault.level.yaml").rename(spec)
    project.export(seed=51)
    displayed = wait_until_displayed(editor, SCENES)
    assert displayed["tabs"] == unsaved
    editor.until(DOCK, "")
