"""Give a target its shared work, and files of its game project."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar

from exporter.model.errors import ParameterError

BuildResult = TypeVar("BuildResult")


class GameFiles(Protocol):
    """The current files of a target's game project.

    Whatever is read is remembered: when the file changes, the level is exported again.
    """

    def read(self, name: str) -> bytes:
        """Return a file's content.

        Args:
            name: The file, relative to the game project, with `/`; for an engine without game
                projects relative to the exporter's project.

        Raises:
            ParameterError: There is no game project around the target's folder; or the file is
                missing, no regular file, too large, or outside the game project.
        """

    def has(self, name: str) -> bool:
        """Return whether a file is there; False where there is no game project."""


class NoGame:
    """The files of a target whose folder lies in no game project."""

    def read(self, name: str) -> bytes:
        """Refuse; see `GameFiles.read`."""
        raise ParameterError(
            f"{name!r} cannot be read: the target is not inside a game project (move the target's "
            "`path` into the game's folder)"
        )

    def has(self, name: str) -> bool:
        """Return False."""
        return False


class SharedWork:
    """Cache the results of one level, by kind and options.

    An export to several targets gives each a view of the same object, and drops it with the level.
    Nothing in it lives longer.

    Attributes:
        game: The files of the game project that the target's folder lies in.
    """

    def __init__(self) -> None:
        self._results: dict[Hashable, Any] = {}
        self.game: GameFiles = NoGame()

    def within(self, game: GameFiles) -> SharedWork:
        """Return a view for a target in a game project, which shares all results."""
        view = SharedWork()
        view._results, view.game = self._results, game
        return view

    def once(self, key: Hashable, make: Callable[[], BuildResult]) -> BuildResult:
        """Return the result under `key`, made the first time.

        Args:
            key: The kind of the result and every option that affects it, as a tuple.
            make: Makes the result; its exceptions are passed on, and nothing is kept. Values read
                from `game` are no options: they belong to one target.
        """
        if key not in self._results:
            self._results[key] = make()
        result: BuildResult = self._results[key]
        return result
