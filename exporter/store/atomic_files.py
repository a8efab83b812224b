"""Write files atomically, lock them, and read their signatures.

A file is written under a temporary name in its own folder, synced, and renamed over the old file,
so that a reader sees the whole old or the whole new file. A signature (times and inode number)
changes when the content changes. The system releases a lock when the process ends in any way.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exporter.store.folder import Folder
from exporter.store.held_files import refused

# Godot reads a file again only if its modification time changes in whole seconds.
TIMESTAMP_STEP = 1_000_000_000
LOCK_PAUSE = 0.02

# Modification time and change time in nanoseconds, and inode.
Signature = tuple[int, int, int]


def signature_of(status: os.stat_result) -> Signature:
    """Return a file's signature: its times and inode number, from `status`."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def replace_file(path: Path, data: bytes) -> None:
    """Write `data` to the file `path` atomically, even in a power cut.

    If `path` is a link, the link itself is replaced.

    Raises:
        StoreError: The file cannot be written.
    """
    try:
        Folder(path.parent, closed=False).write(path.name, data)
    except OSError as error:
        raise refused(error, path) from None


def later_time(old: int, new: int) -> int | None:
    """Return the time to set on a new file so that Godot notices the change.

    `old` and `new` are the modification times of the replaced and the new file, in nanoseconds.
    None if `new` can stay: it is in a later second, and Godot compares whole seconds. Times only
    increase, because a step back could hit the second that Godot remembers.
    """
    if new // TIMESTAMP_STEP > old // TIMESTAMP_STEP:
        return None
    return (old // TIMESTAMP_STEP + 1) * TIMESTAMP_STEP


def take_lock(path: Path) -> Any:
    """Lock the file at `path` exclusively, waiting while others hold it.

    Returns:
        The open file, for `release_lock`.

    Raises:
        StoreError: The lock file cannot be opened.
    """
    while True:
        file = _open_lock(path)
        for _ in _lock_attempts(file):
            time.sleep(LOCK_PAUSE)
        if holds(file, path):
            return file
        file.close()  # the file was removed while we waited for it: there is another one now


def try_lock(path: Path) -> Any:
    """Lock the file at `path` exclusively, without waiting.

    Returns:
        The open file, for `release_lock`; None if another process holds the lock.

    Raises:
        StoreError: The lock file cannot be opened.
    """
    file = _open_lock(path)
    for _ in _lock_attempts(file):
        file.close()
        return None
    return file


def holds(file: Any, path: Path) -> bool:
    """Return whether the locked `file` is still the file at `path`.

    False if another process has replaced or removed the file at `path` since it was locked.
    """
    try:
        there = os.stat(path)
    except OSError:
        return False
    ours = os.fstat(file.fileno())
    return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)


def release_lock(file: Any) -> None:
    """Release the lock that `take_lock` or `try_lock` returned as `file`."""
    file.close()


def _open_lock(path: Path) -> Any:
    """Open the lock file at `path`; replace anything but a regular file."""
    project = Folder(path.parents[1], closed=False, follow=False)
    try:
        with project.open(path.parent.name) as state:
            try:
                if not stat.S_ISREG(state.status(path.name).st_mode):
                    state.unlink(path.name)  # a foreign link or pipe
            except FileNotFoundError:
                pass
            return open(state.append(path.name, readable=True), "a+b")
    except OSError as error:
        raise refused(error, path) from None


def _lock_attempts(file: Any) -> Iterator[None]:
    """Try to lock `file` until it works; yield after each failure."""
    while True:
        try:
            if os.name == "nt":
                import msvcrt

                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError:
            yield
