"""Read exporter.yaml: return checked targets, or all problems at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from exporter.formats import FORMATS
from exporter.model.errors import ParameterError, Problem, RegistryError, SpecError
from exporter.model.input_files import read_input
from exporter.model.keys import value_key
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_PROBLEMS, MAXIMUM_SPEC_BYTES
from exporter.model.parameters import About, Name, Parameters, Within
from exporter.model.suggestions import suggestions
from exporter.model.texts import flow_text
from exporter.project.games import game_around
from exporter.project.outside import refusal
from exporter.project.project import FILE_NAME, Project, ProjectTarget, display_path
from exporter.reading.yaml_reader import Document, read_document, settled
from exporter.reading.yaml_reader import Path as ValuePath
from exporter.targets import TARGETS

DEFAULT_LEVELS = "levels/**/*.level.yaml"


@dataclass(frozen=True, kw_only=True)
class ProjectDocument(Parameters):
    """The keys of exporter.yaml."""

    levels: Annotated[
        str | tuple[str, ...],
        About(
            "Globs of the level specs, relative to this file; ** is any depth.",
            also=("specs", "input"),
        ),
    ] = DEFAULT_LEVELS
    targets: Annotated[
        dict[Name, Annotated[dict[str, Any], About("", example="{path: game/levels}")]],
        Within(1, 16, length=True),
        About(
            "Where outputs go, by name; the name selects the engine unless `engine` does.",
            also=("outputs",),
        ),
    ] = field(default_factory=dict)


def load_project(root: Path) -> Project:
    """Read and check the exporter.yaml in the folder `root`.

    Raises:
        SpecError: The file has errors; contains all of them.
    """
    root = root.resolve()
    path = root / FILE_NAME
    try:
        content = read_input(path, MAXIMUM_SPEC_BYTES)
    except OSError as error:
        message = f"cannot be read ({error.strerror or error})"
        raise SpecError([Problem(message, display_path(path))]) from None
    return parse_project(content, display_path(path), root)


def parse_project(content: bytes, file: str, root: Path) -> Project:
    """Parse and check `content`, the bytes of an exporter.yaml.

    `file` is its name for messages, `root` the project's folder.

    Raises:
        SpecError: The file has errors; contains all of them.
    """
    from exporter.reading.validation import other_words, parse_partial

    document = read_document(content, file, allow_empty=False)
    if document.data is None:
        raise SpecError([document.problem((), "the file is empty (write `targets:`)")])
    read = parse_partial(ProjectDocument, document.data, document, ())
    problems = list(read.problems)
    if read.value is None:
        raise SpecError(settled(document, problems))
    entries = document.data.get("targets")
    words = other_words(ProjectDocument)
    misspelled = any(
        suggestions(key, ["targets"], words) for key in islice(document.data, MAXIMUM_PROBLEMS)
    )
    if not entries and read.has("targets") and not misspelled:
        known = ", ".join(TARGETS.names())
        problems.append(
            document.problem(
                (),
                "'targets' is missing here (as in `targets: {NAME: {path: FOLDER}}`; "
                f"names: {known})",
            )
        )
    levels = read.value.levels
    patterns = (levels,) if isinstance(levels, str) else levels
    for index, pattern in enumerate(patterns):
        at: ValuePath = ("levels",) if isinstance(levels, str) else ("levels", index)
        if pattern.startswith("/") or ".." in pattern.split("/") or "\\" in pattern:
            slashes = pattern.replace("\\", "/")
            inside = not slashes.startswith("/") and ".." not in slashes.split("/")
            way_out = f"write {flow_text(slashes)}" if inside else f"as in {DEFAULT_LEVELS}"
            message = (
                f"{pattern!r} must be inside the project, without '..' and with forward slashes "
                f"({way_out})"
            )
            problems.append(document.problem(at, message))
    targets = []
    for name, data in entries.items() if isinstance(entries, dict) else ():
        target = _target(name, data, document, problems) if isinstance(data, dict) else None
        if target is not None:
            targets.append(target)
    _check_paths(targets, root, document, problems)
    games = _games(targets, root, document, problems)
    if problems or document.problems:
        raise SpecError(settled(document, problems))
    return Project(root, patterns, tuple(targets), _fingerprint(targets), games)


def _fingerprint(targets: list[ProjectTarget]) -> str:
    return value_key(sorted(targets, key=lambda target: target.name))


def _target(
    name: str, data: dict[str, Any], document: Document, problems: list[Problem]
) -> ProjectTarget | None:
    from exporter.reading.validation import check

    path: ValuePath = ("targets", name)
    engine = data.get("engine", name)
    try:
        entry = TARGETS.get(str(engine))
    except RegistryError as error:
        position = (*path, "engine") if "engine" in data else path
        problems.append(document.problem(position, str(error), at_key="engine" not in data))
        return None
    own = {key: value for key, value in data.items() if key != "engine"}
    options, result = check(entry.options, own, document, path)
    problems += result
    if options is None:
        return None
    try:
        value_key(options)
    except TypeError as error:
        message = f"the target {engine!r} has an option that cannot be kept ({error})"
        problems.append(document.problem(path, message, at_key=True))
        return None
    try:
        options.check_options()
    except ParameterError as error:
        problems.append(document.problem((*path, *error.path), error.message))
    for index, expected in enumerate(options.formats):
        try:
            FORMATS.get(expected)
        except RegistryError as error:
            problems.append(document.problem((*path, "formats", index), str(error)))
    at = document.problem(path, "", at_key=True)
    places = {inside: document.problem((*path, *inside), "") for inside in _paths(own) if inside}
    return ProjectTarget(name, str(engine), options, at, places)


def _paths(value: object) -> Iterator[ValuePath]:
    """Yield the paths of `value` itself (empty) and of everything inside."""
    yield ()
    entries: Iterable[tuple[str | int, object]] = ()
    if isinstance(value, dict):
        entries = value.items()
    elif isinstance(value, list):
        entries = enumerate(value)
    for key, inner in entries:
        for path in _paths(inner):
            yield (key, *path)


def _check_paths(
    targets: list[ProjectTarget], root: Path, document: Document, problems: list[Problem]
) -> None:
    used: dict[str, str] = {}
    for target in targets:
        refused = refusal(root, target.options.path, target.name)
        if refused is not None:
            problems.append(document.problem(("targets", target.name, "path"), refused))
        folder = os.path.normpath(target.options.path).casefold()
        if folder in used:
            message = f"the folder is that of the target {used[folder]!r} (each needs its own)"
            problems.append(document.problem(("targets", target.name, "path"), message))
        used[folder] = target.name


def _games(
    targets: list[ProjectTarget], root: Path, document: Document, problems: list[Problem]
) -> dict[str, str]:
    """Return the folder of the game around each target with `plugin: true`.

    Add a problem for each target without a game or plugin.
    """
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
                f"{target.options.path!r} is not in a {engine.title} project "
                f"(looked for {' and '.join(engine.markers)} there and above)"
            )
            problems.append(document.problem(at, message))
        else:
            folder = f"{game}/{engine.plugin.folder}" if game else engine.plugin.folder
            refused = refusal(root, folder, target.name)
            if refused is not None:
                problems.append(document.problem(at, refused))
            games[target.name] = game
    return games
