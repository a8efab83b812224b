"""Handle requests to draw cells, move objects and make stamps.

`requests` defines the requests; the page numbers those for drawing with `number`.
"""

from __future__ import annotations

from typing import Any

from exporter.studio import drawing
from exporter.studio.generated_level import GeneratedLevel
from exporter.studio.request_checks import (
    Action,
    MalformedError,
    merge_of,
    number_of,
    plain_value,
    text_of,
)
from exporter.studio.session_builds import TabSession


class HandActions:
    """Handles the requests of one session that change hand edits.

    Attributes:
        actions: The handler of each request, by the value of its `do`.
    """

    def __init__(self, session: TabSession) -> None:
        self._session = session
        self.actions: dict[str, Action] = {
            **dict.fromkeys(drawing.ACTIONS, self._draw),
            "stamp": self._stamp,
            "place_stamp": self._place_stamp,
            "rename_layer": self._rename_layer,
        }

    @property
    def _ground(self) -> GeneratedLevel:
        """The level without its hand edits; `MalformedError` if there is none."""
        ground = self._session.ground
        if ground is None:
            raise MalformedError("the level is not built yet, or it is a world shown in windows")
        return ground

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
