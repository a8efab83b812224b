"""Write the files of an export's results, and report each level.

First come changes that need no build: outputs of deleted specs are removed, engine plugins updated.
Then results are written as they arrive, and at the end indexes, the manifest and the status files.
All writing happens under the store's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from exporter.export.events import DroppedTarget, LevelResult, Recovered, Removal, Reporter, Upkeep
from exporter.export.failures import Failure, Failures
from exporter.export.plan import ExportPlan, ProjectChanges
from exporter.export.project_reports import ProjectReports
from exporter.export.project_snapshot import ProjectSnapshot
from exporter.export.removals import (
    DeletedSpecs,
    noted_folders,
    removal,
    remove_outputs_of_deleted_specs,
    stale_outputs,
)
from exporter.export.settings import Settings
from exporter.export.status import Status
from exporter.export.tasks import TaskResult, content_from
from exporter.model.errors import Problem, StoreError
from exporter.model.keys import stage_key
from exporter.model.lazy_dataclass import dataclass
from exporter.project.project import FILE_NAME, SEARCHES_FOLDER, Project, display_path
from exporter.store.cache import Cache
from exporter.store.commit_plan import File, whole_file
from exporter.store.entries import ManifestEntry, Output, is_part, parts_by_spec, spec_of
from exporter.store.group_commit import ContentMissingError, Outcome
from exporter.store.store import Store


@dataclass(frozen=True, slots=True)
class Commit:
    """The files of one task's result, and its manifest entry, to be written.

    Attributes:
        result: The result of the task, with the files.
        entry: The new manifest entry of the level or chunk.
        dropped: The entries of chunks that a world, now smaller, no longer has; their files become
            stale first.
    """

    result: TaskResult
    entry: ManifestEntry
    dropped: tuple[ManifestEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class StoreOutcome:
    """The result of writing the files of one `Commit`.

    Attributes:
        outcome: What was written, or the error why nothing was.
        previous: The manifest entry before; None if there was none.
        seconds: How long writing took.
    """

    outcome: Outcome
    previous: ManifestEntry | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class _Settled:
    """The project after the last removal of outputs of deleted specs.

    Attributes:
        snapshot: The specs at that time.
        hidden: Missing specs whose outputs stay, because the specs may exist.
        waiting: Missing specs whose outputs are removed later if the specs stay missing.
    """

    snapshot: ProjectSnapshot
    hidden: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()


class Committer:
    """Writes the results of one project's exports, and reports them.

    Args:
        store: The store of outputs, with the manifest.
        cache: Has the contents of files that a build took from the cache.
        failures: Remembers levels whose last build failed.
        settings: The options of the export.
        reporter: Receives results of levels and of the project.

    Attributes:
        status: Writes the files that engine plugins show as the state of the export.
        reports: Reports about the project as a whole.
        content_elsewhere: Returns the content of a file that is neither in memory nor in the cache;
            None if it cannot.
        saved: How many bytes builds have put into the cache since the last batch ended.
        is_unfinished: Whether `finish` must be called even if nothing was built or removed.
    """

    def __init__(
        self, store: Store, cache: Cache, failures: Failures, settings: Settings, reporter: Reporter
    ) -> None:
        self.store = store
        self.cache = cache
        self.failures = failures
        self.settings = settings
        self.reporter = reporter
        self.status = Status()
        self.reports = ProjectReports(reporter, self.status)
        self.content_elsewhere: Callable[[File], bytes | None] = lambda _file: None
        self.saved = 0
        self.is_unfinished = False
        self._settled: _Settled | None = None

    # --- before levels are built --------------------------------------------------------------

    def settle(self, snapshot: ProjectSnapshot, changes: ProjectChanges) -> None:
        """Make the changes that need no build, and report them.

        `changes` come from `ExportPlanner.changes`: outputs of deleted specs are removed, engine
        plugins are updated, and specs that cannot be read are recorded. An export of a shard only
        records these specs, because outputs and plugins belong to the whole project.

        Raises:
            SpecError: exporter.yaml is wrong.
            StoreError: A file cannot be written, or there is a file that the exporter did not
                write.
        """
        self._note_homes(snapshot)
        is_whole = self.settings.shard is None
        previous, self._settled = self._settled, _Settled(snapshot)
        if is_whole:
            self._settled = self._remove_deleted(snapshot, changes.deleted, previous)
            self._update_plugins(snapshot, changes.retained_plugins)
        for failure in changes.unreadable:
            self.fail(failure)
        if self.reports.report_unmatched(self.store.root, snapshot):
            self.is_unfinished = True  # the status is to be written
        if is_whole:
            self._report_dropped(snapshot)

    def note_plan(self, plan: ExportPlan) -> None:
        """Record and report what `plan` found besides stale levels.

        These are failed levels that are up to date again, user-modified outputs, and levels that
        fail without a build.
        """
        for spec in plan.comparison.recovered:
            self.recover(spec)
        entries = self.store.entries
        for spec, remaining in plan.comparison.preserved.items():
            self.reports.report_retained(entries[spec], remaining)
        if not self.settings.dry_run:
            parts = parts_by_spec(entries)
            for spec, signatures in plan.comparison.touched.items():
                for key in (spec, *parts.get(spec, ())) if signatures else ():
                    if any(output.path in signatures for output in entries[key].outputs):
                        self.store.note_signatures(key, signatures)
        for failure in plan.conflicts:
            self.fail(failure)
        if self.settings.dry_run:
            return
        if self.settings.shard is None:
            for entry in noted_folders(self.store.root, self.store.entries, plan.snapshot):
                self.store.manifest.put(entry)
            if plan.snapshot.mark != self.store.project:
                self.store.manifest.mark(plan.snapshot.mark)
        self.store.manifest.flush()

    def report_unchanged(self, plan: ExportPlan) -> None:
        """Report every level that `plan` need not build as up to date."""
        entries = self.store.entries
        parts = parts_by_spec(entries)
        busy = {item.task.spec for item in plan.levels}
        for spec in plan.snapshot.specs:
            if spec not in entries or spec in busy or spec in self.failures:
                continue
            entry, level = entries[spec], plan.snapshot.levels.get(spec)
            is_world = level is not None and level.is_world
            if self.settings.selects(entry.level, spec, is_world=is_world):
                outputs = outputs_of(entries[key] for key in parts.get(spec, ()))
                remaining = self.reports.preserved.get(spec, ())
                self.reporter.report(unchanged_result(entry, self.store.root, outputs, remaining))

    # --- results ------------------------------------------------------------------------------

    def store_all(self, commits: Sequence[Commit]) -> list[StoreOutcome]:
        """Write the files of all `commits` together; return an outcome for each."""
        if not commits:
            return []
        began = perf_counter()
        previous = [self.store.entries.get(commit.entry.spec) for commit in commits]
        outcomes: Sequence[Outcome]
        try:
            with self.store:
                for commit in commits:
                    self._note_parts(commit)
                outcomes = self.store.commit_all(
                    [(commit.entry, commit.result.files) for commit in commits],
                    overwrite=self.settings.overwrite,
                    content=self._content,
                )
        except StoreError as error:
            outcomes = [error] * len(commits)
        seconds = (perf_counter() - began) / len(commits)
        return [
            StoreOutcome(outcome, entry, seconds)
            for outcome, entry in zip(outcomes, previous, strict=True)
        ]

    def report(self, result: LevelResult) -> None:
        """Report a level whose files were written; it no longer counts as failed."""
        self.failures.settle(result.spec)
        self.reports.preserved[result.spec] = result.preserved
        self.status.changed = True
        self.status.note(result)
        if result.moved:
            paths = tuple(old for _, old in result.moved)
            self.reporter.report(Removal(result.level, result.spec, paths, reason="renamed"))
        self.reporter.report(result)

    def fail(self, failure: Failure, *, retry: bool = False) -> None:
        """Record that a level failed; report it unless reported with this cause.

        If `retry` is true, the level is built again after a while even if nothing changes.
        """
        self.status.note(failure.result)
        if self.failures.note(failure, retry=retry):
            self.reporter.report(failure.result)

    def recover(self, spec: str) -> None:
        """Report that the failed level of `spec` is up to date without a build.

        Its inputs are again those of the last successful export.
        """
        self.failures.settle(spec)
        self.status.settle(spec)
        self.reporter.report(Recovered(self.store.entries[spec].level, spec))

    def fail_vanished(self, level: str, spec: str) -> None:
        """Record that `level` failed, since `spec` changed or vanished meanwhile."""
        problem = Problem(
            "the spec was removed or changed during the export (export again)",
            display_path(self.store.root / spec),
        )
        self.fail(Failure(LevelResult(level, spec, "failed", problems=(problem,))))

    def report_trouble(self, message: str) -> None:
        """Report the problem `message`, for which the export ends early."""
        problem = Problem(message, display_path(self.store.root))
        self.reports.report_problems((*self.reports.problems, problem))

    # --- the end ------------------------------------------------------------------------------

    def finish(self, *, compact: bool = True) -> None:
        """End an export: write indexes, manifest and status files; prune caches.

        If `compact` is true, the manifest is written as one file, without a journal.

        Raises:
            StoreError: The manifest or an index cannot be written.
        """
        self.is_unfinished = False
        with self.store:
            written = self.store.write_indexes()
            if written:
                self.reporter.report(Upkeep(written, what="index"))
            settled = self._settled
            if settled is not None and self.settings.shard is None:
                self._report_stale(settled)
            if self.settings.dry_run:
                return
            if compact:
                self.store.save()
            selects = self.settings.selects if self.settings.partial else None
            specs = set(settled.snapshot.specs) if settled is not None else set()
            # Imported only here, because most projects have no packs.
            if settled is not None and (self.store.state / SEARCHES_FOLDER).is_dir():
                from exporter.export.packs import remove_makings

                remove_makings(self.store.state, self._with_packs(settled.snapshot))
            if self.settings.shard is not None:
                # An export of a shard keeps all status files.
                specs |= {spec_of(key) for key in self.store.entries} - {FILE_NAME}
            self.status.write(self.store, sorted(specs), self.reports.preserved, selects)
        self.cache.grown(self.saved)
        self.saved = 0

    # --- inside -------------------------------------------------------------------------------

    def _note_homes(self, snapshot: ProjectSnapshot) -> None:
        """Tell the store which folders have an index, and which specs exist.

        An index is a folder's list of outputs. Files of specs that do not exist may be taken over.
        """
        store, entries = self.store, self.store.entries
        store.set_homes(snapshot.mark.homes)
        # The index of a dropped target is removed with its last file.
        previous = {output.home for entry in entries.values() for output in entry.stale}
        store.homes = tuple(sorted(previous.union(snapshot.mark.homes) - {""}))
        live = {spec: entries[spec].level for spec in snapshot.unreadable if spec in entries}
        live.update((spec, level.name) for spec, level in snapshot.levels.items())
        live[FILE_NAME] = ""
        for key in entries:
            if is_part(key) and spec_of(key) in live:
                live[key] = entries[key].level
        store.live = live

    def _remove_deleted(
        self, snapshot: ProjectSnapshot, deleted: DeletedSpecs, previous: _Settled | None
    ) -> _Settled:
        """Remove outputs of deleted specs; forget what is known of these specs.

        `previous` is the project after the last such removal. Return the project after this one.
        """
        for item in remove_outputs_of_deleted_specs(self.store, deleted, snapshot):
            self.status.changed = True
            self.reporter.report(item)
        here = {*snapshot.specs, *snapshot.unreadable}
        for failure in self.failures.keep(here):
            self.reporter.report(Recovered(failure.level, failure.spec, was_deleted=True))
        self.status.keep(here)
        self.reports.keep({*here, FILE_NAME})
        entries = self.store.entries
        left = [spec for spec in deleted.deleted if spec in entries]
        settled = _Settled(snapshot, tuple(deleted.hidden), (*deleted.waiting, *left))
        # If the settings or hidden specs changed, other files may be stale now.
        if previous is None:
            self.is_unfinished = bool(settled.hidden) or any(
                entry.stale for entry in entries.values()
            )
        elif (previous.snapshot.mark.sha256, previous.hidden) != (
            snapshot.mark.sha256,
            settled.hidden,
        ):
            self.is_unfinished = True
        return settled

    def _update_plugins(self, snapshot: ProjectSnapshot, preserved: tuple[str, ...] | None) -> None:
        """Update the engine plugins that exporter.yaml requests.

        The manifest lists the plugins' files under exporter.yaml. `preserved` are those that a user
        has modified; None if a file must be written.
        """
        entry = self.store.entries.get(FILE_NAME)
        key = stage_key("plugins", snapshot.mark.sha256)
        overwrite = self.settings.overwrite
        is_current = entry is not None and entry.key == key and preserved is not None
        was_none = entry is None and snapshot.mark == self.store.project
        if not was_none and (overwrite or not is_current):
            self._store_plugins(entry, key, snapshot.project())
        if entry is not None and preserved is not None and not overwrite:
            self.reports.report_retained(entry, preserved)

    def _store_plugins(self, entry: ManifestEntry | None, key: str, project: Project) -> None:
        from exporter.project.plugins import plugin_files

        plugins = [
            whole_file(file.path, file.kind, None, file.target, file.data, home=file.home)
            for file in plugin_files(project)
        ]
        if not plugins:
            if entry is not None and entry.outputs:
                self.store.manifest.put(replace(entry, key=key, outputs=(), stale=entry.files))
            return
        done = self.store.commit(
            ManifestEntry(FILE_NAME, "", key), plugins, overwrite=self.settings.overwrite
        )
        self.reports.preserved[FILE_NAME] = done.preserved
        if done.written or done.preserved:
            self.reporter.report(Upkeep(done.written, done.preserved))
        # A mix of two versions of a plugin would be broken. A plugin that is no longer requested
        # stays whole until it is cleaned.
        removed = self.store.remove_stale(FILE_NAME, {file.home for file in plugins})
        if removed.removed or removed.preserved or removed.held:
            self.reporter.report(removal("", FILE_NAME, removed, "plugin replaced"))

    def _report_dropped(self, snapshot: ProjectSnapshot) -> None:
        if self.store.project in (None, snapshot.mark):
            return
        present = {target.name for target in snapshot.project().targets}
        files: dict[str, int] = {}
        for entry in self.store.entries.values():
            for output in entry.outputs:
                # Another target may have taken the folder over.
                if output.target not in present and output.home not in snapshot.mark.homes:
                    files[output.target] = files.get(output.target, 0) + 1
        for target, count in sorted(files.items()):
            self.reporter.report(DroppedTarget(target, count))

    def _with_packs(self, snapshot: ProjectSnapshot) -> list[str]:

        def may_have(spec: str) -> bool:
            entry, level = self.store.entries.get(spec), snapshot.levels.get(spec)
            if entry is None or level is None or entry.key != level.key:
                return True
            return any(output.kind == "pack" for output in entry.outputs)

        return [spec for spec in snapshot.specs if may_have(spec)]

    def _report_stale(self, settled: _Settled) -> None:
        entries, snapshot = self.store.entries, settled.snapshot
        known = {spec for spec, entry in entries.items() if entry.key}
        listed = not self.settings.levels and known.issuperset(snapshot.specs)
        live = {*snapshot.specs, *settled.waiting, FILE_NAME}
        live.update(spec for spec in entries if snapshot.hides(spec))
        parts = [key for key in entries if is_part(key) and spec_of(key) in live]
        stale = stale_outputs(self.store, {*live, *parts}, listed=listed)
        self.reports.report_stale(tuple(output.path for output in stale))

    def _note_parts(self, commit: Commit) -> None:
        """Record that the chunk of `commit` exists, and which chunks no longer do.

        The files of chunks that a smaller world no longer has become stale.
        """
        if self.store.live is not None and is_part(commit.entry.spec):
            self.store.live[commit.entry.spec] = commit.entry.level
        for part in commit.dropped:
            self.store.manifest.put(replace(part, key="", outputs=(), stale=part.files))
        if commit.dropped and not self.store.dry:
            self.store.manifest.flush()

    def _content(self, file: File) -> bytes:
        data = content_from(self.cache, file)
        if data is None:
            data = self.content_elsewhere(file)
        if data is None:
            raise ContentMissingError(file.path)
        return data


def unchanged_result(
    entry: ManifestEntry, root: Path, outputs: Iterable[Output], remaining: tuple[str, ...]
) -> LevelResult:
    """Return the result of a level that is up to date and was not built.

    Args:
        entry: The level's manifest entry.
        root: The project's folder.
        outputs: The files of a world's chunks; empty for other levels.
        remaining: The paths of the level's user-modified outputs, which stay.
    """
    warnings = tuple(
        Problem(text, display_path(root / (file or entry.spec)), line, column, severity="warning")
        for text, line, column, file in entry.warnings
    )
    return LevelResult(
        entry.level,
        entry.spec,
        "unchanged",
        outputs=(*entry.outputs, *outputs),
        warnings=warnings,
        objects=entry.objects,
        seed=entry.seed,
        layers=entry.layers,
        preserved=remaining,
    )


def outputs_of(entries: Iterable[ManifestEntry]) -> tuple[Output, ...]:
    """Return the output files in `entries`, each path only once."""
    return tuple({output.path: output for entry in entries for output in entry.outputs}.values())
