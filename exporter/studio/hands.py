"""Handle requests to draw cells, move objects and make stamps.

The module `requests` defines the requests. The page gives each request for drawing a `number`.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from exporter.studio import drawing
from exporter.studio.request_checks import (
    Action,
    MalformedError,
    merge_of,
    number_of,
    plain_value,
    text_of,
)
from exporter.studio.session_builds import TabSession

if TYPE_CHECKING:
    from exporter.studio.generated_level import GeneratedLevel


class HandActions:
    """Handles the requests of one session that change hand edits.

    Attributes:
        actions: The handler of each request, by the name of the request (`do`).
    """

    def __init__(self, session: TabSession) -> None:
        self._session = session
        # The level that was read last, and the bytes it was read from.
        self._read: tuple[bytes, GeneratedLevel] | None = None
        self.actions: dict[str, Action] = {
            **dict.fromkeys(drawing.ACTIONS, self._draw),
            "stamp": self._stamp,
            "place_stamp": self._place_stamp,
            "rename_layer": self._rename_layer,
        }

    @property
    def _ground(self) -> GeneratedLevel:
        """The level without its hand edits.

        Raises:
            MalformedError: The level is not built yet, or is a world shown in windows.
        """
        data = self._session.ground
        if not data:
            raise MalformedError("the level is not built yet, or it is a world shown in windows")
        if self._read is None or self._read[0] is not data:
            self._read = data, pickle.loads(data)  # by a builder process of this program
        return self._read[1]

    async def _draw(self, message: dict[str, Any]) -> None:
        session = self._session
        number = number_of(message)
        _, draft = session.opened()
        drawn = drawing.step_of(message, draft.hand, self._ground)
        session.draft = draft.draw(drawn, merge_of(message))
        session.drawn = number or session.drawn
        session.show()

    async def _stamp(self, message: dict[str, Any]) -> None:
        from exporter.studio.stamping import stamped

        session = self._session
        level, draft = session.opened()
        changes, drawn = stamped(
            draft, text_of(message, "layer"), self._ground, level.name, level.path.parent
        )
        session.draft = draft.change(changes, level.name, "", drawn)
        session.show()

    async def _place_stamp(self, message: dict[str, Any]) -> None:
        from exporter.studio.stamping import placed_stamp

        session = self._session
        level, draft = session.opened()
        stamp = {"art": message["art"], "glyphs": message["glyphs"], "at": [message["at"]]}
        changes = placed_stamp(
            draft,
            text_of(message, "layer"),
            text_of(message, "name"),
            {key: plain_value(value) for key, value in stamp.items() if value},
            level.name,
            level.path.parent,
        )
        session.draft = draft.change(changes, level.name)
        session.show()

    async def _rename_layer(self, message: dict[str, Any]) -> None:
        from exporter.studio.stamping import renamed

        session = self._session
        level, draft = session.opened()
        old, new = text_of(message, "layer"), text_of(message, "name")
        changes, drawn = renamed(draft, old, new, level.name, level.path.parent)
        session.draft = draft.change(changes, level.name, "", drawn)
        session.show()
