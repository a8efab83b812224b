"""Build contact sheets in several processes, and stream them to tabs.

A tab has one sheet: a newer one replaces it, and closing the tab stops it. Sheets of several tabs
take turns, one batch of levels each. An outdated batch may run for a moment; then its process is
killed. The processes start with the first sheet and run at low priority, so that drafts are not
slowed down.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import traceback
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

from exporter.explore.processes import Crew, Prepare
from exporter.model.errors import ExporterError
from exporter.project.level_files import LevelFile
from exporter.studio.exported import pack_path, pack_state
from exporter.studio.outbox import Message, Outbox
from exporter.studio.seed_tasks import (
    Batch,
    Opened,
    SheetError,
    SheetTask,
    requested_fields,
    sheet_number,
)

# How long an outdated batch may go on.
PATIENCE_SECONDS = 0.3
# How long a batch should take: short, so that levels are streamed and other tabs get a turn.
BATCH_SECONDS = 0.12
_LARGEST_BATCH = 32
_FIRST_BATCH = 2
_MOST_PROCESSES = 8
# Sheets that a process caches: that many tabs can take turns without parsing their drafts again.
_REMEMBERED = 4
# These processes run at low priority, so that a change of a parameter goes first.
_NICENESS = 10
BUG = "this sheet meets an error in the exporter (its traceback is in the terminal)"

# Called with the kind of a message, and the message.
Send = Callable[[str, Message], None]
Job = tuple[SheetTask, range | None]


def sheet_worker(_argument: object) -> Callable[[Job], Opened | Batch]:
    """Return the function that runs the jobs of sheets in a process."""
    # The server itself does not import the code that builds levels.
    from exporter.measures import MEASURES
    from exporter.studio.seed_levels import PackSheet, Sheet

    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    MEASURES.all()
    known: OrderedDict[SheetTask, Sheet | PackSheet] = OrderedDict()

    def work(job: Job) -> Opened | Batch:
        task, numbers = job
        if task not in known:
            known[task] = Sheet(task) if task.pack is None else PackSheet(task)
        known.move_to_end(task)
        while len(known) > _REMEMBERED:
            known.popitem(last=False)
        return known[task].opened() if numbers is None else known[task].levels(numbers)

    return work


class _Sheet:
    def __init__(self, task: SheetTask, send: Send) -> None:
        self.task = task
        self.send = send
        self.begun = monotonic()
        self.over = asyncio.Event()
        self.opening = False
        self.count: int | None = None
        self.next = self.done = self.matched = self.failed = 0
        self.batch = _FIRST_BATCH

    @property
    def waits(self) -> bool:
        return not self.opening if self.count is None else self.next < self.count

    def job(self) -> Job:
        """Return the next job: to open the sheet, or to build the next levels."""
        if self.count is None:
            self.opening = True
            return self.task, None
        numbers = range(self.next, min(self.next + self.batch, self.count))
        self.next = numbers.stop
        return self.task, numbers


class SeedSheets:
    """The running sheets of all tabs, and the processes that build them.

    Args:
        processes: The number of processes; None for one for each processor, at most 8.
        seconds: Limit for the seconds of a batch, and for the estimate of a level.
        worker: Returns the function that runs jobs in a process; replaced in tests.
    """

    def __init__(
        self,
        processes: int | None = None,
        seconds: float = 60.0,
        worker: Prepare[Job, Opened | Batch] = sheet_worker,
    ) -> None:
        self.seconds = seconds
        self._worker = worker
        self._count = processes or min(_MOST_PROCESSES, os.cpu_count() or 1)
        self._sheets: OrderedDict[str, _Sheet] = OrderedDict()
        self._changed = asyncio.Condition()
        self._threads: ThreadPoolExecutor | None = None
        self._workers: list[asyncio.Task[None]] = []
        self._crews: set[Crew[Job, Opened | Batch]] = set()
        self._notes: set[asyncio.Task[None]] = set()

    def ask(
        self,
        session: str,
        message: dict[str, Any],
        content: bytes,
        level: LevelFile,
        edits: bytes | None,
        box: Outbox,
    ) -> None:
        """Start the sheet that a tab requests, or send why it is refused.

        Args:
            session: The id of the tab's session.
            message: The request `seeds` of the page.
            content: The text of the tab's draft.
            level: The level of the draft.
            edits: The text of the draft's hand edits; None without any.
            box: The tab's outgoing messages.
        """
        self.stop(session)
        box.forget("seed")
        try:
            expected = requested_fields(message)
            if message.get("pack"):
                pack = exported_pack(level)
                expected |= {"pack": pack, "pack_state": pack_state(pack), "vary": (), "steps": ()}
        except SheetError as error:
            box.put("seeds-refused", refusal_of(sheet_number(message), error))
            return
        task = SheetTask(
            content, level.name, level.path.parent, level.root, edits, self.seconds, **expected
        )
        self.show(session, task, box.put)

    def show(self, session: str, task: SheetTask, send: Send) -> None:
        """Start a sheet for a tab, in place of its running one.

        Args:
            session: The id of the tab's session.
            task: The requested sheet.
            send: Called with the messages of the sheet: `seeds` (or `seeds-refused`), any number of
                `seed-levels`, and `seeds-done`.
        """
        self.stop(session)
        self._sheets[session] = _Sheet(task, send)
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._count, "seeds")
            loop = asyncio.get_running_loop()
            self._workers = [loop.create_task(self._work()) for _ in range(self._count)]
        self._note()

    def stop(self, session: str) -> None:
        """Stop the running sheet of the session with this id, if there is one."""
        before = self._sheets.pop(session, None)
        if before is not None:
            before.over.set()

    async def close(self) -> None:
        """Stop all sheets and processes at once."""
        for session in [*self._sheets]:
            self.stop(session)
        for worker in self._workers:
            worker.cancel()
        # End the processes first, because threads wait for them.
        for crew in [*self._crews]:
            crew.close()
        for worker in self._workers:
            with contextlib.suppress(asyncio.CancelledError):
                await worker
        if self._threads is not None:
            self._threads.shutdown(wait=False)

    def _note(self) -> None:
        """Wake the workers, because there are new jobs."""

        async def wake() -> None:
            async with self._changed:
                self._changed.notify_all()

        note = asyncio.get_running_loop().create_task(wake())
        self._notes.add(note)
        note.add_done_callback(self._notes.discard)

    async def _work(self) -> None:
        """Run the jobs of sheets in one process, one after another."""
        crew: Crew[Job, Opened | Batch] | None = None
        while True:
            if crew is None:
                # All begin at once: they are ready when the first of them has read the draft.
                crew = Crew(1, self._worker, None)
                self._crews.add(crew)
            session, sheet = await self._next()
            job = sheet.job()
            begun = monotonic()
            try:
                answer = await self._answer(crew, sheet, job)
            except SheetError as error:
                self._refuse(session, sheet, error)
                continue
            except Exception as error:
                # The process has ended, or it was a bug of ours: another one takes over.
                self._crews.discard(crew)
                crew.close()
                crew = None
                if not sheet.over.is_set():
                    self._refuse(session, sheet, SheetError("", _words(error)))
                continue
            self._take(session, sheet, answer, monotonic() - begun)

    async def _next(self) -> tuple[str, _Sheet]:
        """Return the next sheet that has a job, with its session; wait for one.

        Sheets take turns.
        """
        async with self._changed:
            while True:
                for session, sheet in self._sheets.items():
                    if sheet.waits:
                        self._sheets.move_to_end(session)
                        return session, sheet
                await self._changed.wait()

    async def _answer(
        self, crew: Crew[Job, Opened | Batch], sheet: _Sheet, job: Job
    ) -> Opened | Batch:
        """Return the process's answer to `job`, or stop at the time limit.

        Raises:
            ExporterError: The job took too long, or the process has ended.
        """
        loop = asyncio.get_running_loop()
        answer = loop.run_in_executor(self._threads, lambda: next(crew.results([job])))
        # When the studio ends, no caller waits, and the end of a process is no error.
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        over = loop.create_task(sheet.over.wait())
        try:
            either: set[asyncio.Future[Any]] = {answer, over}
            await asyncio.wait(either, timeout=self.seconds, return_when="FIRST_COMPLETED")
            if not answer.done() and over.done():
                await asyncio.wait({answer}, timeout=PATIENCE_SECONDS)
        finally:
            over.cancel()
        if answer.done():
            return answer.result()
        crew.close()
        with contextlib.suppress(ExporterError):
            await answer
        raise ExporterError(
            f"these levels took longer than {self.seconds:g} seconds and were given up "
            "(--max-seconds allows more)"
        )

    def _take(self, session: str, sheet: _Sheet, answer: Opened | Batch, seconds: float) -> None:
        if sheet.over.is_set():
            return
        if isinstance(answer, Opened):
            sheet.count = answer.count
            sheet.send("seeds", answer.event)
            if sheet.count:
                self._note()
            else:
                self._finish(session, sheet)
            return
        numbers = sheet.done
        sheet.done += answer.levels
        sheet.matched += answer.matched
        sheet.failed += answer.failed
        each = max(seconds / answer.levels, 1e-4)
        sheet.batch = max(1, min(_LARGEST_BATCH, int(BATCH_SECONDS / each), 2 * sheet.batch))
        sheet.send(f"seed-levels {numbers}", answer.message)
        if sheet.done == sheet.count:
            self._finish(session, sheet)

    def _finish(self, session: str, sheet: _Sheet) -> None:
        sheet.send(
            "seeds-done",
            {
                "event": "seeds-done",
                "sheet": sheet.task.sheet,
                "count": sheet.done,
                "matched": sheet.matched,
                "failed": sheet.failed,
                "seconds": round(monotonic() - sheet.begun, 3),
            },
        )
        if self._sheets.get(session) is sheet:
            self.stop(session)

    def _refuse(self, session: str, sheet: _Sheet, error: SheetError) -> None:
        if sheet.over.is_set():
            return
        sheet.send("seeds-refused", refusal_of(sheet.task.sheet, error))
        if self._sheets.get(session) is sheet:
            self.stop(session)


def exported_pack(level: LevelFile) -> Path:
    """Return the file of the pack that a level's last export wrote.

    Raises:
        SheetError: The level has no exported pack.
    """
    try:
        path = pack_path(level)
    except ExporterError as error:
        raise SheetError("", str(error)) from None
    if path is None:
        raise SheetError("", "the pack is not built yet (press Build to save and export the level)")
    return path


def refusal_of(sheet: int, error: SheetError) -> Message:
    """Return the event `seeds-refused` for the sheet with the number `sheet`.

    `error` has the reason, and the field of the page that is at fault.
    """
    return {
        "event": "seeds-refused",
        "sheet": sheet,
        "field": error.field,
        "text": error.text,
        "start": error.start,
        "length": error.length,
    }


def _words(error: Exception) -> str:
    if isinstance(error, ExporterError):
        return str(error)
    traceback.print_exception(error)
    return BUG
