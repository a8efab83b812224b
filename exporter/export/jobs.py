"""Divide the export of each stale spec into tasks, and order them.

A job exports one spec. A level takes one task. A world takes many: first its layout; then surveys,
which collect facts about whole layers, in rounds; then what all chunks share; the chunks; and last
the files of the whole world. A job decides which files of a result are written and which tasks
follow; `run` writes the files and starts the tasks.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from exporter.export.commit import Commit, outputs_of
from exporter.export.events import LevelResult, RecipeChange, State
from exporter.export.plan import ExportPlanner, StaleLevel
from exporter.export.removals import folder_number
from exporter.export.shards import Shard
from exporter.export.tasks import Grounds, Task, TaskResult, WorldLayout, WorldUnit
from exporter.export.world_reports import with_floors, with_objects
from exporter.model.errors import Problem
from exporter.model.lazy_dataclass import dataclass
from exporter.model.windows import Window
from exporter.project.project import display_path
from exporter.store.contents import digest_of
from exporter.store.entries import ManifestEntry, StoredWarning, part_key, position_of
from exporter.store.group_commit import Committed

if TYPE_CHECKING:
    from exporter.build.world_surveys import Surveyed
    from exporter.model.errors import Problem


@dataclass(frozen=True, slots=True)
class JobStep:
    """What follows in a job after one of its tasks.

    Attributes:
        tasks: The next tasks of the job; may be empty while others run.
        report: The result to report if the job is done; otherwise None.
        remarks: Warnings to report at once.
    """

    tasks: tuple[Task, ...] = ()
    report: LevelResult | None = None
    remarks: tuple[Problem, ...] = ()


class Job(Protocol):
    """The export of one stale spec, as a sequence of tasks."""

    stale: StaleLevel

    def begin(self) -> tuple[Task, ...]:
        """Return the first tasks of the job."""

    def is_last(self, result: TaskResult) -> bool:
        """Return whether `result` is that of the job's last task."""

    def commit(self, result: TaskResult) -> Commit | None:
        """Return the files in `result` to write; None if it has none."""

    def take(
        self, result: TaskResult, committed: Committed, previous: ManifestEntry | None
    ) -> JobStep:
        """Record that a task is done and stored; return what follows in the job.

        Args:
            result: The result of the task.
            committed: The files that were written; empty for a result without files.
            previous: The manifest entry of the spec before; None if there was none.
        """

    def progress(self) -> tuple[int, int, int, int]:
        """Return how much of a world is done: four numbers, all 0 for a level.

        These are the finished chunks, all chunks to build, the surveyed rows of chunks (whose facts
        are collected), and all rows to survey.
        """


class LevelJob:
    """The export of a level, which is a single task."""

    def __init__(self, stale: StaleLevel) -> None:
        self.stale = stale

    def begin(self) -> tuple[Task, ...]:
        """Return the only task."""
        return (self.stale.task,)

    def is_last(self, result: TaskResult) -> bool:
        """Return True, as there is only one task."""
        return True

    def commit(self, result: TaskResult) -> Commit:
        """Return the files of the level."""
        return Commit(result, level_entry(result))

    def take(
        self, result: TaskResult, committed: Committed, previous: ManifestEntry | None
    ) -> JobStep:
        """Return the end of the job, with the result to report."""
        report = replace(
            level_result(result, "built", self.stale.causes),
            outputs=committed.entry.outputs,
            written=committed.written,
            preserved=committed.preserved,
            moved=committed.moved,
            recipes=recipe_changes(previous, committed),
        )
        return JobStep(report=report)

    def progress(self) -> tuple[int, int, int, int]:
        """Return four zeros, since a level has no chunks."""
        return 0, 0, 0, 0


@dataclass(slots=True)
class WorldJob:
    """The export of a world: tasks for its layout, surveys, chunks and whole.

    Just enough tasks run to keep all processes busy. Chunks that are stored already stay: an export
    after an interruption builds only the missing ones.

    Attributes:
        stale: The world to export.
        planner: Knows which chunks are stored already.
        at_once: How many tasks run at the same time.
        shard: The share of the chunks to build; files of the whole world are not made then. None
            for all chunks.
        layout: How the world is divided into chunks; None until its first task is done.
        count: How many chunks were missing at the beginning.
        done: How many of these chunks are stored by now.
        to_survey: How many rows of chunks the current survey collects facts from; 0 without a
            survey.
        surveyed: How many of these rows are done.
        written: The paths of files that were written.
        preserved: The paths of user-modified outputs, which stay.
        warnings: Warnings of targets, in order.
        seconds: The sum of the times of all tasks.
    """

    stale: StaleLevel
    planner: ExportPlanner
    at_once: int
    shard: Shard | None = None
    layout: WorldLayout | None = None
    count: int = 0
    done: int = 0
    to_survey: int = 0
    surveyed: int = 0
    written: list[str] = field(default_factory=list)
    preserved: list[str] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    seconds: float = 0.0
    _known: Surveyed = field(default_factory=dict)
    _surveyed: Surveyed = field(default_factory=dict)
    _grounds: Grounds = field(default_factory=dict)
    _round: int = 0
    _waiting: deque[WorldUnit] = field(default_factory=deque)
    _out: int = 0

    def begin(self) -> tuple[Task, ...]:
        """Return the task that plans the world: its chunks and surveys."""
        return (self.stale.task,)

    def is_last(self, result: TaskResult) -> bool:
        """Return whether `result` is that of the job's last task.

        It has the files of the world as a whole.
        """
        unit = result.task.unit
        return unit is not None and unit.kind == "whole"

    def commit(self, result: TaskResult) -> Commit | None:
        """Return the files of a chunk or of the world as a whole.

        None for other results, which have no files.
        """
        unit = result.task.unit
        if unit is not None and unit.kind == "part":
            return Commit(result, part_entry(result))
        return self._whole_commit(result) if self.is_last(result) else None

    def take(
        self, result: TaskResult, committed: Committed, previous: ManifestEntry | None
    ) -> JobStep:
        """Take note of a task's result; return the next tasks, or the end."""
        unit = result.task.unit
        self.seconds += result.seconds
        if unit is not None and unit.kind == "whole":
            self.written += committed.written
            self.preserved[:0] = committed.preserved
            report = replace(
                self._report(result, "built"),
                outputs=(
                    *committed.entry.outputs,
                    *outputs_of(self._part_entries()),
                ),
                moved=committed.moved,
                recipes=recipe_changes(previous, committed),
            )
            return JobStep(report=report)
        self.warnings += result.warnings
        if unit is None:
            assert result.findings is not None
            self.layout = result.findings.layout
            # Report warnings at once: the chunks may take hours.
            return JobStep(self._next_stage(), remarks=result.warnings)
        self._out -= 1
        if unit.kind == "part":
            self.done += 1
            self.written += committed.written
            self.preserved += committed.preserved
        tasks = self._tasks_after(result, unit)
        if tasks or self._out:
            return JobStep(tasks)
        # All chunks of the shard are stored, but the world is not complete.
        report = self._report(replace(result, warnings=()), "built" if self.count else "unchanged")
        return JobStep(report=replace(report, layers={}))

    def progress(self) -> tuple[int, int, int, int]:
        """Return finished chunks, all chunks, surveyed rows, and rows to survey.

        Rows are rows of chunks whose facts are collected before chunks are built.
        """
        return self.done, self.count, self.surveyed, self.to_survey

    # --- inside -------------------------------------------------------------------------------

    def _whole_commit(self, result: TaskResult) -> Commit:
        """Return the files of the whole world, with the sums over its chunks.

        The entries of chunks that the world no longer has are dropped.
        """
        assert self.layout is not None
        layout = self.layout
        parts: list[ManifestEntry] = []
        dropped: list[ManifestEntry] = []
        for entry in self._part_entries():
            column, row = position_of(entry.spec)
            is_requested = column < layout.columns and row < layout.rows
            if entry.outputs:
                (parts if is_requested else dropped).append(entry)
        # Stored, since an export without stale levels reports all warnings again.
        warnings = tuple(dict.fromkeys((*result.warnings, *self.warnings)))
        layers, objects = with_floors(result.layers, parts), with_objects(result.objects, parts)
        result = replace(result, warnings=warnings, layers=layers, objects=objects)
        return Commit(result, level_entry(result), tuple(dropped))

    def _report(self, result: TaskResult, status: State) -> LevelResult:
        """Return the result to report for the world, or for a shard of its chunks."""
        return replace(
            level_result(result, status, self.stale.causes),
            seconds=self.seconds,
            outputs=outputs_of(self._part_entries()),
            written=tuple(self.written),
            preserved=tuple(self.preserved),
            warnings=tuple(dict.fromkeys((*result.warnings, *self.warnings))),
        )

    def _part_entries(self) -> list[ManifestEntry]:
        return self.planner.part_entries(self.stale.task.spec)

    def _tasks_after(self, result: TaskResult, unit: WorldUnit) -> tuple[Task, ...]:
        """Return the tasks that can start after the one for `unit` has finished.

        Results of surveys are joined; their order makes no difference.
        """
        from exporter.build.world_surveys import joined_surveys

        assert result.findings is not None
        if unit.kind == "survey":
            self._surveyed = joined_surveys(self._surveyed, result.findings.surveyed)
            self.surveyed += 1
        elif unit.kind == "common":
            self._grounds = result.findings.grounds
        if self._waiting or self._out:
            return self._given()
        if unit.kind == "survey":
            settle = WorldUnit(
                "settle", survey=unit.survey, known=self._known, findings=self._surveyed
            )
            self._waiting.append(settle)
            self._surveyed = {}
            return self._given()
        if unit.kind == "settle":
            self._known = {**self._known, **result.findings.surveyed}
            if result.findings.unsettled:
                self._begin_survey(result.findings.unsettled)
                return self._given()
            self._round += 1
        return self._next_stage(unit)

    def _next_stage(self, last: WorldUnit | None = None) -> tuple[Task, ...]:
        """Return the first tasks of the stage that follows the unit `last`.

        `last` is None at the beginning. The result is empty if no stage follows.
        """
        assert self.layout is not None
        if self._round < len(self.layout.surveys):
            self._begin_survey(self.layout.surveys[self._round])
        elif last is None or last.kind == "settle":
            self.surveyed = self.to_survey = 0
            self._waiting.append(WorldUnit("common", known=self._known))
        elif last.kind == "common":
            self._waiting.extend(self._missing_parts(self.layout))
            self.count = len(self._waiting)
        if not self._waiting and self.shard is None:
            middle = self.layout.columns // 2, self.layout.rows // 2
            unit = WorldUnit("whole", *middle, known=self._known, grounds=self._grounds)
            self._waiting.append(unit)
        return self._given()

    def _begin_survey(self, names: tuple[str, ...]) -> None:
        """Plan a task for each row of chunks, which runs the surveys `names`.

        Shards that run at the same time begin at different rows, so that each finds the rows of the
        others in the shared store.
        """
        assert self.layout is not None
        rows = self.layout.rows
        first = 0 if self.shard is None else rows * (self.shard.number - 1) // self.shard.count
        for row in (*range(first, rows), *range(first)):
            known = self._surveys_within(self.layout.row_window(row))
            self._waiting.append(WorldUnit("survey", row=row, survey=names, known=known))
        self.surveyed, self.to_survey = 0, rows

    def _missing_parts(self, layout: WorldLayout) -> Iterable[WorldUnit]:
        for row in range(layout.rows):
            for column in range(layout.columns):
                key = part_key(self.stale.task.spec, column, row)
                if self.shard is not None and not self.shard.has(key):
                    continue
                remaining = self.planner.retained_of_part(self.stale.task, column, row)
                if remaining is None:
                    known = self._surveys_within(layout.window(column, row))
                    yield WorldUnit("part", column, row, known=known, grounds=self._grounds)
                else:
                    self.preserved += remaining

    def _surveys_within(self, window: Window) -> Surveyed:
        """Return the survey results that affect `window`, so tasks stay small."""
        from exporter.build.world_surveys import narrowed_surveys

        assert self.layout is not None
        return narrowed_surveys(self._known, window, self.layout.reach, self.layout.chunk)

    def _given(self) -> tuple[Task, ...]:
        tasks = []
        while self._waiting and self._out < self.at_once:
            tasks.append(replace(self.stale.task, unit=self._waiting.popleft()))
            self._out += 1
        return tuple(tasks)


def level_entry(result: TaskResult) -> ManifestEntry:
    """Return the manifest entry of a level, or of a world without its chunks.

    `result` is the result of the last task of its job.
    """
    task = result.task
    root = task.project.root
    return ManifestEntry(
        task.spec,
        result.level,
        task.key,
        result.inputs,
        (),
        result.layers,
        tuple(stored_warning(warning, root, task.spec) for warning in result.warnings),
        digest_of(task.content),
        folder_number((root / task.spec).parent),
        objects=result.objects,
        seed=result.seed,
    )


def part_entry(result: TaskResult) -> ManifestEntry:
    """Return the manifest entry of a chunk from the `result` of its task."""
    task = result.task
    assert task.unit is not None
    return ManifestEntry(
        part_key(task.spec, task.unit.column, task.unit.row),
        f"{result.level}.{task.unit.column}_{task.unit.row}",
        task.key,
        result.inputs,
        layers={
            name: {"floor": item["floor"]}
            for name, item in result.layers.items()
            if "floor" in item
        },
        digest=digest_of(task.content),
        folder=folder_number((task.project.root / task.spec).parent),
        objects=result.objects,
    )


def level_result(result: TaskResult, status: State, causes: tuple[str, ...]) -> LevelResult:
    """Return the result to report about a level.

    `result` is the result of the last task, `status` is `built` or `failed`, and `causes` are the
    paths whose change made the level stale.
    """
    return LevelResult(
        result.level,
        result.task.spec,
        status,
        result.seconds,
        problems=result.problems,
        warnings=result.warnings,
        objects=result.objects,
        layers=result.layers,
        traceback=result.traceback,
        causes=causes,
        timings=result.timings,
        seed=result.seed,
    )


def recipe_changes(
    previous: ManifestEntry | None, committed: Committed
) -> tuple[RecipeChange, ...]:
    """Return the layers whose generator had another version before.

    Such a level may look different. `previous` is the manifest entry before, if any; `committed`
    has the new one.
    """
    if previous is None or not committed.written:
        return ()
    changes = []
    for name, layer in committed.entry.layers.items():
        old: Mapping[str, str | int] = previous.layers.get(name, {})
        if old.get("generator") == layer["generator"] and old["version"] != layer["version"]:
            versions = int(old["version"]), layer["version"]
            changes.append(RecipeChange(name, layer["generator"], *versions))
    return tuple(changes)


def stored_warning(warning: Problem, root: Path, spec: str) -> StoredWarning:
    """Return `warning` as the manifest stores it: text, line, column, file.

    The file is relative to the project's folder `root`; empty for the spec at path `spec`.
    """
    file = ""
    if warning.file is not None and warning.file != display_path(root / spec):
        file = Path(os.path.relpath(warning.file, root)).as_posix()
    return warning.message, warning.line, warning.column, file
