"""Read an exported map that a user may have painted on in Tiled."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.formats.tiled.map import OBJECTS
from exporter.handmade.tiled.cells import NUMBER_BITS as _BITS
from exporter.handmade.tiled.cells import read_numbers
from exporter.handmade.tiled.files import read_document
from exporter.handmade.tiled.limits import TiledError
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_CELLS, MAXIMUM_LAYERS, MAXIMUM_SIDE

# The upper bits of a number say how its tile is turned.
NUMBER_BITS = int(_BITS)
MAXIMUM_OBJECTS = 1_000_000
_MOST_TILESETS = 1000
# Keys that Tiled may change by itself, or that only describe the view of the map.
_OF_MAP = frozenset(
    {
        "layers", "tilesets", "width", "height", "version", "tiledversion", "type",
        "compressionlevel", "editorsettings", "nextlayerid", "nextobjectid", "infinite",
        "renderorder",
    }
)  # fmt: skip
_OF_LAYER = frozenset(
    {
        "data", "chunks", "encoding", "compression", "startx", "starty", "width", "height", "x",
        "y", "id", "name", "visible", "locked", "opacity", "objects", "draworder",
    }
)  # fmt: skip
_OF_OBJECT = frozenset(
    {
        "id", "name", "x", "y", "width", "height", "visible", "gid", "point",
    }
)  # fmt: skip
# Keys that Tiled leaves out or adds, with their defaults.
_DEFAULTS: Mapping[str, Any] = {
    "properties": [],
    "rotation": 0,
    "type": "",
    "class": "",
    "offsetx": 0,
    "offsety": 0,
    "parallaxx": 1,
    "parallaxy": 1,
    "parallaxoriginx": 0,
    "parallaxoriginy": 0,
    "tintcolor": "",
    "backgroundcolor": "",
    "repeatx": False,
    "repeaty": False,
    "mode": "normal",
    "orientation": "orthogonal",
}


@dataclass(frozen=True, slots=True)
class PaintedObject:
    """An object on a map in Tiled.

    Attributes:
        id: The object's number.
        name: The object's name.
        cell: The cell (x, y) that contains the object's middle.
        rest: The object's other properties as text.
    """

    id: int
    name: str
    cell: tuple[int, int]
    rest: str = ""


@dataclass(frozen=True, slots=True)
class MapTileset:
    """A tileset that a Tiled map uses.

    Attributes:
        first: The number of the tileset's first tile in the map.
        key: The path of the tileset's file, or the tileset's name if it is embedded.
        external: Whether the tileset is in a file of its own.
        document: The tileset's entry in the map, as Tiled's JSON.
    """

    first: int
    key: str
    external: bool
    document: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class PaintedMap:
    """An exported map, as read from its file.

    Attributes:
        size: Width and height in cells.
        layers: Tile numbers of each tile layer, by the layer's name: uint32 [height, width].
        tilesets: The tilesets, in the order of their numbers.
        objects: The objects of the layer `objects`; None without that layer.
        rest: All other content as text, by a description such as `the map's KEY`.
        order: The names of all layers, bottom to top.
    """

    size: tuple[int, int]
    layers: Mapping[str, NDArray[np.uint32]]
    tilesets: tuple[MapTileset, ...]
    objects: tuple[PaintedObject, ...] | None
    rest: Mapping[str, str]
    order: tuple[str, ...] = ()


def read_painted(content: bytes) -> PaintedMap:
    """Read an exported map from `content`, Tiled's JSON or XML.

    Raises:
        ParameterError: The file is not a Tiled map, is broken, or too large.
    """
    try:
        document = read_document(content)
        if document.get("type") != "map":
            raise ParameterError("the file is not a Tiled map")
        return _map(document)
    except ParameterError:
        raise
    except TiledError as error:
        raise ParameterError(f"the map {error}") from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise ParameterError(f"the map is not a Tiled map, or is broken ({error})") from None


def _map(document: Mapping[str, Any]) -> PaintedMap:
    width, height = int(document["width"]), int(document["height"])
    if not (0 < width <= MAXIMUM_SIDE and 0 < height <= MAXIMUM_SIDE):
        raise ParameterError(f"the map has {width} x {height} cells (allowed: 1 to {MAXIMUM_SIDE})")
    if width * height > MAXIMUM_CELLS:
        raise ParameterError(f"the map has {width * height:,} cells (allowed: {MAXIMUM_CELLS:,})")
    tile_size = int(document["tilewidth"]), int(document["tileheight"])
    if min(tile_size) < 1:
        raise ParameterError("the tiles of the map have no width or height")
    if document.get("orientation") == "isometric":
        # Both axes are measured in heights of a tile.
        tile_size = tile_size[1], tile_size[1]
    tilesets = tuple(map(_tileset, document.get("tilesets", [])[:_MOST_TILESETS]))
    rest = {f"the map's {key}": text for key, text in _others(document, _OF_MAP)}
    rest |= {f"the tileset {tileset.key!r}": str(tileset.first) for tileset in tilesets}
    layers: dict[str, NDArray[np.uint32]] = {}
    objects: tuple[PaintedObject, ...] | None = None
    result = document["layers"]
    if len(result) > 4 * MAXIMUM_LAYERS:
        raise ParameterError(f"the map has {len(result)} layers (allowed: {4 * MAXIMUM_LAYERS})")
    order = []
    for layer in result:
        name, kind = str(layer.get("name", "")), layer.get("type")
        what = f"the layer {name!r}"
        order.append(name)
        if kind == "tilelayer" and name not in layers:
            layers[name], outside = _cells(layer, width, height)
            rest |= {f"{key!r} of {what}": text for key, text in _others(layer, _OF_LAYER)}
            if outside:
                rest[f"{what} outside of the map"] = str(outside)
        elif kind == "objectgroup" and name == OBJECTS and objects is None:
            objects = tuple(_objects(layer, tile_size))
            rest |= {f"{key!r} of {what}": text for key, text in _others(layer, _OF_LAYER)}
        else:
            rest[what] = _text(_plain(layer))
    return PaintedMap((width, height), layers, tilesets, objects, rest, tuple(order))


def _tileset(entry: dict[str, Any]) -> MapTileset:
    source = entry.get("source")
    key = str(source if source is not None else entry.get("name", ""))
    return MapTileset(int(entry["firstgid"]), key, source is not None, entry)


def _others(part: Mapping[str, Any], known: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield content that exported maps do not have, as name and text.

    `part` is a map, layer or object in Tiled's JSON; `known` are the keys that exported ones have.
    """
    for key, value in part.items():
        if key in known or (key in _DEFAULTS and str(_DEFAULTS[key]) == str(value)):
            continue
        if key == "properties":
            for item in value:
                yield f"property {item['name']}", _text([item.get("type"), item.get("value")])
        else:
            yield key, _text(value)


def _plain(layer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in layer.items() if key not in ("id", "visible", "locked")}


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _cells(layer: dict[str, Any], width: int, height: int) -> tuple[NDArray[np.uint32], int]:
    """Return a layer's cells, and how many tiles lie outside of the map.

    `width` and `height` are the map's. The cells are uint32 [height, width].
    """
    cells = np.zeros((height, width), np.uint32)
    outside = 0
    parts = [layer] if "data" in layer else layer.get("chunks", [])
    budget = 4 * MAXIMUM_CELLS
    for part in parts:
        columns, rows = int(part["width"]), int(part["height"])
        left, top = (0, 0) if "data" in layer else (int(part["x"]), int(part["y"]))
        budget -= max(columns, 1) * max(rows, 1)
        if columns < 0 or rows < 0 or budget < 0:
            raise ParameterError(f"the layer {layer.get('name')!r} has too many cells")
        numbers = read_numbers(part["data"], layer, columns, rows)
        inside = numbers[max(-top, 0) : height - top, max(-left, 0) : width - left]
        if top < height and left < width and inside.size:
            y, x = max(top, 0), max(left, 0)
            cells[y : y + inside.shape[0], x : x + inside.shape[1]] = inside
        else:
            inside = numbers[:0]
        outside += int(np.count_nonzero(numbers)) - int(np.count_nonzero(inside))
    return cells, outside


def _objects(layer: dict[str, Any], size: tuple[int, int]) -> Iterator[PaintedObject]:
    """Yield the objects of a layer, each with the cell of its middle.

    `size` is the width and height of a cell in the units of the map's positions.
    """
    result = layer.get("objects", [])
    if len(result) > MAXIMUM_OBJECTS:
        raise ParameterError(f"the map has {len(result)} objects (allowed: {MAXIMUM_OBJECTS})")
    for item in result:
        wide, high = float(item.get("width", 0)), float(item.get("height", 0))
        x, y = float(item["x"]) + wide / 2, float(item["y"]) + high / 2
        if "gid" in item:  # the place of a picture is its lower left corner
            y -= high
        cell = int(x // size[0]), int(y // size[1])
        name = str(item.get("name") or item.get("type") or item.get("class") or "")
        rest = dict(_others(item, _OF_OBJECT))
        if not item.get("point") and (wide, high) != (float(size[0]), float(size[1])):
            rest["size"] = _text([wide, high])
        # A class equal to the name adds nothing.
        if rest.get("type", rest.get("class")) == _text(name):
            rest.pop("type", rest.pop("class", None))
        yield PaintedObject(int(item["id"]), name, cell, _text(rest))


def names_in(document: Mapping[str, Any]) -> dict[int, str]:
    """Return the tile names in a tileset, by tile number.

    `document` is the tileset in Tiled's JSON.

    Raises:
        ParameterError: The document is not a tileset, or is broken.
    """
    try:
        result = {}
        for tile in document.get("tiles", []):
            own = {item["name"]: item["value"] for item in tile.get("properties", [])}
            name = own.get("name", tile.get("type") or tile.get("class"))
            if isinstance(name, str):
                result[int(tile["id"])] = name
        return result
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise ParameterError(f"the file is not a Tiled tileset, or is broken ({error})") from None


def names_in_file(content: bytes) -> dict[int, str]:
    """Return the tile names in the tileset file `content`, by tile number.

    Raises:
        ParameterError: The file is not a tileset, or is broken.
    """
    try:
        return names_in(read_document(content))
    except TiledError as error:
        raise ParameterError(f"the tileset of the map {error}") from None
