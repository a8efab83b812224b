"""Projects: finding exporter.yaml, reading and checking it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from exporter.formats import FORMATS
from exporter.model.errors import Problem, RegistryError, SpecError
from exporter.model.keys import value_key
from exporter.model.parameters import About, Name, Parameters, Within
from exporter.project.games import game_around
from exporter.project.spec_files import find_specs
from exporter.reading.document import Document, read_document
from exporter.reading.document import Path as ValuePath
from exporter.targets import TARGETS, TargetOptions

FILE_NAME = "exporter.yaml"
STATE_FOLDER = ".exporter"
DEFAULT_LEVELS = "levels/**/*.level.yaml"


@dataclass(frozen=True, kw_only=True)
class ProjectDocument(Parameters):
    """The keys of exporter.yaml."""

    levels: Annotated[
        str | tuple[str, ...],
        About("Where level specs are, relative to this file; ** is any depth."),
    ] = DEFAULT_LEVELS
    targets: Annotated[
        dict[Name, dict[str, Any]],
        Within(1, 16, length=True),
        About("Where outputs go, and in whose dialect; the name is the engine unless `engine` is."),
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProjectTarget:
    """A checked target: its name, its engine and the engine's options.

    `at` is a problem without words, at the target's place in exporter.yaml.
    """

    name: str
    engine: str
    options: TargetOptions
    at: Problem

    def problem(self, message: str) -> Problem:
        """Word a problem with this target."""
        return replace(self.at, message=message)


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with an exporter.yaml.

    Attributes:
        root: The folder, absolute.
        patterns: Globs of level specs, relative to the root.
        targets: By name.
        fingerprint: SHA-256 of everything in exporter.yaml that shapes outputs.
        games: For each target that wants its engine's plugin: the folder of the game project it
            lies in, relative to the root (empty for the root itself).
    """

    root: Path
    patterns: tuple[str, ...]
    targets: tuple[ProjectTarget, ...]
    fingerprint: str
    games: Mapping[str, str] = field(default_factory=dict)

    @property
    def state(self) -> Path:
        """The folder for manifest, lock and status."""
        return self.root / STATE_FOLDER

    def specs(self) -> list[str]:
        """Return the paths of all level specs, relative to the root with `/`, sorted."""
        return find_specs(self.root, self.patterns)


def find_project(start: Path) -> Path:
    """Return the nearest folder at or above `start` that has an exporter.yaml.

    Raises:
        SpecError: There is none.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / FILE_NAME).is_file():
            return folder
    message = f"no {FILE_NAME} here or above (make one with `exporter init`)"
    raise SpecError([Problem(message, str(start))])


def load_project(root: Path) -> Project:
    """Read and check the exporter.yaml of a project folder.

    Raises:
        SpecError: With every problem found.
    """
    root = root.resolve()
    path = root / FILE_NAME
    try:
        content = path.read_bytes()
    except OSError as error:
        message = f"cannot be read ({error.strerror or error})"
        raise SpecError([Problem(message, shown(path))]) from None
    return parse_project(content, shown(path), root)


def shown(path: Path) -> str:
    """Return a path as messages show it: relative to the working folder where it lies below."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if relative.startswith("..") else Path(relative).as_posix()


def parse_project(content: bytes, file: str, root: Path) -> Project:
    """Check the bytes of an exporter.yaml.

    Raises:
        SpecError: With every problem found.
    """
    from exporter.reading.validation import check

    document = read_document(content, file)
    if document.data is None:
        raise SpecError([document.problem((), "the file is empty (needs targets)")])
    outer, problems = check(ProjectDocument, document.data, document, ())
    problems = [*document.problems, *problems]
    if outer is None:
        raise SpecError(problems)
    if not outer.targets:
        known = ", ".join(TARGETS.names())
        problems.append(document.problem((), f"'targets' is missing here (known: {known})"))
    patterns = (outer.levels,) if isinstance(outer.levels, str) else outer.levels
    for index, pattern in enumerate(patterns):
        at: ValuePath = ("levels",) if isinstance(outer.levels, str) else ("levels", index)
        if pattern.startswith("/") or ".." in pattern.split("/") or "\\" in pattern:
            message = f"{pattern!r} must lie in the project, with forward slashes"
            problems.append(document.problem(at, message))
    targets = []
    for name, data in outer.targets.items():
        target = _target(name, data, document, problems)
        if target is not None:
            targets.append(target)
    _check_paths(targets, document, problems)
    games = _games(targets, root, document, problems)
    if problems:
        raise SpecError(problems)
    return Project(root, patterns, tuple(targets), _fingerprint(targets), games)


def _fingerprint(targets: list[ProjectTarget]) -> str:
    """Return the hash of all options of all targets, whatever fields they have."""
    shaping = [(target.name, target.engine, target.options) for target in targets]
    return value_key(sorted(shaping, key=lambda target: target[0]))


def _target(
    name: str, data: dict[str, Any], document: Document, problems: list[Problem]
) -> ProjectTarget | None:
    from exporter.reading.validation import check

    path: ValuePath = ("targets", name)
    engine = data.get("engine", name)
    try:
        entry = TARGETS.get(str(engine))
    except RegistryError as error:
        place = (*path, "engine") if "engine" in data else path
        problems.append(document.problem(place, str(error), at_key="engine" not in data))
        return None
    own = {key: value for key, value in data.items() if key != "engine"}
    options, found = check(entry.options, own, document, path)
    problems += found
    if options is None:
        return None
    try:
        value_key(options)
    except TypeError as error:
        message = f"the target {engine!r} has an option that cannot be kept ({error})"
        problems.append(document.problem(path, message, at_key=True))
        return None
    for index, wanted in enumerate(options.formats):
        try:
            FORMATS.get(wanted)
        except RegistryError as error:
            problems.append(document.problem((*path, "formats", index), str(error)))
    at = document.problem(path, "", at_key=True)
    return ProjectTarget(name, str(engine), options, at)


def _check_paths(targets: list[ProjectTarget], document: Document, problems: list[Problem]) -> None:
    taken: dict[str, str] = {}
    for target in targets:
        folder = os.path.normpath(target.options.path).casefold()
        if folder in taken:
            message = f"the folder is that of the target {taken[folder]!r} (each needs its own)"
            problems.append(document.problem(("targets", target.name, "path"), message))
        taken[folder] = target.name


def _games(
    targets: list[ProjectTarget], root: Path, document: Document, problems: list[Problem]
) -> dict[str, str]:
    """Find the game project around every target that wants its engine's plugin."""
    games: dict[str, str] = {}
    for target in targets:
        if not getattr(target.options, "plugin", False):
            continue
        engine = TARGETS.get(target.engine)
        at = ("targets", target.name, "plugin")
        if engine.plugin is None:
            problems.append(document.problem(at, f"the target {engine.name!r} has no plugin"))
            continue
        game = game_around(root, target.options.path, engine)
        if game is None:
            message = (
                f"{target.options.path!r} does not lie in a {engine.title} project "
                f"(looked for {' and '.join(engine.markers)} there and above)"
            )
            problems.append(document.problem(at, message))
        else:
            games[target.name] = game
    return games
