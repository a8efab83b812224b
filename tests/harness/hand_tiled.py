"""Maps as Tiled writes them, in both languages and every encoding, made without the exporter."""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
import pytest
from numpy.typing import NDArray

from exporter.handmade.maps import HandMap
from exporter.handmade.tiled.maps import read_tiled_map
from exporter.model.errors import ParameterError

Tile = Mapping[str, Any]
ENCODINGS = ("csv", "base64", "zlib", "gzip", "tiles")
LANGUAGES = ("tmx", "tmj")


def packed(cells: NDArray[np.uint32], encoding: str) -> str:
    """The text of cells: csv, or base64 of the packed numbers."""
    if encoding == "csv":
        return ",\n".join(",".join(map(str, row)) for row in cells.tolist())
    pack: Mapping[str, Callable[[bytes], bytes]] = {
        "base64": bytes,
        "zlib": zlib.compress,
        "gzip": gzip.compress,
    }
    return base64.b64encode(pack[encoding](cells.astype("<u4").tobytes())).decode()


def tileset(tiles: Mapping[int, Tile] | None = None, **values: Any) -> dict[str, Any]:
    """A tileset of 64 tiles; a tile has `type` and `properties`."""
    reported = [{"id": number, **tile} for number, tile in (tiles or {}).items()]
    size = {"tilewidth": 16, "tileheight": 16, "tilecount": 64, "columns": 8}
    return {"firstgid": 1, "name": "walls", **size, "tiles": reported, **values}


def layer(
    name: str,
    cells: NDArray[np.uint32] | None = None,
    *,
    encoding: str = "csv",
    chunks: Mapping[tuple[int, int], NDArray[np.uint32]] | None = None,
) -> dict[str, Any]:
    """A layer of tiles, its cells still as numbers; or the chunks of an infinite map."""
    document: dict[str, Any] = {"type": "tilelayer", "name": name, "encoding": encoding}
    if chunks is not None:
        return {**document, "width": 1, "height": 1, "chunks": dict(chunks)}
    assert cells is not None
    return {**document, "width": cells.shape[1], "height": cells.shape[0], "cells": cells}


def group(name: str, *layers: dict[str, Any]) -> dict[str, Any]:
    """A group of layers."""
    return {"type": "group", "name": name, "layers": list(layers)}


def things(name: str, *objects: dict[str, Any]) -> dict[str, Any]:
    """A layer of objects."""
    return {"type": "objectgroup", "name": name, "objects": list(objects)}


def properties(**values: Any) -> list[dict[str, Any]]:
    """Properties with the kinds that Tiled gives them."""
    kinds = {bool: "bool", int: "int", float: "float", str: "string"}
    return [
        {"name": name, "type": kinds[type(value)], "value": value} for name, value in values.items()
    ]


def drawn(
    *layers: dict[str, Any],
    language: str = "tmj",
    tilesets: Sequence[dict[str, Any]] | None = None,
    size: tuple[int, int] | None = None,
    **values: Any,
) -> bytes:
    """A map of the size of its first layer."""
    first = next((item for item in layers if item["type"] == "tilelayer"), {})
    width, height = size or (first.get("width", 1), first.get("height", 1))
    document = {
        "type": "map",
        "version": "1.10",
        "tiledversion": "1.10.2",
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "width": width,
        "height": height,
        "tilewidth": 16,
        "tileheight": 16,
        "infinite": False,
        "tilesets": [tileset()] if tilesets is None else list(tilesets),
        "layers": list(layers),
        **values,
    }
    if language == "tmj":
        document["layers"] = [_json_layer(item) for item in layers]
        return json.dumps(document).encode()
    return ('<?xml version="1.0" encoding="UTF-8"?>\n' + _xml_map(document)).encode()


def template(thing: dict[str, Any], language: str = "tmj", **values: Any) -> bytes:
    """A template of an object."""
    if language == "tmj":
        return json.dumps({"type": "template", "object": thing, **values}).encode()
    inner = "".join(_element("tileset", value, "") for value in values.values())
    return f"<template>{inner}{_xml_object(thing)}</template>".encode()


def tileset_file(tiles: dict[str, Any], language: str = "tmj") -> bytes:
    """A tileset as a file of its own."""
    own = {key: value for key, value in tiles.items() if key != "firstgid"}
    if language == "tmj":
        return json.dumps({"type": "tileset", **own}).encode()
    return _xml_tileset(own).encode()


def _json_layer(item: dict[str, Any]) -> dict[str, Any]:
    if item["type"] == "group":
        return {**item, "layers": [_json_layer(inner) for inner in item["layers"]]}
    if item["type"] != "tilelayer":
        return item
    plain = {key: value for key, value in item.items() if key not in ("cells", "chunks")}
    encoding = plain.pop("encoding")
    if encoding not in ("csv", "tiles"):
        plain["encoding"] = "base64"
        plain["compression"] = "" if encoding == "base64" else encoding
    if "chunks" in item:
        plain["chunks"] = [
            {
                "x": x,
                "y": y,
                "width": cells.shape[1],
                "height": cells.shape[0],
                "data": _json_data(cells, encoding),
            }
            for (x, y), cells in item["chunks"].items()
        ]
    else:
        plain["data"] = _json_data(item["cells"], encoding)
    return plain


def _json_data(cells: NDArray[np.uint32], encoding: str) -> list[int] | str:
    plain = encoding in ("csv", "tiles")
    return cells.ravel().tolist() if plain else packed(cells, encoding)


def _element(name: str, attributes: Mapping[str, Any], inside: str) -> str:
    words = "".join(
        f" {key}={quoteattr(_text(value))}"
        for key, value in attributes.items()
        if isinstance(value, str | int | float)
    )
    return f"<{name}{words}>{inside}</{name}>"


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _xml_map(document: dict[str, Any]) -> str:
    inside = "".join(_xml_tileset(item) for item in document["tilesets"])
    inside += "".join(_xml_layer(item) for item in document["layers"])
    attributes = {key: value for key, value in document.items() if key != "type"}
    return _element("map", attributes, inside)


def _xml_tileset(item: dict[str, Any]) -> str:
    tiles = "".join(_element("tile", tile, _xml_properties(tile)) for tile in item.get("tiles", []))
    return _element("tileset", item, tiles)


def _xml_properties(owner: Mapping[str, Any]) -> str:
    listed = owner.get("properties", [])
    if not listed:
        return ""
    inside = ""
    for item in listed:
        value = item["value"]
        reported = ("true" if value else "false") if isinstance(value, bool) else str(value)
        inside += _element("property", {**item, "value": reported}, "")
    return _element("properties", {}, inside)


def _xml_layer(item: dict[str, Any]) -> str:
    attributes = {key: value for key, value in item.items() if key not in ("type", "encoding")}
    kind = item["type"]
    if kind == "group":
        return _element("group", attributes, "".join(map(_xml_layer, item["layers"])))
    if kind == "imagelayer":
        return _element("imagelayer", attributes, "")
    if kind == "objectgroup":
        return _element("objectgroup", attributes, "".join(map(_xml_object, item["objects"])))
    encoding = item["encoding"]
    how = {
        "tiles": {},
        "csv": {"encoding": "csv"},
        "base64": {"encoding": "base64"},
    }.get(encoding, {"encoding": "base64", "compression": encoding})
    if "chunks" in item:
        inside = "".join(
            _element(
                "chunk",
                {"x": x, "y": y, "width": cells.shape[1], "height": cells.shape[0]},
                _xml_data(cells, encoding),
            )
            for (x, y), cells in item["chunks"].items()
        )
    else:
        inside = _xml_data(item["cells"], encoding)
    return _element("layer", attributes, _element("data", how, inside))


def _xml_data(cells: NDArray[np.uint32], encoding: str) -> str:
    if encoding == "tiles":
        return "".join(f'<tile gid="{gid}"/>' if gid else "<tile/>" for gid in cells.ravel())
    return f"\n   {packed(cells, encoding)}\n  "


def _xml_object(thing: dict[str, Any]) -> str:
    inside = _xml_properties(thing)
    for mark in ("point", "ellipse", "capsule", "text"):
        if thing.get(mark):
            inside += f"<{mark}/>"
    for shape in ("polygon", "polyline"):
        if shape in thing:
            points = " ".join(f"{item['x']},{item['y']}" for item in thing[shape])
            inside += f'<{shape} points="{points}"/>'
    plain = {key: value for key, value in thing.items() if value is not True}
    return _element("object", plain, inside)


def read(content: bytes, files: Mapping[str, bytes] | None = None) -> HandMap:
    """Read a map beside some files."""

    def open_file(name: str) -> bytes:
        if files is None or name not in files:
            raise ParameterError(f"{name!r} cannot be read (no such file)")
        return files[name]

    return read_tiled_map(content, "maps/cave.tmx", open_file)


def refusal(content: bytes, files: Mapping[str, bytes] | None = None) -> str:
    """Return why a map is refused; the message is short and names its file."""
    with pytest.raises(ParameterError) as caught:
        read(content, files)
    assert "maps/cave.tmx" in caught.value.message
    assert len(caught.value.message) < 1000
    return caught.value.message
