"""Every command and every piece of code of the pages is run, or says why not.

Which runner a snippet has is in `tests/harness/snippet_rules.py`. Snippets of engines run in
`tests/engines`: the GDScript in `test_godot_docs.py`, C# in `test_csharp_docs.py`, Lua and what
Tiled draws in `test_other_docs.py`.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from cases import each_case
from exporter.build.build import build_level
from exporter.build.world import World
from exporter.cli.main import COMMANDS, command_parser, main, parse
from exporter.project.settings_file import load_project
from exporter.reading.edits import parse_edits
from exporter.reading.reader import parse_level
from page_snippets import PAGES, ROOT, Snippet, commands_of, snippets, snippets_of
from snippet_projects import write_drawings, write_game, write_project
from snippet_rules import RULES, key_of, runner_of
from snippet_runners import Code, Commands, Compiled, Edits, Elsewhere, Listing, Settings, Spec

ALL = snippets()
# Commands that do not end, or need more than a test of a page has: they are parsed.
ENDLESS = ("watch", "serve")
ELSEWHERE = ("s3://", "/mnt/", "tcp://")
# Other programs in lines beside the exporter, and why they are not run.
OTHERS = {
    "git": "Git's own; the project of a reader is no copy of this one",
    "...": "what somebody does by hand",
}
# `diff` and `check` tell with 1 that there is something to tell.
TELLING = ("diff", "--check")


def with_runner(kind: type) -> list[pytest.param]:
    return [pytest.param(item, id=str(item)) for item in ALL if isinstance(runner_of(item), kind)]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with all that pages speak of, exported."""
    return write_project(tmp_path_factory.mktemp("project"))


@pytest.fixture
def project(original: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the project, as the working directory of the test."""
    folder = tmp_path / "project"
    shutil.copytree(original, folder)
    with contextlib.chdir(folder):
        yield folder


# --- every snippet has a runner ---------------------------------------------------------------


def test_every_snippet_has_a_runner_or_a_reason() -> None:
    without = [f"{item}: {item.text.splitlines()[0]}" for item in ALL if runner_of(item) is None]
    assert without == [], "give them a rule in tests/harness/snippet_rules.py"
    assert len(ALL) > 200


def test_every_rule_is_one_of_a_snippet() -> None:
    used = {(item.page, key_of(item)) for item in ALL}
    unused = [(page, key) for page, keys in RULES.items() for key in keys]
    assert [rule for rule in unused if rule not in used] == []


@each_case("snippet", with_runner(Elsewhere))
def test_what_is_run_elsewhere_is_read_there(snippet: Snippet) -> None:
    rule = runner_of(snippet)
    assert isinstance(rule, Elsewhere)
    words = rule.says or Path(snippet.page).name
    assert words in (ROOT / rule.file).read_text(encoding="utf-8")


def test_what_is_not_run_says_why() -> None:
    rules = [rule for rule in map(runner_of, ALL) if isinstance(rule, Listing)]
    assert all(rule.why for rule in rules)
    assert len(rules) < 30


def test_a_new_snippet_is_reported_with_its_page_and_line() -> None:
    text = "A page.\n\n```ruby\nputs 1\n```\n\n1. In a list:\n\n       exporter check\n\nmore\n"
    ruby, shell = snippets_of(text, "exporter/docs/how-to/steps.md")
    assert (str(ruby), ruby.language, ruby.text) == (
        "exporter/docs/how-to/steps.md:3",
        "ruby",
        "puts 1\n",
    )
    assert runner_of(ruby) is None
    assert (shell.line, shell.text) == (9, "exporter check\n")
    assert runner_of(shell) == Commands()


# --- commands ---------------------------------------------------------------------------------


@pytest.mark.parametrize("snippet", with_runner(Commands))
def test_commands_run(
    snippet: Snippet, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = runner_of(snippet)
    assert isinstance(rule, Commands)
    folder = project
    if rule.alone:
        folder = tmp_path / "empty"
        folder.mkdir()
    with contextlib.chdir(folder):
        for command in commands_of(snippet.text.replace(".venv/bin/", "")):
            program, *arguments = command.words
            if program in OTHERS:
                continue
            assert program == "exporter"
            parse(command_parser(), arguments)
            outside = any(word.startswith(ELSEWHERE) for word in arguments)
            if arguments[0] in ENDLESS or outside:
                continue
            capsys.readouterr()
            code = main(shortened(arguments))
            output = capsys.readouterr()
            allowed = (0, 1) if any(word in TELLING for word in arguments) else (0,)
            assert code in allowed, f"{command.words} ends with {code}: {output.err}"
            if command.output:
                (folder / command.output).write_text(output.out, encoding="utf-8")


def shortened(arguments: list[str]) -> list[str]:
    """Search among fewer levels than the page does."""
    if arguments[0] != "seeds":
        return arguments
    if "--prove" in arguments:
        return ["20" if word == "10000" else word for word in arguments]
    return [*arguments, *([] if "--budget" in arguments else ["--budget", "40"])]


def test_commands_within_sentences_are_good() -> None:
    """Apparent calls of the exporter in a sentence or a table can be typed."""
    seen = 0
    for page in PAGES:
        text = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
        for words in re.findall(r"`exporter ([a-z][^`]*)`", text):
            first, *rest = words.replace("\n", " ").split()
            assert first in COMMANDS, f"{page.name}: exporter {words}"
            options = [word.split("=")[0] for word in rest if word.startswith("--")]
            reported = help_of(first)
            for option in options:
                name = re.sub(r"[^a-z-].*$", "", option)
                assert name in reported, f"{page.name}: exporter {words}: {name}"
            seen += 1
    assert seen > 100


def help_of(command: str) -> str:
    """The help of a command and of its actions."""
    from exporter.cli.arguments import leaf_parsers

    leaves = leaf_parsers(command_parser())
    return "".join(item.format_help() for words, item in leaves if words[0] == command)


# --- specs and settings -----------------------------------------------------------------------


@each_case("snippet", with_runner(Spec))
def test_a_spec_can_be_built(snippet: Snippet, tmp_path: Path) -> None:
    rule = runner_of(snippet)
    assert isinstance(rule, Spec)
    text = snippet.text
    for old, new in rule.instead.items():
        assert old in text
        text = text.replace(old, new)
    under = textwrap.indent(textwrap.dedent(text), rule.under)
    content = f"{rule.before}{under}{rule.after}".encode()
    write_drawings(tmp_path)
    spec = parse_level(content, "page.level.yaml", tmp_path)
    if spec.chunk is None:
        assert build_level(spec).layers
    else:
        world = World(spec)
        known = world.surveyed()
        assert world.part(0, 0, known, world.grounds(known)).layers


@each_case("snippet", with_runner(Settings))
def test_settings_export_a_level(
    snippet: Snippet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_game(tmp_path)
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "cave.level.yaml").write_text(
        "size: [24, 18]\nlayers:\n  ground: {generator: cellular_caves}\nobjects: [{name: start}]\n"
    )
    (tmp_path / "exporter.yaml").write_text(snippet.text, encoding="utf-8")
    assert load_project(tmp_path).targets
    assert main(["export", str(tmp_path)]) == 0, capsys.readouterr().err


@each_case("snippet", with_runner(Edits))
def test_hand_edits_are_read(snippet: Snippet) -> None:
    edits = parse_edits(snippet.text.encode(), "wild.edits.yaml")
    assert edits.layers
    assert edits.objects


def test_the_message_of_the_commands_page_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (reported,) = [item.text for item in ALL if item.text.startswith("levels/crypt.level.yaml:4:5")]
    (tmp_path / "levels").mkdir()
    (tmp_path / "exporter.yaml").write_text("targets:\n  tiled: {path: tiled}\n")
    (tmp_path / "levels" / "crypt.level.yaml").write_text(
        "size: [8, 8]\nlayers:\n  ground:\n    wal_percent: 40\n    generator: cellular_caves\n"
    )
    with contextlib.chdir(tmp_path):
        assert main(["check"]) == 1
    assert reported in capsys.readouterr().err


def test_the_message_of_expressions_is_what_is_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (reported,) = [item.text for item in ALL if item.text.startswith("exporter: --where")]
    command = ["seeds", "levels/cave.level.yaml", "--where", "floor > 0 and farthst > 3"]
    assert main(command) == 2
    assert capsys.readouterr().err == reported


# --- Python -----------------------------------------------------------------------------------


@pytest.mark.parametrize("snippet", with_runner(Code))
def test_python_runs(snippet: Snippet, project: Path) -> None:
    rule = runner_of(snippet)
    assert isinstance(rule, Code)
    text = snippet.text
    for old, new in rule.instead.items():
        assert old in text
        text = text.replace(old, new)
    exec(compile(rule.before + text + rule.after, str(snippet), "exec"), {})


@each_case("snippet", with_runner(Compiled))
def test_parts_of_functions_compile(snippet: Snippet) -> None:
    rule = runner_of(snippet)
    assert isinstance(rule, Compiled)
    compile(rule.before + snippet.text, str(snippet), "exec")
