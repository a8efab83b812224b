"""Signal that files may have changed, with the paths that events named.

The operating system's events are hints only: some get lost (a full queue, a limit on watches, a
link, a network drive), and editors cause odd sequences of them. So a scan of the files decides what
changed, and also runs periodically. The signal adds speed: building may begin with the named paths,
before the scan.
"""

from __future__ import annotations

import contextlib
import multiprocessing
from time import monotonic

# Limit of stored paths; further changes are found by the scan of all files.
MAXIMUM_PATHS = 64


class ChangeSignal:
    """A thread-safe signal that files of the project may have changed.

    Attributes:
        channel: Readable while the signal is set, so that a selector can wait for it.
        last: When the signal was last set, in seconds of the monotonic clock; minus infinity before
            that.
        last_event: When an event of the operating system last set the signal.
        is_set: Whether the signal was set since it was last cleared.
        paths: The paths that events have named since the signal was cleared; others may have
            changed, too.
        is_complete: Whether the last event ended a save: a written file was closed, or moved to its
            final name.
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
        """Set the signal for an event that named the absolute `paths`.

        `complete`: whether the event ended a save, as when a written file is closed.
        """
        self.last_event = monotonic()
        self.is_complete = complete
        if paths and len(self.paths) < MAXIMUM_PATHS:
            self.paths = (*self.paths, *(path for path in paths if path not in self.paths))
        self.set()

    def clear(self) -> None:
        """Clear the signal; call this before a scan, so that no change is missed."""
        while self.channel.poll():
            self.channel.recv_bytes()
        self.is_set = False
        self.is_complete = False
        self.paths = ()

    def close(self) -> None:
        """Close the channel; the signal cannot be used any more."""
        self.channel.close()
        self._sender.close()
