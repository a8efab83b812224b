"""Projects: finding and reading exporter.yaml, listing level specs, recognising engines."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from fnmatch import translate
from pathlib import Path
from typing import Annotated, Any

from exporter.model.errors import Problem, SpecError
from exporter.model.parameters import About, Name, Parameters, Within
from exporter.reading.document import Document, read_document
from exporter.reading.document import Path as ValuePath
from exporter.targets import TARGETS, TargetOptions

FILE_NAME = "exporter.yaml"
STATE_FOLDER = ".exporter"
DEFAULT_LEVELS = "levels/**/*.level.yaml"
# Folders that hold engine caches or other people's packages, never level specs.
_SKIPPED = frozenset({"__pycache__", "node_modules", "Library", "Temp"})


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
    """A checked target: its name, its engine and the engine's options."""

    name: str
    engine: str
    options: TargetOptions


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
        problems.append(document.problem((), "'targets' is missing here (godot, unity or tiled)"))
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
    shaping = {target.name: [target.engine, asdict(target.options)] for target in targets}
    fingerprint = hashlib.sha256(json.dumps(shaping, sort_keys=True).encode()).hexdigest()
    return Project(root, patterns, tuple(targets), fingerprint, games)


def _target(
    name: str, data: dict[str, Any], document: Document, problems: list[Problem]
) -> ProjectTarget | None:
    from exporter.reading.validation import check

    path: ValuePath = ("targets", name)
    engine = data.get("engine", name)
    try:
        entry = TARGETS.get(str(engine))
    except KeyError as error:
        at = (*path, "engine") if "engine" in data else path
        problem = document.problem(at, str(error.args[0]), at_key="engine" not in data)
        problems.append(problem)
        return None
    own = {key: value for key, value in data.items() if key != "engine"}
    options, found = check(entry.options, own, document, path)
    problems += found
    return ProjectTarget(name, str(engine), options) if options is not None else None


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
        game = _game_around(root, target.options.path, target.engine)
        if game is None:
            message = (
                f"{target.options.path!r} does not lie in a {target.engine.capitalize()} project "
                f"(looked for {' and '.join(_MARKERS[target.engine])} there and above)"
            )
            problems.append(document.problem(("targets", target.name, "plugin"), message))
        else:
            games[target.name] = game
    return games


def _game_around(root: Path, place: str, engine: str) -> str | None:
    folder = Path(os.path.normpath(place))
    for candidate in (folder, *folder.parents):
        if engine in detect_engines(root / candidate):
            return "" if candidate == Path() else candidate.as_posix()
    return None


def find_specs(root: Path, patterns: tuple[str, ...]) -> list[str]:
    """Return the files below `root` that match any glob, as sorted relative paths with `/`.

    Hidden folders and engine caches are not entered; linked folders are followed once.
    """
    matchers = [_matcher(pattern) for pattern in patterns]
    starts = {fixed_part(pattern) for pattern in patterns}
    found: set[str] = set()
    for start in starts:
        for path in _files(root, start):
            if any(matcher.fullmatch(path) for matcher in matchers):
                found.add(path)
    return sorted(found)


def fixed_part(pattern: str) -> str:
    """Return the leading folders of a glob that have no wildcard."""
    fixed = []
    for part in pattern.split("/")[:-1]:
        if any(character in part for character in "*?["):
            break
        fixed.append(part)
    return "/".join(part for part in fixed if part not in ("", "."))


def _matcher(pattern: str) -> re.Pattern[str]:
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    expression = ""
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == "**":
            expression += ".*" if last else "(?:.*/)?"
        else:
            # `translate` lets * cross folders; a glob's single star does not.
            inner = translate(part).replace(".*", "[^/]*").replace("(?s:", "(?:")
            expression += inner.removesuffix(r"\Z").removesuffix(r"\z") + ("" if last else "/")
    return re.compile(expression)


def _files(root: Path, start: str) -> Iterator[str]:
    seen: set[tuple[int, int]] = set()
    pending = [start]
    while pending:
        folder = pending.pop()
        try:
            here = os.stat(root / folder)
            if (here.st_dev, here.st_ino) in seen:
                continue  # a linked folder that leads back
            seen.add((here.st_dev, here.st_ino))
            entries = list(os.scandir(root / folder))
        except OSError:
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                if entry.is_dir():
                    if not entry.name.startswith(".") and entry.name not in _SKIPPED:
                        pending.append(path)
                elif entry.is_file() and not entry.name.startswith("."):
                    yield path
            except OSError:
                continue


# What stands in the top folder of each engine's projects.
_MARKERS = {"godot": ("project.godot",), "unity": ("Assets", "ProjectSettings")}


def detect_engines(folder: Path) -> list[str]:
    """Return the engines a folder is a project of: `godot`, `unity`, or none."""
    return [
        engine
        for engine, markers in _MARKERS.items()
        if all((folder / marker).exists() for marker in markers)
    ]
