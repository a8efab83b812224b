"""Decide when to scan after a change: early, and after the save has ended."""

from __future__ import annotations

from exporter.model.lazy_dataclass import dataclass

# Quiet time after the last event before anything is stored; longer while a spec is missing or
# wrong, as in the middle of a save, and never beyond the longest wait, however busy the folder.
DEBOUNCE_SECONDS = 0.04
# The same after a file was closed or moved to its name: the end of most saves.
COMPLETE_SECONDS = 0.015
UNSETTLED_SECONDS = 0.1
LONGEST_WAIT = 0.3
# When the early scan follows an event: by then most editors have written their few kilobytes. After
# the end of a save it is made at once.
EARLY_SECONDS = 0.004
MAXIMUM_EARLY_LOOKS = 3


@dataclass(slots=True)
class PendingChange:
    """A noticed change whose save may not have ended yet.

    Times are seconds of the monotonic clock. An early scan starts builds before files have been
    quiet long enough to store results.

    Attributes:
        began: When the change was noticed.
        early_looks: How many early scans were made.
        looked_early: When the last early scan was made.
        unsettled: Whether a spec was missing or faulty, as in the middle of a save; then the quiet
            time is longer.
    """

    began: float
    early_looks: int = 0
    looked_early: float = float("-inf")
    unsettled: bool = False

    def debounced_at(self, last_signal: float, *, complete: bool = False) -> float:
        """Return when the save counts as ended, unless another event comes.

        `last_signal` is the time of the last event; `complete`: whether that event ended a save.
        """
        silent = COMPLETE_SECONDS if complete else DEBOUNCE_SECONDS
        silent = UNSETTLED_SECONDS if self.unsettled else silent
        return min(max(last_signal, self.began) + silent, self.began + LONGEST_WAIT)

    def early_at(self, last_signal: float, *, complete: bool = False) -> float:
        """Return the time of the next early scan; infinity if none is due.

        `last_signal` is the time of the last event; `complete`: whether that event ended a save.
        """
        seen = self.looked_early >= last_signal
        if seen or self.early_looks >= MAXIMUM_EARLY_LOOKS:
            return float("inf")
        return last_signal if complete else last_signal + EARLY_SECONDS

    def note_early_look(self, now: float) -> None:
        """Record that an early scan was made at the time `now`."""
        self.early_looks += 1
        self.looked_early = now
