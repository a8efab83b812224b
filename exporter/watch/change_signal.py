"""The change signal: system events say that something may have changed, never what.

Events get lost (a full queue, a limit on watches, a link, a network drive) and editors cause the
strangest sequences of them, so their paths are not used: the scan of the files decides, and is
also made periodically. What the signal adds is speed.
"""

from __future__ import annotations

import contextlib
import multiprocessing
from time import monotonic


class ChangeSignal:
    """Set when something may have changed; `channel` can be waited for.

    Attributes:
        channel: Ready while the signal is set.
        last: When it was last set, on the monotonic clock; minus infinity before that.
        last_event: When an event of the system last set it.
        is_set: Whether it was set since it was cleared.
    """

    def __init__(self) -> None:
        self.channel, self._sender = multiprocessing.Pipe(duplex=False)
        self.last = float("-inf")
        self.last_event = float("-inf")
        self.is_set = False

    def set(self) -> None:
        """Set it; may be called from any thread and from signal handlers."""
        self.last = monotonic()
        if not self.is_set:
            self.is_set = True
            with contextlib.suppress(OSError):
                self._sender.send_bytes(b"!")

    def set_by_event(self) -> None:
        """Set it because of an event."""
        self.last_event = monotonic()
        self.set()

    def clear(self) -> None:
        """Clear it; what it announced must be looked for after this."""
        while self.channel.poll():
            self.channel.recv_bytes()
        self.is_set = False

    def close(self) -> None:
        """Close the channel."""
        self.channel.close()
        self._sender.close()
