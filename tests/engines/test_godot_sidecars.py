"""Real Godot completes `.import` files: that is no edit, and renamed scenes keep their uids."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from edited_outputs import ThreeEngines
from engine_harness import Godot
from engine_harness.godot import READ_SCENE
from exporter.export.clean import clean_project
from silent_reporter import SilentReporter

SETTINGS = "targets:\n  godot: {path: game/levels}\n"
UID = re.compile(r'uid="(uid://[a-z0-9]+)"')
SIDECAR = "game/levels/a.ground.png.import"


@pytest.fixture(scope="module")
def imported(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> ThreeEngines:
    """Two levels, exported into a game and imported by Godot."""
    three_engines = ThreeEngines(tmp_path_factory.mktemp("sidecars") / "project")
    three_engines.settings(SETTINGS)
    godot.new_project(three_engines.root / "game")
    three_engines.write("a")
    three_engines.write("b")
    three_engines.export()
    godot.import_project(three_engines.root / "game")
    return three_engines


@pytest.fixture
def game(imported: ThreeEngines, tmp_path: Path) -> ThreeEngines:
    """A copy of the imported game."""
    copy = imported.copied(tmp_path / "project")
    copy.export()  # the copy's folders differ from the noted ones
    return copy


def outputs(game: ThreeEngines, level: str) -> dict[str, str]:
    """Return the texts of a level's files."""
    folder = game.root / "game" / "levels"
    return {
        path.name: path.read_bytes().decode("utf-8", "replace")
        for path in sorted(folder.glob(f"{level}.*"))
    }


def scenes(godot: Godot, game: ThreeEngines, *levels: str) -> list[Any]:
    """Read the scenes of levels back; any error fails."""
    paths = [f"res://levels/{level}.tscn" for level in levels]
    result = godot.query(game.root / "game", READ_SCENE, {"scenes": paths})
    return [result[path] for path in paths]


def imported_scenes(godot: Godot, game: ThreeEngines, *levels: str) -> list[Any]:
    """Import the game and read the scenes of levels back; any error fails."""
    godot.import_project(game.root / "game")
    return scenes(godot, game, *levels)


def test_what_godot_adds_is_no_edit(godot: Godot, game: ThreeEngines) -> None:
    completed = (game.root / SIDECAR).read_text()
    assert "dest_files=" in completed
    assert "compress/lossy_quality" in completed
    results = game.export()
    assert {result.status for result in results.values()} == {"unchanged"}
    assert game.reported_retained() == set()
    game.write("a", seed=2)
    assert game.export()["a"].preserved == ()
    assert (game.root / SIDECAR).read_text() == completed
    imported_scenes(godot, game, "a")


def test_what_godot_adds_beside_a_blob_is_no_edit(godot: Godot, tmp_path: Path) -> None:
    three_engines = ThreeEngines(tmp_path / "project")
    three_engines.settings(SETTINGS)
    game = godot.new_project(three_engines.root / "game", ("level_exporter",))
    three_engines.write("a")
    three_engines.export()
    sidecar = game / "levels" / "a.lvb.import"
    written = UID.findall(sidecar.read_text())
    godot.import_project(game)
    completed = sidecar.read_text()
    assert "create_objects=true" in completed
    assert UID.findall(completed) == written
    three_engines.write("a", seed=2)
    assert three_engines.export()["a"].preserved == ()
    assert three_engines.reported_retained() == set()
    assert sidecar.read_text() == completed
    # A scene that refers to the blob finds it in a clone, where nothing is imported yet.
    (game / "mine.tscn").write_text(
        f'[gd_scene format=3]\n\n[ext_resource type="PackedScene" uid="{written[0]}" '
        'path="res://moved/away.lvb" id="1"]\n\n[node name="mine" instance=ExtResource("1")]\n'
    )
    shutil.rmtree(game / ".godot")
    godot.import_project(game)
    script = """
func query(_arguments):
	var scene = load("res://mine.tscn").instantiate()
	var answer = [scene.problem, scene.get_child(0).name]
	scene.free()
	return answer
"""
    assert godot.query(game, script) == ["", "ground"]


def test_completed_sidecars_go_with_their_spec(game: ThreeEngines) -> None:
    game.spec("a").unlink()
    game.export()
    assert outputs(game, "a") == {}
    assert game.reported_retained() == set()


def test_completed_sidecars_are_cleaned(game: ThreeEngines) -> None:
    clean_project(game.root, SilentReporter())
    assert outputs(game, "a") == outputs(game, "b") == {}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("compress/mode=0", "compress/mode=2"),
        ("mipmaps/generate=false", "mipmaps/generate=true"),
        ('importer="texture"', 'importer="image"'),
    ],
)
def test_a_key_of_ours_that_is_changed_is_preserved_and_reported(
    game: ThreeEngines, old: str, new: str
) -> None:
    path = game.root / SIDECAR
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    edited = path.read_bytes()
    for seed in (1, 2):
        game.write("a", seed=seed)
        assert game.export()["a"].preserved == (SIDECAR,)
        assert path.read_bytes() == edited
    game.spec("a").unlink()
    game.export()
    assert game.reported_retained() == {SIDECAR}
    assert path.read_bytes() == edited


def test_a_key_that_is_not_ours_is_the_users_and_stays(game: ThreeEngines) -> None:
    path = game.root / SIDECAR
    text = path.read_text().replace("process/size_limit=0", "process/size_limit=64")
    assert "process/size_limit=64" in text
    path.write_text(text)
    game.write("a", seed=2)
    assert game.export()["a"].preserved == ()
    assert path.read_text() == text


@pytest.mark.parametrize("line", ["", "level: z\n"])
def test_a_renamed_level_keeps_its_uids_and_loads(
    godot: Godot, game: ThreeEngines, line: str
) -> None:
    before = {
        name.partition(".")[2]: UID.findall(text) for name, text in outputs(game, "a").items()
    }
    (displayed,) = scenes(godot, game, "a")
    if line:
        game.write("a", more=line)
    else:
        game.spec("a").rename(game.spec("z"))
    game.export()
    assert outputs(game, "a") == {}
    result = {
        name.partition(".")[2]: UID.findall(text) for name, text in outputs(game, "z").items()
    }
    assert result == before
    (again,) = imported_scenes(godot, game, "z")
    assert again["uid"] == displayed["uid"]
    assert [layer["cells"] for layer in again["layers"]] == [
        layer["cells"] for layer in displayed["layers"]
    ]
    assert again["layers"][0]["tile_set"] == "res://levels/z.tileset.tres"
    assert game.export()["z" if not line else "a"].preserved == ()
    # A new level of the old name is another one for Godot, and both load.
    game.write("new" if line else "a", seed=5, more="level: a\n")
    game.export()
    other, again = imported_scenes(godot, game, "a", "z")
    assert other["uid"] != displayed["uid"]
    assert other["layers"][0]["tile_set"] == "res://levels/a.tileset.tres"
    assert again["uid"] == displayed["uid"]
    ours, theirs = (
        {uid for text in outputs(game, level).values() for uid in UID.findall(text)}
        for level in ("a", "z")
    )
    assert not ours & theirs
