"""Storing what was built, reporting it, and removing what belongs to no spec."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from exporter.export.events import (
    LevelResult,
    Reason,
    RecipeChange,
    Recovered,
    Removal,
    Reporter,
    State,
    Upkeep,
)
from exporter.export.failures import Failures
from exporter.export.gone import GoneSpecs, folder_number
from exporter.export.job import BuiltLevel, Job, content_from
from exporter.export.settings import Settings
from exporter.export.stage_clock import WRITE_STAGE
from exporter.export.status import Status
from exporter.export.wanted import ProjectFiles, Wanted
from exporter.export.world_runs import WorldRun
from exporter.model.errors import HeldError, Problem, StoreError
from exporter.model.keys import stage_key
from exporter.project.project import FILE_NAME, shown
from exporter.store.cache import Cache
from exporter.store.commit_plan import File
from exporter.store.contents import digest_of
from exporter.store.entries import Entry, KeptWarning, Output
from exporter.store.group_commit import Committed, ContentMissingError, Outcome
from exporter.store.ownership import THEIRS, Whose
from exporter.store.parts import part_key, parts_by_spec, place_of
from exporter.store.store import Removed, Store, whole_file

# A built level, and what made it stale.
Built = tuple[BuiltLevel, tuple[str, ...]]


class Committer:
    """Brings a project's outputs to disk, and notes what became of every level.

    Everything that writes is done while the store's lock is held.

    Attributes:
        kept: Outputs that somebody changed, by spec, as far as they are known.
        held: Built levels that wait for files which another program holds open.
        patient: Whether levels wait in `held`, instead of failing until they are tried again.
        elsewhere: Gives contents that are neither at hand nor in the cache, or None.
    """

    def __init__(
        self,
        store: Store,
        cache: Cache,
        failures: Failures,
        status: Status,
        settings: Settings,
        reporter: Reporter,
    ) -> None:
        self.store = store
        self.cache = cache
        self.failures = failures
        self.status = status
        self.settings = settings
        self.reporter = reporter
        self.kept: dict[str, tuple[str, ...]] = {}
        self.held: list[tuple[BuiltLevel, tuple[str, ...], HeldError]] = []
        self.patient = False
        self.elsewhere: Callable[[File], bytes | None] = lambda _file: None

    def commit(
        self, built: BuiltLevel, causes: tuple[str, ...], run: WorldRun | None = None
    ) -> bool:
        """Store a built level and report the result.

        Args:
            built: The level; of a world the files of the whole.
            causes: What made it stale.
            run: What became of the parts of a world.

        Returns:
            False if the cache has lost a content: then nothing was done, and the level must be
            built afresh.
        """
        return not self.commit_all([(built, causes)], run)

    def commit_all(self, levels: Sequence[Built], run: WorldRun | None = None) -> list[Built]:
        """Store built levels and report the results in their order, as `commit` does of one.

        Returns:
            The levels of which the cache has lost a content.
        """
        whole = [one for one in levels if not one[0].problems]
        began = perf_counter()
        outcomes = self._store(whole)
        seconds = (perf_counter() - began) / max(1, len(whole))
        lost = []
        for one in levels:
            built, causes = one
            if built.problems:
                self.fail(_result(built, "failed", causes), built.job.key, built.inputs)
                continue
            former, outcome = outcomes[built.job.spec]
            if isinstance(outcome, ContentMissingError):
                lost.append(one)
            elif isinstance(outcome, HeldError) and self.patient:
                self.held.append((built, causes, outcome))
            elif isinstance(outcome, StoreError):
                self.fail_stored(built, causes, outcome)
            else:
                timings = (*built.timings, (WRITE_STAGE, seconds))
                self._report(replace(built, timings=timings), causes, outcome, former, run)
        return lost

    def _store(self, levels: Sequence[Built]) -> dict[str, tuple[Entry | None, Outcome]]:
        """Store levels; return, by spec, what was remembered before and what became of it."""
        if not levels:
            return {}
        specs = [built.job.spec for built, _ in levels]
        former = [self.store.entries.get(spec) for spec in specs]
        outcomes: Sequence[Outcome]
        try:
            with self.store:
                outcomes = self.store.commit_all(
                    [(self._entry(built), built.files) for built, _ in levels],
                    overwrite=self.settings.overwrite,
                    content=self._content,
                )
        except StoreError as error:
            outcomes = [error] * len(levels)
        return dict(zip(specs, zip(former, outcomes, strict=True), strict=True))

    def _entry(self, built: BuiltLevel) -> Entry:
        job = built.job
        return Entry(
            job.spec,
            built.level,
            job.key,
            built.inputs,
            (),
            built.layers,
            tuple(kept_warning(one, job.project.root, job.spec) for one in built.warnings),
            digest_of(job.content),
            folder_number((self.store.root / job.spec).parent),
            objects=built.objects,
            seed=built.seed,
        )

    def fail_stored(self, built: BuiltLevel, causes: tuple[str, ...], error: StoreError) -> None:
        """Note that a level was built and cannot be stored; it is tried again."""
        problem = Problem(str(error), shown(self.store.root / built.job.spec))
        result = replace(_result(built, "failed", causes), problems=(problem,))
        self.fail(result, built.job.key, built.inputs, retry=True)

    def commit_part(self, built: BuiltLevel) -> Committed:
        """Store a part of a world; nothing is reported.

        Raises:
            StoreError: A file cannot be written, or stands there and is not ours.
            ContentMissingError: What the shared store said it had is lost; nothing was written.
        """
        job = built.job
        assert job.unit is not None
        entry = Entry(
            part_key(job.spec, job.unit.column, job.unit.row),
            f"{built.level}.{job.unit.column}_{job.unit.row}",
            job.key,
            built.inputs,
            layers={
                name: {"floor": one["floor"]}
                for name, one in built.layers.items()
                if "floor" in one
            },
            digest=digest_of(job.content),
            folder=folder_number((self.store.root / job.spec).parent),
            objects=built.objects,
        )
        if self.store.live is not None:
            self.store.live[entry.spec] = entry.level
        with self.store:
            return self.store.commit(
                entry, built.files, overwrite=self.settings.overwrite, content=self._content
            )

    def tell_share(self, built: BuiltLevel, causes: tuple[str, ...], run: WorldRun) -> None:
        """Report the parts of a world that a shard has made; the world is not done with that."""
        entries = self.store.entries
        parts = parts_by_spec(entries).get(built.job.spec, ())
        result = replace(
            _result(built, "built" if run.count else "unchanged", causes),
            seconds=run.seconds,
            layers={},
            outputs=tuple(outputs_of(parts, entries)),
            written=tuple(run.written),
            kept=tuple(run.kept),
            warnings=tuple(dict.fromkeys(run.warnings)),
        )
        self.failures.settle(built.job.spec)
        self.status.changed = True
        self.status.note(result)
        self.reporter.report(result)

    def settle_parts(self, job: Job, is_wanted: Callable[[int, int], bool]) -> None:
        """Count the files of parts that a world has no more as stale.

        Args:
            job: The world's job.
            is_wanted: Whether a part, by its column and row, is one of it.
        """
        with self.store:
            for key in parts_by_spec(self.store.entries).get(job.spec, ()):
                entry = self.store.entries[key]
                if entry.outputs and not is_wanted(*place_of(key)):
                    self.store.manifest.put(replace(entry, key="", outputs=(), stale=entry.files))
            if not self.store.dry:
                self.store.manifest.flush()

    def _report(
        self,
        built: BuiltLevel,
        causes: tuple[str, ...],
        done: Committed,
        former: Entry | None,
        run: WorldRun | None,
    ) -> None:
        spec = built.job.spec
        self.failures.settle(spec)
        result = replace(
            _result(built, "built", causes),
            outputs=done.entry.outputs,
            written=done.written,
            kept=done.kept,
            moved=done.moved,
            recipes=_recipe_changes(former, done.entry) if done.written else (),
        )
        if run is not None:
            result = replace(
                result,
                seconds=run.seconds,
                outputs=(
                    *result.outputs,
                    *outputs_of(
                        parts_by_spec(self.store.entries).get(spec, ()), self.store.entries
                    ),
                ),
                written=(*run.written, *result.written),
                kept=(*result.kept, *run.kept),
                warnings=tuple(dict.fromkeys((*result.warnings, *run.warnings))),
            )
        self.kept[spec] = result.kept
        self.status.changed = True
        self.status.note(result)
        if done.moved:
            paths = tuple(old for _, old in done.moved)
            self.reporter.report(Removal(built.level, spec, paths, reason="renamed"))
        self.reporter.report(result)

    def fail(
        self, result: LevelResult, key: str, inputs: dict[str, str], *, retry: bool = False
    ) -> None:
        """Note a failure, and report it if it is new."""
        self.status.note(result)
        if self.failures.note(result, key, inputs, retry=retry):
            self.reporter.report(result)

    def recover(self, spec: str) -> None:
        """Tell that a failed level is again as it was exported before."""
        self.failures.settle(spec)
        self.status.settle(spec)
        self.reporter.report(Recovered(self.store.entries[spec].level, spec))

    def settle_gone(self, gone: GoneSpecs, wanted: Wanted) -> None:
        """Remove the outputs of deleted specs; those of renamed ones change hands."""
        parts = parts_by_spec(self.store.entries)
        for old, new in gone.renamed.items():
            self.store.move(old, new)
            for key in parts.get(old, ()):
                self.store.move(key, part_key(new, *place_of(key)))
        # After a change of branches a level on disk may use what another one has written.
        current = self._are_current(wanted)
        for spec in gone.deleted:
            removal = remove_outputs(self.store, spec, with_shared=current)
            for key in parts.get(spec, ()):
                removal = removal.joined(remove_outputs(self.store, key, with_shared=current))
            if removal.paths or removal.kept or removal.held or spec not in self.store.entries:
                self.status.changed = True
                self.reporter.report(removal)
        here = set(wanted.specs)
        for failure in self.failures.keep(here):
            self.reporter.report(Recovered(failure.level, failure.spec, gone=True))
        self.status.keep(here)
        owners = here | {FILE_NAME}
        self.kept = {spec: kept for spec, kept in self.kept.items() if spec in owners}

    def _are_current(self, wanted: Wanted) -> bool:
        """Whether every spec is the one whose outputs are remembered."""
        entries = self.store.entries
        return all(
            spec in entries
            and spec in wanted.levels
            and entries[spec].key == wanted.levels[spec].key
            for spec in wanted.specs
        )

    def keep_plugins(self, files: ProjectFiles, wanted: Wanted, *, stand: bool) -> None:
        """Bring the engine plugins that exporter.yaml asks for up to date.

        Their entry stands in the manifest under exporter.yaml itself.

        Args:
            files: The project's files.
            wanted: What they ask for.
            stand: Whether the plugins' files are all as we left them, or somebody's.

        Raises:
            StoreError: A file cannot be written, or stands there and is not ours.
        """
        entry = self.store.entries.get(FILE_NAME)
        key = stage_key("plugins", wanted.mark.sha256)
        if entry is None and wanted.mark == self.store.project:
            return  # none was asked for, and exporter.yaml is the same
        overwrite = self.settings.overwrite
        if entry is not None and entry.key == key and stand and not overwrite:
            return
        from exporter.project.plugins import plugin_files

        plugins = [
            whole_file(file.path, file.kind, None, file.target, file.data, home=file.home)
            for file in plugin_files(files.project())
        ]
        if not plugins:
            if entry is not None and entry.outputs:
                self.store.manifest.put(replace(entry, key=key, outputs=(), stale=entry.files))
            return
        done = self.store.commit(Entry(FILE_NAME, "", key), plugins, overwrite=overwrite)
        self.kept[FILE_NAME] = done.kept
        if done.written or done.kept:
            self.reporter.report(Upkeep(done.written, done.kept))
        # Of two versions of a plugin half of each would be broken. But a plugin that is asked for
        # no more stays whole until it is cleaned.
        removed = self.store.remove_stale(FILE_NAME, {file.home for file in plugins})
        if removed.removed or removed.kept or removed.held:
            self.reporter.report(_removal("", FILE_NAME, removed, "plugin replaced"))

    def _content(self, file: File) -> bytes:
        data = content_from(self.cache, file)
        if data is None:
            data = self.elsewhere(file)
        if data is None:
            raise ContentMissingError(file.path)
        return data


def outputs_of(keys: Iterable[str], entries: Mapping[str, Entry]) -> list[Output]:
    """Return the files of some parts of a world, each once.

    Args:
        keys: Those of the parts' entries.
        entries: What is remembered.
    """
    found = {output.path: output for key in keys for output in entries[key].outputs}
    return list(found.values())


def remove_outputs(
    store: Store, spec: str, reason: Reason = "spec gone", *, with_shared: bool = True
) -> Removal:
    """Remove the outputs of one spec; what somebody changed is kept.

    Args:
        store: What is remembered.
        spec: The spec.
        reason: Why.
        with_shared: See `Store.forget`.

    Raises:
        StoreError: A file cannot be removed.
    """
    level = store.entries[spec].level
    return _removal(level, spec, store.forget(spec, with_shared=with_shared), reason)


def stale_outputs(store: Store, wanted: Iterable[str], *, listed: bool) -> list[Output]:
    """Return the files of ours that nothing writes any more, and nobody changed, sorted by path.

    Args:
        store: What is remembered.
        wanted: The specs whose outputs are not stale.
        listed: Whether all outputs of these specs are remembered, so that whatever else an index
            lists is stale.
    """
    live = {*wanted, FILE_NAME}
    found = [output for entry in store.entries.values() for output in entry.stale]
    for spec, entry in store.entries.items():
        found += entry.outputs if spec not in live else ()
    if listed:
        found += store.listed_only()
    return sorted(
        (output for output in found if _may_be_removed(store, output)),
        key=lambda output: output.path,
    )


def _may_be_removed(store: Store, output: Output) -> bool:
    whose = store.look(output).whose
    return whose not in THEIRS and whose is not Whose.NOBODYS and not store.is_twin(output)


def kept_warning(warning: Problem, root: Path, spec: str) -> KeptWarning:
    """Return a warning as the manifest keeps it: its text and its place."""
    file = ""
    if warning.file is not None and warning.file != shown(root / spec):
        file = Path(os.path.relpath(warning.file, root)).as_posix()
    return warning.message, warning.line, warning.column, file


def _removal(level: str, spec: str, done: Removed, reason: Reason) -> Removal:
    return Removal(level, spec, done.removed, done.kept, reason, done.held)


def _recipe_changes(former: Entry | None, entry: Entry) -> tuple[RecipeChange, ...]:
    """Find the layers that another version of the same generator made before."""
    changes = []
    for name, layer in entry.layers.items():
        old = former.layers.get(name, {}) if former is not None else {}
        if old.get("generator") == layer["generator"] and old["version"] != layer["version"]:
            changes.append(RecipeChange(name, layer["generator"], old["version"], layer["version"]))
    return tuple(changes)


def _result(built: BuiltLevel, status: State, causes: tuple[str, ...]) -> LevelResult:
    return LevelResult(
        built.level,
        built.job.spec,
        status,
        built.seconds,
        problems=built.problems,
        warnings=built.warnings,
        objects=built.objects,
        layers=built.layers,
        traceback=built.traceback,
        causes=causes,
        timings=built.timings,
        seed=built.seed,
    )
