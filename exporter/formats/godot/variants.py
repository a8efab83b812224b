"""Encode values in Godot's binary format, for `bytes_to_var`.

Godot reads text scenes at about 5 MB a second. The binary form is smaller, and read a hundred times
as fast, which matters for the chunks of large levels.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.deflate import compress
from exporter.formats.godot.values import (
    Color,
    NodePath,
    Vector2,
    Vector2i,
    Vector3,
    Vector3i,
    storable,
)
from exporter.model.level_values import Scalar
from exporter.model.texts import writable

# Numbers of Godot's Variant types.
_NOTHING, _BOOL, _INTEGER, _FLOAT, _STRING, _VECTOR2, _VECTOR2I = range(7)
_VECTOR3, _VECTOR3I, _COLOR, _NODE_PATH = 9, 10, 20, 22
# Added to a path's number of names: the path has the form of Godot 3 and later.
_NAMES = 1 << 31
_DICTIONARY, _ARRAY, _BYTES, _INTEGERS, _POINTS = 27, 28, 29, 30, 35
# Added to the type: the number has 64 bits.
_WIDE = 1 << 16
_PAIR = struct.Struct("<II").pack
_LONG = struct.Struct("<Iq").pack

Packable: TypeAlias = (
    Scalar
    | bytes
    | Vector2
    | Vector2i
    | Vector3
    | Vector3i
    | Color
    | NodePath
    | NDArray[np.signedinteger]
    | NDArray[np.floating]
    | Sequence["Packable"]
    | dict[str, Any]
)


def packed(value: Packable) -> bytes:
    """Encode and compress `value`: 4 bytes of length, then a zlib stream.

    The length is that of the uncompressed data. Bytes become a PackedByteArray, an array [n] a
    PackedInt32Array, an array [n, 2] a PackedVector2Array, other sequences an Array, and a dict a
    Dictionary.
    """
    data = variant(value)
    return struct.pack("<I", len(data)) + compress(data, quick=True)


def variant(value: Packable) -> bytes:
    """Encode `value` in Godot's binary format."""
    encode = _ENCODERS.get(type(value))
    if encode is not None:
        return encode(value)
    if value is None or isinstance(value, bool | int | float | str):
        return _scalar(storable(value))
    return _array(value)


def _array(value: Any) -> bytes:
    # Encoders are looked up here, too: a scene has thousands of values.
    parts = [_PAIR(_ARRAY, len(value))]
    parts += [_ENCODERS.get(type(entry), variant)(entry) for entry in value]
    return b"".join(parts)


def _dictionary(value: dict[str, Any]) -> bytes:
    parts = [_PAIR(_DICTIONARY, len(value))]
    for name, entry in value.items():
        parts += (_string(name), _ENCODERS.get(type(entry), variant)(entry))
    return b"".join(parts)


def _node_path(value: NodePath) -> bytes:
    names = value.text.split("/") if value.text else []
    head = struct.pack("<IIII", _NODE_PATH, _NAMES | len(names), 0, 0)
    return head + b"".join(map(_text, names))


def _numbers(value: NDArray[np.signedinteger] | NDArray[np.floating]) -> bytes:
    if value.ndim == 2:
        return struct.pack("<II", _POINTS, len(value)) + value.astype("<f4").tobytes()
    return struct.pack("<II", _INTEGERS, len(value)) + value.astype("<i4").tobytes()


def _scalar(value: Scalar) -> bytes:
    match value:
        case None:
            return struct.pack("<I", _NOTHING)
        case bool():
            return struct.pack("<II", _BOOL, value)
        case int():
            return _LONG(_INTEGER | _WIDE, value)
        case float():
            return struct.pack("<Id", _FLOAT | _WIDE, value)
    return _string(value)


@lru_cache(maxsize=1024)
def _string(value: str) -> bytes:
    """Encode the text `value`; cached, because scenes repeat the same texts."""
    return struct.pack("<I", _STRING) + _text(writable(value))


def _text(value: str) -> bytes:
    text = value.encode()
    return struct.pack("<I", len(text)) + text + bytes(-len(text) % 4)


# By exact type, since a scene has thousands of values; `variant` handles all other types.
_ENCODERS: dict[type, Callable[[Any], bytes]] = {
    str: _string,
    list: _array,
    tuple: _array,
    dict: _dictionary,
    bool: lambda value: _PAIR(_BOOL, value),
    int: lambda value: (
        _LONG(_INTEGER | _WIDE, value) if -(2**63) <= value < 2**63 else _string(str(value))
    ),
    bytes: lambda value: _PAIR(_BYTES, len(value)) + value + bytes(-len(value) % 4),
    Vector2: lambda value: struct.pack("<Iff", _VECTOR2, value.x, value.y),
    Vector2i: lambda value: struct.pack("<Iii", _VECTOR2I, value.x, value.y),
    Vector3: lambda value: struct.pack("<Ifff", _VECTOR3, value.x, value.y, value.z),
    Vector3i: lambda value: struct.pack("<Iiii", _VECTOR3I, value.x, value.y, value.z),
    Color: lambda value: struct.pack(
        "<Iffff", _COLOR, value.red, value.green, value.blue, value.alpha
    ),
    NodePath: _node_path,
    np.ndarray: _numbers,
}
