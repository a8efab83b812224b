"""A progress bar: one rewritten line on a terminal, nothing at all elsewhere."""

from __future__ import annotations

import sys
from time import monotonic

# Shorter work shows no bar: it would only flicker.
PROGRESS_AFTER = 0.5
BAR_WIDTH = 24


class ProgressBar:
    """How many of the levels are done."""

    def __init__(self) -> None:
        self._started = monotonic()
        self._shown = False

    def update(self, done: int, total: int) -> None:
        """Draw the bar, once the work has taken a moment."""
        if not sys.stderr.isatty() or total < 2:
            return
        if not self._shown and monotonic() - self._started < PROGRESS_AFTER:
            return
        self._shown = True
        filled = BAR_WIDTH * done // total
        bar = "#" * filled + "." * (BAR_WIDTH - filled)
        sys.stderr.write(f"\r[{bar}] {done}/{total} levels\x1b[K")
        sys.stderr.flush()
        if done == total:
            self.clear()

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
