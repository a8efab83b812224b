"""What `exporter init` would write: a new project, or the exporter added to a game's folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from exporter.project.games import by_rank, games_in
from exporter.project.project import FILE_NAME
from exporter.project.templates import templates
from exporter.reading.schema import level_schema
from exporter.targets import TARGETS, Target

SCHEMA = "level.schema.json"
LEVELS = "levels"


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file to write where none exists.

    Attributes:
        path: Relative to the project's folder, with `/`.
        data: Its content.
        example: Whether a project that exists already, which has levels of its own, goes without.
    """

    path: str
    data: bytes
    example: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The files of a new project, in order of writing, and what the folder was found to be.

    `games` are the engines, as people write them, that the folder is a game project of.
    """

    files: tuple[NewFile, ...]
    games: tuple[str, ...] = ()


def targets_called(names: Iterable[str]) -> list[Target]:
    """Return the targets with some names, each once.

    Raises:
        RegistryError: There is no such target.
    """
    return [TARGETS.get(name) for name in dict.fromkeys(names)]


def plan_project(folder: Path, targets: Sequence[Target]) -> Plan:
    """Return what makes `folder` a project; nothing is written.

    Args:
        folder: Need not exist.
        targets: Where to export to; empty for what the folder is a game project of, or else the
            targets of a new project.
    """
    games = games_in(folder) if folder.is_dir() else []
    chosen = list(targets) or games
    chosen = chosen or [target for target in by_rank() if target.start.rank is not None]
    starter = templates() / "projects" / "starter"
    config = (starter / FILE_NAME).read_text(encoding="utf-8")
    config += "".join(_target_line(target, target in games) for target in chosen)
    files = [NewFile(FILE_NAME, config.encode())]
    for path in sorted((starter / LEVELS).iterdir()):
        example = path.name.endswith(".level.yaml")
        files.append(NewFile(f"{LEVELS}/{path.name}", path.read_bytes(), example))
    schema = json.dumps(level_schema(), indent=1) + "\n"
    files.append(NewFile(f"{LEVELS}/{SCHEMA}", schema.encode()))
    for target in games:
        for name, data in target.start.beside_specs.items():
            files.append(NewFile(f"{LEVELS}/{name}", data))
    return Plan(tuple(files), tuple(target.title for target in games))


def _target_line(target: Target, in_game: bool) -> str:
    place = target.start.game_folder if in_game else target.start.folder
    return f"  {target.name}: {{path: {place}}}\n"
