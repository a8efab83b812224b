"""Ownership of a file: derived from its content, whatever its type."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exporter.model.errors import OutsideError
from exporter.store import ownership
from exporter.store.atomic_files import signature_of
from exporter.store.contents import NoRules, digest_of
from exporter.store.folder import Directory, Folder
from exporter.store.ownership import THEIRS, FileState, Look, look_at

NEW, OLD, OTHER = digest_of(b"new\n"), digest_of(b"old\n"), digest_of(b"other\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "t").mkdir(parents=True)
    return root


def look(root: Path, *known: str, wanted: str = NEW, path: str = "t/a", **more: object) -> Look:
    return look_at(Folder(root), path, wanted, known, NoRules(), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "known", "state", "result"),
    [
        (None, (), FileState.NOBODYS, ""),
        (None, (OLD,), FileState.NOBODYS, ""),
        (b"new\n", (), FileState.WANTED, NEW),
        (b"new\r\n", (), FileState.WANTED, NEW),
        (b"new\n", (OLD,), FileState.WANTED, NEW),
        (b"old\n", (OLD,), FileState.OURS, OLD),
        (b"old\r\n", (OTHER, OLD), FileState.OURS, OLD),
        (b"old\n", (), FileState.FOREIGN, ""),
        (b"edit", (OLD,), FileState.EDITED, ""),
        (b"edit", (OTHER, OLD, ""), FileState.EDITED, ""),
        (b"edit", ("",), FileState.FOREIGN, ""),
        (b"edit", (), FileState.FOREIGN, ""),
    ],
)
def test_the_content_tells_state_a_file_is(
    root: Path, content: bytes | None, known: tuple[str, ...], state: FileState, result: str
) -> None:
    if content is not None:
        (root / "t/a").write_bytes(content)
    seen = look(root, *known)
    assert (seen.whose, seen.data, seen.content) == (state, content, result)
    if content is not None:
        assert seen.signature == signature_of((root / "t/a").stat())
    else:
        assert seen.signature is None


def test_nothing_is_requested_when_no_content_is(root: Path) -> None:
    (root / "t/a").write_bytes(b"old\n")
    assert look(root, OLD, wanted="").whose is FileState.OURS
    assert look(root, wanted="").whose is FileState.FOREIGN


def test_what_no_export_touches() -> None:
    assert {FileState.NOBODYS, FileState.WANTED, FileState.OURS} == set(FileState) - THEIRS


@pytest.mark.parametrize("known", [(), (NEW,)])
@pytest.mark.parametrize("leads", ["same", "../../canary", "../../none"])
def test_a_link_is_somebodys_even_to_the_requested_content(
    root: Path, known: tuple[str, ...], leads: str
) -> None:
    (root / "t/same").write_bytes(b"new\n")
    (root.parent / "canary").write_bytes(b"new\n")
    (root / "t/a").symlink_to(leads)
    seen = look(root, *known)
    assert seen.whose is (FileState.EDITED if known else FileState.FOREIGN)
    assert seen.data is None
    assert seen.signature == signature_of((root / "t/a").lstat())


def test_what_is_no_file_is_in_the_way(root: Path) -> None:
    (root / "t/a").mkdir()
    os.mkfifo(root / "t/pipe")
    assert look(root, NEW).whose is FileState.IN_THE_WAY
    assert look(root, NEW, path="t/pipe").whose is FileState.IN_THE_WAY


def test_a_file_in_the_position_of_a_folder_means_that_nothing_is_there(root: Path) -> None:
    (root / "t/file").write_bytes(b"")
    assert look(root, NEW, path="t/file/a").whose is FileState.NOBODYS
    assert look(root, NEW, path="none/a").whose is FileState.NOBODYS


def test_a_file_that_cannot_be_read_is_reported(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "t/a").write_bytes(b"new\n")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "no")

    monkeypatch.setattr(Directory, "read", refuse)
    assert look(root, NEW) == Look(FileState.UNREADABLE)


def test_a_name_that_is_too_long_is_unreadable(root: Path) -> None:
    assert look(root, NEW, path="t/" + "a" * 5000).whose is FileState.UNREADABLE


def test_a_file_outside_is_an_error(root: Path) -> None:
    (root.parent / "other").mkdir()
    (root.parent / "other" / "a").write_bytes(b"new\n")
    (root / "out").symlink_to("../other")
    with pytest.raises(OutsideError):
        look(root, NEW, path="out/a")
    # Of a link it is not asked where it leads.
    (root.parent / "other" / "link").symlink_to("a")
    assert look(root, NEW, path="out/link").whose is FileState.EDITED


def test_a_file_with_a_known_signature_is_not_read(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "t/a").write_bytes(b"anything")
    mark = signature_of((root / "t/a").stat())
    monkeypatch.setattr(ownership.Folder, "read", lambda *_: pytest.fail("read"))
    for content, state in ((NEW, FileState.WANTED), (OLD, FileState.OURS)):
        seen = look(root, OLD, unchanged=(mark, content))
        assert seen == Look(state, mark, None, content)
    monkeypatch.undo()
    other = (mark[0] + 1, *mark[1:])
    assert look(root, OLD, unchanged=(other, NEW)).whose is FileState.EDITED


def test_the_signature_is_that_of_the_content_that_was_read(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "t/a").write_bytes(b"old\n")
    real = Folder.read

    def read(self: Folder, path: str) -> object:
        (root / "t/b").write_bytes(b"new\n")
        os.replace(root / "t/b", root / "t/a")  # just now, by another program
        return real(self, path)

    monkeypatch.setattr(Folder, "read", read)
    seen = look(root)
    assert seen.whose is FileState.WANTED
    assert seen.signature == signature_of((root / "t/a").stat())
