"""Choose tile pictures by equal neighbours, from sets of 16 or 47."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Extremes, Generated, Parts, Request, generator, next_cells
from exporter.generators._combining import aligned_tiles, cells_named
from exporter.generators._legend import TileName
from exporter.grids.neighbourhoods import classes, masks_of
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import BLACK, CLEAR, Layer, Tile
from exporter.model.parameters import About, AlignedLayerName, Parameters


@dataclass(frozen=True, kw_only=True)
class Autotile(Parameters):
    """Class of every cell by which of its neighbours are of the same kind.

    Tile 0 is any other kind. Tile 1 + n is class n: the rank of the cell's neighbour mask
    (clockwise from north: N 1, NE 2, E 4, SE 8, S 16, SW 32, W 64, NW 128) among the 16 masks of
    `edges`, or among the 47 of `blob`, in which a corner counts only between two sides.
    """

    of: Annotated[AlignedLayerName, About("Layer to classify.")]
    tile: Annotated[
        TileName, About("Kind of cells to classify: `walkable`, `blocked` or a tile's name.")
    ] = "blocked"
    set: Annotated[
        Literal["edges", "blob"],
        About("`edges`: 16 classes by sides; `blob`: 47 classes by sides and corners."),
    ] = "blob"


# Means no cell at all, above the value of any cell.
_NONE = 2


def _extremes(layer: Layer, same: NDArray[np.bool_]) -> Extremes:
    """Return two facts on the `same` cells, in a form that chunks can join.

    `least` is 1 if all cells are walkable, 0 if not, 2 without such cells. `greatest` is 1 if any
    cell is transparent, else 0.
    """
    if not same.any():
        return Extremes(_NONE, 0)
    walkable = layer.lookup([tile.walkable for tile in layer.tiles])[same].all()
    return Extremes(int(walkable), int(not layer.opaque[same].all()))


def _survey(parameters: Autotile, request: Request, part: tuple[slice, slice]) -> Extremes:
    """Return two facts on the cells of the kind in the chunk `part`.

    `least` is 1 if all these cells are walkable, 0 if not, 2 without such cells; `greatest` is 1 if
    any is transparent, else 0.
    """
    layer = aligned_tiles(request, parameters.of, ("of",))
    same = np.zeros(layer.cells.shape, bool)
    same[part] = cells_named(layer, parameters.tile, ("tile",))[part]
    return _extremes(layer, same)


@generator(
    "autotile",
    version=1,
    parts=Parts(next_cells, _survey, lambda _: True),
    role="data",
    also=("blob", "bitmask", "marching_squares", "tiling"),
)
def generate(parameters: Autotile, request: Request) -> Generated:
    """Choose each cell's tile by which neighbours are of the same kind."""
    layer = aligned_tiles(request, parameters.of, ("of",))
    same = cells_named(layer, parameters.tile, ("tile",))
    cells = np.where(same, classes(same, parameters.set) + np.uint8(1), np.uint8(0))
    result = request.extremes or _extremes(layer, same)
    walkable = result.least == 1
    opaque = result.least < _NONE and result.greatest == 0
    color = CLEAR if walkable else BLACK
    tiles = [Tile(0, "other", walkable=not walkable, opaque=False, color=CLEAR)]
    for number, mask in enumerate(masks_of(parameters.set)):
        tiles.append(Tile(number + 1, f"mask_{mask}", walkable, opaque, color))
    return Generated(cells.astype(np.uint8), tuple(tiles))
