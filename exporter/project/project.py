"""Find projects, and describe their folder, specs and targets."""

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
# In the state folder: the work on packs, so that a level can be left out of one.
SEARCHES_FOLDER = "searches"


@dataclass(frozen=True, slots=True)
class ProjectTarget:
    """A checked target of exporter.yaml: what to export for, and options.

    `at` is a problem without a message, at the target's line in exporter.yaml; `places` has such a
    problem for each option, by its path. Messages are added to them later.
    """

    name: str
    engine: str
    options: TargetOptions
    at: Problem = field(compare=False)
    places: Mapping[ValuePath, Problem] = field(default_factory=dict, compare=False)

    def problem(self, message: str, path: ValuePath = ()) -> Problem:
        """Return a problem at the line of the target, or of its option `path`."""
        while path and path not in self.places:
            path = path[:-1]
        return replace(self.places.get(path, self.at), message=message)


@dataclass(frozen=True, slots=True)
class Project:
    """A project: a folder with an exporter.yaml.

    Attributes:
        root: The absolute path of the folder.
        patterns: The globs of level specs, relative to the root.
        targets: The targets in the order of exporter.yaml.
        fingerprint: SHA-256 of all settings in exporter.yaml that affect outputs.
        games: The folder of the game project of each target with `plugin: true`, by the target's
            name; relative to the root ("" for the root itself).
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
        """Return the paths of all level specs, sorted.

        They are relative to the project's folder, with `/`.
        """
        return find_specs(self.root, self.patterns)


def find_project(start: Path) -> Path:
    """Return the nearest folder at or above `start` with an exporter.yaml.

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
    """Return `path` for messages: relative if inside the working folder."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if relative.startswith("..") else Path(relative).as_posix()
