"""Read file signatures, write files atomically and lock them.

A file is written under a temporary name in its own folder, synced, and renamed over the old one, so
that readers see the old file or the new one (see `folder`). Locks belong to the system, which
releases them however a process ends.
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

# Godot looks at files again only when their modification time changes in whole seconds.
TIMESTAMP_STEP = 1_000_000_000
LOCK_PAUSE = 0.02

# Modification time and change time in nanoseconds, and inode.
Signature = tuple[int, int, int]


def signature_of(status: os.stat_result) -> Signature:
    """Return a file's signature, which changes with its content."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def replace_file(path: Path, data: bytes) -> None:
    """Write a file atomically; a link at its path is replaced, not followed.

    Even a power cut leaves the old file or the new one.

    Raises:
        StoreError: It cannot be written.
    """
    try:
        Folder(path.parent, closed=False).write(path.name, data)
    except OSError as error:
        raise refused(error, path) from None


def later_time(old: int, new: int) -> int | None:
    """Return a modification time that makes Godot notice a file.

    Time only moves on: going back to the present after a step could hit the very second that the
    engine remembers.

    Args:
        old: Of the file that stood there.
        new: Of the file that takes its place.

    Returns:
        The first whole second after that of the old file; None where the new one is later anyway.
    """
    if new // TIMESTAMP_STEP > old // TIMESTAMP_STEP:
        return None
    return (old // TIMESTAMP_STEP + 1) * TIMESTAMP_STEP


def take_lock(path: Path) -> Any:
    """Wait for a file's exclusive lock; the process's end releases it.

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
    """Lock a file exclusively; return None if another process holds it.

    Raises:
        StoreError: The lock file cannot be opened.
    """
    file = _open_lock(path)
    for _ in _lock_attempts(file):
        file.close()
        return None
    return file


def holds(file: Any, path: Path) -> bool:
    """Whether a lock is still the one that others would find at `path`."""
    try:
        there = os.stat(path)
    except OSError:
        return False
    ours = os.fstat(file.fileno())
    return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)


def release_lock(file: Any) -> None:
    """Release a lock."""
    file.close()


def _open_lock(path: Path) -> Any:
    """Open a lock file of a project, replacing anything but a regular file."""
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
    """Try to lock until it works; yield after each failure."""
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
