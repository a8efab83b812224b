"""Make islands and labyrinths by visiting random cells of noise.

After a C# program of 2013: noise is visited at random, and each visited cell follows the majority
around it (islands) or opposes it (labyrinths).
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from exporter.generators import Generated, MapParameters, Request, generator
from exporter.generators.fixed import put_fixed
from exporter.generators.trace import portions
from exporter.kernels import random_visits, view, warn_uncompiled
from exporter.model.costs import Cost, kernel_seconds, most_expensive
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import BLACK, CLEAR, Tile
from exporter.model.parameters import About, Percent, Within


@dataclass(frozen=True, kw_only=True)
class IslandMaze(MapParameters):
    """Islands in water, or a labyrinth with `invert`.

    Looks of the reference program at 100 x 100 cells, as `land_percent`, `neighbours`, `visits`:
    islands 45, 4, 50000; a labyrinth: the same inverted; more land 55, 4, 50000; smoother coasts
    45, 4, 85000; a fine labyrinth 45, 2, 50000 inverted; lakes 75, 5, 80000. On larger maps raise
    `visits` with the area.
    """

    land_percent: Annotated[Percent, About("Chance that a cell is land at first.", "%")] = 45
    neighbours: Annotated[
        int,
        Within(0, 9),
        About(
            "A visited cell becomes land if more cells than this are land in its 3 x 3 block; "
            "otherwise it becomes water."
        ),
    ] = 4
    visits: Annotated[
        int,
        Within(0, 100_000_000),
        About("Random visits. One more is made, as in the reference program."),
    ] = 50_000
    invert: Annotated[
        bool, About("Whether visited cells become water instead of land and land instead of water.")
    ] = False
    opaque_water: Annotated[
        bool, About("Whether water blocks sight, for labyrinths with water in place of walls.")
    ] = False


def cost(parameters: IslandMaze, width: int, height: int) -> Cost:
    """Estimate the time of the visits to random cells."""
    seconds = kernel_seconds(random_visits, parameters.visits, 25e6, 200e3)
    return most_expensive(width, height, Cost(seconds, ("visits",)))


@generator("island_maze", version=1, cost=cost)
def generate(parameters: IslandMaze, request: Request) -> Generated:
    """Fill the map at random; then set random cells by those around them."""
    width, height = request.width, request.height
    padded = np.zeros((height + 2, width + 2), np.uint8)
    padded[1:-1, 1:-1] = request.stream.chance(
        "fill", width, height, parameters.land_percent, "columns"
    )
    warn_uncompiled(random_visits.COMPILED, "random_visits", parameters.visits, 200_000)
    given = None if request.fixed is None else view(put_fixed(padded, request.fixed))
    tiles = (
        Tile(0, "water", walkable=False, opaque=parameters.opaque_water, color=CLEAR),
        Tile(1, "land", walkable=True, opaque=False, color=BLACK),
    )
    trace = request.trace
    if trace is not None:
        trace.frame("filling", padded[1:-1, 1:-1], tiles)
    draws, visits, done = request.stream.draws("visits"), parameters.visits + 1, 0
    above = 0 if parameters.invert else 1
    for count in portions(trace, visits):
        random_visits.visit(view(padded), draws, count, parameters.neighbours, above, given)
        done += count
        if trace is not None:
            trace.frame("visit", padded[1:-1, 1:-1], tiles, number=done, of=visits)
    return Generated(padded[1:-1, 1:-1].copy(), tiles)
