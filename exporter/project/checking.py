"""Validation without building: what `exporter check` says of projects and specs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

from exporter.model.errors import Problem, SpecError
from exporter.project.project import FILE_NAME, shown
from exporter.project.settings_file import load_project
from exporter.project.spec_files import find_specs


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in one file: its level's name (empty for exporter.yaml) and its problems.

    A problem may be a warning, which is told and fails nothing.
    """

    file: str
    level: str
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that are no warnings."""
        return tuple(one for one in self.problems if one.severity == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """The other problems."""
        return tuple(one for one in self.problems if one.severity == "warning")


def check_paths(paths: Sequence[Path], max_seconds: float = inf) -> list[Checked]:
    """Check projects (folders, or their exporter.yaml) and lone specs (files).

    Args:
        paths: What to check.
        max_seconds: Seconds that building a level may take, by estimate.
    """
    checked: list[Checked] = []
    for path in paths:
        if path.is_dir() or path.name == FILE_NAME:
            checked += _check_project(path if path.is_dir() else path.parent, max_seconds)
        else:
            checked.append(check_spec(path, max_seconds))
    return checked


def check_spec(path: Path, max_seconds: float) -> Checked:
    """Check one level spec, and estimate what it costs; a long build is a warning."""
    from exporter.pipeline.costs import check_costs
    from exporter.reading.names import default_name
    from exporter.reading.reader import load_level

    try:
        spec = load_level(path)
        return Checked(shown(path), spec.level, tuple(check_costs(spec, max_seconds)))
    except SpecError as error:
        return Checked(shown(path), default_name(path.name), error.problems)


def _check_project(root: Path, max_seconds: float) -> list[Checked]:
    try:
        project = load_project(root)
    except SpecError as error:
        file = error.problems[0].file
        return [Checked(file, "", error.problems)]
    specs = find_specs(project.root, project.patterns)
    checked = [check_spec(root / spec, max_seconds) for spec in specs]
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
