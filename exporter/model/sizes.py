"""Parse and format file sizes: `20 kB`, `2 MiB`, or plain bytes."""

from __future__ import annotations

import re
from typing import Annotated, Any

UNITS = {"B": 1, "kB": 1000, "MB": 1000**2, "KiB": 1024, "MiB": 1024**2}
# More than any level has.
LARGEST_SIZE = 1 << 40
SIZE_RULE = f"a number of bytes, or a number with {', '.join([*UNITS][:-1])} or {[*UNITS][-1]}"
_PATTERN = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,6})?) ?([A-Za-z]+)")


class SizeRule:
    """Accepts a size: a whole number of bytes, or a text such as `20 kB`."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Parse sizes written as text; the error message has an example."""
        from pydantic_core import PydanticCustomError, core_schema

        def check(value: Any) -> int:
            size = bytes_of(value)
            if size is None:
                raise PydanticCustomError(
                    "size",
                    "{value} is not a size (allowed: {rule}, as in {example})",
                    {"value": repr(value), "rule": SIZE_RULE, "example": _meant(value)},
                )
            return size

        return core_schema.no_info_plain_validator_function(check)

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        units = "|".join(UNITS)
        return {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": LARGEST_SIZE},
                {"type": "string", "pattern": f"^[0-9]{{1,15}}(\\.[0-9]{{1,6}})? ?({units})$"},
            ]
        }


ByteSize = Annotated[int, SizeRule()]


def bytes_of(value: Any) -> int | None:
    """Return the size `value` in bytes, rounded down; None if malformed.

    >>> bytes_of("1.5 kB"), bytes_of(20), bytes_of("20 km")
    (1500, 20, None)
    """
    size: int | None = None
    if isinstance(value, int) and not isinstance(value, bool):
        size = value
    elif isinstance(value, str) and (match := _PATTERN.fullmatch(value)):
        whole, _, part = match[1].partition(".")
        factor = UNITS.get(match[2])
        if factor is not None:
            # In whole numbers: 0.3 has no exact value.
            size = (int(whole + part) * factor) // 10 ** len(part)
    return size if size is not None and 1 <= size <= LARGEST_SIZE else None


def _meant(value: Any) -> str:
    """Return the malformed size `value` with correct capitals, or an example."""
    match = _PATTERN.fullmatch(value) if isinstance(value, str) else None
    units = {unit.casefold(): unit for unit in UNITS}
    if match is not None and match[2].casefold() in units:
        return f"{match[1]} {units[match[2].casefold()]}"
    return "20 kB"


def size_text(size: int) -> str:
    """Format `size`, in bytes, with a suitable unit: `19.98 kB`.

    >>> size_text(999), size_text(19_976), size_text(2_500_000)
    ('999 B', '19.98 kB', '2.5 MB')
    """
    for unit in ("MB", "kB"):
        if size >= UNITS[unit]:
            return f"{size / UNITS[unit]:.2f}".rstrip("0").rstrip(".") + f" {unit}"
    return f"{size} B"
