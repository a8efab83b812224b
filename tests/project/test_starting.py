"""Signs of a project in a folder, and folders of each engine's plugin."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cases import each_case
from exporter.model.errors import RegistryError, SpecError
from exporter.model.installed import templates
from exporter.project.games import by_rank, find_games, game_around, games_in
from exporter.project.plugins import plugin_files
from exporter.project.project import Project
from exporter.project.schema_file import derived_schema, schema_text
from exporter.project.settings_file import load_project, parse_project
from exporter.project.start_files import attributes_file
from exporter.project.start_plan import (
    ExistingFile,
    InitOptions,
    PlannedFile,
    StartError,
    StartPlan,
)
from exporter.project.start_targets import choose_targets
from exporter.project.starting import check_names, plan_start
from exporter.project.templates import level_template, level_template_names
from exporter.reading import schema as schema_module
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


def planned(folder: Path, *engines: str, plugin: bool = False) -> StartPlan:
    return plan_start(folder, InitOptions(engines, plugin))


def paths(plan: StartPlan) -> list[str]:
    return [file.path for file in plan.files]


def settings(folder: Path, *engines: str, plugin: bool = False) -> Project:
    """Return the project that would be made, read from its exporter.yaml."""
    *_, config = planned(folder, *engines, plugin=plugin).files
    assert config.path == "exporter.yaml"
    return parse_project(config.data, "exporter.yaml", folder)


def places(folder: Path, *engines: str) -> dict[str, str]:
    """Return the folder of every target of the project that would be made."""
    return {target.name: target.options.path for target in settings(folder, *engines).targets}


@each_case("engines", [(), ("godot",)])
def test_an_empty_folder_gets_a_godot_game(engines: tuple[str, ...], tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    (repository / "README.md").write_text("mine")
    for folder in (repository, tmp_path / "not yet there"):
        plan = planned(folder, *engines)
        assert plan.new_game
        assert plan.remarks[:2] == (
            "starts a game for Godot (other engines: --engine unity, tiled, defold, gltf, ldtk)",
            "godot exports to generated/levels, with its plugin",
        )
        assert paths(plan) == [
            "levels/.gdignore",
            "levels/first_cavern.level.yaml",
            "levels/level.schema.json",
            ".gitattributes",
            ".gitignore",
            "hero.gd",
            "hero.tscn",
            "main.tscn",
            "project.godot",
            "exporter.yaml",
        ]
        whole = plan.files
        for count, file in enumerate(whole[:-1], 1):
            (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
            (folder / file.path).write_bytes(file.data)
            again = planned(folder, *engines)  # after an interruption
            assert again.files[-1].path == "exporter.yaml"
            assert {item.path for item in again.files} == {item.path for item in whole[count:]}


def test_the_first_template_is_the_level_of_a_new_game(tmp_path: Path) -> None:
    plan = plan_start(tmp_path / 'a "b"\udcff', InitOptions(templates=("island", "caves")))
    files = {file.path: file.data.decode() for file in plan.files}
    assert "res://generated/levels/island.tscn" in files["main.tscn"]
    assert 'config/name="a b"' in files["project.godot"]


def test_a_folder_with_other_files_gets_no_game(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    plan = planned(tmp_path)
    assert not plan.new_game
    assert plan.remarks[0].startswith("exports for Godot (other engines: --engine unity,")
    assert places(tmp_path) == {"godot": "godot/levels"}
    assert places(tmp_path / "new", "godot", "tiled") == {"godot": "godot/levels", "tiled": "tiled"}


def test_tilesets_and_scenes_of_a_game_are_suggested_in_comments(tmp_path: Path) -> None:
    game = a_godot_game(tmp_path / "game")
    for path, text in {
        "art/dungeon.tres": '[gd_resource type="TileSet" format=3]',
        "art/theme.tres": '[gd_resource type="Theme" format=3]',
        "things/Chest.tscn": "[gd_scene format=3]",
        "things/2d.tscn": "[gd_scene format=3]",
        "addons/other/tool.tscn": "[gd_scene format=3]",
        "levels/old.tscn": "[gd_scene format=3]",
        # What no text can name is not suggested.
        **({"a\udcff/a.tres": '[gd_resource type="TileSet"'} if sys.platform == "linux" else {}),
    }.items():
        (game / path).parent.mkdir(parents=True, exist_ok=True)
        (game / path).write_text(text)
    text = planned(tmp_path, plugin=True).files[-1].data.decode()
    line, *comments = text.split("targets:\n")[1].splitlines()
    assert line == "  godot: {path: game/levels_exported, plugin: true}"
    assert [comment[2:] for comment in comments[2:]] == [
        "# godot:",
        "#   path: game/levels_exported",
        "#   plugin: true",
        '#   tileset: {file: "res://art/dungeon.tres"}',
        "#   scenes:",
        '#     old: "res://levels/old.tscn"',
        '#     chest: "res://things/Chest.tscn"',
    ]
    used = "targets:\n" + "".join(f"  {comment[4:]}\n" for comment in comments[2:])
    assert parse_project(used.encode(), "exporter.yaml", tmp_path).targets


def test_an_existing_game_gets_its_own_engine_and_its_own_folders(tmp_path: Path) -> None:
    godot, unity = a_godot_game(tmp_path / "godot"), a_unity_game(tmp_path / "unity")
    both = a_unity_game(a_godot_game(tmp_path / "both"))
    assert places(godot) == {"godot": "generated/levels"}
    assert places(unity) == {"unity": "Assets/Levels"}
    assert places(both) == {"godot": "generated/levels", "unity": "Assets/Levels"}
    assert planned(both).remarks[0] == "found a Godot and Unity project"


def test_engines_that_are_requested_for_win_and_stand_where_they_fit(tmp_path: Path) -> None:
    game = a_godot_game(tmp_path)
    assert list(places(game, "tiled", "godot", "ldtk", "tiled").items()) == [
        ("tiled", "tiled"),
        ("godot", "generated/levels"),
        ("ldtk", "ldtk"),
    ]
    assert places(tmp_path / "new", "unity") == {"unity": "unity/Assets/Levels"}


def test_unknown_names_are_reported_with_what_was_meant() -> None:
    with pytest.raises(RegistryError, match="did you mean 'godot'"):
        check_names(InitOptions(("tiled", "godt")))
    with pytest.raises(RegistryError, match="did you mean 'island'"):
        check_names(InitOptions(templates=("isle",)))
    check_names(InitOptions(("tiled",), templates=("island",)))


def test_a_project_comes_with_a_level_that_is_good_and_a_schema(tmp_path: Path) -> None:
    plan = planned(tmp_path, "tiled")
    assert paths(plan) == [
        "levels/first_cavern.level.yaml",
        "levels/level.schema.json",
        ".gitattributes",
        "exporter.yaml",
    ]
    path = tmp_path / "first_cavern.level.yaml"
    path.write_bytes(plan.files[0].data)
    assert load_level(path).layers


# --- games below and around ----------------------------------------------------------------------


def test_games_are_reported_of_the_plugin_of_their_engine(tmp_path: Path) -> None:
    hint = "for it, add `plugin: true` to the target godot in exporter.yaml"
    a_godot_game(tmp_path / "game")
    (reported,) = [remark for remark in planned(tmp_path).remarks if "plugin" in remark]
    assert reported.startswith("the Godot plugin shows exports in the editor at once")
    assert reported.endswith(hint)
    remarks = plan_start(tmp_path, InitOptions(plugin=True)).remarks
    assert not any(remark.endswith(hint) for remark in remarks)
    assert any(
        remark.startswith("the first export copies the Godot plugin into the game")
        for remark in remarks
    )


def test_games_one_folder_down_are_detected_and_the_specs_stay_outside(tmp_path: Path) -> None:
    a_godot_game(tmp_path / "game")
    assert places(tmp_path) == {"godot": "game/levels"}
    a_unity_game(tmp_path / "other")
    assert places(tmp_path) == {"godot": "game/levels", "unity": "other/Assets/Levels"}
    plan = planned(tmp_path)
    assert plan.remarks[:2] == ("found a Godot project in game", "found a Unity project in other")
    # The engine does not see the specs: nothing has to keep it away.
    assert "levels/.gdignore" not in paths(plan)


def test_a_folder_that_is_a_game_is_the_only_one(tmp_path: Path) -> None:
    a_godot_game(tmp_path)
    a_unity_game(tmp_path / "inner")
    a_godot_game(tmp_path / "demo")
    assert places(tmp_path) == {"godot": "generated/levels"}


def test_games_of_one_engine_are_targets_called_after_their_folders(tmp_path: Path) -> None:
    for name in ("My Game, v2", "demo", "Demo ", "unity", "true"):
        a_godot_game(tmp_path / name)
    a_unity_game(tmp_path / "u")
    project = settings(tmp_path)
    assert {(target.name, target.engine, target.options.path) for target in project.targets} == {
        ("My_Game_v2", "godot", "My Game, v2/levels"),
        ("demo_2", "godot", "demo/levels"),
        ("Demo", "godot", "Demo /levels"),
        ("unity_2", "godot", "unity/levels"),
        ("true", "godot", "true/levels"),
        ("unity", "unity", "u/Assets/Levels"),
    }


def test_a_folder_without_a_letter_gives_a_name_all_the_same(tmp_path: Path) -> None:
    long = "x" * 80
    for name in ("###", "...a", long):
        a_godot_game(tmp_path / name)
    assert {target.name for target in settings(tmp_path).targets} == {"game", "x" * 60}
    a_godot_game(tmp_path / "{b}")
    assert {(target.name, target.options.path) for target in settings(tmp_path).targets} == {
        ("game", "###/levels"),
        ("b", "{b}/levels"),
        ("x" * 60, f"{long}/levels"),
    }


def test_folders_called_like_values_of_yaml_are_names(tmp_path: Path) -> None:
    names = {"1", "010", "null", "no", "true", "1e3", "2024-01-01", "0x10", "a #b", "-"}
    for name in names:
        a_godot_game(tmp_path / name)
    project = settings(tmp_path)
    assert {target.options.path for target in project.targets} == {
        f"{name}/levels" for name in names
    }
    assert {"1", "010", "null", "no", "true"} <= {target.name for target in project.targets}


def test_two_targets_never_share_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiled = TARGETS.get("tiled")
    both = {"one": replace(tiled, name="one"), "two": replace(tiled, name="two")}
    monkeypatch.setattr("exporter.project.start_targets.TARGETS", both)
    chosen = choose_targets(tmp_path, InitOptions(("one", "two")))
    assert [target.folder for target in chosen.targets] == ["tiled", "tiled_exported"]


def test_folders_that_are_no_part_of_the_project_are_not_looked_at(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for name in (".hidden", "Library", "node_modules", "a*b", "deep/er", "line\nbreak"):
        a_godot_game(root / name)
    a_godot_game(tmp_path / "elsewhere")
    (root / "link").symlink_to(tmp_path / "elsewhere")
    assert find_games(root) == []
    assert places(root) == {"godot": "godot/levels"}


def test_more_games_than_a_project_can_have_are_refused(tmp_path: Path) -> None:
    for number in range(16):
        a_godot_game(tmp_path / f"g{number}")
    assert len(places(tmp_path)) == 16
    a_godot_game(tmp_path / "g16")
    with pytest.raises(StartError, match="has 17 game projects, but one"):
        planned(tmp_path)


def test_a_folder_inside_a_game_is_refused_unless_engines_are_named(tmp_path: Path) -> None:
    inside = a_godot_game(tmp_path) / "some" / "where"
    with pytest.raises(StartError, match="is inside the Godot project"):
        planned(inside)
    assert places(inside, "godot") == {"godot": "godot/levels"}
    a_unity_game(inside)
    assert places(inside) == {"unity": "Assets/Levels"}


@pytest.mark.parametrize("name", ["a.tmx", "maps/b.TMJ", "game.tiled-project"])
def test_maps_of_tiled_choose_its_target(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    assert places(tmp_path) == {"tiled": "tiled"}
    assert planned(tmp_path).remarks[0] == f"found {name}"
    # The levels are for a game; its Tiled maps are listed.
    a_godot_game(tmp_path)
    assert places(tmp_path) == {"godot": "generated/levels"}
    reported = "to export for Tiled too, add `tiled: {path: tiled}` to `targets` in exporter.yaml"
    assert reported in planned(tmp_path).remarks
    assert reported not in planned(tmp_path, "godot").remarks


def test_an_ldtk_project_gets_projects_and_no_promise_of_a_way_back(tmp_path: Path) -> None:
    (tmp_path / "world.ldtk").write_text("{}")
    assert places(tmp_path) == {"tiled": "tiled", "ldtk": "ldtk"}
    remarks = planned(tmp_path).remarks
    assert remarks[0] == "found world.ldtk"
    assert remarks[1].startswith("LDtk opens the exported `.ldtk` projects; changes made")


def test_a_game_of_defold_gets_its_target(tmp_path: Path) -> None:
    (tmp_path / "game.project").write_text("[project]\n")
    assert places(tmp_path) == {"defold": "defold"}
    assert planned(tmp_path).remarks[0] == "found game.project"


def test_typescript_is_no_tileset(tmp_path: Path) -> None:
    (tmp_path / "app.tsx").write_text("")
    assert list(places(tmp_path)) == ["godot"]


# --- the user's files ----------------------------------------------------------------------------


def test_a_games_own_levels_folder_stays_its_own(tmp_path: Path) -> None:
    game = a_godot_game(tmp_path)
    (game / "levels").mkdir()
    (game / "levels" / "one.tscn").write_text("[gd_scene]")
    plan = planned(game)
    assert "level specs are in level_specs (levels holds other files)" in plan.remarks
    assert not [path for path in paths(plan) if path.startswith("levels/")]
    assert "level_specs/.gdignore" in paths(plan)
    assert settings(game).patterns == ("level_specs/**/*.level.yaml",)


def test_outputs_never_go_among_other_files(tmp_path: Path) -> None:
    godot, unity = a_godot_game(tmp_path / "g"), a_unity_game(tmp_path / "u")
    (godot / "generated" / "levels").mkdir(parents=True)
    assert places(godot) == {"godot": "generated/levels"}
    (godot / "generated" / "levels" / "own.tscn").write_text("")
    assert places(godot) == {"godot": "generated/levels_exported"}
    reported = "godot exports to generated/levels_exported (generated/levels holds other files)"
    assert reported in planned(godot).remarks
    (unity / "Assets" / "Levels" / "Deep").mkdir(parents=True)
    (unity / "Assets" / "Levels" / "Deep" / "own.unity").write_text("")
    (unity / "Assets" / "LevelsExported").write_text("")
    assert places(unity) == {"unity": "Assets/LevelsExported2"}


def test_a_folder_of_level_specs_is_accepted_without_adding_any(tmp_path: Path) -> None:
    game = a_godot_game(tmp_path)
    (game / "levels" / "deep").mkdir(parents=True)
    (game / "levels" / "deep" / "mine.level.yaml").write_text("size: [3, 3]")
    plan = planned(game)
    assert paths(plan) == ["levels/level.schema.json", ".gitattributes", "exporter.yaml"]
    assert "level specs are in levels, which has some already" in plan.remarks
    plan = plan_start(game, InitOptions(templates=("island",)))
    assert paths(plan)[0] == "levels/island.level.yaml"
    assert "levels/.gdignore" not in paths(plan)


def test_what_an_interrupted_init_left_is_not_somebody_elses(tmp_path: Path) -> None:
    game = a_godot_game(tmp_path)
    whole = planned(game)
    for count in range(1, len(whole.files)):
        for file in whole.files[:count]:
            (game / file.path).parent.mkdir(parents=True, exist_ok=True)
            (game / file.path).write_bytes(file.data)
        again = planned(game)
        assert again.files == whole.files[count:]
        assert not [remaining for remaining in again.preserved if remaining.reason]


def test_what_an_engine_needs_beside_the_specs_comes_only_with_its_game(tmp_path: Path) -> None:
    assert "levels/.gdignore" not in paths(planned(tmp_path, "tiled"))
    assert "levels/.gdignore" in paths(planned(a_godot_game(tmp_path)))


# --- plugins and templates -----------------------------------------------------------------------


def test_plugins_are_for_targets_inside_games_of_their_engine(tmp_path: Path) -> None:
    a_godot_game(tmp_path / "game")
    project = settings(tmp_path, plugin=True)
    assert project.games == {"godot": "game"}
    assert settings(tmp_path).games == {}
    a_unity_game(tmp_path / "u")
    assert settings(tmp_path, plugin=True).games == {"godot": "game", "unity": "u"}
    assert settings(tmp_path, "godot", "tiled", plugin=True).games == {"godot": "game"}
    root = a_godot_game(tmp_path / "root")
    assert settings(root, plugin=True).games == {"godot": ""}


def test_a_plugin_without_a_game_is_refused_with_a_way_out(tmp_path: Path) -> None:
    with pytest.raises(StartError, match=r"no Godot and no Unity project in .* one folder below"):
        planned(tmp_path, "godot", "unity", plugin=True)
    a_godot_game(tmp_path)
    with pytest.raises(StartError, match="there is no Unity project in"):
        planned(tmp_path, "godot", "unity", plugin=True)
    with pytest.raises(StartError, match="none of the chosen targets has a plugin"):
        planned(tmp_path, "tiled", plugin=True)


@pytest.mark.parametrize("name", level_template_names())
def test_every_template_is_a_good_level_that_names_its_schema(tmp_path: Path, name: str) -> None:
    plan = plan_start(tmp_path, InitOptions(("tiled",), templates=(name,)))
    spec = plan.files[0]
    assert spec.path == f"levels/{name}.level.yaml"
    assert not any("first_cavern" in path for path in paths(plan))
    lines = spec.data.decode().splitlines()
    assert lines[0] == "# yaml-language-server: $schema=level.schema.json"
    assert lines[1].startswith("# ")
    path = tmp_path / f"{name}.level.yaml"
    path.write_bytes(spec.data)
    assert load_level(path).level == name
    assert level_template(name).summary.startswith(lines[1].removeprefix("# "))


def test_several_templates_come_together(tmp_path: Path) -> None:
    plan = plan_start(tmp_path, InitOptions(("tiled",), templates=("island", "rooms", "island")))
    assert paths(plan)[:2] == ["levels/island.level.yaml", "levels/rooms.level.yaml"]


# --- a project that exists -----------------------------------------------------------------------


def an_existing_project(folder: Path, levels: str = "levels/**/*.level.yaml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "exporter.yaml").write_text(f"levels: {levels}\ntargets: {{tiled: {{path: t}}}}\n")
    return folder


def test_an_existing_project_gets_nothing_but_the_schema(tmp_path: Path) -> None:
    root = a_godot_game(an_existing_project(tmp_path))
    plan = planned(root)
    assert (plan.files, plan.preserved) == ((), (ExistingFile("exporter.yaml"),))
    assert ".gitattributes does not have the lines" in plan.remarks[0]
    (root / "levels").mkdir()
    assert paths(planned(root)) == ["levels/level.schema.json"]
    attributes = attributes_file(root, ["t"])
    assert isinstance(attributes, PlannedFile)
    (root / attributes.path).write_bytes(attributes.data)
    assert planned(root).remarks == ()


@pytest.mark.parametrize(
    ("glob", "folder"),
    [("maps/*.yaml", "maps"), ("'**/*.level.yaml'", ""), ("[a/*.yaml, b/*.yaml]", "a")],
)
def test_the_schema_lies_where_the_specs_are(tmp_path: Path, glob: str, folder: str) -> None:
    root = an_existing_project(tmp_path, glob)
    (root / folder).mkdir(exist_ok=True)
    name = f"{folder}/level.schema.json" if folder else "level.schema.json"
    assert paths(planned(root)) == [name]


def an_older_schema() -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema_module, "level_schema", lambda: {"$schema": "", "title": "older"})
        return derived_schema()


def test_a_schema_for_two_globs_is_refreshed_once(tmp_path: Path) -> None:
    root = an_existing_project(tmp_path, "[a/*.yaml, a/**/*.json]")
    (root / "a").mkdir()
    (root / "a" / "level.schema.json").write_bytes(an_older_schema())
    assert paths(planned(root)) == ["a/level.schema.json"]


def test_every_schema_of_ours_is_refreshed(tmp_path: Path) -> None:
    root = an_existing_project(tmp_path, "[a/*.yaml, b/*.yaml, c/*.yaml]")
    for name, data in (("b", an_older_schema()), ("c", schema_text())):
        (root / name).mkdir()
        (root / name / "level.schema.json").write_bytes(data)
    (file,) = planned(root).files
    assert (file.path, file.data, file.action) == (
        "b/level.schema.json",
        schema_text(),
        "refreshed",
    )


def test_templates_go_among_the_levels_that_are_there(tmp_path: Path) -> None:
    root = an_existing_project(tmp_path, "maps/*.yaml")
    plan = plan_start(root, InitOptions(templates=("island",)))
    assert paths(plan) == ["maps/island.level.yaml", "maps/level.schema.json"]
    (root / "maps").mkdir()
    (root / "maps" / "island.level.yaml").write_text("mine")
    plan = plan_start(root, InitOptions(templates=("island",)))
    assert plan.preserved == (ExistingFile("exporter.yaml"), ExistingFile("maps/island.level.yaml"))
    root = an_existing_project(tmp_path / "two", "maps/*.json")
    with pytest.raises(StartError, match="would not be found by the globs"):
        plan_start(root, InitOptions(templates=("island",)))


def test_settings_that_exist_are_not_changed_and_the_way_is_reported(tmp_path: Path) -> None:
    root = an_existing_project(tmp_path)
    assert planned(root, "tiled").files == ()
    a_godot_game(root / "game")
    with pytest.raises(StartError, match=r"not changed: .*add `godot: \{path: game/levels\}` to"):
        planned(root, "tiled", "godot")
    with pytest.raises(StartError, match="not changed: none of its targets has a plugin"):
        planned(root, plugin=True)
    config = root / "exporter.yaml"
    config.write_text("targets: {godot: {path: game/levels}}")
    with pytest.raises(StartError, match="not changed: add `plugin: true` to 'godot' there"):
        planned(root, plugin=True)
    config.write_text("targets: {godot: {path: game/levels, plugin: true}}")
    assert planned(root, plugin=True).files == ()


def test_a_broken_or_odd_exporter_yaml_is_an_error(tmp_path: Path) -> None:
    config = tmp_path / "exporter.yaml"
    config.write_text("targets: 3")
    with pytest.raises(SpecError):
        planned(tmp_path)
    config.unlink()
    config.symlink_to("nowhere")
    with pytest.raises(SpecError, match="cannot be read"):
        planned(tmp_path)
    config.unlink()
    config.mkdir()
    with pytest.raises(SpecError, match="cannot be read"):
        planned(tmp_path)


# --- games and plugins ---------------------------------------------------------------------------


def test_targets_of_a_new_project_come_first_in_their_order() -> None:
    ranked = [target.name for target in by_rank()]
    assert ranked[:3] == ["godot", "unity", "tiled"]
    assert sorted(ranked) == TARGETS.names()


def test_a_folder_is_a_game_of_every_engine_it_has_marks_of(tmp_path: Path) -> None:
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
    expected = {
        f"game/addons/level_exporter/{path.relative_to(source).as_posix()}": path.read_bytes()
        for path in source.rglob("*")
        if path.is_file()
    }
    assert {file.path: file.data for file in files} == expected
    assert {(file.kind, file.target) for file in files} == {("plugin", "godot")}
    assert [file.path for file in files] == sorted(expected, key=lambda name: Path(name))


def test_two_targets_in_one_game_share_its_plugin(tmp_path: Path) -> None:
    a_godot_game(tmp_path)
    item = "targets:\n  godot: {path: a, plugin: true}\n"
    two = item + "  other: {engine: godot, path: b, plugin: true}\n"
    single, shared = (
        plugin_files(parse_project(text.encode(), "exporter.yaml", tmp_path))
        for text in (item, two)
    )
    assert shared == single
    assert single[0].path.startswith("addons/level_exporter/")


def test_a_project_that_asks_for_no_plugin_gets_none(tmp_path: Path) -> None:
    a_godot_game(tmp_path)
    text = b"targets:\n  godot: {path: a}\n  tiled: {path: b}\n"
    assert plugin_files(parse_project(text, "exporter.yaml", tmp_path)) == []


def test_templates_are_detected_wherever_the_package_lies() -> None:
    assert (templates() / "projects" / "starter" / "exporter.yaml").is_file()
