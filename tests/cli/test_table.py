"""`exporter table`: files of records become tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from exporter.cli import table
from exporter.cli.main import main
from exporter.formats.tables.files import TABLE_FORMATS
from exporter.model.tables.table import PlainType

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
    output = capsys.readouterr().out.splitlines()
    assert output[0] == "monsters: 2 rows of name text, hp integer?"
    assert output[1] == f"  {Path('out/monsters.json')}"


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


def test_nothing_is_written_over_unless_requested(here: Path, capsys: Capture) -> None:
    (here / "out").mkdir()
    (here / "out" / "monsters.csv").write_text("by hand")
    command = ["table", "loot.json", "monsters.csv", "-o", "out"]
    assert main(command) == 2
    output = capsys.readouterr().err
    assert "exists already (name another file, or use --overwrite)" in output
    assert [path.name for path in (here / "out").iterdir()] == ["monsters.csv"]
    assert (here / "out" / "monsters.csv").read_text() == "by hand"
    assert main([*command, "--overwrite"]) == 0
    assert (here / "out" / "monsters.csv").read_text() != "by hand"


def test_name_and_types_can_be_given(here: Path, capsys: Capture) -> None:
    arguments = ["--name", "beasts", "--type", "hp=number?", "--format", "json", "-o", "out"]
    assert main(["table", "monsters.csv", *arguments]) == 0
    document = json.loads((here / "out" / "beasts.json").read_text())
    assert document["table"] == "beasts"
    assert document["records"][0]["hp"] == 3.0
    assert "hp number?" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "reported"),
    [
        (["none.csv"], 2, "there is no file 'none.csv'"),
        (["monsters.csv", "--type", "hp=text"], 1, "monsters.csv:3:7: error: column 'hp'"),
        (["monsters.csv", "--type", "mp=text"], 1, "unknown column 'mp'"),
        (["monsters.csv", "--name", "two words"], 2, "cannot name a table"),
        (
            ["monsters.csv", "loot.json", "--name", "x"],
            2,
            "--name cannot name several tables (give one file)",
        ),
        (["monsters.csv", "deep/Monsters.csv"], 2, "another table called 'Monsters'"),
    ],
)
def test_what_cannot_be_done_is_reported(
    here: Path, capsys: Capture, arguments: list[str], code: int, reported: str
) -> None:
    (here / "deep").mkdir()
    (here / "deep" / "Monsters.csv").write_text("a\n1\n")
    assert main(["table", *arguments, "-o", "out"]) == code
    assert reported in capsys.readouterr().err
    assert not (here / "out").exists()


@pytest.mark.parametrize(
    "arguments", [["--format", "yaml"], ["--type", "hp"], ["--type", "hp=date"], ["--format", ""]]
)
def test_unknown_words_are_a_wrong_usage(here: Path, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["table", "monsters.csv", *arguments])
    assert caught.value.code == 2


@pytest.mark.parametrize("more", [[], ["--overwrite"]])
def test_a_source_is_never_written_over(here: Path, more: list[str], capsys: Capture) -> None:
    (here / "own.json").write_text('[{"a": 3}]')
    assert main(["table", "own.json", *more]) == 2
    assert "its own source" in capsys.readouterr().err
    assert (here / "own.json").read_text() == '[{"a": 3}]'
    assert not (here / "own.csv").exists()


def test_a_source_is_known_under_every_name(here: Path, capsys: Capture) -> None:
    source = '[{"a": 3}]'
    (here / "deep").mkdir()
    (here / "deep" / "own.json").write_text(source)
    (here / "soft").symlink_to("deep")
    (here / "hard").mkdir()
    (here / "hard" / "own.json").hardlink_to(here / "deep" / "own.json")
    for folder in ("deep", "soft", "hard", "deep/../deep"):
        assert main(["table", "deep/own.json", "-o", folder, "--overwrite"]) == 2
        assert "its own source" in capsys.readouterr().err
    assert (here / "deep" / "own.json").read_text() == source
    assert len(list((here / "deep").iterdir())) == 1


def test_a_schema_that_was_read_is_never_written_over(here: Path, capsys: Capture) -> None:
    assert main(["table", "monsters.csv", "-o", "one"]) == 0
    (here / "one" / "monsters.xml").rename(here / "one" / "monsters.XML")
    schema = here / "one" / "monsters.xsd"
    schema.write_bytes(schema.read_bytes().replace(b"  <", b" <"))
    before = schema.read_bytes()
    for more in ([], ["--overwrite"]):
        assert main(["table", "one/monsters.XML", "-o", "one", *more]) == 2
        assert "its own source" in capsys.readouterr().err
    assert schema.read_bytes() == before


def test_a_folder_in_the_position_of_a_file_is_a_wrong_usage(here: Path, capsys: Capture) -> None:
    (here / "out" / "monsters.csv").mkdir(parents=True)
    assert main(["table", "monsters.csv", "-o", "out", "--overwrite"]) == 2
    assert "is not a regular file (name another file)" in capsys.readouterr().err
    assert [path.name for path in (here / "out").iterdir()] == ["monsters.csv"]


def test_files_and_names_that_cannot_be_are_a_wrong_usage(here: Path, capsys: Capture) -> None:
    (here / "own.json").write_text('[{"a": 3}]')
    assert main(["table", "none.json"]) == 2
    assert "there is no file 'none.json'" in capsys.readouterr().err
    assert main(["table", "own.json", "--name", "../x"]) == 2
    assert "cannot name a table" in capsys.readouterr().err
    assert main(["table", "own.json", "--name", "con", "-o", "out"]) == 1
    assert "device name" in capsys.readouterr().err


def test_a_type_of_an_unknown_column_names_the_column(here: Path, capsys: Capture) -> None:
    (here / "own.json").write_text('[{"hp": 3}]')
    assert main(["table", "own.json", "-o", "out", "--type", "hq=integer"]) == 1
    assert "unknown column 'hq' (known: hp)" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "word"), [("id;code\n1;a\n", "semicolons"), ("a\tb\n", "tabs")])
def test_other_separators_are_named(here: Path, text: str, word: str, capsys: Capture) -> None:
    (here / "own.csv").write_text(text)
    assert main(["table", "own.csv", "-o", "out"]) == 1
    assert f"separated by {word}" in capsys.readouterr().err
