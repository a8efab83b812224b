"""`exporter table`: files of records become tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from exporter.cli import table
from exporter.cli.main import main
from exporter.formats.tables.files import TABLE_FORMATS
from exporter.tables.table import PlainType

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "monsters.csv").write_text("name,hp\nrat,3\nghost,\n")
    (tmp_path / "loot.json").write_text('[{"name": "gem", "worth": 12}]')
    return tmp_path


def test_the_command_knows_every_format_and_type() -> None:
    assert table.FORMATS == TABLE_FORMATS
    assert get_args(PlainType) == table.TYPES


def test_records_become_files_of_every_format(here: Path, capsys: Capture) -> None:
    assert main(["table", "monsters.csv", "loot.json", "-o", "out"]) == 0
    assert sorted(path.name for path in (here / "out").iterdir()) == sorted(
        f"{name}.{suffix}"
        for name in ("monsters", "loot")
        for suffix in ("json", "csv", "xsd", "xml")
    )
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "monsters: 2 rows of name text, hp integer?"
    assert told[1] == f"  {Path('out/monsters.json')}"


def test_what_was_written_can_be_converted_again(here: Path) -> None:
    assert main(["table", "monsters.csv", "-o", "one"]) == 0
    for suffix in ("json", "csv", "xml"):
        assert main(["table", f"one/monsters.{suffix}", "-o", f"from_{suffix}"]) == 0
        for path in (here / "one").iterdir():
            assert (here / f"from_{suffix}" / path.name).read_bytes() == path.read_bytes()


def test_the_report_comes_as_json(here: Path, capsys: Capture) -> None:
    assert main(["table", "loot.json", "-o", "out", "--format", "csv", "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)["tables"]
    assert report == {
        "table": "loot",
        "columns": [
            {"name": "name", "type": "text", "nullable": False},
            {"name": "worth", "type": "integer", "nullable": False},
        ],
        "rows": 1,
        "outputs": [
            {
                "path": "out/loot.csv",
                "kind": "table",
                "bytes": (here / "out" / "loot.csv").stat().st_size,
            }
        ],
    }
    assert [path.name for path in (here / "out").iterdir()] == ["loot.csv"]


def test_nothing_is_written_over_unless_asked(here: Path, capsys: Capture) -> None:
    before = (here / "monsters.csv").read_bytes()
    assert main(["table", "loot.json", "monsters.csv"]) == 1
    assert "exists and has another content" in capsys.readouterr().err
    assert sorted(path.name for path in here.iterdir()) == ["loot.json", "monsters.csv"]
    assert (here / "monsters.csv").read_bytes() == before
    assert main(["table", "monsters.csv", "--overwrite"]) == 0
    assert (here / "monsters.csv").read_bytes() != before


def test_name_and_types_can_be_given(here: Path, capsys: Capture) -> None:
    arguments = ["--name", "beasts", "--type", "hp=number?", "--format", "json", "-o", "out"]
    assert main(["table", "monsters.csv", *arguments]) == 0
    document = json.loads((here / "out" / "beasts.json").read_text())
    assert document["table"] == "beasts"
    assert document["records"][0]["hp"] == 3.0
    assert "hp number?" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["none.csv"], 1, "none.csv:1:1: error: cannot be read"),
        (["monsters.csv", "--type", "hp=text"], 1, "monsters.csv:3:7: error: column 'hp'"),
        (["monsters.csv", "--type", "mp=text"], 1, "unknown column 'mp'"),
        (["monsters.csv", "--name", "two words"], 1, "cannot name a table"),
        (["monsters.csv", "loot.json", "--name", "x"], 2, "--name allows only one file"),
        (["monsters.csv", "deep/Monsters.csv"], 2, "another table called 'Monsters'"),
    ],
)
def test_what_cannot_be_done_is_told(
    here: Path, capsys: Capture, arguments: list[str], code: int, told: str
) -> None:
    (here / "deep").mkdir()
    (here / "deep" / "Monsters.csv").write_text("a\n1\n")
    assert main(["table", *arguments, "-o", "out"]) == code
    assert told in capsys.readouterr().err
    assert not (here / "out").exists()


@pytest.mark.parametrize(
    "arguments", [["--format", "yaml"], ["--type", "hp"], ["--type", "hp=date"], ["--format", ""]]
)
def test_unknown_words_are_a_wrong_usage(here: Path, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["table", "monsters.csv", *arguments])
    assert caught.value.code == 2
