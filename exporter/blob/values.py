"""Values: everything of a level that is not a grid, as a tree of lists, maps and scalars."""

from __future__ import annotations

from typing import Any

from exporter.codecs import Limits
from exporter.codecs._value_reader import decode_values as _decode
from exporter.codecs._value_writer import encode_values as _encode
from exporter.codecs.columns import NUMBER
from exporter.model.errors import BlobError


def encode_values(value: Any) -> tuple[int, bytes]:
    """Return the codec number and payload of a tree of values.

    Raises:
        TypeError: For values that have no place in a blob.
    """
    return NUMBER, _encode(value)


def decode_values(codec: int, payload: bytes, limits: Limits) -> Any:
    """Return the tree of values.

    Raises:
        BlobError: When the codec is not known or the payload is broken.
    """
    if codec != NUMBER:
        raise BlobError(f"values codec {codec} is not known here")
    return _decode(payload, limits)
