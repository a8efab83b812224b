"""Write LDtk's Super Simple Export: pictures, CSV grids, `data.json`.

The files equal those that LDtk 1.5 writes into `simplified/<Level>/`, so that programs that read
that folder work: a CSV of tile ids plus 1 for each layer (0 is empty), a picture of each visible
layer, a picture of all of them, and a list of objects with positions in pixels.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid5

import numpy as np
from numpy.typing import NDArray

from exporter.formats.tiled.map import level_properties
from exporter.model.colors import rgba
from exporter.model.level import Layer, Level, PlacedObject
from exporter.model.level_values import PropertyValue
from exporter.tilesets import Tileset

OBJECT_COLOR = "#f0c83c"
BACKGROUND = "#18161e"
_NAMESPACE = UUID("5b0d7c1e-3f0a-5e0c-9f57-6f6a2f1f4d11")


def grid_csv(layer: Layer) -> bytes:
    """Return the tile ids of `layer` plus 1 as CSV, as LDtk writes them.

    Cells with an empty tile are 0.
    """
    known = np.zeros(65536, np.int64)
    for tile in layer.tiles:
        known[tile.id] = 0 if tile.empty else tile.id + 1
    rows = known[layer.cells].tolist()
    return "".join(",".join(map(str, row)) + ",\n" for row in rows).encode()


def layer_picture(tileset: Tileset, layer: Layer) -> NDArray[np.uint8]:
    """Draw a tile layer in the full size of its tiles, none of them reduced.

    The result is uint8 [height * side, width * side, 4], where `side` is a tile's in pixels.
    """
    size = tileset.tile_size
    tiles = np.concatenate([tileset.pictures(), np.zeros((1, size, size, 4), np.uint8)])
    whole: NDArray[np.uint8] | None = None
    for drawing in tileset.drawings(layer):
        height, width = drawing.numbers.shape
        # Number -1 is the last one: the clear tile.
        picture = tiles[drawing.numbers].swapaxes(1, 2).reshape(height * size, width * size, 4)
        first = -tileset.offset(drawing)
        picture = picture[first : first + layer.height * size, first : first + layer.width * size]
        whole = picture if whole is None else _laid_over(picture, whole)
    assert whole is not None, "a layer has its cells"
    return whole


def _laid_over(above: NDArray[np.uint8], below: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the picture `above` blended over `below`.

    Both are RGBA, and colours are not multiplied by their opacity.
    """
    over = above[..., 3:].astype(np.uint32)
    under = below[..., 3:].astype(np.uint32) * (255 - over) // 255
    alpha = over + under
    colors = (above[..., :3] * over + below[..., :3] * under) // np.maximum(alpha, 1)
    return np.concatenate([colors, alpha], axis=2).astype(np.uint8)


def composite(pictures: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Blend `pictures` over LDtk's background colour, the first one lowest."""
    out = np.empty(pictures[0].shape, np.uint8)
    out[:] = rgba(BACKGROUND)
    for picture in pictures:
        alpha = picture[..., 3:].astype(np.uint16)
        mixed = picture[..., :3] * alpha + out[..., :3] * (255 - alpha)
        out[..., :3] = mixed // 255
    return out


def data_json(level: Level, tile_size: int, position: str, drawn: Sequence[str]) -> bytes:
    """Return the content of a level's `data.json`.

    `tile_size` is a cell's side in pixels. `position` is the target folder's path in the game
    project, from which stable identifiers derive. `drawn` has the names of the layers that have a
    picture.
    """
    entities: dict[str, list[dict[str, Any]]] = {}
    for thing in level.objects:
        entities.setdefault(thing.name, []).append(_entity(thing, level, tile_size, position))
    document = {
        "identifier": level.name,
        # LDtk spells it so.
        "uniqueIdentifer": identifier(position, level.name),
        "x": 0,
        "y": 0,
        "width": level.width * tile_size,
        "height": level.height * tile_size,
        "bgColor": BACKGROUND,
        "neighbourLevels": [],
        "customFields": _fields(level_properties(level)),
        "layers": [f"{name}.png" for name in drawn],
        "entities": entities,
    }
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _entity(thing: PlacedObject, level: Level, size: int, position: str) -> dict[str, Any]:
    return {
        "id": thing.name,
        "iid": identifier(position, f"{level.name}/{thing.id}"),
        "layer": "objects",
        "x": thing.x * size,
        "y": thing.y * size,
        "width": size,
        "height": size,
        "color": int(OBJECT_COLOR[1:], 16),
        "customFields": _fields(thing.properties),
    }


def _fields(values: Mapping[str, PropertyValue]) -> dict[str, PropertyValue]:
    """Return `values` with infinite numbers as text, because JSON has none."""
    return {
        name: str(value) if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }


def identifier(position: str, name: str) -> str:
    """Return the `iid` of the level or object `name`; it never changes.

    `position` is the target folder's path in the game project.
    """
    return str(uuid5(_NAMESPACE, f"{position}/{name}"))
