"""Run the daemon's loop: notice a change, wait, build, store, report.

Building begins as soon as a change is noticed and continues during the quiet time, the short wait
without further events; results are stored after the quiet time if the files have not changed since.
So a save costs the quiet time or the build, whichever is longer, and a newer save always wins.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from time import monotonic, thread_time
from typing import Any

from exporter.export.events import (
    BatchDone,
    Building,
    Event,
    LevelResult,
    Ready,
    Recovered,
    Refusal,
    Remark,
    Reporter,
)
from exporter.export.export import Export
from exporter.export.plan import StaleLevel
from exporter.export.settings import Settings
from exporter.export.tasks import Task, TaskResult
from exporter.export.workers import Workers
from exporter.model.errors import Problem, SpecError, StoreError
from exporter.model.exit_codes import ExitCode
from exporter.project.project import FILE_NAME, STATE_FOLDER, display_path
from exporter.project.spec_files import fixed_part
from exporter.store.atomic_files import holds, release_lock, try_lock
from exporter.watch.change_signal import ChangeSignal
from exporter.watch.checkout import Checkout
from exporter.watch.debounce import PendingChange
from exporter.watch.lock import LOCK
from exporter.watch.observers import Observers, silent_file_system
from exporter.watch.rescans import Rescans

# Up to so many levels are built before the files are quiet; more would mostly be built twice.
MAXIMUM_EARLY_LEVELS = 4
# How long to wait when git is changing the tree.
CHECKOUT_PAUSE = 0.05
# If a scan finds a change that no event announces within this time, events are not reliable.
BELATED_SECONDS = 1.0
# After this quiet time the journal is merged into the manifest, and spare workers end.
TIDY_SECONDS = 1.0
# A deleted spec that comes back within this time, under any name, keeps its outputs.
GRACE_SECONDS = 5.0
WARM_WORKERS = 2


class Loop:
    """The daemon of one project, with its worker processes and observers.

    `lock` is the held lock of the project. `poll` scans the files often, without system events.
    `timeout` is the limit for the seconds of a build.
    """

    def __init__(
        self,
        root: Path,
        reporter: Reporter,
        lock: Any,
        jobs: int | None,
        poll: bool,
        timeout: float,
    ) -> None:
        self.root = root
        self.reporter = reporter
        self.lock = lock
        self.export = Export(root, Settings(grace=GRACE_SECONDS), self)
        self.signal = ChangeSignal()
        self.observers = Observers(self.signal, root, lambda text: reporter.report(Remark(text)))
        self.observers.polling = poll
        self.workers = Workers(jobs or os.cpu_count() or 1, timeout, on_stage=self._report_stage)
        self.checkout = Checkout(root)
        self.rescans = Rescans()
        self.exit_code: int | None = None
        self.ready = False
        # Results that wait for the quiet time.
        self._held: list[TaskResult] = []
        self._change: PendingChange | None = None
        # Whether the next scan is a full one, which reads the outputs, too.
        self._full = True
        self._batch_began = monotonic()
        self._batch_open = False
        self._refused: tuple[Problem, ...] = ()
        self._belated: float | None = None
        self._tidy_at: float | None = None

    def report(self, event: Event) -> None:
        """Forward an event; in results, fill in the seconds since the change."""
        if isinstance(event, LevelResult):
            event = replace(event, elapsed=monotonic() - self._batch_began)
        self._batch_open = True
        self.reporter.report(event)

    def stop(self, code: int) -> None:
        """Make the loop end with exit code `code`; signal handlers may call this."""
        self.exit_code = code
        self.signal.set()

    def close(self) -> None:
        """Stop workers and observers, and release the project's lock."""
        self.observers.stop()
        self.workers.close()
        self.signal.close()
        release_lock(self.lock)

    def run(self) -> int:
        """Export after every change until `stop` is called; return the exit code."""
        kind = silent_file_system(self.root)
        if kind is not None:
            reason = f"changes on a file system of the kind {kind} are not announced"
            self.observers.give_up(reason)
        self._observe()
        self._settle()
        while self.exit_code is None:
            self._step()
        self._end_batch()
        self._tidy()
        return self.exit_code

    # --- one step -----------------------------------------------------------------------------

    def _step(self) -> None:
        pending = self.signal.is_set and self._change is not None
        channels = [] if pending else [self.signal.channel]
        self._held += self.workers.results(self._seconds_to_wait(), channels)
        if self.exit_code is not None:
            return
        now = monotonic()
        if self.signal.is_set and self._change is None:
            self._change = PendingChange(now)
        change = self._change
        if change is None:
            self._accept()
            self._do_periodic_work(now)
        elif now >= self._debounced_at(change):
            if change.unsettled or not self._is_unsettled():
                self._settle()
            else:
                change.unsettled = True
        elif now >= self._early_at(change):
            self._look_early(change)
        if not self.workers.pending and not self._held and self._change is None:
            self._end_batch()

    def _seconds_to_wait(self) -> float:
        """Return how many seconds to wait for events before the next step is due."""
        if self._change is not None:  # all else is put off until it is settled
            times = [self._debounced_at(self._change), self._early_at(self._change)]
        else:
            periodic = (
                self.rescans.next,
                self._tidy_at,
                self._belated,
                self.export.planner.deletions.due(),
            )
            times = [time for time in periodic if time is not None]
        return max(0.0, min(times) - monotonic())

    def _debounced_at(self, change: PendingChange) -> float:
        return change.debounced_at(self.signal.last, complete=self.signal.is_complete)

    def _early_at(self, change: PendingChange) -> float:
        return change.early_at(self.signal.last, complete=self.signal.is_complete)

    def _is_unsettled(self) -> bool:
        """Return whether a spec looks half-saved: missing or unreadable."""
        if any(built.problems for built in self._held):
            return True
        return self.export.planner.files.is_amid_a_save(self._announced())

    # --- scanning ------------------------------------------------------------------------------

    def _look_early(self, change: PendingChange) -> None:
        """Start to build levels that seem stale, before the save has ended."""
        change.note_early_look(monotonic())
        if self.checkout.is_running():
            return
        try:
            levels = self.export.planner.early_plan(self._announced()).levels
        except (SpecError, StoreError):
            change.unsettled = True
            return
        if len(levels) <= MAXIMUM_EARLY_LEVELS:
            self._build(levels)

    def _announced(self) -> tuple[str, ...]:
        """Return the paths of recent events, relative to the project."""
        inside = os.path.join(os.path.realpath(self.root), "")
        named = (path for path in self.signal.paths if path.startswith(inside))
        return tuple(path.removeprefix(inside).replace(os.sep, "/") for path in named)

    def _settle(self) -> None:
        """Scan the files, remove old outputs, build stale levels, store results."""
        if self.checkout.is_running():
            now = monotonic()
            self._change = PendingChange(now)
            self.signal.last = now + CHECKOUT_PAUSE
            return
        began = self._change.began if self._change is not None else monotonic()
        self.signal.clear()
        self._change = None
        if not self._batch_open:
            self._batch_began = began
            self.export.committer.status.begin()
        full, self._full = self._full, False
        try:
            levels = self.export.plan(full=full).levels
        except (SpecError, StoreError) as error:
            self._refuse(error)
            levels = ()
        else:
            self._take_back()
            self._batch_open = self._batch_open or self.export.committer.is_unfinished
        self.rescans.plan(monotonic(), full=full, polling=self.observers.polling)
        self._observe()
        stale = {level.task.spec for level in levels}
        for spec in [spec for spec in self.export.run.jobs if spec not in stale]:
            self._drop(spec)
        self._build(levels)
        self._accept()

    def _refuse(self, error: SpecError | StoreError) -> None:
        """Report, only once, why the project cannot be exported at all."""
        problems = (
            error.problems
            if isinstance(error, SpecError)
            else (Problem(str(error), display_path(self.root)),)
        )
        if problems != self._refused:
            self._refused = problems
            self.export.committer.status.problems = problems
            self.report(Refusal(problems))

    def _take_back(self) -> None:
        if self._refused:
            self._refused = ()
            self.report(Recovered("", FILE_NAME))

    def _do_periodic_work(self, now: float) -> None:
        """Scan and tidy the state folder when due; stop relying on missing events."""
        if self._belated is not None and now >= self._belated:
            began = self._belated - 2 * BELATED_SECONDS
            self._belated = None
            if self.signal.last_event < began:
                self.observers.give_up("changes are not announced here")
        if self._tidy_at is not None and now >= self._tidy_at:
            self._tidy()
        due = self.export.planner.deletions.due()
        if due is not None and now >= due:
            self._settle()
        elif now >= self.rescans.next:
            self._scan(now)

    def _scan(self, now: float) -> None:
        """Look for changes that no event announced."""
        full = self.rescans.is_full(now)
        if full and not self._keep_lock():
            return
        started = thread_time()
        planner = self.export.planner
        missed = planner.files.differ()
        dropped = (
            full
            and not missed
            and (
                self.export.importer.is_waiting()
                or planner.staleness.outputs_differ(self.export.committer.reports.preserved)
            )
        )
        if full:
            self._observe()
        self.rescans.note(full, thread_time() - started)
        self.rescans.plan(monotonic(), full=full, polling=self.observers.polling)
        if not (missed or dropped):
            return
        announced = self.signal.is_set
        self._full = self._full or full
        self.signal.set()
        if missed and not announced and not self.observers.polling:
            self._belated = now + BELATED_SECONDS

    def _keep_lock(self) -> bool:
        """Return whether this process still has the project's lock.

        A lock that was deleted is taken again. If another daemon has it, the loop ends.
        """
        state = self.root / STATE_FOLDER
        path = state / LOCK
        if holds(self.lock, path):
            return True
        try:
            if self.root.is_dir():
                state.mkdir(exist_ok=True)
                lock = try_lock(path)
                if lock is None:
                    self.reporter.report(Remark("another daemon watches this project now"))
                    self.exit_code = ExitCode.USAGE
                    return False
                release_lock(self.lock)
                self.lock = lock
        except (OSError, StoreError):
            pass  # the folder is missing or read-only; the next scan tries again
        return True

    def _observe(self) -> None:
        files = self.export.planner.files
        trees = [self.root / fixed_part(pattern) for pattern in files.patterns]
        beside = {(self.root / path).parent for path in self.export.planner.inputs()}
        self.observers.observe([*trees, *files.linked_folders()], [self.root, *beside])

    def _report_stage(self, task: Task, stage: str) -> None:
        job = self.export.run.jobs.get(task.spec)
        name = job.stale.level if job is not None else task.spec
        self.reporter.report(Building(name, task.spec, stage))

    # --- building and storing -----------------------------------------------------------------

    def _build(self, levels: Iterable[StaleLevel]) -> None:
        """Build stale levels that are not yet being built; stop outdated builds."""
        if self.exit_code is not None:
            return  # starting a worker can take a second
        run = self.export.run
        new = []
        for level in levels:
            job = run.jobs.get(level.task.spec)
            if job is not None and job.stale.task == level.task:
                continue
            if job is not None:
                self._drop(level.task.spec)
            new.append(level)
        self.workers.submit(run.begin(new))

    def _drop(self, spec: str) -> None:
        self.export.run.give_up(spec)
        self._held = [result for result in self._held if result.task.spec != spec]
        self.workers.cancel(spec)

    def _accept(self) -> None:
        """Store the results, now that the files are quiet."""
        held, self._held = self._held, []
        if not held:
            return
        run = self.export.run
        accepted = run.accept(held)
        worlds = {result.task.spec for result in held if result.task.unit is not None}
        if worlds:
            self.reporter.report(run.progress(0, 0))
        for spec in worlds - run.jobs.keys():
            self.workers.cancel(spec)  # the other tasks of a world that has failed
        self.workers.submit([*accepted.tasks, *accepted.repeats])

    def _end_batch(self) -> None:
        if self._batch_open:
            try:
                self.export.committer.finish(compact=False)
            except StoreError as error:
                self._refuse(error)
            self._batch_open = False  # problems of the end do not start another export
            self._tidy_at = monotonic() + TIDY_SECONDS
            self._observe()
            self.reporter.report(BatchDone())
        if not self.ready and self.exit_code is None:
            self.ready = True
            self._tidy_at = monotonic() + TIDY_SECONDS
            self.reporter.report(Ready(len(self.export.planner.files.specs)))
            # Not before: starting workers takes longer than recognising unchanged levels.
            self.workers.warm_up(WARM_WORKERS)

    def _tidy(self) -> None:
        self._tidy_at = None
        try:
            if self.export.store.manifest.has_journal and self.root.is_dir():
                with self.export.store as store:
                    store.save()
        except StoreError:
            pass  # it was reported when it first failed, and the journal is as good
        if self.exit_code is None:
            self.workers.trim(WARM_WORKERS)
            self.workers.warm_up(WARM_WORKERS)
