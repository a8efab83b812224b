"""Place door tiles where rooms open to corridors or to other rooms."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, Request, generator
from exporter.generators._combining import aligned_tiles
from exporter.generators._legend import USUAL_TILES, WALL, Legend, cells_of
from exporter.grids.room_graph import room_labels
from exporter.grids.room_openings import door_places
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer
from exporter.model.parameters import About, Parameters, ReplacedLayerName, Within

CLOSED, OPEN = "door", "open_door"


@dataclass(frozen=True, kw_only=True)
class Doors(Parameters):
    """A layer of rooms with doors where corridors and other rooms meet them.

    Every opening of a room gets at most one door: between two walls, never in a corner and never
    beside another door. Doors that are there already stay.
    """

    of: Annotated[ReplacedLayerName, About("Layer whose rooms get doors.")]
    percent: Annotated[
        int, Within(0, 100), About("Chance that an opening gets a door.", "percent")
    ] = 100
    closed: Annotated[
        bool,
        About(
            "Whether doors are closed: `door` blocks sight, `open_door` does not. Both are "
            "walkable."
        ),
    ] = True
    max_width: Annotated[
        int,
        Within(1, 64),
        About(
            "Widest opening that gets a door; those of several cells are narrowed to the door by "
            "walls.",
            "cells",
        ),
    ] = 1


def _shortfall(parameters: Doors, layer: Layer) -> str:
    openings, unfit = layer.report.get("openings", 0), layer.report.get("unfit", 0)
    if not openings:
        return "no room has an opening (its rooms touch neither corridors nor each other)"
    if unfit < openings or not parameters.percent:
        return ""
    return (
        f"no door fits into the {openings} openings of its rooms: they are wider than "
        f"{parameters.max_width} cells or lie in corners (raise `max_width`)"
    )


@generator("doors", version=1, shortfall=_shortfall, also=("gates", "entrances"))
def generate(parameters: Doors, request: Request) -> Generated:
    """Choose which openings of rooms get a door, and draw the doors."""
    layer = aligned_tiles(request, parameters.of, ("of",))
    if not layer.rooms:
        raise ParameterError(
            f"the layer {layer.name!r} has no rooms (name a layer of a generator that builds "
            "rooms, of prefabs, or of a map with areas)",
            ("of",),
        )
    legend = Legend(layer.tiles)
    door = _door_of(legend, layer, closed=parameters.closed)
    walkable = layer.lookup([tile.walkable for tile in layer.tiles])
    expected = None
    if parameters.percent < 100:
        expected = request.stream.portable.chance(
            "doors", request.width, request.height, parameters.percent
        )
    places = door_places(
        walkable, room_labels(walkable, layer.rooms), layer.doors, expected, parameters.max_width
    )
    ids = layer.cells.astype(np.int32)
    if places.walls:
        _put(ids, places.walls, _wall_of(legend))
    _put(ids, places.doors, door)
    report = {
        "openings": places.openings,
        "doors": len(places.doors),
        "kept": places.existing,
        "unfit": places.unfit,
    }
    return Generated(
        cells_of(ids), legend.tiles, rooms=layer.rooms, masks=layer.masks, report=report
    )


def _put(ids: NDArray[np.int32], points: tuple[tuple[int, int], ...], tile: int) -> None:
    for x, y in points:
        ids[y, x] = tile


def _door_of(legend: Legend, layer: Layer, *, closed: bool) -> int:
    """Return the id of the tile for `closed` or open doors in `legend`.

    It is added to the legend if missing.

    Raises:
        ParameterError: The layer's tile of that name is unwalkable, or blocks sight when it should
            not, or does not when it should.
    """
    name = CLOSED if closed else OPEN
    tile = legend.find(name)
    if tile is not None and not tile.walkable:
        raise ParameterError(
            f"the tile {name!r} of the layer {layer.name!r} is not walkable, so doors would "
            "separate the rooms (make it walkable, or give it another name)",
            ("of",),
        )
    if tile is not None and tile.opaque != closed:
        does = "does not block sight" if closed else "blocks sight"
        raise ParameterError(
            f"the tile {name!r} of the layer {layer.name!r} {does} (change its `opaque`, or write "
            f"`closed: {str(not closed).lower()}`)",
            ("of",),
        )
    return legend.add(USUAL_TILES[name])


def _wall_of(legend: Legend) -> int:
    """Return the id of `legend`'s first opaque wall, adding one if needed."""
    for tile in legend.tiles:
        if tile.blocking and tile.opaque:
            return tile.id
    return legend.add(WALL)
