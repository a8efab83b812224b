"""Write light occluders around the opaque cells of a level.

Every outline of opaque cells and every outline of a hole is an OccluderPolygon2D, so that light
stops as at the squares of tiles. The map is cut into chunks, inside of walls, because a lamp
processes whole outlines.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.nodes import Node
from exporter.formats.godot.options import DEFAULT_BITS, LayerBits
from exporter.formats.godot.values import PackedVector2Array, SubResource
from exporter.geometry.area import shrunk_area
from exporter.geometry.chunks import MapChunk, chunks_of
from exporter.geometry.outlines import outlines, outlines_by_chunk

# Cells in a row and a column of the parts of the map.
PART_SIDE = 32


def occlusion_node(
    opaque: NDArray[np.bool_],
    name: str,
    tile_size: int,
    bits: LayerBits = DEFAULT_BITS,
    inset: int = 0,
) -> Node | None:
    """Return a node with a LightOccluder2D for each outline, if any.

    Args:
        opaque: bool [height, width], the cells that block light.
        name: The node's name.
        tile_size: Side of a cell in pixels.
        bits: The light mask of the occluders.
        inset: How far the outlines lie inside of the opaque cells, in pixels.
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
    """Yield chunks of the map with outlines: corners in pixels, and counts."""
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
