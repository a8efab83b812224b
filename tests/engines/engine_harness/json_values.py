"""Blobs whose values are JSON in a zlib stream, whatever the exporter stores them as."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from typing import Any

from exporter.blob import Chunk, read_container, write_container
from exporter.blob.values import decode_values
from exporter.codecs import Limits

VALUES = 21


def loaded(blob: bytes) -> list[Chunk]:
    """Return all chunks of a blob with their payloads."""
    container = read_container(blob)
    return [container.load(index) for index in range(len(container))]


def with_json(blob: bytes) -> bytes:
    """Return a blob with its values as JSON; one that has them so comes back as it was."""
    return write_container(_as_json(chunk) for chunk in loaded(blob))


def values_chunk(chunk: Chunk, value: Any) -> Chunk:
    """Return a chunk of values with other values."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return replace(chunk, payload=zlib.compress(text.encode()))


def _as_json(chunk: Chunk) -> Chunk:
    if chunk.codec != VALUES:
        return chunk
    try:
        json.loads(zlib.decompress(chunk.payload))
    except (zlib.error, ValueError):
        return values_chunk(chunk, _plain(decode_values(VALUES, chunk.payload, Limits())))
    return chunk


def _plain(value: Any) -> Any:
    """Return a tree whose integers beyond 64 bits are floats, as JSON in a blob has none."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return float(value) if type(value) is int and abs(value) >= 1 << 63 else value
