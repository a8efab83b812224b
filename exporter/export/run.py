"""Run the exports of stale specs: build levels and write their files.

The export of one spec is a job, which consists of tasks. A `Farm` runs the tasks in this process,
in other processes, or on a cluster. Results arrive in any order and in groups; the files of a group
are written together.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING

from exporter.export.commit import Commit, Committer, StoreOutcome
from exporter.export.events import Progress, Remark
from exporter.export.failures import Failure
from exporter.export.plan import ExportPlanner, StaleLevel
from exporter.export.settings import Settings
from exporter.export.tasks import Task, TaskResult
from exporter.model.errors import HeldError, Problem, StoreError
from exporter.model.lazy_dataclass import dataclass
from exporter.project.project import display_path
from exporter.store.commit_plan import File
from exporter.store.entries import ManifestEntry
from exporter.store.group_commit import Committed, ContentMissingError

if TYPE_CHECKING:
    from exporter.export.jobs import Job
    from exporter.export.workers import OnStage

# The name of the stage in which a level's files are written.
WRITE_STAGE = "write"
# How often a spec is built again because it changed during its build.
MAXIMUM_REPEATS = 5
# Seconds between attempts to replace a file that another program holds open.
HELD_PAUSE = 0.5
# How many tasks of a world wait while others run.
_WAITING_TASKS = 2


@dataclass(frozen=True, slots=True)
class AcceptedResults:
    """What follows after the files of some results were written.

    Attributes:
        tasks: The next tasks of the same jobs.
        repeats: Tasks to run again from the first, because a spec changed meanwhile or the cache
            lost the content of a file.
        results: The results that are valid, so that a shared store may have them.
    """

    tasks: list[Task]
    repeats: list[Task]
    results: list[TaskResult]


class Farm(AbstractContextManager["Farm"]):
    """Runs the tasks of an export in processes of this machine.

    Subclasses run them on other machines, or read results from a shared store.

    Args:
        settings: The options of the export.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def __exit__(self, *_: object) -> None:
        """Do nothing; subclasses stop their threads or disconnect."""

    def built(self, tasks: deque[Task], on_stage: OnStage) -> Iterator[list[TaskResult]]:
        """Run `tasks`; yield their results in groups.

        The caller may add tasks after each group; `tasks` is empty at the end. `on_stage` is called
        with a task and the stage that its build has reached.

        Raises:
            FarmError: The shared store or the cluster cannot be used any more.
        """
        if not tasks:
            return iter(())
        # Imported here: an export without stale levels starts no processes.
        from exporter.export.workers import build_all

        return build_all(tasks, self.settings.jobs, self.settings.max_seconds, on_stage)

    @property
    def tasks_at_once(self) -> int:
        """How many tasks of a world to run at once, so that no worker is idle."""
        return tasks_at_once()

    def content(self, file: File) -> bytes | None:
        """Return the content of `file` from a shared store.

        None if the store lacks it, or if there is no store, as here.
        """
        return None

    def save(self, built: TaskResult) -> None:
        """Add the result `built` to a shared store; here do nothing."""

    def finish(self) -> None:
        """Wait until a shared store has all results; here do nothing.

        Raises:
            FarmError: The shared store did not accept all results.
        """


class Run:
    """The exports in progress: a job for each stale spec.

    Args:
        planner: Knows the files of the project, and which chunks are stored.
        committer: Writes and reports results.

    Attributes:
        jobs: The jobs, by the path of the spec.
        tasks_at_once: How many tasks of a world run at the same time.
        is_patient: Whether to wait for outputs that another program has open; otherwise their level
            fails, and is tried again later.
    """

    def __init__(self, planner: ExportPlanner, committer: Committer) -> None:
        self.planner = planner
        self.committer = committer
        self.tasks_at_once = tasks_at_once()
        self.is_patient = False
        self.jobs: dict[str, Job] = {}
        self._held: list[tuple[Job, Commit, HeldError]] = []
        # The peak memory of a process that built chunks of worlds, in bytes.
        self._memory = 0

    def begin(self, levels: Iterable[StaleLevel]) -> list[Task]:
        """Start a job for each of `levels`; return the first tasks of the jobs."""
        tasks: list[Task] = []
        for level in levels:
            job = self.jobs[level.task.spec] = self._job(level)
            tasks += job.begin()
        return tasks

    def accept(self, results: Sequence[TaskResult]) -> AcceptedResults:
        """Write the files of `results`, and report the levels that are finished.

        Results of abandoned jobs are ignored.
        """
        accepted = AcceptedResults([], [], [])
        current: list[tuple[Job, TaskResult]] = []
        for result in results:
            self.committer.saved += result.saved
            job = self.jobs.get(result.task.spec)
            if job is None or job.stale.task.key != result.task.key:
                accepted.results.append(result)
            elif self.planner.is_outdated(result):
                self.give_up(result.task.spec)
                renewed = self.planner.renewed(job.stale)
                accepted.repeats.extend(self.begin([renewed] if renewed is not None else []))
            else:
                current.append((job, result))
        commits = [None if item.problems else job.commit(item) for job, item in current]
        stored = iter(self.committer.store_all([item for item in commits if item is not None]))
        for (job, result), commit in zip(current, commits, strict=True):
            item = next(stored) if commit is not None else None
            self._settle(job, result, commit, item, accepted)
        return accepted

    def give_up(self, spec: str) -> None:
        """Abandon the export of the spec at path `spec`.

        Chunks of a world that are stored already stay.
        """
        self.jobs.pop(spec, None)

    def progress(self, done: int, total: int) -> Progress:
        """Return how far the export is; `done` of `total` levels are finished.

        The result has the numbers of chunks and surveyed rows of all running jobs, too.
        """
        shares = [job.progress() for job in self.jobs.values()]
        parts, count, surveyed, to_survey = map(sum, zip((0, 0, 0, 0), *shares, strict=True))
        memory = self._memory if count or to_survey else 0
        return Progress(done, total, (parts, count), memory, (surveyed, to_survey))

    def wait_for_held(self, patience: float) -> None:
        """Wait until other programs close outputs; then write these files.

        Levels whose files are still open after `patience` seconds fail.
        """
        reported: set[str] = set()
        limit = time.monotonic() + patience
        while self._held:
            for message in sorted({str(error) for _, _, error in self._held} - reported):
                self.committer.reporter.report(Remark(f"{message}; waiting for it"))
                reported.add(message)
            time.sleep(HELD_PAUSE)
            if time.monotonic() >= limit:
                self.is_patient = False
            held, self._held = self._held, []
            stored = self.committer.store_all([commit for _, commit, _ in held])
            for (job, commit, _), item in zip(held, stored, strict=True):
                self.jobs[job.stale.task.spec] = job
                self._settle(job, commit.result, commit, item, AcceptedResults([], [], []))

    # --- inside -------------------------------------------------------------------------------

    def _job(self, level: StaleLevel) -> Job:
        # Imported here: an export without stale levels has no jobs.
        from exporter.export.jobs import LevelJob, WorldJob

        if not level.is_world:
            return LevelJob(level)
        return WorldJob(level, self.planner, self.tasks_at_once, self.planner.settings.shard)

    def _settle(
        self,
        job: Job,
        result: TaskResult,
        commit: Commit | None,
        stored: StoreOutcome | None,
        accepted: AcceptedResults,
    ) -> None:
        """Continue or end `job`, whose task had the result `result`.

        `commit` has the files of the result and `stored` the outcome of writing them; both are None
        if there are no files. What follows is added to `accepted`.
        """
        spec = result.task.spec
        outcome = (
            stored.outcome if stored is not None else Committed(ManifestEntry(spec, "", ""), ())
        )
        if isinstance(outcome, ContentMissingError):
            self._repeat(job, result.task, accepted)
            return
        accepted.results.append(result)
        if self.jobs.get(spec) is not job:
            return  # given up because of a result before this one
        if isinstance(outcome, HeldError) and self.is_patient and commit and job.is_last(result):
            self._held.append((job, commit, outcome))
            self.give_up(spec)
            return
        if result.problems or isinstance(outcome, StoreError):
            self.give_up(spec)
            self._fail(job, result, outcome if isinstance(outcome, StoreError) else None)
            return
        if result.findings is not None:
            self._memory = max(self._memory, result.findings.memory)
        if commit is not None and stored is not None:
            timings = (*result.timings, (WRITE_STAGE, stored.seconds))
            result = replace(commit.result, timings=timings)
        step = job.take(result, outcome, stored.previous if stored is not None else None)
        for warning in step.remarks:
            self.committer.reporter.report(Remark(warning.headline()))
        if step.report is not None:
            self.give_up(spec)
            self.committer.report(step.report)
        accepted.tasks.extend(step.tasks)

    def _repeat(self, job: Job, task: Task, accepted: AcceptedResults) -> None:
        """Run `task` again without reading the cache, which lost a file's content.

        A level starts a new job. What follows is added to `accepted`.
        """
        fresh = replace(task, fresh=True)
        if task.unit is not None:
            accepted.tasks.append(fresh)
        else:
            self.give_up(task.spec)
            accepted.repeats.extend(self.begin([replace(job.stale, task=fresh)]))

    def _fail(self, job: Job, result: TaskResult, error: StoreError | None) -> None:
        from exporter.export.jobs import level_result

        report = level_result(result, "failed", job.stale.causes)
        if error is not None:
            problem = Problem(str(error), display_path(self.planner.root / result.task.spec))
            report = replace(report, problems=(problem,))
        failure = Failure(report, result.task.key, dict(result.inputs))
        self.committer.fail(failure, retry=error is not None)


def run_plan(
    run: Run,
    farm: Farm,
    levels: Sequence[StaleLevel],
    report_stage: Callable[[Task, str], None],
    report_progress: Callable[[], None],
) -> None:
    """Build `levels`, and write their files.

    Args:
        run: The exports in progress; writes the results, and returns the next tasks.
        farm: Runs the tasks.
        levels: The stale levels.
        report_stage: Called with a task and the stage that its build has reached.
        report_progress: Called after each group of results.

    Raises:
        FarmError: The shared store or the cluster cannot be used any more.
    """
    tasks = deque(run.begin(levels))
    for _ in range(MAXIMUM_REPEATS):
        repeats: list[Task] = []
        for group in farm.built(tasks, report_stage):
            last = group[-1].task
            report_stage(last, WRITE_STAGE)
            accepted = run.accept(group)
            report_stage(last, "")
            tasks.extend(accepted.tasks)
            repeats += accepted.repeats
            for result in accepted.results:
                farm.save(result)
            report_progress()
        if not repeats:
            return
        tasks.extend(repeats)


def tasks_at_once() -> int:
    """Return how many tasks of a world to run at once on this machine.

    This is the number of cores, and some more tasks, so that no process waits for its next one.
    """
    return (os.cpu_count() or 1) + _WAITING_TASKS
