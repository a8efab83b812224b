"""Files that appear whole, later seconds, and what a killed process leaves behind."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exporter.model.errors import StoreError
from exporter.store import atomic_files
from exporter.store.atomic_files import (
    hash_file,
    is_leftover,
    process_lives,
    replace,
    replace_file,
    signature_of,
    step_timestamp,
    temporary_name,
    write_temporary,
)

NOBODY = 999_999_999  # more than any system counts its processes to
SECOND = 10**9


class Windows:
    """The `os` module as it is on Windows, as far as a name tells."""

    name = "nt"

    def __init__(self, **changes: Any) -> None:
        self.__dict__.update(changes)

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


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
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


def test_a_leftover_of_the_same_name_does_not_shine_through(tmp_path: Path) -> None:
    path = tmp_path / "a"
    temporary_name(path).write_bytes(b"much longer than the new content")
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_the_system_refuses_is_told_with_the_file_and_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "a"
    replace_file(path, b"old")
    monkeypatch.setattr(os, call, refuse(errno.ENOSPC))
    with pytest.raises(StoreError, match="No space left") as caught:
        replace_file(path, b"new")
    assert str(path) in str(caught.value)
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


def test_a_file_in_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="No such file"):
        replace_file(tmp_path / "no" / "a", b"")


def test_a_write_that_breaks_off_leaves_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic_files, "open", refuse(errno.EIO), raising=False)
    with pytest.raises(OSError, match="Input/output"):
        write_temporary(tmp_path / "a", b"data")
    assert list(tmp_path.iterdir()) == []


def test_a_durable_file_is_on_the_disk_before_it_takes_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    real_sync, real_replace = os.fsync, os.replace

    def note_sync(descriptor: int) -> None:
        happened.append("sync")
        real_sync(descriptor)

    def note_replace(source: Any, target: Any) -> None:
        happened.append("replace")
        real_replace(source, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    replace_file(tmp_path / "a", b"data")
    replace_file(tmp_path / "a", b"data", durable=False)
    assert happened == ["sync", "replace", "replace"]


def test_syncing_leaves_no_file_open(tmp_path: Path) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("looks into /proc")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        replace_file(tmp_path / "a", b"data")
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("mode", [0o640, 0o755, 0o601])
def test_the_mode_of_the_old_file_is_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"")
    os.chmod(path, mode)
    replace_file(path, b"new")
    assert path.stat().st_mode & 0o7777 == mode


def test_a_new_file_may_be_what_any_new_file_may(tmp_path: Path) -> None:
    (tmp_path / "ordinary").write_bytes(b"")
    replace_file(tmp_path / "ours", b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "ordinary").stat().st_mode


@pytest.mark.parametrize("held", [1, 3])
def test_on_windows_a_file_that_is_held_open_for_a_moment_is_replaced_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    pauses: list[float] = []
    attempts = 0

    def replace_later(source: Path, target: Path) -> None:
        nonlocal attempts
        attempts += 1
        if attempts <= held:
            raise PermissionError(13, "in use")
        os.replace(source, target)

    monkeypatch.setattr(atomic_files, "os", Windows(replace=replace_later))
    monkeypatch.setattr(atomic_files.time, "sleep", pauses.append)
    (tmp_path / "new").write_bytes(b"new")
    replace(tmp_path / "new", tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert attempts == held + 1
    assert len(pauses) == held


def test_on_windows_a_file_that_stays_open_is_refused_after_about_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(atomic_files, "os", Windows(replace=refuse(errno.EACCES)))
    monkeypatch.setattr(atomic_files.time, "sleep", pauses.append)
    with pytest.raises(PermissionError):
        replace(tmp_path / "new", tmp_path / "a")
    assert 0.5 < sum(pauses) < 2
    assert max(pauses) < 0.2


def test_elsewhere_a_refusal_is_final(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.name == "nt":
        pytest.skip("Windows tries again")
    monkeypatch.setattr(os, "replace", refuse(errno.EACCES))
    monkeypatch.setattr(atomic_files.time, "sleep", refuse(errno.EINTR))
    with pytest.raises(PermissionError):
        replace(tmp_path / "new", tmp_path / "a")


# --- times -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "then"),
    [
        (5 * SECOND, 5 * SECOND + 7, 6 * SECOND),  # the same second
        (5 * SECOND + 999, 5 * SECOND, 6 * SECOND),
        (9 * SECOND + 1, 5 * SECOND, 10 * SECOND),  # the clock went back
        (5 * SECOND + 999, 6 * SECOND, 6 * SECOND),  # a later second already
        (5 * SECOND, 8 * SECOND + 7, 8 * SECOND + 7),
    ],
)
def test_a_new_file_has_a_later_whole_second_than_the_old_one(
    tmp_path: Path, old: int, new: int, then: int
) -> None:
    path = tmp_path / "new"
    path.write_bytes(b"")
    os.utime(path, ns=(new, new))
    step_timestamp(old, path)
    assert path.stat().st_mtime_ns == then


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


def test_a_hash_is_that_of_the_whole_content(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert hash_file(tmp_path / "a").startswith("ba7816bf8f01cfea")


# --- what is left behind -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "leftover"),
    [
        (f".a.{NOBODY}.tmp", True),
        (f".cave.ground.png.{NOBODY}.tmp", True),
        (f".a.{10**30}.tmp", True),
        (f".a.{os.getpid()}.tmp", True),  # of an earlier process with our number
        (f".a.{os.getppid()}.tmp", False),
        (f"a.{NOBODY}.tmp", False),
        (f".{NOBODY}.tmp", False),
        (f".a.{NOBODY}.TMP", False),
        (f".a.{NOBODY}.tmp.bak", False),
        (".a.notes.tmp", False),
        (f".a.{os.getppid()}.{NOBODY}.tmp", True),
        (".a.tmp", False),
        (".tmp", False),
    ],
)
def test_only_the_temporary_file_of_a_dead_process_is_a_leftover(name: str, leftover: bool) -> None:
    assert is_leftover(name) == leftover


def test_a_process_of_another_user_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "kill", refuse(errno.EPERM))
    assert process_lives(NOBODY)
    monkeypatch.setattr(os, "kill", refuse(errno.ESRCH))
    assert not process_lives(NOBODY)


def test_on_windows_no_process_is_asked_with_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    # There, a signal of 0 is Ctrl+C.
    monkeypatch.setattr(atomic_files, "os", Windows(kill=refuse(errno.ESRCH)))
    assert process_lives(NOBODY)
    assert not process_lives(os.getpid())
