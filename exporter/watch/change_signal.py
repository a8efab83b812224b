"""Signal that files may have changed, with the paths that events named.

The operating system's events are hints only: some get lost (a full queue, a limit on watches, a
link, a network drive), and editors cause odd sequences of them. So a scan of the files decides
what changed, and also runs periodically. The signal adds speed: building may begin with the named
paths, before the scan.
"""

from __future__ import annotations

import contextlib
import multiprocessing
from time import monotonic

# Limit of stored paths: beyond it all files are checked anyway.
MAXIMUM_PATHS = 64


class ChangeSignal:
    """A thread-safe signal that files may have changed.

    Attributes:
        channel: Readable while the signal is set; a selector can wait for it.
        last: When it was last set, on the monotonic clock; minus infinity before that.
        last_event: When an event of the system last set the signal.
        is_set: Whether the signal was set since it was last cleared.
        paths: Paths that events have named since it was cleared; others may have changed, too.
        is_complete: Whether the last event ended a save: a written file was closed, or moved to
            its final name.
    """

    def __init__(self) -> None:
        self.channel, self._sender = multiprocessing.Pipe(duplex=False)
        self.last = float("-inf")
        self.last_event = float("-inf")
        self.is_set = False
        self.paths: tuple[str, ...] = ()
        self.is_complete = False

    def set(self) -> None:
        """Set the signal; any thread and signal handlers may call this."""
        self.last = monotonic()
        if not self.is_set:
            self.is_set = True
            with contextlib.suppress(OSError):
                self._sender.send_bytes(b"!")

    def set_by_event(self, *paths: str, complete: bool = False) -> None:
        """Set the signal for an event of the system, with its absolute paths."""
        self.last_event = monotonic()
        self.is_complete = complete
        if paths and len(self.paths) < MAXIMUM_PATHS:
            self.paths = (*self.paths, *(path for path in paths if path not in self.paths))
        self.set()

    def clear(self) -> None:
        """Clear the signal; scan the files only after this."""
        while self.channel.poll():
            self.channel.recv_bytes()
        self.is_set = False
        self.is_complete = False
        self.paths = ()

    def close(self) -> None:
        """Close the channel."""
        self.channel.close()
        self._sender.close()
