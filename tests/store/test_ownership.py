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
from exporter.store.ownership import THEIRS, FileProbe, FileState, look_at

NEW, OLD, OTHER = digest_of(b"new\n"), digest_of(b"old\n"), digest_of(b"other\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "t").mkdir(parents=True)
    return root


def look(
    root: Path, *known: str, expected: str = NEW, path: str = "t/a", **more: object
) -> FileProbe:
    return look_at(Folder(root), path, expected, known, NoRules(), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "known", "state", "result"),
    [
        (None, (), FileState.MISSING, ""),
        (None, (OLD,), FileState.MISSING, ""),
        (b"new\n", (), FileState.UP_TO_DATE, NEW),
        (b"new\r\n", (), FileState.UP_TO_DATE, NEW),
        (b"new\n", (OLD,), FileState.UP_TO_DATE, NEW),
        (b"old\n", (OLD,), FileState.STALE, OLD),
        (b"old\r\n", (OTHER, OLD), FileState.STALE, OLD),
        (b"old\n", (), FileState.UNTRACKED, ""),
        (b"edit", (OLD,), FileState.USER_MODIFIED, ""),
        (b"edit", (OTHER, OLD, ""), FileState.USER_MODIFIED, ""),
        (b"edit", ("",), FileState.UNTRACKED, ""),
        (b"edit", (), FileState.UNTRACKED, ""),
    ],
)
def test_the_content_decides_a_files_state(
    root: Path, content: bytes | None, known: tuple[str, ...], state: FileState, result: str
) -> None:
    if content is not None:
        (root / "t/a").write_bytes(content)
    seen = look(root, *known)
    assert (seen.state, seen.data, seen.content) == (state, content, result)
    if content is not None:
        assert seen.signature == signature_of((root / "t/a").stat())
    else:
        assert seen.signature is None


def test_nothing_is_requested_when_no_content_is(root: Path) -> None:
    (root / "t/a").write_bytes(b"old\n")
    assert look(root, OLD, expected="").state is FileState.STALE
    assert look(root, expected="").state is FileState.UNTRACKED


def test_what_no_export_touches() -> None:
    assert {FileState.MISSING, FileState.UP_TO_DATE, FileState.STALE} == set(FileState) - THEIRS


@pytest.mark.parametrize("known", [(), (NEW,)])
@pytest.mark.parametrize("leads", ["same", "../../canary", "../../none"])
def test_a_link_is_somebodys_even_to_the_requested_content(
    root: Path, known: tuple[str, ...], leads: str
) -> None:
    (root / "t/same").write_bytes(b"new\n")
    (root.parent / "canary").write_bytes(b"new\n")
    (root / "t/a").symlink_to(leads)
    seen = look(root, *known)
    assert seen.state is (FileState.USER_MODIFIED if known else FileState.UNTRACKED)
    assert seen.data is None
    assert seen.signature == signature_of((root / "t/a").lstat())


def test_what_is_no_file_is_in_the_way(root: Path) -> None:
    (root / "t/a").mkdir()
    os.mkfifo(root / "t/pipe")
    assert look(root, NEW).state is FileState.BLOCKED
    assert look(root, NEW, path="t/pipe").state is FileState.BLOCKED


def test_a_file_in_the_position_of_a_folder_means_that_nothing_is_there(root: Path) -> None:
    (root / "t/file").write_bytes(b"")
    assert look(root, NEW, path="t/file/a").state is FileState.MISSING
    assert look(root, NEW, path="none/a").state is FileState.MISSING


def test_a_file_that_cannot_be_read_is_reported(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "t/a").write_bytes(b"new\n")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "no")

    monkeypatch.setattr(Directory, "read", refuse)
    assert look(root, NEW) == FileProbe(FileState.UNREADABLE)


def test_a_name_that_is_too_long_is_unreadable(root: Path) -> None:
    assert look(root, NEW, path="t/" + "a" * 5000).state is FileState.UNREADABLE


def test_a_file_outside_is_an_error(root: Path) -> None:
    (root.parent / "other").mkdir()
    (root.parent / "other" / "a").write_bytes(b"new\n")
    (root / "out").symlink_to("../other")
    with pytest.raises(OutsideError):
        look(root, NEW, path="out/a")
    # Of a link it is not asked where it leads.
    (root.parent / "other" / "link").symlink_to("a")
    assert look(root, NEW, path="out/link").state is FileState.USER_MODIFIED


def test_a_file_with_a_known_signature_is_not_read(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "t/a").write_bytes(b"anything")
    mark = signature_of((root / "t/a").stat())
    monkeypatch.setattr(ownership.Folder, "read", lambda *_: pytest.fail("read"))
    for content, state in ((NEW, FileState.UP_TO_DATE), (OLD, FileState.STALE)):
        seen = look(root, OLD, unchanged=(mark, content))
        assert seen == FileProbe(state, mark, None, content)
    monkeypatch.undo()
    other = (mark[0] + 1, *mark[1:])
    assert look(root, OLD, unchanged=(other, NEW)).state is FileState.USER_MODIFIED


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
    assert seen.state is FileState.UP_TO_DATE
    assert seen.signature == signature_of((root / "t/a").stat())
