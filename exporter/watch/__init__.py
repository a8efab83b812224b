"""The watch daemon: export, then export again whatever changes.

    bell    system events, which only say that something may have changed
    loop    waiting for quiet, building, storing
    talk    what it says

One daemon watches a project; a second one says so and leaves, or takes over.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from exporter.model.errors import StoreError
from exporter.project.project import STATE_FOLDER, shown
from exporter.store.atomic_files import try_lock

LOCK = "watch.lock"
OWNER = "watch.pid"
EXIT_DONE = 0
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
# How long a daemon that was asked to leave may take, and then one that was forced to.
POLITE_SECONDS = 10.0
FORCED_SECONDS = 5.0
# A level that is built for longer is given up.
PATIENCE_SECONDS = 300.0


def watch_project(
    root: Path,
    *,
    json: bool,
    jobs: int | None = None,
    poll: bool = False,
    takeover: bool = False,
    patience: float = PATIENCE_SECONDS,
) -> int:
    """Export a project, and again whenever it changes, until interrupted.

    Args:
        root: The project's folder.
        json: Print one JSON object a line.
        jobs: How many levels to build at the same time; None chooses.
        poll: Look at the files regularly, without system events.
        takeover: End the daemon that watches the project already, if one does.
        patience: Seconds after which the building of a level is given up.

    Returns:
        The exit code: 130 after Ctrl+C, 0 after a polite request to end, 2 when the project is
        being watched already.

    Raises:
        StoreError: The project's state folder cannot be used.
    """
    from exporter.watch.loop import Loop
    from exporter.watch.talk import HumanTalk, JsonTalk

    lock = claim_project(root, takeover)
    if lock is None:
        owner = _owner(root)
        by = f" by process {owner[0]}" if owner else ""
        print(
            f"exporter: {shown(root)} is being watched already{by} "
            "(--takeover ends that daemon and watches here)",
            file=sys.stderr,
        )
        return EXIT_USAGE
    loop = Loop(root, JsonTalk() if json else HumanTalk(), lock, jobs, poll, patience)
    try:
        with _signals(loop.stop):
            return loop.run()
    except BrokenPipeError:
        # Whoever read what we say has left.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_DONE
    finally:
        loop.close()


def claim_project(root: Path, takeover: bool = False) -> Any:
    """Take the lock of the one daemon of a project; return None when another one has it.

    Raises:
        StoreError: The state folder cannot be used, or the other daemon does not leave.
    """
    state = root / STATE_FOLDER
    try:
        state.mkdir(exist_ok=True)
    except OSError as error:
        raise StoreError(f"{state}: {error.strerror or error}") from None
    lock = try_lock(state / LOCK)
    if lock is None and takeover:
        lock = _take_over(root)
    if lock is not None:
        with contextlib.suppress(OSError):
            text = f"{os.getpid()} {socket.gethostname()}\n"
            (state / OWNER).write_text(text, encoding="utf-8")
    return lock


def _owner(root: Path) -> tuple[int, str] | None:
    """Return the process and the machine of the daemon that has the lock."""
    with contextlib.suppress(OSError, ValueError):
        text = (root / STATE_FOLDER / OWNER).read_text(encoding="utf-8")
        process, _, host = text.strip().partition(" ")
        return int(process), host
    return None


def _take_over(root: Path) -> Any:
    owner = _owner(root)
    if owner is None:
        raise StoreError("the daemon that watches this project cannot be found to end it")
    process, host = owner
    if host != socket.gethostname():
        raise StoreError(f"the daemon that watches this project runs on {host}: end it there")
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
    raise StoreError(f"process {process}, which watches this project, does not end")


@contextlib.contextmanager
def _signals(stop: Callable[[int], None]) -> Iterator[None]:
    """Ask the loop to stop when a signal says so; when asked twice leave at once."""
    asked = False

    def handle(number: int, _frame: Any) -> None:
        nonlocal asked
        if asked:
            os._exit(EXIT_INTERRUPTED)
        asked = True
        stop(EXIT_INTERRUPTED if number == signal.SIGINT else EXIT_DONE)

    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    previous = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
