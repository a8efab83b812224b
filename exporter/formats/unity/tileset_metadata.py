"""What an importer of our own needs to cut a tileset's sheet, and to make tilemaps of its tiles.

Tiled and Godot have formats for this; Unity's importer reads this JSON: one object, flat arrays,
nothing that Unity's JsonUtility cannot hold.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from exporter.model.level import Level
from exporter.tilesets import LayerGrids, TileGrid, Tileset
from exporter.tilesets.picks import CornerPicks, Picks

Collision = Literal["merged", "tiles", "none"]


def tileset_metadata(
    level: Level, tileset: Tileset, image_file: str, collision: Collision
) -> bytes:
    """Return the layout of the sheet, the meaning of its tiles, and each seen layer's numbers.

    Args:
        level: The level.
        tileset: Its tiles.
        image_file: The name of the sheet's picture.
        collision: Which colliders the importer makes. It is said here and not in the `.meta` of
            the blob, which people change in the Inspector, and Unity where the package is missing.
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
                **_picks(tileset.picks[layer.name]),
                **_grids(tileset.grids.get(layer.name)),
            }
            for layer in level.seen_layers()
        ],
    }
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _grids(grids: LayerGrids | None) -> dict[str, list[dict[str, Any]]]:
    """Return what lies below and above a layer's cells, where there is something."""
    if grids is None:
        return {}
    return {
        "below": [_grid(grid) for grid in grids.below],
        "above": [_grid(grid) for grid in grids.above],
    }


def _grid(grid: TileGrid) -> dict[str, Any]:
    if not isinstance(grid.picks, CornerPicks):
        return {"tile": grid.tile, **_picks(grid.picks)}
    return {
        "tile": grid.tile,
        "corners": list(grid.picks.by_mask),
        "joins": sorted(grid.picks.joins),
        "bare": sorted(grid.picks.bare or ()),
    }


def _picks(picks: Picks) -> dict[str, Any]:
    """Return how ids become pictures.

    `ids` have the pictures `numbers`, one each. `choices` say how pictures are chosen for ids that
    have several: `numbers` are those of all classes of neighbourhoods, one class after the other,
    `counts` how many each class has; with `by` `place` there is one class. `joins` are the ids
    that count as joined. With `inner` a choice is for cells with eight joined neighbours alone,
    and these are what counts as joined; a later choice wins where it applies.
    """
    ids = [number for number in range(picks.table.size) if picks.table[number] >= 0]
    return {
        "ids": ids,
        "numbers": [int(picks.table[number]) for number in ids],
        "choices": [
            {
                "id": choice.id,
                "by": choice.autotile or "place",
                "inner": choice.inner,
                "joins": sorted(choice.joins) if choice.joins is not None else [choice.id],
                "counts": [len(numbers) for numbers in choice.classes],
                "numbers": choice.numbers.tolist(),
            }
            for choice in picks.choices
        ],
    }
