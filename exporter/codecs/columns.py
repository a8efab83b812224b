"""Code JSON text by columns of its values.

The codec accepts one-dimensional byte arrays with JSON in one of the styles that Python's `json`
writes, and decodes to the same bytes. Only frames use it: blobs store values as plain JSON text.

    1 byte      style: bits 0-2 separators and indent, bit 3 letters beyond ASCII as they are,
                bit 4 a line end at the end
    rest        the values, column by column
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from exporter.codecs._trees import decode_tree, encode_tree
from exporter.codecs.codec import Array, Side, codec

NUMBER = 21
LARGEST = 1 << 24
STYLES: tuple[dict[str, Any], ...] = (
    {"separators": (", ", ": ")},
    {"separators": (",", ":")},
    {"indent": 2},
    {"indent": 4},
    {"indent": 1},
    {"indent": "\t"},
)


def encode(array: Array, side: Side) -> bytes | None:
    """Encode the bytes of a JSON text; None if its style is unknown."""
    if array.ndim != 1 or array.dtype != np.uint8 or not 2 <= array.size <= LARGEST:
        return None
    data = array.tobytes()
    if data[0] not in b'{["':
        return None
    try:
        value = json.loads(data.decode("utf-8"))
        for style in range(32):
            if style & 7 < len(STYLES) and _text(value, style) == data:
                return bytes((style,)) + encode_tree(value)
    except (ValueError, RecursionError):
        pass
    return None


def decode(payload: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], side: Side) -> Array:
    """Decode a payload of `encode` to the bytes of a JSON text.

    Raises:
        ValueError: The text does not have the declared length.
    """
    if payload[0] > 31 or payload[0] & 7 >= len(STYLES):
        raise ValueError(
            f"unknown JSON style {payload[0]}: the data is damaged or from a newer exporter"
        )
    # No letter of a text takes more than a few numbers, so a tree that is too large is found early.
    data = _text(decode_tree(payload[1:], 8 * shape[0] + 64), payload[0])
    if len(data) != shape[0]:
        raise ValueError(f"the data has {len(data)} bytes, but the array needs {shape[0]}")
    return np.frombuffer(data, dtype).copy()


def _text(value: Any, style: int) -> bytes:
    text = json.dumps(value, ensure_ascii=not style & 8, **STYLES[style & 7])
    return (text + "\n" if style & 16 else text).encode("utf-8")


def least(array: Array, distinct: int, side: Side) -> int | None:
    """Return 0 for bytes that begin like JSON, so they are tried; else None.

    JSON begins with `{`, `[` or a quotation mark here.
    """
    text = array.ndim == 1 and array.dtype == np.uint8 and array.size > 1
    return 0 if text and array[0] in b'{["' else None


COLUMNS = codec("columns", NUMBER, encode, decode, ("small",), least)
