"""Values: everything of a level that is not a grid, as a tree of lists, maps and scalars."""

from __future__ import annotations

import json
import zlib
from typing import Any

from exporter.codecs._codec import Limits

CODEC = 1


def encode_values(value: Any) -> tuple[int, bytes]:
    """Return the codec and payload of a JSON-able value."""
    return CODEC, zlib.compress(json.dumps(value, default=list).encode(), 9)


def decode_values(codec: int, payload: bytes, limits: Limits) -> Any:
    """Return the value."""
    return json.loads(zlib.decompress(payload))
