"""Write tile layers as TileMapLayer nodes.

Cells have 12 bytes each, with 16-bit coordinates and atlas positions. A layer that is wider or
higher than `SQUARE` cells becomes a Node2D with a TileMapLayer for each square of that side. Extra
grids of tiles above or below the cells are separate nodes, without any collision.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.display import display_values
from exporter.formats.godot.nodes import Node
from exporter.formats.godot.options import SceneOptions
from exporter.formats.godot.scene_tiles import SceneTiles
from exporter.formats.godot.values import PackedByteArray, Value, Vector2, Vector2i
from exporter.geometry.chunks import chunks_of
from exporter.model.level import Layer
from exporter.tilesets import PictureGrid

SQUARE = 1024
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


def tile_layer_node(
    name: str, layer: Layer, drawing: PictureGrid, tiles: SceneTiles, options: SceneOptions
) -> Node:
    """Return the TileMapLayer of a grid of tiles, or a node with several.

    `drawing` is the grid: the layer's cells, or an extra one below or above the cells; its numbers
    are those of `tiles`. `options` says which effects tiles have, such as collision.
    """
    numbers, places, tile_size = drawing.numbers, tiles.places(), tiles.tile_size
    look: dict[str, Value] = {
        "tile_set": tiles.file,
        **_switches(layer, drawing, options),
        **display_values(layer.display, ("layers", layer.name, "godot")),
    }
    metadata: dict[str, Value] = {"generator": layer.generator}
    named = tiles.places_by_name(layer)
    if named:
        # Whoever paints with the team's TileSet paints these tiles of the level.
        metadata["tiles"] = {name: tuple(map(tuple, at)) for name, at in named.items()}
    if drawing.tile:
        metadata = {"layer": layer.name, "tile": drawing.tile}
    offset = tiles.offset(drawing)
    if max(numbers.shape) <= SQUARE:
        values = _position(offset, offset) | _cells(numbers, places) | look
        return Node(name, "TileMapLayer", values, metadata)
    squares = []
    for part in chunks_of(numbers.shape, SQUARE):
        position = _position(part.x * tile_size + offset, part.y * tile_size + offset)
        cells = numbers[part.y : part.y + part.height, part.x : part.x + part.width]
        squares.append(
            Node(
                f"{name}_{part.x // SQUARE}_{part.y // SQUARE}",
                "TileMapLayer",
                position | _cells(cells, places) | look,
                {"cell": Vector2i(part.x, part.y)},
            )
        )
    sorted_: dict[str, Value] = {"y_sort_enabled": True} if layer.display.y_sort else {}
    return Node(name, "Node2D", sorted_, metadata, children=tuple(squares))


def tile_map_data(numbers: NDArray[np.int32], places: NDArray[np.int32]) -> bytes:
    """Return the cells of a TileMapLayer as bytes; empty without cells.

    `numbers`, int32 [height, width], has the tile number of each cell, -1 for empty cells.
    `places`, int32 [numbers, 4], has each number's source, column, row and alternative.
    """
    rows, columns = np.nonzero(numbers >= 0)
    if not rows.size:
        return b""
    cells = np.zeros(rows.size, _CELL)
    cells["x"], cells["y"] = columns, rows
    position = places[numbers[rows, columns]]
    for index, name in enumerate(("source", "column", "row", "alternative")):
        cells[name] = position[:, index]
    return b"\0\0" + cells.tobytes()


def _position(x: int, y: int) -> dict[str, Value]:
    """Return the property `position`, in pixels; empty for (0, 0)."""
    return {"position": Vector2(x, y)} if x or y else {}


def _cells(numbers: NDArray[np.int32], places: NDArray[np.int32]) -> dict[str, Value]:
    # Pixels stay sharp whatever the project's default filter is (1 is nearest).
    values: dict[str, Value] = {"texture_filter": 1}
    data = tile_map_data(numbers, places)
    if data:
        values["tile_map_data"] = PackedByteArray(data)
    return values


def _switches(layer: Layer, drawing: PictureGrid, options: SceneOptions) -> dict[str, Value]:
    """Return properties that switch off collision and so on where unused.

    Godot then skips the tiles' polygons. Godot 4.3 has no `occlusion_enabled`, and ignores it.
    """
    uses = (
        ("collision_enabled", options.collision),
        ("occlusion_enabled", options.occlusion),
        ("navigation_enabled", options.navigation),
    )
    shaped = layer.role == "play" and not drawing.tile
    return {name: False for name, use in uses if use != "tiles" or not shaped}
