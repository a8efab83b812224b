"""Match variables that scripts export with values of a spec."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from exporter.formats.godot.values import NodePath, StringName, Value
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Scalar

# Godot's own types that hold no value of a spec.
_OTHER_TYPE_NAMES = """
    AABB Array Basis Callable Color Dictionary PackedByteArray PackedColorArray PackedFloat32Array
    PackedFloat64Array PackedInt32Array PackedInt64Array PackedStringArray PackedVector2Array
    PackedVector3Array PackedVector4Array Plane Projection Quaternion RID Rect2 Rect2i Signal
    Transform2D Transform3D Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i
"""
OTHER_TYPES = frozenset(_OTHER_TYPE_NAMES.split())
_TEXTS = ("String", "StringName", "NodePath")
# Godot's integers have 64 bits, and a float is exact up to this size.
_WHOLE_FLOAT = float(2**53)


@dataclass(frozen=True, slots=True)
class ScriptOutline:
    """A script's class and exported variables.

    Attributes:
        class_name: Its global name; empty for none.
        base: Its base: a path or the name of a class.
        base_is_path: Whether `base` is a path.
        variables: The types of its exported variables, by name; empty for one that is not known.
    """

    class_name: str = ""
    base: str = ""
    base_is_path: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)


def fitting(value: Scalar, type_name: str) -> Value:
    """Return a value of a spec as a variable of a type holds it.

    Args:
        value: The value.
        type_name: The type; empty if unknown. A name outside Godot's own types is that of an
            enumeration or of a class: of these only the first hold a value of a spec, a whole
            number.

    Raises:
        ValueError: The type does not hold such a value; the message says what the value is.
    """
    if type_name in ("", "Variant"):
        return value
    match value:
        case bool():
            if type_name == "bool":
                return value
        case int() | float():
            if type_name == "float":
                return float(value)
            if type_name not in ("bool", *_TEXTS, *OTHER_TYPES) and _is_whole(value):
                return int(value)
        case str():
            if type_name == "String":
                return value
            if type_name == "StringName":
                return StringName(value)
            if type_name == "NodePath":
                return NodePath(value)
    raise ValueError(_kind(value))


def snake_case(name: str) -> str:
    """Return a file name in Godot's style: `treasure_chest_2d`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z0-9])(?=[A-Z][a-z])", "_", name)
    return words.lower()


def _is_whole(value: int | float) -> bool:
    return isinstance(value, int) or (value.is_integer() and abs(value) <= _WHOLE_FLOAT)


def _kind(value: Scalar) -> str:
    match value:
        case bool():
            return "true or false"
        case int():
            return "a whole number"
        case float():
            return "a number"
        case str():
            return "text"
    return "null"
