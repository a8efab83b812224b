"""Retry file operations while other programs hold the file open.

On Windows an open file cannot be replaced or removed, and engines, virus scanners and indexers open
each new file for a moment. Some network drives behave alike on other systems.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from pathlib import Path

from exporter.model.errors import HeldError, StoreError

ATTEMPTS = 20
PAUSE = 0.05
# Windows' error codes: access denied, sharing violation, lock violation.
_HELD_ON_WINDOWS = (5, 32, 33)
_HELD_ELSEWHERE = (errno.EBUSY, errno.ETXTBSY)


def is_held(error: OSError) -> bool:
    """Return whether `error` means that another program has the file open."""
    number = getattr(error, "winerror", None)
    return number in _HELD_ON_WINDOWS if number else error.errno in _HELD_ELSEWHERE


def insist(action: Callable[[], None]) -> None:
    """Run the file operation `action`; retry briefly if the file is held open.

    Raises:
        OSError: The operation failed; `is_held` says whether a later retry may succeed.
    """
    for attempt in range(ATTEMPTS):
        try:
            action()
            return
        except OSError as error:
            if not is_held(error) or attempt == ATTEMPTS - 1:
                raise
            time.sleep(PAUSE)


def refused(error: OSError, path: Path | str) -> StoreError:
    """Return a `StoreError` that says why the file system refused `path`.

    `error` is what the file system raised.
    """
    if is_held(error):
        return HeldError(f"{path} is held open by another program, or is read-only")
    return StoreError(f"{path}: {error.strerror or error}")
