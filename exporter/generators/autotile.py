"""Neighbour masks as tile classes: which piece of a 16- or 47-tile set each cell needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from exporter.generators import Generated, Request, generator
from exporter.generators._combining import aligned_tiles, cells_named
from exporter.generators._legend import TileName
from exporter.grids.neighbourhoods import classes, masks_of
from exporter.model.former import Formerly
from exporter.model.level import BLACK, CLEAR, Tile
from exporter.model.parameters import About, AlignedLayerName, Parameters


@dataclass(frozen=True, kw_only=True)
class Autotile(Parameters):
    """Class of every cell by which of its neighbours are of the same kind.

    Tile 0 is any other kind. Tile 1 + n is class n: the rank of the cell's neighbour mask
    (clockwise from north: N 1, NE 2, E 4, SE 8, S 16, SW 32, W 64, NW 128) among the 16 masks of
    `edges`, or among the 47 of `blob`, in which a corner counts only between two sides.
    """

    of: Annotated[AlignedLayerName, About("Layer to classify."), Formerly("layer")]
    tile: Annotated[
        TileName,
        About("Kind of cells to classify: `walkable`, `blocked` or a tile's name."),
        Formerly("of"),
    ] = "blocked"
    set: Annotated[
        Literal["edges", "blob"],
        About("`edges`: 16 classes by sides; `blob`: 47 classes by sides and corners."),
    ] = "blob"


@generator(
    "autotile",
    version=1,
    role="data",
    also=("auto_tile", "blob", "bitmask", "marching_squares", "tiling"),
)
def generate(parameters: Autotile, request: Request) -> Generated:
    """Rank the masks."""
    layer = aligned_tiles(request, parameters.of, ("of",))
    same = cells_named(layer, parameters.tile, ("tile",))
    cells = np.where(same, classes(same, parameters.set) + np.uint8(1), np.uint8(0))
    walkable = bool(same.any() and layer.lookup([t.walkable for t in layer.tiles])[same].all())
    opaque = bool(same.any() and layer.opaque[same].all())
    color = CLEAR if walkable else BLACK
    tiles = [Tile(0, "other", walkable=not walkable, opaque=False, color=CLEAR)]
    for number, mask in enumerate(masks_of(parameters.set)):
        tiles.append(Tile(number + 1, f"mask_{mask}", walkable, opaque, color))
    return Generated(cells.astype(np.uint8), tuple(tiles))
