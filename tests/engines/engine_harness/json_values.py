"""The values of a blob's chunks, read and changed without the exporter's own coder."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from typing import Any

from exporter.blob import Chunk


def values_chunk(chunk: Chunk, value: Any) -> Chunk:
    """Return a chunk of values with other values."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return replace(chunk, payload=zlib.compress(text.encode()))
