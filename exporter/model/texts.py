"""Quote and clean texts, find unused names, and format numbers."""

from __future__ import annotations

import json
import re

# XML 1.0 cannot write these, not even escaped; Godot ends a text at U+0000 and loads no scene with
# it; lone surrogates are not text at all, and UTF-8 cannot hold them.
NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def character_name(character: str) -> str:
    """Return the code point of `character`, as in `U+0000`."""
    return f"U+{ord(character):04X}"


def writable(text: str) -> str:
    """Replace characters of `text` that cannot be written to files by U+FFFD."""
    return NOT_TEXT.sub("\ufffd", text)


# Text that every reader of YAML reads as text, inside brackets too.
_PLAIN = re.compile(r"(?:\.{1,2}/)*[A-Za-z_](?:[\w./+-]| (?=[\w.]))*")
# Words that are no texts to readers of YAML.
MISREAD = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"})


def flow_text(text: str) -> str:
    """Format `text` as a YAML value, quoted if needed.

    The result is also valid inside the brackets of a YAML list or mapping.
    """
    if _PLAIN.fullmatch(text) and text.lower() not in MISREAD:
        return text
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return json.dumps(text)


def unused_name(name: str, used: set[str], next_numbers: dict[str, int] | None = None) -> str:
    """Return `name`, with a number if it is in `used`, and add it to `used`.

    `next_numbers` remembers, for each name, the first number to try; pass the same mapping again,
    so that thousands of equal names are fast.
    """
    numbers = {} if next_numbers is None else next_numbers
    expected, number = name, numbers.get(name, 2)
    while expected in used:
        expected, number = f"{name}_{number}", number + 1
    numbers[name] = number
    used.add(expected)
    return expected


def count(number: int, what: str) -> str:
    """Format `number` with the noun `what`: `1 file`, `2 files`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def duration(seconds: float) -> str:
    """Format a time in `seconds`: `12 ms`, `14.2 s`."""
    return f"{seconds * 1000:.0f} ms" if seconds < 10 else f"{seconds:.1f} s"
