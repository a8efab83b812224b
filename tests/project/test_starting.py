"""What makes a folder a project, and which engine's plugin goes where."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.model.errors import RegistryError
from exporter.project.games import by_rank, game_around, games_in
from exporter.project.plugins import plugin_files
from exporter.project.settings_file import load_project, parse_project
from exporter.project.starting import plan_project, targets_called
from exporter.project.templates import templates
from exporter.reading.reader import load_level
from exporter.targets import TARGETS


def a_godot_game(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "project.godot").write_text("")
    return folder


def a_unity_game(folder: Path) -> Path:
    for name in ("Assets", "ProjectSettings"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    return folder


def places(folder: Path, *engines: str) -> dict[str, str]:
    """Return the folder of every target of the project that would be made."""
    plan = plan_project(folder, targets_called(engines))
    (config,) = [file for file in plan.files if file.path == "exporter.yaml"]
    project = parse_project(config.data, "exporter.yaml", folder)
    return {target.name: target.options.path for target in project.targets}


def test_a_new_project_is_for_the_engines_that_most_people_have(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "not yet there"):
        assert plan_project(folder, []).games == ()
        assert list(places(folder).items()) == [
            ("godot", "godot/levels"),
            ("unity", "unity/Assets/Levels"),
            ("tiled", "tiled"),
        ]


def test_an_existing_game_gets_its_own_engine_and_its_own_folders(tmp_path: Path) -> None:
    godot, unity = a_godot_game(tmp_path / "godot"), a_unity_game(tmp_path / "unity")
    both = a_unity_game(a_godot_game(tmp_path / "both"))
    assert places(godot) == {"godot": "generated/levels"}
    assert places(unity) == {"unity": "Assets/Levels"}
    assert places(both) == {"godot": "generated/levels", "unity": "Assets/Levels"}
    assert plan_project(both, []).games == ("Godot", "Unity")


def test_engines_that_are_asked_for_win_and_stand_where_they_fit(tmp_path: Path) -> None:
    game = a_godot_game(tmp_path)
    assert list(places(game, "tiled", "godot", "ldtk", "tiled").items()) == [
        ("tiled", "tiled"),
        ("godot", "generated/levels"),
        ("ldtk", "ldtk"),
    ]
    assert places(tmp_path / "new", "unity") == {"unity": "unity/Assets/Levels"}
    with pytest.raises(RegistryError, match="did you mean 'godot'"):
        targets_called(["tiled", "godt"])


def test_a_project_comes_with_levels_that_are_good_and_a_schema(tmp_path: Path) -> None:
    plan = plan_project(tmp_path, [])
    assert plan.files[0].path == "exporter.yaml"
    names = [file.path for file in plan.files]
    assert "levels/level.schema.json" in names
    examples = [file for file in plan.files if file.example]
    assert examples
    for file in examples:
        assert file.path.endswith(".level.yaml")
        path = tmp_path / Path(file.path).name
        path.write_bytes(file.data)
        assert load_level(path).layers
    assert not any(file.example for file in plan.files if not file.path.endswith(".level.yaml"))


def test_what_an_engine_needs_beside_the_specs_comes_only_with_its_game(tmp_path: Path) -> None:
    def names(folder: Path, *engines: str) -> list[str]:
        return [file.path for file in plan_project(folder, targets_called(engines)).files]

    assert "levels/.gdignore" not in names(tmp_path)
    assert "levels/.gdignore" not in names(tmp_path, "godot")
    assert "levels/.gdignore" in names(a_godot_game(tmp_path))


def test_targets_of_a_new_project_come_first_in_their_order() -> None:
    ranked = [target.name for target in by_rank()]
    assert ranked[:3] == ["godot", "unity", "tiled"]
    assert sorted(ranked) == TARGETS.names()


def test_a_folder_is_a_game_of_every_engine_whose_marks_it_has(tmp_path: Path) -> None:
    assert games_in(tmp_path) == []
    a_unity_game(a_godot_game(tmp_path))
    assert [target.name for target in games_in(tmp_path)] == ["godot", "unity"]
    (tmp_path / "Assets").rmdir()
    assert [target.name for target in games_in(tmp_path)] == ["godot"]


def test_the_game_around_a_folder_is_the_nearest_one(tmp_path: Path) -> None:
    godot = TARGETS.get("godot")
    assert game_around(tmp_path, "a/b/c", godot) is None
    a_godot_game(tmp_path)
    assert game_around(tmp_path, "a/b/c", godot) == ""
    assert game_around(tmp_path, ".", godot) == ""
    a_godot_game(tmp_path / "a" / "b")
    assert game_around(tmp_path, "a/b/c", godot) == "a/b"
    assert game_around(tmp_path, "a//b/./x/../c/", godot) == "a/b"
    assert game_around(tmp_path, "a/c", godot) == ""
    assert game_around(tmp_path, "a/c", TARGETS.get("tiled")) is None


# --- plugins -------------------------------------------------------------------------------------


def test_a_plugins_files_go_where_the_engine_looks_for_them(tmp_path: Path) -> None:
    a_godot_game(tmp_path / "game")
    (tmp_path / "exporter.yaml").write_text(
        "targets:\n  godot: {path: game/levels, plugin: true}\n  tiled: {path: tiled}\n"
    )
    files = plugin_files(load_project(tmp_path))
    source = templates() / "godot" / "addons" / "level_exporter"
    wanted = {
        f"game/addons/level_exporter/{path.relative_to(source).as_posix()}": path.read_bytes()
        for path in source.rglob("*")
        if path.is_file()
    }
    assert {file.path: file.data for file in files} == wanted
    assert {(file.kind, file.target) for file in files} == {("plugin", "godot")}
    assert [file.path for file in files] == sorted(wanted, key=lambda name: Path(name))


def test_two_targets_in_one_game_share_its_plugin(tmp_path: Path) -> None:
    a_godot_game(tmp_path)
    one = "targets:\n  godot: {path: a, plugin: true}\n"
    two = one + "  other: {engine: godot, path: b, plugin: true}\n"
    single, shared = (
        plugin_files(parse_project(text.encode(), "exporter.yaml", tmp_path)) for text in (one, two)
    )
    assert shared == single
    assert single[0].path.startswith("addons/level_exporter/")


def test_a_project_that_asks_for_no_plugin_gets_none(tmp_path: Path) -> None:
    a_godot_game(tmp_path)
    text = b"targets:\n  godot: {path: a}\n  tiled: {path: b}\n"
    assert plugin_files(parse_project(text, "exporter.yaml", tmp_path)) == []


def test_templates_are_found_wherever_the_package_lies() -> None:
    assert (templates() / "projects" / "starter" / "exporter.yaml").is_file()
