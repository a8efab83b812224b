"""Stop at the end of standard input, for programs that run the daemon.

A program that ends, however it ends, closes the pipe that it wrote to. So a daemon whose owner was
killed stops too, on every system, and its owner needs no signal to stop it.
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
    """Call `stop` when the input ends or has a line `stop`.

    Args:
        descriptor: The input. It is read unbuffered, because a buffer that a thread waits in cannot
            be torn down when Python ends.
        stop: Is called in another thread.
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
    """Wait for the end of an input or the line; False if it cannot be read."""
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
