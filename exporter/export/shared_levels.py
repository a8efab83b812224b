"""Export with a store of results that several machines share.

Each level, each chunk of a world and each survey of a row of chunks is looked up in the store
first; if the store lacks the result, it is built and added. An unreadable store or a lost cluster
ends the export; a store that accepts no more files is reported at the end, when all levels are
exported.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeVar

from exporter.export.events import Remark, Reporter
from exporter.export.level_records import (
    decode_level,
    encode_level,
    games_of,
    record_key,
    unit_key,
)
from exporter.export.places import is_remote
from exporter.export.project_snapshot import ProjectFiles
from exporter.export.run import Farm
from exporter.export.settings import Settings
from exporter.export.shared_store import SharedStore
from exporter.export.tasks import Task, TaskResult, content_from
from exporter.export.workers import OnStage
from exporter.model.errors import FarmError
from exporter.reading.names import edits_file
from exporter.store.cache import Cache
from exporter.store.commit_plan import File

Item = TypeVar("Item")
Result = TypeVar("Result")

# How many levels to read or write at once: a network is slow to answer, but serves many.
_AT_ONCE = 8
# How many stored levels to write together, since each group waits once for the disk.
_STORED_TOGETHER = 16
# How many units of a world to look up at once, and to run at once on a cluster.
_UNITS_REQUESTED = 16
_UNITS_AWAY = 64


class StoreBuilder(Protocol):
    """Builds the levels that a shared store lacks, on other machines.

    Attributes:
        here: Tasks that only this machine can build.
    """

    here: list[Task]
    """Levels that could not be built there, and are to be built on this machine."""

    def built(self, tasks: deque[Task]) -> Iterator[TaskResult]:
        """Build `tasks`; yield their results as they finish, in any order.

        The caller may add tasks after each result; `tasks` is empty at the end. The builder has
        stored the results of tasks for which it called `StoreFarm.noted`.
        """

    def close(self) -> None:
        """Stop building."""


class StoreFarm(Farm):
    """Reads results from a shared store; builds missing ones and adds them.

    Args:
        settings: The options of the export.
        root: The project's folder.
        files: The project's files; a stored result is used only if it was made from equal files.
        cache: Has the contents of files that a build took from the cache.
        reporter: Receives remarks about damaged files of the store.
        builder: Returns an object that builds missing levels on other machines; None to build all
            levels here.

    Raises:
        FarmError: The store cannot be used.
    """

    def __init__(
        self,
        settings: Settings,
        root: Path,
        files: ProjectFiles,
        cache: Cache,
        reporter: Reporter,
        builder: Callable[[StoreFarm], StoreBuilder] | None = None,
    ) -> None:
        super().__init__(settings)
        assert settings.store is not None
        self.root = root
        self.files = files
        self.store = SharedStore.open(settings.store, read_only=settings.dry_run)
        self._cache = cache
        self._reporter = reporter
        self._remote = is_remote(settings.store)
        self._pool = ThreadPoolExecutor(_AT_ONCE, "store")
        self._room = threading.Semaphore(2 * _AT_ONCE)
        self._games: dict[str, str | None] | None = None
        self._reported_damage = 0
        # Why records with right hashes could not be decoded.
        self._foreign: list[str] = []
        # The tasks of this export whose results the store has.
        self._stored: set[str] = set()
        self._trouble: FarmError | None = None
        self._builder = builder(self) if builder is not None else None

    def __exit__(self, *_: object) -> None:
        if self._builder is not None:
            self._builder.close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def key(self, task: Task) -> str:
        """Return the key under which the store keeps the result of `task`."""
        key = record_key if task.unit is None else unit_key
        return key(task, self.games)

    def built(self, tasks: deque[Task], on_stage: OnStage) -> Iterator[list[TaskResult]]:
        """Yield the results of `tasks` in groups, from the store or built now.

        The caller may add tasks after each group. `on_stage` is called with a task and the stage
        that its build has reached.
        """
        here: deque[Task] = deque()
        yield from self._from_elsewhere(tasks, here)
        for group in super().built(here, on_stage):
            yield group
            yield from self._from_elsewhere(tasks, here)

    @property
    def tasks_at_once(self) -> int:
        """How many tasks to run at once: more than there are processes here.

        Most only read results from the store, or are built on other machines.
        """
        return _UNITS_AWAY if self._builder is not None else _UNITS_REQUESTED

    def _from_elsewhere(self, tasks: deque[Task], here: deque[Task]) -> Iterator[list[TaskResult]]:
        """Yield results that need no build on this machine.

        They come from the store, or from other machines. The other tasks are added to `here`.
        """
        missing: deque[Task] = deque()
        yield from self._read_results(tasks, missing, here)
        builder = self._builder
        if builder is None:
            here.extend(missing)
            return
        while missing:
            for built in self._built_elsewhere(builder, missing):
                yield [built]
                yield from self._read_results(tasks, missing, here)
            here.extend(builder.here)
            builder.here = []

    def _read_results(
        self, tasks: deque[Task], missing: deque[Task], here: deque[Task]
    ) -> Iterator[list[TaskResult]]:
        """Yield the results of `tasks` that the store has, in groups.

        Tasks whose result the store lacks are added to `missing`. Tasks whose results it never
        stores, such as of combining surveys, are added to `here`. No task is left in `tasks`.
        """
        while tasks:
            requested = [task for task in tasks if _is_shared(task)]
            here.extend(task for task in tasks if not _is_shared(task))
            tasks.clear()
            group = []
            for task, result in self._looked_up(requested):
                self._report_damage()
                if result is None:
                    self._stored.discard(_name(task))
                    missing.append(task)
                else:
                    self._stored.add(_name(task))
                    group.append(result)
                if len(group) == _STORED_TOGETHER:
                    yield group
                    group = []
            if group:
                yield group

    def _built_elsewhere(self, builder: StoreBuilder, tasks: deque[Task]) -> Iterator[TaskResult]:
        result = builder.built(tasks)
        if not self._remote:
            yield from result
            return
        for built, whole in self._ahead(self.with_contents, result):
            # A lost content is noticed later, when its file is written.
            yield whole if whole is not None else built

    @property
    def games(self) -> dict[str, str | None]:
        """The folder of each target's game project, by target; None without one."""
        if self._games is None:
            self._games = games_of(self.files.project())
        return self._games

    def remark(self, text: str) -> None:
        """Report the remark `text` about the store to the user."""
        self._reporter.report(Remark(text))

    def noted(self, task: Task) -> None:
        """Record that the store has the result of `task` already."""
        self._stored.add(_name(task))

    def content(self, file: File) -> bytes | None:
        """Return the content of `file` from the store; None if missing or damaged."""
        data = self.store.content(file.sha256)
        self._report_damage()
        return data

    def with_contents(self, built: TaskResult) -> TaskResult | None:
        """Return `built` with the contents of its files, read from the store.

        None if the store lacks a content, or has it damaged. If the store is a local folder,
        `built` is returned as is: its contents are read when the files are written.
        """
        if not self._remote:
            return built
        files = []
        for file in built.files:
            if file.data is None and not self._is_stored(file):
                data = self.store.content(file.sha256)
                if data is None:
                    return None
                file = replace(file, data=data)
            files.append(file)
        return replace(built, files=tuple(files))

    def save(self, built: TaskResult) -> None:
        """Add the result `built` to the store, unless the store has it."""
        is_plan = built.findings is not None and built.task.unit is None
        shared = _is_shared(built.task) and not is_plan
        unwanted = built.problems or not shared or _name(built.task) in self._stored
        if unwanted or self.settings.dry_run or self._trouble is not None:
            return
        if not self._remote:
            self._add(built)
            return
        self._room.acquire()
        self._pool.submit(self._add, built).add_done_callback(lambda _: self._room.release())

    def finish(self) -> None:
        """Wait until the store has all results.

        Raises:
            FarmError: The store did not accept all results.
        """
        self._pool.shutdown(wait=True)
        if self._trouble is not None:
            raise self._trouble

    # --- inside -------------------------------------------------------------------------------

    def _looked_up(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, TaskResult | None]]:
        """Yield all `tasks` in order, each with its stored result, or None."""
        if not self._remote:
            for task in tasks:
                yield task, self._choice(self._candidates(task))
            return
        requested = self._ahead(self._candidates, tasks)
        # The cached state of the project's files is not thread-safe.
        chosen = ((task, self._choice(result)) for task, result in requested)
        for (task, _), built in self._ahead(self._fetch, chosen):
            yield task, built

    def _ahead(
        self, work: Callable[[Item], Result], items: Iterable[Item]
    ) -> Iterator[tuple[Item, Result]]:
        """Yield each item with `work(item)`, in order; threads work in advance."""
        waiting: deque[tuple[Item, Future[Result]]] = deque()
        for item in items:
            waiting.append((item, self._pool.submit(work, item)))
            if len(waiting) >= 2 * _AT_ONCE:
                first, result = waiting.popleft()
                yield first, result.result()
        for first, result in waiting:
            yield first, result.result()

    def _candidates(self, task: Task) -> list[TaskResult]:
        """Return all stored results of `task`.

        They were made from various versions of the input files.
        """
        if task.fresh:
            return []
        candidates = []
        for record in self.store.records(self.key(task)):
            try:
                candidates.append(decode_level(record, task))
            except FarmError as error:
                self._foreign.append(str(error))
        return candidates

    def _choice(self, candidates: list[TaskResult]) -> TaskResult | None:
        """Return the candidate that was made from the present input files, if any."""
        return next((built for built in candidates if self._are_present(built)), None)

    def _fetch(self, chosen: tuple[Task, TaskResult | None]) -> TaskResult | None:
        built = chosen[1]
        return self.with_contents(built) if built is not None else None

    def _are_present(self, built: TaskResult) -> bool:
        """Return whether the inputs of `built` equal the project's present files."""
        edits = edits_file(built.task.spec)
        if edits not in built.inputs and (self.root / edits).exists():
            return False
        return not self.files.changed(built.inputs)

    def _is_stored(self, file: File) -> bool:
        """Return whether the project has a file of this path and size already.

        Then the content is not read from the store before it is needed.
        """
        try:
            return (self.root / file.path).stat().st_size == file.size
        except OSError:
            return False

    def _add(self, built: TaskResult) -> None:
        """Add the contents of the files of `built` to the store, then its record.

        The first error is kept, for `finish` to raise.
        """
        rewrite = built.task.fresh
        try:
            for file in built.files:
                data = content_from(self._cache, file)
                if data is None:
                    return  # the cache has lost it meanwhile: another machine makes it again
                self.store.save_content(file.sha256, data, rewrite=rewrite)
            self.store.save_record(self.key(built.task), encode_level(built), rewrite=rewrite)
        except FarmError as error:
            self._trouble = error

    def _report_damage(self) -> None:
        damaged = [f"{name} is not what its name says" for name in sorted(self.store.damaged)]
        damaged += self._foreign
        if len(damaged) > self._reported_damage:
            self._reporter.report(
                Remark(
                    f"{self.store.title}: {damaged[0]} "
                    f"({len(damaged)} damaged in all; the levels are built again)"
                )
            )
        self._reported_damage = len(damaged)


def _is_shared(task: Task) -> bool:
    """Return whether a shared store keeps the result of `task`.

    It does for levels, for chunks of worlds, and for surveys of rows of chunks.
    """
    return task.unit is None or task.unit.kind in ("survey", "part")


def _name(task: Task) -> str:
    """Return a name for `task`, unique in one export and round of surveys."""
    unit = task.unit
    if unit is None:
        return task.spec
    return f"{task.spec} {unit.kind} {unit.column} {unit.row} {' '.join(unit.survey)}"
