"""Refuse reserved names: version control, our state, devices."""

from __future__ import annotations

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


def reserved_name(parts: Sequence[str]) -> str | None:
    """Return the first part of a path that no output may have, or None."""
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
    """Refuse paths into version control or into our state folder.

    Raises:
        OutsideError: It does.
    """
    name = reserved_name(parts)
    if name is not None:
        raise OutsideError(f"{path!r} leads into {name!r}, where no outputs may lie")
