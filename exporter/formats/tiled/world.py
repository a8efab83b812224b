"""Write Tiled's `.world` file: the positions of several maps.

Every map is listed, because Tiled's patterns only find maps in the file's own folder.
"""

from __future__ import annotations

import json

from exporter.model.world_part import WorldPart

# Tiled opens every map that it shows beside the one that is edited.
MOST_DISPLAYED = 16


def world_maps(part: WorldPart, tile_size: int, suffix: str) -> bytes:
    """Return the `.world` file that lists the maps of a world's chunks.

    `part` is any chunk, `tile_size` is in pixels, and `suffix` ends the file names of the maps.
    """
    maps = [
        _entry(part, column, row, tile_size, suffix)
        for row in range(part.rows)
        for column in range(part.columns)
    ]
    head = json.dumps({"onlyShowAdjacentMaps": len(maps) > MOST_DISPLAYED, "type": "world"})
    lines = ",\n".join(json.dumps(item, ensure_ascii=False) for item in maps)
    return f'{head[:-1]}, "maps": [\n{lines}\n]}}\n'.encode()


def _entry(
    part: WorldPart, column: int, row: int, tile_size: int, suffix: str
) -> dict[str, str | int]:
    x, y = column * part.chunk, row * part.chunk
    return {
        "fileName": f"{part.folder}/{part.world}.{column}_{row}.{suffix}",
        "x": x * tile_size,
        "y": y * tile_size,
        "width": min(part.chunk, part.size[0] - x) * tile_size,
        "height": min(part.chunk, part.size[1] - y) * tile_size,
    }
