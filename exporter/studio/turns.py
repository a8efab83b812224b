"""Let threads take shorter turns, so that a busy one delays others less."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_TURN_SECONDS = 0.0005


@contextmanager
def short_turns() -> Iterator[None]:
    """Switch between threads more often during a `with` block.

    So imports in one thread delay the server's sockets less.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
