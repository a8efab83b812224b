"""Handle drawing, moving objects, layers of drawings and new levels.

The requests are in `requests`; the `number` of drawing counts what the page has sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from exporter.project.level_files import LevelFile, LevelFiles
from exporter.studio import drawing
from exporter.studio.drafts import Draft
from exporter.studio.events import Preset, TextEvent
from exporter.studio.ground import Ground
from exporter.studio.messages import MalformedError, merge_of, number_of

Action = Callable[[dict[str, Any]], Awaitable[None]]


class HandSession(Protocol):
    """The part of a session that hand edits need."""

    draft: Draft | None
    ground: Ground | None
    drawn: int

    @property
    def files(self) -> LevelFiles:
        """The levels that can be opened."""

    def opened(self) -> tuple[LevelFile, Draft]:
        """Return the open level and its draft."""

    def show(self) -> None:
        """Build the draft, and show it."""

    def tell(self, event: TextEvent) -> None:
        """Send the tab an event."""

    def tell_levels(self) -> None:
        """Send the tab the list of levels."""


class HandActions:
    """Edits by hand in one session: cells, objects, stamps.

    Args:
        session: The session.

    Attributes:
        actions: What does each message, by its `do`.
    """

    def __init__(self, session: HandSession) -> None:
        self._session = session
        self.actions: dict[str, Action] = {
            **dict.fromkeys(drawing.ACTIONS, self._draw),
            "stamp": self._stamp,
            "rename_layer": self._rename_layer,
            "presets": self._presets,
            "create": self._create,
        }

    async def _draw(self, message: dict[str, Any]) -> None:
        session = self._session
        number = number_of(message)
        _, draft = session.opened()
        if session.ground is None:
            raise MalformedError("the level is not built yet")
        drawn = drawing.step_of(message, draft.hand, session.ground)
        session.draft = draft.draw(drawn, merge_of(message))
        session.drawn = number or session.drawn
        session.show()

    async def _stamp(self, message: dict[str, Any]) -> None:
        from exporter.studio.stamping import stamped

        session = self._session
        level, draft = session.opened()
        if session.ground is None:
            raise MalformedError("the level is not built yet")
        changes, drawn = stamped(
            draft, _text_of(message, "layer"), session.ground, level.name, level.path.parent
        )
        session.draft = draft.change(changes, level.name, "", drawn)
        session.show()

    async def _rename_layer(self, message: dict[str, Any]) -> None:
        from exporter.studio.stamping import renamed

        session = self._session
        level, draft = session.opened()
        old, new = _text_of(message, "layer"), _text_of(message, "name")
        changes, drawn = renamed(draft, old, new, level.name, level.path.parent)
        session.draft = draft.change(changes, level.name, "", drawn)
        session.show()

    async def _presets(self, _message: dict[str, Any]) -> None:
        from exporter.project.templates import level_template, level_template_names

        result = await asyncio.to_thread(lambda: [*map(level_template, level_template_names())])
        presets: list[Preset] = [{"name": item.name, "summary": item.summary} for item in result]
        self._session.tell({"event": "presets", "presets": presets})

    async def _create(self, message: dict[str, Any]) -> None:
        from exporter.project.new_level import create_level

        session = self._session
        name, preset = _text_of(message, "name"), _text_of(message, "preset")
        created = await asyncio.to_thread(create_level, session.files, name, preset)
        session.files.look()
        session.tell_levels()
        result = next((item for item in session.files.all() if item.path == created), None)
        id = result.id if result is not None else None
        session.tell({"event": "created", "level": id, "name": name})


def _text_of(message: dict[str, Any], key: str) -> str:
    value: str = message[key]
    if not 0 < len(value) <= 200:
        raise MalformedError(f"`{key}` is a short text")
    return value
