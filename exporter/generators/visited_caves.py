"""Caves from randomly visited cells, cleaned and joined by corridors.

After a C# program of 2013: noise is visited at random and each visited cell follows the majority
around it, edges are smoothed and holes filled, caves of unwanted size erased, and corridors with
random turns grown between the rest. With `rng: dotnet` the map equals that program's, cell for
cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Connect, Generated, MapParameters, Request, generator
from exporter.grids.regions import label_regions
from exporter.kernels import random_visits, warn_uncompiled
from exporter.kernels.random_draws import Draws
from exporter.kernels.visited_caves import (
    BREAKOUT,
    COMPILED,
    CONNECTED,
    NO_CAVES,
    NO_EDGE,
    Connector,
    clean,
    find_caves,
)
from exporter.model.errors import ParameterError
from exporter.model.level import BLACK, CLEAR, Tile
from exporter.model.parameters import About, Within

# The frame of the kernel's grid: neither solid (0) nor open (1).
OUTSIDE = 2

TILES = (
    Tile(0, "rock", walkable=False, opaque=True, color=CLEAR),
    Tile(1, "cave", walkable=True, opaque=False, color=BLACK),
)

OUTCOMES = {
    CONNECTED: "connected",
    NO_CAVES: "gave up: there are no caves",
    BREAKOUT: "gave up: breakout exceeded",
    NO_EDGE: "gave up: no empty cell to start a corridor from",
}


@dataclass(frozen=True, kw_only=True)
class VisitedCaves(MapParameters):
    """Caves of every shape with winding corridors between them.

    For several large caves raise `upper_limit` to 1500 and `lower_limit` to 450 and lower
    `filling` to 3; for many small chunky caves visit 10000 cells; for one massive cave start
    with 55 percent and allow 10000 cells. On bigger maps raise `cells_to_visit` with the area.
    """

    close_cell_probability: Annotated[
        int, Within(0, 100), About("Chance of a cell to start open.", "%")
    ] = 45
    cells_to_visit: Annotated[
        int, Within(0, 100_000_000), About("Random visits (one more is made, as in the original).")
    ] = 50_000
    neighbours: Annotated[
        int,
        Within(0, 9),
        About("A visited cell with more open cells than this in its 3 x 3 block opens."),
    ] = 4
    smoothing: Annotated[
        int, Within(0, 5), About("An open cell with this many solid ones beside it closes.")
    ] = 3
    filling: Annotated[
        int, Within(0, 5), About("A solid cell with this many open ones beside it opens.")
    ] = 4
    lower_limit: Annotated[
        int, Within(0, 100_000_000), About("Caves of this size or smaller are erased.", "cells")
    ] = 16
    upper_limit: Annotated[
        int, Within(0, 100_000_000), About("Caves larger than this are erased.", "cells")
    ] = 500
    connect: Annotated[
        Connect,
        About(
            "Join the caves: `true` grows corridors until all are joined or `breakout` is "
            "exceeded, `guaranteed` then carves the shortest joins until one region is left."
        ),
    ] = True
    corridor_spacing: Annotated[
        int, Within(0, 1000), About("Solid cells kept on both sides of a corridor.", "cells")
    ] = 2
    corridor_min: Annotated[
        int, Within(0, 1000), About("Shortest straight run of a corridor.", "cells")
    ] = 2
    corridor_max: Annotated[
        int,
        Within(0, 1000),
        About(
            "Straight runs of a corridor are shorter than this (unless it is the least).", "cells"
        ),
    ] = 5
    corridor_max_turns: Annotated[
        int, Within(0, 1000), About("How often a corridor may turn before it is given up.")
    ] = 10
    breakout: Annotated[
        int, Within(0, 10_000_000), About("Failed corridors after which connecting gives up.")
    ] = 100_000

    def check(self, width: int, height: int) -> None:
        """Refuse what can never work on a map of this size.

        Raises:
            ParameterError: With the path of the parameter at fault.
        """
        if self.corridor_min > self.corridor_max:
            raise ParameterError(
                f"corridor_min {self.corridor_min} is larger than corridor_max {self.corridor_max}",
                (self.changed("corridor_min", "corridor_max"),),
            )


@generator("visited_caves", version=1)
def generate(parameters: VisitedCaves, request: Request) -> Generated:
    """Fill, visit, clean, find the caves and connect them."""
    parameters.check(request.width, request.height)
    width, height = request.width, request.height
    cells = _visited(parameters, request)
    warn_uncompiled(COMPILED, "visited_caves", cells.size, 200_000)
    clean(cells.data, width, height, parameters.smoothing, parameters.filling)
    caves = Caves.find(
        cells,
        height,
        parameters.lower_limit,
        parameters.upper_limit,
        request.stream.rng == "portable",
    )
    if not parameters.connect:
        return Generated(caves.map(), TILES, report={"caves": caves.count})
    regions_before = label_regions(caves.map() == 1).count
    draws = request.stream.draws("corridors")
    outcome, unconnected, carved = caves.connect(parameters, draws)
    report: dict[str, Any] = {
        "caves": caves.count,
        "corridors": OUTCOMES[outcome],
        "unconnected_caves": unconnected,
    }
    return Generated(
        caves.map(),
        TILES,
        complete=outcome == CONNECTED or parameters.connect == "guaranteed",
        report=report,
        carved=carved,
        regions_before=regions_before,
    )


def _visited(parameters: VisitedCaves, request: Request) -> NDArray[np.uint8]:
    """Return the map after filling and visiting: framed columns, one after the other."""
    width, height = request.width, request.height
    padded = np.zeros((height + 2, width + 2), np.uint8)
    padded[1:-1, 1:-1] = request.stream.chance(
        "fill", width, height, parameters.close_cell_probability, "columns"
    )
    visits = parameters.cells_to_visit + 1
    warn_uncompiled(random_visits.COMPILED, "random_visits", visits, 300_000)
    draws = request.stream.draws("visits")
    random_visits.visit(padded.data, draws, visits, parameters.neighbours, 1)
    columns = np.full((width + 2, height + 2), OUTSIDE, np.uint8)
    columns[1:-1, 1:-1] = padded[1:-1, 1:-1].T
    return columns.ravel()


@dataclass(frozen=True, slots=True, eq=False)
class Caves:
    """The caves of a map, as the kernel keeps them.

    Attributes:
        cells: uint8, framed columns one after the other, changed when corridors are dug.
        height: Rows of the map.
        count: Caves that are neither too small nor too large.
        owners: int32: the number of every cell's cave.
        members: int32: the positions of all caves' cells, cave after cave.
        starts: int32: where in `members` each cave begins.
    """

    cells: NDArray[np.uint8]
    height: int
    count: int
    owners: NDArray[np.int32]
    members: NDArray[np.int32]
    starts: NDArray[np.int32]

    @classmethod
    def find(
        cls,
        cells: NDArray[np.uint8],
        height: int,
        lower_limit: int,
        upper_limit: int,
        lone_cells: bool,
    ) -> Caves:
        """List the caves of framed columns and erase those of unwanted size, in place."""
        owners = np.zeros(cells.size, np.int32)
        members = np.empty(cells.size, np.int32)
        starts = np.empty(cells.size + 1, np.int32)
        path = np.empty(cells.size + 1, np.int32)
        steps = np.empty(cells.size + 1, np.uint8)
        count = find_caves(
            cells.data,
            height + 2,
            lower_limit,
            upper_limit,
            lone_cells,
            owners.data,
            members.data,
            starts.data,
            path.data,
            steps.data,
        )
        return cls(cells, height, count, owners, members, starts)

    def map(self) -> NDArray[np.uint8]:
        """Return a copy of the map as it stands: uint8 [height, width]."""
        columns = self.cells.reshape(-1, self.height + 2)
        return np.ascontiguousarray(columns[1:-1, 1:-1].T)

    def connect(self, parameters: VisitedCaves, draws: Draws) -> tuple[int, int, int]:
        """Dig corridors; return how it ended, the caves left unconnected and the cells opened."""
        run = max(parameters.corridor_min, parameters.corridor_max - 1)
        attempt = np.empty(run * (parameters.corridor_max_turns + 1) + 2, np.int32)
        connector = Connector(
            self.cells.data,
            self.height + 2,
            self.owners.data,
            self.members.data,
            self.starts.data,
            attempt.data,
            draws,
            parameters.corridor_spacing,
            parameters.corridor_min,
            parameters.corridor_max,
            parameters.corridor_max_turns,
        )
        outcome, unconnected, carved = connector.connect(self.count, parameters.breakout)
        return outcome, unconnected, carved
