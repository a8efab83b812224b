"""Islands and labyrinths from randomly visited cells.

After a C# program of 2013: noise is visited at random, and each visited cell follows the majority
around it (islands) or opposes it (labyrinths).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from exporter.generators import Generated, MapParameters, Request, generator
from exporter.kernels import random_visits, view, warn_uncompiled
from exporter.model.level import BLACK, CLEAR, Tile
from exporter.model.parameters import About, Within


@dataclass(frozen=True, kw_only=True)
class IslandMaze(MapParameters):
    """Islands in water, or with `invert` a labyrinth.

    The reference program shows six looks at 100 x 100 (probability, neighbours, iterations):
    islands 45, 4, 50000; a labyrinth, the same inverted; more land 55, 4, 50000; rounder islands
    45, 4, 85000; a fine labyrinth 45, 2, 50000 inverted; lakes 75, 5, 80000. On bigger maps raise
    `iterations` with the area.
    """

    close_cell_probability: Annotated[
        int, Within(0, 100), About("Chance of a cell to start as land.", "%")
    ] = 45
    neighbours: Annotated[
        int,
        Within(0, 9),
        About("A visited cell with more land than this in its 3 x 3 block turns to land."),
    ] = 4
    iterations: Annotated[
        int, Within(0, 100_000_000), About("Random visits (one more is made, as in the original).")
    ] = 50_000
    invert: Annotated[
        bool, About("Turn such a cell to water instead, and any other to land: labyrinths.")
    ] = False
    opaque_water: Annotated[
        bool, About("Whether water blocks sight, for labyrinths whose water means walls.")
    ] = False


@generator("island_maze", version=1)
def generate(parameters: IslandMaze, request: Request) -> Generated:
    """Fill at random, then visit random cells."""
    width, height = request.width, request.height
    padded = np.zeros((height + 2, width + 2), np.uint8)
    padded[1:-1, 1:-1] = request.stream.chance(
        "fill", width, height, parameters.close_cell_probability, "columns"
    )
    warn_uncompiled(random_visits.COMPILED, "random_visits", parameters.iterations, 200_000)
    random_visits.visit(
        view(padded),
        request.stream.draws("visits"),
        parameters.iterations + 1,
        parameters.neighbours,
        0 if parameters.invert else 1,
    )
    tiles = (
        Tile(0, "water", walkable=False, opaque=parameters.opaque_water, color=CLEAR),
        Tile(1, "land", walkable=True, opaque=False, color=BLACK),
    )
    return Generated(padded[1:-1, 1:-1].copy(), tiles)
