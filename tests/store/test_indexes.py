"""The indexes of a project's targets: read when they change, written only to say something else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from exporter.model.errors import OutsideError, StoreError
from exporter.store.contents import digest_of
from exporter.store.entries import Output
from exporter.store.folder import Folder
from exporter.store.indexes import INDEX, Indexes, index_text

A, B, C = (digest_of(text) for text in (b"a", b"b", b"c"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "t").mkdir(parents=True)
    return root


@pytest.fixture
def indexes(root: Path) -> Indexes:
    return Indexes(Folder(root))


def output(path: str, written: str = A, coming: str = "", home: str = "t") -> Output:
    return Output(
        path, "bitmap", None, "tiled", 1, written, written=written, coming=coming, home=home
    )


def put(root: Path, text: bytes, home: str = "t") -> None:
    (root / home / INDEX).write_bytes(text)


def test_an_index_lists_by_path_in_the_project(root: Path, indexes: Indexes) -> None:
    put(root, index_text({"a": [A], "sub/b": [B, C]}))
    put(root, index_text({"top": [A]}), ".")
    assert indexes.lines("t") == {"t/a": {A}, "t/sub/b": {B, C}}
    assert indexes.lines(".") == {"top": {A}}
    assert indexes.path("t") == f"t/{INDEX}"
    assert indexes.path(".") == INDEX
    assert set(indexes.listed("t", "t/sub/b")) == {B, C}
    assert set(indexes.listed("t", "t/none")) == set(indexes.listed("", "t/a")) == set()


def test_an_index_is_read_again_only_when_it_changed(
    root: Path, indexes: Indexes, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, index_text({"a": [A]}))
    read: list[str] = []
    real = Folder.read

    def note(self: Folder, path: str, *more: Any) -> Any:
        read.append(path)
        return real(self, path, *more)

    monkeypatch.setattr(Folder, "read", note)
    for _ in range(3):
        assert list(indexes.lines("t")) == ["t/a"]
    assert len(read) == 1
    put(root, index_text({"b": [A]}))
    os.utime(root / "t" / INDEX, ns=(5, 5))
    assert list(indexes.lines("t")) == ["t/b"]
    assert len(read) == 2


def test_what_was_listed_once_is_ours_though_another_export_takes_the_line_away(
    root: Path, indexes: Indexes
) -> None:
    put(root, index_text({"a": [A]}))
    assert set(indexes.listed("t", "t/a")) == {A}
    put(root, index_text({"a": [B]}))
    os.utime(root / "t" / INDEX, ns=(5, 5))
    assert set(indexes.listed("t", "t/a")) == {A, B}
    (root / "t" / INDEX).unlink()
    assert set(indexes.listed("t", "t/a")) == {A, B}
    assert indexes.lines("t") == {}
    assert indexes.signature("t") is None


def test_the_text_has_what_is_remembered_and_what_is_listed_of_others(
    root: Path, indexes: Indexes
) -> None:
    for name in ("kept", "gone", "known"):
        (root / "t" / name).write_bytes(b"")
    put(root, index_text({"kept": [C], "gone": [C], "known": [C], "missing": [C]}))
    outputs = [
        output("t/known", B),
        output("t/new", A, B),
        output("t/never", "", ""),
        output("t/coming", "", C),
        output("u/else", home="u"),
    ]
    text, alone = indexes.text("t", outputs, removed=("t/gone",))
    assert not alone
    assert text == index_text({"known": [B], "new": [A, B], "coming": [C], "kept": [C]})
    assert indexes.text("u", outputs) == (index_text({"else": [A]}), True)
    assert indexes.text("none", outputs) == (b"", True)


def test_the_index_of_the_project_folder_itself_has_whole_paths(
    root: Path, indexes: Indexes
) -> None:
    assert indexes.text(".", [output("t/a", home=".")])[0] == index_text({"t/a": [A]})


def test_line_endings_make_no_difference(root: Path, indexes: Indexes) -> None:
    text = index_text({"a": [A], "b": [B]})
    assert indexes.differs("t", text)
    assert not indexes.differs("t", b"")
    for there in (text, text.replace(b"\n", b"\r\n")):
        put(root, there)
        assert not indexes.differs("t", text)
        assert indexes.differs("t", index_text({"a": [A]}))
        assert indexes.differs("t", b"")


def test_an_index_is_written_and_removed_when_empty(root: Path, indexes: Indexes) -> None:
    text = index_text({"a": [A]})
    indexes.write("t", text)
    assert (root / "t" / INDEX).read_bytes() == text
    assert [path.name for path in (root / "t").iterdir()] == [INDEX]
    indexes.write("t", b"")
    assert list((root / "t").iterdir()) == []
    indexes.write("t", b"")
    indexes.write("none", text)  # no folder: nothing was written there
    assert not (root / "none").exists()


def test_an_index_that_cannot_be_written_is_reported(root: Path, indexes: Indexes) -> None:
    (root / "t" / INDEX).mkdir()
    assert indexes.lines("t") == {}
    with pytest.raises(StoreError, match=INDEX):
        indexes.write("t", index_text({"a": [A]}))
    with pytest.raises(StoreError, match=INDEX):
        indexes.write("t", b"")


@pytest.mark.parametrize("kind", ["link", "pipe", "dangling"])
def test_an_index_that_is_no_file_lists_nothing_and_is_replaced_itself(
    root: Path, indexes: Indexes, kind: str
) -> None:
    canary = root.parent / "canary"
    canary.write_bytes(index_text({"a": [A]}))
    if kind == "pipe":
        os.mkfifo(root / "t" / INDEX)
    else:
        (root / "t" / INDEX).symlink_to(canary if kind == "link" else root.parent / "none")
    assert indexes.lines("t") == {}
    text = index_text({"b": [B]})
    assert indexes.differs("t", text)
    indexes.write("t", text)
    assert (root / "t" / INDEX).read_bytes() == text
    assert not (root / "t" / INDEX).is_symlink()
    assert canary.read_bytes() == index_text({"a": [A]})
    assert sorted(path.name for path in root.parent.iterdir()) == ["canary", "project"]


def test_an_index_outside_lists_nothing_and_is_not_written(root: Path, indexes: Indexes) -> None:
    other = root.parent / "other"
    other.mkdir()
    (other / INDEX).write_bytes(index_text({"a": [A]}))
    (root / "out").symlink_to("../other")
    for home in ("out", "../other"):
        assert indexes.lines(home) == {}
        assert not indexes.differs(home, b"")
        with pytest.raises(OutsideError):
            indexes.differs(home, index_text({"b": [B]}))
        with pytest.raises(OutsideError):
            indexes.write(home, index_text({"b": [B]}))
        with pytest.raises(OutsideError):
            indexes.write(home, b"")
    assert (other / INDEX).read_bytes() == index_text({"a": [A]})


def test_an_index_that_is_too_large_lists_nothing(
    root: Path, indexes: Indexes, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = index_text({"a": [A]})
    put(root, text)
    monkeypatch.setattr("exporter.store.indexes.MAXIMUM_BYTES", len(text) - 1)
    assert indexes.lines("t") == {}
    assert indexes.differs("t", text)
    monkeypatch.setattr("exporter.store.indexes.MAXIMUM_BYTES", len(text))
    assert list(Indexes(indexes.folder).lines("t")) == ["t/a"]
