"""Stop the daemon when its standard input ends.

A program that runs the daemon holds the other end of the pipe. When that program ends, or is
killed, the pipe closes and the daemon stops, on every system and without signals.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator

STOP = b"stop"
_READ_BYTES = 4096


@contextlib.contextmanager
def stopped_by_input(descriptor: int, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` during a `with` block if an input ends or has a line `stop`.

    Args:
        descriptor: The file descriptor of the input. It is read unbuffered, because a buffer that a
            thread waits in cannot be torn down when Python ends.
        stop: Ends the daemon; called in another thread.
    """
    left = threading.Event()

    def wait() -> None:
        if _read_until_stop(descriptor) and not left.is_set():
            stop()

    threading.Thread(target=wait, name="input", daemon=True).start()
    try:
        yield
    finally:
        left.set()


def _read_until_stop(descriptor: int) -> bool:
    """Wait until the input ends or has a line `stop`; then return True.

    Return False if the input cannot be read.
    """
    rest = b""
    while True:
        try:
            data = os.read(descriptor, _READ_BYTES)
        except OSError:
            return False
        *lines, rest = (rest + data).split(b"\n")
        if not data or STOP in (line.strip() for line in lines):
            return True
        rest = rest[-_READ_BYTES:]
