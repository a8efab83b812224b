"""Validation without building: what `exporter check` says of projects and specs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from exporter.model.errors import Problem, SpecError
from exporter.project.project import FILE_NAME, shown
from exporter.project.settings_file import load_project
from exporter.project.spec_files import find_specs


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in one file: its level's name (empty for exporter.yaml) and its problems."""

    file: str
    level: str
    problems: tuple[Problem, ...]


def check_paths(paths: Sequence[Path]) -> list[Checked]:
    """Check projects (folders, or their exporter.yaml) and lone specs (files)."""
    checked: list[Checked] = []
    for path in paths:
        if path.is_dir() or path.name == FILE_NAME:
            checked += _check_project(path if path.is_dir() else path.parent)
        else:
            checked.append(check_spec(path))
    return checked


def check_spec(path: Path) -> Checked:
    """Check one level spec."""
    from exporter.reading.names import default_name
    from exporter.reading.reader import load_level

    try:
        return Checked(shown(path), load_level(path).level, ())
    except SpecError as error:
        return Checked(shown(path), default_name(path.name), error.problems)


def _check_project(root: Path) -> list[Checked]:
    try:
        project = load_project(root)
    except SpecError as error:
        file = error.problems[0].file
        return [Checked(file, "", error.problems)]
    checked = [check_spec(root / spec) for spec in find_specs(project.root, project.patterns)]
    return _twins(checked)


def _twins(checked: list[Checked]) -> list[Checked]:
    """Add a problem to every level whose name another file has too."""
    files: dict[str, list[str]] = {}
    for one in checked:
        files.setdefault(one.level.casefold(), []).append(one.file)
    result = []
    for one in checked:
        twins = [file for file in files[one.level.casefold()] if file != one.file]
        extra: tuple[Problem, ...] = ()
        if twins:
            message = f"the level is called {one.level!r}, as in {', '.join(twins)}"
            extra = (Problem(message, one.file),)
        result.append(Checked(one.file, one.level, one.problems + extra))
    return result
