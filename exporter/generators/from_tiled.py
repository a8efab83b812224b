"""Make maps from maps drawn in Tiled: tiles, objects and areas."""

from __future__ import annotations

from typing import Annotated

from exporter.generators import Generated, Parts, Request, generator
from exporter.generators._handmade import (
    HandmadeParameters,
    LayerId,
    halo,
    hand_made,
    layer_of,
    shortfall,
)
from exporter.handmade.tiled.maps import read_tiled_map
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, Within


@dataclass(frozen=True, kw_only=True)
class FromTiled(HandmadeParameters):
    """A layer of a map drawn in Tiled, with its objects and named areas.

    What a tile means is said by `legend`, else by its class or its property `tile` (`wall`,
    `floor`, `door`, `water` ...), else by its properties `walkable` and `opaque`. Points and tile
    objects become objects of the level; named rectangles, polygons and ellipses become rooms and
    areas, in which other objects can be placed with `room`.
    """

    layer: Annotated[
        Annotated[str, Within(1, 255, length=True)] | LayerId | None,
        About(
            "Layer of tiles, with its groups: `Group/Walls`; where names repeat `Walls#2`, counted "
            "from the lowest, or `{id: 7}`, as Tiled shows it. Default: the only one."
        ),
    ] = None


@generator(
    "from_tiled",
    version=1,
    parts=Parts(halo),
    shortfall=shortfall,
    also=("tmx", "tmj", "tilemap", "map"),
)
def generate(parameters: FromTiled, request: Request) -> Generated:
    """Read the map, choose its layer, and fit that to the requested size."""
    where = ("file",)
    content = request.read_project_file(parameters.file, where)
    try:
        drawn = read_tiled_map(
            content, parameters.file, lambda name: request.read_project_file(name, where)
        )
    except ParameterError as error:
        raise ParameterError(error.message, error.path or where) from None
    layer = layer_of(drawn, parameters.layer, parameters.file)
    return hand_made(drawn, layer, parameters, request)
