"""Represent values of Godot's types, such as Vector2 and Color."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import Scalar
from exporter.model.texts import writable

# How the paths of a game's files begin.
RESOURCES = "res://"


@dataclass(frozen=True, slots=True)
class Vector2:
    """Godot's Vector2: a point or size, in pixels."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Vector2i:
    """Godot's Vector2i: a point or size in whole numbers."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Vector3:
    """Godot's Vector3: three numbers."""

    x: float
    y: float
    z: float


@dataclass(frozen=True, slots=True)
class Vector3i:
    """Godot's Vector3i: three whole numbers."""

    x: int
    y: int
    z: int


@dataclass(frozen=True, slots=True)
class Color:
    """Godot's Color: red, green, blue and alpha, each from 0 to 1."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class PackedByteArray:
    """Godot's PackedByteArray: bytes.

    A file that contains one needs `format=4` in its header.
    """

    data: bytes


@dataclass(frozen=True, slots=True, eq=False)
class PackedVector2Array:
    """Godot's PackedVector2Array: points, int or float [points, 2]."""

    points: NDArray[np.signedinteger] | NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class PackedInt32Arrays:
    """Godot's `Array[PackedInt32Array]`: polygons as vertex numbers.

    Attributes:
        numbers: int32: the numbers of all arrays, one array after the other.
        starts: int32 [arrays + 1]: the index in `numbers` where each array begins, and the end.
    """

    numbers: NDArray[np.int32]
    starts: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class ExternalResource:
    """A resource in a separate file.

    Attributes:
        type: The resource's class.
        path: The file: `res://...`, or the name of a file beside the one that refers to it.
        uid: The file's uid; empty if unknown.
    """

    type: str
    path: str
    uid: str


@dataclass(frozen=True, slots=True, eq=False)
class SubResource:
    """A resource of class `type` inside the file that uses it."""

    type: str
    properties: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class StringName:
    """Godot's StringName: a text such as an animation's name."""

    text: str


@dataclass(frozen=True, slots=True)
class NodePath:
    """Godot's NodePath: the path of a node or of a node's property."""

    text: str


@dataclass(frozen=True, slots=True)
class NodeReference:
    """A reference to a node, by its path from the node that has the value."""

    path: str


@dataclass(frozen=True, slots=True)
class TypedArray:
    """Godot's typed array: `entries`, all of the type `type`."""

    type: str
    entries: tuple[Any, ...]


class Raw(str):
    """Text that already is a Godot expression, such as `Vector2i(3, 4)`."""

    __slots__ = ()


Value: TypeAlias = (
    Scalar
    | Vector2
    | Vector2i
    | Vector3
    | Vector3i
    | Color
    | PackedByteArray
    | PackedVector2Array
    | PackedInt32Arrays
    | ExternalResource
    | SubResource
    | StringName
    | NodePath
    | NodeReference
    | TypedArray
    | Mapping[str, Any]
    | tuple[Any, ...]
)


def storable(value: Scalar) -> Scalar:
    """Convert a number or text that Godot cannot store to one that it can.

    Godot's integers have 64 bits; larger ones and infinite numbers become text. U+0000 is removed,
    because a scene with it would not load.
    """
    match value:
        case None | bool():
            return value
        case int():
            return value if -(2**63) <= value < 2**63 else str(value)
        case float():
            return value if math.isfinite(value) else str(value)
    return writable(value)
