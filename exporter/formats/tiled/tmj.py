"""Tiled's JSON: a map (`.tmj`) and its tileset (`.tsj`), which many other tools read too."""

from __future__ import annotations

import json
from typing import Any

from exporter.formats.tiled.collision import Shapes
from exporter.formats.tiled.map import Grid


def tiled_json(document: dict[str, Any]) -> bytes:
    """Return a map or tileset document as JSON, with a line for each row of cells and each shape.

    Version control then shows which rows of a map changed.
    """
    blocks: list[tuple[str, str]] = []

    def place(value: Any) -> str:
        blocks.append(_block(value))
        return f"\0{len(blocks) - 1}\0"

    # A mark stands where a block belongs, behind a key that no text of a user's can imitate,
    # because its quotes would be escaped.
    text = json.dumps(document, indent=1, ensure_ascii=False, default=place)
    out: list[str] = []
    for number, (key, block) in enumerate(blocks):
        before, _, text = text.partition(f'"{key}": "\\u0000{number}\\u0000"')
        out += [before, f'"{key}": [\n', block, "\n]"]
    return ("".join([*out, text]) + "\n").encode()


def _block(value: Any) -> tuple[str, str]:
    """Return the key of a list that is written in lines of its own, and those lines."""
    if isinstance(value, Grid):
        return "data", value.text()
    if isinstance(value, Shapes):
        return "objects", ",\n".join(map(json.dumps, value))
    raise TypeError(f"{value!r} is not JSON")
