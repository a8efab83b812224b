"""Refuse texts that would take too much memory to parse, beforehand.

A parser makes objects that take many times the bytes of the text. The number of objects follows
from counting a few characters, and the memory of each was measured for each parser. A text within
the limit takes at most seconds and some hundred megabytes.
"""

from __future__ import annotations

from collections.abc import Mapping

# Limit of memory, in bytes, for everything that is parsed from one text.
BUDGET = 256_000_000
# The cost of characters in each language: the bytes of the objects that a parser creates.
# The reader of XML creates no element for a cell of Tiled.
XML: Mapping[bytes, int] = {b"<": 50, b"=": 200, b"\n": 16, b"<tile gid=": -190}
JSON: Mapping[bytes, int] = {b",": 64, b":": 96, b"{": 100, b"[": 100}
YAML: Mapping[bytes, int] = {b",": 500, b":": 500, b"\n": 500, b"[": 500, b"{": 500}
CSV: Mapping[bytes, int] = {b",": 400, b"\n": 400}
# Values of tables are checked one by one.
JSON_TABLE: Mapping[bytes, int] = {b",": 400, b"{": 100, b"[": 100}
# The first byte of a character that Python keeps in four bytes, as all others of its text.
_FOUR_BYTES = tuple(bytes([first]) for first in range(0xF0, 0xF5))


def over_budget(content: bytes, costs: Mapping[bytes, int]) -> str:
    """Return why parsing `content` would take too much memory, or "".

    `content` is in UTF-8. `costs` has the characters that make the parser create an object, and the
    bytes of memory of each object.
    """
    spent = sum(content.count(mark) * cost for mark, cost in costs.items())
    # The text itself, and once more as the texts in it.
    width = 1 if content.isascii() else 4 if any(item in content for item in _FOUR_BYTES) else 2
    if spent + 2 * width * len(content) <= BUDGET:
        return ""
    return (
        "holds too much: reading it would take more than "
        f"{BUDGET // 1_000_000} MB of memory (divide it into smaller files)"
    )
