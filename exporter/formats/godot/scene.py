"""Godot's scene of a level: a TileMapLayer for each tile layer, a Marker2D for each object.

The scene is generated again at every export: instance or inherit it, and keep own work there.
Cells are written as TileMapLayer stores them: 16-bit coordinates and atlas places, 12 bytes each.
A layer longer than `CHUNK` cells becomes a Node2D with a TileMapLayer for each square of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.text import (
    Raw,
    Value,
    byte_array,
    metadata_name,
    node_name,
    number_text,
    quoted,
    value_text,
)
from exporter.formats.godot.tileset import SOURCE
from exporter.formats.heights.samples import height_range
from exporter.model.level import Layer, Level, PlacedObject
from exporter.tilesets import Tileset

CHUNK = 1024
_OBJECTS = "objects"
_CELL = np.dtype(
    [
        ("x", "<i2"),
        ("y", "<i2"),
        ("source", "<u2"),
        ("column", "<u2"),
        ("row", "<u2"),
        ("alternative", "<u2"),
    ]
)


def scene(
    level: Level,
    tileset: Tileset,
    *,
    uid: str,
    tileset_file: str,
    tileset_uid: str,
    height_files: Mapping[str, str],
) -> bytes:
    """Return the `.tscn` text.

    Args:
        level: What to put into the scene.
        tileset: The level's tileset.
        uid: The scene's own uid.
        tileset_file: File name of the TileSet beside the scene.
        tileset_uid: The TileSet's uid.
        height_files: File names of the EXR heights, by layer.
    """
    layers = level.tile_layers()
    lines = [f'[gd_scene format=4 uid="{uid}"]', ""]
    if layers:
        path = quoted(tileset_file)
        lines += [f'[ext_resource type="TileSet" uid="{tileset_uid}" path={path} id="1"]', ""]
    lines += _node(node_name(level.name), "Node2D", None, _level_metadata(level, height_files))
    taken: set[str] = set()
    for layer in layers:
        name = _unused(node_name(layer.name), taken)
        lines += _tile_layer(name, layer, tileset)
    if level.objects:
        lines += _objects(_unused(_OBJECTS, taken), level, tileset.tile_size)
    return "\n".join(lines).encode()


def tile_map_data(numbers: NDArray[np.int32], columns: int) -> bytes:
    """Return a TileMapLayer's cells: nothing at all for an empty layer.

    Args:
        numbers: Tile numbers int32 [height, width], -1 for empty cells.
        columns: Tiles in a row of the sheet.
    """
    rows, places = np.nonzero(numbers >= 0)
    if not rows.size:
        return b""
    number = numbers[rows, places]
    cells = np.zeros(rows.size, _CELL)
    cells["x"], cells["y"] = places, rows
    cells["source"] = SOURCE
    cells["row"], cells["column"] = np.divmod(number, columns)
    return b"\0\0" + cells.tobytes()


def _tile_layer(name: str, layer: Layer, tileset: Tileset) -> list[str]:
    numbers = tileset.numbers(layer)
    metadata: dict[str, Value] = {"generator": layer.generator}
    if max(numbers.shape) <= CHUNK:
        return _node(name, "TileMapLayer", ".", _cells(numbers, tileset) | _metadata(metadata))
    lines = _node(name, "Node2D", ".", _metadata(metadata))
    size = tileset.tile_size
    for y, x, part in _chunks(numbers):
        values: dict[str, Value] = {}
        if x or y:
            values["position"] = Raw(f"Vector2({x * size}, {y * size})")
        values |= _cells(part, tileset)
        chunk = f"{name}_{x // CHUNK}_{y // CHUNK}"
        lines += _node(chunk, "TileMapLayer", name, values | _metadata({"cell": _cell(x, y)}))
    return lines


def _chunks(numbers: NDArray[np.int32]) -> Iterator[tuple[int, int, NDArray[np.int32]]]:
    for y in range(0, numbers.shape[0], CHUNK):
        for x in range(0, numbers.shape[1], CHUNK):
            yield y, x, numbers[y : y + CHUNK, x : x + CHUNK]


def _cells(numbers: NDArray[np.int32], tileset: Tileset) -> dict[str, Value]:
    # Pixels stay sharp whatever the project's default filter is (1 is nearest).
    values: dict[str, Value] = {"texture_filter": 1}
    data = tile_map_data(numbers, tileset.columns)
    if data:
        values["tile_map_data"] = byte_array(data)
    return values | {"tile_set": Raw('ExtResource("1")')}


def _level_metadata(level: Level, height_files: Mapping[str, str]) -> dict[str, Value]:
    own: dict[str, Value] = {
        "level": level.name,
        "seed": level.seed,
        "rng": level.rng,
        "size": _cell(level.width, level.height),
    }
    if height_files:
        own["heights"] = {
            layer.name: _heights(layer, height_files[layer.name])
            for layer in level.height_layers()
            if layer.name in height_files
        }
    return _metadata(own, level.properties)


def _heights(layer: Layer, file: str) -> dict[str, Value]:
    """Return what a script needs to find and use a height layer."""
    heights = height_range(layer)
    return {
        "file": file,
        "size": _cell(layer.width, layer.height),
        "minimum": float(heights.minimum),
        "maximum": float(heights.maximum),
        "units": heights.units,
    }


def _objects(name: str, level: Level, size: int) -> list[str]:
    lines = _node(name, "Node2D", ".", {})
    counts = Counter(thing.name for thing in level.objects)
    seen: Counter[str] = Counter()
    taken: set[str] = set()
    for thing in level.objects:
        seen[thing.name] += 1
        wanted = node_name(thing.name)
        if counts[thing.name] > 1:
            wanted += f"_{seen[thing.name]}"
        group = f" groups=[{quoted(thing.name)}]"
        values = _object_values(thing, size)
        lines += _node(_unused(wanted, taken), "Marker2D", name, values, group)
    return lines


def _object_values(thing: PlacedObject, size: int) -> dict[str, Value]:
    """Return a marker in the middle of the object's cell, its properties as metadata."""
    x, y = (2 * thing.x + 1) * size / 2, (2 * thing.y + 1) * size / 2
    values: dict[str, Value] = {"position": Raw(f"Vector2({number_text(x)}, {number_text(y)})")}
    own: dict[str, Value] = {
        "id": thing.id,
        "object": thing.name,
        "cell": _cell(thing.x, thing.y),
    }
    return values | _metadata(own, thing.properties)


def _metadata(
    own: Mapping[str, Value], users: Mapping[str, Value] | None = None
) -> dict[str, Value]:
    """Return metadata entries; a user's property whose name is taken already is renamed."""
    entries = dict(own)
    taken = set(own)
    for key, value in (users or {}).items():
        name = metadata_name(key)
        entries[_unused(f"property_{name}" if name in own else name, taken)] = value
    return {f"metadata/{name}": value for name, value in entries.items() if value is not None}


def _node(
    name: str, kind: str, parent: str | None, values: Mapping[str, Value], more: str = ""
) -> list[str]:
    place = "" if parent is None else f" parent={quoted(parent)}"
    lines = [f"[node name={quoted(name)} type={quoted(kind)}{place}{more}]"]
    lines += [f"{key} = {value_text(value)}" for key, value in values.items()]
    return [*lines, ""]


def _unused(name: str, taken: set[str]) -> str:
    """Return the name, with a number if a sibling has it already."""
    wanted, number = name, 2
    while wanted in taken:
        wanted, number = f"{name}_{number}", number + 1
    taken.add(wanted)
    return wanted


def _cell(x: int, y: int) -> Raw:
    return Raw(f"Vector2i({x}, {y})")
