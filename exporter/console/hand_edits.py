"""Report edits by hand of levels, as lines of text or as JSON data.

An edit is imported from a painted map, listed, or dropped (removed from the file that records it).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from exporter.console.problems import ProblemPrinter
from exporter.export.edit_lists import ListedCell, ListedLevel, ListedObject
from exporter.export.events import Event, LevelResult, problem_report
from exporter.export.import_edits import ImportedEdits
from exporter.model.hand_edits import EditConflict, edit_value_text
from exporter.model.texts import count

# Reasons why an edit is not applied.
_WAITING = {
    "outside": "waits: outside of the map",
    "unknown": "waits: no tile of the layer",
    "gone": "waits: no such layer or object",
}


def used_lines(used: ImportedEdits, *, dry_run: bool = False) -> Iterator[str]:
    """Yield lines about `used`, the imported edits of one level.

    `dry_run` words them for a dry run, which writes nothing.
    """
    parts = []
    if used.cells:
        parts.append(count(used.cells, "cell"))
    if used.objects:
        parts.append(count(used.objects, "object"))
    if used.accepted:
        parts.append(f"{count(used.accepted, 'conflict')} settled")
    what = ", ".join(parts) or "nothing new"
    where = f" into {used.file}" if used.written else ""
    yield f"{used.level}: {'would take' if dry_run else 'took'} {what}{where}"
    for path, dropped in used.preserved:
        yield f"  {path} stays as it is, because this is no hand edit of a level:"
        yield from (f"    {item}" for item in dropped)


def used_document(used: Sequence[ImportedEdits]) -> dict[str, Any]:
    """Return the results of importing edits, one for each level, as JSON data."""
    return {
        "levels": [
            {
                "level": item.level,
                "spec": item.spec,
                "file": item.file,
                "cells": item.cells,
                "objects": item.objects,
                "accepted": item.accepted,
                "maps": list(item.maps),
                "kept": [
                    {"path": path, "reasons": list(dropped)} for path, dropped in item.preserved
                ],
                "errors": [problem_report(problem) for problem in item.problems],
            }
            for item in used
        ]
    }


def listed_document(levels: Sequence[ListedLevel]) -> dict[str, Any]:
    """Return the hand edits of several levels as JSON data."""
    return {
        "levels": [
            {**level.report(), "errors": [problem_report(problem) for problem in level.problems]}
            for level in levels
        ]
    }


def listed_lines(level: ListedLevel) -> Iterator[str]:
    """Yield lines about all hand edits of a level, with their conflicts."""
    parts = [count(len(level.cells), "cell"), count(len(level.objects), "object")]
    edits = [*(cell.conflict for cell in level.cells), *(item.conflict for item in level.objects)]
    conflicts = sum(edit is not None and edit.kind == "conflict" for edit in edits)
    if conflicts:
        parts.append(count(conflicts, "conflict"))
    yield f"{level.file}: {', '.join(parts)}"
    yield from (f"  {cell_line(cell)}" for cell in level.cells)
    yield from (f"  {object_line(item)}" for item in level.objects)


def dropped_lines(level: ListedLevel, *, dry_run: bool = False) -> Iterator[str]:
    """Yield lines about the dropped edits of a level.

    `level` has only the dropped edits. `dry_run` words the lines for a dry run, which writes
    nothing.
    """
    edits = (*level.cells, *level.objects)
    if not edits:
        return
    remaining = f" (the former file is {level.backup})" if level.backup and not dry_run else ""
    verb = "would drop" if dry_run else "dropped"
    yield f"{level.file}: {verb} {count(len(edits), 'edit')}{remaining}"
    yield from (f"  {cell_line(cell)}" for cell in level.cells)
    yield from (f"  {object_line(item)}" for item in level.objects)


def cell_line(item: ListedCell) -> str:
    """Return a line about the edit of one cell, with its conflict if any."""
    edit = item.edit
    changed = f"{edit_value_text(edit.was)} -> {edit_value_text(edit.now)}"
    return f"{item.layer} {edit_value_text(edit.at)}: {changed}{_trouble(item.conflict)}"


def object_line(item: ListedObject) -> str:
    """Return a line about the edit of one object, with its conflict if any."""
    edit = item.edit
    if edit.add is not None:
        return f"{edit.name}: added at {edit_value_text(edit.add)}{_trouble(item.conflict)}"
    which = f"{edit.name} {edit.ordinal}"
    if edit.remove:
        return f"{which}: removed{_trouble(item.conflict)}"
    change = f"{edit_value_text(edit.was)} -> {edit_value_text(edit.now)}"
    return f"{which}: {change}{_trouble(item.conflict)}"


def _trouble(conflict: EditConflict | None) -> str:
    if conflict is None:
        return ""
    if conflict.kind == "conflict":
        return f" (conflict: the generated level has {edit_value_text(conflict.actual)} now)"
    return f" ({_WAITING[conflict.kind]})"


class FailuresOnly:
    """A reporter that prints why levels failed, and nothing else."""

    def __init__(self) -> None:
        self._printer = ProblemPrinter()

    def report(self, event: Event) -> None:
        """Print the problems of a level's result; ignore other events."""
        if isinstance(event, LevelResult):
            self._printer.print(event.problems)
