"""Handle requests for views: what the page shows besides the level."""

from __future__ import annotations

import asyncio
from typing import Any

from exporter.model.limits import MAXIMUM_WORLD_SIDE
from exporter.studio.comparing import ComparisonActions
from exporter.studio.events import ListedOverlayData
from exporter.studio.request_checks import Action, MalformedError
from exporter.studio.session_builds import TabSession
from exporter.studio.views import OverlayView, ProvenMoveView, StepsView, StudioView

# Longer than any name of an overlay with the name of an object behind it, or of a layer.
MAXIMUM_LENGTH = 300


class ViewActions:
    """Handles the requests of one session for views of its level.

    Attributes:
        actions: The handler of each request, by the name of the request (`do`).
    """

    def __init__(self, session: TabSession) -> None:
        self._session = session
        self.comparisons = ComparisonActions(session)
        self.actions: dict[str, Action] = {
            "overlay": self._choose_overlay,
            "overlays": self._send_overlays,
            "steps": self._choose_steps,
            "area": self._look_at,
            "overview": self._send_overview,
            "pieces": self._show_pieces,
            "prove_move": self._prove_move,
            "model": self._show_model,
            **self.comparisons.actions,
        }

    async def _choose_overlay(self, message: dict[str, Any]) -> None:
        self._session.opened()
        name = overlay_of(message)
        self._session.builds.want("overlay", OverlayView(name) if name else None)

    async def _send_overlays(self, _message: dict[str, Any]) -> None:
        overlays = await asyncio.to_thread(known_overlays)
        self._session.send({"event": "overlays", "overlays": overlays})

    async def _look_at(self, message: dict[str, Any]) -> None:
        self._session.opened()
        place, size = message["place"], message["size"]
        if min(*place, *size) < 0 or max(*place, *size) > MAXIMUM_WORLD_SIDE:
            raise MalformedError(f"an area lies from 0 to {MAXIMUM_WORLD_SIDE}")
        self._session.builds.look_at((*place, *size))

    async def _send_overview(self, _message: dict[str, Any]) -> None:
        self._session.opened()
        self._session.builds.once("overview", StudioView("overview"))

    async def _choose_steps(self, message: dict[str, Any]) -> None:
        self._session.opened()
        layer: str | None = message["layer"]
        if layer is not None and len(layer) > MAXIMUM_LENGTH:
            raise MalformedError(
                f"`layer` of steps does not fit (at most {MAXIMUM_LENGTH} characters)"
            )
        self._session.builds.want("steps", None if layer is None else StepsView(layer))

    async def _show_pieces(self, message: dict[str, Any]) -> None:
        self._session.builds.want("pieces", StudioView("pieces") if message["on"] else None)

    async def _prove_move(self, message: dict[str, Any]) -> None:
        to = message["to"]
        view = None if to is None else ProvenMoveView(message["id"], (to[0], to[1]))
        self._session.builds.want("proven_move", view)

    async def _show_model(self, message: dict[str, Any]) -> None:
        self._session.builds.want("model", StudioView("model") if message["on"] else None)


def known_overlays() -> list[ListedOverlayData]:
    """Return all overlays that levels can have, with their arguments."""
    from exporter.measures import overlays

    return [
        {"name": name, "summary": item.summary, "argument": "".join(item.arguments)}
        for name, item in overlays().items()
    ]


def overlay_of(message: dict[str, Any]) -> str:
    """Return the overlay that a request names, `NAME[:ARGUMENT]`; "" for none.

    An unknown name is reported later, when the overlay is computed.

    Raises:
        MalformedError: The text is too long.
    """
    name: str | None = message["name"]
    if name is not None and not 0 < len(name) <= MAXIMUM_LENGTH:
        raise MalformedError(f"`name` of overlay does not fit (1 to {MAXIMUM_LENGTH} characters)")
    return name or ""
