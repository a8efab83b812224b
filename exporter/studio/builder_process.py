"""Run a process that builds drafts: start it, send tasks, end it.

This module imports nothing large, so that `exporter serve` can start the first process at once:
server and process then import their modules at the same time.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, cast

from exporter.explore.processes import interrupts_blocked

if TYPE_CHECKING:
    from exporter.studio.tasks import BuildTask, TaskReply

# Builds a draft, reusing results of earlier ones.
Builder = Callable[["BuildTask", Any], "TaskReply"]
_PRELOADED = ["exporter.studio.viewed", "exporter.generators.cellular_caves"]


def prepare_processes() -> None:
    """Import the modules of builder processes early, in the background.

    On systems without `fork` this does nothing: there each process imports the modules itself.
    """
    if _forks():
        process_context()
        with interrupts_blocked():
            forkserver.ensure_running()


class BuilderProcess:
    """A process that builds drafts, and caches results between builds.

    The constructor returns as soon as the process is started.

    Args:
        builder: Replaces the function that builds a draft, in tests; a function of a module.
    """

    def __init__(self, builder: Builder | None) -> None:
        context = process_context()
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, builder), daemon=True)
        with interrupts_blocked():
            self._process.start()
        theirs.close()

    def do(self, task: BuildTask) -> TaskReply | None:
        """Build `task` in the process; return None if the process has ended.

        An exception that the build raised in the process is raised here.
        """
        try:
            self._ours.send(task)
            answer = self._ours.recv()
        except (EOFError, OSError):
            return None
        if isinstance(answer, BaseException):
            raise answer
        return cast("TaskReply", answer)

    def end(self) -> None:
        """Kill the process; a call of `do` that still waits returns None."""
        self._process.kill()
        self._process.join(5)


def _forks() -> bool:
    return "forkserver" in multiprocessing.get_all_start_methods()


def process_context() -> Any:
    """Return the `multiprocessing` context: `forkserver` if there is one."""
    if not _forks():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    return context


def _work(connection: Connection, builder: Builder | None) -> None:
    """Build the tasks that `connection` receives; runs in the builder process."""
    from exporter.studio.building import Memory
    from exporter.studio.viewed import build_requested

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    build = builder or build_requested
    memory = Memory()
    with contextlib.suppress(EOFError, OSError):
        while True:
            task = connection.recv()
            try:
                answer: Any = build(task, memory)
            except Exception as error:
                answer = error
            connection.send(answer)
