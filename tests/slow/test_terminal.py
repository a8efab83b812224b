"""Output in a terminal: colours, a bar that moves, the end by Ctrl+C; and in a pipe."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from command_line import run
from daemon_harness import Project

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

from terminal import in_terminal

WRONG = "size: [12, 12]\nsede: 1\nlayers: {ground: {generator: cellular_caves}}\n"
ESCAPE = "\x1b"
# Long in one loop of a compiled kernel, which lets nothing else run in its process.
LONG = """size: [64, 64]
layers:
  relief: {generator: heightmap, droplets: 10000000}
"""
AT_ONCE = "import exporter.console.progress as p; p.PROGRESS_AFTER = p.TICK_SECONDS = 0.001"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path, "targets:\n  tiled: {path: tiled}\n")
    project.write("cave")
    return project


def test_errors_warnings_carets_and_levels_have_colours_in_a_terminal(project: Project) -> None:
    project.spec("wrong").write_text(WRONG)
    displayed = in_terminal("export", "--jobs", "1", folder=project.root)
    assert displayed.exit_code == 1
    assert f"{ESCAPE}[1;31merror:{ESCAPE}[0m unknown key 'sede'" in displayed.text
    assert f"| {ESCAPE}[1;31m^^^^{ESCAPE}[0m" in displayed.text
    assert f"{ESCAPE}[1mcave{ESCAPE}[0m: 5 files" in displayed.text
    (project.root / "tiled" / "cave.tmj").write_text("mine")
    displayed = in_terminal("export", folder=project.root)
    assert f"tiled/cave.tmj: {ESCAPE}[1;33mwarning:{ESCAPE}[0m kept" in displayed.text


# Each is a command of its own in one process: a start of Python takes longer than all of them.
COLOURLESS = """
import os
from exporter.cli.main import main
for words, variables in (
    ([], {"NO_COLOR": "1"}),
    ([], {"TERM": "dumb"}),
    (["--color", "never"], {}),
    (["--json"], {}),
    (["--json", "--color", "always"], {}),
):
    os.environ |= {"TERM": "xterm-256color", **variables}
    print(main(["check", *words]))
    os.environ.pop("NO_COLOR", None)
"""


def test_terminal_shows_no_colours_where_they_are_not_requested(project: Project) -> None:
    project.spec("wrong").write_text(WRONG)
    displayed = in_terminal("--version", folder=project.root, before=COLOURLESS)
    assert displayed.text.count("unknown key 'sede'") >= 5
    assert displayed.lines.count("1") == 5
    assert ESCAPE not in displayed.text


def test_a_pipe_gets_colours_only_when_requested_to(project: Project) -> None:
    project.spec("wrong").write_text(WRONG)
    plain = run("export", str(project.root))
    assert "wrong.level.yaml:2:1: error: unknown key 'sede'" in plain.stderr
    assert ESCAPE not in plain.stdout + plain.stderr
    always = run("check", str(project.root), "--color", "always")
    assert f"{ESCAPE}[1;31merror:{ESCAPE}[0m" in always.stderr
    unknown = run("export", "--color", "always", "nowhere")
    assert unknown.stderr.startswith(f"{ESCAPE}[1;31mexporter:{ESCAPE}[0m there is no folder")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_bar_moves_within_a_long_level_and_ctrl_c_ends_it_at_once(
    project: Project, jobs: str
) -> None:
    project.spec("cave").write_text(LONG)
    project.spec("isle").write_text(LONG)
    displayed = in_terminal(
        "export",
        "--jobs",
        jobs,
        folder=project.root,
        interrupt_at=lambda text: "layer relief 2 s" in text,
    )
    line = r"\r[|/\\-] \[\.{24}\] 0 of 2 levels; (cave|isle): layer relief 1 s"
    assert re.search(line, displayed.text)
    assert set(re.findall(r"\r([|/\\-]) \[", displayed.text)) == set("|/-\\")
    assert displayed.exit_code == 130
    assert displayed.lines == ["interrupted: 0 of 2 levels were exported"]
    assert not list(project.root.glob("tiled/*"))


def test_one_level_alone_shows_its_stage(project: Project) -> None:
    project.spec("cave").write_text(LONG)
    displayed = in_terminal(
        "export", folder=project.root, interrupt_at=lambda text: "layer relief 1 s" in text
    )
    assert re.search(r"\r[|/\\-] cave: layer relief 1 s", displayed.text)
    assert displayed.lines == ["interrupted: 0 of 1 level was exported"]


def test_the_bar_is_removed_at_the_end(project: Project) -> None:
    project.write("isle")
    displayed = in_terminal("export", folder=project.root, before=AT_ONCE)
    assert re.search(r"\r[|/\\-] \[", displayed.text)
    assert [line.partition(":")[0] for line in displayed.lines] == ["cave", "isle", "2 levels"]


def test_a_search_shows_how_many_levels_it_has_tried(project: Project) -> None:
    arguments = ("seeds", str(project.spec("cave")), "--budget", "400", "--where", "farthest > 999")
    displayed = in_terminal(*arguments, folder=project.root, before=AT_ONCE)
    assert re.search(r"\r[|/\\-] \[#*\.*\] [0-9]+ of 400 levels", displayed.text)
    assert len(displayed.lines) == 1


@pytest.mark.parametrize("arguments", [("--quiet",), ("--json",)])
def test_no_bar_where_it_is_not_requested(project: Project, arguments: tuple[str, ...]) -> None:
    displayed = in_terminal("export", *arguments, folder=project.root, before=AT_ONCE)
    assert displayed.exit_code == 0
    assert ESCAPE not in displayed.text
    if arguments == ("--quiet",):
        assert displayed.text == ""


def test_a_pipe_and_a_dumb_terminal_get_no_bar(project: Project) -> None:
    displayed = in_terminal("export", folder=project.root, before=AT_ONCE, TERM="dumb")
    assert displayed.exit_code == 0
    assert "\r" not in displayed.text.replace("\r\n", "\n")
    assert run("export", str(project.root), "--force").stderr == ""


def test_an_interrupted_export_still_prints_its_document(project: Project) -> None:
    project.spec("isle").write_text(LONG)
    displayed = in_terminal(
        "export",
        "--json",
        folder=project.root,
        before="from exporter.console.json_reports import JsonDocument as document\n"
        "report = document.report\n"
        "document.report = lambda self, event: (report(self, event), print(event, flush=True))",
        interrupt_at=lambda text: "isle" in text and "stage='layer relief'" in text,
    )
    assert displayed.exit_code == 130
    assert '"interrupted": true' in displayed.text
    assert '"level": "cave"' in displayed.text


def test_ctrl_c_ends_a_watch_in_one_line(project: Project) -> None:
    displayed = in_terminal(
        "watch", folder=project.root, interrupt_at=lambda text: "Ctrl+C stops" in text
    )
    assert displayed.exit_code == 130
    first, *_, last = displayed.lines
    written = r"\d\d:\d\d:\d\d cave: spec changed, 5 of 5 files written in (\d+ ms|\d+\.\d s)"
    assert re.fullmatch(written, first)  # a busy machine takes seconds
    assert last == "interrupted: the watch was stopped"
