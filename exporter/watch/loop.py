"""The loop of the daemon: notice, wait for quiet, build, store, tell.

Building begins as soon as a change is noticed and goes on while the quiet time runs; what was
built is stored when the files have been quiet, if they are still what was built. So a save costs
the quiet time or the building, whichever is longer, and a newer save always wins.
"""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic, thread_time
from typing import Any

from exporter.export.events import Event, Removal
from exporter.export.export import Export, Settings, Stale
from exporter.export.jobs import Built
from exporter.export.workers import Workers
from exporter.model.errors import Problem, SpecError, StoreError
from exporter.project.project import STATE_FOLDER, shown
from exporter.project.spec_files import fixed_part
from exporter.store.atomic_files import holds, release_lock, try_lock
from exporter.watch.change_signal import Bell, Ears, silent_file_system
from exporter.watch.talk import Talk

# Quiet time after the last event before anything is stored; longer while a spec is missing or
# wrong, as in the middle of a save, and never beyond the longest wait, however busy the folder.
QUIET_SECONDS = 0.04
UNSETTLED_SECONDS = 0.1
LONGEST_WAIT = 0.3
# A look before the quiet: by then most editors have written their few kilobytes.
EARLY_SECONDS = 0.004
MAXIMUM_EARLY_LOOKS = 3
MAXIMUM_EARLY_LEVELS = 4
# A checkout that is under way is waited for, but a lock that somebody left behind is not.
CHECKOUT_SECONDS = 10.0
CHECKOUT_PAUSE = 0.05
# At leisure everything is looked at again: the specs, and less often the outputs, each using an
# eighth of a percent of one processor at most.
LEISURE_SECONDS = 2.0
LEISURE_FACTOR = 800
POLL_SECONDS = 0.25
POLL_FACTOR = 50
# A change found at leisure that no event announces in this time was missed by the events.
BELATED_SECONDS = 1.0
# When all is quiet the journal goes into the manifest, and spare workers go.
TIDY_SECONDS = 1.0
WARM_WORKERS = 2

EXIT_DONE = 0
EXIT_USAGE = 2


class Loop:
    """The daemon of one project, with the state it guards."""

    def __init__(
        self, root: Path, talk: Talk, lock: Any, jobs: int | None, poll: bool, patience: float
    ) -> None:
        self.root = root
        self.talk = talk
        self.lock = lock
        self.export = Export(root, Settings(), self._tell)
        self.bell = Bell()
        self.ears = Ears(self.bell, root, talk.remark)
        self.workers = Workers(jobs or os.cpu_count() or 1, patience)
        self.exit_code: int | None = None
        self.ready = False
        if poll:
            self.ears.deaf = True
        # What is being built, what is built and waits for quiet.
        self._building: dict[str, Stale] = {}
        self._held: list[Built] = []
        # The change being waited out: when it began, and whether it was looked at yet.
        self._unrest: float | None = None
        self._early_looks = 0
        self._looked_early = 0.0
        self._unsettled = False
        self._checkout: tuple[tuple[int, int], float] | None = None
        self._full = True
        self._batch_began = monotonic()
        self._batch_open = False
        self._refused: tuple[Problem, ...] = ()
        self._next_look = 0.0
        self._next_full_look = 0.0
        self._look_seconds = 0.0
        self._full_look_seconds = 0.0
        self._belated: float | None = None
        self._tidy_at: float | None = None

    def stop(self, code: int) -> None:
        """End the loop after the step it is in; may be called from a signal handler."""
        self.exit_code = code
        self.bell.ring()

    def close(self) -> None:
        """End the workers and observers, and let another daemon have the project."""
        self.ears.stop()
        self.workers.close()
        self.bell.close()
        release_lock(self.lock)

    def run(self) -> int:
        """Watch until told to stop; return the exit code."""
        kind = silent_file_system(self.root)
        if kind is not None:
            self.ears.give_up(f"changes on a file system of the kind {kind} are not announced")
        self._listen()
        self._settle()
        while self.exit_code is None:
            self._step()
        self._end_batch()
        self._tidy()
        return self.exit_code

    # --- one step -----------------------------------------------------------------------------

    def _step(self) -> None:
        channels = [] if self.bell.rung and self._unrest is not None else [self.bell.channel]
        self._held += self.workers.results(self._patience(), channels)
        if self.exit_code is not None:
            return
        now = monotonic()
        if self.bell.rung and self._unrest is None:
            self._begin_unrest(now)
        if self._unrest is None:
            self._accept()
            self._at_leisure(now)
        elif now >= self._quiet_at():
            if self._unsettled or not self._is_unsettled():
                self._settle()
            self._unsettled = True
        elif now >= self._early_at():
            self._look_early()
        if not self.workers.pending and not self._held and self._unrest is None:
            self._end_batch()

    def _patience(self) -> float:
        """Return how long to wait for something to happen."""
        now = monotonic()
        times = [self._next_look]
        if self._unrest is not None:
            times = [self._quiet_at(), self._early_at()]
        times += [time for time in (self._tidy_at, self._belated) if time is not None]
        return max(0.0, min(times) - now)

    def _begin_unrest(self, now: float) -> None:
        self._unrest = now
        self._early_looks = 0
        self._looked_early = float("-inf")
        self._unsettled = False

    def _quiet_at(self) -> float:
        """Return when the files will have been quiet for long enough."""
        assert self._unrest is not None
        quiet = UNSETTLED_SECONDS if self._unsettled else QUIET_SECONDS
        return min(max(self.bell.last, self._unrest) + quiet, self._unrest + LONGEST_WAIT)

    def _early_at(self) -> float:
        """Return when it is worth looking before the quiet."""
        seen = self._looked_early >= self.bell.last
        if seen or self._early_looks >= MAXIMUM_EARLY_LOOKS:
            return float("inf")
        return self.bell.last + EARLY_SECONDS

    def _is_unsettled(self) -> bool:
        """Whether a spec looks as in the middle of a save: gone, or not to be understood."""
        return any(built.problems for built in self._held) or self.export.is_amid_a_save()

    # --- looking ------------------------------------------------------------------------------

    def _look_early(self) -> None:
        """Begin to build what seems to have changed; nothing is settled yet."""
        self._early_looks += 1
        self._looked_early = monotonic()
        if self._checkout_runs():
            return
        try:
            stale = self.export.look(full=False, early=True)
        except (SpecError, StoreError):
            self._unsettled = True
            return
        if len(stale) <= MAXIMUM_EARLY_LEVELS:
            self._build(stale)

    def _settle(self) -> None:
        """Take the files as they are now: what must be removed, built, stored."""
        if self._checkout_runs():
            self._unrest = monotonic()
            self.bell.last = self._unrest + CHECKOUT_PAUSE
            return
        began = self._unrest if self._unrest is not None else monotonic()
        self.bell.silence()
        self._unrest = None
        if not self._batch_open:
            self._batch_began = began
            self.export.status.begin()
        full, self._full = self._full, False
        try:
            stale = self.export.look(full=full)
        except (SpecError, StoreError) as error:
            self._refuse(error)
            stale = []
        else:
            self._take_back()
        self._plan_looks(full)
        self._listen()
        wanted = {one.task.spec for one in stale}
        for spec in [spec for spec in self._building if spec not in wanted]:
            self._drop(spec)
        self._build(stale)
        self._accept()

    def _refuse(self, error: SpecError | StoreError) -> None:
        """Tell, once, why the project cannot be exported at all."""
        problems = (
            error.problems
            if isinstance(error, SpecError)
            else (Problem(str(error), shown(self.root)),)
        )
        if problems != self._refused:
            self._refused = problems
            self._batch_open = True
            self.export.status.problems = problems
            self.talk.refused(problems)

    def _take_back(self) -> None:
        if self._refused:
            self._refused = ()
            self._batch_open = True

    def _checkout_runs(self) -> bool:
        """Whether git is changing the tree; a lock is waited for once and not for ever."""
        for folder in (self.root, *self.root.parents):
            if (folder / ".git").exists():
                break
        else:
            return False
        try:
            status = os.stat(folder / ".git" / "index.lock")
        except OSError:
            return False
        identity = (status.st_ino, status.st_mtime_ns)
        now = monotonic()
        if self._checkout is None or self._checkout[0] != identity:
            self._checkout = (identity, now)
        return now < self._checkout[1] + CHECKOUT_SECONDS

    def _at_leisure(self, now: float) -> None:
        """Do what has time: look again, put things in order."""
        if self._belated is not None and now >= self._belated:
            began = self._belated - 2 * BELATED_SECONDS
            self._belated = None
            if self.bell.heard < began:
                self.ears.give_up("changes are not announced here")
        if self._tidy_at is not None and now >= self._tidy_at:
            self._tidy()
        if now < self._next_look:
            return
        full = now >= self._next_full_look
        if full and not self._keep_lock():
            return
        started = thread_time()
        missed = self.export.specs_differ()
        lost = full and not missed and self.export.outputs_differ()
        if full:
            self._listen()
            self._full_look_seconds = thread_time() - started
        else:
            self._look_seconds = thread_time() - started
        self._plan_looks(full)
        if not (missed or lost):
            return
        announced = self.bell.rung
        self._full = self._full or full
        self.bell.ring()
        self._begin_unrest(now)
        if missed and not announced and not self.ears.deaf:
            self._belated = now + BELATED_SECONDS

    def _plan_looks(self, full: bool) -> None:
        """Look again later, the later the more of the processor a look takes."""
        now = monotonic()
        if full:
            pause = max(LEISURE_SECONDS, LEISURE_FACTOR * self._full_look_seconds)
            self._next_full_look = now + pause
        pause = max(LEISURE_SECONDS, LEISURE_FACTOR * self._look_seconds)
        if self.ears.deaf:
            pause = max(POLL_SECONDS, POLL_FACTOR * self._look_seconds)
        self._next_look = min(now + pause, self._next_full_look)

    def _keep_lock(self) -> bool:
        """Make sure that we are the project's daemon still, though its state was deleted."""
        state = self.root / STATE_FOLDER
        path = state / "watch.lock"
        if holds(self.lock, path):
            return True
        try:
            if self.root.is_dir():
                state.mkdir(exist_ok=True)
                lock = try_lock(path)
                if lock is None:
                    self.talk.remark("another daemon watches this project now")
                    self.exit_code = EXIT_USAGE
                    return False
                release_lock(self.lock)
                self.lock = lock
        except (OSError, StoreError):
            pass  # the folder is gone or cannot be written; the next look tries again
        return True

    def _listen(self) -> None:
        trees = [self.root / fixed_part(pattern) for pattern in self.export.patterns]
        beside = {(self.root / path).parent for path in self.export.inputs()}
        self.ears.listen([*trees, *self.export.linked_folders()], [self.root, *beside])

    # --- building and storing -----------------------------------------------------------------

    def _build(self, stale: list[Stale]) -> None:
        """Build what is not being built already; what is outdated is stopped."""
        fresh = []
        for one in stale:
            old = self._building.get(one.task.spec)
            if old is not None and old.task == one.task:
                continue
            if old is not None:
                self._drop(one.task.spec)
            self._building[one.task.spec] = one
            fresh.append(one.task)
        self.workers.submit(fresh)

    def _drop(self, spec: str) -> None:
        self._building.pop(spec, None)
        self._held = [built for built in self._held if built.task.spec != spec]
        self.workers.cancel(spec)

    def _accept(self) -> None:
        """Store what is built, now that the files are quiet."""
        held, self._held = self._held, []
        for built in held:
            one = self._building.pop(built.task.spec, None)
            if one is None or one.task.key != built.task.key:
                continue
            retry = self.export.accept(built, one.causes)
            if retry is not None:
                self._build([Stale(retry, one.level, one.causes)])
            if self.exit_code is not None:
                return

    def _tell(self, event: Event) -> None:
        self._batch_open = True
        if isinstance(event, Removal) or event.status != "unchanged":
            self.talk.event(event, monotonic() - self._batch_began)

    def _end_batch(self) -> None:
        if self._batch_open:
            self._batch_open = False
            try:
                self.export.finish(compact=False)
            except StoreError as error:
                self._refuse(error)
                self._batch_open = False
            self._tidy_at = monotonic() + TIDY_SECONDS
            self._listen()
        if not self.ready and self.exit_code is None:
            self.ready = True
            self._tidy_at = monotonic() + TIDY_SECONDS
            self.talk.ready(len(self.export.specs))
            # Not before: starting workers takes longer than recognising what is unchanged.
            self.workers.warm_up(WARM_WORKERS)

    def _tidy(self) -> None:
        self._tidy_at = None
        try:
            if self.export.store.manifest.has_journal and self.root.is_dir():
                with self.export.store as store:
                    store.save()
        except StoreError:
            pass  # it was told when it first failed, and the journal is as good
        if self.exit_code is None:
            self.workers.trim(WARM_WORKERS)
            self.workers.warm_up(WARM_WORKERS)
