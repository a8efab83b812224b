"""Draw outlines: walls only around cells of the given tile."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from exporter.generators import Generated, Parts, Request, generator
from exporter.generators._combining import aligned_tiles, cells_named
from exporter.generators._legend import TileName
from exporter.grids.distances import distance_to
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import BLACK, CLEAR, Tile
from exporter.model.parameters import About, AlignedLayerName, Parameters, Within

TILES = (
    Tile(0, "nothing", walkable=False, opaque=False, color=CLEAR),
    Tile(1, "outline", walkable=False, opaque=True, color=BLACK),
    Tile(2, "inside", walkable=True, opaque=False, color="#00000020"),
)


@dataclass(frozen=True, kw_only=True)
class Outline(Parameters):
    """A band around some cells of a layer, and nothing beyond it.

    Use it for thin walls around caves, shores around land, or a mark around rooms.
    """

    of: Annotated[AlignedLayerName, About("Layer to outline.")]
    tile: Annotated[
        TileName, About("Kind of cells to outline: `walkable`, `blocked` or a tile's name.")
    ] = "walkable"
    thickness: Annotated[int, Within(1, 64), About("Width of the band.", "cells")] = 1
    corners: Annotated[
        bool, About("Whether the band goes around corners; otherwise only along the four sides.")
    ] = True


def _halo(parameters: Outline, _radius: int) -> int:
    return parameters.thickness


@generator("outline", version=1, parts=Parts(_halo), tiles=TILES, also=("border", "edges", "walls"))
def generate(parameters: Outline, request: Request) -> Generated:
    """Mark the cells of the given kind, and a band of walls around them."""
    layer = aligned_tiles(request, parameters.of, ("of",))
    inside = cells_named(layer, parameters.tile, ("tile",))
    distance = distance_to(inside, "chebyshev" if parameters.corners else "taxicab")
    cells = np.zeros(inside.shape, np.uint8)
    cells[(distance > 0) & (distance <= parameters.thickness)] = 1
    cells[inside] = 2
    return Generated(cells, TILES)
