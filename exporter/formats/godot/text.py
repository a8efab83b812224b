"""Format values as Godot's text files (`.tres`, `.tscn`) have them."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from exporter.formats.godot.values import (
    Color,
    ExternalResource,
    NodePath,
    NodeReference,
    PackedByteArray,
    PackedInt32Arrays,
    PackedVector2Array,
    Raw,
    StringName,
    SubResource,
    TypedArray,
    Value,
    Vector2,
    Vector2i,
    Vector3,
    Vector3i,
    storable,
)
from exporter.model.level_values import Scalar
from exporter.model.texts import writable

Resource = ExternalResource | SubResource


def _no_resources(resource: Resource) -> str:
    raise ValueError(f"a resource of type {resource.type} is not allowed here")


def value_text(value: Value, reference: Callable[[Resource], str] = _no_resources) -> str:
    """Format `value`, one of Godot's types, for Godot's text files.

    `reference` returns the text that refers to a resource; by default resources are refused.
    """
    simple = _SIMPLE_TEXTS.get(type(value))
    if simple is not None:
        return simple(value)
    match value:
        case ExternalResource() | SubResource():
            return reference(value)
        case tuple():
            return "[" + ", ".join(value_text(item, reference) for item in value) + "]"
        case TypedArray(kind, members):
            return f"Array[{kind}]({value_text(members, reference)})"
        case Mapping():
            items = value.items()
            entries = (f"{quoted(name)}: {value_text(entry, reference)}" for name, entry in items)
            return "{" + ", ".join(entries) + "}"
        case int() | float() | str():
            return _scalar(value)
    raise TypeError(f"a {type(value).__name__} is no value of Godot's")


def _scalar(value: Scalar) -> str:
    held = storable(value)
    return quoted(held) if isinstance(held, str) else repr(held)


@lru_cache(maxsize=1024)  # in a scene the same ones come again and again
def quoted(text: str) -> str:
    """Put `text` in quotes, as Godot's text files require."""
    return '"' + writable(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def points(corners: Iterable[tuple[float, float]]) -> Raw:
    """Format `corners` (x, y) as a PackedVector2Array."""
    numbers = ", ".join(number_text(number) for corner in corners for number in corner)
    return Raw(f"PackedVector2Array({numbers})")


def number_text(number: float) -> str:
    """Format `number`; whole numbers get no decimal point."""
    return str(int(number)) if number == int(number) else repr(number)


def node_name(text: str) -> str:
    """Replace characters of `text` that a node's name cannot have by `_`."""
    return re.sub(r'[.:@/"%\x00-\x1f]', "_", text) or "_"


def is_metadata_name(text: str) -> bool:
    """Return whether `text` can name metadata: an ASCII identifier."""
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text) is not None


def _coordinates(value: PackedVector2Array) -> str:
    numbers = value.points.ravel()
    if np.issubdtype(numbers.dtype, np.integer):
        return ", ".join(map(str, numbers.tolist()))
    return ", ".join(map(number_text, numbers.tolist()))


def _integer_arrays(value: PackedInt32Arrays) -> str:
    numbers = list(map(str, value.numbers.tolist()))
    arrays = ", ".join(
        f"PackedInt32Array({', '.join(numbers[start:end])})"
        for start, end in pairwise(value.starts.tolist())
    )
    return f"Array[PackedInt32Array]([{arrays}])"


def _numbers(kind: str, *numbers: float) -> str:
    return f"{kind}({', '.join(map(number_text, numbers))})"


# By exact type, since a scene has thousands of values; only types that contain no others.
_SIMPLE_TEXTS: dict[type, Callable[[Any], str]] = {
    Raw: str,
    type(None): lambda _: "null",
    bool: lambda value: "true" if value else "false",
    int: _scalar,
    float: _scalar,
    str: _scalar,
    Vector2: lambda value: f"Vector2({number_text(value.x)}, {number_text(value.y)})",
    Vector2i: lambda value: f"Vector2i({value.x}, {value.y})",
    Vector3: lambda value: _numbers("Vector3", value.x, value.y, value.z),
    Vector3i: lambda value: f"Vector3i({value.x}, {value.y}, {value.z})",
    Color: lambda value: _numbers("Color", value.red, value.green, value.blue, value.alpha),
    StringName: lambda value: f"&{quoted(value.text)}",
    NodePath: lambda value: f"NodePath({quoted(value.text)})",
    NodeReference: lambda value: f"NodePath({quoted(value.path)})",
    PackedByteArray: lambda value: f'PackedByteArray("{base64.b64encode(value.data).decode()}")',
    PackedVector2Array: lambda value: f"PackedVector2Array({_coordinates(value)})",
    PackedInt32Arrays: _integer_arrays,
}
