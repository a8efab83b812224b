"""Share work among a level's targets, and read files of the game."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar

from exporter.model.errors import ParameterError

BuildResult = TypeVar("BuildResult")


class GameFiles(Protocol):
    """Files of the game project that a target's folder lies in.

    A level that read a file is exported again when the file changes.
    """

    def read(self, name: str) -> bytes:
        """Return a file's content.

        Args:
            name: The file, relative to the game project, with `/`; for an engine without game
                projects relative to the exporter's project.

        Raises:
            ParameterError: The target's folder lies in no game project; or the file is missing,
                not a regular file, too large, or outside the game project.
        """

    def has(self, name: str) -> bool:
        """Return whether file `name` exists; False without a game project."""


class NoGame:
    """Stands in for `GameFiles` if the target lies in no game project."""

    def read(self, name: str) -> bytes:
        """Raise ParameterError, because there is no game to read from."""
        raise ParameterError(
            f"{name!r} cannot be read: the target is not inside a game project (move the target's "
            "`path` into the game's folder)"
        )

    def has(self, name: str) -> bool:
        """Return False, since there is no game."""
        return False


class SharedWork:
    """Keeps results that several targets of one level need.

    A result is named by its kind and options. An export to several targets gives each a view of the
    same object, and drops it with the level. No result is kept longer than the level.

    Attributes:
        game: The files of the game project that the target's folder lies in.
    """

    def __init__(self) -> None:
        self._results: dict[Hashable, Any] = {}
        self.game: GameFiles = NoGame()

    def within(self, game: GameFiles) -> SharedWork:
        """Return a view of this cache for a target inside a game project."""
        view = SharedWork()
        view._results, view.game = self._results, game
        return view

    def once(self, key: Hashable, make: Callable[[], BuildResult]) -> BuildResult:
        """Return the cached result of `key`; make it if it is not there.

        Args:
            key: The kind of the result and every option that affects it, as a tuple.
            make: Makes the result; its exceptions are passed on, and nothing is kept. Values read
                from `game` are no options: they belong to one target.
        """
        if key not in self._results:
            self._results[key] = make()
        result: BuildResult = self._results[key]
        return result
