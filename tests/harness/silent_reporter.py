"""A reporter that keeps its events."""

from __future__ import annotations

from exporter.export.events import Event


class SilentReporter:
    """Keeps every event, in order."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def report(self, event: Event) -> None:
        """Keep one event."""
        self.events.append(event)
