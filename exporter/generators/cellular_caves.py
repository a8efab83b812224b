"""Make caverns by a cellular automaton, joined by a strip of floor.

The rule is the "4-5 rule" (RogueBasin, "Cellular Automata Method for Generating Random Cave-Like
Levels"), with the blanked middle rows of a C# program of 2013.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Parts, Request, generator
from exporter.generators._automaton import smooth
from exporter.generators._combining import aligned_tiles
from exporter.generators.trace import Trace, portions
from exporter.model.costs import Cost, kernel_seconds, most_expensive
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import BLACK, CLEAR, Tile
from exporter.model.parameters import About, AlignedLayerName, Within

TILES = (
    Tile(0, "floor", walkable=True, opaque=False, color=CLEAR),
    Tile(1, "wall", walkable=False, opaque=True, color=BLACK),
)


@dataclass(frozen=True, kw_only=True)
class CellularCaves(MapParameters):
    """Rounded caverns, most of which are connected.

    Random walls are smoothed by a cellular automaton; a strip of floor across the middle keeps
    unbroken vertical walls from forming. Small pockets can remain at the north and south. With
    `from_layer` another layer is smoothed instead, so layers of one round each show every step.
    """

    wall_percent: Annotated[
        int,
        Within(0, 100),
        About(
            "Chance that a cell is wall at first; 40 to 45 works well.",
            "%",
            also=("walls", "fill", "density", "initial_walls", "wall_probability"),
        ),
    ] = 40
    rounds: Annotated[
        int,
        Within(0, 64),
        About(
            "Rounds of the automaton; 3 is enough, 4 to 5 is typical.",
            also=("iterations", "steps", "generations", "passes", "smoothing"),
        ),
    ] = 4
    blank_rows: Annotated[
        int,
        Within(0, 64),
        About("Height of the strip of floor across the middle; 3 to 4 is best.", "cells"),
    ] = 1
    update: Annotated[
        Literal["synchronous", "in_place"],
        About(
            "`synchronous` changes all cells at once; `in_place` sweeps row after row, as the "
            "reference program does."
        ),
    ] = "synchronous"
    from_layer: Annotated[
        AlignedLayerName | None,
        About(
            "A tile layer above this one to start from instead of random cells: what cannot be "
            "walked on is wall, all else floor."
        ),
    ] = None

    def check(self, width: int, height: int) -> None:
        """Refuse options of the random start together with `from_layer`."""
        if self.from_layer is None:
            return
        for name in ("wall_percent", "blank_rows"):
            if getattr(self, name) != getattr(CellularCaves, name):
                raise ParameterError(
                    f"{name!r} has no effect with `from_layer: {self.from_layer!r}`, which "
                    "replaces the random start (leave out one of them)",
                    (name,),
                )


def cost(parameters: CellularCaves, width: int, height: int) -> Cost:
    """Estimate the time of the rounds of the automaton."""
    from exporter.kernels import cellular_sweep

    cells = parameters.rounds * width * height
    if parameters.update == "synchronous":
        return most_expensive(width, height, Cost(cells / 500e6, ("rounds",)))
    seconds = kernel_seconds(cellular_sweep, cells, 100e6, 500e3)
    return most_expensive(width, height, Cost(seconds, ("rounds",)))


def _halo(parameters: CellularCaves, _radius: int) -> int:
    """Return how many cells around a cell affect it: one for each round.

    Raises:
        ParameterError: With `update: in_place` each cell depends on the whole map.
    """
    if parameters.update == "in_place":
        raise ParameterError(
            "`update: in_place` needs the whole map at once, and a world is built in chunks "
            "(write `update: synchronous`, or remove `chunk`)",
            ("update",),
        )
    return parameters.rounds


@generator(
    "cellular_caves",
    version=1,
    parts=Parts(_halo),
    cost=cost,
    tiles=TILES,
    also=("caves", "cave", "cavern", "caverns", "automata", "cave_generator"),
)
def generate(parameters: CellularCaves, request: Request) -> Generated:
    """Smooth random walls, or the walls of a layer, to caves."""
    if parameters.from_layer is None:
        walls = random_walls(parameters, request)
    else:
        start = aligned_tiles(request, parameters.from_layer, ("from_layer",))
        walls = ~start.lookup([tile.walkable for tile in start.tiles])
    given = None
    if request.fixed is not None:
        given = request.fixed.kept
        walls = (walls & ~request.fixed.open) | request.fixed.blocked
    if request.trace is not None:
        request.trace.frame("start", walls, TILES)
    if parameters.update == "synchronous":
        cells = _smooth(walls, parameters.rounds, given, request.trace)
    else:
        cells = _sweep(walls, parameters.rounds, given, request.trace)
    return Generated(cells, TILES)


def random_walls(parameters: CellularCaves, request: Request) -> NDArray[np.bool_]:
    """Return the cells that start as wall: bool [height, width].

    The border of the map is wall; the strip of blanked rows between is open. Neither takes a random
    number if `rng` is `dotnet`.
    """
    width, height = request.width, request.height
    window = request.window
    columns, rows = window.whole
    open_cells = np.zeros((height, width), bool)
    top, left = max(0, 1 - window.y), max(0, 1 - window.x)
    open_cells[top : max(0, rows - 1 - window.y), left : max(0, columns - 1 - window.x)] = True
    free = open_cells.copy()
    first = rows // 2 - parameters.blank_rows // 2 - window.y
    free[max(first, 0) : max(first + parameters.blank_rows, 0)] = False
    if request.stream.rng == "portable":
        walls = request.stream.chance("fill", width, height, parameters.wall_percent)
        walls &= free
    else:
        walls = np.zeros((height, width), bool)
        count = int(np.count_nonzero(free))
        # One row of numbers in the order of drawing, laid into the free cells row after row.
        numbers = request.stream.chance("fill", count, 1, parameters.wall_percent)
        walls[free] = numbers[0]
    walls |= ~open_cells
    return walls


def _smooth(
    walls: NDArray[np.bool_], rounds: int, given: NDArray[np.bool_] | None, trace: Trace | None
) -> NDArray[np.uint8]:
    done = 0
    for count in portions(trace, rounds):
        walls = smooth(walls, count, given)
        done += count
        if trace is not None and rounds:
            trace.frame("round", walls, TILES, number=done, of=rounds)
    return walls.astype(np.uint8)


def _sweep(
    walls: NDArray[np.bool_], rounds: int, given: NDArray[np.bool_] | None, trace: Trace | None
) -> NDArray[np.uint8]:
    from exporter.kernels import cellular_sweep, view, warn_uncompiled

    warn_uncompiled(cellular_sweep.COMPILED, "cellular_sweep", rounds * walls.size, 500_000)
    padded = np.pad(walls.astype(np.uint8), 1, constant_values=1)
    remaining = None if given is None else view(np.pad(given.astype(np.uint8), 1))
    done = 0
    for count in portions(trace, rounds):
        cellular_sweep.sweep(view(padded), count, remaining)
        done += count
        if trace is not None and rounds:
            trace.frame("round", padded[1:-1, 1:-1], TILES, number=done, of=rounds)
    return padded[1:-1, 1:-1].copy()
