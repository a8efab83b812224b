"""Convert values of a spec for the exported variables of a script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from exporter.formats.godot.node_classes import is_engine_class
from exporter.formats.godot.property_values import color, vector
from exporter.formats.godot.values import (
    ExternalResource,
    NodePath,
    NodeReference,
    StringName,
    TypedArray,
    Value,
    Vector2,
    Vector2i,
    Vector3,
    Vector3i,
)
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import PropertyValue
from exporter.model.property_values import type_and_content
from exporter.model.suggestions import did_you_mean, suggestions

# Godot's own types that hold no single value of a spec.
_OTHER_TYPE_NAMES = """
    AABB Array Basis Callable Color Dictionary PackedByteArray PackedColorArray PackedFloat32Array
    PackedFloat64Array PackedInt32Array PackedInt64Array PackedStringArray PackedVector2Array
    PackedVector3Array PackedVector4Array Plane Projection Quaternion RID Rect2 Rect2i Signal
    Transform2D Transform3D Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i
"""
OTHER_TYPES = frozenset(_OTHER_TYPE_NAMES.split())
_TEXTS = ("String", "StringName", "NodePath")
_VALUES = frozenset({*OTHER_TYPES, *_TEXTS, "bool", "int", "float"})
# The types of the entries of Godot's packed arrays, which take an array of them.
_PACKED = {
    "PackedByteArray": "int",
    "PackedInt32Array": "int",
    "PackedInt64Array": "int",
    "PackedFloat32Array": "float",
    "PackedFloat64Array": "float",
    "PackedStringArray": "String",
    "PackedColorArray": "Color",
    "PackedVector2Array": "Vector2",
    "PackedVector3Array": "Vector3",
}
_VECTORS = {
    "Vector2": (Vector2, 2),
    "Vector2i": (Vector2i, 2),
    "Vector3": (Vector3, 3),
    "Vector3i": (Vector3i, 3),
}
# Godot's integers have 64 bits, and a float is exact up to this size.
_WHOLE_FLOAT = float(2**53)


@dataclass(frozen=True, slots=True)
class Variable:
    """An exported variable of a Godot script, which a spec can set.

    Attributes:
        type: The type: `int`, `Array[Color]`, an enumeration or a class; empty if unknown.
        names: The allowed names with their numbers: of an enumeration, of flags, or of a text that
            has a list of choices; empty for other variables.
        flags: Whether `names` can be combined.
        range: The smallest and the largest number; None for no limit.
        script: The path of the script that declares the variable.
    """

    type: str
    names: Mapping[str, int] = field(default_factory=dict)
    flags: bool = False
    range: tuple[float | None, float | None] = (None, None)
    script: str = ""


@dataclass(frozen=True, slots=True)
class ScriptOutline:
    """What a script declares: its class, base class and exported variables.

    Attributes:
        class_name: The global name of the class; empty if it has none.
        base: The base class, by its name or the path of its script.
        base_is_path: Whether `base` is a path.
        variables: The exported variables, by name.
    """

    class_name: str = ""
    base: str = ""
    base_is_path: bool = False
    variables: Mapping[str, Variable] = field(default_factory=dict)


def fitting(value: PropertyValue, variable: Variable, paths: Mapping[str, str]) -> Value:
    """Convert `value`, from a spec, to the type of `variable`.

    `paths` has the node path of each object, by the object's name: values can name objects.

    Raises:
        ValueError: The value does not fit; the message names the value and the type.
    """
    if variable.names:
        return _number_of_name(value, variable)
    try:
        result = _convert(value, variable.type, paths)
    except _UnfitError as unfit:
        raise ValueError(
            f"is {unfit.kind}, but the variable of this name in {variable.script} is of the type "
            f"{variable.type}"
        ) from None
    least, most = variable.range
    limits = f"at most {most}" if least is None else f"at least {least}"
    if None not in variable.range:
        limits = f"{least} to {most}"
    for number in value if isinstance(value, list) else [value]:
        if isinstance(number, int | float) and (
            (least is not None and number < least) or (most is not None and number > most)
        ):
            raise ValueError(
                f"is {number}, but the variable of this name in {variable.script} takes {limits}"
            )
    return result


def enumeration(constants: Iterable[tuple[str, str | None]]) -> dict[str, int]:
    """Return an enumeration's numbers by name; empty if one is not literal.

    `constants` has each name with its number as text, or None for one more than the number before.
    """
    names: dict[str, int] = {}
    number = 0
    for name, text in constants:
        if text is not None:
            try:
                number = int(text.replace("_", ""), 0)
            except ValueError:
                return {}
        names[name] = number
        number += 1
    return names


def numbered_names(texts: Sequence[str], flags: bool = False) -> dict[str, int]:
    """Return the numbers of names that are the choices of a variable.

    `texts` are `Name` or `Name:number`. A name without a number gets the next number, or with
    `flags` the next bit.
    """
    names: dict[str, int] = {}
    number = 0
    for index, text in enumerate(texts):
        name, _, given = text.partition(":")
        if given.strip().lstrip("-").isdecimal():
            number = int(given)
        elif flags:
            number = 1 << index
        names[name.strip()] = number
        number += 1
    return names


def range_of(limits: Sequence[str], words: Sequence[str]) -> tuple[float | None, float | None]:
    """Return the smallest and the largest number that a variable allows.

    `limits` are the two numbers as text. If `words` has `or_less`, there is no smallest number; if
    it has `or_greater`, there is no largest. A missing limit is None.
    """
    numbers: list[float | None] = []
    for text, word in zip(limits, ("or_less", "or_greater"), strict=False):
        try:
            number = float(text)
            numbers.append(
                None if word in words else int(number) if number.is_integer() else number
            )
        except ValueError:
            numbers.append(None)
    return (numbers[0], numbers[1]) if len(numbers) == 2 else (None, None)


def snake_case(name: str) -> str:
    """Convert a class name to a file name as Godot does.

    `BigChest` becomes `big_chest`.
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z0-9])(?=[A-Z][a-z])", "_", name)
    return words.lower()


class _UnfitError(Exception):
    def __init__(self, value: PropertyValue) -> None:
        self.kind = _kind(value)


def _number_of_name(value: PropertyValue, variable: Variable) -> Value:
    """Replace names of an enumeration or of flags in `value` by a number.

    If the variable's type is a text, the name stays.

    Raises:
        ValueError: A name or a number is not one of the variable's.
    """
    names, numbers = variable.names, set(variable.names.values())
    as_text = variable.type in ("String", "StringName")
    entries: Sequence[Any] = value if isinstance(value, list) and variable.flags else [value]
    for entry in entries:
        if isinstance(entry, str) and entry in names:
            continue
        whole = isinstance(entry, int) and not isinstance(entry, bool) and not as_text
        if whole and (entry in numbers or (variable.flags and 0 <= entry <= sum(numbers))):
            continue
        meant = suggestions(entry, list(names))[:1] if isinstance(entry, str) else []
        hint = f" ({did_you_mean(meant)})" if meant else ""
        given = repr(entry) if isinstance(entry, str | int | float) else _kind(entry)
        raise ValueError(
            f"is {given}, but the variable of this name in {variable.script} takes "
            f"{', '.join(names)}{hint}"
        )
    if as_text:
        return str(value) if variable.type == "String" else StringName(str(value))
    total: int = 0
    for entry in entries:
        total |= names[entry] if isinstance(entry, str) else entry
    return total


def _convert(value: PropertyValue, type_name: str, paths: Mapping[str, str]) -> Value:
    if isinstance(value, list):
        return _array(value, type_name, paths)
    kind, content = type_and_content(value)
    if kind:
        return _convert_to_type(value, kind, content, type_name, paths)
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
    raise _UnfitError(value)


def _array(value: list[Any], type_name: str, paths: Mapping[str, str]) -> Value:
    if type_name in ("", "Variant", "Array"):
        return tuple(_convert(entry, "", paths) for entry in value)
    inner = re.fullmatch(r"Array\[(\w+)\]", type_name)
    if inner is None and type_name not in _PACKED:
        raise _UnfitError(value)
    entry_type = _PACKED[type_name] if inner is None else inner[1]
    entries = tuple(_convert(entry, entry_type, paths) for entry in value)
    if inner is None or any(isinstance(entry, NodeReference) for entry in entries):
        return entries  # Godot gives an array of nodes its type when it has found them
    if entry_type in _VALUES or is_engine_class(entry_type):
        return TypedArray(entry_type, entries)
    if all(isinstance(entry, int) for entry in entries):
        return TypedArray("int", entries)  # an enumeration
    raise _UnfitError(value)


def _convert_to_type(
    value: PropertyValue, kind: str, content: Any, type_name: str, paths: Mapping[str, str]
) -> Value:
    free = type_name in ("", "Variant")
    match kind:
        case "color" if free or type_name == "Color":
            return color(content)
        case "vector" if free:
            return vector(content)
        case "vector" if type_name in _VECTORS:
            held, count = _VECTORS[type_name]
            whole = type_name.endswith("i")
            if len(content) == count and (not whole or all(map(_is_whole, content))):
                result: Value = held(*(map(int, content) if whole else content))
                return result
        case "resource" if free or type_name not in _VALUES:
            return ExternalResource("Resource", content, "")
        case "object" if free or type_name == "NodePath":
            return NodePath(paths.get(content, ""))
        case "object" if type_name not in _VALUES:
            return NodeReference(paths[content]) if content in paths else None
    raise _UnfitError(value)


def _is_whole(value: int | float) -> bool:
    return isinstance(value, int) or (value.is_integer() and abs(value) <= _WHOLE_FLOAT)


def _kind(value: PropertyValue) -> str:
    match value:
        case bool():
            return "true or false"
        case int():
            return "a whole number"
        case float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case Mapping():
            kind, _ = type_and_content(value)
            return "an object" if kind == "object" else f"a {kind}"
    return "null"
