"""Tables outside of levels: written, kept and read back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

import exporter


@dataclass
class Monster:
    name: str
    hp: int | None


MONSTERS = exporter.table_from_records("monsters", [Monster("rat", 3), Monster("ghost", None)])
NAMES = ["monsters.json", "monsters.csv", "monsters.xsd", "monsters.xml"]


def test_a_table_is_written_in_every_format_and_read_back(tmp_path: Path) -> None:
    written = exporter.write_table(MONSTERS, tmp_path / "new" / "folder")
    assert [path.name for path in written] == NAMES
    for suffix in ("json", "csv", "xml"):
        path = tmp_path / "new" / "folder" / f"monsters.{suffix}"
        assert exporter.read_table(path) == MONSTERS
        assert exporter.read_table(str(path), name="other").name == "other"


def test_only_the_formats_that_are_requested_for_are_written(tmp_path: Path) -> None:
    written = exporter.write_table(MONSTERS, tmp_path, ["csv", "csv"])
    assert list(tmp_path.iterdir()) == list(written) == [tmp_path / "monsters.csv"]
    with pytest.raises(exporter.ExporterError, match=r"unknown table format 'cvs' .*'csv'"):
        exporter.write_table(MONSTERS, tmp_path, ["cvs"])


def test_what_exists_is_not_written_over_unless_requested(tmp_path: Path) -> None:
    (tmp_path / "monsters.xml").write_text("mine")
    with pytest.raises(exporter.ExporterError, match=r"monsters\.xml exists"):
        exporter.write_table(MONSTERS, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["monsters.xml"]
    assert (tmp_path / "monsters.xml").read_text() == "mine"
    exporter.write_table(MONSTERS, tmp_path, overwrite=True)
    assert exporter.read_table(tmp_path / "monsters.xml") == MONSTERS


def test_a_file_with_the_same_content_is_left_alone(tmp_path: Path) -> None:
    exporter.write_table(MONSTERS, tmp_path)
    times = [(tmp_path / name).stat().st_mtime_ns for name in NAMES]
    exporter.write_table(MONSTERS, tmp_path)
    exporter.write_table(MONSTERS, tmp_path, overwrite=True)
    assert [(tmp_path / name).stat().st_mtime_ns for name in NAMES] == times


def test_what_the_file_system_refuses_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(exporter.ExporterError, match="file"):
        exporter.write_table(MONSTERS, tmp_path / "file")
    (tmp_path / "monsters.json").mkdir()
    with pytest.raises(exporter.ExporterError, match=r"monsters\.json"):
        exporter.write_table(MONSTERS, tmp_path, overwrite=True)


def test_a_name_that_cannot_name_files_is_refused(tmp_path: Path) -> None:
    odd = exporter.Table("../monsters", MONSTERS.columns, MONSTERS.rows)
    with pytest.raises(exporter.ExporterError, match="cannot name a file"):
        exporter.write_table(odd, tmp_path / "inside")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "reported"),
    [
        ("a.txt", b"", r"tables are read from \.json, \.csv, \.xml files"),
        ("two words.csv", b"a\n", "'two words' cannot name a table"),
        ("a.xml", b"<a/>", r"a\.xsd:1:1: error: cannot be read"),
        ("a.csv", b"", "the file is empty"),
    ],
)
def test_a_file_that_holds_no_table_is_reported(
    tmp_path: Path, name: str, content: bytes, reported: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(exporter.SpecError, match=reported):
        exporter.read_table(tmp_path / name)


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(exporter.SpecError, match=r"none\.csv:1:1: error: cannot be read"):
        exporter.read_table(tmp_path / "none.csv")


def test_types_can_be_given_where_the_file_has_none(tmp_path: Path) -> None:
    (tmp_path / "codes.csv").write_text("code,n\n12,1\n")
    table = exporter.read_table(tmp_path / "codes.csv", types={"code": "text", "n": "number?"})
    assert table.rows == (("12", 1.0),)
    assert [column.nullable for column in table.columns] == [False, True]
    exporter.write_table(table, tmp_path, ["xml"])
    with pytest.raises(exporter.SpecError, match="already gives the types"):
        exporter.read_table(tmp_path / "codes.xml", types={"code": "text"})
