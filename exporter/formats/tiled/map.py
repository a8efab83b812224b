"""Build Tiled maps as JSON documents, which `tmj`, `tmx` and `lua` write.

Tiled ignores a layer without `visible` and `opacity`, and other readers fail on missing optional
keys, so every documented key is written. A cell holds the tile's number in the tileset plus the
tileset's first global id, 1; 0 is an empty cell.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from exporter.deflate import compress
from exporter.formats._rooms import rooms_json
from exporter.formats.tiled.collision import collision_layer, collision_shapes
from exporter.model.level import Layer, Level, PlacedObject
from exporter.model.level_values import SEEN_ROLES, PropertyValue, Scalar
from exporter.model.property_values import as_text, first_objects, type_and_content
from exporter.model.texts import unused_name
from exporter.tilesets import PictureGrid

VERSION = "1.10"
TILED_VERSION = "1.10.2"
FIRST_GID = 1
OBJECTS = "objects"
# Side of a chunk in cells, as Tiled writes it.
CHUNK = 16

Encoding = Literal["csv", "zlib"]
Diamond = tuple[int, int]


class TileNumbers:
    """The tile numbers of a layer, uint32 [height, width], in a map document."""

    def __init__(self, numbers: NDArray[np.uint32]) -> None:
        self.numbers = numbers

    def text(self) -> str:
        """Return the tile numbers as comma-separated text, a line for each row."""
        return ",\n".join(",".join(map(str, row)) for row in self.numbers.tolist())


class MapTiles(Protocol):
    """The tiles that a Tiled map shows: the exporter's, a team's, or both."""

    @property
    def tile_size(self) -> int:
        """Side of a tile in pixels."""

    def drawings(self, layer: Layer) -> tuple[PictureGrid, ...]:
        """Return the grids of tiles to draw for `layer`, bottom to top.

        One is the grid of cells; extra grids have tiles below, above or between the cells.
        """

    def offset(self, drawing: PictureGrid) -> int:
        """Return how many pixels `drawing` is shifted both right and down.

        Only grids of tiles between the cells are shifted: by minus half a tile.
        """


def map_document(
    level: Level,
    tiles: MapTiles,
    *tileset_entries: Mapping[str, Any],
    encoding: Encoding = "csv",
    infinite: bool = False,
    merged_collision: bool = False,
    diamond: Diamond | None = None,
) -> dict[str, Any]:
    """Return a level's map as a document in Tiled's JSON.

    Layers that a game does not show are hidden. Each layer has its purpose in the property `role`,
    and play layers have their rooms as JSON in `rooms`. Extra grids of tiles below, above or
    between a layer's cells become separate layers.

    Args:
        level: The level, with tile layers and objects.
        tiles: The tiles of cells; numbers continue from one tileset to the next.
        tileset_entries: The map's entry of each tileset: `external_tileset` or `embedded_tileset`.
        encoding: `csv` for numbers, a line for each row, or `zlib` for compressed base64.
        infinite: Whether to write the cells in chunks, as Tiled does for maps without bounds.
        merged_collision: Whether to add an object layer that covers unwalkable cells.
        diamond: Width and height of isometric cells in pixels; None for square cells.

    Raises:
        ParameterError: The collision would have too many shapes.
    """
    layers = level.tile_layers()
    width, height = diamond or (tiles.tile_size, tiles.tile_size)
    embedded = any("source" not in entry for entry in tileset_entries)
    drawn = _tile_layers(layers, tiles, encoding, infinite, embedded, diamond)
    beside_cells = [document for document, drawing in drawn if drawing.tile]
    documents = [document for document, _ in drawn]
    following_layer = len(layers) + 1
    following_object = max((thing.id for thing in level.objects), default=0) + 1
    if level.objects:
        documents.append(_object_layer(following_layer, level, height))
        following_layer += 1
    if merged_collision:
        shapes = collision_shapes(level, height, following_object)
        following_object += len(shapes)
        # Below the objects, so that a click in Tiled finds an object first. Its id comes late, so
        # that other layers keep their ids; so do the ids of grids beside the cells.
        documents.insert(len(drawn), collision_layer(following_layer, shapes))
        following_layer += 1
    for number, document in enumerate(beside_cells, following_layer):
        document["id"] = number
    return {
        "type": "map",
        "version": VERSION,
        "tiledversion": TILED_VERSION,
        "orientation": "isometric" if diamond else "orthogonal",
        "renderorder": "right-down",
        "compressionlevel": -1,
        "infinite": infinite,
        "width": level.width,
        "height": level.height,
        "tilewidth": width,
        "tileheight": height,
        "nextlayerid": len(documents) + 1,
        "nextobjectid": following_object,
        "properties": properties(level_properties(level), first_objects(level)),
        "tilesets": list(tileset_entries) if layers else [],
        "layers": documents,
    }


def level_properties(level: Level) -> dict[str, PropertyValue]:
    """Return the properties that a level's map has, by name.

    They are the level's name, seed and rng, its mission (as a JSON text), and the properties of its
    spec. A spec's property gets the prefix `property_` if its name is one of the others.
    """
    own: dict[str, PropertyValue] = {"level": level.name, "seed": level.seed, "rng": level.rng}
    if level.mission is not None:
        own["mission"] = json.dumps(level.mission.description(), separators=(",", ":"))
    users = {
        f"property_{name}" if name in own else name: value
        for name, value in level.properties.items()
    }
    return {**own, **users}


def properties(
    values: Mapping[str, PropertyValue], objects: Mapping[str, PlacedObject] = MappingProxyType({})
) -> list[dict[str, Any]]:
    """Return `values`, by name, as a list of Tiled's custom properties.

    Values that are None are left out. `objects` has the objects that values refer to, by name.
    """
    return [
        {"name": name, "type": property_type(value), "value": property_value(value, objects)}
        for name, value in values.items()
        if value is not None
    ]


def property_type(value: PropertyValue) -> str:
    """Return the type of a property's `value` in Tiled.

    Values without a type in Tiled are `string`: integers beyond 32 bits, infinite numbers, vectors,
    resources and lists.
    """
    kind, _ = type_and_content(value)
    if kind in ("color", "object"):
        return kind
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int) and -(2**31) <= value < 2**31:
        return "int"
    return "float" if isinstance(value, float) and np.isfinite(value) else "string"


def property_value(
    value: PropertyValue, objects: Mapping[str, PlacedObject] = MappingProxyType({})
) -> Scalar:
    """Convert a property's `value` to the form that its type has in Tiled.

    `objects` has the objects that values refer to, by name; an unknown one becomes 0.
    """
    _, content = type_and_content(value)
    match property_type(value):
        case "color":
            return f"#{content[7:] or 'ff'}{content[1:7]}".lower()
        case "object":
            return objects[content].id if content in objects else 0
        case "string":
            return as_text(value)
    number: Scalar = content
    return number


def _tile_layers(
    layers: Sequence[Layer],
    tiles: MapTiles,
    encoding: Encoding,
    infinite: bool,
    embedded: bool,
    diamond: Diamond | None,
) -> list[tuple[dict[str, Any], PictureGrid]]:
    """Return all layers as Tiled's JSON, bottom to top, each with its grid.

    Extra grids beside a layer's cells become layers, too; the names and ids of the other layers
    stay the same. `embedded` says whether a tileset is inside the map.
    """
    used = {layer.name for layer in layers}
    drawn = []
    for number, layer in enumerate(layers, 1):
        for drawing in tiles.drawings(layer):
            name = layer.name
            reported: dict[str, Scalar] = {"generator": layer.generator, "role": layer.role}
            if layer.rooms and layer.role == "play":
                reported["rooms"] = rooms_json(layer)
            if drawing.tile:
                name = unused_name(f"{layer.name}_{drawing.tile}", used)
                reported = {"layer": layer.name, "role": "picture", "tile": drawing.tile}
            offset = tiles.offset(drawing)
            offsets = {"offsetx": offset, "offsety": offset} if offset else {}
            if offset and diamond:
                offsets = {"offsetx": 0, "offsety": -diamond[1] // 2}
            document = {
                **_tile_layer_head(number, name, drawing.numbers.shape, layer.role in SEEN_ROLES),
                **offsets,
                "properties": properties(reported),
                **_named_encoding(encoding, named=infinite or embedded),
                **_grid(drawing.numbers, encoding, infinite),
            }
            drawn.append((document, drawing))
    return drawn


def _tile_layer_head(
    number: int, name: str, shape: tuple[int, ...], visible: bool
) -> dict[str, Any]:
    return {
        "id": number,
        "name": name,
        "type": "tilelayer",
        "x": 0,
        "y": 0,
        "width": shape[1],
        "height": shape[0],
        "opacity": 1,
        "visible": visible,
    }


def _grid(numbers: NDArray[np.int32], encoding: Encoding, infinite: bool) -> dict[str, Any]:
    """Return the keys for a layer's cells, whose tile numbers are `numbers`.

    `infinite` writes the cells in chunks.
    """
    gids = (numbers + FIRST_GID).astype(np.uint32)
    if infinite:
        return {"startx": 0, "starty": 0, "chunks": _chunks(gids, encoding)}
    return {"data": _cells(gids, encoding)}


def _named_encoding(encoding: Encoding, *, named: bool) -> dict[str, str]:
    """Return the keys that name a layer's encoding.

    There are none for plain numbers unless `named`. Tiled's own files do not name this default, and
    pytiled-parser takes named ones for base64. But Excalibur's plugin needs the name, so `named` is
    set for maps that are embedded or in chunks.
    """
    if encoding == "zlib":
        return {"encoding": "base64", "compression": "zlib"}
    # pytiled-parser looks for a compression wherever there is an encoding.
    return {"encoding": "csv", "compression": ""} if named else {}


def _cells(gids: NDArray[np.uint32], encoding: Encoding) -> TileNumbers | str:
    if encoding == "csv":
        return TileNumbers(gids)
    return base64.b64encode(compress(gids.astype("<u4").tobytes())).decode()


def _chunks(gids: NDArray[np.uint32], encoding: Encoding) -> list[dict[str, Any]]:
    """Cut a layer into squares, as Tiled's JSON; leave out empty ones.

    Squares at the border are filled up with empty cells. `gids` has the tile numbers in the map.
    """
    height, width = gids.shape
    fill = ((0, -height % CHUNK), (0, -width % CHUNK))
    padded = np.pad(gids, fill)
    chunks = []
    for y in range(0, height, CHUNK):
        for x in range(0, width, CHUNK):
            part = padded[y : y + CHUNK, x : x + CHUNK]
            if part.any():
                position = {"x": x, "y": y, "width": CHUNK, "height": CHUNK}
                chunks.append({"data": _cells(part, encoding), **position})
    return chunks


def _object_layer(number: int, level: Level, size: int) -> dict[str, Any]:
    named = first_objects(level)
    return {
        "id": number,
        "name": OBJECTS,
        "type": "objectgroup",
        "draworder": "topdown",
        "x": 0,
        "y": 0,
        "opacity": 1,
        "visible": True,
        "objects": [_object(thing, size, named) for thing in level.objects],
    }


def _object(thing: PlacedObject, size: int, named: Mapping[str, PlacedObject]) -> dict[str, Any]:
    """Return an object as a rectangle that covers its cell, in pixels.

    `size` is the side of a cell, or the height of a diamond in isometric maps, whose axes Tiled
    measures in that unit. `named` has the objects that properties refer to, by name.
    """
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
        "properties": properties(thing.properties, named),
    }
