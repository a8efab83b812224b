"""The page on comparing levels: its commands are good, its example and its keys are true."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

import exporter
from exporter.cli.main import command_parser, main, parse

PAGE = (Path(exporter.__file__).parent / "docs" / "how-to" / "compare.md").read_text(
    encoding="utf-8"
)
CRYPT = """size: [32, 18]
seed: 2
layers:
  ground: {generator: cellular_caves, connect: guaranteed}
visibility: {radius: 6}
objects: [{name: stairs_up}, {name: chest, count: 2, spacing: 6}]
"""


@pytest.fixture
def crypt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "crypt.level.yaml"
    path.write_text(CRYPT)
    return path


def test_the_commands_of_the_page_are_good() -> None:
    commands = re.findall(r"^    (?:\$ )?exporter (diff .*?)(?: {2,}#.*)?$", PAGE, re.M)
    assert len(commands) == 8
    for command in commands:
        parse(command_parser(), shlex.split(command))


def test_the_example_of_the_page_is_what_is_printed(
    crypt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = re.search(r"^    \$ exporter (.*)\n((?:    .*\n)+)", PAGE, re.M)
    assert result is not None
    assert main(shlex.split(result[1])) == 1
    printed = capsys.readouterr().out
    displayed = "".join(line[4:] + "\n" for line in result[2].splitlines())
    assert printed == displayed


def test_the_page_names_every_key_of_the_document(
    crypt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = CRYPT.replace("seed: 2", "seed: 7").replace("name: chest", "name: urn")
    crypt.with_name("exporter.yaml").write_text("targets:\n  tiled: {path: tiled}\n")
    crypt.with_name("b.level.yaml").write_text(
        other + "tables: {loot: {columns: {name: text}, rows: [[axe]]}}\n"
        "puzzles: {vault: {kind: sudoku, clues: 40}}\nproperties: {music: dark}\n"
    )
    assert main(["diff", "crypt.level.yaml", "b.level.yaml", "--json", "-o", "d.png"]) == 1
    document = json.loads(capsys.readouterr().out)
    section = PAGE.partition("## The document")[2]
    outer = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", section, re.M)
    assert {name for row in outer for name in re.findall(r"`(\w+)`", row)} == {*document}
    named = set(re.findall(r"`(\w+)`", section))
    (layer,) = document["layers"]["changed"]
    for part in (
        document["now"],
        document["layers"],
        document["objects"],
        document["objects"]["added"][0],
        document["visibility"],
        document["tables"][0],
        document["puzzles"][0],
        document["properties"][0],
        next(iter(document["metrics"].values())),
        layer,
        layer["cells"],
    ):
        assert {*part} <= named, part
