"""Cover unwalkable cells with collision boxes.

Only boxes are exact in Godot 4.6. On a cave of 512 x 512 cells, physics queries at the centres of
all cells miss 27 walls with tile collision (which the engine merges), 5 with convex polygons and
none with boxes. Equal boxes share one shape.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.nodes import Node
from exporter.formats.godot.options import DEFAULT_BITS, LayerBits
from exporter.formats.godot.values import SubResource, Vector2
from exporter.geometry.chunks import chunks_of
from exporter.geometry.rectangles import rectangles

# Rows and columns of cells of one body.
BODY_SIDE = 64


def collision_node(
    walkable: NDArray[np.bool_], name: str, tile_size: int, bits: LayerBits = DEFAULT_BITS
) -> Node | None:
    """Return a node with a StaticBody2D for each chunk, if any is needed.

    Args:
        walkable: bool [height, width], the cells that can be walked on.
        name: The node's name.
        tile_size: Side of a cell in pixels.
        bits: The physics layers and mask of the bodies.
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
