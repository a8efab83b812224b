"""Files that appear whole, later seconds, and signatures."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from disk_order import note_disk_order
from exporter.model.errors import HeldError, StoreError
from exporter.store import held_files
from exporter.store.atomic_files import later_time, replace_file, signature_of
from exporter.store.folder import Folder

SECOND = 10**9


def refuse(number: int) -> Callable[..., Any]:
    """Return a call that the system refuses."""

    def refused(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return refused


# --- replacing ---------------------------------------------------------------------------------


def test_a_file_is_replaced_as_a_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a"
    replace_file(path, b"old and longer")
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert [item.name for item in tmp_path.iterdir()] == ["a"]


def test_a_link_in_the_position_of_a_file_is_replaced_and_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"theirs")
    (tmp_path / "a").symlink_to(other)
    replace_file(tmp_path / "a", b"new")
    assert not (tmp_path / "a").is_symlink()
    assert (tmp_path / "a").read_bytes() == b"new"
    assert other.read_bytes() == b"theirs"


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_the_system_refuses_is_reported_with_the_file_and_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "a"
    replace_file(path, b"old")
    monkeypatch.setattr(os, call, refuse(errno.ENOSPC))
    with pytest.raises(StoreError, match="No space left") as caught:
        replace_file(path, b"new")
    assert str(path) in str(caught.value)
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["a"]


def test_a_file_in_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="No such file"):
        replace_file(tmp_path / "no" / "a", b"")


def test_a_write_that_breaks_off_leaves_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exporter.store.folder.open", refuse(errno.EIO), raising=False)
    with (
        Folder(tmp_path).open(".") as folder,
        pytest.raises(OSError, match="Input/output"),
    ):
        folder.create("a", b"data", durable=False)
    assert list(tmp_path.iterdir()) == []


def test_a_durable_file_is_on_the_disk_before_it_takes_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened = note_disk_order(monkeypatch)
    replace_file(tmp_path / "a", b"data")
    assert happened == ["sync", "a"]


def test_syncing_leaves_no_file_open(tmp_path: Path) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("looks into /proc")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        replace_file(tmp_path / "a", b"data")
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("mode", [0o640, 0o755, 0o601])
def test_the_mode_of_the_old_file_is_preserved(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"")
    os.chmod(path, mode)
    replace_file(path, b"new")
    assert path.stat().st_mode & 0o7777 == mode


def test_a_new_file_may_be_what_any_new_file_may(tmp_path: Path) -> None:
    (tmp_path / "ordinary").write_bytes(b"")
    replace_file(tmp_path / "ours", b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "ordinary").stat().st_mode


def test_a_file_that_stays_held_is_reported_as_such_and_the_old_one_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_file(tmp_path / "a", b"old")
    monkeypatch.setattr(os, "replace", refuse(errno.EBUSY))
    monkeypatch.setattr(held_files, "PAUSE", 0.0)
    with pytest.raises(HeldError, match="a is held open by another program"):
        replace_file(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


# --- times -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "then"),
    [
        (5 * SECOND, 5 * SECOND + 7, 6 * SECOND),  # the same second
        (5 * SECOND + 999, 5 * SECOND, 6 * SECOND),
        (9 * SECOND + 1, 5 * SECOND, 10 * SECOND),  # the clock went back
        (5 * SECOND + 999, 6 * SECOND, None),  # a later second already
        (5 * SECOND, 8 * SECOND + 7, None),
    ],
)
def test_a_new_file_has_a_later_whole_second_than_the_old_one(
    old: int, new: int, then: int | None
) -> None:
    assert later_time(old, new) == then


def test_the_signature_changes_with_the_time_the_mode_and_the_file_itself(tmp_path: Path) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    path.write_bytes(b"data")
    first = signature_of(path.stat())
    assert signature_of(path.stat()) == first
    os.utime(path, ns=(1, 1))
    second = signature_of(path.stat())
    other.write_bytes(b"data")
    os.utime(other, ns=(1, 1))
    third = signature_of(other.stat())
    assert first[0] != second[0] == third[0] == 1
    assert first[2] == second[2] != third[2]
    assert second[1] == path.stat().st_ctime_ns
