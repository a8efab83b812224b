"""Ensure that only one daemon watches a project; let a new one take over."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from pathlib import Path
from typing import Any

from exporter.model.errors import StoreError
from exporter.project.project import STATE_FOLDER
from exporter.store.atomic_files import release_lock, try_lock
from exporter.store.folder import Folder

LOCK = "watch.lock"
OWNER = "watch.pid"
# Seconds until a daemon that was asked to leave is killed, and then until we give up.
POLITE_SECONDS = 10.0
FORCED_SECONDS = 5.0


def claim_project(root: Path, takeover: bool = False) -> Any:
    """Take the daemon lock of the project in `root`, and return it.

    If another daemon has the lock, return None; with `takeover`, end that daemon and take its lock.

    Raises:
        StoreError: The state folder cannot be used, or the other daemon does not stop.
    """
    state = root / STATE_FOLDER
    try:
        if state.is_symlink():
            raise StoreError(
                f"{state} is a symbolic link, but the state folder must be a real folder (remove "
                "the link)"
            )
        state.mkdir(exist_ok=True)
    except OSError as error:
        raise StoreError(f"{state}: {error.strerror or error}") from None
    lock = try_lock(state / LOCK)
    if lock is None and takeover:
        lock = _take_over(root)
    if lock is not None:
        with contextlib.suppress(OSError):
            text = f"{os.getpid()} {socket.gethostname()}\n"
            own = Folder(root, closed=False, follow=False)
            own.write(f"{STATE_FOLDER}/{OWNER}", text.encode(), durable=False)
    return lock


def watched_by(root: Path) -> str | None:
    """Return who watches the project in `root`: `process ID on HOST`, or None.

    If the process is unknown, the text is `another process`.
    """
    path = root / STATE_FOLDER / LOCK
    if not os.path.exists(path):
        return None  # or it cannot be read, which later steps report
    lock = try_lock(path)
    if lock is not None:
        release_lock(lock)
        return None
    owner = owner_of(root)
    return f"process {owner[0]} on {owner[1]}" if owner else "another process"


def owner_of(root: Path) -> tuple[int, str] | None:
    """Return the process id and machine of a project's daemon, or None."""
    with contextlib.suppress(OSError, ValueError):
        text = (root / STATE_FOLDER / OWNER).read_text(encoding="utf-8")
        process, _, host = text.strip().partition(" ")
        return int(process), host
    return None


def _take_over(root: Path) -> Any:
    owner = owner_of(root)
    if owner is None:
        raise StoreError(
            "the process of the daemon that watches this project was not found, so it cannot be "
            "stopped"
        )
    process, host = owner
    if host != socket.gethostname():
        raise StoreError(f"the daemon that watches this project runs on {host} (stop it there)")
    forced = getattr(signal, "SIGKILL", signal.SIGTERM)
    for number, seconds in ((signal.SIGTERM, POLITE_SECONDS), (forced, FORCED_SECONDS)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            lock = try_lock(root / STATE_FOLDER / LOCK)
            if lock is not None:
                return lock
            time.sleep(0.05)
    raise StoreError(
        f"the process {process} that watches this project does not stop (end it, then try again)"
    )
