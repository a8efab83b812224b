"""Write a Tiled map as Lua, which LÖVE and Solar2D read.

The tables equal Tiled's own export to Lua. Readers load no other files, so tilesets are embedded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exporter.formats.tiled.collision import Shapes
from exporter.formats.tiled.map import TileNumbers, property_value
from exporter.model.errors import ParameterError

VERSION = "1.10"
LUA_VERSION = "5.1"
# LuaJIT, which LÖVE runs, has at most 65,536 constants in a function. Every table that is not empty
# is one.
MOST_TABLES = 65_000

# Readers expect these keys in every layer.
_LAYER = {"visible": True, "opacity": 1, "offsetx": 0, "offsety": 0, "parallaxx": 1, "parallaxy": 1}


class _Writer:
    """Collects the lines of a Lua program, and counts its nonempty tables."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.tables = 0

    def table(self, name: str, values: Mapping[str, Any] | Sequence[Any], depth: int) -> None:
        """Write `values` as a Lua table after the text `name`.

        The text is a key with `=`, `return`, or empty. Keys of `values` are valid names in Lua, or
        escaped by `_key`; `depth` is how many blanks to indent.
        """
        space = " " * depth
        if not values:
            self.lines.append(f"{space}{name}{{}},")
            return
        self.tables += 1
        self.lines.append(f"{space}{name}{{")
        entries: Iterator[tuple[str, Any]] = (
            ((f"{key} = ", value) for key, value in values.items())
            if isinstance(values, Mapping)
            else (("", value) for value in values)
        )
        for key, value in entries:
            if isinstance(value, TileNumbers):
                self.tables += 1
                self.lines += [f"{space} {key}{{", value.text(), f"{space} }},"]
            elif isinstance(value, Mapping | list | tuple):
                self.table(key, value, depth + 1)
            else:
                self.lines.append(f"{space} {key}{lua_value(value)},")
        self.lines.append(f"{space}}},")


def map_lua(document: Mapping[str, Any]) -> bytes:
    """Return `document`, a map in Tiled's JSON, as a Lua program.

    Raises:
        ParameterError: The program has more tables than LuaJIT can read.
    """
    return _program(
        _map(document),
        "use `languages: [json]`, `collision: tiles` or `infinite: false`",
        ("languages",),
    )


def lua_program(values: Mapping[str, Any]) -> bytes:
    """Return a Lua program that returns the table `values`.

    Keys may be any text. Entries whose value is None are left out.

    Raises:
        ParameterError: The program has more tables than LuaJIT can read.
    """
    return _program(_plain(values), "place fewer objects", ())


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {_key(name): _plain(item) for name, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return property_value(value)


def _program(values: Mapping[str, Any], way_out: str, path: tuple[str, ...]) -> bytes:
    writer = _Writer()
    writer.table("return ", values, 0)
    if writer.tables > MOST_TABLES:
        raise ParameterError(
            f"the Lua file would have {writer.tables:,} tables, one for each object, collision "
            f"polygon and chunk (allowed: {MOST_TABLES:,}, the limit of LuaJIT; {way_out})",
            path,
        )
    writer.lines[-1] = "}"
    return ("\n".join(writer.lines) + "\n").encode()


def lua_value(value: Any) -> str:
    """Format `value`, a text, number or boolean, as Lua."""
    if isinstance(value, bool):
        return str(value).lower()
    return _quote(value) if isinstance(value, str) else repr(value)


def _quote(text: str) -> str:
    """Put `text` in quotes for Lua, with control characters as numbers."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda item: f"\\{ord(item[0]):03}", plain) + '"'


def _key(name: str) -> str:
    return f"[{_quote(name)}]"


def _map(document: Mapping[str, Any]) -> dict[str, Any]:
    sizes = ("width", "height", "tilewidth", "tileheight", "nextlayerid", "nextobjectid")
    return {
        "version": VERSION,
        "luaversion": LUA_VERSION,
        **_some(document, "tiledversion", "orientation", "renderorder", *sizes),
        "properties": _properties(document),
        "tilesets": [_tileset(item) for item in document["tilesets"]],
        "layers": [_layer(item) for item in document["layers"]],
    }


def _tileset(tileset: Mapping[str, Any]) -> dict[str, Any]:
    size = {"width": tileset["tilewidth"], "height": tileset["tileheight"]}
    before = ("name", "firstgid", "tilewidth", "tileheight", "spacing", "margin", "columns")
    return {
        **_some(tileset, *before, "image", "imagewidth", "imageheight"),
        "objectalignment": "unspecified",
        # Readers of Lua expect these keys.
        "tileoffset": {"x": 0, "y": 0},
        "grid": {"orientation": "orthogonal", **size},
        "properties": _properties(tileset),
        "wangsets": [_wang_set(item) for item in tileset.get("wangsets", ())],
        "tilecount": tileset["tilecount"],
        "tiles": [_tile(item) for item in tileset["tiles"]],
    }


def _tile(tile: Mapping[str, Any]) -> dict[str, Any]:
    reported = {**_some(tile, "id", "type"), "properties": _properties(tile)}
    if "objectgroup" in tile:
        reported["objectGroup"] = _layer(tile["objectgroup"])
    if "animation" in tile:
        reported["animation"] = tile["animation"]
    return reported


def _wang_set(wang_set: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **_some(wang_set, "name", "tile"),
        "properties": _properties(wang_set),
        "colors": [
            {
                "color": [int(color["color"][at : at + 2], 16) for at in (1, 3, 5)],
                **_some(color, "name", "probability", "tile"),
                "properties": _properties(color),
            }
            for color in wang_set["colors"]
        ],
        "wangtiles": [_some(tile, "wangid", "tileid") for tile in wang_set["wangtiles"]],
    }


def _layer(layer: Mapping[str, Any]) -> dict[str, Any]:
    known = _LAYER | _some(layer, *_LAYER)
    if layer["type"] == "objectgroup":
        head = _some(layer, "type", "draworder", "id")
        objects: Any = layer["objects"]
        if isinstance(objects, Shapes):
            objects = list(objects)
        reported = {**_some(layer, "name"), **known, "properties": _properties(layer)}
        return {**head, **reported, "objects": [_object(item) for item in objects]}
    head = _some(layer, "type", "x", "y", "width", "height", "id", "name")
    cells: dict[str, Any] = {"encoding": "lua"}
    if layer.get("encoding") == "base64":
        cells = _some(layer, "encoding", "compression")
    if "chunks" in layer:
        position = ("x", "y", "width", "height", "data")
        cells["chunks"] = [_some(chunk, *position) for chunk in layer["chunks"]]
    else:
        cells["data"] = layer["data"]
    return {**head, **known, "properties": _properties(layer), **cells}


def _object(thing: Mapping[str, Any]) -> dict[str, Any]:
    shape = {"shape": "polygon" if "polygon" in thing else "rectangle"}
    position = ("x", "y", "width", "height", "rotation", "visible")
    polygon = _some(thing, "polygon")
    named = {**_some(thing, "id", "name", "type"), **shape, **_some(thing, *position)}
    return {**named, **polygon, "properties": _properties(thing)}


def _properties(owner: Mapping[str, Any]) -> dict[str, Any]:
    return {
        _key(item["name"]): {"id": item["value"]} if item["type"] == "object" else item["value"]
        for item in owner.get("properties", ())
    }


def _some(values: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: values[name] for name in names if name in values}
