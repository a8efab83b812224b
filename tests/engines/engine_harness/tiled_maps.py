"""Our own reading and drawing of Tiled's JSON, written from its documentation.

It knows nothing of the exporter, so that a mistake there is not repeated here.
"""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

FLAGS = 0xE0000000


def read_json(path: Path) -> dict[str, Any]:
    """Return a JSON document."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def tile_layers(map_file: Path) -> dict[str, NDArray[np.uint32]]:
    """Return the global tile ids of every tile layer by name: uint32 [height, width]."""
    document = read_json(map_file)
    size = (document["height"], document["width"])
    return {
        layer["name"]: _cells(layer, size)
        for layer in document["layers"]
        if layer["type"] == "tilelayer"
    }


def meanings(map_file: Path) -> dict[int, tuple[int, str]]:
    """Return the properties `id` and `name` of every tile by its global id."""
    result = {}
    for first, tileset, _ in _tilesets(map_file):
        for tile in tileset.get("tiles", []):
            values = {entry["name"]: entry["value"] for entry in tile.get("properties", [])}
            result[first + tile["id"]] = (values["id"], values["name"])
    return result


def compose(map_file: Path) -> NDArray[np.uint8]:
    """Draw the visible tile layers in order: uint8 [height, width, 4], RGBA, straight alpha."""
    document = read_json(map_file)
    size = document["tilewidth"]
    drawn = Image.new("RGBA", (document["width"] * size, document["height"] * size))
    tiles: dict[int, Image.Image] = {}
    visible = {layer["name"] for layer in document["layers"] if layer["visible"]}
    for name, gids in tile_layers(map_file).items():
        if name not in visible:
            continue
        for (y, x), gid in np.ndenumerate(gids):
            if gid == 0:
                continue
            if gid not in tiles:
                tiles[int(gid)] = _tile(map_file, int(gid))
            drawn.alpha_composite(tiles[int(gid)], (x * size, y * size))
    return np.asarray(drawn)


def _cells(layer: dict[str, Any], size: tuple[int, int]) -> NDArray[np.uint32]:
    if "chunks" not in layer:
        return _numbers(layer, layer)
    cells = np.zeros(size, np.uint32)
    for chunk in layer["chunks"]:
        left, top = chunk["x"], chunk["y"]
        numbers = _numbers(layer, chunk)
        part = numbers[: size[0] - top, : size[1] - left]
        assert not numbers[part.shape[0] :].any()
        assert not numbers[:, part.shape[1] :].any()
        cells[top : top + part.shape[0], left : left + part.shape[1]] = part
    return cells


def _numbers(layer: dict[str, Any], holder: dict[str, Any]) -> NDArray[np.uint32]:
    """Return the numbers a layer or a chunk of it holds."""
    shape = (holder["height"], holder["width"])
    if layer.get("encoding", "csv") == "csv":
        return np.array(holder["data"], np.uint32).reshape(shape)
    data = base64.b64decode(holder["data"])
    if layer["compression"] == "zlib":
        data = zlib.decompress(data)
    return np.frombuffer(data, "<u4").reshape(shape)


def _tilesets(map_file: Path) -> list[tuple[int, dict[str, Any], Path]]:
    result = []
    for entry in read_json(map_file)["tilesets"]:
        tileset = read_json(map_file.parent / entry["source"]) if "source" in entry else entry
        result.append((entry["firstgid"], tileset, map_file.parent))
    return result


def _tile(map_file: Path, gid: int) -> Image.Image:
    assert not gid & FLAGS, "flipped tiles are not drawn here"
    first, tileset, folder = max(
        (entry for entry in _tilesets(map_file) if entry[0] <= gid), key=lambda entry: entry[0]
    )
    size, margin, spacing = tileset["tilewidth"], tileset["margin"], tileset["spacing"]
    row, column = divmod(gid - first, tileset["columns"])
    left, top = margin + column * (size + spacing), margin + row * (size + spacing)
    with Image.open(folder / tileset["image"]) as image:
        return image.convert("RGBA").crop((left, top, left + size, top + size))
