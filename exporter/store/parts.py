"""Name the manifest entries of a world's parts, like specs.

So a part is committed like a level, completely or not at all, and finished parts stay. The key of
such an entry cannot be a path.
"""

from __future__ import annotations

from collections.abc import Iterable

_SEPARATOR = "\n"


def part_key(spec: str, column: int, row: int) -> str:
    """Return the key of a part's entry.

    Args:
        spec: The path of the world's spec.
        column: The part's place from the left.
        row: Its place from the top.
    """
    return f"{spec}{_SEPARATOR}{column}_{row}"


def position_of(key: str) -> tuple[int, int]:
    """Return a part's column and row; (-1, -1) for a damaged entry."""
    column, _, row = key.partition(_SEPARATOR)[2].partition("_")
    return (int(column), int(row)) if column.isdecimal() and row.isdecimal() else (-1, -1)


def is_part(key: str) -> bool:
    """Whether an entry is that of a part of a world."""
    return _SEPARATOR in key


def spec_of(key: str) -> str:
    """Return the path of the spec that an entry is about."""
    return key.partition(_SEPARATOR)[0]


def parts_by_spec(keys: Iterable[str]) -> dict[str, list[str]]:
    """Return the keys of parts, row by row, by the specs of their worlds."""
    result: dict[str, list[str]] = {}
    for key in keys:
        if is_part(key):
            result.setdefault(spec_of(key), []).append(key)
    for parts in result.values():
        parts.sort(key=lambda key: position_of(key)[::-1])
    return result
