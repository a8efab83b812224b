"""Make nodes for shapes of many cells: collision, navigation, occluders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.nodes import Node
from exporter.formats.godot.options import DEFAULT_BITS, LayerBits
from exporter.formats.godot.values import (
    PackedInt32Arrays,
    PackedVector2Array,
    SubResource,
    Value,
    Vector2,
)
from exporter.geometry.area import shrunk_area
from exporter.geometry.chunks import MapChunk, chunks_of
from exporter.geometry.outlines import outlines, outlines_by_chunk
from exporter.geometry.pieces import Pieces
from exporter.geometry.rectangles import rectangles

# Sides in cells of a body, of a region, and of a block of light occluders.
BODY_SIDE = 64
REGION_SIDE = 256
PART_SIDE = 32


def collision_node(
    walkable: NDArray[np.bool_], name: str, tile_size: int, bits: LayerBits = DEFAULT_BITS
) -> Node | None:
    """Return a node with collision boxes, or None if all cells are walkable.

    It has a StaticBody2D for each block of cells. Of all shapes only boxes are exact in Godot 4.6:
    on a cave of 512 x 512, queries at the centres of all cells miss 27 walls of tile collision,
    which the engine merges by itself, 5 of convex polygons and none of boxes. Equal boxes share one
    shape. `walkable` is bool [height, width]; `tile_size` is a cell's side in pixels.
    """
    shapes: dict[tuple[int, int], SubResource] = {}
    bodies = []
    for part in chunks_of(walkable.shape, BODY_SIDE):
        solid = ~walkable[part.y : part.y + part.height, part.x : part.x + part.width]
        boxes = rectangles(solid) + np.array([part.x, part.y, 0, 0], np.int32)
        if not len(boxes):
            continue
        children = tuple(
            _box(f"box_{number}", box, tile_size, shapes)
            for number, box in enumerate(boxes.tolist(), start=1)
        )
        position = f"body_{part.x // BODY_SIDE}_{part.y // BODY_SIDE}"
        bodies.append(Node(position, "StaticBody2D", bits.body(), children=children))
    return Node(name, "Node2D", children=tuple(bodies)) if bodies else None


def _box(
    name: str, box: list[int], tile_size: int, shapes: dict[tuple[int, int], SubResource]
) -> Node:
    x, y, width, height = box
    shape = shapes.get((width, height))
    if shape is None:
        size = Vector2(width * tile_size, height * tile_size)
        shape = shapes[width, height] = SubResource("RectangleShape2D", {"size": size})
    middle = Vector2((2 * x + width) * tile_size / 2, (2 * y + height) * tile_size / 2)
    return Node(name, "CollisionShape2D", {"position": middle, "shape": shape})


def navigation_node(
    pieces: Iterable[tuple[MapChunk, Pieces]],
    name: str,
    tile_size: int,
    bits: LayerBits = DEFAULT_BITS,
) -> Node | None:
    """Return a node with navigation regions, or None without `pieces`.

    `pieces` has blocks of `REGION_SIDE` cells a side, each with its convex walkable pieces; a block
    gets a NavigationRegion2D. Godot joins the polygons of all regions at equal edges. Its search
    for edges that only lie near each other is turned off: it is not needed here, and takes 7.5 s
    instead of 0.09 s for 512 x 512 cells in four regions. `tile_size`, a cell's side in pixels, is
    a multiple of the pieces' units.
    """
    regions = []
    for part, result in pieces:
        if not len(result):
            continue
        polygon: dict[str, Value] = {
            "vertices": PackedVector2Array(result.vertices * (tile_size // result.units)),
            "polygons": PackedInt32Arrays(result.corners, result.starts),
        }
        regions.append(
            Node(
                f"region_{part.x // REGION_SIDE}_{part.y // REGION_SIDE}",
                "NavigationRegion2D",
                {
                    "navigation_polygon": SubResource("NavigationPolygon", polygon),
                    "use_edge_connections": False,
                    **bits.region(),
                },
            )
        )
    return Node(name, "Node2D", children=tuple(regions)) if regions else None


def occlusion_node(
    opaque: NDArray[np.bool_],
    name: str,
    tile_size: int,
    bits: LayerBits = DEFAULT_BITS,
    inset: int = 0,
) -> Node | None:
    """Return a node with light occluders, or None without opaque cells.

    It has a LightOccluder2D for each outline of opaque cells. Outlines of holes are occluders, too:
    then light stops wherever the squares of single tiles would stop it. The map is cut into blocks,
    because a lamp processes whole outlines; the cuts lie inside walls. `opaque` is bool [height,
    width]; `tile_size` is a cell's side, and `inset` how far outlines lie inside opaque cells, both
    in pixels.
    """
    occluders = []
    for part, vertices, rings in _rings(opaque, tile_size, inset):
        position = f"{part.x // PART_SIDE}_{part.y // PART_SIDE}"
        for number, (start, end) in enumerate(pairwise(rings.tolist()), start=1):
            ring = PackedVector2Array(vertices[start:end])
            polygon = SubResource("OccluderPolygon2D", {"polygon": ring})
            # Signed distance fields are off, as for tiles: they would fill the holes.
            occluders.append(
                Node(
                    f"ring_{position}_{number}",
                    "LightOccluder2D",
                    {"occluder": polygon, "sdf_collision": False, **bits.occluder()},
                )
            )
    return Node(name, "Node2D", children=tuple(occluders)) if occluders else None


def _rings(
    opaque: NDArray[np.bool_], tile_size: int, inset: int
) -> Iterator[tuple[MapChunk, NDArray[np.int32], NDArray[np.int32]]]:
    """Yield blocks of the map with the outlines of opaque cells.

    The first array has the corners of all outlines of the block, in pixels; the second has the
    index at which each outline starts.
    """
    if not inset:
        for part, result in outlines_by_chunk(opaque, PART_SIDE):
            yield part, result.vertices * np.int32(tile_size), result.rings
        return
    for part in chunks_of(opaque.shape, PART_SIDE):
        # Where parts meet, the outlines do, too: no light passes between them.
        area = shrunk_area(opaque, inset, part, tile_size)
        result = outlines(area.fields)
        columns, rows = result.vertices.T
        corners = np.stack([area.columns[columns], area.rows[rows]], axis=1)
        yield part, corners.astype(np.int32), result.rings
