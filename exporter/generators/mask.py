"""Keep a layer's tiles only where another layer is walkable, or is not."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from exporter.generators import Generated, MapParameters, Parts, Request, cells_alone, generator
from exporter.generators._combining import aligned_tiles, aligned_walkable
from exporter.generators._legend import WALL, Legend, TileName, cells_of
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, AlignedLayerName, ReplacedLayerName


@dataclass(frozen=True, kw_only=True)
class Mask(MapParameters):
    """Tiles of a layer where another one is walkable, or is not.

    One tile fills the other cells.
    """

    of: Annotated[ReplacedLayerName, About("Layer whose tiles are kept.")]
    by: Annotated[AlignedLayerName, About("Layer that decides where tiles are kept.")]
    keep: Annotated[
        Literal["walkable", "blocked"],
        About("Cells of `by` where tiles are kept: walkable ones or the others."),
    ] = "walkable"
    outside: Annotated[
        TileName | None,
        About(
            "Name of the tile of `of` that fills all other cells; default: the first that is not "
            "walkable, or a new `wall`."
        ),
    ] = None


@generator("mask", version=1, parts=Parts(cells_alone), also=("choose", "select", "blend"))
def generate(parameters: Mask, request: Request) -> Generated:
    """Copy each cell of the layer, or replace it by the tile `outside`."""
    layer = aligned_tiles(request, parameters.of, ("of",))
    inside = aligned_walkable(request, parameters.by, ("by",))
    if parameters.keep == "blocked":
        inside = ~inside
    legend = Legend(layer.tiles)
    if parameters.outside is None:
        fill = next((tile.id for tile in layer.tiles if not tile.walkable), None)
        if fill is None:
            fill = legend.add(WALL)
    else:
        tile = legend.find(parameters.outside)
        if tile is None:
            names = ", ".join(tile.name for tile in layer.tiles)
            raise ParameterError(
                f"the layer {layer.name!r} has no tile {parameters.outside!r} (known: {names})",
                ("outside",),
            )
        fill = tile.id
    ids = np.where(inside, layer.cells.astype(np.int32), np.int32(fill))
    return Generated(cells_of(ids), legend.tiles, rooms=layer.rooms)
