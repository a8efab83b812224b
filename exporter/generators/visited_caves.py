"""Make caves by visiting random cells; clean them, join them by corridors.

After a C# program of 2013: noise is visited at random and each visited cell follows the majority
around it, edges are smoothed and holes filled, caves of unwanted size erased, and corridors with
random turns grown between the rest. With `rng: dotnet` the map equals that program's, cell for
cell.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Connect, Generated, JoiningParameters, Request, generator
from exporter.generators._corridors import backtracking_draws, check_corridor_lengths
from exporter.generators.fixed import put_fixed
from exporter.generators.trace import Trace, portions
from exporter.grids.regions import label_regions
from exporter.kernels import random_visits, visited_caves, warn_uncompiled
from exporter.kernels.random_draws import Draws
from exporter.kernels.visited_caves import (
    COMPILED,
    CONNECTED,
    NO_ATTEMPTS_LEFT,
    NO_CAVES,
    NO_EDGE,
    Connector,
    clean,
    find_caves,
)
from exporter.model.costs import Cost, kernel_seconds, most_expensive
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import BLACK, CLEAR, Layer, Tile
from exporter.model.parameters import About, OptionGroups, Percent, Within

# The frame of the kernel's grid: neither solid (0) nor open (1).
OUTSIDE = 2
# A solid cell that no corridor enters.
CLOSED = 3
# Passes of cleaning, in the kernel; all but the last smooth.
PASSES = 6

TILES = (
    Tile(0, "rock", walkable=False, opaque=True, color=CLEAR),
    Tile(1, "cave", walkable=True, opaque=False, color=BLACK),
)

OUTCOMES = {
    CONNECTED: "connected",
    NO_CAVES: "gave up: there are no caves",
    NO_ATTEMPTS_LEFT: "gave up: attempts exceeded",
    NO_EDGE: "gave up: no empty cell to start a corridor from",
}


@dataclass(frozen=True, kw_only=True)
class VisitedCaves(JoiningParameters):
    """Caves of every shape with winding corridors between them.

    For several large caves set `upper_limit` to 1500, `lower_limit` to 450 and `filling` to 3. For
    many small angular caves set `visits` to 10000. For one massive cave set `open_percent` to 55
    and `upper_limit` to 10000. On larger maps raise `visits` with the area.
    """

    option_groups: ClassVar[OptionGroups] = {
        "Size of the caves": ("lower_limit", "upper_limit"),
        "Corridors": (
            "corridor_spacing", "min_corridor_length", "max_corridor_length",
            "corridor_max_turns", "prevent_backtracking", "attempts",
        ),
        **JoiningParameters.option_groups,
    }  # fmt: skip

    open_percent: Annotated[
        Percent, About("Chance that a cell is open at first.", "%", also=("fill", "density"))
    ] = 45
    visits: Annotated[
        int,
        Within(0, 100_000_000),
        About(
            "Random visits. One more is made, as in the reference program.",
            also=("iterations", "steps"),
        ),
    ] = 50_000
    neighbours: Annotated[
        int,
        Within(0, 9),
        About(
            "A visited cell opens if more cells than this are open in its 3 x 3 block; otherwise "
            "it closes."
        ),
    ] = 4
    smoothing: Annotated[
        int,
        Within(0, 5),
        About("An open cell closes if at least this many of its 4 neighbours are solid."),
    ] = 3
    filling: Annotated[
        int,
        Within(0, 5),
        About("A solid cell opens if at least this many of its 4 neighbours are open."),
    ] = 4
    lower_limit: Annotated[
        int, Within(0, 100_000_000), About("Caves of this size or smaller are removed.", "cells")
    ] = 16
    upper_limit: Annotated[
        int, Within(0, 100_000_000), About("Caves larger than this are removed.", "cells")
    ] = 500
    connect: Annotated[
        Connect,
        About(
            "Join the caves: `true` grows corridors until all are joined or `attempts` is "
            "exceeded, `guaranteed` also carves the shortest joins until one region is left."
        ),
    ] = True
    corridor_spacing: Annotated[
        int, Within(0, 1000), About("Solid cells kept on both sides of a corridor.", "cells")
    ] = 2
    min_corridor_length: Annotated[
        int, Within(0, 1000), About("Shortest straight run of a corridor.", "cells")
    ] = 2
    max_corridor_length: Annotated[
        int, Within(0, 1000), About("Longest straight run of a corridor, inclusive.", "cells")
    ] = 4
    corridor_max_turns: Annotated[
        int, Within(0, 1000), About("A corridor is given up after one more straight run than this.")
    ] = 10
    prevent_backtracking: Annotated[
        Percent,
        About(
            "Chance that a corridor also never turns into the reverse of its first direction. "
            "The reference program always prevents it.",
            "%",
        ),
    ] = 100
    attempts: Annotated[
        int, Within(0, 10_000_000), About("Corridors tried before connecting stops.")
    ] = 100_000

    def check(self, width: int, height: int) -> None:
        """Refuse a shortest corridor length above the longest."""
        check_corridor_lengths(self, self.min_corridor_length, self.max_corridor_length)


def _shortfall(parameters: VisitedCaves, layer: Layer) -> str:
    if layer.complete:
        return ""
    caves = layer.report.get("caves", 0)
    if not caves:
        return "there are no caves to connect (raise `visits` or `upper_limit`)"
    return (
        f"{layer.report.get('unconnected_caves', 0)} of {caves} caves are not connected "
        "(raise `attempts`, or write `connect: guaranteed`)"
    )


def cost(parameters: VisitedCaves, width: int, height: int) -> Cost:
    """Estimate the time of the visits, and of all corridors tried."""
    visits = kernel_seconds(random_visits, parameters.visits, 20e6, 300e3)
    attempted = parameters.attempts if parameters.connect else 0
    return most_expensive(
        width,
        height,
        Cost(visits, ("visits",)),
        Cost(kernel_seconds(visited_caves, attempted, 5e6, 50e3), ("attempts",)),
    )


@generator(
    "visited_caves",
    version=1,
    cost=cost,
    shortfall=_shortfall,
    tiles=TILES,
    also=("caves", "cave", "caverns"),
)
def generate(parameters: VisitedCaves, request: Request) -> Generated:
    """Make random noise, visit and clean cells, then connect the caves."""
    parameters.check(request.width, request.height)
    height = request.height
    cells, given = _visited(parameters, request)
    warn_uncompiled(COMPILED, "visited_caves", cells.size, 200_000)
    _clean(cells, given, parameters, request)
    caves = Caves.find(
        cells,
        height,
        parameters.lower_limit,
        parameters.upper_limit,
        request.stream.rng == "portable",
        given,
    )
    if request.trace is not None:
        request.trace.frame("removing small and large caves", caves.map, TILES)
    if not parameters.connect:
        return Generated(caves.map(), TILES, report={"caves": caves.count})
    regions_before = label_regions(caves.map() == 1).count
    draws = request.stream.draws("corridors")
    outcome, unconnected, carved = caves.connect(parameters, draws, request.trace)
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


def _visited(
    parameters: VisitedCaves, request: Request
) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
    """Return the map after filling and visiting, and which cells are fixed.

    Both are flat: columns in a frame of one cell, one after another. The second has 1 for fixed
    cells; None without any.
    """
    width, height = request.width, request.height
    padded = np.zeros((height + 2, width + 2), np.uint8)
    padded[1:-1, 1:-1] = request.stream.chance(
        "fill", width, height, parameters.open_percent, "columns"
    )
    given = None if request.fixed is None else put_fixed(padded, request.fixed)
    trace = request.trace
    if trace is not None:
        trace.frame("filling at random", padded[1:-1, 1:-1], TILES)
    visits, done = parameters.visits + 1, 0
    warn_uncompiled(random_visits.COMPILED, "random_visits", visits, 300_000)
    draws = request.stream.draws("visits")
    remaining = None if given is None else given.data
    for count in portions(trace, visits):
        random_visits.visit(padded.data, draws, count, parameters.neighbours, 1, remaining)
        done += count
        if trace is not None:
            trace.frame("visit", padded[1:-1, 1:-1], TILES, number=done, of=visits)
    columns = np.full((width + 2, height + 2), OUTSIDE, np.uint8)
    columns[1:-1, 1:-1] = padded[1:-1, 1:-1].T
    return columns.ravel(), None if given is None else np.ascontiguousarray(given.T).ravel()


def _clean(
    cells: NDArray[np.uint8],
    given: NDArray[np.uint8] | None,
    parameters: VisitedCaves,
    request: Request,
) -> None:
    """Smooth edges and fill holes of the map `cells`, in place.

    `cells` has columns in a frame of one cell, one after another; `given` likewise has 1 for fixed
    cells, which do not change.
    """
    width, height, trace = request.width, request.height, request.trace
    remaining = None if given is None else given.data
    done = 0
    for count in portions(trace, PASSES):
        first, done = done, done + count
        smoothing, filling = parameters.smoothing, parameters.filling
        clean(cells.data, width, height, smoothing, filling, remaining, first, done)
        if trace is not None and done < PASSES:
            trace.frame("smoothing", _unframed(cells, height), TILES, number=done, of=PASSES - 1)
        elif trace is not None:
            trace.frame("filling holes", _unframed(cells, height), TILES)


def _unframed(cells: NDArray[np.uint8], height: int) -> NDArray[np.uint8]:
    """Copy a map of framed columns, without the frame: uint8 [height, width]."""
    return np.ascontiguousarray(cells.reshape(-1, height + 2)[1:-1, 1:-1].T)


@dataclass(frozen=True, slots=True, eq=False)
class Caves:
    """The caves of a map, as flat arrays that kernels use.

    Attributes:
        cells: uint8, columns in a frame of one cell, one after another: 1 for open cells. Changed
            when corridors are dug.
        height: The number of rows of the map.
        count: The number of caves of allowed size.
        owners: int32, like `cells`: the number of each cell's cave.
        members: int32: the indices in `cells` of all caves' cells, cave after cave.
        starts: int32: the index in `members` where each cave starts.
        given: uint8 like `cells`: 1 for fixed cells; None for none.
    """

    cells: NDArray[np.uint8]
    height: int
    count: int
    owners: NDArray[np.int32]
    members: NDArray[np.int32]
    starts: NDArray[np.int32]
    given: NDArray[np.uint8] | None

    @classmethod
    def find(
        cls,
        cells: NDArray[np.uint8],
        height: int,
        lower_limit: int,
        upper_limit: int,
        lone_cells: bool,
        given: NDArray[np.uint8] | None = None,
    ) -> Caves:
        """Find the caves in `cells`; erase too small and too large ones, in place.

        Args:
            cells: uint8, columns in a frame of one cell, one after another: 1 for open cells.
            height: The number of rows of the map.
            lower_limit: Caves of this size or smaller are erased.
            upper_limit: Caves larger than this are erased.
            lone_cells: Whether a cell without neighbours is a cave of size 1; not so in the
                reference program.
            given: uint8 like `cells`: 1 for fixed cells; None for none.
        """
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
            None if given is None else given.data,
        )
        return cls(cells, height, count, owners, members, starts, given)

    def map(self) -> NDArray[np.uint8]:
        """Return a copy of the current map: uint8 [height, width]."""
        return _unframed(self.cells, self.height)

    def open_cells(self) -> NDArray[np.bool_]:
        """Return the cells that are open now: bool [height, width]."""
        opened: NDArray[np.bool_] = self.map() == 1
        return opened

    def connect(
        self, parameters: VisitedCaves, draws: Draws, trace: Trace | None = None
    ) -> tuple[int, int, int]:
        """Connect the caves by corridors, and record these in `trace`, if given.

        Returns:
            The outcome, as a number of `exporter.kernels.visited_caves`; how many caves are not
            connected; and how many cells were opened.
        """
        closed = np.zeros(0, np.int64)
        if self.given is not None:
            closed = np.flatnonzero((self.given == 1) & (self.cells == 0))
        self.cells[closed] = CLOSED
        longest = parameters.max_corridor_length
        attempt = np.empty(longest * (parameters.corridor_max_turns + 1) + 2, np.int32)
        connector = Connector(
            self.cells.data,
            self.height + 2,
            self.owners.data,
            self.members.data,
            self.starts.data,
            attempt.data,
            draws,
            parameters.corridor_spacing,
            parameters.min_corridor_length,
            longest + 1,
            parameters.corridor_max_turns,
            backtracking_draws(parameters.prevent_backtracking),
        )
        tell = None
        if trace is not None:
            tell = trace.teller("corridor", self.open_cells, TILES, of=self.count - 1)
        outcome, unconnected, carved = connector.connect(self.count, parameters.attempts, tell)
        self.cells[closed] = 0
        return outcome, unconnected, carved
