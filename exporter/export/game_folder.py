"""Read files of a game project, and record them as inputs of a level.

A game project is the engine's project that contains a target's folder.
"""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from exporter.model.errors import ParameterError
from exporter.project.games import game_around

if TYPE_CHECKING:
    from exporter.targets import Target


class GameInputs(Protocol):
    """Reads files of game projects, and records them as inputs of a level."""

    def game_file(self, game: str, name: str) -> bytes:
        """Return the content of file `name` in the game project `game`.

        `game` is a folder relative to the exporter's project, `name` relative to that folder.
        """

    def record_missing(self, path: str) -> None:
        """Record that the level depends on the missing file `path`."""


class GameFolder:
    """The game project that contains a target's folder.

    If the engine has no game projects, this is the exporter's own project.

    Args:
        root: The exporter's project folder.
        target_path: The target's folder, relative to `root`.
        engine: The target's engine.
        inputs: Reads the files, and records them as inputs of the level.
    """

    def __init__(self, root: Path, target_path: str, engine: Target, inputs: GameInputs) -> None:
        self._root = root
        self._target_path = target_path
        self._engine = engine
        self._inputs = inputs

    def read(self, name: str) -> bytes:
        """Return the content of the game's file `name`.

        The path `name` is relative to the game's folder.
        """
        if self._folder is None:
            markers = " and ".join(self._engine.markers)
            raise ParameterError(
                f"{name!r} cannot be read: {self._target_path!r} is not in a {self._engine.title} "
                f"project (looked for {markers} there and above)"
            )
        return self._inputs.game_file(self._folder, name)

    def has(self, name: str) -> bool:
        """Return whether the game has a file `name`.

        The path `name` is relative to the game's folder.
        """
        try:
            self.read(name)
        except ParameterError:
            return False
        return True

    @cached_property
    def _folder(self) -> str | None:
        if not self._engine.markers:
            return ""  # an engine without game projects: files of the project itself
        folder = game_around(self._root, self._target_path, self._engine)
        if folder is None:
            # The level is exported again when the folder becomes a game project.
            for marker in self._engine.markers:
                for candidate in (Path(self._target_path), *Path(self._target_path).parents):
                    missing = os.path.normpath(candidate / marker)
                    self._inputs.record_missing(Path(missing).as_posix())
        return folder
