"""An export: what is stale, how it is built, how it is committed.

The parts are in `staleness`, in `job` and `workers`, and in `commit`; here is their order. The same
class serves `exporter export` and every batch of `exporter watch`.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from exporter.export.automatic_taking import AutomaticTaking
from exporter.export.commit import Built, Committer, outputs_of, stale_outputs
from exporter.export.engine_rules import EngineRules
from exporter.export.events import (
    Building,
    DroppedTarget,
    Event,
    Finished,
    Interrupted,
    Kept,
    LevelResult,
    Progress,
    ProjectProblems,
    Refusal,
    Remark,
    Reporter,
    Stale,
    Upkeep,
)
from exporter.export.failures import Failures
from exporter.export.farming import Farm
from exporter.export.gone import Gone
from exporter.export.job import BuiltLevel, Job, level_key
from exporter.export.settings import Settings
from exporter.export.stage_clock import WRITE_STAGE
from exporter.export.staleness import Comparison, Staleness
from exporter.export.status import Status
from exporter.export.wanted import ProjectFiles, Wanted
from exporter.export.world_reports import with_floors, with_objects
from exporter.export.world_runs import WorldRun
from exporter.model.errors import FarmError, Problem, SpecError, StoreError
from exporter.project.overlooked import no_specs, overlooked
from exporter.project.project import FILE_NAME, STATE_FOLDER, shown
from exporter.reading.names import edits_file
from exporter.store.cache import Cache
from exporter.store.code_identity import code_identity
from exporter.store.entries import Entry
from exporter.store.group_commit import ContentMissingError
from exporter.store.parts import is_part, part_key, parts_by_spec, spec_of
from exporter.store.store import Store

# A spec that changes while it is built is built again, but not for ever.
MAXIMUM_REPEATS = 5
# How long to wait before a file that another program holds open is tried again.
HELD_PAUSE = 0.5
# The same for one that is to be removed.
REMOVAL_PAUSE = 2.0


@dataclass(frozen=True, slots=True)
class StaleLevel:
    """A level to build: its job, its name and what made it stale."""

    job: Job
    level: str
    causes: tuple[str, ...]


def export_project(root: Path, settings: Settings, reporter: Reporter) -> list[LevelResult]:
    """Export the levels of a project that are stale, and remove the outputs of deleted specs.

    Args:
        root: The project's folder.
        settings: How to export.
        reporter: Gets each level as soon as it is finished, each removal, progress and the end.

    Returns:
        A result for every selected level, in the order of their specs' paths.

    Raises:
        SpecError: exporter.yaml is wrong; the reporter has it.
        StoreError: The project's state folder cannot be used.
        FarmError: The shared store or the cluster cannot be used; the reporter has it if `told`.
        KeyboardInterrupt: The reporter has been told how far the export was.
    """
    collector = _Collector(reporter)
    export = Export(root, settings, collector)
    farm = open_farm(export)
    export.units_at_once = farm.units_at_once
    export.committer.elsewhere = farm.content
    export.committer.patient = settings.patience > 0
    try:
        stale = export.look(full=True)
    except SpecError as error:
        reporter.report(Refusal(error.problems))
        raise
    export.report_unchanged(stale)
    causes = {one.job.spec: one.causes for one in stale}
    jobs = [one.job for one in stale]
    names = {one.job.spec: one.level for one in stale}
    total, before = len(jobs), len(collector.results)

    def tell_stage(job: Job, stage: str) -> None:
        reporter.report(Building(names[job.spec], job.spec, stage))

    reporter.report(Progress(0, total))
    trouble: FarmError | None = None
    try:
        with farm:
            for _ in range(MAXIMUM_REPEATS):
                again: list[Job] = []
                queue = deque(jobs)
                for group in farm.built(queue, tell_stage):
                    tell_stage(group[-1].job, WRITE_STAGE)
                    further = export.accept_all([(one, causes[one.job.spec]) for one in group])
                    tell_stage(group[-1].job, "")
                    for job in further:
                        (queue if export.is_under_way(job.spec) else again).append(job)
                    for built in group:
                        if not any(_is_repetition(job, built.job) for job in further):
                            farm.save(built)
                    done = len(collector.results) - before
                    if any(export.is_under_way(one.job.spec) for one in group):
                        reporter.report(export.world_progress(done, total))
                    else:
                        reporter.report(Progress(done, total))
                jobs = again
                if not jobs:
                    break
            export.wait_for_held(settings.patience)
            farm.finish()
        for one in stale:
            if one.job.spec not in collector.results:
                export.tell_vanished(one)
        export.finish()
    except FarmError as error:
        # What is exported stays; the next export goes on from there.
        trouble = error
        export.tell_trouble(str(error))
        export.finish()
    except KeyboardInterrupt:
        reporter.report(Interrupted(list(collector.results.values()), total))
        raise
    results = [collector.results[spec] for spec in sorted(collector.results)]
    reporter.report(Finished(results))
    if trouble is not None:
        trouble.told = True
        raise trouble
    return results


def open_farm(export: Export) -> Farm:
    """Return what builds the levels of an export, as its settings say.

    Raises:
        FarmError: The shared store or the cluster cannot be used.
    """
    settings = export.settings
    if settings.store is None:
        return Farm(settings)
    # Imported here: an export with nothing to do need not know what targets are.
    from exporter.export.shared_levels import StoreFarm

    builder = None
    if settings.cluster is not None:
        from exporter.export.cluster_builder import ClusterBuilder

        builder = partial(ClusterBuilder, remembered=export.remembered)
    return StoreFarm(settings, export.root, export.files, export.cache, export.reporter, builder)


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
        self.store = Store(root, state, EngineRules(), dry=settings.dry_run)
        self.cache = Cache(state)
        self.status = Status()
        self.failures = Failures()
        self.files = ProjectFiles(root, self.store, self.identity)
        self.staleness = Staleness(self.files, self.store, self.failures, settings)
        self.committer = Committer(
            self.store, self.cache, self.failures, self.status, settings, reporter
        )
        self.gone = Gone(root, self.store, settings.grace)
        self.taking = AutomaticTaking(
            root, self.store, self.files, self.staleness, settings, reporter
        )
        self._fingerprint = ""
        self._saved = 0
        self._wanted: Wanted | None = None
        self._told_stale: tuple[str, ...] = ()
        self._told_problems: tuple[Problem, ...] = ()
        self._others: tuple[tuple[str, ...], bool] = ((), True)
        # What decides which files are stale, as it was when that was last looked for.
        self._settled: tuple[str, list[str]] | None = None
        # Whether a batch is to be ended though nothing was built or removed in it.
        self.unfinished = False
        # The worlds that are being built, by spec.
        self._worlds: dict[str, WorldRun] = {}
        # How many units of a world are given out at the same time.
        self.units_at_once = Farm(settings).units_at_once
        # The most bytes that a process which made parts of worlds has taken.
        self.memory = 0

    def look(
        self, *, full: bool, early: bool = False, only: Collection[str] = ()
    ) -> list[StaleLevel]:
        """Return the levels that must be built, and settle all that needs no building.

        Args:
            full: Look at the outputs, too: one that was removed makes its level stale.
            early: Only find what could be built already; settle and report nothing yet, because
                the files may still be changing.
            only: With `early`: if there are specs among these paths, look at these specs alone.

        Raises:
            SpecError: exporter.yaml is wrong.
            StoreError: The project's state folder cannot be used.
        """
        if early:
            self.store.peek()
            again = self.files.read_again(only)
            if again is not None:
                wanted, specs = again
                return self._stale(wanted, full, early, specs)
            return self._stale(self._read(), full, early)
        if self.settings.dry_run:
            self.store.peek()
        with self.store:
            wanted = self._read()
            full = full or self.store.indexes_changed()
            self._settle(wanted)
            if full and self.taking.take(wanted):
                wanted = self._read()
            stale = self._stale(wanted, full, early)
            if not self.settings.dry_run and self.settings.shard is None:
                self.gone.note_folders(wanted)
                if wanted.mark != self.store.project:
                    self.store.manifest.mark(wanted.mark)
            if not self.settings.dry_run:
                self.store.manifest.flush()
        return stale

    def report_unchanged(self, stale: Iterable[StaleLevel]) -> None:
        """Report the levels that are neither stale nor failed."""
        busy = {one.job.spec for one in stale}
        entries = self.store.entries
        parts = parts_by_spec(entries)
        for spec in self.files.specs:
            entry = entries.get(spec)
            if entry is None or spec in busy or spec in self.failures:
                continue
            wanted = self._wanted.levels.get(spec) if self._wanted is not None else None
            is_world = wanted is not None and wanted.is_world
            if self.settings.selects(entry.level, spec, is_world=is_world):
                self.reporter.report(
                    LevelResult(
                        entry.level,
                        spec,
                        "unchanged",
                        outputs=(*entry.outputs, *outputs_of(parts.get(spec, ()), entries)),
                        warnings=tuple(
                            Problem(
                                text,
                                shown(self.root / (file or spec)),
                                line,
                                column,
                                severity="warning",
                            )
                            for text, line, column, file in entry.warnings
                        ),
                        objects=entry.objects,
                        seed=entry.seed,
                        layers=entry.layers,
                        kept=self.committer.kept.get(spec, ()),
                    )
                )

    def accept(self, built: BuiltLevel, causes: tuple[str, ...]) -> list[Job]:
        """Store a built level, or a unit of a world, and tell what became of it.

        Returns:
            What is to be built now: the level again, because the spec changed meanwhile or the
            cache lost a content; or further units of a world. While `is_under_way` says so of its
            spec, more is to come.
        """
        self._saved += built.saved
        job = built.job
        run = self._worlds.get(job.spec)
        if job.unit is not None and (run is None or run.job.key != job.key):
            return []  # of a world that was given up
        if not self.settings.dry_run and self._is_outdated(built):
            self.give_up(job.spec)
            renewed = self._renewed(job)
            return [] if renewed is None else [renewed]
        if built.found is not None and not built.problems:
            return self._accept_unit(built, causes, run)
        self.give_up(job.spec)
        if self.committer.commit(built, causes):
            return []
        return [replace(job, fresh=True)]

    def accept_all(self, levels: Sequence[Built]) -> list[Job]:
        """Store built levels and units of worlds, as `accept` does of one; levels together."""
        further: list[Job] = []
        plain: list[Built] = []
        for built, causes in levels:
            if not self.is_plain(built):
                further += self.accept(built, causes)
                continue
            self._saved += built.saved
            if not self.settings.dry_run and self._is_outdated(built):
                renewed = self._renewed(built.job)
                further += [] if renewed is None else [renewed]
            else:
                plain.append((built, causes))
        lost = self.committer.commit_all(plain)
        return further + [replace(built.job, fresh=True) for built, _ in lost]

    def is_plain(self, built: BuiltLevel) -> bool:
        """Whether something built is a level, and nothing of a world."""
        in_world = built.job.unit is not None or built.job.spec in self._worlds
        return not in_world and (built.found is None or bool(built.problems))

    def is_under_way(self, spec: str) -> bool:
        """Whether a world is being built whose units are not all done."""
        return spec in self._worlds

    def give_up(self, spec: str) -> None:
        """Build no more of a world; what is stored of it stays."""
        self._worlds.pop(spec, None)

    def world_progress(self, done: int, total: int) -> Progress:
        """Return how far the worlds under way are: parts, rows of surveys, memory.

        Args:
            done: How many levels are done.
            total: How many there are.
        """
        runs = self._worlds.values()
        parts = sum(run.done for run in runs), sum(run.count for run in runs)
        surveys = sum(run.surveyed for run in runs), sum(run.to_survey for run in runs)
        return Progress(done, total, parts, self.memory, surveys)

    def _accept_unit(
        self, built: BuiltLevel, causes: tuple[str, ...], run: WorldRun | None
    ) -> list[Job]:
        job, unit = built.job, built.job.unit
        assert built.found is not None
        if unit is None or run is None:
            assert built.found.plan is not None
            run = WorldRun(
                job,
                built.found.plan,
                built.level,
                partial(self._is_current, job),
                self.units_at_once,
                self.settings.shard,
            )
            self._worlds[job.spec] = run
            run.warnings += built.warnings
            for warning in built.warnings:
                # Now, not only at the end: the parts may take hours.
                self.reporter.report(Remark(warning.headline()))
            return run.begin()
        run.warnings += built.warnings
        self.memory = max(self.memory, built.found.memory)
        if unit.kind == "part":
            try:
                done = self.committer.commit_part(built)
            except ContentMissingError:
                return [replace(job, fresh=True)]
            except StoreError as error:
                self.give_up(job.spec)
                self.committer.fail_stored(built, causes, error)
                return []
            run.done += 1
            run.written += done.written
            run.kept += done.kept
        elif unit.kind == "whole":
            self.give_up(job.spec)
            plan = run.plan
            self.committer.settle_parts(job, lambda x, y: x < plan.columns and y < plan.rows)
            entries = self.store.entries
            parts = parts_by_spec(entries).get(job.spec, ())
            stored = [entries[key] for key in parts if entries[key].outputs]
            # An export with nothing to do tells all of them again.
            warnings = tuple(dict.fromkeys((*built.warnings, *run.warnings)))
            built = replace(
                built,
                warnings=warnings,
                layers=with_floors(built.layers, stored),
                objects=with_objects(built.objects, stored),
            )
            self.committer.commit(built, causes, run)
            return []
        further = run.take(built)
        if run.share_done:
            self.give_up(job.spec)
            self.committer.tell_share(built, causes, run)
        return further

    def _is_current(self, job: Job, column: int, row: int) -> bool:
        """Whether a part of a world is stored as it would be built."""
        entry = self.store.entries.get(part_key(job.spec, column, row))
        if entry is None or entry.key != job.key or job.fresh:
            return False
        kept = self.staleness.kept(entry)
        if kept is None or (kept and self.settings.overwrite):
            return False
        if self.files.changed(entry.inputs):
            return False
        self._worlds[job.spec].kept += kept
        return True

    def tell_vanished(self, one: StaleLevel) -> None:
        """Tell that a spec went away, or changed all the time, while it was exported."""
        problem = Problem(
            "the spec was removed or changed while it was exported (export again)",
            shown(self.root / one.job.spec),
        )
        result = LevelResult(one.level, one.job.spec, "failed", problems=(problem,))
        self.committer.fail(result, "", {})

    def remembered(self, spec: str) -> Entry | None:
        """Return what is remembered of a spec."""
        return self.store.entries.get(spec)

    def tell_trouble(self, message: str) -> None:
        """Tell why an export ends before its end, beside what else is wrong with the project."""
        problem = Problem(message, shown(self.root))
        self._told_problems = (*self._told_problems, problem)
        self.status.overlooked = (*self.status.overlooked, problem)
        self.reporter.report(ProjectProblems(self._told_problems))

    def wait_for_held(self, patience: float) -> None:
        """Try again to store levels whose files another program holds open.

        Args:
            patience: Seconds after which they have failed.
        """
        told: set[str] = set()
        limit = time.monotonic() + patience
        while self.committer.held:
            for message in sorted({str(error) for _, _, error in self.committer.held} - told):
                self.reporter.report(Remark(f"{message}; waiting for it"))
                told.add(message)
            time.sleep(HELD_PAUSE)
            if time.monotonic() >= limit:
                self.committer.patient = False
            held, self.committer.held = self.committer.held, []
            self.committer.commit_all([(built, causes) for built, causes, _ in held])

    def finish(self, *, compact: bool = True) -> None:
        """End a batch: indexes, the manifest in one file, the cache within its bound, the status.

        Raises:
            StoreError: The manifest or an index cannot be written.
        """
        self.unfinished = False
        with self.store:
            written = self.store.write_indexes()
            if written:
                self.reporter.report(Upkeep(written, what="index"))
            self._tell_stale()
            if self.settings.dry_run:
                return
            if compact:
                self.store.save()
            selects = self.settings.selects if self.settings.partial else None
            specs = set(self.files.specs)
            if self.settings.shard is not None:
                # It removes no status either.
                specs |= {spec_of(key) for key in self.store.entries} - {FILE_NAME}
            self.status.write(self.store, sorted(specs), self.committer.kept, selects)
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
        self._wanted = wanted
        self.store.set_homes(wanted.mark.homes)
        entries = self.store.entries
        # Of a target that is no more the index goes with its last file.
        former = {output.home for entry in entries.values() for output in entry.stale}
        self.store.homes = tuple(sorted(former.union(wanted.mark.homes) - {""}))
        unreadable = {spec: entries[spec].level for spec in wanted.unreadable if spec in entries}
        named = {spec: level.name for spec, level in wanted.levels.items()}
        live = {**unreadable, **named, FILE_NAME: ""}
        for key in entries:
            if is_part(key) and spec_of(key) in live:
                live[key] = entries[key].level
        self.store.live = live
        self._note_gone(wanted)
        if self.settings.shard is None:
            self._settle_whole(wanted)
        self.files.keep(self.inputs())
        self._fail_unreadable(wanted)
        self._tell_overlooked(wanted)
        if self.settings.shard is None:
            self._tell_dropped(wanted)

    def _note_gone(self, wanted: Wanted) -> None:
        known = {spec_of(key) for key in self.store.entries}
        self.files.known_gone = known - set(wanted.specs) - {FILE_NAME}

    def _settle_whole(self, wanted: Wanted) -> None:
        """Settle what is in nobody's share: specs that are gone, and plugins."""
        gone = self.gone.look(wanted)
        self.committer.settle_gone(gone, wanted)
        settled = (wanted.mark.sha256, gone.hidden)
        if settled != self._settled:
            first = self._settled is None
            self._settled = settled
            self.unfinished = not first or self._has_stale_files(gone.hidden)
        left = [spec for spec in gone.deleted if spec in self.store.entries]
        self.gone.put_off(left, REMOVAL_PAUSE)
        self._note_gone(wanted)
        entry = self.store.entries.get(FILE_NAME)
        kept = self.staleness.kept(entry) if entry is not None else None
        self.committer.keep_plugins(self.files, wanted, stand=kept is not None)
        if kept is not None and not self.settings.overwrite:
            self._note_kept_plugins(kept)

    def _tell_overlooked(self, wanted: Wanted) -> None:
        """Tell which files were probably meant to be specs, and that there are no specs at all."""
        seen = (wanted.others, bool(wanted.specs))
        if seen == self._others:
            return
        self._others = seen
        patterns = wanted.mark.patterns
        problems = overlooked(self.root, patterns, wanted.others)
        if not wanted.specs:
            problems.append(no_specs(self.root, patterns))
        if tuple(problems) != self._told_problems:
            self._told_problems = tuple(problems)
            self.status.overlooked = tuple(one for one in problems if one.severity == "error")
            self.unfinished = True  # the status is to be written
            self.reporter.report(ProjectProblems(self._told_problems))

    def _has_stale_files(self, hidden: list[str]) -> bool:
        return bool(hidden) or any(entry.stale for entry in self.store.entries.values())

    def _note_kept_plugins(self, kept: tuple[str, ...]) -> None:
        """Tell which files of plugins somebody changed, if they are others than before."""
        if kept != self.committer.kept.get(FILE_NAME, ()):
            self.committer.kept[FILE_NAME] = kept
            if kept:
                self.reporter.report(Upkeep((), kept))

    def _tell_dropped(self, wanted: Wanted) -> None:
        """Tell which targets another exporter.yaml dropped: once, for it is remembered then."""
        if self.store.project in (None, wanted.mark):
            return
        present = {target.name for target in self.files.project().targets}
        files: dict[str, int] = {}
        for entry in self.store.entries.values():
            for output in entry.outputs:
                # Another target may have taken the folder over.
                if output.target not in present and output.home not in wanted.mark.homes:
                    files[output.target] = files.get(output.target, 0) + 1
        for target, count in sorted(files.items()):
            self.reporter.report(DroppedTarget(target, count))

    def _tell_stale(self) -> None:
        """Tell which files nothing writes any more, if they are others than before."""
        wanted = self._wanted
        if wanted is None or self.settings.shard is not None:
            return
        known = {spec for spec, entry in self.store.entries.items() if entry.key}
        listed = not self.settings.levels and known.issuperset(wanted.specs)
        waiting = [spec for spec in self.store.entries if self.gone.waits(spec)]
        live = {*wanted.specs, *waiting}
        parts = [key for key in self.store.entries if is_part(key) and spec_of(key) in live]
        stale = stale_outputs(self.store, [*live, *parts], listed=listed)
        paths = tuple(output.path for output in stale)
        if paths != self._told_stale:
            self._told_stale = paths
            self.reporter.report(Stale(paths))

    def _fail_unreadable(self, wanted: Wanted) -> None:
        for spec, problem in wanted.unreadable.items():
            name = Path(spec).name.split(".")[0]
            if self.settings.selects(name, spec):
                result = LevelResult(name, spec, "failed", problems=(problem,))
                self.committer.fail(result, "", {})

    def _stale(
        self, wanted: Wanted, full: bool, early: bool, only: Collection[str] = ()
    ) -> list[StaleLevel]:
        found = self.staleness.compare(wanted, full=full, only=only)
        if not early:
            for spec in found.recovered:
                self.committer.recover(spec)
            self._note_outputs(found)
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

    def _note_outputs(self, found: Comparison) -> None:
        """Tell which outputs somebody changed, and remember what was only touched."""
        for spec, kept in found.kept.items():
            if kept != self.committer.kept.get(spec, ()):
                self.committer.kept[spec] = kept
                self.reporter.report(Kept(self.store.entries[spec].level, spec, kept))
        if not self.settings.dry_run:
            parts = parts_by_spec(self.store.entries)
            for spec, signatures in found.touched.items():
                for key in (spec, *parts.get(spec, ())) if signatures else ():
                    if any(one.path in signatures for one in self.store.entries[key].outputs):
                        self.store.note_signatures(key, signatures)

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
            self.files.project(),
            spec,
            content,
            level.key,
            self.identity,
            self.settings.force,
            self.settings.dry_run,
        )
        return [StaleLevel(job, level.name, causes)]

    def _is_outdated(self, built: BuiltLevel) -> bool:
        """Whether the spec, or a file it read, is no longer what was built.

        A file with hand edits may have come.
        """
        edits = edits_file(built.job.spec)
        if edits not in built.inputs and (self.root / edits).exists():
            return True
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
        return replace(job, content=content, key=key, unit=None)


def _is_repetition(job: Job, of: Job) -> bool:
    """Whether a job is done once more: units of a world that follow a unit are others."""
    return job.spec == of.spec and (job.unit is None or job.unit is of.unit)


def failed(results: Iterable[LevelResult]) -> bool:
    """Whether any level failed."""
    return any(result.status == "failed" for result in results)
