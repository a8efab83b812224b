"""Build Tiled tilesets as JSON documents, which `tmj` and `tmx` write.

Each tile has its id, its name, and whether it is opaque and walkable as properties.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from exporter.formats.tiled.map import FIRST_GID, TILED_VERSION, VERSION, Diamond, properties
from exporter.model.level import Level
from exporter.tilesets import NeighbourhoodTile, Tileset
from exporter.tilesets.animation import FRAMES, MILLISECONDS, Animation

# Tiled's kinds of terrains.
_WANG_TYPES = {"blob": "mixed", "edges": "edge", "corners": "corner"}


def external_tileset(file: str, before: int = 0) -> dict[str, Any]:
    """Return a map's entry for a tileset in a file of its own.

    `file` is relative to the map. `before` is how many tile numbers belong to earlier tilesets of
    the map.
    """
    return {"firstgid": FIRST_GID + before, "source": file}


def embedded_tileset(document: Mapping[str, Any], before: int = 0) -> dict[str, Any]:
    """Return a map's entry for a tileset that is embedded in the map.

    `document` is from `tileset_document`. `before` is how many tile numbers belong to earlier
    tilesets of the map.
    """
    of_files = {"type", "version", "tiledversion"}
    inside = {key: value for key, value in document.items() if key not in of_files}
    return {"firstgid": FIRST_GID + before, **inside}


def tileset_document(
    name: str,
    tileset: Tileset,
    image_file: str,
    solid: Collection[int],
    diamond: Diamond | None = None,
    animation: Animation | None = None,
) -> dict[str, Any]:
    """Return a tileset as a document in Tiled's JSON.

    `name` becomes the tileset's. `image_file` is the name of the picture, which lies beside the
    tileset or the map. `solid` has the numbers of the tiles with a collision shape. `diamond` is
    width and height of isometric tiles in pixels; None for square tiles. With an `animation` the
    picture has all frames below each other.
    """
    frames = FRAMES if animation else 1
    wide, high = diamond or (tileset.tile_size, tileset.tile_size)
    height, width = tileset.pixels.shape[:2]
    if diamond:
        height, width = tileset.rows * high, tileset.columns * wide
    height *= frames
    document: dict[str, Any] = {
        "type": "tileset",
        "version": VERSION,
        "tiledversion": TILED_VERSION,
        "name": name,
        "tilewidth": wide,
        "tileheight": high,
        "tilecount": tileset.count * frames,
        "columns": tileset.columns,
        "margin": tileset.margin,
        "spacing": tileset.spacing,
        "image": image_file,
        "imagewidth": width,
        "imageheight": height,
        "tiles": [
            _tile(number, tileset, number in solid, diamond) | _animation_entry(number, animation)
            for number in sorted(tileset.tiles)
        ],
    }
    if tileset.terrains:
        document["wangsets"] = [_wang_set(terrain) for terrain in tileset.terrains]
    return document


def solid_tiles(level: Level, tileset: Tileset) -> set[int]:
    """Return the numbers of the unwalkable tiles in play layers."""
    return {
        number
        for layer in level.play_layers()
        for number in tileset.numbers_of(layer)
        if not tileset.tiles[number].walkable
    }


def _tile(number: int, tileset: Tileset, solid: bool, diamond: Diamond | None) -> dict[str, Any]:
    tile = tileset.tiles[number]
    document: dict[str, Any] = {
        "id": number,
        "type": tile.name,
        "properties": properties(
            {"id": tile.id, "name": tile.name, "opaque": tile.opaque, "walkable": tile.walkable}
        ),
    }
    if solid:
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
                    "width": 0 if diamond else tileset.tile_size,
                    "height": 0 if diamond else tileset.tile_size,
                    "rotation": 0,
                    "visible": True,
                    **({"polygon": _corners(*diamond)} if diamond else {}),
                }
            ],
        }
    return document


def _animation_entry(number: int, animation: Animation | None) -> dict[str, Any]:
    """Return the key `animation` of tile `number`; empty if it has none."""
    if animation is None or number not in animation.numbers:
        return {}
    frames = animation.frames_of(number)
    return {"animation": [{"tileid": frame, "duration": MILLISECONDS} for frame in frames]}


def _corners(width: int, height: int) -> list[dict[str, int]]:
    right, down = width // 2, height // 2
    corners = ((right, 0), (width, down), (right, height), (0, down))
    return [{"x": x, "y": y} for x, y in corners]


def _wang_set(terrain: NeighbourhoodTile) -> dict[str, Any]:
    """Return a terrain as a Wang set with a single colour.

    Each tile has the colour at the sides and corners where the terrain continues.
    """
    return {
        "name": terrain.name,
        "type": _WANG_TYPES[terrain.autotile],
        "tile": terrain.numbers[-1],
        "colors": [
            {
                "name": terrain.name,
                "color": terrain.color,
                "tile": terrain.numbers[-1],
                "probability": 1,
            }
        ],
        "wangtiles": [
            {"tileid": number, "wangid": [mask >> bit & 1 for bit in range(8)]}
            for number, mask in terrain.masks().items()
        ],
    }
