"""Encode named one-dimensional arrays as bytes.

Equal arrays give equal bytes on every machine.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LENGTH = struct.Struct("<I")
_TYPES = ("<u1", "<u4", "<i8")


def pack_arrays(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Encode `arrays` and their names as bytes.

    The arrays have one dimension, and are uint8, little-endian uint32 or int64.
    """
    head = json.dumps(
        {name: [_type(item), int(item.size)] for name, item in arrays.items()}
    ).encode()
    return b"".join(
        [_LENGTH.pack(len(head)), head, *(array.tobytes() for array in arrays.values())]
    )


def unpack_arrays(data: bytes) -> dict[str, NDArray[Any]]:
    """Decode arrays by name from `data`, made by `pack_arrays`.

    Raises:
        ValueError: The bytes are not from `pack_arrays`.
    """
    try:
        (length,) = _LENGTH.unpack_from(data)
        position = _LENGTH.size + length
        result: dict[str, NDArray[Any]] = {}
        for name, (kind, size) in json.loads(data[_LENGTH.size : position]).items():
            if kind not in _TYPES:
                raise ValueError(kind)
            result[name] = np.frombuffer(data, kind, size, position)
            position += result[name].nbytes
    except (struct.error, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError("the data are not packed arrays") from error
    return result


def _type(array: NDArray[Any]) -> str:
    name = array.dtype.newbyteorder("<").str.replace("|", "<")
    if name not in _TYPES or array.ndim != 1:
        raise ValueError(f"an array of {array.dtype} with {array.ndim} dimensions cannot be packed")
    return name
