"""Detect that git is changing the project's files, so that exports wait."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic

# Wait for a running checkout, but not for a lock that a dead one left behind.
CHECKOUT_SECONDS = 10.0


class Checkout:
    """Watches for the lock file of the git repository around a project."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock: tuple[tuple[int, int], float] | None = None

    def is_running(self) -> bool:
        """Return whether git is changing files: whether its index lock exists.

        A lock older than 10 s is ignored: it was left by a git that died. The age of a lock counts
        from the first call that found it.
        """
        for folder in (self.root, *self.root.parents):
            if (folder / ".git").exists():
                break
        try:
            status = os.stat(folder / ".git" / "index.lock")
        except OSError:
            return False
        identity = (status.st_ino, status.st_mtime_ns)
        now = monotonic()
        if self._lock is None or self._lock[0] != identity:
            self._lock = (identity, now)
        return now < self._lock[1] + CHECKOUT_SECONDS
