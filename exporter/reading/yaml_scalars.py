"""Interpret unquoted YAML 1.2 values; warn where other readers differ."""

from __future__ import annotations

import math
import re
from typing import Any

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9_]+|0o[0-7]+")
_UNDERSCORED = re.compile(r"[-+]?[0-9][0-9_]*_[0-9_]*")
_YES_NO = {"yes": "true", "on": "true", "no": "false", "off": "false"}


def plain_scalar(text: str) -> tuple[Any, str]:
    """Interpret the unquoted value `text` by the YAML 1.2 core rules.

    Return the value, and a message if other YAML readers take the text for another value (else "").
    """
    if text in ("", "~", "null", "Null", "NULL"):
        return None, ""
    if text in ("true", "True", "TRUE"):
        return True, ""
    if text in ("false", "False", "FALSE"):
        return False, ""
    if text.lower() in _YES_NO:
        meant = _YES_NO[text.lower()]
        return (
            text,
            f"{text!r} can be read as {meant} "
            f"(if it is text, write '{text}' in quotes, else write {meant})",
        )
    if _LEADING_ZERO.fullmatch(text):
        digits = text.lstrip("+-0o").replace("_", "") or "0"
        return text, (
            f"{text} is an octal number to some YAML readers "
            f"(write {digits}, or '{text}' in quotes)"
        )
    if _INTEGER.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
        return _integer(text)
    if _UNDERSCORED.fullmatch(text):
        return (
            text,
            f"{text} has underscores (write {text.replace('_', '')}, or '{text}' in quotes)",
        )
    if _NOT_FINITE.fullmatch(text):
        return text, f"{text} is not a finite number"
    if _FLOAT.fullmatch(text):
        number = float(text)
        return (number, "") if math.isfinite(number) else (0.0, f"{text} is too large a number")
    return text, ""


def plainly_meant(text: str) -> Any:
    """Return the likely meaning of `text`, an ambiguous unquoted value.

    For example `yes` is true, and `1_000` is 1000. Any other text is returned unchanged.
    """
    if text.lower() in _YES_NO:
        return _YES_NO[text.lower()] == "true"
    if _LEADING_ZERO.fullmatch(text) or _UNDERSCORED.fullmatch(text):
        digits = text.replace("_", "").lstrip("+-0o") or "0"
        return plain_scalar(f"-{digits}" if text.startswith("-") else digits)[0]
    return text


def _integer(text: str) -> tuple[int, str]:
    # 20 characters hold every 64-bit number; longer text need not be converted to be refused.
    number = int(text, 0) if len(text) <= 20 else 1 << 64
    if -(1 << 63) <= number < 1 << 63:
        return number, ""
    displayed = text if len(text) <= 24 else f"{text[:20]}..."
    return 0, f"{displayed} does not fit in 64 bits"
