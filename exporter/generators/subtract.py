"""Subtract layers: cells are walkable where the first alone is."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from exporter.generators import Generated, MapParameters, Parts, Request, cells_alone, generator
from exporter.generators._combining import aligned_walkable
from exporter.generators._legend import FLOOR_AND_WALL
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, ReplacedLayerName, Within


@dataclass(frozen=True, kw_only=True)
class Subtract(MapParameters):
    """Floor where one layer is walkable and none of some others is."""

    of: Annotated[ReplacedLayerName, About("Layer to start from.")]
    minus: Annotated[
        tuple[ReplacedLayerName, ...],
        Within(1, 64, length=True),
        About("Layers whose floor is removed."),
    ]


@generator(
    "subtract",
    version=1,
    parts=Parts(cells_alone),
    tiles=FLOOR_AND_WALL,
    also=("difference", "cut", "remove"),
)
def generate(parameters: Subtract, request: Request) -> Generated:
    """Close the cells in which other layers are walkable."""
    floor = aligned_walkable(request, parameters.of, ("of",)).copy()
    for index, name in enumerate(parameters.minus):
        floor &= ~aligned_walkable(request, name, ("minus", index))
    return Generated((~floor).astype(np.uint8), FLOOR_AND_WALL)
