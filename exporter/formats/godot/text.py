"""What Godot's text files (`.tres`, `.tscn`) have in common: how values are written."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from exporter.model.level import Scalar
from exporter.model.texts import writable

Value: TypeAlias = Scalar | Mapping[str, Any]


class Raw(str):
    """Text that already is a Godot expression, such as `Vector2i(3, 4)`."""

    __slots__ = ()


def value_text(value: Value) -> str:
    """Return a value as Godot's text files hold it."""
    if isinstance(value, Raw):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        # Godot's integers have 64 bits.
        return str(value) if -(2**63) <= value < 2**63 else quoted(str(value))
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else quoted(str(value))
    if isinstance(value, str):
        return quoted(value)
    entries = (f"{quoted(name)}: {value_text(entry)}" for name, entry in value.items())
    return "{" + ", ".join(entries) + "}"


def quoted(text: str) -> str:
    """Return a text in quotes; a scene with U+0000 in a text would not load at all."""
    return '"' + writable(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def byte_array(data: bytes) -> Raw:
    """Return a PackedByteArray in base64, which needs `format=4` in the file's header."""
    return Raw(f'PackedByteArray("{base64.b64encode(data).decode()}")')


def points(corners: Iterable[tuple[float, float]]) -> Raw:
    """Return a PackedVector2Array."""
    numbers = ", ".join(number_text(number) for corner in corners for number in corner)
    return Raw(f"PackedVector2Array({numbers})")


def number_text(number: float) -> str:
    """Return a coordinate in full, without a point where it is whole."""
    return str(int(number)) if number == int(number) else repr(number)


def node_name(text: str) -> str:
    """Return a text without the characters Godot refuses in node names."""
    return re.sub(r'[.:@/"%\x00-\x1f]', "_", text) or "_"


def metadata_name(text: str) -> str:
    """Return a text as an identifier, as Godot wants the names of metadata."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", text)
    return name if name and not name[0].isdigit() else f"_{name}"
