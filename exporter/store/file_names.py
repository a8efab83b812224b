"""Refuse reserved file names for outputs, and name temporary files.

Outputs must not be written to folders of version control or to the exporter's state folder, nor
have the names of devices.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Sequence

from exporter.model.errors import OutsideError

# What belongs to version control and to ourselves.
_CLOSED = frozenset((".git", ".hg", ".svn", ".exporter"))
# The short names of Windows for the above.
_SHORT_NAME = re.compile(r"(?:git|hg|svn|export)~[0-9]+")
# Names that Windows reserves for devices, with any suffix.
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in "123456789"))
)
# Dot files are invisible to Godot and Unity, and `.tmp` to both.
_OURS = re.compile(r"\.level-exporter\.([0-9]{1,10})\.[0-9a-f]{16}\.tmp")


def reserved_name(parts: Sequence[str]) -> str | None:
    """Return the first of the path's `parts` that is reserved, or None."""
    for part in parts:
        # Some file systems do not see characters that have no width.
        seen = "".join(item for item in part if unicodedata.category(item) != "Cf")
        folded = seen.casefold().rstrip(". ")
        if (
            folded in _CLOSED
            or _SHORT_NAME.fullmatch(folded)
            or folded.partition(".")[0] in _DEVICES
        ):
            return part
    return None


def check_names(parts: Sequence[str], path: str) -> None:
    """Refuse a path with a part that outputs must not have.

    Args:
        parts: The folders and the name of the path.
        path: The whole path, for the message.

    Raises:
        OutsideError: One of `parts` is reserved.
    """
    name = reserved_name(parts)
    if name is not None:
        raise OutsideError(f"{path!r} is inside {name!r}, where outputs are not allowed")


def temporary_name() -> str:
    """Return a new random name for an unfinished file."""
    return f".level-exporter.{os.getpid()}.{os.urandom(8).hex()}.tmp"


def is_leftover(name: str) -> bool:
    """Return whether `name` is a temporary file of a process that has ended."""
    result = _OURS.fullmatch(name)
    return result is not None and not process_lives(int(result[1]))


def process_lives(process: int) -> bool:
    """Return whether another process with the id `process` is running."""
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
