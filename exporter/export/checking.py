"""Check projects and specs (`exporter check`) without writing anything.

Problems visible in the spec alone are reported first, all at once. Only a spec without such
problems is built, in memory and for every target of its project; this shows whether objects find
room, layers are complete, requirements are met and targets accept the level. The cache is read, not
written.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.export.level_builder import LevelBuilder
from exporter.export.tasks import Task, peek_name
from exporter.model.errors import Problem, SpecError
from exporter.model.input_files import read_input
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_SPEC_BYTES
from exporter.project.project import FILE_NAME, Project, display_path, find_project
from exporter.project.settings_file import load_project
from exporter.project.spec_files import MISNAMED, look_for_specs
from exporter.project.unmatched_files import no_specs, warn_of_unmatched_files
from exporter.reading.names import default_name
from exporter.store.code_identity import code_identity

if TYPE_CHECKING:
    from exporter.explore.proofs import Proof
    from exporter.reading.level_spec import LevelSpec


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking one level spec or one exporter.yaml.

    Attributes:
        file: The checked file.
        level: The level's name; empty for exporter.yaml.
        problems: Why the file cannot be exported; empty if it can.
        warnings: Requests of the spec that cannot be fulfilled.
        traceback: The traceback of a bug in the exporter, if there was one.
        proof: How many of the tested seeds meet the requirements; None if none were tested.
        objects: For each name of objects, how many were requested and how many placed; only for a
            level of a project.
    """

    file: str
    level: str
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()
    traceback: str = ""
    proof: Proof | None = None
    objects: Mapping[str, dict[str, int]] = field(default_factory=dict)


def proved(checked: Sequence[Checked], jobs: int | None = None) -> list[Checked]:
    """Test the seeds of each spec in `checked` whose `require` has `seeds`.

    Specs with problems are not tested. `jobs` is the number of processes; None chooses.

    Returns:
        `checked` with the results of the tests. A spec has one more problem if too few of its seeds
        give a level that meets the requirements.
    """
    return [_prove(item, jobs) if item.level and not item.problems else item for item in checked]


def _prove(checked: Checked, jobs: int | None) -> Checked:
    from exporter.explore.proofs import SeedProver, broken_demand
    from exporter.reading.reader import load_level

    path = Path(checked.file)
    spec = load_level(path)
    demand = spec.require.seeds if spec.require is not None else None
    if demand is None:
        return checked
    project = _project_around(path)
    proof = SeedProver(spec, demand.of, project.root if project is not None else None).run(jobs)
    broken = broken_demand(spec, proof)
    problems = checked.problems if broken is None else (*checked.problems, broken)
    return replace(checked, problems=problems, proof=proof)


def check_paths(paths: Sequence[Path], max_seconds: float = inf) -> list[Checked]:
    """Check what is at `paths`: folders of projects, exporter.yaml, or specs.

    A level whose build is estimated to take more than `max_seconds` gets a problem.
    """
    checked: list[Checked] = []
    for path in paths:
        if path.is_dir() or path.name == FILE_NAME:
            checked += _check_project(path if path.is_dir() else path.parent, max_seconds)
        else:
            checked.append(check_spec(path, max_seconds))
    return checked


def check_spec(
    path: Path,
    max_seconds: float = inf,
    project: Project | None = None,
    content: bytes | None = None,
) -> Checked:
    """Check the level spec at `path`, and build its level in memory.

    Args:
        path: The spec's file.
        max_seconds: A level whose build is estimated to take longer gets a problem.
        project: The project whose targets the level is built for; by default the one around the
            spec, if any.
        content: The text of the spec; None to read it from the file.
    """
    from exporter.build.files import InputFiles
    from exporter.build.missing_files import file_problems
    from exporter.reading.reader import read_as_far_as_good, read_edits, with_edits

    file = display_path(path)
    try:
        content = read_input(path, MAXIMUM_SPEC_BYTES) if content is None else content
    except OSError as error:
        problem = Problem(f"cannot be read ({error.strerror or error})", file)
        return Checked(file, default_name(path.name), (problem,))
    project = project or _project_around(path)
    readable = read_as_far_as_good(content, file, path.parent)
    problems = list(readable.problems)
    spec_read = readable.spec
    if spec_read is not None:
        try:
            spec_read = with_edits(spec_read, read_edits(path))
        except SpecError as error:
            problems += error.problems
        root = project.root if project is not None else path.parent
        problems += file_problems(spec_read, InputFiles(root, path.parent))
        problems.sort(key=lambda problem: (problem.file != file, problem.line, problem.column))
    if problems or spec_read is None:
        return Checked(file, peek_name(content, path.name), tuple(problems))
    if project is None:
        return _built_alone(spec_read, file, max_seconds)
    spec = os.path.relpath(path.parent.resolve() / path.name, project.root).replace(os.sep, "/")
    # Before the first export there is no manifest.
    identity = code_identity() if project.state.exists() else ""
    task = Task(project, spec, content, "", identity, dry=True)
    built = LevelBuilder(task, max_seconds).run()
    return Checked(
        file, built.level, built.problems, built.warnings, built.traceback, objects=built.objects
    )


def _built_alone(spec: LevelSpec, file: str, max_seconds: float) -> Checked:
    """Check `spec` without a project: build the level, or a world's one chunk."""
    if spec.chunk is not None:
        return _planned_alone(spec, file)
    from exporter.build.build import Build
    from exporter.build.costs import check_costs
    from exporter.build.requirements import check_blob

    try:
        costs = check_costs(spec, max_seconds)
        build = Build(spec)
        level, _ = build.level()
        check_blob(spec, level)
        if spec.pack is not None:
            from exporter.packs.plan import plan_of_spec

            plan_of_spec(spec, None)
    except SpecError as error:
        return Checked(file, spec.level, error.problems)
    return Checked(file, spec.level, (), (*costs, *build.shortfalls()))


def _planned_alone(spec: LevelSpec, file: str) -> Checked:
    from exporter.build.world import World
    from exporter.export.world_units import plan_world

    try:
        plan_world(World(spec))
    except SpecError as error:
        return Checked(file, spec.level, error.problems)
    return Checked(file, spec.level, ())


def _project_around(path: Path) -> Project | None:
    """Return the project around the spec at `path`; None if none is usable."""
    try:
        return load_project(find_project(path.parent))
    except SpecError:
        return None


def _check_project(root: Path, max_seconds: float) -> list[Checked]:
    try:
        project = load_project(root)
    except SpecError as error:
        file = error.problems[0].file
        return [Checked(file, "", error.problems)]
    result = look_for_specs(project.root, project.patterns)
    checked = _twins([check_spec(root / spec, max_seconds, project) for spec in result.specs])
    for spec in result.misnamed:
        file = display_path(root / spec)
        checked.append(Checked(file, default_name(spec), (Problem(MISNAMED, file),)))
    for warning in warn_of_unmatched_files(project.root, project.patterns, result.others):
        checked.append(Checked(warning.file, "", (), (warning,)))
    if not (result.specs or result.misnamed):
        problem = no_specs(project.root, project.patterns)
        checked.append(Checked(problem.file, "", (problem,)))
    return checked


def _twins(checked: list[Checked]) -> list[Checked]:
    """Add a problem to each level whose name another checked file has, too."""
    files: dict[str, list[str]] = {}
    for item in checked:
        files.setdefault(item.level.casefold(), []).append(item.file)
    result = []
    for entry in checked:
        twins = [file for file in files[entry.level.casefold()] if file != entry.file]
        extra: tuple[Problem, ...] = ()
        if twins:
            message = (
                f"the name {entry.level!r} is also that of {', '.join(twins)} (write "
                "another `level` in one of the files, or rename it if it has none)"
            )
            extra = (Problem(message, entry.file),)
        result.append(replace(entry, problems=entry.problems + extra))
    return result
