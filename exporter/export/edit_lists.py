"""List and remove the hand edits of a project's levels.

To find conflicts, a level is built in memory. Only `drop_edits` writes files.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exporter.export.import_edits import write_edits_file
from exporter.export.level_builder import LevelBuilder
from exporter.export.settings import Settings
from exporter.export.tasks import Task, peek_name
from exporter.model.errors import Problem, SpecError
from exporter.model.hand_edits import EditConflict
from exporter.model.input_files import read_input
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_SPEC_BYTES
from exporter.project.project import Project, display_path
from exporter.project.settings_file import load_project
from exporter.reading.edit_text import with_edits_changed
from exporter.reading.edits import CellEdit, LevelEdits, ObjectEdit, parse_edits
from exporter.reading.names import edits_file
from exporter.reading.reader import read_edits
from exporter.store.atomic_files import replace_file
from exporter.store.code_identity import code_identity

BACKUP_SUFFIX = ".bak"


@dataclass(frozen=True, slots=True)
class ListedCell:
    """A hand edit of a cell in `layer`; `conflict` says why it does not fit.

    `conflict` is None if the edit applies to the level as generated now.
    """

    layer: str
    edit: CellEdit
    conflict: EditConflict | None = None

    def report(self) -> dict[str, Any]:
        """Return the edit, and whether it applies, as JSON data."""
        edit = self.edit
        own = {"layer": self.layer, "at": list(edit.at), "was": edit.was, "now": edit.now}
        return {**own, **_state(self.conflict)}


@dataclass(frozen=True, slots=True)
class ListedObject:
    """A hand edit of an object; `conflict` says why it does not fit.

    `conflict` is None if the edit applies to the level as generated now.
    """

    edit: ObjectEdit
    conflict: EditConflict | None = None

    def report(self) -> dict[str, Any]:
        """Return the edit, and whether it applies, as JSON data."""
        edit = self.edit
        own: dict[str, Any] = {"name": edit.name}
        if edit.ordinal is not None:
            own["ordinal"] = edit.ordinal
        for key, cell in (("was", edit.was), ("now", edit.now), ("add", edit.add)):
            if cell is not None:
                own[key] = list(cell)
        if edit.remove:
            own["remove"] = True
        return {**own, **_state(self.conflict)}


@dataclass(frozen=True, slots=True)
class ListedLevel:
    """The hand edits of one level, with their conflicts.

    Attributes:
        level: The level's name.
        spec: The path of the level's spec, relative to the project.
        file: The edits file, relative to the project.
        cells: The edits of cells.
        objects: The edits of objects.
        problems: Why the level cannot be built, or its edits file cannot be read.
        backup: The copy that `drop_edits` made of the edits file before it removed edits; else
            empty.
    """

    level: str
    spec: str
    file: str
    cells: tuple[ListedCell, ...] = ()
    objects: tuple[ListedObject, ...] = ()
    problems: tuple[Problem, ...] = ()
    backup: str = ""

    def report(self) -> dict[str, Any]:
        """Return the level's edits and conflicts as JSON data."""
        return {
            "level": self.level,
            "spec": self.spec,
            "file": self.file,
            "cells": [cell.report() for cell in self.cells],
            "objects": [item.report() for item in self.objects],
        }


@dataclass(frozen=True, slots=True)
class EditChoice:
    """Selects hand edits by level, layer, cell and conflict.

    An edit is selected if it meets all conditions that are set.

    Attributes:
        levels: Globs of names of levels; empty for all.
        layers: Names of layers; empty for all layers and the objects.
        cells: Cells (x, y) of edits; empty for all.
        conflicts: Whether to select only edits that conflict with the level as generated now.
    """

    levels: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    cells: tuple[tuple[int, int], ...] = ()
    conflicts: bool = False

    def has_cell(self, cell: ListedCell) -> bool:
        """Return whether the edit `cell` is selected, whatever its level.

        Its layer, cell and conflict must meet the conditions.
        """
        if self.layers and cell.layer not in self.layers:
            return False
        return (not self.cells or cell.edit.at in self.cells) and self._conflict(cell.conflict)

    def has_object(self, item: ListedObject) -> bool:
        """Return whether the edit `item` is selected, whatever its level.

        Its cell and conflict must meet the conditions. An edit of an object has no layer, so it is
        not selected if layers are given.
        """
        if self.layers:
            return False
        places = {item.edit.was, item.edit.now, item.edit.add}
        return (not self.cells or not places.isdisjoint(self.cells)) and self._conflict(
            item.conflict
        )

    def _conflict(self, conflict: EditConflict | None) -> bool:
        return not self.conflicts or (conflict is not None and conflict.kind == "conflict")


def list_edits(root: Path, levels: tuple[str, ...] = ()) -> list[ListedLevel]:
    """Return the levels of the project `root` that have hand edits.

    `levels` are globs of names of levels; empty for all.

    Raises:
        SpecError: exporter.yaml is wrong.
    """
    project = load_project(root)
    return [_list_edits_of(project, spec) for spec in _specs(project, levels)]


def drop_edits(root: Path, choice: EditChoice, *, dry_run: bool = False) -> list[ListedLevel]:
    """Remove the hand edits that `choice` selects from their files.

    `root` is the project's folder. A copy of each changed edits file is kept beside it, as `.bak`.

    Returns:
        The removed edits, by level; a dry run returns them, but removes none.

    Raises:
        SpecError: exporter.yaml is wrong, or an edits file cannot be changed in place.
        StoreError: A file cannot be written.
    """
    project = load_project(root)
    return [_drop(project, spec, choice, dry_run) for spec in _specs(project, choice.levels)]


def _specs(project: Project, levels: tuple[str, ...]) -> Iterator[str]:
    """Yield paths of specs with hand edits whose level matches a glob.

    `levels` are the globs of names of levels; empty for all.
    """
    selects = Settings(levels).selects
    for spec in project.specs():
        if not (project.root / edits_file(spec)).exists():
            continue
        try:
            content = read_input(project.root / spec, MAXIMUM_SPEC_BYTES)
        except OSError:
            content = b""
        if selects(peek_name(content, spec)):
            yield spec


def _list_edits_of(project: Project, spec: str, *, build: bool = True) -> ListedLevel:
    """Return the hand edits of `spec`.

    Conflicts are found only if `build` is true, because the level must be built for that.
    """
    position = project.root / spec
    content = read_input(position, MAXIMUM_SPEC_BYTES)
    level = ListedLevel(peek_name(content, spec), spec, edits_file(spec))
    try:
        text = read_edits(position)
        edits = parse_edits(text or b"", display_path(project.root / level.file))
    except SpecError as error:
        return ListedLevel(level.level, spec, level.file, problems=error.problems)
    problems: tuple[Problem, ...] = ()
    cells: dict[tuple[str, int], EditConflict] = {}
    objects: dict[int, EditConflict] = {}
    if build:
        builder = LevelBuilder(Task(project, spec, content, "", code_identity(), dry=True))
        problems = builder.run().problems
        if builder.build is not None and not problems:
            conflicts = builder.build.edit_conflicts()
            result = conflicts.layers.items()
            cells = {(name, item.index): item for name, items in result for item in items}
            objects = {item.index: item for item in conflicts.objects}
            cells |= _without_layer(edits, set(builder.build.spec.layers))
    return ListedLevel(
        level.level,
        spec,
        level.file,
        tuple(
            ListedCell(name, edit, cells.get((name, index)))
            for name, layer in edits.layers.items()
            for index, edit in enumerate(layer)
        ),
        tuple(ListedObject(edit, objects.get(i)) for i, edit in enumerate(edits.objects)),
        problems,
    )


def _without_layer(edits: LevelEdits, layers: set[str]) -> dict[tuple[str, int], EditConflict]:
    """Return a conflict for each edit whose layer is not among `layers`.

    The conflicts are by name of the layer, and index of the edit in it.
    """
    return {
        (name, index): EditConflict(index, "gone")
        for name, layer in edits.layers.items()
        if name not in layers
        for index in range(len(layer))
    }


def _drop(project: Project, spec: str, choice: EditChoice, dry_run: bool) -> ListedLevel:
    listed = _list_edits_of(project, spec, build=choice.conflicts)
    if listed.problems:
        return listed
    position = project.root / listed.file
    before = read_edits(project.root / spec)
    dropped_cells = tuple(cell for cell in listed.cells if choice.has_cell(cell))
    dropped_objects = tuple(item for item in listed.objects if choice.has_object(item))
    result = ListedLevel(listed.level, spec, listed.file, dropped_cells, dropped_objects)
    if not (dropped_cells or dropped_objects):
        return result
    layers: dict[str, list[CellEdit]] = {}
    for cell in listed.cells:
        if not choice.has_cell(cell):
            layers.setdefault(cell.layer, []).append(cell.edit)
    objects = [item.edit for item in listed.objects if not choice.has_object(item)]
    text = with_edits_changed(before, display_path(position), layers, objects)
    backup = f"{listed.file}{BACKUP_SUFFIX}"
    if not dry_run:
        replace_file(project.root / backup, before or b"")
        write_edits_file(position, before, text)
    return ListedLevel(
        listed.level, spec, listed.file, dropped_cells, dropped_objects, backup=backup
    )


def _state(conflict: EditConflict | None) -> dict[str, Any]:
    """Return JSON data about whether an edit applies.

    `conflict` says why not; None if it does.
    """
    if conflict is None:
        return {"state": "applied"}
    result = list(conflict.actual) if isinstance(conflict.actual, tuple) else conflict.actual
    if conflict.kind == "conflict":
        return {"state": "conflict", "found": result}
    return {"state": "waiting", "reason": conflict.kind}
