"""Find and describe projects; `settings_file` reads exporter.yaml."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.model.errors import Problem, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.project.spec_files import find_specs

if TYPE_CHECKING:
    from exporter.reading.yaml_reader import Path as ValuePath
    from exporter.targets import TargetOptions

FILE_NAME = "exporter.yaml"
STATE_FOLDER = ".exporter"
# In the state folder: what was found for packs, so that a level can be left out of one.
SEARCHES_FOLDER = "searches"


@dataclass(frozen=True, slots=True)
class ProjectTarget:
    """A checked target: its name, its engine and the engine's options.

    `at` is a problem without a text, at the target's line in exporter.yaml; `places` are such
    problems at the lines of the options, by their paths.
    """

    name: str
    engine: str
    options: TargetOptions
    at: Problem = field(compare=False)
    places: Mapping[ValuePath, Problem] = field(default_factory=dict, compare=False)

    def problem(self, message: str, path: ValuePath = ()) -> Problem:
        """Return a problem with this target, at the option of a path."""
        while path and path not in self.places:
            path = path[:-1]
        return replace(self.places.get(path, self.at), message=message)


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
        """Return all level specs, sorted, relative to the root with `/`."""
        return find_specs(self.root, self.patterns)


def find_project(start: Path) -> Path:
    """Return the nearest folder at or above `start` that has an exporter.yaml.

    Raises:
        SpecError: There is no such folder.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / FILE_NAME).is_file():
            return folder
    message = f"no {FILE_NAME} here or above (make one with `exporter init`)"
    raise SpecError([Problem(message, str(start))])


def display_path(path: Path) -> str:
    """Return a displayed path, relative to the working folder if below it."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if relative.startswith("..") else Path(relative).as_posix()
