"""exporter.yaml: allowed values, positions of faults, and effects on outputs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exporter.model.errors import SpecError
from exporter.project.project import Project, display_path, find_project
from exporter.project.settings_file import load_project, parse_project

TILED = "targets:\n  tiled: {path: tiled}\n"


def parse(text: str, root: Path = Path("/nowhere")) -> Project:
    return parse_project(text.encode(), "exporter.yaml", root)


def messages_of(text: str, root: Path = Path("/nowhere")) -> list[str]:
    with pytest.raises(SpecError) as caught:
        parse(text, root)
    assert {problem.file for problem in caught.value.problems} == {"exporter.yaml"}
    return [
        f"{problem.line}:{problem.column}: {problem.message}" for problem in caught.value.problems
    ]


def test_a_project_knows_its_targets_and_where_its_specs_are(tmp_path: Path) -> None:
    (tmp_path / "exporter.yaml").write_text(
        "levels: [a/*.yaml, b/**/*.level.yaml]\n"
        "targets:\n  godot: {path: game/levels}\n"
        "  small: {engine: tiled, path: maps, blob: fast}\n"
    )
    project = load_project(tmp_path)
    assert project.root == tmp_path.resolve()
    assert project.state == tmp_path.resolve() / ".exporter"
    assert project.patterns == ("a/*.yaml", "b/**/*.level.yaml")
    assert [(target.name, target.engine, target.options.path) for target in project.targets] == [
        ("godot", "godot", "game/levels"),
        ("small", "tiled", "maps"),
    ]
    assert [target.options.blob for target in project.targets] == [True, "fast"]
    assert project.games == {}
    problem = project.targets[1].problem("no")
    assert (problem.message, problem.line, problem.column) == ("no", 4, 3)
    assert problem.source == "  small: {engine: tiled, path: maps, blob: fast}"


def test_options_that_contradict_each_other_are_reported_once_at_the_option() -> None:
    text = "targets:\n  godot:\n    path: a\n    navigation: none\n    agent_radius: 3\n"
    assert messages_of(text) == [
        "5:19: agent_radius has no effect with `none` (write `navigation: merged`)"
    ]
    assert parse(text.replace("none", "merged")).targets[0].options.agent_radius == 3


def test_specs_are_looked_for_below_levels_by_default(tmp_path: Path) -> None:
    (tmp_path / "exporter.yaml").write_text(TILED)
    for path in ("levels/a.level.yaml", "levels/deep/er/b.level.yaml", "c.level.yaml", "levels/d"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    assert load_project(tmp_path).specs() == ["levels/a.level.yaml", "levels/deep/er/b.level.yaml"]


def test_the_folder_of_a_project_is_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "exporter.yaml").write_text(TILED)
    (tmp_path / "link").symlink_to(tmp_path / "game")
    monkeypatch.chdir(tmp_path)
    for root in (Path("game"), Path("game/../game"), Path("link")):
        assert load_project(root).root == tmp_path.resolve() / "game"


# --- finding -------------------------------------------------------------------------------------


def test_the_nearest_project_upwards_is_detected(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    (inner / "c" / "d").mkdir(parents=True)
    (tmp_path / "exporter.yaml").write_text(TILED)
    assert find_project(inner / "c") == tmp_path.resolve()
    (inner / "exporter.yaml").write_text(TILED)
    assert find_project(inner / "c" / "d") == inner.resolve()
    assert find_project(inner) == inner.resolve()
    (inner / "c" / "exporter.yaml").mkdir()  # a folder of that name is no project
    assert find_project(inner / "c") == inner.resolve()


def test_a_missing_project_is_reported_with_a_fix(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"no exporter.yaml here or above .*exporter init"):
        find_project(tmp_path)


def test_a_project_without_its_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"exporter.yaml:1:1: error: cannot be read \(No such"):
        load_project(tmp_path)


def test_paths_are_displayed_from_the_working_folder_where_they_lie_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    assert display_path(tmp_path / "here" / "deep" / "a.yaml") == "deep/a.yaml"
    assert display_path(Path("deep/../b.yaml")) == "b.yaml"
    assert display_path(tmp_path / "there" / "a.yaml") == str(tmp_path / "there" / "a.yaml")
    assert display_path(tmp_path / "..hidden") == str(tmp_path / "..hidden")

    def another_drive(_: object) -> str:
        raise ValueError("path is on mount 'D:'")

    monkeypatch.setattr(os.path, "relpath", another_drive)
    assert display_path(tmp_path / "a.yaml") == str(tmp_path / "a.yaml")


# --- faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1:1: the file is empty (write `targets:`)"),
        ("# nothing\n", "1:1: the file is empty (write `targets:`)"),
        ("- 1", "1:1: expected a mapping with keys such as levels, targets, not a list"),
        ("levels: a\n", "1:1: 'targets' is missing here (as in "),
        ("targets: {}\n", "1:10: length 0 is out of range (allowed: 1 to 16)"),
        ("target: {}\n" + TILED, "1:1: unknown key 'target' (did you mean 'targets'?)"),
        ("levels: 5\n" + TILED, "1:9: expected text or a list of text, not 5"),
        (TILED + "  tile: {path: b}\n", "3:3: unknown target 'tile' (did you mean 'tiled'?)"),
        (
            TILED + "  b: {engine: tile, path: b}\n",
            "3:15: unknown target 'tile' (did you mean 'tiled'?)",
        ),
        (TILED + "  b: {engine: 5, path: b}\n", "3:15: unknown target '5' (known: "),
        (TILED + "  godot: {}\n", "3:10: 'path' is missing here"),
        (TILED + "  godot: {path: a, blok_size: 1}\n", "3:20: unknown key 'blok_size' (did you "),
        (TILED + "  godot: {path: a, formats: [b]}\n", "3:30: unknown format 'b' (known: "),
        (TILED + "  b: {engine: tiled, path: a, plugin: true}\n", "3:31: unknown key 'plugin'"),
        (TILED + "  godot: {path: tiled/}\n", "3:17: the folder is that of the target 'tiled'"),
        (TILED + "  godot: {path: a/../tiled}\n", "3:17: 'a/../tiled' is not allowed here"),
        (TILED + "  godot: {path: ./Tiled}\n", "3:17: the folder is that of the target 'tiled'"),
        (TILED + "a: yes\n", "3:1: unknown key 'a'"),
        ("targets:\n  tiled: {path: yes}\n", "2:17: 'yes' can be read as true"),
    ],
)
def test_a_fault_is_reported_at_its_position(text: str, said: str) -> None:
    assert said in "\n".join(messages_of(text))


@pytest.mark.parametrize(
    ("pattern", "good"),
    [
        ("a/*.yaml", True),
        ("./a/*.yaml", True),
        ("a/..b/*.yaml", True),
        ("/a/*.yaml", False),
        ("../*.yaml", False),
        ("a/../../*.yaml", False),
        ("a\\\\*.yaml", False),
    ],
)
def test_specs_lie_in_the_project(pattern: str, good: bool) -> None:
    for levels, position in ((f'"{pattern}"', "1:9"), (f'[ok/*.yaml, "{pattern}"]', "1:21")):
        text = f"levels: {levels}\n{TILED}"
        if good:
            assert pattern in parse(text).patterns
        else:
            (fault,) = messages_of(text)
            assert fault.startswith(f"{position}: ")
            assert "must be inside the project, without '..' and with forward slashes (" in fault
            if "(write " in fault:
                written = fault.rpartition("(write ")[2].rpartition(")")[0]
                assert written.strip("'") in parse(f"levels: {written}\n{TILED}").patterns


@pytest.mark.parametrize("path", ["/abs", "../up", "a/../../b", "a\\\\b", "c:", "a/..", ""])
def test_outputs_lie_in_the_project(path: str) -> None:
    (fault,) = messages_of(f'targets:\n  tiled: {{path: "{path}"}}\n')
    assert fault.startswith("2:17: ")


def test_every_fault_is_reported_at_once() -> None:
    faults = messages_of(
        "levels: [../a, /b]\ntargets:\n  tilde: {path: a}\n  tiled: {path: b, blob: 5}\n"
        "  unity: {path: c}\n  godot: {path: C, formats: [zzz]}\n"
    )
    assert [fault.partition(":")[0] for fault in faults] == ["1", "1", "3", "4", "6", "6"]


# --- plugins -------------------------------------------------------------------------------------


def test_a_plugin_goes_into_the_game_around_its_target(tmp_path: Path) -> None:
    text = "targets:\n  godot: {path: a/b/levels, plugin: true}\n"
    assert messages_of(text, tmp_path) == [
        "2:37: 'a/b/levels' is not in a Godot project (looked for project.godot there and above)"
    ]
    for folder, game in (("", ""), ("a", "a"), ("a/b", "a/b"), ("a/b/levels", "a/b/levels")):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "project.godot").write_text("")
        assert parse(text, tmp_path).games == {"godot": game}
        assert parse(text.replace("true", "false"), tmp_path).games == {}


def test_a_game_needs_all_its_marks(tmp_path: Path) -> None:
    text = "targets:\n  unity: {path: Assets/Levels, plugin: true}\n"
    (tmp_path / "Assets").mkdir()
    (fault,) = messages_of(text, tmp_path)
    assert "a Unity project (looked for Assets and ProjectSettings there and above)" in fault
    (tmp_path / "ProjectSettings").mkdir()
    assert parse(text, tmp_path).games == {"unity": ""}


def test_a_game_above_the_project_is_not_the_projects(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "project.godot").write_text("")
    assert messages_of("targets:\n  godot: {path: levels, plugin: true}\n", root)


# --- the fingerprint -----------------------------------------------------------------------------


def test_the_fingerprint_changes_with_all_that_shapes_outputs_and_with_nothing_else() -> None:
    base = "targets:\n  tiled: {path: a}\n"
    same = [
        base,
        "# a comment\n" + base,
        "levels: other/*.yaml\n" + base,
        "targets: {tiled: {path: a, block_size: 5}}",
        "targets: {tiled: {engine: tiled, path: a}}",
    ]
    others = [
        "targets: {tiled: {path: b}}",
        "targets: {tiled: {path: a, block_size: 6}}",
        "targets: {tiled: {path: a, colors: {wall: '#ffffff'}}}",
        "targets: {maps: {engine: tiled, path: a}}",
        "targets: {tiled: {engine: godot, path: a}}",
        "targets: {tiled: {path: a}, godot: {path: b}}",
    ]
    assert len({parse(text).fingerprint for text in same}) == 1
    assert len({parse(text).fingerprint for text in [base, *others]}) == 7
    two = "targets: {tiled: {path: a}, godot: {path: b}}"
    turned = "targets: {godot: {path: b}, tiled: {path: a}}"
    assert parse(two).fingerprint == parse(turned).fingerprint
