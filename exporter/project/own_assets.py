"""Find a game's tilesets and scenes, to suggest them in exporter.yaml."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from exporter.model.lazy_dataclass import dataclass
from exporter.model.texts import NOT_TEXT
from exporter.project.spec_files import SKIPPED_FOLDERS
from exporter.targets import AssetKind, Target

_MOST_SCENES = 8
_MOST_FILES = 10_000
# A text resource names its type in its first line.
_HEAD_BYTES = 256
_NAME = re.compile(r"[A-Za-z]\w{0,63}", re.ASCII).fullmatch


@dataclass(frozen=True, slots=True)
class OwnAssets:
    """A tileset and scenes found in a game, as exporter.yaml names them.

    Attributes:
        tileset: The name of a tileset; None if none was found.
        scenes: Names of scenes by the lower-case name of the object that each may show.
    """

    tileset: str | None
    scenes: dict[str, str]


def find_own_assets(game: Path, target: Target, outputs: str) -> OwnAssets:
    """Return the tileset and scenes in the folder `game` that levels can use.

    `target` is the game's engine. The folder `outputs`, relative to the game, has exported files
    and is skipped.
    """
    tilesets: list[str] = []
    scenes: dict[str, str] = {}
    for path in _files(game, outputs):
        if (named := _named(target.start.tilesets, game, path)) is not None:
            tilesets.append(named)
        name = Path(path).stem
        if (named := _named(target.start.scenes, game, path)) is not None and _NAME(name):
            scenes.setdefault(name.lower(), named)
    return OwnAssets(tilesets[0] if tilesets else None, dict(list(scenes.items())[:_MOST_SCENES]))


def _named(kind: AssetKind | None, game: Path, path: str) -> str | None:
    """Return how exporter.yaml names the file `path` of the folder `game`.

    Return None if the file is not of `kind`, or `kind` is None.
    """
    if kind is None or not path.endswith(kind.suffix) or NOT_TEXT.search(path):
        return None
    try:
        with (game / path).open("rb") as file:
            return f"{kind.root}{path}" if kind.sign in file.read(_HEAD_BYTES) else None
    except OSError:
        return None


def _files(game: Path, outputs: str) -> Iterator[str]:
    """Yield a game's files in order, without addons, caches and `outputs`."""
    count = 0
    for folder, folders, names in os.walk(game):
        position = Path(folder).relative_to(game)
        folders[:] = sorted(
            name
            for name in folders
            if name not in SKIPPED_FOLDERS
            and not name.startswith(".")
            and (position / name).as_posix() not in ("addons", outputs)
        )
        for name in sorted(names):
            count += 1
            if count > _MOST_FILES:
                return
            yield (position / name).as_posix()
