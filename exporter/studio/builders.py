"""Builder processes: the newest draft of each session is built, and older work is given up.

The server's own process stays free for its sockets, and whatever a build does to its process, the
studio goes on. A build that a newer draft of the same session overtakes is let finish for a moment,
because the results of its stages serve the next one; then its process is ended, and a spare one
takes over.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import traceback
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from exporter.model.errors import Problem
from exporter.search.processes import interrupts_blocked
from exporter.studio.tasks import BuildTask, Shown

# How long a build may go on that is not wanted any more.
PATIENCE_SECONDS = 0.3
_PRELOADED = ["exporter.studio.viewed", "exporter.generators.cellular_caves"]
BUG = "this draft meets an error in the exporter (its traceback is in the terminal)"
# Builds a draft with what was kept of earlier ones.
Builder = Callable[[BuildTask, Any], Shown]


@dataclass(slots=True)
class _Wanted:
    task: BuildTask
    result: asyncio.Future[Shown | None]


class Builders:
    """One builder process at work, and one that is ready to replace it.

    Args:
        builder: Builds a draft in the process, for tests; a function of a module.
        seconds: Seconds after which a build is given up; it is also what a task may allow.
        seldom: There is seldom something to build: the first process is started for it, and there
            is no spare one.
    """

    def __init__(
        self, builder: Builder | None = None, seconds: float = 60.0, *, seldom: bool = False
    ) -> None:
        self._builder = builder
        self._seconds = seconds
        self._seldom = seldom
        # Sessions that do not want what is being built for them.
        self._unwanted: set[str] = set()
        self._waiting: OrderedDict[str, _Wanted] = OrderedDict()
        self._changed = asyncio.Event()
        self._running: tuple[str, _Wanted] | None = None
        self._process: _Process | None = None
        self._spare: _Process | None = None
        # A thread to wait in: pipes of processes are no sockets on every system.
        self._thread = ThreadPoolExecutor(1, "builder")
        self._work: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the processes, and work from now on."""
        if not self._seldom:
            self._process = _Process(self._builder)
        self._work = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """End the processes, whatever they are at."""
        if self._work is not None:
            self._work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._work
        for process in (self._process, self._spare):
            if process is not None:
                process.end()
        self._thread.shutdown(wait=False)
        for one in (*self._waiting.values(), *([self._running[1]] if self._running else [])):
            if not one.result.done():
                one.result.set_result(None)

    async def build(self, session: str, task: BuildTask) -> Shown | None:
        """Build a draft of a session; None if a newer one of the same session overtook it."""
        wanted = _Wanted(task, asyncio.get_running_loop().create_future())
        before = self._waiting.pop(session, None)
        if before is not None:
            before.result.set_result(None)
        self._waiting[session] = wanted
        self._changed.set()
        return await wanted.result

    def give_up(self, session: str) -> None:
        """Forget what a session waits for, which then is None; what is at work is ended soon."""
        waiting = self._waiting.pop(session, None)
        if waiting is not None:
            waiting.result.set_result(None)
        if self._running is not None and self._running[0] == session:
            self._unwanted.add(session)
            self._changed.set()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            while not self._waiting:
                self._changed.clear()
                await self._changed.wait()
            session, wanted = self._waiting.popitem(last=False)
            self._running = session, wanted
            process = self._ready()
            answer = loop.run_in_executor(self._thread, process.do, wanted.task)
            result = await self._answer(session, process, answer)
            self._running = None
            self._unwanted.discard(session)
            if not wanted.result.done():
                wanted.result.set_result(result)

    async def _answer(
        self, session: str, process: _Process, answer: asyncio.Future[Shown | None]
    ) -> Shown | None:
        """Wait for a build, but not longer than it is worth."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while not answer.done():
            self._changed.clear()
            overtaken = session in self._waiting or session in self._unwanted
            limit = PATIENCE_SECONDS if overtaken else self._seconds
            left = begun + limit - loop.time()
            if left <= 0:
                process.end()
                # Whatever it is, even an error that came in this very moment: nobody wants it.
                await asyncio.wait([answer])
                self._replace()
                return None if overtaken else _given_up(self._running_task(), self._seconds)
            change = loop.create_task(self._changed.wait())
            either: list[asyncio.Future[Any]] = [answer, change]
            await asyncio.wait(either, timeout=left, return_when="FIRST_COMPLETED")
            change.cancel()
        try:
            found = answer.result()
        except Exception:
            # A bug of ours: its traceback is for the terminal, and the studio goes on.
            traceback.print_exc()
            return Shown(problems=(Problem(BUG, self._running_task().file),))
        if found is None:
            self._replace()
            return _died(self._running_task())
        if self._spare is None and not self._seldom:
            self._spare = _Process(self._builder)
        return found

    def _running_task(self) -> BuildTask:
        assert self._running is not None
        return self._running[1].task

    def _ready(self) -> _Process:
        if self._process is None:
            self._process = _Process(self._builder)
        return self._process

    def _replace(self) -> None:
        if self._process is not None:
            self._process.end()
        self._process, self._spare = self._spare, None


class _Process:
    """One process that builds drafts, with its memory."""

    def __init__(self, builder: Builder | None) -> None:
        context = _context()
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, builder), daemon=True)
        if os.name != "nt":
            # Otherwise it is started with the process, and lets interrupts through again.
            resource_tracker.ensure_running()
        with interrupts_blocked():
            self._process.start()
        theirs.close()

    def do(self, task: BuildTask) -> Shown | None:
        """Build a draft; None if the process has ended."""
        try:
            self._ours.send(task)
            answer = self._ours.recv()
        except (EOFError, OSError):
            return None
        if isinstance(answer, BaseException):
            raise answer
        assert isinstance(answer, Shown)
        return answer

    def end(self) -> None:
        """End the process, whatever it is at; whoever waits for it is told."""
        self._process.kill()
        self._process.join(5)


def _given_up(task: BuildTask, seconds: float) -> Shown:
    text = (
        f"building took longer than {seconds:g} seconds and was ended (--max-seconds allows more)"
    )
    return Shown(problems=(Problem(text, task.file),))


def _died(task: BuildTask) -> Shown:
    text = "the process that builds levels has ended without a word (perhaps out of memory)"
    return Shown(problems=(Problem(text, task.file),))


def _context() -> Any:
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    return context


def _work(connection: Connection, builder: Builder | None) -> None:
    """Build drafts until the owner goes; runs in the process."""
    from exporter.studio.building import Memory
    from exporter.studio.viewed import build_wanted

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    build = builder or build_wanted
    memory = Memory()
    with contextlib.suppress(EOFError, OSError):
        while True:
            task = connection.recv()
            try:
                answer: Any = build(task, memory)
            except Exception as error:
                answer = error
            connection.send(answer)
