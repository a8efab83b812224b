"""Results of interrupted searches: kept in the user's folder for a limited time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exporter.store.searches import SearchLines


def test_lines_come_back_as_they_were_preserved(tmp_path: Path) -> None:
    lines = SearchLines("ab12", tmp_path / "searches")
    assert list(lines.read()) == []
    lines.keep(0)
    assert lines.append(["one\n"])
    assert lines.append(["two\n", "thr"])
    assert list(SearchLines("ab12", tmp_path / "searches").read()) == ["one\n", "two\n", "thr"]
    lines.keep(2)
    assert list(lines.read()) == ["one\n", "two\n"]
    lines.keep(0)
    assert list(lines.read()) == []
    lines.remove()
    lines.remove()
    assert not list((tmp_path / "searches").iterdir())


def test_only_the_latest_files_stay(tmp_path: Path) -> None:
    for number in range(25):
        SearchLines(f"{number:02}", tmp_path).keep(0)
        os.utime(tmp_path / f"{number:02}.jsonl", (number, number))
    SearchLines("new", tmp_path).keep(0)
    assert len(list(tmp_path.iterdir())) == 20
    assert (tmp_path / "new.jsonl").exists()
    assert not (tmp_path / "00.jsonl").exists()
    assert (tmp_path / "24.jsonl").exists()


def test_where_nothing_can_be_preserved_nothing_is(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    lines = SearchLines("ab12", tmp_path / "file" / "searches")
    lines.keep(0)
    assert not lines.append(["y\n"])
    lines.remove()
    assert list(lines.read()) == []


def test_a_file_does_not_grow_without_end(tmp_path: Path) -> None:
    lines = SearchLines("ab12", tmp_path, most=10)
    lines.keep(0)
    assert lines.append(["12345678\n"])
    assert not lines.append(["1\n"])
    assert list(lines.read()) == ["12345678\n"]


def test_a_line_without_end_is_read_in_parts(tmp_path: Path) -> None:
    (tmp_path / "ab12.jsonl").write_bytes(b"x" * 1_000_000)
    assert max(map(len, SearchLines("ab12", tmp_path, most=9999).read())) <= 9999


def test_a_long_line_comes_back_whole(tmp_path: Path) -> None:
    lines = SearchLines("ab12", tmp_path)
    lines.append(["x" * 200_000 + "\n", "y\n"])
    assert len(list(lines.read())) == 2
    lines.keep(1)
    assert len(list(lines.read())) == 1


def test_bytes_that_are_no_text_are_no_lines(tmp_path: Path) -> None:
    (tmp_path / "ab12.jsonl").write_bytes(b"\xff\xfe\n")
    assert list(SearchLines("ab12", tmp_path).read()) == []


def test_by_default_they_lie_in_the_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEVEL_EXPORTER_HOME", str(tmp_path))
    SearchLines("ab12").keep(0)
    SearchLines("ab12").append(["x\n"])
    assert (tmp_path / "searches" / "ab12.jsonl").read_text() == "x\n"
