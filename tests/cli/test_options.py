"""Options that mean the same on every command, and arguments that are wrong."""

from __future__ import annotations

import argparse
import gc
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cases import each_case
from daemon_harness import Project
from exporter.__main__ import run
from exporter.cli.arguments import leaf_parsers
from exporter.cli.completion import SHELLS
from exporter.cli.completion_scripts import SCRIPTS, described
from exporter.cli.main import command_parser, main, parse
from exporter.console.problems import MAXIMUM_ERRORS

WRONG = "size: [12, 12]\n{keys}\nlayers: {{ground: {{generator: cellular_caves}}}}\n"
LEAVES = dict(leaf_parsers(command_parser()))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, "targets:\n  tiled: {path: tiled}\n")
    project.write("cave")
    monkeypatch.chdir(tmp_path)
    return project


def wrong(project: Project, name: str, count: int) -> None:
    """Write a spec with so many mistakes."""
    keys = "\n".join(f"wrong{number}: 1" for number in range(count))
    project.spec(name).write_text(WRONG.format(keys=keys))


def options_of(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Return the options of a command by their long names."""
    return {
        name: action
        for action in parser._actions
        for name in action.option_strings
        if name.startswith("--")
    }


def test_the_help_lists_the_commands_in_groups() -> None:
    text = command_parser().format_help()
    assert "\nEveryday:\n  init  " in text
    assert "\nLook and choose:\n  preview  " in text
    assert "\nTools:\n  inspect  " in text
    assert max(map(len, text.splitlines())) <= 80


@each_case("words", list(LEAVES))
def test_the_help_of_a_command_has_examples_that_can_be_typed(words: tuple[str, ...]) -> None:
    text = LEAVES[words].format_help()
    assert text.startswith(f"usage: exporter {' '.join(words)} ")
    _, result, examples = text.partition("Examples:\n")
    assert result
    for line in examples.splitlines():
        program, *arguments = shlex.split(line.partition(" > ")[0])
        assert program == "exporter"
        assert arguments[: len(words)] == list(words)
        parse(command_parser(), arguments)


# Texts that differ because their meaning does.
OWN_WORDS = {
    ("--json", ("serve",)),
    ("--json", ("watch",)),
    ("--dry-run", ("clean",)),
}


def test_an_option_has_the_same_words_on_every_command() -> None:
    shared = (
        "--color", "--json", "--jobs", "--quiet", "--verbose", "--timings", "--max-errors",
        "--max-seconds", "--overwrite", "--annotations",
    )  # fmt: skip
    for option in shared:
        helps = {
            words: action.help
            for words, parser in LEAVES.items()
            for name, action in options_of(parser).items()
            if name == option and (option, words) not in OWN_WORDS
        }
        assert helps, option
        assert len(set(helps.values())) == 1, helps


def test_every_command_takes_color_and_every_option_has_a_help() -> None:
    for words, parser in LEAVES.items():
        options = options_of(parser)
        assert "--color" in options, words
        assert all(action.help for action in options.values()), words


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["exprot"], "exporter: there is no command 'exprot' (did you mean 'export'?)\n"),
        (
            ["sudoku", "slove"],
            "exporter sudoku: there is no action 'slove' (did you mean 'solve'?)\n",
        ),
        (
            ["export", "--ovewrite"],
            "exporter export: there is no option '--ovewrite' (did you mean '--overwrite'?)\n",
        ),
        (
            ["export", "--jbos=3"],
            "exporter export: there is no option '--jbos' (did you mean '--jobs'?)\n",
        ),
        (
            ["check", "--max-error", "3"],
            "exporter check: there is no option '--max-error' (did you mean '--max-errors'?)\n",
        ),
        (
            ["check", "--zzz"],
            "exporter check: there is no option '--zzz' (see `exporter check --help`)\n",
        ),
        (
            ["export", "a", "b"],
            "exporter export: unexpected argument 'b' (see `exporter export --help`)\n",
        ),
        (
            ["export", "--jobs", "two"],
            "exporter export: argument --jobs: 'two' is not a whole number of 1 or more "
            "(see `exporter export --help`)\n",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_argument_is_reported_in_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    captured = capsys.readouterr()
    assert captured.err == said
    assert captured.out == ""


def test_an_unknown_command_without_a_similar_one_lists_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["frobnicate"])
    assert "(known: init, watch, serve," in capsys.readouterr().err


def test_silent_and_verbose_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["export", "--quiet", "--verbose"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("command", ["export", "check"])
def test_no_more_errors_are_reported_than_requested(
    project: Project, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong(project, "first", 7)
    wrong(project, "second", 8)
    assert main([command, "--max-errors", "9"]) == 1
    output = capsys.readouterr().err
    assert output.count(": error: ") == 9
    assert "\nand 6 more (--max-errors)\n" in output
    assert main([command, "--max-errors", "15"]) == 1
    output = capsys.readouterr().err
    assert output.count(": error: ") == 15
    assert "--max-errors" not in output
    assert main([command]) == 1
    assert capsys.readouterr().err.count(": error: ") == MAXIMUM_ERRORS


def test_json_has_every_error(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    wrong(project, "many", 14)
    assert main(["export", "--json", "--max-errors", "2"]) == 1
    levels = json.loads(capsys.readouterr().out)["levels"]
    assert len({level["level"]: level for level in levels}["many"]["errors"]) == 14


def test_warnings_are_counted_apart(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    main(["export"])
    for path in project.root.glob("tiled/cave.*"):
        path.write_text("mine")
    capsys.readouterr()
    assert main(["export", "--max-errors", "2"]) == 0
    output = capsys.readouterr().err
    assert output.count(": warning: kept") == 2
    assert "more warnings (--max-errors)" in output


def test_silent_tells_only_errors_and_warnings(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong(project, "bad", 1)
    assert main(["export", "--quiet"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("levels/bad.level.yaml:2:1: error: ")
    assert captured.err.count("\n") == 3  # the error, its line and the caret
    project.spec("bad").unlink()
    for command in ("export", "check"):
        assert main([command, "--quiet"]) == 0
        assert capsys.readouterr() == ("", "")


def test_verbose_tells_causes_paths_and_what_is_unchanged(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write("isle")
    main(["export", "--verbose"])
    output = capsys.readouterr().out
    assert "cave: 5 files, 5 written in " in output
    assert "(spec changed: levels/cave.level.yaml)\n" in output
    assert "\n  tiled/cave.tmj\n" in output
    project.write("isle", seed=2)
    main(["export", "--verbose"])
    output = capsys.readouterr().out
    assert "cave: unchanged, 5 files\n" in output
    main(["export", "--force", "--verbose"])
    assert "(--force)" in capsys.readouterr().out
    main(["check", "--verbose"])
    assert "levels/cave.level.yaml: no problems\n" in capsys.readouterr().out


def test_timings_are_a_table_of_every_level_and_stage(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.spec("isle").write_text(
        "size: [12, 12]\nlayers: {ground: {generator: cellular_caves}}\n"
        "visibility: {radius: 3}\nobjects: [{name: chest}]\n"
    )
    assert main(["export", "--timings"]) == 0
    head, *rows = (line.split("  ") for line in capsys.readouterr().out.splitlines())
    while head[0] != "level":
        head, *rows = rows
    text = "\n".join(" ".join(filter(None, row)) for row in rows)
    for stage in ("read", "layer ground", "objects", "sight", "target tiled", "write", "total"):
        assert f"\n{stage} " in text.replace("isle ", "\n"), stage
    assert "all levels read" in text


def test_timings_are_in_the_document_when_requested_for(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "--json", "--timings"]) == 0
    (level,) = json.loads(capsys.readouterr().out)["levels"]
    stages = [item["stage"] for item in level["timings"]]
    assert stages == ["read", "layer ground", "target tiled", "tileset", "write"]
    assert all(item["seconds"] >= 0 for item in level["timings"])
    assert main(["export", "--json"]) == 0
    (level,) = json.loads(capsys.readouterr().out)["levels"]
    assert "timings" not in level


def test_a_dropped_target_is_reported_once(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = project.root / "exporter.yaml"
    before = settings.read_text()
    settings.write_text(before + "  godot: {path: godot}\n")
    main(["export"])
    settings.write_text(before)
    capsys.readouterr()
    main(["export"])
    output = capsys.readouterr().err
    assert "exporter.yaml has no target 'godot' any more: " in output
    assert "`exporter clean --stale` removes them" in output
    settings.write_text(before + "# a comment\n")
    main(["export"])
    assert "no target" not in capsys.readouterr().err


def test_a_renamed_target_that_keeps_its_folder_is_not_dropped(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["export"])
    settings = project.root / "exporter.yaml"
    settings.write_text(settings.read_text().replace("tiled: {", "maps: {engine: tiled, "))
    main(["export"])
    assert "no target" not in capsys.readouterr().err


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_completed(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert script == SCRIPTS[shell](described(command_parser()))
    for words, parser in LEAVES.items():
        assert all(word in script for word in words)
        for option in options_of(parser):
            assert (f"-l {option[2:]}" if shell == "fish" else option) in script


def completed(*words: str) -> list[str]:
    """Return bash's completions of the last word."""
    script = SCRIPTS["bash"](described(command_parser()))
    quoted = " ".join(f"'{word}'" for word in ("exporter", *words))
    requested = (
        f"{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _exporter\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", requested], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "result"),
    [
        (["exp"], ["export"]),
        (["export", "--ov"], ["--overwrite"]),
        (["export", "--color", ""], ["auto", "always", "never"]),
        (["export", "--color", "al"], ["always"]),
        (["sudoku", "s"], ["solve"]),
        (["sudoku", "make", "--cl"], ["--clues"]),
        (["completion", ""], [*SHELLS, "-h", "--help", "--color"]),
        (["export", ""], []),  # files
        (["export", "watch", "--tak"], []),  # a folder called like a command
    ],
    ids=lambda words: " ".join(words),
)
def test_bash_completes(words: list[str], result: list[str]) -> None:
    assert completed(*words) == result


def test_what_an_interrupt_leaves_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], project: Project
) -> None:
    from exporter.export import checking

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(checking, "check_paths", interrupted)
    monkeypatch.setattr(sys, "argv", ["exporter", "check"])
    for name in ("freeze", "set_threshold"):
        monkeypatch.setattr(gc, name, lambda *_: None)
    assert run() == 130
    assert capsys.readouterr() == ("", "interrupted\n")
