"""Signal possible changes from system events, with paths to check.

Events get lost (a full queue, a limit on watches, a link, a network drive) and editors cause the
strangest sequences of them, so their paths are never relied on: the scan of the files decides, and
is also made periodically. What the signal adds is speed: building may begin with the paths that
were announced, before the scan.
"""

from __future__ import annotations

import contextlib
import multiprocessing
from time import monotonic

# Limit of stored paths: beyond it all files are checked anyway.
MAXIMUM_PATHS = 64


class ChangeSignal:
    """Set when something may have changed; `channel` can be waited for.

    Attributes:
        channel: Ready while the signal is set.
        last: When it was last set, on the monotonic clock; minus infinity before that.
        last_event: When an event of the system last set it.
        is_set: Whether it was set since it was cleared.
        paths: The paths that events have named since it was cleared; never all that changed.
        is_complete: Whether the last event was a file's closing after it was written, or its move
            to its name, so that a save has probably ended.
    """

    def __init__(self) -> None:
        self.channel, self._sender = multiprocessing.Pipe(duplex=False)
        self.last = float("-inf")
        self.last_event = float("-inf")
        self.is_set = False
        self.paths: tuple[str, ...] = ()
        self.is_complete = False

    def set(self) -> None:
        """Set it; may be called from any thread and from signal handlers."""
        self.last = monotonic()
        if not self.is_set:
            self.is_set = True
            with contextlib.suppress(OSError):
                self._sender.send_bytes(b"!")

    def set_by_event(self, *paths: str, complete: bool = False) -> None:
        """Set it because of an event, which may name absolute paths."""
        self.last_event = monotonic()
        self.is_complete = complete
        if paths and len(self.paths) < MAXIMUM_PATHS:
            self.paths = (*self.paths, *(path for path in paths if path not in self.paths))
        self.set()

    def clear(self) -> None:
        """Clear the signal; look for the announced changes only after this."""
        while self.channel.poll():
            self.channel.recv_bytes()
        self.is_set = False
        self.is_complete = False
        self.paths = ()

    def close(self) -> None:
        """Close the channel."""
        self.channel.close()
        self._sender.close()
