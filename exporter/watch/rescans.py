"""Plan periodic scans of the files, for at most 0.125 % of one CPU.

Events of changes get lost, so the specs are scanned periodically, and the outputs less often. The
longer a scan takes, the longer the pause after it.
"""

from __future__ import annotations

from exporter.model.lazy_dataclass import dataclass

PAUSE_SECONDS = 2.0
PAUSE_FACTOR = 800
POLL_SECONDS = 0.25
POLL_FACTOR = 50


@dataclass(slots=True)
class Rescans:
    """The times of the next scans.

    Attributes:
        next: When to scan the specs, in monotonic seconds.
        next_full: When to scan the outputs, too.
        seconds: How long the last scan of the specs took.
        full_seconds: How long the last scan of everything took.
    """

    next: float = float("-inf")
    next_full: float = float("-inf")
    seconds: float = 0.0
    full_seconds: float = 0.0

    def is_full(self, now: float) -> bool:
        """Return whether a scan now includes the outputs."""
        return now >= self.next_full

    def note(self, full: bool, seconds: float) -> None:
        """Record how long a scan took, in seconds."""
        if full:
            self.full_seconds = seconds
        else:
            self.seconds = seconds

    def plan(self, now: float, *, full: bool, polling: bool) -> None:
        """Plan the next scans after one that just ended.

        Args:
            now: The time.
            full: Whether it was a full scan.
            polling: Whether scans are the only way to notice a change.
        """
        if full:
            self.next_full = now + max(PAUSE_SECONDS, PAUSE_FACTOR * self.full_seconds)
        pause = max(PAUSE_SECONDS, PAUSE_FACTOR * self.seconds)
        if polling:
            pause = max(POLL_SECONDS, POLL_FACTOR * self.seconds)
        self.next = min(now + pause, self.next_full)
