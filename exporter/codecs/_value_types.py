"""The types of values in a tree, and decimals that are told exactly."""

from __future__ import annotations

from math import isfinite
from typing import Any

from exporter.codecs._value_model import (
    COLOR6,
    COLOR8,
    DECIMAL,
    FALSE,
    FLOAT,
    INTEGER,
    LIST,
    LONG,
    MAP,
    NULL,
    TEXT,
    TRUE,
)

LONGEST_INTEGER = 1 << 61
_HEX = frozenset("0123456789abcdef")


def decimal_of(value: float) -> tuple[int, int] | None:
    """Return (mantissa, digits) with mantissa / 10^digits == value, or None."""
    if not isfinite(value) or abs(value) >= 1 << 53:
        return None
    if value == 0:
        return None if str(value).startswith("-") else (0, 0)
    whole, _, exponent = repr(value).partition("e")
    front, _, back = whole.partition(".")
    back = "" if back == "0" else back
    digits = len(back) - int(exponent or 0)
    if digits < 0:
        return (int(value), 0)
    mantissa = int(front + back)
    if digits > 15 or abs(mantissa) >= 1 << 53 or mantissa / 10**digits != value:
        return None
    return mantissa, digits


def type_of(value: Any) -> int:
    """Return the type number of a plain value."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, int):
        return INTEGER if abs(value) < LONGEST_INTEGER else LONG
    if isinstance(value, float):
        return FLOAT if decimal_of(value) is None else DECIMAL
    if isinstance(value, str):
        if len(value) in (7, 9) and value[0] == "#" and _HEX.issuperset(value[1:]):
            return COLOR6 if len(value) == 7 else COLOR8
        return TEXT
    return LIST if isinstance(value, list) else MAP
