"""Export a project in three steps: plan, build, commit.

`exporter export` does this once, `exporter watch` batch by batch, `exporter clean` in a dry run;
all call the same steps in `plan`, `run` and `commit`. A `Farm` builds the levels in this process,
in others or on a cluster; the results return to the same `Run`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from exporter.export.automatic_import import AutomaticImport
from exporter.export.commit import Committer
from exporter.export.engine_rules import EngineRules
from exporter.export.events import (
    Building,
    Event,
    Finished,
    Interrupted,
    LevelResult,
    Progress,
    Refusal,
    Reporter,
)
from exporter.export.failures import Failures
from exporter.export.plan import ExportPlan, ExportPlanner
from exporter.export.run import Farm, Run, run_plan
from exporter.export.settings import Settings
from exporter.export.tasks import Task
from exporter.model.errors import FarmError, SpecError
from exporter.project.project import STATE_FOLDER
from exporter.store.cache import Cache
from exporter.store.store import Store


def export_project(root: Path, settings: Settings, reporter: Reporter) -> list[LevelResult]:
    """Export stale levels, and remove the outputs of deleted specs.

    Args:
        root: The project's folder.
        settings: The options of the export.
        reporter: Receives all events: finished levels, removals, progress and the end.

    Returns:
        A result for every level that the settings select, in the order of their specs' paths.

    Raises:
        SpecError: exporter.yaml is wrong; the reporter has shown it.
        StoreError: The project's state folder cannot be used.
        FarmError: The shared store or the cluster cannot be used; its `is_reported` is whether the
            reporter has shown this.
        KeyboardInterrupt: The user pressed Ctrl+C; results until then were reported.
    """
    collector = _Collector(reporter)
    export = Export(root, settings, collector)
    farm = _open_farm(export.planner, export.committer)
    export.run.tasks_at_once = farm.tasks_at_once
    export.committer.content_elsewhere = farm.content
    export.run.is_patient = settings.patience > 0
    try:
        plan = export.plan(full=True)
    except SpecError as error:
        reporter.report(Refusal(error.problems))
        raise
    export.committer.report_unchanged(plan)
    trouble: FarmError | None = None
    try:
        try:
            with farm:
                _run(export, farm, plan, collector)
                farm.finish()
            for level in plan.levels:
                if level.task.spec not in collector.results:
                    export.committer.fail_vanished(level.level, level.task.spec)
        except FarmError as error:
            # Exported levels stay; the next export continues from there.
            trouble = error
            export.committer.report_trouble(str(error))
        export.committer.finish()
    except KeyboardInterrupt:
        reporter.report(Interrupted(list(collector.results.values()), len(plan.levels)))
        raise
    results = [collector.results[spec] for spec in sorted(collector.results)]
    reporter.report(Finished(results))
    if trouble is not None:
        trouble.is_reported = True
        raise trouble
    return results


def failed(results: Iterable[LevelResult]) -> bool:
    """Return whether any of `results` is a failure."""
    return any(result.status == "failed" for result in results)


class Export:
    """The steps of a project's exports, and what is kept between exports.

    Args:
        root: The project's folder.
        settings: The options of the exports.
        reporter: Receives all events.

    Attributes:
        store: The outputs and their manifest.
        planner: Finds stale levels, and changes that need no build.
        committer: Writes and reports results.
        run: The exports in progress, one for each spec.
        importer: Imports cells painted on exported maps before levels are built.
    """

    def __init__(self, root: Path, settings: Settings, reporter: Reporter) -> None:
        state = root / STATE_FOLDER
        failures = Failures()
        self.store = Store(root, state, EngineRules(), dry=settings.dry_run)
        self.planner = ExportPlanner(root, self.store, failures, settings)
        self.committer = Committer(self.store, Cache(state), failures, settings, reporter)
        self.run = Run(self.planner, self.committer)
        self.importer = AutomaticImport(self.planner, reporter)

    def plan(self, *, full: bool) -> ExportPlan:
        """Make changes that need no build; return the levels to build.

        If `full` is true, the output files are checked, too: a missing one makes its level stale.

        Raises:
            SpecError: exporter.yaml is wrong.
            StoreError: The project's state folder cannot be used.
        """
        planner, committer = self.planner, self.committer
        if self.store.dry:
            self.store.peek()
        with self.store:
            snapshot = planner.read()
            full = full or self.store.indexes_changed()
            changes = planner.changes(snapshot)
            committer.settle(snapshot, changes)
            planner.note_changes(snapshot, changes)
            if full and self.importer.run(snapshot):
                snapshot = planner.read()
            plan = planner.plan(snapshot, full=full).without(self.importer.faults)
            committer.note_plan(plan)
        return plan


def _run(export: Export, farm: Farm, plan: ExportPlan, collector: _Collector) -> None:
    names = {level.task.spec: level.level for level in plan.levels}
    total, before = len(plan.levels), len(collector.results)

    def report_stage(task: Task, stage: str) -> None:
        collector.report(Building(names[task.spec], task.spec, stage))

    def report_progress() -> None:
        collector.report(export.run.progress(len(collector.results) - before, total))

    collector.report(Progress(0, total))
    run_plan(export.run, farm, plan.levels, report_stage, report_progress)
    export.run.wait_for_held(export.planner.settings.patience)


class _Collector:
    """Forwards events to `reporter`; keeps the last result of each level.

    `results`: the last `LevelResult` of each spec, by the spec's path.
    """

    def __init__(self, reporter: Reporter) -> None:
        self.reporter = reporter
        self.results: dict[str, LevelResult] = {}

    def report(self, event: Event) -> None:
        if isinstance(event, LevelResult):
            self.results[event.spec] = event
        self.reporter.report(event)


def _open_farm(planner: ExportPlanner, committer: Committer) -> Farm:
    """Return the farm that builds the levels, as the settings choose.

    It builds them in processes of this machine. With a shared store, it reads finished levels from
    there first; with a cluster, workers build the missing ones.

    Raises:
        FarmError: The shared store or the cluster cannot be used.
    """
    settings = planner.settings
    if settings.store is None:
        return Farm(settings)
    # Imported here: an export without stale levels need not import targets.
    from exporter.export.shared_levels import StoreFarm

    builder = None
    if settings.cluster is not None:
        from exporter.export.cluster_builder import ClusterBuilder

        builder = partial(ClusterBuilder, remembered=lambda spec: planner.store.entries.get(spec))
    return StoreFarm(
        settings, planner.root, planner.files, committer.cache, committer.reporter, builder
    )
