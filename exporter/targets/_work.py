"""Work that the targets of one level share: what one has made, the next need not make again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Made = TypeVar("Made")


class SharedWork:
    """Keeps what was made of one level, by what it is and the options it was made with.

    Whoever exports a level to several targets gives all of them the same one, and forgets it
    with the level. Nothing in it outlives it.
    """

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made under `key`, making it the first time.

        Args:
            key: What is made and every option that decides how, as a tuple.
            make: Makes it; what it raises is passed on, and nothing is kept.
        """
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made
