"""Overlays as the page asks for them: which there are, and which one is wanted."""

from __future__ import annotations

from typing import Any

from exporter.studio.messages import MalformedError

# Longer than any name of an overlay with the name of an object behind it.
MAXIMUM_LENGTH = 300


def known_overlays() -> list[dict[str, str]]:
    """Return the overlays by name: what each shows, and what follows its name."""
    from exporter.overlays import OVERLAYS

    return [
        {"name": name, "summary": one.summary, "argument": one.argument}
        for name, one in OVERLAYS.all().items()
    ]


def overlay_of(message: dict[str, Any]) -> str:
    """Return the overlay that a message wants, `NAME` or `NAME:ARGUMENT`; empty for none.

    Whether there is such a one is told with the overlay.

    Raises:
        MalformedError: It is none that could be.
    """
    name = message.get("name")
    if name is None:
        return ""
    if not isinstance(name, str) or not 0 < len(name) <= MAXIMUM_LENGTH:
        raise MalformedError(f"`name` is null or a text of 1 to {MAXIMUM_LENGTH} characters")
    return name
