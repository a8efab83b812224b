"""Files are read again when they may have changed, and only then."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from exporter.store.snapshots import Snapshots

SECOND = 10**9


class Files(Snapshots):
    """Files that were looked at, which count how often one was read."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.reads: list[str] = []

    def _read(self, path: str) -> bytes:
        self.reads.append(path)
        return super()._read(path)


@pytest.fixture
def seen(tmp_path: Path) -> Files:
    (tmp_path / "a").write_bytes(b"one")
    return Files(tmp_path)


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_a_file_is_read_once_while_its_signature_stays(seen: Files) -> None:
    for _ in range(3):
        assert seen.look_at("a").digest == digest_of(b"one")
    assert seen.digest("a") == digest_of(b"one")
    assert not seen.differ()
    assert seen.reads == ["a"]


def test_a_changed_file_is_read_again(seen: Files) -> None:
    seen.look_at("a")
    (seen.root / "a").write_bytes(b"two")
    assert seen.differ()
    assert seen.look_at("a").digest == digest_of(b"two")
    assert not seen.differ()


def test_a_touched_file_is_read_once_more_and_is_the_same(seen: Files) -> None:
    first = seen.look_at("a")
    os.utime(seen.root / "a", ns=(5, 5 * SECOND + 1))
    assert not seen.differ()
    assert not seen.differ()
    assert seen.reads == ["a", "a"]
    os.utime(seen.root / "a", ns=(5, 6 * SECOND + 1))
    assert seen.look_at("a") is first
    assert seen.look_at("a") is first
    assert seen.reads == ["a"] * 3


def test_a_change_of_the_same_size_with_the_old_time_is_seen(seen: Files) -> None:
    path = seen.root / "a"
    seen.look_at("a")
    status = path.stat()
    path.write_bytes(b"two")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert seen.differ()
    assert seen.look_at("a").digest == digest_of(b"two")


def test_another_size_is_another_signature(seen: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    # As on a file system that keeps neither times nor numbers of files worth the name.
    monkeypatch.setattr("exporter.store.snapshots.signature_of", lambda _: (1, 1, 1))
    first = seen.signature("a")
    (seen.root / "a").write_bytes(b"longer")
    assert seen.signature("a") != first


@pytest.mark.parametrize(
    ("modified", "changed", "coarse"),
    [
        (5 * SECOND, 5 * SECOND, True),
        (5 * SECOND + 1, 5 * SECOND, False),
        (5 * SECOND, 5 * SECOND + 1, False),
    ],
)
def test_where_times_are_whole_seconds_the_content_is_read_every_time(
    seen: Files, monkeypatch: pytest.MonkeyPatch, modified: int, changed: int, coarse: bool
) -> None:
    monkeypatch.setattr("exporter.store.snapshots.signature_of", lambda _: (modified, changed, 7))
    seen.look_at("a")
    (seen.root / "a").write_bytes(b"two")  # within the same second
    assert seen.differ() == coarse
    assert seen.look_at("a").digest == digest_of(b"two" if coarse else b"one")
    assert not seen.differ()
    assert len(seen.reads) == (4 if coarse else 1)


def test_a_name_is_given_once_for_a_content(seen: Files) -> None:
    requested: list[tuple[str, str, bytes]] = []

    def namer(path: str, digest: str, content: bytes) -> str:
        requested.append((path, digest, content))
        return f"name {len(requested)}"

    assert seen.look_at("a").name == ""
    assert seen.look_at("a", namer).name == "name 1"
    os.utime(seen.root / "a", ns=(5, 5 * SECOND + 1))
    assert seen.look_at("a", namer).name == "name 1"
    assert seen.look_at("a").name == "name 1"
    assert requested == [("a", digest_of(b"one"), b"one")]
    (seen.root / "a").write_bytes(b"two")
    assert seen.look_at("a", namer).name == "name 2"


def test_a_file_that_is_not_there_cannot_be_looked_at(seen: Files) -> None:
    with pytest.raises(FileNotFoundError):
        seen.look_at("gone")
    assert seen.signature("gone") is None
    assert not seen.differ()
    with pytest.raises(KeyError):
        seen.digest("gone")


def test_a_file_that_went_or_came_differs(seen: Files) -> None:
    seen.look_at("a")
    (seen.root / "a").unlink()
    assert seen.differ()
    seen.note_unread("a")
    assert seen.digest("a") == ""
    assert not seen.differ()
    (seen.root / "a").write_bytes(b"one")
    assert seen.differ()
    assert seen.look_at("a").digest == digest_of(b"one")
    assert not seen.differ()


def test_a_file_that_could_not_be_read_is_attempted_again_when_it_changed(
    seen: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen.note_unread("a")
    assert not seen.differ()
    os.utime(seen.root / "a", ns=(5 * SECOND, 5 * SECOND))
    assert seen.differ()
    assert seen.reads == []
    monkeypatch.setattr(
        "exporter.store.snapshots.signature_of", lambda _: (5 * SECOND, 5 * SECOND, 7)
    )
    seen.note_unread("a")
    assert not seen.differ()  # though its times are coarse: it cannot be read to compare
    assert seen.look_at("a").digest == digest_of(b"one")


def test_a_file_that_can_no_longer_be_read_differs(seen: Files) -> None:
    seen.look_at("a")
    (seen.root / "a").unlink()
    (seen.root / "a").mkdir()
    assert seen.differ()


def test_what_is_not_preserved_is_forgotten(seen: Files) -> None:
    (seen.root / "b").write_bytes(b"two")
    seen.look_at("a")
    seen.look_at("b")
    seen.keep({"b", "c"})
    (seen.root / "a").write_bytes(b"changed")
    assert not seen.differ()
    with pytest.raises(KeyError):
        seen.digest("a")
    assert seen.digest("b") == digest_of(b"two")


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_has_no_end_is_not_read(tmp_path: Path, kind: str) -> None:
    position = tmp_path / "a"
    if kind == "pipe":
        os.mkfifo(position)
    elif kind == "device":
        position.symlink_to("/dev/zero")
    else:
        position.mkdir()
    with pytest.raises(OSError, match=r"."):
        Snapshots(tmp_path).look_at("a")


def test_a_file_behind_a_link_is_read(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"abc")
    (tmp_path / "a").symlink_to("real")
    assert Snapshots(tmp_path).look_at("a").digest.startswith("ba7816bf")
