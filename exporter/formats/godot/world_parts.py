"""Write a chunk of a world as a packed Godot scene.

Code here calls a world's chunk a part; squares of `CHUNK_SIDE` cells divide it further. A part of
512 x 512 cells is one node with some hundred thousand bytes and a small picture, so it is written
and read quickly. The script of worlds makes tiles, bodies and regions from it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from exporter.formats.godot.nodes import Node, Scene
from exporter.formats.godot.objects import level_metadata
from exporter.formats.godot.overview import picture_of
from exporter.formats.godot.scene import SceneContents, SceneSource
from exporter.formats.godot.streaming import MOST_NUMBER
from exporter.formats.godot.text import node_name
from exporter.formats.godot.tile_cells import navigation_areas
from exporter.formats.godot.uid import godot_uid
from exporter.formats.godot.values import (
    PackedByteArray,
    SubResource,
    Value,
    Vector2,
    Vector2i,
)
from exporter.formats.godot.variants import Packable, packed
from exporter.geometry.chunks import MapChunk, chunks_of
from exporter.geometry.outlines import outlines
from exporter.geometry.rectangles import rectangles
from exporter.geometry.window_rectangles import Rings, window_rectangles
from exporter.model.errors import ParameterError
from exporter.model.level import Level

# Sides in cells of what is added in one step: a chunk of tiles and occluders, a body, a region.
# Corners inside the first two fit a byte.
CHUNK_SIDE = 32
BODY_SIDE = 128
REGION_SIDE = 128
# How many cells one pixel of a part's picture is wide.
OVERVIEW_STEP = 8
# The children of the world's node that have an empty node for each layer: one for cells, one for
# grids beside them.
LAYERS, PICTURES = "layers", "pictures"


def part_scene(source: SceneSource) -> Scene:
    """Return the Godot scene of a chunk of a world, the level in `source`.

    Raises:
        LevelError: An object's property does not fit its scene's variable of that name.
        ParameterError: A tile's number is too large for 16 bits.
    """
    level = source.level
    part = level.part
    assert part is not None
    contents = SceneContents.of(source)
    data = PackedByteArray(packed(_part_data(contents)))
    children = [_overview(contents), *contents.objects()]
    metadata: dict[str, Value] = {
        **level_metadata(replace(level, properties={}), {}),
        "cell": Vector2i(*part.origin),
        "part": data,
    }
    root = Node(node_name(level.name), "Node2D", metadata=metadata, children=tuple(children))
    return Scene(root, godot_uid(source.folder, f"{level.name}.tscn"))


def part_window(level: Level) -> tuple[NDArray[np.bool_], MapChunk]:
    """Return a chunk's walkable cells, with a margin from adjacent chunks.

    The second result is the chunk's rectangle among them. If the level has no cells of adjacent
    chunks, there is no margin.
    """
    wide, window = _with_margin(level)
    return wide.walkable(), window


def _with_margin(level: Level) -> tuple[Level, MapChunk]:
    """Return the chunk `level` with cells of adjacent chunks around it.

    The second result is the chunk's rectangle in the first.
    """
    wide = [
        replace(layer, cells=layer.around.cells, around=None)
        for layer in level.play_layers()
        if layer.around is not None
    ]
    if not wide:
        return level, MapChunk(0, 0, level.width, level.height)
    around = next(layer.around for layer in level.play_layers() if layer.around is not None)
    rows, columns = around.inside
    window = MapChunk(columns.start, rows.start, level.width, level.height)
    height, width = around.cells.shape
    layers = {layer.name: layer for layer in wide}
    return replace(level, width=width, height=height, layers=layers), window


def has_ways(source: SceneSource) -> bool:
    """Return whether any passage in a chunk is wide enough for `agent_radius`."""
    mask, window = part_window(source.level)
    radius, units = source.options.agent_radius, source.tiles.tile_size
    return bool(window_rectangles(mask, window, REGION_SIDE, radius, units))


def _part_data(contents: SceneContents) -> list[Packable]:
    """Return a chunk's data, in the order that the script of worlds reads it."""
    level, options = contents.source.level, contents.source.options
    boxes, body_starts = np.zeros((0, 4), np.uint8), np.zeros(0, np.int32)
    corners = np.zeros((0, 2), np.uint8)
    ring_starts = chunk_rings = np.zeros(0, np.int32)
    regions: list[Packable] = []
    if contents.merged(options.collision):
        boxes, body_starts = _boxes(contents.walkable)
    if contents.merged(options.occlusion):
        corners, ring_starts, chunk_rings = _rings(contents.opaque)
    if contents.merged(options.navigation):
        wide, window = _with_margin(level)
        walkable = wide.walkable()
        areas: dict[int, NDArray[np.bool_]] = {0: walkable}
        areas |= navigation_areas(wide, options.navigation_layers, walkable)
        radius, units = options.agent_radius, contents.tile_size
        regions = [
            [*_region(rings, window), *([mask] if mask else [])]
            for mask, area in areas.items()
            for _, rings in window_rectangles(area, window, REGION_SIDE, radius, units)
        ]
    return [
        _layers(contents),
        _columns(boxes),
        body_starts,
        _columns(corners),
        ring_starts,
        chunk_rings,
        regions,
        _opaque(level),
    ]


def _opaque(level: Level) -> bytes:
    """Return a bit for each cell: 1 if it blocks sight.

    Empty if the world has no rule of sight.
    """
    part = level.part
    if part is None or part.sight is None:
        return b""
    opaque = level.layers[part.sight.layer].opaque
    return np.packbits(opaque, axis=None, bitorder="little").tobytes()


def _layers(contents: SceneContents) -> list[Packable]:
    """Return the layers of tiles that a chunk shows, bottom to top.

    A node is copied for each layer. An entry has: the name of that node's parent; that node's name;
    the copy's name; the name of the tile that all its pictures show, or ""; its shift in pixels;
    whether its numbers have 16 bits; and the tile numbers plus one, 0 for none.
    """
    out: list[Packable] = []
    tiles = contents.source.tiles
    for name, layer, drawing in contents.layers:
        highest = int(drawing.numbers.max(initial=-1))
        if highest < 0:
            continue
        if highest > MOST_NUMBER:
            message = (
                f"tile number {highest} is too large for a world (allowed: up to {MOST_NUMBER})"
            )
            raise ParameterError(message)
        parent = PICTURES if drawing.tile else LAYERS
        model = contents.layer_names[layer.name]
        wide = highest > 254
        cells = (drawing.numbers + 1).astype("<u2" if wide else np.uint8).tobytes()
        out.append([parent, model, name, drawing.tile, tiles.offset(drawing), wide, cells])
    return out


def _boxes(walkable: NDArray[np.bool_]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return boxes of unwalkable cells, and each body's first index in them.

    Boxes are in cells, relative to the body's square of `BODY_SIDE` cells; the last index is the
    end.
    """
    result = [
        rectangles(~walkable[part.y : part.y + part.height, part.x : part.x + part.width])
        for part in chunks_of(walkable.shape, BODY_SIDE)
    ]
    return np.concatenate(result).astype(np.uint8), _starts([len(item) for item in result])


def _rings(
    opaque: NDArray[np.bool_],
) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]]:
    """Return the outlines of opaque cells in each square of the chunk.

    Squares are `CHUNK_SIDE` cells a side. The results are the corners of all outlines; the index of
    each outline's first corner; and the index of each square's first outline.
    """
    # With a row and a column of nothing between them all chunks are outlined at once.
    height, width = opaque.shape
    rows, columns = (np.arange(side) + np.arange(side) // CHUNK_SIDE for side in (height, width))
    apart = np.zeros((rows[-1] + 1, columns[-1] + 1), bool)
    apart[rows[:, None], columns] = opaque
    result = outlines(apart)
    places = result.vertices[result.rings[:-1]] // (CHUNK_SIDE + 1)
    across = -(-width // CHUNK_SIDE)
    chunks = places[:, 1] * across + places[:, 0]
    order = np.argsort(chunks, kind="stable")
    lengths = np.diff(result.rings)[order]
    starts = _starts(lengths)
    # Ring after ring, in the new order.
    first = np.repeat(result.rings[:-1][order] - starts[:-1], lengths)
    corners = result.vertices[first + np.arange(starts[-1])]
    inside = corners - np.repeat(places[order], lengths, axis=0) * (CHUNK_SIDE + 1)
    count = across * -(-height // CHUNK_SIDE)
    of_chunks = np.searchsorted(chunks[order], np.arange(count + 1)).astype(np.int32)
    return inside.astype(np.uint8), starts, of_chunks


def _region(rings: Rings, window: MapChunk) -> list[Packable]:
    """Return a navigation region's polygons, relative to the chunk's corner.

    `window` is the rectangle of the chunk in the coordinates of `rings`, the polygons. The list
    has: units per cell; the first corner of each polygon; how many corners each polygon has;
    whether steps have 16 bits; and the steps from corner to corner.
    """
    corners = rings.corners - np.array([window.x, window.y], np.int32) * rings.units
    firsts = corners[rings.starts[:-1]]
    steps = np.diff(corners, axis=0, append=corners[-1:])
    # No step leads on from the last corner of a polygon.
    steps[rings.starts[1:] - 1] = 0
    wide = bool(np.abs(steps).max(initial=0) > 127)
    moves = _columns(steps.astype("<i2" if wide else np.int8))
    return [rings.units, firsts.T.ravel(), np.diff(rings.starts), wide, moves]


def _columns(values: NDArray[np.generic]) -> bytes:
    """Return the bytes of `values` column by column, which compresses better."""
    return values.T.tobytes()


def _starts(lengths: ArrayLike) -> NDArray[np.int32]:
    """Return the index at which each of several runs begins, and the end.

    `lengths` are those of the runs.
    """
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)


def _overview(contents: SceneContents) -> Node:
    """Return the node with a small picture, shown until the chunk is loaded."""
    tiles, step = contents.source.tiles, OVERVIEW_STEP
    layers = [
        tiles.combined(drawing.numbers[::step, ::step])
        for _, _, drawing in contents.layers
        if not drawing.tile
    ]
    height, width = (-(-side // step) for side in contents.walkable.shape)
    pixels = picture_of(layers, tiles, (height, width))
    data: dict[str, Value] = {
        "data": PackedByteArray(pixels.tobytes()),
        "format": "RGBA8",
        "height": height,
        "mipmaps": False,
        "width": width,
    }
    scale = step * tiles.tile_size
    look: dict[str, Value] = {
        "texture_filter": 1,
        "scale": Vector2(scale, scale),
        "texture": SubResource("ImageTexture", {"image": SubResource("Image", {"data": data})}),
        "centered": False,
    }
    return Node("overview", "Sprite2D", look)
