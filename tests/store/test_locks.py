"""Locks: one holder at a time, and only of the lock file that others would find."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import types
from pathlib import Path
from typing import Any

import pytest

from exporter.model.errors import StoreError
from exporter.store import atomic_files
from exporter.store.atomic_files import holds, release_lock, take_lock, try_lock

DEADLINE = 30.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lock"


class Waiter:
    """A thread that waits for a lock; `waits` is set as soon as it was refused once."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pauses: list[float] = []
        self.waits = threading.Event()
        self.lock: Any = None
        real = atomic_files.time.sleep

        def sleep(seconds: float) -> None:
            self.pauses.append(seconds)
            self.waits.set()
            real(min(seconds, 0.01))

        monkeypatch.setattr(atomic_files.time, "sleep", sleep)
        self.thread = threading.Thread(target=self._take, args=(path,), daemon=True)
        self.thread.start()

    def _take(self, path: Path) -> None:
        self.lock = take_lock(path)

    def finished(self) -> Any:
        """Return the lock once the thread has it."""
        self.thread.join(DEADLINE)
        assert not self.thread.is_alive()
        return self.lock


def test_a_lock_has_one_holder_until_it_is_released(path: Path) -> None:
    lock = take_lock(path)
    assert try_lock(path) is None
    release_lock(lock)
    again = try_lock(path)
    assert again is not None
    release_lock(again)


def test_who_waits_gets_the_lock_when_it_is_released(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = take_lock(path)
    waiter = Waiter(path, monkeypatch)
    assert waiter.waits.wait(DEADLINE)
    release_lock(lock)
    assert holds(waiter.finished(), path)
    # Often enough to go unnoticed, seldom enough that a processor does not burn.
    assert 0.005 < min(waiter.pauses) <= max(waiter.pauses) < 0.1
    release_lock(waiter.lock)


def test_a_lock_file_that_was_removed_while_waited_for_is_not_the_lock(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = take_lock(path)
    waiter = Waiter(path, monkeypatch)
    assert waiter.waits.wait(DEADLINE)
    path.unlink()  # as when the whole state folder is deleted
    other = take_lock(path)
    release_lock(lock)
    # It must wait for the new holder now, although the file it waited for is free.
    waiter.waits.clear()
    assert waiter.waits.wait(DEADLINE)
    assert waiter.lock is None
    release_lock(other)
    assert holds(waiter.finished(), path)
    assert try_lock(path) is None
    release_lock(waiter.lock)


def test_a_lock_is_held_while_its_file_lies_where_others_look(path: Path) -> None:
    lock = take_lock(path)
    assert holds(lock, path)
    path.unlink()
    assert not holds(lock, path)
    path.write_bytes(b"")
    assert not holds(lock, path)
    release_lock(lock)


def test_the_lock_of_a_process_ends_with_it(path: Path) -> None:
    code = (
        "import sys, time\nfrom pathlib import Path\n"
        "from exporter.store.atomic_files import take_lock\n"
        "lock = take_lock(Path(sys.argv[1]))\nprint('held', flush=True)\ntime.sleep(600)\n"
    )
    root = Path(atomic_files.__file__).parents[2]
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert holder.stdout is not None
    assert holder.stdout.readline()
    assert try_lock(path) is None
    holder.kill()
    holder.wait(DEADLINE)
    holder.stdout.close()
    lock = try_lock(path)
    assert lock is not None
    release_lock(lock)


@pytest.mark.parametrize("take", [take_lock, try_lock])
def test_a_lock_file_that_cannot_be_opened_is_reported(path: Path, take: Any) -> None:
    path.mkdir()
    with pytest.raises(StoreError, match="lock: Is a directory"):
        take(path)


@pytest.fixture
def msvcrt(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Windows' locks of byte ranges: one holder for each start; gives (start, length) asked."""
    requested: list[tuple[int, int]] = []
    held: dict[tuple[int, int], int] = {}

    def locking(descriptor: int, mode: int, length: int) -> None:
        assert mode == fake.LK_NBLCK
        start = os.lseek(descriptor, 0, os.SEEK_CUR)
        requested.append((start, length))
        key = (os.fstat(descriptor).st_ino, start)
        holder = held.get(key)
        if holder is not None and holder != descriptor:
            try:
                os.fstat(holder)
            except OSError:
                pass
            else:
                raise OSError(36, "Resource deadlock avoided")
        held[key] = descriptor

    fake = types.SimpleNamespace(LK_NBLCK=2, locking=locking)
    monkeypatch.setitem(sys.modules, "msvcrt", fake)

    class Windows:
        name = "nt"

        def __getattr__(self, name: str) -> Any:
            return getattr(os, name)

    monkeypatch.setattr(atomic_files, "os", Windows())
    return requested


def test_on_windows_the_first_byte_is_locked(path: Path, msvcrt: list[tuple[int, int]]) -> None:
    path.write_bytes(b"some content, at whose end the file is opened")
    lock = take_lock(path)
    assert try_lock(path) is None
    assert msvcrt == [(0, 1), (0, 1)]
    release_lock(lock)
    again = try_lock(path)
    assert again is not None
    release_lock(again)


@pytest.mark.parametrize("kind", ["link", "dangling link", "pipe"])
def test_what_lies_in_the_position_of_a_lock_is_removed(tmp_path: Path, kind: str) -> None:
    state = tmp_path / "project" / ".exporter"
    state.mkdir(parents=True)
    canary = tmp_path / "canary"
    if kind == "link":
        canary.write_bytes(b"theirs")
    if kind == "pipe":
        os.mkfifo(state / "lock")
    else:
        (state / "lock").symlink_to(canary)
    lock = try_lock(state / "lock")
    assert lock is not None
    assert holds(lock, state / "lock")
    release_lock(lock)
    assert canary.exists() == (kind == "link")
    assert kind != "link" or canary.read_bytes() == b"theirs"


def test_no_lock_is_created_behind_a_state_folder_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "canary").mkdir()
    (tmp_path / "project" / ".exporter").symlink_to(tmp_path / "canary")
    with pytest.raises(StoreError):
        try_lock(tmp_path / "project" / ".exporter" / "lock")
    assert not list((tmp_path / "canary").iterdir())
