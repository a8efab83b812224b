"""An export: what is stale, how it is built, how it is committed.

The parts are in `staleness`, in `job` and `workers`, and in `commit`; here is their order. The same
class serves `exporter export` and every batch of `exporter watch`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from exporter.export.commit import Committer
from exporter.export.events import Event, Finished, LevelResult, Progress, Refusal, Reporter
from exporter.export.failures import Failures
from exporter.export.job import BuiltLevel, Job, level_key
from exporter.export.settings import Settings
from exporter.export.staleness import Staleness
from exporter.export.status import Status
from exporter.export.wanted import ProjectFiles, Wanted
from exporter.export.workers import build_all
from exporter.model.errors import Problem, SpecError
from exporter.project.project import FILE_NAME, STATE_FOLDER, shown
from exporter.store.cache import Cache
from exporter.store.code_identity import code_identity
from exporter.store.store import Store

# A spec that changes while it is built is built again, but not for ever.
MAXIMUM_REPEATS = 5


@dataclass(frozen=True, slots=True)
class StaleLevel:
    """A level to build: its job, its name and what made it stale."""

    job: Job
    level: str
    causes: tuple[str, ...]


def export_project(root: Path, settings: Settings, reporter: Reporter) -> list[LevelResult]:
    """Export the levels of a project that are stale, and remove what belongs to none.

    Args:
        root: The project's folder.
        settings: How to export.
        reporter: Gets each level as soon as it is finished, each removal, progress and the end.

    Returns:
        A result for every selected level, in the order of their specs' paths.

    Raises:
        SpecError: exporter.yaml is wrong; the reporter has it.
        StoreError: The project's state folder cannot be used.
    """
    collector = _Collector(reporter)
    export = Export(root, settings, collector)
    try:
        stale = export.look(full=True)
    except SpecError as error:
        reporter.report(Refusal(error.problems))
        raise
    export.report_unchanged(stale)
    causes = {one.job.spec: one.causes for one in stale}
    jobs = [one.job for one in stale]
    total, done = len(jobs), 0
    reporter.report(Progress(0, total))
    for _ in range(MAXIMUM_REPEATS):
        again: list[Job] = []
        for built in build_all(jobs, settings.jobs, settings.max_seconds):
            retry = export.accept(built, causes[built.job.spec])
            if retry is not None:
                again.append(retry)
                continue
            done += 1
            reporter.report(Progress(done, total))
        jobs = again
        if not jobs:
            break
    export.finish()
    results = [collector.results[spec] for spec in sorted(collector.results)]
    reporter.report(Finished(results))
    return results


class _Collector:
    """Keeps the last result of every level, and passes everything on."""

    def __init__(self, reporter: Reporter) -> None:
        self.reporter = reporter
        self.results: dict[str, LevelResult] = {}

    def report(self, event: Event) -> None:
        if isinstance(event, LevelResult):
            self.results[event.spec] = event
        self.reporter.report(event)


class Export:
    """A project's export over one or many batches: the parts, and the order of their work."""

    def __init__(self, root: Path, settings: Settings, reporter: Reporter) -> None:
        self.root = root
        self.settings = settings
        self.reporter = reporter
        state = root / STATE_FOLDER
        self.identity = code_identity()
        self.store = Store(root, state)
        self.cache = Cache(state)
        self.status = Status()
        self.failures = Failures()
        self.files = ProjectFiles(root, self.store, self.identity)
        self.staleness = Staleness(self.files, self.store, self.failures, settings)
        self.committer = Committer(
            self.store, self.cache, self.failures, self.status, settings, reporter
        )
        self._fingerprint = ""
        self._saved = 0

    def look(self, *, full: bool, early: bool = False) -> list[StaleLevel]:
        """Return the levels that must be built, and settle all that needs no building.

        Args:
            full: Look at the outputs, too: one that was removed or edited makes its level stale.
            early: Only find what could be built already; settle and report nothing yet, because
                the files may still be changing.

        Raises:
            SpecError: exporter.yaml is wrong.
            StoreError: The project's state folder cannot be used.
        """
        if self.settings.dry_run or early:
            self.store.peek()
            wanted = self._read()
            if not early:
                self.committer.remove_gone(wanted)
                self._fail_unreadable(wanted)
            return self._stale(wanted, full, early)
        with self.store:
            wanted = self._read()
            self._settle(wanted)
            stale = self._stale(wanted, full, early)
            if wanted.mark != self.store.project:
                self.store.manifest.mark(wanted.mark)
            self.store.manifest.flush()
        return stale

    def report_unchanged(self, stale: Iterable[StaleLevel]) -> None:
        """Report the levels that are neither stale nor failed."""
        busy = {one.job.spec for one in stale}
        for spec in self.files.specs:
            entry = self.store.entries.get(spec)
            if entry is None or spec in busy or spec in self.failures:
                continue
            if self.settings.selects(entry.level):
                self.reporter.report(
                    LevelResult(
                        entry.level,
                        spec,
                        "unchanged",
                        outputs=entry.outputs,
                        warnings=entry.warnings,
                        layers=entry.layers,
                    )
                )

    def accept(self, built: BuiltLevel, causes: tuple[str, ...]) -> Job | None:
        """Store a built level and tell what became of it.

        Returns:
            A job to build instead: the spec changed meanwhile, or the cache lost a content.
        """
        self._saved += built.saved
        if not self.settings.dry_run and self._is_outdated(built):
            return self._renewed(built.job)
        if self.committer.commit(built, causes):
            return None
        return replace(built.job, fresh=True)

    def finish(self, *, compact: bool = True) -> None:
        """End a batch: the manifest in one file, the cache within its bound, the status.

        Raises:
            StoreError: The manifest cannot be written.
        """
        if self.settings.dry_run:
            return
        with self.store:
            if compact:
                self.store.save()
            self.status.write(self.store, self.files.specs)
        self.cache.grown(self._saved)
        self._saved = 0

    def inputs(self) -> set[str]:
        """Return the paths of all files that specs read, or tried to."""
        paths = {path for entry in self.store.entries.values() for path in entry.inputs}
        return paths | self.failures.inputs()

    # --- inside -------------------------------------------------------------------------------

    def _read(self) -> Wanted:
        wanted = self.files.read()
        self._fingerprint = wanted.mark.fingerprint
        return wanted

    def _settle(self, wanted: Wanted) -> None:
        """Do what needs no building: removals, plugins, specs that cannot be read."""
        self.committer.remove_gone(wanted)
        self.files.keep(self.inputs())
        entry = self.store.entries.get(FILE_NAME)
        stand = entry is not None and self.staleness.all_stand(entry)
        self.committer.keep_plugins(self.files, wanted, stand=stand)
        self._fail_unreadable(wanted)

    def _fail_unreadable(self, wanted: Wanted) -> None:
        for spec, problem in wanted.unreadable.items():
            name = Path(spec).name.split(".")[0]
            if self.settings.selects(name):
                result = LevelResult(name, spec, "failed", problems=(problem,))
                self.committer.fail(result, "", {})

    def _stale(self, wanted: Wanted, full: bool, early: bool) -> list[StaleLevel]:
        found = self.staleness.compare(wanted, full=full)
        if not early:
            for spec in found.recovered:
                self.committer.recover(spec)
        named: dict[str, list[str]] = {}
        for spec, level in wanted.levels.items():
            named.setdefault(level.name.casefold(), []).append(spec)
        stale = []
        for spec, causes in found.stale.items():
            # Outputs are named after levels, and some file systems do not distinguish cases.
            twins = [other for other in named[wanted.levels[spec].name.casefold()] if other != spec]
            if not twins:
                stale += self._jobs(spec, causes, wanted)
            elif not early:
                self._refuse_twins(spec, causes, twins, wanted)
        return stale

    def _refuse_twins(
        self, spec: str, causes: tuple[str, ...], twins: list[str], wanted: Wanted
    ) -> None:
        level = wanted.levels[spec]
        message = f"the level is called {level.name!r}, as in {', '.join(twins)}"
        problem = Problem(message, shown(self.root / spec))
        # The twins are inputs of the failure: when one changes, this level is looked at again.
        inputs = {twin: wanted.levels[twin].digest for twin in twins}
        result = LevelResult(level.name, spec, "failed", problems=(problem,), causes=causes)
        self.committer.fail(result, level.key, inputs)

    def _jobs(self, spec: str, causes: tuple[str, ...], wanted: Wanted) -> list[StaleLevel]:
        content = self.files.content(spec)
        if content is None:
            return []  # being written just now: the next look sees what became of it
        level = wanted.levels[spec]
        job = Job(
            self.files.project(), spec, content, level.key, self.identity, self.settings.force
        )
        return [StaleLevel(job, level.name, causes)]

    def _is_outdated(self, built: BuiltLevel) -> bool:
        """Whether the spec, or a file it read, is no longer what was built."""
        try:
            if (self.root / built.job.spec).read_bytes() != built.job.content:
                return True
        except OSError:
            return True
        return bool(self.files.changed(built.inputs))

    def _renewed(self, job: Job) -> Job | None:
        try:
            content = (self.root / job.spec).read_bytes()
        except OSError:
            return None
        digest = hashlib.sha256(content).hexdigest()
        key = level_key(self.identity, self._fingerprint, job.spec, digest)
        return replace(job, content=content, key=key)


def failed(results: Iterable[LevelResult]) -> bool:
    """Whether any level failed."""
    return any(result.status == "failed" for result in results)
