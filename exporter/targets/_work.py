"""Define what a level's targets share: cached results, the game's files."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar

from exporter.model.errors import ParameterError

BuildResult = TypeVar("BuildResult")


class GameFiles(Protocol):
    """The files of the game project that contains a target's folder.

    A level that read a file is exported again when the file changes.
    """

    def read(self, name: str) -> bytes:
        """Return the content of file `name`.

        Args:
            name: The path in the game project, with `/`; for an engine without game projects, the
                path in the exporter's project.

        Raises:
            ParameterError: The target's folder lies in no game project; or the file is missing, not
                a regular file, too large, or outside the game project.
        """

    def has(self, name: str) -> bool:
        """Return whether file `name` exists; False without a game project."""


class NoGame:
    """The game files of a target whose folder lies in no game project: none."""

    def read(self, name: str) -> bytes:
        raise ParameterError(
            f"{name!r} cannot be read: the target is not inside a game project (move the target's "
            "`path` into the game's folder)"
        )

    def has(self, name: str) -> bool:
        return False


class SharedWork:
    """A cache of results that several targets of one level need.

    All targets of a level share one cache, each through a view with its own game files (`within`).
    The cache is dropped with the level.

    Attributes:
        game: The files of the game project that contains the target's folder.
    """

    def __init__(self) -> None:
        self._results: dict[Hashable, Any] = {}
        self.game: GameFiles = NoGame()

    def within(self, game: GameFiles) -> SharedWork:
        """Return a view of this cache with the game files `game`."""
        view = SharedWork()
        view._results, view.game = self._results, game
        return view

    def once(self, key: Hashable, make: Callable[[], BuildResult]) -> BuildResult:
        """Return the cached result of `key`; the first time, `make` computes it.

        Args:
            key: The kind of the result and every option that affects it, as a tuple. If the result
                depends on `game`, the key also names the target.
            make: Makes the result. If it raises an exception, nothing is cached.
        """
        if key not in self._results:
            self._results[key] = make()
        result: BuildResult = self._results[key]
        return result
