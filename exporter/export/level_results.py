"""What the manifest remembers of a result, and what the report says of a level."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from exporter.export.deleted_specs import folder_number
from exporter.export.events import LevelResult, RecipeChange, State
from exporter.export.tasks import TaskResult
from exporter.model.errors import Problem
from exporter.project.project import shown
from exporter.store.contents import digest_of
from exporter.store.entries import Entry, KeptWarning
from exporter.store.group_commit import Committed
from exporter.store.parts import part_key


def level_entry(result: TaskResult) -> Entry:
    """Return what is remembered of a level, or of a world beside its parts."""
    task = result.task
    root = task.project.root
    return Entry(
        task.spec,
        result.level,
        task.key,
        result.inputs,
        (),
        result.layers,
        tuple(kept_warning(one, root, task.spec) for one in result.warnings),
        digest_of(task.content),
        folder_number((root / task.spec).parent),
        objects=result.objects,
        seed=result.seed,
    )


def part_entry(result: TaskResult) -> Entry:
    """Return what is remembered of a part of a world."""
    task = result.task
    assert task.unit is not None
    return Entry(
        part_key(task.spec, task.unit.column, task.unit.row),
        f"{result.level}.{task.unit.column}_{task.unit.row}",
        task.key,
        result.inputs,
        layers={
            name: {"floor": one["floor"]} for name, one in result.layers.items() if "floor" in one
        },
        digest=digest_of(task.content),
        folder=folder_number((task.project.root / task.spec).parent),
        objects=result.objects,
    )


def level_result(result: TaskResult, status: State, causes: tuple[str, ...]) -> LevelResult:
    """Return the report of a level, as far as its build decides it."""
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


def recipe_changes(former: Entry | None, committed: Committed) -> tuple[RecipeChange, ...]:
    """Find the layers that another version of the same generator made before."""
    if former is None or not committed.written:
        return ()
    changes = []
    for name, layer in committed.entry.layers.items():
        old: Mapping[str, str | int] = former.layers.get(name, {})
        if old.get("generator") == layer["generator"] and old["version"] != layer["version"]:
            versions = int(old["version"]), layer["version"]
            changes.append(RecipeChange(name, layer["generator"], *versions))
    return tuple(changes)


def kept_warning(warning: Problem, root: Path, spec: str) -> KeptWarning:
    """Return a warning as the manifest keeps it: its text and its place."""
    file = ""
    if warning.file is not None and warning.file != shown(root / spec):
        file = Path(os.path.relpath(warning.file, root)).as_posix()
    return warning.message, warning.line, warning.column, file
