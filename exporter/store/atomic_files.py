"""What the exporter asks of the file system: files that appear whole, and locks.

A file is written under a temporary name in its own folder, synced, and renamed over the old one,
so that whoever looks sees the old file or the new one. Locks belong to the system, which releases
them when a process ends in whatever way.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from exporter.model.errors import HeldError, StoreError

# Godot looks at files again only when their modification time changes in whole seconds.
TIMESTAMP_STEP = 1_000_000_000
# On Windows another program, say an engine that imports a file, may hold it open for a moment.
REPLACE_ATTEMPTS = 20
REPLACE_PAUSE = 0.05
# What Windows says then: access denied, sharing violation, lock violation.
_HELD_ON_WINDOWS = (5, 32, 33)
# What other systems say, on some network drives.
_HELD_ELSEWHERE = (errno.EBUSY, errno.ETXTBSY)
LOCK_PAUSE = 0.02

# Modification time and change time in nanoseconds, and inode.
Signature = tuple[int, int, int]


def signature_of(status: os.stat_result) -> Signature:
    """Return what changes whenever a file's content does, as far as the system shows it."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def hash_file(path: Path | str) -> str:
    """Return the SHA-256 of a file's content."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def temporary_name(path: Path) -> Path:
    """Return the name a file has until it is whole."""
    # Dot files are invisible to Godot and Unity, and `.tmp` to both.
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def is_leftover(name: str) -> bool:
    """Whether a file name is that of a temporary file whose process is gone."""
    parts = name.split(".")
    if not name.startswith(".") or parts[-1] != "tmp" or len(parts) < 4:
        return False
    return parts[-2].isdigit() and not process_lives(int(parts[-2]))


def process_lives(process: int) -> bool:
    """Whether another process with this number runs."""
    if process == os.getpid():
        return False  # a leftover of an earlier process with the same number
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def write_temporary(path: Path, data: bytes) -> Path:
    """Write the content a file is to have under its temporary name, with the old file's mode.

    Raises:
        OSError: It cannot be written; nothing is left behind.
    """
    temporary = temporary_name(path)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        with contextlib.suppress(OSError):
            os.chmod(temporary, os.stat(path).st_mode & 0o777)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    return temporary


def sync(path: Path) -> None:
    """Wait until a file's content is on the disk.

    Raises:
        OSError: The disk refused.
    """
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def step_timestamp(old: int, temporary: Path) -> None:
    """Give a new file a later whole second than the old one had, so that Godot notices it.

    Time only moves on: going back to the present after a step could hit the very second that the
    engine remembers.
    """
    new = os.stat(temporary).st_mtime_ns
    if new // TIMESTAMP_STEP <= old // TIMESTAMP_STEP:
        moved = (old // TIMESTAMP_STEP + 1) * TIMESTAMP_STEP
        os.utime(temporary, ns=(moved, moved))


def is_held(error: OSError) -> bool:
    """Whether the system refused because another program holds the file open."""
    number = getattr(error, "winerror", None)
    return number in _HELD_ON_WINDOWS if number else error.errno in _HELD_ELSEWHERE


def insist(action: Callable[[], None]) -> None:
    """Do something to a file, again and again for a moment while another program holds it.

    Raises:
        OSError: It cannot be done; `is_held` tells whether it is worth another try later.
    """
    for attempt in range(REPLACE_ATTEMPTS):
        try:
            action()
            return
        except OSError as error:
            if not is_held(error) or attempt == REPLACE_ATTEMPTS - 1:
                raise
            time.sleep(REPLACE_PAUSE)


def replace(temporary: Path, path: Path) -> None:
    """Rename a temporary file to its final name.

    Raises:
        OSError: It cannot be renamed.
    """
    insist(lambda: os.replace(temporary, path))


def replace_file(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write a file atomically.

    Args:
        path: The file.
        data: Its content.
        durable: Wait for the disk, so that even a power cut leaves the old file or the new one.

    Raises:
        StoreError: It cannot be written.
    """
    temporary: Path | None = None
    try:
        temporary = write_temporary(path, data)
        if durable:
            sync(temporary)
        replace(temporary, path)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise refused(error, path) from None


def refused(error: OSError, path: Path) -> StoreError:
    """Word what the file system refused."""
    if is_held(error):
        return HeldError(f"{path} is held open by another program, or is read-only")
    return StoreError(f"{error.filename or path}: {error.strerror or error}")


def take_lock(path: Path) -> Any:
    """Wait for the exclusive lock on a file; the system releases it when the process ends.

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
    """Take the exclusive lock on a file if nobody holds it; return None if somebody does.

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
    try:
        return open(path, "a+b")
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
