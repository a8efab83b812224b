"""Write unwalkable cells as an object layer `collision` of Tiled.

Every shape is a rectangle, written as a polygon of four corners, clockwise from the upper left.
The physics of every engine accepts such a polygon; some fail on holes, concave polygons, or more
than eight corners.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.geometry.rectangles import rectangles_by_chunk
from exporter.model.errors import ParameterError
from exporter.model.level import Level

COLLISION = "collision"
# A map with so many shapes has more than 100 MB of JSON, and editors become unusable.
MOST_SHAPES = 500_000
# Larger blocks need much memory for walls like a checkerboard; smaller ones divide more walls.
CHUNK = 512


class Shapes:
    """The rectangles of a collision layer; iterating yields Tiled's objects."""

    def __init__(self, cells: NDArray[np.int32], size: int, first_id: int) -> None:
        """Store `cells`, the rectangles: int32 [shapes, 4], x, y, width, height.

        They are in cells. `size` is the side of a cell in pixels, `first_id` the id of the first
        object.
        """
        self.cells = cells
        self.size = size
        self.first_id = first_id

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield each rectangle as an object in Tiled's JSON."""
        pixels = (self.cells * self.size).tolist()
        for number, (x, y, width, height) in enumerate(pixels, self.first_id):
            corners = ((0, 0), (width, 0), (width, height), (0, height))
            yield {
                "id": number,
                "name": "",
                "type": "",
                "x": x,
                "y": y,
                "width": 0,
                "height": 0,
                "rotation": 0,
                "visible": True,
                "polygon": [{"x": x, "y": y} for x, y in corners],
            }


def collision_shapes(level: Level, size: int, first_id: int) -> Shapes:
    """Return rectangles that exactly cover the unwalkable cells of a level.

    A level without a play layer gets none, because no cell is known to be unwalkable. `size` is a
    cell's side in pixels; `first_id` is the id of the first object.

    Raises:
        ParameterError: The level needs more than `MOST_SHAPES` shapes.
    """
    parts = [np.zeros((0, 4), np.int32)]
    count = 0
    solid = ~level.walkable() if level.play_layers() else np.zeros((1, 1), bool)
    for _, cells in rectangles_by_chunk(solid, CHUNK):
        parts.append(cells)
        count += len(cells)
        if count > MOST_SHAPES:
            raise ParameterError(
                f"the collision of {level.name} needs more than {MOST_SHAPES:,} polygons "
                "(use collision: tiles)"
            )
    return Shapes(np.concatenate(parts), size, first_id)


def collision_layer(number: int, shapes: Shapes) -> dict[str, Any]:
    """Return the object layer with `shapes`, as Tiled's JSON.

    `number` is the layer's id.
    """
    return {
        "id": number,
        "name": COLLISION,
        "type": "objectgroup",
        "draworder": "index",
        "x": 0,
        "y": 0,
        "opacity": 1,
        "visible": True,
        "objects": shapes,
    }
