"""Plan periodic scans of the files, for at most 0.125 % of one CPU.

Events of changes get lost, so the specs are scanned periodically, and the outputs less often. The
longer a scan takes, the longer the pause after it. Only without events, scans are more frequent.
"""

from __future__ import annotations

from exporter.model.lazy_dataclass import dataclass

PAUSE_SECONDS = 2.0
PAUSE_FACTOR = 800
POLL_SECONDS = 0.25
POLL_FACTOR = 50


@dataclass(slots=True)
class Rescans:
    """The times of the next scans, and how long the last ones took.

    A full scan reads the outputs, too; a plain scan only the inputs.

    Attributes:
        next: When to scan next, in seconds of the monotonic clock.
        next_full: When to make a full scan.
        seconds: How long the last plain scan took.
        full_seconds: How long the last full scan took.
    """

    next: float = float("-inf")
    next_full: float = float("-inf")
    seconds: float = 0.0
    full_seconds: float = 0.0

    def is_full(self, now: float) -> bool:
        """Return whether a scan at the time `now` should be a full one."""
        return now >= self.next_full

    def note(self, full: bool, seconds: float) -> None:
        """Record that a scan, plain or `full`, took this many seconds."""
        if full:
            self.full_seconds = seconds
        else:
            self.seconds = seconds

    def plan(self, now: float, *, full: bool, polling: bool) -> None:
        """Set the times of the next scans, after one that ended at `now`.

        `full`: whether that scan was a full one. `polling`: whether scans are the only way to
        notice a change, because there are no system events.
        """
        if full:
            self.next_full = now + max(PAUSE_SECONDS, PAUSE_FACTOR * self.full_seconds)
        pause = max(PAUSE_SECONDS, PAUSE_FACTOR * self.seconds)
        if polling:
            pause = max(POLL_SECONDS, POLL_FACTOR * self.seconds)
        self.next = min(now + pause, self.next_full)
