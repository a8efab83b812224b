"""`exporter init`: written files, kept files, and output."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from exporter.cli.main import main
from exporter.project.templates import level_template_names

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # As where it is on the PATH; the other ways are in test_own_command.py.
    monkeypatch.setattr("exporter.cli.own_command.own_command", lambda: "exporter")
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def a_godot_game(folder: Path) -> Path:
    (folder / "levels").mkdir(parents=True)
    (folder / "project.godot").write_text("config_version=5\n")
    (folder / "levels" / "one.tscn").write_text("[gd_scene format=3]\n")
    (folder / ".gitattributes").write_bytes(b"* text=auto\r\n*.png binary")
    (folder / ".gitignore").write_text(".godot/\n")
    return folder


def test_it_says_what_it_detected_chose_and_wrote_and_what_to_do_next(
    here: Path, capsys: Capture
) -> None:
    a_godot_game(here / "game")
    assert main(["init", "game"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "found a Godot project",
        "godot exports to generated/levels",
        "the Godot plugin shows exports in the editor at once: for it, add `plugin: true` to the "
        "target godot in exporter.yaml",
        "level specs are in level_specs (levels holds other files)",
        "wrote level_specs/.gdignore",
        "wrote level_specs/first_cavern.level.yaml",
        "wrote level_specs/level.schema.json",
        "added lines to .gitattributes",
        "wrote exporter.yaml",
        "next: exporter watch game",
    ]
    assert main(["init", "game"]) == 0
    assert capsys.readouterr().out == "kept exporter.yaml\nnext: exporter watch game\n"


def test_the_next_command_can_be_copied(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert main(["init", "it's my game"]) == 0
    printed = capsys.readouterr().out
    assert 'open "it\'s my game"/project.godot in Godot' in printed
    assert printed.endswith('next: exporter watch "it\'s my game"\n')
    assert main(["init", "--extension", "halls", "my halls"]) == 0
    assert capsys.readouterr().out.endswith('exporter export "my halls"\n')
    monkeypatch.chdir(here / "it's my game")
    assert main(["init"]) == 0
    assert capsys.readouterr().out.endswith("next: exporter watch\n")


def test_every_file_of_the_game_stays_as_it_was(here: Path) -> None:
    game = a_godot_game(here)
    before = files(game)
    assert main(["init", "--plugin"]) == 0
    assert main(["export"]) == 0
    after = files(game)
    changed = {name for name, data in before.items() if after[name] != data}
    assert changed == {".gitattributes"}
    assert after[".gitattributes"].startswith(b"* text=auto\r\n*.png binary\r\n# Level Exporter")
    added = {name for name in after if name not in before and not name.startswith(".exporter/")}
    ours = ("level_specs/", "generated/levels/", "addons/level_exporter/", "exporter.yaml")
    assert all(name.startswith(ours) for name in added)
    assert "generated/levels/first_cavern.tscn" in added
    assert "addons/level_exporter/plugin.cfg" in added


def test_a_second_run_changes_nothing(here: Path) -> None:
    a_godot_game(here)
    assert main(["init", "--plugin", "--template", "island"]) == 0
    before = files(here)
    assert main(["init", "--plugin", "--template", "island", "--engine", "godot"]) == 0
    assert files(here) == before


def test_several_games_one_folder_down_export_at_once(here: Path) -> None:
    a_godot_game(here / "My Game, v2")
    a_godot_game(here / "demo")
    for name in ("Assets", "ProjectSettings"):
        (here / "u" / name).mkdir(parents=True)
    assert main(["init", "--plugin"]) == 0
    assert main(["export"]) == 0
    for position in ("My Game, v2/levels_exported", "demo/levels_exported", "u/Assets/Levels"):
        assert (here / position / "first_cavern.lvb").exists()
    for location in ("My Game, v2/addons", "demo/addons", "u/Packages"):
        assert (here / location).is_dir()
    assert files(here / "demo" / "levels").keys() == {"one.tscn"}


@pytest.mark.parametrize("name", ["map.tmx", "world.ldtk"])
def test_folders_of_other_programs_export_at_once(here: Path, name: str) -> None:
    (here / name).write_text("")
    assert main(["init"]) == 0
    assert main(["export"]) == 0
    assert (here / "tiled" / "first_cavern.tmj").exists()
    assert (here / "ldtk" / "first_cavern" / "data.json").exists() == name.endswith("ldtk")


def test_git_sees_no_state_and_every_output(here: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=here, check=True)
    assert main(["init", "--engine", "tiled"]) == 0
    assert main(["export"]) == 0
    text = subprocess.run(
        ["git", "status", "--porcelain", "-uall"], cwd=here, check=True, capture_output=True
    ).stdout.decode()
    assert ".exporter/" not in text
    assert not (here / ".gitignore").exists()
    for name in ("tiled/first_cavern.lvb", "levels/first_cavern.level.yaml", "exporter.yaml"):
        assert f"?? {name}\n" in text


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["--engine", "godt"], "did you mean 'godot'"),
        (["--template", "isle"], "did you mean 'island'"),
        (["--template", "zzz"], "known: caves, caves-classic, "),
        (["--plugin"], "there is no Godot project in . or one folder below"),
        (["file"], "file is a file, not a folder"),
    ],
)
def test_what_cannot_be_is_a_wrong_usage_and_writes_nothing(
    here: Path, arguments: list[str], reported: str, capsys: Capture
) -> None:
    (here / "file").write_text("")
    assert main(["init", *arguments]) == 2
    assert reported in capsys.readouterr().err
    assert files(here).keys() == {"file"}


def test_no_game_is_started_in_the_source_of_the_exporter(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    source = Path(__file__).resolve().parents[2]
    before = sorted(path.name for path in source.iterdir())
    monkeypatch.chdir(source)
    assert main(["init"]) == 2
    output = capsys.readouterr().err
    assert f"{source} is the source code of the exporter, not a game" in output
    assert f"exporter init {Path('..') / 'my-game'})" in output
    assert sorted(path.name for path in source.iterdir()) == before
    # A folder in it is a folder like any other.
    assert main(["init", str(here / "game")]) == 0


def test_a_project_with_errors_is_reported_and_left_alone(here: Path, capsys: Capture) -> None:
    (here / "exporter.yaml").write_text("targets: 3\n")
    assert main(["init"]) == 1
    assert capsys.readouterr().err.startswith("exporter.yaml:1:10: error: ")
    assert files(here).keys() == {"exporter.yaml"}


def test_a_file_in_the_position_of_a_folder_stays(here: Path) -> None:
    (here / "levels").write_text("")
    (here / "level_specs").mkdir()
    assert main(["init"]) == 0
    assert (here / "levels").read_text() == ""
    assert (here / "level_specs" / "first_cavern.level.yaml").exists()


def test_a_file_system_that_refuses_is_reported(here: Path, capsys: Capture) -> None:
    (here / "deep").write_text("")
    assert main(["init", "deep/er"]) == 1
    assert "deep" in capsys.readouterr().err


def test_an_init_that_was_interrupted_can_be_run_again(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    a_godot_game(here / "whole")
    assert main(["init", "whole"]) == 0
    whole = files(here / "whole")
    from exporter.store.folder import Folder

    real = Folder.write
    for stop in range(5):
        game = a_godot_game(here / f"game{stop}")
        left = iter(range(stop))

        def write(folder: Folder, path: str, data: bytes, **more: bool) -> None:
            if next(left, None) is None:  # noqa: B023 - used in this very round
                raise KeyboardInterrupt
            real(folder, path, data, **more)

        with monkeypatch.context() as patch:
            patch.setattr(Folder, "write", write)
            with pytest.raises(KeyboardInterrupt):
                main(["init", str(game)])
        assert not (game / "exporter.yaml").exists()
        assert main(["init", str(game)]) == 0
        assert files(game) == whole
    capsys.readouterr()


def test_list_templates_names_every_template_with_its_summary(capsys: Capture) -> None:
    names = level_template_names()
    assert len(names) > 20
    assert main(["init", "--list-templates"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[::2] == names
    assert all(line.startswith("    ") and line.strip() for line in lines[1::2])
