"""Find folders for specs or outputs that hold no files of the user.

Files that `init` wrote and such as `.gitkeep` do not count; a folder for specs may have specs
already.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from enum import Enum
from itertools import count, islice
from pathlib import Path

from exporter.model.errors import StoreError
from exporter.project.templates import LEVEL_SUFFIX

# Files that file managers and git users leave in folders that are otherwise empty.
_EMPTY = frozenset({".ds_store", ".gitkeep", "desktop.ini", "thumbs.db"})
_ATTEMPTS = 100

# Returns, by a file's path relative to the folder and its full path, whether `init` wrote it.
IsOwn = Callable[[str, Path], bool]


class Content(Enum):
    """What a folder has: only files of `init`, only specs, or anything else."""

    NOTHING = "nothing, or what init writes there"
    SPECS = "level specs, and nothing else"
    OTHER = "something else"


def content_of(root: Path, position: str, is_own: IsOwn = lambda name, path: False) -> Content:
    """Return what the folder `position` contains; it may be missing.

    The result is `OTHER` for a link or a file, and if an existing name differs from `position` only
    in case: on another system both would be the same folder.

    Args:
        root: The project's folder.
        position: The folder, relative to the root with `/`.
        is_own: Returns whether `init` wrote the file with this name and path.
    """
    *parents, last = position.split("/")
    folder = root
    for part in parents:
        folder = folder / part
        if not os.path.lexists(folder):
            return Content.NOTHING
        if folder.is_symlink() or not folder.is_dir():
            return Content.OTHER
    names = _names(folder)
    folder = folder / last
    if last not in names:
        folded = {name.casefold() for name in names}
        return Content.OTHER if last.casefold() in folded else Content.NOTHING
    if folder.is_symlink() or not folder.is_dir():
        return Content.OTHER
    result = Content.NOTHING
    for path in _files(folder):
        if path.name.lower() in _EMPTY or is_own(path.relative_to(folder).as_posix(), path):
            continue
        if not path.name.endswith(LEVEL_SUFFIX):
            return Content.OTHER
        result = Content.SPECS
    return result


def first_folder(places: Iterator[str], accepts: Callable[[str], bool]) -> str:
    """Return the first folder in `places` for which `accepts` returns True.

    Raises:
        StoreError: There is no such folder, because all have files or links in them.
    """
    attempted = list(islice(places, _ATTEMPTS))
    for position in attempted:
        if accepts(position):
            return position
    parent = attempted[0].rpartition("/")[0] or "this folder"
    raise StoreError(
        f"a folder like {attempted[0]} cannot be made, because {parent} is not a regular folder"
    )


def spec_folders() -> Iterator[str]:
    """Yield names for a new folder of level specs, the preferred one first."""
    yield "levels"
    yield from _numbered("level_specs", "_")


def output_folders(expected: str) -> Iterator[str]:
    """Yield names for a new folder of outputs, `expected` first.

    The others begin with `expected` and continue in its style: `levels_exported` for `levels`, or
    `LevelsExported` for `Levels`.
    """
    yield expected
    capital = expected.rpartition("/")[2][:1].isupper()
    yield from _numbered(
        f"{expected}{'Exported' if capital else '_exported'}", "" if capital else "_"
    )


def _numbered(position: str, separator: str) -> Iterator[str]:
    yield position
    for number in count(2):
        yield f"{position}{separator}{number}"


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _files(folder: Path) -> Iterator[Path]:
    """Yield all files, links and unreadable folders below `folder`."""
    unread: list[Path] = []
    for position, folders, files in os.walk(
        folder, onerror=lambda e: unread.append(Path(e.filename))
    ):
        for name in folders:
            if (path := Path(position, name)).is_symlink():
                yield path
        for name in files:
            yield Path(position, name)
    yield from unread
