"""Describe a world as JSON: its size, its layers and its chunks' files."""

from __future__ import annotations

import json
from typing import Any

from exporter.formats import Artifact
from exporter.model.level import Layer, Level

VERSION = 1


def world_description(level: Level) -> Artifact:
    """Return the file `<world>.world.json`, which lists a world's chunks.

    `level` is any chunk of the world. `parts` in the JSON is a path pattern, relative to this file:
    put numbers for `{column}` and `{row}`, append `.lvb`, and you have the path of a chunk's blob.
    """
    part = level.part
    assert part is not None
    document: dict[str, Any] = {
        "format": "level-exporter-world",
        "version": VERSION,
        "level": part.world,
        "size": list(part.size),
        "chunk": part.chunk,
        "columns": part.columns,
        "rows": part.rows,
        "parts": f"{part.folder}/{part.world}.{{column}}_{{row}}",
        "seed": level.seed,
        "layers": [_layer(layer) for layer in level.layers.values()],
        "visibility": None,
        "properties": dict(level.properties),
    }
    if part.sight is not None:
        document["visibility"] = {
            "layer": part.sight.layer,
            "algorithm": part.sight.algorithm,
            "radius": part.sight.radius,
            "see_walls": part.sight.see_walls,
        }
    data = (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()
    return Artifact(f"{part.world}.world.json", "metadata", data)


def _layer(layer: Layer) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": layer.name,
        "kind": layer.kind,
        "role": layer.role,
        "generator": layer.generator,
        "version": layer.version,
    }
    if layer.heights is not None:
        described["heights"] = {
            "minimum": layer.heights.minimum,
            "maximum": layer.heights.maximum,
            "units": layer.heights.units,
        }
    if layer.kind == "tiles":
        described["tiles"] = [
            {"id": tile.id, "name": tile.name, "walkable": tile.walkable, "opaque": tile.opaque}
            for tile in layer.tiles
        ]
    return described
