"""Keep worker processes warm, so that builds start without delay.

If a worker dies or hangs, it is replaced and its level reported. A worker whose level is outdated
is stopped at once. Workers end when the process that started them does, however it ends.

The code that starts processes is imported only when needed, because small exports start none.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from exporter.export.level_builder import build_files, is_quick
from exporter.export.tasks import BuildStep, Task, TaskResult, took_too_long
from exporter.model.errors import Problem
from exporter.project.project import display_path

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from exporter.export.worker_process import Builder

# After so many workers that died before they were ready, no further one is started.
_MAXIMUM_FAILED_STARTS = 3
# Finished levels are written together: at most these many, or those of this time.
GATHERED_LEVELS = 64
GATHERED_BYTES = 16 << 20
GATHERING_SECONDS = 0.25

# Called with the stage of a level's build; empty when it is over or given up.
OnStage = Callable[[Task, str], None]


class _Worker:
    def __init__(self, builder: Builder | None, timeout: float | None) -> None:
        from exporter.explore.processes import interrupts_blocked
        from exporter.export.worker_process import process_context, work

        context = process_context()
        ours, theirs = context.Pipe()
        self.connection: Connection = ours
        self.process = context.Process(target=work, args=(theirs, builder, timeout), daemon=True)
        with interrupts_blocked():
            self.process.start()
        theirs.close()
        self.task: Task | None = None
        self.step: BuildStep | None = None
        self.started = monotonic()
        self.ready = False

    def give(self, task: Task) -> None:
        self.task = task
        self.step = None
        self.started = monotonic()
        # A worker that is dead already is noticed when its answer is waited for.
        with contextlib.suppress(OSError):
            self.connection.send(task)

    def stop(self) -> None:
        self.process.kill()
        self.process.join(5)
        self.connection.close()


class Workers:
    """A pool of worker processes, and a queue of tasks for them.

    Args:
        count: The largest number of processes, each with one task at a time.
        timeout: Seconds after which a build is stopped; None for no limit.
        builder: The function that builds a task in the worker; None for the exporter's own. Tests
            set it.
        on_stage: Called with a task and the stage that its build has reached.
    """

    def __init__(
        self,
        count: int,
        timeout: float | None = None,
        builder: Builder | None = None,
        *,
        on_stage: OnStage | None = None,
    ) -> None:
        self._on_stage = on_stage
        self.count = count
        self.timeout = timeout
        self._builder = builder
        self._workers: list[_Worker] = []
        self._queue: deque[Task] = deque()
        self._results: list[TaskResult] = []
        self._failed_starts = 0

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pending(self) -> int:
        """How many tasks are queued or running, or have unread results."""
        busy = sum(worker.task is not None for worker in self._workers)
        return len(self._queue) + busy + len(self._results)

    def warm_up(self, spares: int = 1) -> None:
        """Start workers until `spares` of them are idle, ready for tasks."""
        idle = sum(worker.task is None for worker in self._workers)
        for _ in range(spares - idle):
            self._start()

    def submit(self, tasks: Sequence[Task]) -> None:
        """Add tasks to the queue; start those for which a worker is free."""
        self._queue.extend(tasks)
        self._assign()

    def cancel(self, spec: str) -> bool:
        """Drop the tasks of `spec`, and stop those that run.

        Return whether there were any. Their results are dropped, too.
        """
        before = self.pending
        self._queue = deque(task for task in self._queue if task.spec != spec)
        self._results = [built for built in self._results if built.task.spec != spec]
        for worker in list(self._workers):
            if worker.task is not None and worker.task.spec == spec:
                self._discard(worker)
        cancelled = self.pending < before
        self._assign()
        return cancelled

    def results(self, timeout: float | None, also: Sequence[Any] = ()) -> list[TaskResult]:
        """Wait until a task is finished; return all results that are ready.

        The list may be empty after `timeout` seconds (None for no limit), or when one of the
        objects in `also` is ready.
        """
        if not self._results:
            self._wait(timeout, also)
        self._assign()
        self._gather(also)
        results, self._results = self._results, []
        return results

    def trim(self, idle: int) -> None:
        """End idle workers, except `idle` of them."""
        spare = [worker for worker in self._workers if worker.task is None]
        for worker in spare[idle:]:
            self._discard(worker)

    def close(self) -> None:
        """End all workers at once, and drop all tasks."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.stop()
        self._workers = []
        self._queue.clear()

    # --- inside -------------------------------------------------------------------------------

    def _assign(self) -> None:
        while self._queue:
            idle = next((worker for worker in self._workers if worker.task is None), None)
            if idle is None:
                if len(self._workers) >= self.count:
                    return
                idle = self._start()
                if idle is None:
                    if not self._workers:
                        self._fail_queue("cannot be started")
                    return
            idle.give(self._queue.popleft())

    def _start(self) -> _Worker | None:
        """Start a worker; return None if that fails repeatedly."""
        for _ in range(_MAXIMUM_FAILED_STARTS):
            try:
                worker = _Worker(self._builder, self.timeout)
            except (EOFError, OSError):
                continue  # the next attempt starts another server
            self._workers.append(worker)
            return worker
        return None

    def _fail_queue(self, how: str) -> None:
        while self._queue:
            self._results.append(_failure(self._queue.popleft(), how))

    def _gather(self, also: Sequence[Any]) -> None:
        """Wait briefly for more results while tasks are queued.

        The files of several results are written together, which costs little more than those of
        one.
        """
        end = monotonic() + GATHERING_SECONDS
        size = _size(self._results)
        while self._results and self._queue and size < GATHERED_BYTES:
            before = len(self._results)
            left = end - monotonic()
            if left <= 0 or before >= GATHERED_LEVELS:
                return
            self._wait_once(left, also)
            if any(_ready([*also], 0)):
                return
            size += _size(self._results[before:])
            self._assign()

    def _wait(self, timeout: float | None, also: Sequence[Any]) -> None:
        """Wait until a worker ends a task or its process, or `timeout` is over.

        It also returns when one of the objects in `also` is ready. Reports of stages do not end it.
        """
        end = None if timeout is None else monotonic() + timeout
        while self._wait_once(None if end is None else max(0.0, end - monotonic()), also):
            pass

    def _wait_once(self, timeout: float | None, also: Sequence[Any]) -> bool:
        """Wait for messages of workers; return whether they only report stages.

        False after `timeout` seconds, or if one of the objects in `also` is ready.
        """
        limits = [] if timeout is None else [timeout]
        now = monotonic()
        busy = [worker for worker in self._workers if worker.task is not None]
        if self.timeout is not None:
            limits += [worker.started + self.timeout - now for worker in busy]
        channels: list[Any] = [worker.connection for worker in self._workers]
        sentinels = [worker.process.sentinel for worker in self._workers]
        ready = _ready([*channels, *sentinels, *also], min(limits, default=None))
        only_reported = bool(ready) and not any(item in ready for item in also)
        for worker in list(self._workers):
            if worker.connection in ready or worker.process.sentinel in ready:
                only_reported = self._receive(worker) and only_reported
        now = monotonic()
        for worker in list(self._workers):
            late = self.timeout is not None and now - worker.started >= self.timeout
            if late and worker.task is not None:
                self._give_up(worker, f"gave no answer for {self.timeout:g} seconds", late=True)
                only_reported = False
        return only_reported

    def _receive(self, worker: _Worker) -> bool:
        """Read the messages of `worker`; return whether they only report stages."""
        from exporter.export.worker_process import StageBegun

        only_reported = True
        try:
            while worker.connection.poll():
                message = worker.connection.recv()
                if isinstance(message, BuildStep):
                    worker.step = message
                    continue
                if isinstance(message, StageBegun):
                    self._report_stage(worker, message.stage)
                    continue
                if message is None:
                    worker.ready = True
                    self._failed_starts = 0
                    continue
                only_reported = False
                self._report_stage(worker, "")
                worker.task = None
                self._results.append(message)
        except (EOFError, OSError):
            self._bury(worker)
            return False
        if not worker.process.is_alive():
            self._bury(worker)
            return False
        return only_reported

    def _bury(self, worker: _Worker) -> None:
        """Remove `worker`, whose process died; its task fails."""
        worker.process.join(5)
        if not worker.ready:
            self._failed_starts += 1
        code = worker.process.exitcode
        how = f"ended with code {code}"
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                how = f"was killed by {signal.Signals(-code).name}"
        if worker.task is None:
            self._discard(worker)
        else:
            self._give_up(worker, how)
        if self._failed_starts >= _MAXIMUM_FAILED_STARTS:
            self._fail_queue(f"cannot start: it {how}")

    def _give_up(self, worker: _Worker, how: str, *, late: bool = False) -> None:
        assert worker.task is not None
        failure = _failure(worker.task, how)
        if late and worker.step is not None and self.timeout is not None:
            failure = replace(failure, problems=(took_too_long(worker.step, self.timeout),))
        self._results.append(failure)
        self._discard(worker)

    def _report_stage(self, worker: _Worker, stage: str) -> None:
        if self._on_stage is not None and worker.task is not None:
            self._on_stage(worker.task, stage)

    def _discard(self, worker: _Worker) -> None:
        self._report_stage(worker, "")
        self._workers.remove(worker)
        worker.stop()


def _ready(channels: Sequence[Any], timeout: float | None) -> list[Any]:
    """Wait until some of `channels` have something to read; return these."""
    from multiprocessing.connection import wait

    return wait(channels, timeout)


def _size(levels: Iterable[TaskResult]) -> int:
    return sum(file.size for built in levels for file in built.files)


def _failure(task: Task, how: str) -> TaskResult:
    from exporter.reading.names import default_name

    problem = Problem(
        f"the worker process that built this level {how}",
        display_path(task.project.root / task.spec),
    )
    return TaskResult(task, default_name(task.spec), 0.0, problems=(problem,))


def build_all(
    tasks: deque[Task],
    processes: int | None,
    timeout: float | None = None,
    on_stage: OnStage | None = None,
) -> Iterator[list[TaskResult]]:
    """Build `tasks` in this process or in others; yield results in groups.

    Args:
        tasks: The tasks; the caller may add more after each group. Empty at the end.
        processes: The number of processes; None chooses.
        timeout: Seconds after which a build is stopped; None for no limit. Only another process can
            be stopped, so with a timeout only quick levels are built in this one. Then this process
            can also draw progress and end at once when interrupted, which it cannot while a
            compiled loop runs in it.
        on_stage: Called with a task and the stage that its build has reached.
    """
    chosen = sensible_processes(len(tasks), processes)
    if chosen <= 1:
        watched: deque[Task] = deque()
        quick: list[TaskResult] = []
        began = monotonic()
        while tasks:
            task = tasks.popleft()
            # Units of a world are many, and each takes a while.
            in_here = processes == 1 if task.unit is not None else timeout is None or is_quick(task)
            if in_here:
                quick.append(
                    build_files(task, timeout, partial(on_stage, task) if on_stage else None)
                )
            else:
                watched.append(task)
            # Yield before the last task is taken, since the caller may then add more.
            full = len(quick) >= GATHERED_LEVELS or _size(quick) >= GATHERED_BYTES
            if quick and (not tasks or full or monotonic() - began >= GATHERING_SECONDS):
                yield quick
                quick, began = [], monotonic()
        tasks.extend(watched)
        if any(task.unit is not None for task in tasks):
            chosen = processes or os.cpu_count() or 1
    if not tasks:
        return
    with Workers(max(chosen, 1), timeout, on_stage=on_stage) as workers:
        while tasks or workers.pending:
            workers.submit(tasks)
            tasks.clear()
            finished = workers.results(None)
            if finished:
                yield finished


def sensible_processes(levels: int, processes: int | None) -> int:
    """Return how many processes to start for `levels` levels.

    `processes` is the user's choice, which is only lowered if there are fewer levels; None chooses
    here.
    """
    if processes is not None:
        return min(processes, levels)
    # Starting processes costs about as much as a dozen small levels.
    return min(os.cpu_count() or 1, levels) if levels >= 16 else 1
