"""Godot's binary form of values, compressed: what `bytes_to_var` reads in a script.

Text scenes are read at some 5 MB a second; for the parts of a large level the binary form is
smaller and read a hundred times as fast.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.deflate import compress

# Numbers of Godot's Variant types.
_ARRAY, _BYTES, _INTEGERS, _POINTS = 28, 29, 30, 35

Packable: TypeAlias = (
    bytes | NDArray[np.signedinteger] | NDArray[np.floating] | Sequence["Packable"]
)


def packed(value: Packable) -> bytes:
    """Return a value for `bytes_to_var`: 4 bytes with its length, then a zlib stream.

    Bytes become a PackedByteArray, int [n] a PackedInt32Array, numbers [n, 2] a
    PackedVector2Array, and a list of such values an Array.
    """
    data = variant(value)
    return struct.pack("<I", len(data)) + compress(data, quick=True)


def variant(value: Packable) -> bytes:
    """Return a value in Godot's binary form."""
    if isinstance(value, bytes):
        return struct.pack("<II", _BYTES, len(value)) + value + bytes(-len(value) % 4)
    if isinstance(value, np.ndarray):
        if value.ndim == 2:
            return struct.pack("<II", _POINTS, len(value)) + value.astype("<f4").tobytes()
        return struct.pack("<II", _INTEGERS, len(value)) + value.astype("<i4").tobytes()
    return struct.pack("<II", _ARRAY, len(value)) + b"".join(map(variant, value))
