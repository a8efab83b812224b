"""What `exporter check` says of projects and specs: all that an export would, without writing.

A spec is read, and built in memory: only so is it known whether objects find their places, layers
are complete and requirements are kept. What an earlier export keeps of a level is used, not added
to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from exporter.model.errors import Problem, SpecError
from exporter.project.overlooked import no_specs, overlooked
from exporter.project.project import FILE_NAME, STATE_FOLDER, find_project, shown
from exporter.project.settings_file import load_project
from exporter.project.spec_files import look_for_specs
from exporter.store.cache import Cache
from exporter.store.code_identity import code_identity


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in one file.

    Attributes:
        file: The file.
        level: Its level's name; empty for exporter.yaml.
        problems: Why it cannot be exported.
        warnings: What of it cannot be made as asked.
    """

    file: str
    level: str
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()


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


def check_spec(path: Path, max_seconds: float = inf, root: Path | None = None) -> Checked:
    """Check one level spec, and build it in memory.

    Args:
        path: The spec.
        max_seconds: Seconds that building it may take, by estimate.
        root: The project's folder; default: that of the project around it, if there is one.
    """
    from exporter.pipeline.build import Build
    from exporter.pipeline.costs import check_costs
    from exporter.reading.names import default_name
    from exporter.reading.reader import load_level

    name = default_name(path.name)
    try:
        spec = load_level(path)
        name = spec.level
        costs = check_costs(spec, max_seconds)
        if root is None:
            root = _project_around(path)
        cache = Cache(root / STATE_FOLDER) if root is not None else None
        build = Build(spec, root, cache, code_identity())
        build.prepare()
    except SpecError as error:
        problems = tuple(replace(problem, file=shown(path)) for problem in error.problems)
        return Checked(shown(path), name, problems)
    found = (*costs, *build.shortfalls())
    warnings = tuple(replace(one, file=shown(path)) for one in found)
    return Checked(shown(path), name, (), warnings)


def _project_around(path: Path) -> Path | None:
    try:
        return find_project(path.parent)
    except SpecError:
        return None


def _check_project(root: Path, max_seconds: float) -> list[Checked]:
    try:
        project = load_project(root)
    except SpecError as error:
        file = error.problems[0].file
        return [Checked(file, "", error.problems)]
    found = look_for_specs(project.root, project.patterns)
    checked = _twins([check_spec(root / spec, max_seconds, project.root) for spec in found.specs])
    for warning in overlooked(project.root, project.patterns, found.others):
        checked.append(Checked(warning.file, "", (), (warning,)))
    if not found.specs:
        problem = no_specs(project.root, project.patterns)
        checked.append(Checked(problem.file, "", (problem,)))
    return checked


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
        result.append(replace(one, problems=one.problems + extra))
    return result
