"""Refuse reserved names of output files, and name temporary files.

Outputs must not lie in folders of version control or in the exporter's state folder, nor have names
that Windows reserves for devices.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Sequence

from exporter.model.errors import OutsideError

# Folders of version control and of the exporter itself.
_CLOSED = frozenset((".git", ".hg", ".svn", ".exporter"))
# The short (8.3) names that Windows gives these folders.
_SHORT_NAME = re.compile(r"(?:git|hg|svn|export)~[0-9]+")
# Names that Windows reserves for devices, with any suffix.
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in "123456789"))
)
# Dot files are invisible to Godot and Unity, and `.tmp` to both.
_OURS = re.compile(r"\.level-exporter\.([0-9]{1,10})\.[0-9a-f]{16}\.tmp")


def reserved_name(parts: Sequence[str]) -> str | None:
    """Return the first of `parts` that an output's path must not have.

    `parts` are the folders and the file name. Reserved are folders of version control such as
    `.git`, the exporter's state folder, and names of Windows devices. None if no part is reserved.
    """
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
    """Raise an error if an output must not have one of `parts` in its path.

    `parts` are the folders and the file name of `path`.

    Raises:
        OutsideError: One of `parts` is reserved, such as `.git` or a name of a Windows device.
    """
    name = reserved_name(parts)
    if name is not None:
        raise OutsideError(f"{path!r} is inside {name!r}, where outputs are not allowed")


def temporary_name() -> str:
    """Return a new random name for an unfinished file."""
    return f".level-exporter.{os.getpid()}.{os.urandom(8).hex()}.tmp"


def is_leftover(name: str) -> bool:
    """Return whether `name` is an unfinished file of a process that ended.

    Only names from `temporary_name` count.
    """
    result = _OURS.fullmatch(name)
    return result is not None and not process_lives(int(result[1]))


def process_lives(process: int) -> bool:
    """Return whether another process with the id `process` may be running.

    Always True on Windows, where this is not checked.
    """
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
