"""Files of the game that levels use: they are followed, and faults have a position."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exporter.export.events import LevelResult
from exporter.store.user_folder import trust
from small_game import Game
from team_tilesets import TILE_SET

SETTINGS = """\
targets:
  godot:
    path: game/levels
    blob: false
    bitmaps: false
    tileset:
      file: res://art/dungeon.tres
      tiles:
        wall: [3, 1]
"""
OWN = "tileset: {targets: {godot: {tiles: {wall: [9, 9]}}}}\n"


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project with a game in it, whose team has a TileSet."""
    result = Game(tmp_path / "project")
    make_game(result.root / "game")
    result.settings(SETTINGS)
    return result


def make_game(folder: Path) -> None:
    (folder / "art").mkdir(parents=True)
    (folder / "project.godot").write_text("config_version=5\n")
    tileset(folder).write_text(TILE_SET)


def tileset(folder: Path) -> Path:
    return folder / "art" / "dungeon.tres"


def places(results: dict[str, LevelResult], name: str = "a") -> list[tuple[str, int, int]]:
    return [(Path(error.file).name, error.line, error.column) for error in results[name].problems]


def test_a_level_is_created_again_when_its_tileset_changes(game: Game) -> None:
    game.write("a")
    assert game.export()["a"].status == "built"
    assert game.export()["a"].status == "unchanged"
    file = tileset(game.root / "game")
    file.write_text(TILE_SET.replace("collision_layer = 4", "collision_layer = 16"))
    result = game.export()["a"]
    assert (result.status, result.causes) == ("built", ("game/art/dungeon.tres",))
    assert "collision_layer = 16" in (game.root / "game/levels/a.tscn").read_text()


def test_other_files_of_the_game_make_no_level_stale(game: Game) -> None:
    game.write("a")
    game.export()
    (game.root / "game" / "art" / "other.tres").write_text("x")
    assert game.export()["a"].status == "unchanged"


def test_a_watch_follows_the_tileset(game: Game) -> None:
    game.write("a")
    export = game.open()
    game.batch(export)
    assert game.batch(export) == []
    text = TILE_SET.replace("collision_layer = 4", "collision_layer = 16")
    tileset(game.root / "game").write_text(text)
    (result,) = game.batch(export)
    assert result.causes == ("game/art/dungeon.tres",)
    assert not result.problems


def test_a_level_waits_for_a_tileset_that_is_not_there(game: Game) -> None:
    tileset(game.root / "game").unlink()
    game.write("a")
    game.write("b", more="tileset: {targets: {godot: null}}\n")
    results = game.export()
    assert results["b"].status == "built"
    assert places(results) == [("exporter.yaml", 7, 13)]
    tileset(game.root / "game").write_text(TILE_SET)
    results = game.export()
    assert (results["a"].status, results["b"].status) == ("built", "unchanged")


def test_a_level_waits_for_a_game(game: Game) -> None:
    marker = game.root / "game" / "project.godot"
    marker.unlink()
    game.write("a")
    result = game.export()["a"]
    assert "is not in a Godot project" in result.problems[0].message
    marker.write_text("config_version=5\n")
    assert game.export()["a"].status == "built"


def test_what_is_wrong_in_exporter_yaml_is_reported_there(game: Game) -> None:
    game.settings(SETTINGS.replace("[3, 1]", "[8, 8]"))
    game.write("a")
    results = game.export()
    assert places(results) == [("exporter.yaml", 9, 15)]
    assert "no tile at [8, 8]" in results["a"].problems[0].message
    assert not (game.root / "game" / "levels" / "a.tscn").exists()


def test_what_is_wrong_in_a_spec_is_reported_there(game: Game) -> None:
    game.write("a", more=OWN)
    game.write("b")
    results = game.export()
    assert results["b"].status == "built"
    assert places(results) == [("a.level.yaml", 4, 43)]


def test_a_tile_without_a_position_is_reported_at_the_tiles(game: Game) -> None:
    game.settings(SETTINGS.replace("wall: [3, 1]", "floor: [0, 0]"))
    tileset(game.root / "game").write_text(TILE_SET.replace('"wall"', '"brick"'))
    game.write("a")
    results = game.export()
    assert places(results) == [("exporter.yaml", 8, 7)]
    assert "tile 'wall' has no match" in results["a"].problems[0].message


def test_warnings_have_a_position(game: Game) -> None:
    """A terrain of one tile fits hardly anywhere."""
    text = TILE_SET.replace(
        "3:1/1 = 1\n", "3:1/1 = 1\n3:1/0/terrain_set = 0\n3:1/0/terrain = 0\n"
    ).replace("sources/3", 'terrain_set_0/terrain_0/name = "Stone"\nsources/3')
    tileset(game.root / "game").write_text(text)
    game.settings(SETTINGS.replace("[3, 1]", "{terrain: Stone}"))
    game.write("a")
    (warning,) = game.export()["a"].warnings
    assert (Path(warning.file).name, warning.line) == ("exporter.yaml", 9)
    assert "terrain of 'wall' that does not fit" in warning.message
    # Also when nothing had to be made.
    (warning,) = game.export(force=True)["a"].warnings
    assert (Path(warning.file).name, warning.line) == ("exporter.yaml", 9)


def test_a_game_beside_the_project_is_read_where_it_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path / "user"))
    built = Game(tmp_path / "project")
    folder = tmp_path / "game"
    make_game(folder)
    built.settings(SETTINGS.replace("game/levels", "../game/levels"))
    built.write("a")
    (folder / "levels").mkdir()
    trust(built.root, folder / "levels")
    assert built.export()["a"].status == "built"
    tileset(folder).write_text(TILE_SET.replace("collision_layer = 4", "collision_layer = 16"))
    result = built.export()["a"]
    assert (result.status, result.causes) == ("built", ("../game/art/dungeon.tres",))


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_out_of_the_game_is_refused(game: Game, tmp_path: Path) -> None:
    secret = tmp_path / "secret.tres"
    secret.write_text(TILE_SET)
    file = tileset(game.root / "game")
    file.unlink()
    file.symlink_to(secret)
    game.write("a")
    result = game.export()["a"]
    assert "outside the game project" in result.problems[0].message


def test_the_tileset_is_never_touched(game: Game) -> None:
    file = tileset(game.root / "game")
    before = file.read_bytes(), file.stat().st_mtime_ns
    game.write("a")
    game.export()
    game.spec("a").unlink()
    game.export()
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


def test_an_unknown_engine_is_reported_with_what_was_meant(game: Game) -> None:
    game.write("a", more="tileset: {targets: {godt: {}}}\n")
    (error,) = game.export()["a"].problems
    assert "unknown target 'godt' (did you mean 'godot'?)" in error.message
    assert (error.line, error.column) == (4, 21)


def test_an_engine_without_tilesets_is_reported(game: Game) -> None:
    game.write("a", more="tileset: {targets: {ldtk: {}}}\n")
    (error,) = game.export()["a"].problems
    assert "levels for LDtk cannot have a tileset of the team's" in error.message


def test_faults_inside_of_a_tileset_are_reported_at_their_position(game: Game) -> None:
    game.write(
        "a", more="tileset: {targets: {godot: {fil: res://a.tres, tiles: {wall: {at: 3}}}}}\n"
    )
    messages = [(error.column, error.message) for error in game.export()["a"].problems]
    assert messages[0][0] == 29
    assert "unknown key 'fil' (did you mean 'file'?)" in messages[0][1]
    assert len(messages) > 1
