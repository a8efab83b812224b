"""What an importer of our own needs to cut a tileset's sheet, and to make tilemaps of its tiles.

Tiled and Godot have formats for this; Unity's importer reads this JSON: one object, flat arrays,
nothing that Unity's JsonUtility cannot hold.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from exporter.formats.unity.game_assets import GameAssets
from exporter.model.level import Layer, Level
from exporter.tilesets import Tileset

Collision = Literal["merged", "tiles", "none"]


def tileset_metadata(
    level: Level,
    tileset: Tileset,
    image_file: str,
    collision: Collision,
    assets: GameAssets,
) -> bytes:
    """Return the layout of the sheet, the meaning of its tiles, and each seen layer's numbers.

    Args:
        level: The level.
        tileset: Its tiles.
        image_file: The name of the sheet's picture.
        collision: Which colliders the importer makes. It is said here and not in the `.meta` of
            the blob, which people change in the Inspector, and Unity where the package is missing.
        assets: What the game's own assets stand for.
    """
    document: dict[str, Any] = {
        "level": level.name,
        "image": image_file,
        "tile_size": tileset.tile_size,
        "columns": tileset.columns,
        "rows": tileset.rows,
        "margin": tileset.margin,
        "spacing": tileset.spacing,
        "extrusion": tileset.extrusion,
        "collision": collision,
        "tiles": [
            {
                "number": number,
                "id": tile.id,
                "name": tile.name,
                "walkable": tile.walkable,
                "opaque": tile.opaque,
                "color": tile.color,
            }
            for number, tile in sorted(tileset.tiles.items())
        ],
        "layers": [
            {
                "name": layer.name,
                "ids": ids,
                "numbers": numbers,
                "choices": _choices(tileset, layer.name),
                **_assets(layer, assets),
            }
            for layer in level.seen_layers()
            for ids, numbers in [_first_numbers(tileset, layer.name)]
        ],
        **_scenes(assets),
    }
    return _text(document)


def scenes_metadata(level: Level, collision: Collision, assets: GameAssets) -> bytes:
    """Return the same for a level without tiles: the prefabs of its objects."""
    return _text({"level": level.name, "collision": collision, **_scenes(assets)})


def _text(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _assets(layer: Layer, assets: GameAssets) -> dict[str, Any]:
    """Return the tile assets of a layer's ids; nothing where it has none."""
    entries = [
        {"id": tile.id, "paths": list(assets.tiles[tile.name])}
        for tile in layer.tiles
        if tile.name in assets.tiles
    ]
    return {"assets": entries} if entries else {}


def _scenes(assets: GameAssets) -> dict[str, Any]:
    """Return the prefabs of objects; nothing where there are none."""
    entries = [{"name": name, "path": path} for name, path in assets.prefabs.items()]
    return {"scenes": entries} if entries else {}


def _first_numbers(tileset: Tileset, layer: str) -> tuple[list[int], list[int]]:
    """Return a layer's tile ids and the number of each one's first picture."""
    table = tileset.picks[layer].table
    ids = [number for number in range(table.size) if table[number] >= 0]
    return ids, [int(table[number]) for number in ids]


def _choices(tileset: Tileset, layer: str) -> list[dict[str, Any]]:
    """Return how pictures are chosen for a layer's tiles that have several.

    `numbers` are those of all classes of neighbourhoods, one class after the other, `counts` how
    many each class has; with `by` `place` there is one class. `joins` are the ids that count as
    joined. With `inner` a choice is for cells with eight joined neighbours alone, and these are
    what counts as joined; a later choice wins where it applies.
    """
    return [
        {
            "id": choice.id,
            "by": choice.autotile or "place",
            "inner": choice.inner,
            "joins": sorted(choice.joins) if choice.joins is not None else [choice.id],
            "counts": [len(numbers) for numbers in choice.classes],
            "numbers": choice.numbers.tolist(),
        }
        for choice in tileset.picks[layer].choices
    ]
