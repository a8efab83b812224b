"""Scenes of a game in a whole export: positions of problems, and stale levels."""

from __future__ import annotations

from pathlib import Path

import pytest

from small_game import Game

SCENE = """\
[gd_scene format=3 uid="uid://chest"]
[ext_resource type="Script" path="res://chest.gd" id="1"]
[node name="Chest" type="Node2D"]
script = ExtResource("1")
"""
OBJECTS = """\
objects:
  - {{name: stairs}}
  - name: {name}
    properties:
      gold: {gold}
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    result = Game(tmp_path)
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "project.godot").write_text("config_version=5\n")
    result.settings(
        "targets:\n"
        "  godot:\n"
        "    path: game/levels\n"
        "    scenes:\n"
        "      chest: res://chest.tscn\n"
        "      door: user://door.tscn\n"
    )
    result.write("plain")
    result.write("chests", more=OBJECTS.format(name="chest", gold="much"))
    return result


def scene_of(game: Game, name: str) -> str:
    return (game.root / "game" / "levels" / f"{name}.tscn").read_text()


def test_a_wrong_type_is_reported_in_the_spec_and_other_levels_are_exported(game: Game) -> None:
    (game.root / "game" / "chest.tscn").write_text(SCENE)
    (game.root / "game" / "chest.gd").write_text("@export var gold := 1\n@export var open := true")
    with game.spec("chests").open("a") as stream:
        stream.write("      open: 3\n")
    results = game.export()
    problem, other = results["chests"].problems
    assert (other.line, other.column) == (9, 13)
    assert problem.file is not None
    assert problem.file.endswith("chests.level.yaml")
    assert (problem.line, problem.column) == (8, 13)
    assert "'gold' is text, but the variable of this name in res://chest.gd" in problem.message
    assert results["plain"].status == "built"


def test_a_path_out_of_the_game_is_reported_in_the_settings(game: Game) -> None:
    game.write("chests", more=OBJECTS.format(name="door", gold=1))
    results = game.export()
    (problem,) = results["chests"].problems
    assert problem.file is not None
    assert problem.file.endswith("exporter.yaml")
    assert problem.line == 6
    assert "'user://door.tscn' is not a path in the game" in problem.message
    assert results["plain"].status == "built"


def test_a_missing_scene_is_reported_in_the_settings_until_it_comes(game: Game) -> None:
    results = game.export()
    (warning,) = results["chests"].warnings
    assert warning.file is not None
    assert (warning.file.rpartition("/")[2], warning.line) == ("exporter.yaml", 5)
    assert results["plain"].warnings == ()
    (again,) = game.export()["chests"].warnings
    assert (again.file, again.line, again.column) == (warning.file, warning.line, warning.column)
    assert '[node name="chest" type="Marker2D"' in scene_of(game, "chests")
    (game.root / "game" / "chest.tscn").write_text(SCENE)
    results = game.export()
    # The widest scene decides how far paths keep from walls, in every level.
    assert (results["chests"].status, results["plain"].status) == ("built", "built")
    assert results["chests"].warnings == ()
    assert "instance=ExtResource" in scene_of(game, "chests")
    assert "\ngold" not in scene_of(game, "chests")
    # The script that was looked for in vain is there now.
    (game.root / "game" / "chest.gd").write_text("extends Thing\n@export var gold: String\n")
    results = game.export()
    assert results["chests"].status == "built"
    assert '\ngold = "much"\n' in scene_of(game, "chests")
    # And the file of its base.
    (game.root / "game" / "thing.gd").write_text("class_name Thing\nextends Node2D\n")
    assert game.export()["chests"].status == "built"
    assert game.export()["chests"].status == "unchanged"


def test_a_remembered_result_still_depends_on_files_that_are_missing(game: Game) -> None:
    game.export()
    spec = game.spec("chests")
    spec.write_text(f"# another text, the same level\n{spec.read_text()}")
    results = game.export()
    assert (results["chests"].status, results["chests"].problems) == ("built", ())
    (game.root / "game" / "chest.tscn").write_text(SCENE)
    assert game.export()["chests"].status == "built"
    assert "instance=ExtResource" in scene_of(game, "chests")
