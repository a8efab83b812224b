"""A game for three engines, and edits of its outputs by users and engines."""

from __future__ import annotations

import shutil
from pathlib import Path

from exporter.export.events import LevelResult, PreservedOutputs, Removal, Stale, Upkeep
from exporter.store.indexes import INDEX
from silent_reporter import SilentReporter
from small_game import Game

SETTINGS = """targets:
  godot: {path: g}
  unity: {path: u}
  tiled: {path: t}
"""
FOLDERS = ("g", "u", "t")
# One output of every kind that a user may edit, of the level `a`.
EDITED = (
    "g/a.tscn",
    "g/a.tileset.tres",
    "g/a.ground.png",
    "g/a.ground.png.import",
    "u/a.tileset.json",
    "u/a.lvb.meta",
    "u/a.ground.png",
    "u/a.ground.png.meta",
    "t/a.tmj",
    "t/a.tileset.tsj",
    "t/a.lvb",
)
# Values of ours that a user may change in a sidecar.
_SETTINGS_OF_OURS = {
    ".import": (b"compress/mode=0", b"compress/mode=2"),
    ".meta": (b"filterMode: 0", b"filterMode: 1"),
}


def edited(path: str, data: bytes) -> bytes:
    """Return a file's content after a user's edit."""
    old, new = _SETTINGS_OF_OURS.get(Path(path).suffix, (b"", b""))
    if path.endswith(".lvb.meta"):
        old, new = b"guid: ", b"guid: 1"  # there is nothing else in it
    if not old:
        return data + b"\n "
    assert data.count(old) == 1, path
    return data.replace(old, new)


class ThreeEngines(Game):
    """A game with the targets Godot, Unity and Tiled."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.settings(SETTINGS)

    @classmethod
    def at(cls, root: Path) -> ThreeEngines:
        """Return the game in a folder."""
        game = cls.__new__(cls)
        game.root = root
        game.reporter = SilentReporter()
        return game

    def copied(self, root: Path) -> ThreeEngines:
        """Return a copy of the game in another folder."""
        shutil.copytree(self.root, root)
        return self.at(root)

    def files(self) -> dict[str, bytes]:
        """Return the content of all files but specs, settings, state and indexes."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
            and path.name != INDEX
            and path.relative_to(self.root).parts[0] not in (".exporter", "levels", "exporter.yaml")
        }

    def edit(self, *paths: str) -> dict[str, bytes]:
        """Edit outputs as a person would; return their new contents."""
        done = {}
        for path in paths:
            done[path] = edited(path, (self.root / path).read_bytes())
            (self.root / path).write_bytes(done[path])
        return done

    def read(self, *paths: str) -> dict[str, bytes]:
        """Return the contents of files."""
        return {path: (self.root / path).read_bytes() for path in paths}

    def reported_retained(self) -> set[str]:
        """Return all paths that the last export reported as kept."""
        result: set[str] = set()
        for event in self.reporter.events:
            if isinstance(event, LevelResult | Removal | Upkeep):
                result.update(event.preserved)
            elif isinstance(event, PreservedOutputs):
                result.update(event.paths)
        return result

    def reported_removed(self) -> set[str]:
        """Return all paths that the last export reported as removed, without renamed ones."""
        events = [event for event in self.reporter.events if isinstance(event, Removal)]
        return {path for event in events if event.reason != "renamed" for path in event.paths}

    def reported_stale(self) -> set[str]:
        """Return all paths that the last export reported as stale."""
        events = [event for event in self.reporter.events if isinstance(event, Stale)]
        return set(events[-1].paths) if events else set()
