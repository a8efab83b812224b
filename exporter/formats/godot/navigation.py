"""Navigation as regions of convex polygons, which share all their edges.

Godot joins the polygons of all regions by equal edges. It also looks for edges that are only near
each other, which is not needed here and slow: on 512 x 512 cells in four regions 7.5 s with it,
0.09 s without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.nodes import Node
from exporter.formats.godot.values import (
    PackedInt32Arrays,
    PackedVector2Array,
    SubResource,
    Value,
)
from exporter.geometry.chunks import Chunk
from exporter.geometry.pieces import Pieces, convex_pieces_by_chunk

# Cells in a row and a column of a region.
REGION_SIDE = 256


def navigation_pieces(
    walkable: NDArray[np.bool_], side: int, agent_radius: int, tile_size: int
) -> Iterator[tuple[Chunk, Pieces]]:
    """Return the convex pieces of every part of a map, in pixels of a tile where it is shrunk.

    Args:
        walkable: The one mask of cells that can be walked on, bool [height, width].
        side: Cells in a row and a column of a part.
        agent_radius: How far the pieces keep from walls, in pixels.
        tile_size: Side of a cell in pixels.
    """
    return convex_pieces_by_chunk(walkable, side, agent_radius, tile_size)


def navigation_node(
    pieces: Iterable[tuple[Chunk, Pieces]],
    name: str,
    tile_size: int,
    side: int,
    origin: tuple[int, int] = (0, 0),
) -> Node | None:
    """Return a node with a NavigationRegion2D for each part of a map; None without a piece.

    Args:
        pieces: The parts with their pieces.
        name: The node's name.
        tile_size: Side of a cell in pixels.
        side: Cells in a row and a column of a part.
        origin: Which cell's upper left corner is at (0, 0).
    """
    regions = []
    for part, found in pieces:
        if not len(found):
            continue
        corner = np.array(origin) * found.units
        vertices = (found.vertices - corner) * (tile_size // found.units)
        polygon: dict[str, Value] = {
            "vertices": PackedVector2Array(vertices),
            "polygons": PackedInt32Arrays(found.corners, found.starts),
        }
        regions.append(
            Node(
                f"region_{(part.x - origin[0]) // side}_{(part.y - origin[1]) // side}",
                "NavigationRegion2D",
                {
                    "navigation_polygon": SubResource("NavigationPolygon", polygon),
                    "use_edge_connections": False,
                },
            )
        )
    return Node(name, "Node2D", children=tuple(regions)) if regions else None
