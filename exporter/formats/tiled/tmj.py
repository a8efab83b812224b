"""Write Tiled's JSON: maps (`.tmj`) and tilesets (`.tsj`).

Many other tools read these files, too.
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Any

from exporter.formats.tiled.collision import Shapes
from exporter.formats.tiled.map import TileNumbers

_scalar = json.JSONEncoder(ensure_ascii=False).encode


def tiled_json(document: dict[str, Any]) -> bytes:
    """Encode `document`, a map or tileset, as JSON.

    Each row of cells has its own line, so version control shows which rows of a map changed.
    Everything else is written as by `json.dumps` with an indentation of one, but faster.
    """
    return (_text(document, "\n") + "\n").encode()


def _text(value: Any, line: str) -> str:
    """Encode `value` as JSON.

    `line` begins each line: a line end and the indentation of the value's parent.
    """
    if type(value) is int:
        return str(value)
    if type(value) is str:
        return encode_basestring(value)
    inner = f"{line} "
    if isinstance(value, dict):
        rows = [f"{encode_basestring(key)}: {_text(item, inner)}" for key, item in value.items()]
        return f"{{{inner}{f',{inner}'.join(rows)}{line}}}" if rows else "{}"
    if isinstance(value, list | tuple):
        numbers = set(map(type, value)) == {int}
        rows = list(map(str, value)) if numbers else [_text(item, inner) for item in value]
        return f"[{inner}{f',{inner}'.join(rows)}{line}]" if rows else "[]"
    if isinstance(value, TileNumbers):
        return f"[\n{value.text()}\n]"
    if isinstance(value, Shapes):
        return "[\n" + ",\n".join(map(json.dumps, value)) + "\n]"
    return _scalar(value)
