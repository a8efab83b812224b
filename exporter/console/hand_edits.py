"""Report hand edits: lines for people, documents for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from exporter.console.problems import ProblemPrinter
from exporter.console.wording import count
from exporter.export.edit_lists import ListedCell, ListedLevel, ListedObject
from exporter.export.events import Event, LevelResult, problem_report
from exporter.export.import_edits import ImportedEdits
from exporter.model.hand_edits import Misfit, edit_value_text

# Reasons why an edit is not applied.
_WAITING = {
    "outside": "waits: outside of the map",
    "unknown": "waits: no tile of the layer",
    "gone": "waits: no such layer or object",
}


def taken_lines(taken: ImportedEdits, *, dry_run: bool = False) -> Iterator[str]:
    """Yield lines about the imported edits of one level."""
    parts = []
    if taken.cells:
        parts.append(count(taken.cells, "cell"))
    if taken.objects:
        parts.append(count(taken.objects, "object"))
    if taken.accepted:
        parts.append(f"{count(taken.accepted, 'conflict')} settled")
    what = ", ".join(parts) or "nothing new"
    where = f" into {taken.file}" if taken.written else ""
    yield f"{taken.level}: {'would take' if dry_run else 'took'} {what}{where}"
    for path, lost in taken.kept:
        yield f"  {path} stays as it is, because this is no hand edit of a level:"
        yield from (f"    {one}" for one in lost)


def taken_document(taken: Sequence[ImportedEdits]) -> dict[str, Any]:
    """Return the imported edits as a report for programs."""
    return {
        "levels": [
            {
                "level": one.level,
                "spec": one.spec,
                "file": one.file,
                "cells": one.cells,
                "objects": one.objects,
                "accepted": one.accepted,
                "maps": list(one.maps),
                "kept": [{"path": path, "reasons": list(lost)} for path, lost in one.kept],
                "errors": [problem_report(problem) for problem in one.problems],
            }
            for one in taken
        ]
    }


def listed_document(levels: Sequence[ListedLevel]) -> dict[str, Any]:
    """Return hand edits as a report for programs."""
    return {
        "levels": [
            {**one.report(), "errors": [problem_report(problem) for problem in one.problems]}
            for one in levels
        ]
    }


def listed_lines(level: ListedLevel) -> Iterator[str]:
    """Yield lines about the hand edits of one level."""
    parts = [count(len(level.cells), "cell"), count(len(level.objects), "object")]
    misfits = [*(one.misfit for one in level.cells), *(one.misfit for one in level.objects)]
    conflicts = sum(map(_is_conflict, misfits))
    if conflicts:
        parts.append(count(conflicts, "conflict"))
    yield f"{level.file}: {', '.join(parts)}"
    yield from (f"  {cell_line(one)}" for one in level.cells)
    yield from (f"  {object_line(one)}" for one in level.objects)


def dropped_lines(level: ListedLevel, *, dry_run: bool = False) -> Iterator[str]:
    """Yield lines about the dropped edits of one level."""
    edits = (*level.cells, *level.objects)
    if not edits:
        return
    kept = f" (the former file is {level.backup})" if level.backup and not dry_run else ""
    verb = "would drop" if dry_run else "dropped"
    yield f"{level.file}: {verb} {count(len(edits), 'edit')}{kept}"
    yield from (f"  {cell_line(one)}" for one in level.cells)
    yield from (f"  {object_line(one)}" for one in level.objects)


def cell_line(one: ListedCell) -> str:
    """Return an edit of a cell in one line."""
    edit = one.edit
    changed = f"{edit_value_text(edit.was)} -> {edit_value_text(edit.now)}"
    return f"{one.layer} {edit_value_text(edit.at)}: {changed}{_trouble(one.misfit)}"


def object_line(one: ListedObject) -> str:
    """Return an edit of an object in one line."""
    edit = one.edit
    if edit.add is not None:
        return f"{edit.name}: added at {edit_value_text(edit.add)}{_trouble(one.misfit)}"
    which = f"{edit.name} {edit.ordinal}"
    if edit.remove:
        return f"{which}: removed{_trouble(one.misfit)}"
    return (
        f"{which}: {edit_value_text(edit.was)} -> {edit_value_text(edit.now)}{_trouble(one.misfit)}"
    )


def _is_conflict(misfit: Misfit | None) -> bool:
    return misfit is not None and misfit.kind == "conflict"


def _trouble(misfit: Misfit | None) -> str:
    if misfit is None:
        return ""
    if misfit.kind == "conflict":
        return f" (conflict: the generated level has {edit_value_text(misfit.found)} now)"
    return f" ({_WAITING[misfit.kind]})"


class FailuresOnly:
    """A reporter of exports that prints only why levels failed."""

    def __init__(self) -> None:
        self._printer = ProblemPrinter()

    def report(self, event: Event) -> None:
        """Print the problems of a level."""
        if isinstance(event, LevelResult):
            self._printer.tell(event.problems)
