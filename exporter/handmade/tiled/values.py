"""Check single values of a Tiled file; in XML, numbers are text."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from exporter.handmade.tiled.limits import (
    MAXIMUM_NAME,
    MAXIMUM_POSITION,
    MAXIMUM_PROPERTIES,
    MAXIMUM_TEXT,
    SAVE_AGAIN,
    TiledError,
)
from exporter.model.level_values import Scalar
from exporter.model.texts import NOT_TEXT

Document = Mapping[str, Any]

_INTEGER = re.compile(r"[+-]?[0-9]{1,19}")
# Kinds of properties with a plain value; others are references, or have members.
_PLAIN = frozenset({"string", "int", "float", "bool", "color", "file"})
_LARGEST = 1 << 63


def integer(document: Document, key: str, default: int | None = None) -> int:
    """Return the whole number at `key`, or `default` if it is missing.

    Raises:
        TiledError: The value is missing without a default, or is no integer.
    """
    value = document.get(key, default)
    if isinstance(value, str) and _INTEGER.fullmatch(value):
        return int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if value is None:
        raise TiledError(f"lacks `{key}`")
    raise TiledError(f"has `{key}` {_value_text(value)}, which is not a whole number")


def between(document: Document, key: str, least: int, most: int, default: int | None = None) -> int:
    """Return the whole number at `key`, from `least` to `most`.

    If it is missing, return `default`.

    Raises:
        TiledError: The value is no integer, or out of the range.
    """
    value = integer(document, key, default)
    if not least <= value <= most:
        raise TiledError(f"has `{key}` {_value_text(value)} (allowed: {least} to {most})")
    return value


def coordinate(document: Document, key: str) -> float:
    """Return the number of pixels or degrees at `key`; 0 if missing.

    Raises:
        TiledError: The value is no number, or much too large.
    """
    value = number(document.get(key, 0.0))
    if value is None or abs(value) > MAXIMUM_POSITION:
        raise TiledError(
            f"has `{key}` {_value_text(document.get(key))}, which is not a valid position or angle"
        )
    return value


def number(value: Any) -> float | None:
    """Return `value`, a number or its text, as a float.

    Return None if it is something else, or not finite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        result = float(value)
    except (ValueError, OverflowError):
        return None
    return result if math.isfinite(result) else None


def text(document: Document, key: str) -> str:
    """Return the name or short text at `key`; "" if missing.

    Raises:
        TiledError: The value is no text, too long, or has invalid characters.
    """
    value = document.get(key, "")
    if not isinstance(value, str) or len(value) > MAXIMUM_NAME or NOT_TEXT.search(value):
        raise TiledError(
            f"has `{key}` {_value_text(value)}, which is not a valid text (allowed: at most "
            f"{MAXIMUM_NAME} characters)"
        )
    return value


def class_of(document: Document) -> str:
    """Return an object's or tile's class: `class` in Tiled 1.9, else `type`."""
    return text(document, "type") or text(document, "class")


def truth(document: Document, key: str) -> bool:
    """Return the boolean at `key` (1 or 0 in XML); False if it is missing."""
    return document.get(key) in (True, "1", "true")


def entries(document: Document, key: str) -> list[Document]:
    """Return the list of mappings at `key`; empty if it is missing.

    Raises:
        TiledError: The value is something else.
    """
    result = document.get(key)
    if result is None:
        return []
    if not isinstance(result, list) or not all(isinstance(item, Mapping) for item in result):
        raise TiledError(f"has `{key}`, which is not a list of objects ({SAVE_AGAIN})")
    return result


def properties(document: Document) -> tuple[dict[str, Scalar], tuple[str, ...]]:
    """Return an object's or tile's plain properties, and names of the others.

    Raises:
        TiledError: The properties are malformed, or too many.
    """
    given = document.get("properties")
    if isinstance(given, Mapping):
        # Tiled before 1.2 wrote JSON so.
        listed: list[Document] = [{"name": name, "value": item} for name, item in given.items()]
    else:
        listed = entries(document, "properties")
    if len(listed) > MAXIMUM_PROPERTIES:
        raise TiledError(
            f"has {len(listed)} properties on one element (allowed: {MAXIMUM_PROPERTIES})"
        )
    plain: dict[str, Scalar] = {}
    other = []
    for item in listed:
        name = text(item, "name")
        kind = text(item, "type") or "string"
        value = _value(kind, item.get("value", "")) if kind in _PLAIN else None
        if value is None:
            other.append(name)
        else:
            plain[name] = value
    return plain, tuple(other)


def _value(kind: str, value: Any) -> Scalar:
    """Return the value of a property of type `kind`.

    Return None if levels cannot store this type.
    """
    if kind == "bool":
        return value in (True, "true", "1")
    if kind == "int" and isinstance(value, str):
        return int(value) if _INTEGER.fullmatch(value) and abs(int(value)) < _LARGEST else None
    if kind == "float":
        return number(value)
    if isinstance(value, str):
        return value if len(value) <= MAXIMUM_TEXT and not NOT_TEXT.search(value) else None
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < _LARGEST else None
    return number(value)


def _value_text(value: Any) -> str:
    displayed = repr(value)
    return displayed if len(displayed) <= 40 else f"{displayed[:37]}..."
