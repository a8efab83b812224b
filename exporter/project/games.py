"""Game projects: which engines a folder is a project of."""

from __future__ import annotations

import os
from pathlib import Path

from exporter.model.errors import RegistryError
from exporter.targets import TARGETS, Target


def games_in(folder: Path) -> list[Target]:
    """Return the targets that a folder is a game project of, in the order of `by_rank`."""
    return [target for target in by_rank() if _is_game_of(target, folder)]


def by_rank() -> list[Target]:
    """Return all targets that can be used: those of a new project in their order, then the rest."""
    found = []
    for name in TARGETS.names():
        try:
            found.append(TARGETS.get(name))
        except RegistryError:
            continue  # reported where somebody uses it
    return sorted(found, key=lambda target: (target.start.rank is None, target.start.rank or 0))


def game_around(root: Path, place: str, target: Target) -> str | None:
    """Return the game project of a target that a folder lies in, or None.

    Args:
        root: The project's folder.
        place: The folder, relative to the root.
        target: Whose game project.

    Returns:
        Its path relative to the root with `/`, empty for the root itself.
    """
    folder = Path(os.path.normpath(place))
    outside = folder.parts[:1] == ("..",)
    for candidate in (folder, *folder.parents):
        if outside and candidate == Path():
            break  # not around the folder, but beside it
        if _is_game_of(target, root / candidate):
            return "" if candidate == Path() else candidate.as_posix()
    return None


def _is_game_of(target: Target, folder: Path) -> bool:
    return bool(target.markers) and all((folder / marker).exists() for marker in target.markers)
