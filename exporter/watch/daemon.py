"""Run the watch daemon: export, then export again whenever files change.

    change_signal, observers      system events, which only hint at changes
    debounce, rescans, checkout   when to scan the files
    loop                          wait for quiet, build, store

Only one daemon watches a project. A second one reports the first and exits, or takes over.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from exporter.export.events import Interrupted, Reporter
from exporter.model.exit_codes import ExitCode
from exporter.project.project import display_path
from exporter.watch.input_end import stopped_by_input
from exporter.watch.lock import claim_project, owner_of

# The build of a level is given up after this time.
TIMEOUT_SECONDS = 300.0


def watch_project(
    root: Path,
    *,
    reporter: Reporter,
    jobs: int | None = None,
    poll: bool = False,
    takeover: bool = False,
    timeout: float = TIMEOUT_SECONDS,
    beside: AbstractContextManager[object] | None = None,
    input_descriptor: int | None = None,
) -> int:
    """Export a project, and again after every change, until interrupted.

    Args:
        root: The project's folder.
        reporter: Receives every event.
        jobs: How many levels to build at the same time; None chooses.
        poll: Scan the files often, without system events.
        takeover: If another daemon watches the project, end it and continue here.
        timeout: Seconds after which the build of a level is stopped.
        beside: A context to enter while this daemon holds the project's lock, such as the studio.
        input_descriptor: A file descriptor; the daemon stops when this input ends or has a line
            `stop`. None for no such input.

    Returns:
        The exit code: 130 after Ctrl+C, 0 after SIGTERM or the input's end, 2 when the project is
        being watched already.

    Raises:
        StoreError: The project's state folder cannot be used.
    """
    from exporter.watch.loop import Loop

    lock = claim_project(root, takeover)
    if lock is None:
        owner = owner_of(root)
        by = f" by process {owner[0]}" if owner else ""
        print(
            f"exporter: {display_path(root)} is being watched already{by} "
            "(--takeover ends that daemon and watches here)",
            file=sys.stderr,
        )
        return ExitCode.USAGE
    loop = Loop(root, reporter, lock, jobs, poll, timeout)
    try:
        with (
            _signals(loop.stop),
            _input_end(input_descriptor, loop.stop),
            beside or contextlib.nullcontext(),
        ):
            code = loop.run()
            if code == ExitCode.INTERRUPTED:
                reporter.report(Interrupted(()))
            return code
    except BrokenPipeError:
        # The reader of our output has closed it.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    finally:
        loop.close()


def _input_end(
    descriptor: int | None, stop: Callable[[int], None]
) -> AbstractContextManager[object]:
    if descriptor is None:
        return contextlib.nullcontext()
    return stopped_by_input(descriptor, lambda: stop(ExitCode.DONE))


@contextlib.contextmanager
def _signals(stop: Callable[[int], None]) -> Iterator[None]:
    """Call `stop` on the first signal; exit at once on the second."""
    is_stopping = False

    def handle(number: int, _frame: Any) -> None:
        nonlocal is_stopping
        if is_stopping:
            os._exit(ExitCode.INTERRUPTED)
        is_stopping = True
        stop(ExitCode.INTERRUPTED if number == signal.SIGINT else ExitCode.DONE)

    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    previous = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
