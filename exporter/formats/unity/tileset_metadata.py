"""Describe a tileset as JSON for the importer in the Unity package.

Unlike Tiled and Godot, Unity has no format for tilesets. The JSON is one object with lists of flat
objects, because Unity's JsonUtility reads nothing else.
"""

from __future__ import annotations

import json
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.formats.unity.game_assets import GameAssets
from exporter.model.level import Layer, Level
from exporter.tilesets import Tileset
from exporter.tilesets.animation import FRAMES, MILLISECONDS, Animation

Collision = Literal["merged", "tiles", "none"]


def tileset_metadata(
    level: Level,
    tileset: Tileset,
    image_file: str,
    collision: Collision,
    assets: GameAssets,
    diamond: tuple[int, int] | None = None,
    animation: Animation | None = None,
) -> bytes:
    """Return JSON about a tileset: the sheet's layout, tiles and layers.

    `image_file` is the name of the sheet, the picture of all tiles. `collision` says which
    colliders the importer makes; they are not set in the blob's `.meta`, because users and Unity
    change that file. `assets` are the game's own, for tiles and objects. `diamond` is width and
    height of isometric tiles in pixels; None for square tiles. With an `animation` the picture has
    all frames below each other.
    """
    document: dict[str, Any] = {
        "level": level.name,
        "image": image_file,
        "tile_size": tileset.tile_size,
        **({"diamond_width": diamond[0], "diamond_height": diamond[1]} if diamond else {}),
        "columns": tileset.columns,
        "rows": tileset.rows * (FRAMES if animation else 1),
        **({"frames_per_second": 1000 / MILLISECONDS} if animation else {}),
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
                **_frames(number, animation),
            }
            for number, tile in sorted(tileset.tiles.items())
        ],
        "layers": [
            {
                "name": layer.name,
                "ids": ids,
                "numbers": numbers,
                "choices": _choices(tileset, layer.name),
                **_grids(tileset, layer, assets),
                **_assets(layer, assets),
                **_around(layer),
            }
            for layer in level.seen_layers()
            for ids, numbers in [_first_numbers(tileset, layer, assets)]
        ],
        **_scenes(assets),
    }
    return _text(document)


def _frames(number: int, animation: Animation | None) -> dict[str, Any]:
    """Return the key `frames` of tile `number`; empty if it is not animated."""
    if animation is None or number not in animation.numbers:
        return {}
    return {"frames": animation.frames_of(number)}


def scenes_metadata(level: Level, collision: Collision, assets: GameAssets) -> bytes:
    """Return JSON about the prefabs of a level without a tileset.

    `collision` says which colliders the importer makes; `assets` has the prefabs.
    """
    return _text({"level": level.name, "collision": collision, **_scenes(assets)})


def _text(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _assets(layer: Layer, assets: GameAssets) -> dict[str, Any]:
    """Return the key `assets` with a layer's tile assets; empty without any."""
    entries = [
        {"id": tile.id, "paths": list(assets.tiles[tile.name])}
        for tile in layer.tiles
        if tile.name in assets.tiles
    ]
    return {"assets": entries} if entries else {}


def _scenes(assets: GameAssets) -> dict[str, Any]:
    """Return the key `scenes` with the objects' prefabs; empty without any."""
    entries = [{"name": name, "path": path} for name, path in assets.prefabs.items()]
    return {"scenes": entries} if entries else {}


def _first_numbers(
    tileset: Tileset, layer: Layer, assets: GameAssets
) -> tuple[list[int], list[int]]:
    """Return the tile ids of a layer, and the first picture number of each.

    Some tiles are drawn in extra grids above or below the cells. If such a tile has an asset, it
    gets the number of a picture that shows all of it, for the case that the asset is missing.
    """
    table = tileset.picks[layer.name].table
    ids: list[int] = np.flatnonzero(table >= 0).tolist()
    own = {tile.id for tile in layer.tiles if tile.name in assets.tiles}
    numbers = [int(table[number]) for number in ids]
    return ids, [
        tileset.whole.get(number, number) if tile in own else number
        for tile, number in zip(ids, numbers, strict=True)
    ]


def _grids(tileset: Tileset, layer: Layer, assets: GameAssets) -> dict[str, Any]:
    """Return the key `grids` with a layer's extra grids of tiles.

    They lie below and above its cells; the order is bottom to top. `runs` has the numbers row by
    row: the length of each run and its number (-1 for none), separated by spaces. A grid
    `between_cells` has one more row and column, and lies half a cell up and left. The result is
    empty without extra grids.
    """
    beside = tileset.grids.get(layer.name)
    if beside is None or not (beside.below or beside.above):
        return {}
    grids = []
    above = False
    for drawing in tileset.drawings(layer):
        if not drawing.tile:
            above = True
        elif drawing.tile not in assets.tiles:
            grids.append(
                {
                    "tile": drawing.tile,
                    "above": above,
                    "between_cells": drawing.between_cells,
                    "runs": _runs(drawing.numbers.ravel()),
                }
            )
    return {"grids": grids} if grids else {}


def _around(layer: Layer) -> dict[str, Any]:
    """Return the key `around` with the cells around a chunk's layer.

    Empty for a level that is no chunk. The importer needs these cells, because neighbours and
    positions choose the pictures of cells. `x` and `y` are the position of the layer's first cell
    in the world.
    """
    around = layer.around
    if around is None:
        return {}
    rows, columns = around.inside
    outside = np.ones(around.cells.shape, bool)
    outside[around.inside] = False
    ids = around.cells[outside].astype(np.int32)
    return {
        "around": {
            "left": columns.start,
            "top": rows.start,
            "right": around.cells.shape[1] - columns.stop,
            "bottom": around.cells.shape[0] - rows.stop,
            "x": around.origin[0] + columns.start,
            "y": around.origin[1] + rows.start,
            "runs": _runs(ids) if ids.size else "",
        }
    }


def _runs(numbers: NDArray[np.int32]) -> str:
    """Encode `numbers` as runs: how often a number repeats, then the number.

    The result is a text, because JSON would have a line for each entry of a list.
    """
    starts = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 1))
    counts = np.diff(starts, append=numbers.size)
    return " ".join(map(str, np.stack([counts, numbers[starts]], axis=1).ravel().tolist()))


def _choices(tileset: Tileset, layer: str) -> list[dict[str, Any]]:
    """Return how the pictures of a layer's tiles are chosen, as JSON.

    There are picture numbers for each class of neighbourhoods: `numbers` has those of all classes,
    one class after the other, and `counts` says how many belong to each. With `by: place` there is
    one class. `joins` are the tile ids that count as joined to the tile. A choice with `inner`
    applies only to cells with eight joined neighbours, and only such cells count as joined. If
    several choices apply, the last wins.
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
