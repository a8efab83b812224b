"""Numbers in sentences."""

from __future__ import annotations


def count(number: int, what: str) -> str:
    """Return a number of things: `1 file`, `2 files`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def duration(seconds: float) -> str:
    """Return a duration: `12 ms`, `14.2 s`."""
    return f"{seconds * 1000:.0f} ms" if seconds < 10 else f"{seconds:.1f} s"
