"""Build each session's newest draft in worker processes; drop older work.

The server's own process stays free for its sockets, and survives a build that crashes. A build that
a newer draft makes obsolete may continue for a moment, because the next build can reuse its stages;
then its process is killed, and a spare one takes over.

The level that the first tab will request is prebuilt while its page loads.
"""

from __future__ import annotations

import asyncio
import contextlib
import traceback
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from exporter.model.errors import Problem
from exporter.model.lazy_dataclass import dataclass
from exporter.studio.builder_process import Builder, BuilderProcess
from exporter.studio.tasks import BuildTask, TaskReply

# How long an outdated build may go on.
PATIENCE_SECONDS = 0.3
BUG = "this draft meets an error in the exporter (its traceback is in the terminal)"
# The owner of a build that no session has requested yet.
_NOBODY = ""


@dataclass(slots=True)
class _Request:
    session: str
    task: BuildTask
    result: asyncio.Future[TaskReply | None]


class Builders:
    """Builds the drafts of all sessions in one process; a second one is spare.

    Args:
        builder: Replaces the function that builds a draft, in tests; it must be defined in a
            module.
        seconds: Limit for the seconds of a build.
        lazy: Start a process only for the first build, and no spare one.
    """

    def __init__(
        self, builder: Builder | None = None, seconds: float = 60.0, *, lazy: bool = False
    ) -> None:
        self._builder = builder
        self._seconds = seconds
        self._lazy = lazy
        # Sessions that gave up their running build.
        self._unwanted: set[str] = set()
        self._waiting: OrderedDict[str, _Request] = OrderedDict()
        self._changed = asyncio.Event()
        self._running: _Request | None = None
        # The prebuild, until the first task comes.
        self._prebuild: _Request | None = None
        self._process: BuilderProcess | None = None
        self._spare: BuilderProcess | None = None
        # A thread to wait in: pipes of processes are no sockets on every system.
        self._thread = ThreadPoolExecutor(1, "builder")
        self._work: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the processes, unless they are started."""
        if self._work is None:
            self._work = asyncio.get_running_loop().create_task(self._run())

    def prebuild(self, task: BuildTask) -> None:
        """Build `task`, which the first tab will probably request, before it does."""
        self._prebuild = self._enqueue(_NOBODY, task)

    async def close(self) -> None:
        """End the processes at once; builds that still wait return None."""
        if self._work is not None:
            self._work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._work
        for process in (self._process, self._spare):
            if process is not None:
                process.end()
        self._thread.shutdown(wait=False)
        for item in (*self._waiting.values(), *([self._running] if self._running else [])):
            if not item.result.done():
                item.result.set_result(None)

    async def build(self, session: str, task: BuildTask) -> TaskReply | None:
        """Build the draft of `task` for the session with the id `session`.

        Return None if a newer task of the same session replaced this one.
        """
        prebuild = self._take_prebuild(session, task)
        if prebuild is not None:
            displayed = await prebuild.result
            # Files that it has read may have changed since.
            if displayed is None or not displayed.files:
                return displayed
        before = self._waiting.pop(session, None)
        if before is not None and not before.result.done():
            before.result.set_result(None)
        return await self._enqueue(session, task).result

    def _enqueue(self, session: str, task: BuildTask) -> _Request:
        expected = _Request(session, task, asyncio.get_running_loop().create_future())
        self._waiting[session] = expected
        self._changed.set()
        return expected

    def _take_prebuild(self, session: str, task: BuildTask) -> _Request | None:
        """Give the build that was started ahead to `session` if it builds `task`.

        Otherwise cancel that build, and return None.
        """
        prebuild, self._prebuild = self._prebuild, None
        if prebuild is None:
            return None
        waiting = self._waiting.pop(_NOBODY, None)
        if prebuild.task != task:
            return None
        prebuild.session = session
        if waiting is not None:
            self._waiting[session] = prebuild
        return prebuild

    def give_up(self, session: str) -> None:
        """Drop the waiting task of a session, and end its running build soon.

        The calls of `build` that wait for these two return None.
        """
        waiting = self._waiting.pop(session, None)
        if waiting is not None and not waiting.result.done():
            waiting.result.set_result(None)
        if self._running is not None and self._running.session == session:
            self._unwanted.add(session)
            self._changed.set()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        if not self._lazy:
            self._process = await self._started()
        while True:
            while not self._waiting:
                self._changed.clear()
                await self._changed.wait()
            self._running = expected = self._waiting.popitem(last=False)[1]
            if self._process is None:
                self._process = await self._started()
            answer = loop.run_in_executor(self._thread, self._process.do, expected.task)
            result = await self._answer(expected, self._process, answer)
            self._running = None
            self._unwanted.discard(expected.session)
            if not expected.result.done():
                expected.result.set_result(result)
            if self._spare is None and self._process is not None and not self._lazy:
                self._spare = await self._started()

    async def _started(self) -> BuilderProcess:
        """Start a builder process in a thread, so that the sockets need not wait."""
        loop = asyncio.get_running_loop()
        starting = loop.run_in_executor(self._thread, BuilderProcess, self._builder)
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            (await starting).end()
            raise

    async def _answer(
        self,
        request: _Request,
        process: BuilderProcess,
        answer: asyncio.Future[TaskReply | None],
    ) -> TaskReply | None:
        """Wait for `answer`, the reply of the build of `request`, and return it.

        After the time limit, return a reply with the problem; if the reply is no longer needed,
        None.
        """
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while not answer.done():
            self._changed.clear()
            overtaken = self._is_overtaken(request)
            limit = PATIENCE_SECONDS if overtaken else self._seconds
            left = begun + limit - loop.time()
            if left <= 0:
                process.end()
                # Ignore any result, even an error that came just now.
                await asyncio.wait([answer])
                self._replace()
                return None if overtaken else _given_up(request.task, self._seconds)
            change = loop.create_task(self._changed.wait())
            either: list[asyncio.Future[Any]] = [answer, change]
            await asyncio.wait(either, timeout=left, return_when="FIRST_COMPLETED")
            change.cancel()
        try:
            result = answer.result()
        except Exception:
            # A bug in the exporter: the terminal shows its traceback, and the studio continues.
            traceback.print_exc()
            return TaskReply(problems=(Problem(BUG, request.task.file),))
        if result is None:
            self._replace()
            return _died(request.task)
        return result

    def _is_overtaken(self, request: _Request) -> bool:
        """Return whether the reply to `request` is no longer needed."""
        if request.session == _NOBODY:
            return self._prebuild is not request
        return request.session in self._waiting or request.session in self._unwanted

    def _replace(self) -> None:
        if self._process is not None:
            self._process.end()
        self._process, self._spare = self._spare, None


def _given_up(task: BuildTask, seconds: float) -> TaskReply:
    text = (
        f"building took longer than {seconds:g} seconds and was ended (--max-seconds allows more)"
    )
    return TaskReply(problems=(Problem(text, task.file),))


def _died(task: BuildTask) -> TaskReply:
    text = (
        "the process that builds levels ended unexpectedly, perhaps for lack of memory (make the "
        "level smaller)"
    )
    return TaskReply(problems=(Problem(text, task.file),))
