"""Find game projects in and around a folder, and their engines.

A target is what levels are exported for, such as an engine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from exporter.model.errors import RegistryError
from exporter.model.lazy_dataclass import dataclass
from exporter.project.spec_files import SKIPPED_FOLDERS
from exporter.targets import PATH_PATTERN, TARGETS, Target


@dataclass(frozen=True, slots=True)
class Game:
    """A game project: its engine, and its folder with `/` as separator.

    `folder` is relative to the searched folder; "" is the searched folder itself.
    """

    target: Target
    folder: str


def games_in(folder: Path) -> list[Target]:
    """Return the targets of the engines that have a game project in `folder`.

    An engine recognises a game by a marker file directly in the folder, such as `project.godot`.
    """
    return [target for target in by_rank() if _is_game_of(target, folder)]


def find_games(root: Path) -> list[Game]:
    """Return the game projects in `root`, or else in its subfolders.

    Only direct subfolders are searched. Links, hidden folders and folders that exporter.yaml cannot
    name are skipped.
    """
    here = [Game(target, "") for target in games_in(root)]
    below = (Game(target, name) for name in _subfolders(root) for target in games_in(root / name))
    return here or list(below)


def game_above(root: Path) -> tuple[Target, Path] | None:
    """Return the nearest game project that contains the folder `root`.

    The result is its target (the engine) and its folder; None without one.
    """
    for folder in root.resolve().parents:
        for target in games_in(folder):
            return target, folder
    return None


def programs_used(root: Path) -> list[tuple[Target, str]]:
    """Return the targets that files in `root` suggest, each with such a file.

    For example, a map of Tiled suggests the target for Tiled. Files in `root` and its direct
    subfolders count; their paths are relative to it, with `/`.
    """
    names = sorted(_files(root))
    result = []
    for target in by_rank():
        sign = next(
            (
                name
                for name in names
                if any(fnmatch(name.lower(), f"*{pattern}") for pattern in target.start.signs)
            ),
            None,
        )
        if sign is not None:
            result.append((target, sign))
    return result


def by_rank() -> list[Target]:
    """Return all usable targets, in the order that new projects prefer."""
    result = []
    for name in TARGETS.names():
        try:
            result.append(TARGETS.get(name))
        except RegistryError:
            continue  # reported when the folder is used
    return sorted(result, key=lambda target: (target.start.rank is None, target.start.rank or 0))


def game_around(root: Path, position: str, target: Target) -> str | None:
    """Return the game folder of the engine `target` that contains a folder.

    The result is relative to `root` with `/`, and "" for `root` itself; None if no game contains
    the folder.

    Args:
        root: The project's folder.
        position: The folder to look around, relative to `root`.
        target: The target of the engine.
    """
    folder = Path(os.path.normpath(position))
    outside = folder.parts[:1] == ("..",)
    for candidate in (folder, *folder.parents):
        if outside and candidate == Path():
            break  # not around the folder, but beside it
        if _is_game_of(target, root / candidate):
            return "" if candidate == Path() else candidate.as_posix()
    return None


def _is_game_of(target: Target, folder: Path) -> bool:
    result = (os.path.exists(folder / marker) for marker in target.markers)
    return bool(target.markers) and all(result)


def _files(root: Path) -> Iterator[str]:
    """Yield the paths, relative to `root`, of files in it and its subfolders.

    Only direct subfolders are searched.
    """
    for folder in ("", *_subfolders(root)):
        for entry in _entries(root / folder):
            if entry.is_file():
                yield f"{folder}/{entry.name}" if folder else entry.name


def _subfolders(root: Path) -> list[str]:
    """Return the sorted names of subfolders that may be part of a project.

    Left out are links, hidden folders, caches, and names that exporter.yaml cannot have.
    """
    return sorted(
        entry.name
        for entry in _entries(root)
        if entry.is_dir(follow_symlinks=False)
        and not entry.name.startswith(".")
        and entry.name not in SKIPPED_FOLDERS
        and entry.name.isprintable()
        and re.fullmatch(PATH_PATTERN, entry.name)
    )


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
