"""Format values for Godot's text files (`.tres`, `.tscn`)."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable
from itertools import pairwise

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
from exporter.model.texts import writable

Resource = ExternalResource | SubResource


def _no_resources(resource: Resource) -> str:
    raise ValueError(f"a resource of type {resource.type} is not allowed here")


def value_text(value: Value, reference: Callable[[Resource], str] = _no_resources) -> str:
    """Format a value for Godot's text files.

    Args:
        value: The value.
        reference: Returns the text that refers to a resource.
    """
    match value:
        case Raw():
            return value
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float() | str():
            held = storable(value)
            return quoted(held) if isinstance(held, str) else repr(held)
        case Vector2(x, y):
            return f"Vector2({number_text(x)}, {number_text(y)})"
        case Vector2i(x, y):
            return f"Vector2i({x}, {y})"
        case Vector3(x, y, z):
            return f"Vector3({', '.join(map(number_text, (x, y, z)))})"
        case Vector3i(x, y, z):
            return f"Vector3i({x}, {y}, {z})"
        case Color(red, green, blue, alpha):
            return f"Color({', '.join(map(number_text, (red, green, blue, alpha)))})"
        case StringName(text):
            return f"&{quoted(text)}"
        case NodePath(text) | NodeReference(text):
            return f"NodePath({quoted(text)})"
        case PackedByteArray(data):
            return f'PackedByteArray("{base64.b64encode(data).decode()}")'
        case PackedVector2Array():
            return f"PackedVector2Array({_coordinates(value)})"
        case PackedInt32Arrays():
            return _integer_arrays(value)
        case ExternalResource() | SubResource():
            return reference(value)
        case tuple():
            return "[" + ", ".join(value_text(item, reference) for item in value) + "]"
        case TypedArray(kind, members):
            return f"Array[{kind}]({value_text(members, reference)})"
    entries = (f"{quoted(name)}: {value_text(entry, reference)}" for name, entry in value.items())
    return "{" + ", ".join(entries) + "}"


def quoted(text: str) -> str:
    """Quote a text for Godot's text files."""
    return '"' + writable(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def points(corners: Iterable[tuple[float, float]]) -> Raw:
    """Format points as a PackedVector2Array."""
    numbers = ", ".join(number_text(number) for corner in corners for number in corner)
    return Raw(f"PackedVector2Array({numbers})")


def number_text(number: float) -> str:
    """Format a number, without a decimal point if it is whole."""
    return str(int(number)) if number == int(number) else repr(number)


def node_name(text: str) -> str:
    """Remove characters that names of nodes cannot have."""
    return re.sub(r'[.:@/"%\x00-\x1f]', "_", text) or "_"


def is_metadata_name(text: str) -> bool:
    """Return whether a text can be a name of metadata: an ASCII identifier."""
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
