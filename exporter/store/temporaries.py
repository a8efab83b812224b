"""Name temporary files, and recognise leftover ones."""

from __future__ import annotations

import os
import re

# Dot files are invisible to Godot and Unity, and `.tmp` to both.
_OURS = re.compile(r"\.level-exporter\.([0-9]{1,10})\.[0-9a-f]{16}\.tmp")


def temporary_name() -> str:
    """Return a new, unpredictable name for an unfinished file."""
    return f".level-exporter.{os.getpid()}.{os.urandom(8).hex()}.tmp"


def is_leftover(name: str) -> bool:
    """Return whether a name is a temporary file's of an ended process."""
    result = _OURS.fullmatch(name)
    return result is not None and not process_lives(int(result[1]))


def process_lives(process: int) -> bool:
    """Whether another process with this number runs."""
    if process == os.getpid():
        return False  # a leftover of an earlier process with the same number
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
