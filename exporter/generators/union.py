"""Unite layers: cells are walkable where any layer is."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from exporter.generators import Generated, MapParameters, Parts, Request, cells_alone, generator
from exporter.generators._combining import aligned_walkable
from exporter.generators._legend import FLOOR_AND_WALL
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, ReplacedLayerName, Within


@dataclass(frozen=True, kw_only=True)
class Union(MapParameters):
    """Floor where at least one of some layers is walkable."""

    layers: Annotated[
        tuple[ReplacedLayerName, ...], Within(1, 64, length=True), About("Layers to unite.")
    ]


@generator(
    "union",
    version=1,
    parts=Parts(cells_alone),
    tiles=FLOOR_AND_WALL,
    also=("merge", "combine", "add"),
)
def generate(parameters: Union, request: Request) -> Generated:
    """Open the cells in which any of the layers is walkable."""
    floor = np.zeros((request.height, request.width), bool)
    for index, name in enumerate(parameters.layers):
        floor |= aligned_walkable(request, name, ("layers", index))
    rooms = tuple(room for name in parameters.layers for room in request.layers[name].rooms)
    return Generated((~floor).astype(np.uint8), FLOOR_AND_WALL, rooms=rooms)
