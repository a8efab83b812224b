"""Tiled's JSON: a map (`.tmj`) and its tileset (`.tsj`), which many other tools read too."""

from __future__ import annotations

import json
from typing import Any

from exporter.formats.tiled.map import Grid


def tiled_json(document: dict[str, Any]) -> bytes:
    """Return a map or tileset document as JSON, with a line for each row of cells.

    Version control then shows which rows of a map changed.
    """
    grids: list[Grid] = []

    def place(value: Any) -> str:
        if not isinstance(value, Grid):
            raise TypeError(f"{value!r} is not JSON")
        grids.append(value)
        return f"\0{len(grids) - 1}\0"

    # A mark stands where a grid belongs, behind a key that no text of a user's can imitate,
    # because its quotes would be escaped.
    text = json.dumps(document, indent=1, ensure_ascii=False, default=place)
    out: list[str] = []
    for number, grid in enumerate(grids):
        before, _, text = text.partition(f'"data": "\\u0000{number}\\u0000"')
        out += [before, '"data": [\n', grid.text(), "\n]"]
    return ("".join([*out, text]) + "\n").encode()
