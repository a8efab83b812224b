"""Write a large level as one scene that creates nodes near the camera.

In Godot 4.6 a TileMapLayer takes 370 bytes and some microseconds per cell, and every node some
kilobytes, so all nodes of a large level would take seconds and gigabytes. Instead a script adds
collision and navigation of the whole level without nodes, and tiles and occluders only of the
chunks near the view. The scene stores the data of all chunks, compressed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.nodes import Node
from exporter.formats.godot.options import LayerBits
from exporter.formats.godot.scene_tiles import SceneTiles
from exporter.formats.godot.scripts import large_level_script
from exporter.formats.godot.values import (
    ExternalResource,
    PackedByteArray,
    SubResource,
    Value,
    Vector2,
    Vector2i,
)
from exporter.formats.godot.variants import packed
from exporter.geometry.chunks import MapChunk, chunks_of
from exporter.geometry.outlines import outlines
from exporter.geometry.pieces import Pieces
from exporter.geometry.rectangles import rectangles
from exporter.model.errors import ParameterError

# Side of a chunk in cells. A chunk is added in a frame or two; corners inside a chunk fit a byte.
CHUNK_SIDE = 64
# Numbers of tiles are stored plus one, in 16 bits.
MOST_NUMBER = 65534
OVERVIEW = "overview"
_Cell = TypeVar("_Cell", bound=np.generic)


def chunk_data(
    numbers: Sequence[NDArray[np.int32]], opaque: NDArray[np.bool_] | None
) -> tuple[PackedByteArray, ...]:
    """Return the tiles and occluders of each chunk as bytes, row by row.

    Each chunk is an Array of three values. First, for each layer, the tile numbers plus one, or 0
    for none, as 16-bit integers. They are empty without tiles, and have one more row and column if
    pictures lie between the cells: adjacent chunks both have the pictures at their common border.
    Second, the corners of the outlines of opaque cells, as bytes, in cells. Third, how many corners
    each outline has.

    Args:
        numbers: Tile numbers of the drawn layers, int32 [height, width], -1 for none; pictures
            between the cells have one more row and column.
        opaque: Where occluders are, bool [height, width]; None for no occluders.

    Raises:
        ParameterError: A tile's number is too large for 16 bits.
    """
    for layer in numbers:
        if layer.max(initial=-1) > MOST_NUMBER:
            raise ParameterError(
                f"tile number {layer.max()} is too large for a level in chunks (allowed: 1 to "
                f"{MOST_NUMBER}; use `chunks: never`)"
            )
    # At least one of them is a layer of cells.
    height, width = np.min([layer.shape for layer in numbers], axis=0).tolist()
    shape = (height, width)
    return tuple(_chunk(part, shape, numbers, opaque) for part in chunks_of(shape, CHUNK_SIDE))


def solid_data(walkable: NDArray[np.bool_]) -> tuple[PackedByteArray, ...]:
    """Return the collision boxes of each chunk as bytes, row by row.

    All cells are solid where `walkable`, bool [height, width], is False.
    """
    return tuple(
        PackedByteArray(packed(rectangles(~_cut(walkable, part)).astype(np.uint8).tobytes()))
        for part in chunks_of(walkable.shape, CHUNK_SIDE)
    )


def region_data(
    pieces: Iterable[tuple[MapChunk, Pieces]], tile_size: int
) -> tuple[PackedByteArray, ...]:
    """Return the navigation polygons of each region as bytes.

    `pieces` are the regions, squares of the map, with their convex walkable pieces; `tile_size` is
    a cell's side in pixels.
    """
    return tuple(
        PackedByteArray(
            packed([result.vertices * (tile_size // result.units), result.corners, result.starts])
        )
        for _, result in pieces
        if len(result)
    )


def streaming_node(
    name: str,
    *,
    shape: tuple[int, int],
    tiles: SceneTiles,
    layers: Sequence[Node],
    chunks: tuple[PackedByteArray, ...],
    solids: tuple[PackedByteArray, ...],
    regions: tuple[PackedByteArray, ...],
    bits: LayerBits,
    overview: ExternalResource,
    overview_step: int,
) -> Node:
    """Return the node that creates a level's nodes while the game runs.

    Args:
        name: The node's name.
        shape: The level's height and width in cells.
        tiles: The tiles of the numbers in `chunks`.
        layers: An empty TileMapLayer for each drawn layer; every chunk gets copies of them.
        chunks: Tiles and occluders, from `chunk_data`.
        solids: Collision boxes, from `solid_data`; empty for no collision.
        regions: Navigation polygons, from `region_data`; empty for no navigation.
        bits: Layers and masks of collision, navigation and occluders.
        overview: A picture of the whole level, which the editor shows.
        overview_step: How many cells one pixel of the overview is wide.
    """
    scale = overview_step * tiles.tile_size
    look: dict[str, Value] = {
        "texture_filter": 1,
        "scale": Vector2(scale, scale),
        "texture": overview,
        "centered": False,
    }
    properties: dict[str, Value] = {
        "script": SubResource("GDScript", {"script/source": large_level_script()}),
        "chunk_side": CHUNK_SIDE,
        "size": Vector2i(shape[1], shape[0]),
        "tile_size": tiles.tile_size,
        "columns": tiles.columns,
        "tile_set": tiles.file,
        "chunks": chunks,
        "solids": solids,
        "regions": regions,
        **bits.body(),
        **bits.region(),
        **bits.occluder(),
    }
    if not tiles.columns:
        properties["tile_places"] = PackedByteArray(tiles.places().astype("<u2").tobytes())
    models = Node("layers", "Node2D", {"visible": False}, children=tuple(layers))
    return Node(name, "Node2D", properties, children=(Node(OVERVIEW, "Sprite2D", look), models))


def _chunk(
    part: MapChunk,
    shape: tuple[int, int],
    numbers: Sequence[NDArray[np.int32]],
    opaque: NDArray[np.bool_] | None,
) -> PackedByteArray:
    layers = []
    for layer in numbers:
        between = layer.shape[0] - shape[0]
        cells = _cut(layer, part, between) + 1
        layers.append(cells.astype("<u2").tobytes() if cells.any() else b"")
    corners, lengths = b"", np.zeros(0, np.int32)
    if opaque is not None:
        result = outlines(_cut(opaque, part))
        corners, lengths = result.vertices.astype(np.uint8).tobytes(), np.diff(result.rings)
    return PackedByteArray(packed([layers, corners, lengths]))


def _cut(cells: NDArray[_Cell], part: MapChunk, more: int = 0) -> NDArray[_Cell]:
    return cells[part.y : part.y + part.height + more, part.x : part.x + part.width + more]
