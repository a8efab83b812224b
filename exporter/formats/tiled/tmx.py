"""Write Tiled's XML: maps (`.tmx`) and tilesets (`.tsx`).

The XML is made from the same documents as the JSON, for programs that read only XML:
SuperTiled2Unity and many game frameworks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from exporter.formats.tiled.map import TileNumbers
from exporter.model.texts import writable

_MAP = (
    "version",
    "tiledversion",
    "orientation",
    "renderorder",
    "width",
    "height",
    "tilewidth",
    "tileheight",
    "infinite",
    "nextlayerid",
    "nextobjectid",
)
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'


def map_xml(document: Mapping[str, Any]) -> bytes:
    """Return `document`, a map in Tiled's JSON, as XML (TMX)."""
    lines = [_HEAD, _open("map", _some(document, *_MAP)), *_properties(document)]
    for tileset in document["tilesets"]:
        lines += [_empty("tileset", tileset)] if "source" in tileset else _tileset(tileset)
    for layer in document["layers"]:
        lines += _tile_layer(layer) if layer["type"] == "tilelayer" else _objects(layer)
    return _text([*lines, "</map>"])


def tileset_xml(document: Mapping[str, Any]) -> bytes:
    """Return `document`, a tileset in Tiled's JSON, as XML (TSX)."""
    return _text([_HEAD, *_tileset(document)])


def _tileset(document: Mapping[str, Any]) -> Iterator[str]:
    names = ("name", "tilewidth", "tileheight", "spacing", "margin", "tilecount", "columns")
    yield _open("tileset", _some(document, "version", "tiledversion", "firstgid", *names))
    image = {
        "source": document["image"],
        "width": document["imagewidth"],
        "height": document["imageheight"],
    }
    yield _empty("image", image)
    for tile in document["tiles"]:
        yield _open("tile", _some(tile, "id", "type"))
        yield from _properties(tile)
        if "objectgroup" in tile:
            yield from _objects(tile["objectgroup"])
        if "animation" in tile:
            yield "<animation>"
            yield from (_empty("frame", frame) for frame in tile["animation"])
            yield "</animation>"
        yield "</tile>"
    if "wangsets" in document:
        yield "<wangsets>"
        yield from _wang_sets(document["wangsets"])
        yield "</wangsets>"
    yield "</tileset>"


def _tile_layer(layer: Mapping[str, Any]) -> Iterator[str]:
    hidden = {} if layer["visible"] else {"visible": 0}
    offset = _some(layer, "offsetx", "offsety")
    yield _open("layer", _some(layer, "id", "name", "width", "height") | hidden | offset)
    yield from _properties(layer)
    kind = {"encoding": "csv"} | _some(layer, "encoding", "compression")
    if "chunks" in layer:
        yield _open("data", kind)
        for chunk in layer["chunks"]:
            yield _open("chunk", _some(chunk, "x", "y", "width", "height"))
            yield _cells(chunk["data"])
            yield "</chunk>"
    else:
        yield _open("data", kind)
        yield _cells(layer["data"])
    yield "</data>"
    yield "</layer>"


def _cells(data: TileNumbers | str) -> str:
    return data.text() if isinstance(data, TileNumbers) else data


def _objects(layer: Mapping[str, Any]) -> Iterator[str]:
    yield _open("objectgroup", _some(layer, "id", "name", "draworder"))
    for thing in layer["objects"]:
        if "polygon" in thing:
            yield _open("object", _some(thing, "id", "name", "type", "x", "y"))
            yield _empty("polygon", {"points": _points(thing["polygon"])})
            yield "</object>"
            continue
        attributes = _some(thing, "id", "name", "type", "x", "y", "width", "height")
        if thing.get("properties"):
            yield _open("object", attributes)
            yield from _properties(thing)
            yield "</object>"
        else:
            yield _empty("object", attributes)
    yield "</objectgroup>"


def _points(polygon: list[dict[str, int]]) -> str:
    return " ".join(f"{point['x']},{point['y']}" for point in polygon)


def _wang_sets(sets: list[dict[str, Any]]) -> Iterator[str]:
    for wang in sets:
        yield _open("wangset", _some(wang, "name", "type", "tile"))
        for color in wang["colors"]:
            yield _empty("wangcolor", color)
        for tile in wang["wangtiles"]:
            wangid = ",".join(map(str, tile["wangid"]))
            yield _empty("wangtile", {"tileid": tile["tileid"], "wangid": wangid})
        yield "</wangset>"


def _properties(owner: Mapping[str, Any]) -> Iterator[str]:
    entries = owner.get("properties")
    if not entries:
        return
    yield "<properties>"
    for entry in entries:
        kind = {} if entry["type"] == "string" else {"type": entry["type"]}
        value = entry["value"]
        if isinstance(value, str) and "\n" in value:
            # As Tiled does: an attribute would turn line ends into blanks.
            opening = _open("property", {"name": entry["name"], **kind})
            # A bare carriage return would be read as a line feed.
            text = _escape(writable(value)).replace("\r", "&#13;")
            yield f"{opening}{text}</property>"
        else:
            yield _empty("property", {"name": entry["name"], **kind, "value": value})
    yield "</properties>"


def _some(values: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return the entries of `values` with one of `names`, except empty texts."""
    return {name: values[name] for name in names if values.get(name, "") != ""}


def _open(name: str, attributes: Mapping[str, Any]) -> str:
    return f"<{name}{_attributes(attributes)}>"


def _empty(name: str, attributes: Mapping[str, Any]) -> str:
    return f"<{name}{_attributes(attributes)}/>"


def _attributes(attributes: Mapping[str, Any]) -> str:
    return "".join(f" {name}={_value(name, value)}" for name, value in attributes.items())


def _value(name: str, value: Any) -> str:
    if isinstance(value, bool):
        # Only the map's `infinite` is a number in TMX.
        return f'"{int(value)}"' if name == "infinite" else f'"{str(value).lower()}"'
    text = _escape(writable(str(value)))
    for character, code in (("\n", "&#10;"), ("\r", "&#13;"), ("\t", "&#9;")):
        text = text.replace(character, code)
    if '"' not in text:
        return f'"{text}"'
    return '"' + text.replace('"', "&quot;") + '"' if "'" in text else f"'{text}'"


def _escape(text: str) -> str:
    """Escape `text` for XML.

    The function of the standard library is not used, because its module loads code for HTTP.
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _text(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()
