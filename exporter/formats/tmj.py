"""Tiled's JSON: a map (`.tmj`) and its tileset (`.tsj`), which many other tools read too.

Tiled ignores a layer without `visible` and `opacity`, and other readers stumble over missing
optional keys, so every documented key is written. A cell holds the tile's number in the tileset
plus the tileset's first global id, 1; 0 is an empty cell. Colours, names and meanings of tiles
are properties of the tileset.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.formats.deflate import zlib_stream
from exporter.level import Layer, Level, PlacedObject, Scalar
from exporter.tilesets import Tileset

VERSION = "1.10"
TILED_VERSION = "1.10.2"
FIRST_GID = 1
OBJECTS = "objects"

Encoding = Literal["csv", "zlib"]


def map_json(
    level: Level, tileset: Tileset, tileset_file: str, *, encoding: Encoding = "csv"
) -> bytes:
    """Return the map.

    Args:
        level: Its tile layers become tile layers, its objects an object layer.
        tileset: The level's tileset.
        tileset_file: File name of the tileset beside the map.
        encoding: `csv` writes numbers (a line a row), `zlib` compressed base64.
    """
    layers = level.tile_layers()
    documents = [
        _tile_layer(number, layer, tileset.numbers(layer), encoding)
        for number, layer in enumerate(layers, 1)
    ]
    if level.objects:
        documents.append(_object_layer(len(layers) + 1, level, tileset.tile_size))
    document: dict[str, Any] = {
        "type": "map",
        "version": VERSION,
        "tiledversion": TILED_VERSION,
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "compressionlevel": -1,
        "infinite": False,
        "width": level.width,
        "height": level.height,
        "tilewidth": tileset.tile_size,
        "tileheight": tileset.tile_size,
        "nextlayerid": len(documents) + 1,
        "nextobjectid": max((thing.id for thing in level.objects), default=0) + 1,
        "properties": properties(level_properties(level)),
        "tilesets": [{"firstgid": FIRST_GID, "source": tileset_file}] if layers else [],
        "layers": documents,
    }
    return _text(document)


def tileset_json(name: str, tileset: Tileset, image_file: str) -> bytes:
    """Return the tileset: its picture, and name and properties of every tile."""
    height, width = tileset.pixels.shape[:2]
    document = {
        "type": "tileset",
        "version": VERSION,
        "tiledversion": TILED_VERSION,
        "name": name,
        "tilewidth": tileset.tile_size,
        "tileheight": tileset.tile_size,
        "tilecount": tileset.count,
        "columns": tileset.columns,
        "margin": 0,
        "spacing": 0,
        "image": image_file,
        "imagewidth": width,
        "imageheight": height,
        "tiles": [_tile(number, tileset) for number in sorted(tileset.tiles)],
    }
    return _text(document)


def level_properties(level: Level) -> dict[str, Scalar]:
    """Return what a map says of its level: name, seed, stream and the spec's own properties."""
    return {"level": level.name, "seed": level.seed, "rng": level.rng, **level.properties}


def properties(values: Mapping[str, Scalar]) -> list[dict[str, Any]]:
    """Return Tiled's list of typed properties; Tiled has no null, so those are left out."""
    return [
        {"name": name, "type": property_type(value), "value": property_value(value)}
        for name, value in values.items()
        if value is not None
    ]


def property_type(value: Scalar) -> str:
    """Return Tiled's type of a value; its integers have 32 bits, larger ones become text."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int) and -(2**31) <= value < 2**31:
        return "int"
    return "float" if isinstance(value, float) and np.isfinite(value) else "string"


def property_value(value: Scalar) -> Scalar:
    """Return the value as its Tiled type holds it."""
    return str(value) if property_type(value) == "string" else value


def _tile_layer(
    number: int, layer: Layer, numbers: NDArray[np.int32], encoding: Encoding
) -> dict[str, Any]:
    gids = (numbers + FIRST_GID).astype("<u4")
    document: dict[str, Any] = {
        "id": number,
        "name": layer.name,
        "type": "tilelayer",
        "x": 0,
        "y": 0,
        "width": layer.width,
        "height": layer.height,
        "opacity": 1,
        "visible": True,
        "properties": properties({"generator": layer.generator}),
    }
    if encoding == "csv":
        document["data"] = _Grid(gids)
    else:
        document["encoding"] = "base64"
        document["compression"] = "zlib"
        document["data"] = base64.b64encode(zlib_stream(gids.tobytes(), 4)).decode()
    return document


def _object_layer(number: int, level: Level, size: int) -> dict[str, Any]:
    return {
        "id": number,
        "name": OBJECTS,
        "type": "objectgroup",
        "draworder": "topdown",
        "x": 0,
        "y": 0,
        "opacity": 1,
        "visible": True,
        "objects": [_object(thing, size) for thing in level.objects],
    }


def _object(thing: PlacedObject, size: int) -> dict[str, Any]:
    """Return an object: the rectangle of its cell, in pixels."""
    return {
        "id": thing.id,
        "name": thing.name,
        "type": thing.name,
        "x": thing.x * size,
        "y": thing.y * size,
        "width": size,
        "height": size,
        "rotation": 0,
        "visible": True,
        "properties": properties(thing.properties),
    }


def _tile(number: int, tileset: Tileset) -> dict[str, Any]:
    tile = tileset.tiles[number]
    document: dict[str, Any] = {
        "id": number,
        "type": tile.name,
        "properties": properties(
            {"id": tile.id, "name": tile.name, "opaque": tile.opaque, "walkable": tile.walkable}
        ),
    }
    if not tile.walkable:
        document["objectgroup"] = {
            "type": "objectgroup",
            "draworder": "index",
            "name": "",
            "x": 0,
            "y": 0,
            "opacity": 1,
            "visible": True,
            "objects": [
                {
                    "id": 1,
                    "name": "",
                    "type": "",
                    "x": 0,
                    "y": 0,
                    "width": tileset.tile_size,
                    "height": tileset.tile_size,
                    "rotation": 0,
                    "visible": True,
                }
            ],
        }
    return document


class _Grid:
    """A grid of numbers that is written a row a line, so that version control shows rows."""

    def __init__(self, numbers: NDArray[Any]) -> None:
        self.numbers = numbers

    def text(self) -> str:
        rows = (str(row)[1:-1].replace(" ", "") for row in self.numbers.tolist())
        return "[\n" + ",\n".join(rows) + "\n]"


def _text(document: dict[str, Any]) -> bytes:
    grids: list[_Grid] = []

    def place(value: Any) -> str:
        if not isinstance(value, _Grid):
            raise TypeError(f"{value!r} is no JSON")
        grids.append(value)
        return f"\0{len(grids) - 1}\0"

    # JSON escapes a zero byte, so the marks cannot be confused with a user's text.
    parts = json.dumps(document, indent=1, ensure_ascii=False, default=place).split('"\\u0000')
    out = [parts[0]]
    for part in parts[1:]:
        number, _, rest = part.partition('\\u0000"')
        out += [grids[int(number)].text(), rest]
    return ("".join(out) + "\n").encode()
