"""Divide a map into Voronoi regions: every cell joins its nearest site.

Sites are random cells.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Parts, Request, generator
from exporter.generators._legend import FLOOR_AND_WALL, AnyTile, Legend, TileOptions, cells_of
from exporter.kernels import view, voronoi, warn_uncompiled
from exporter.model.costs import Cost, kernel_seconds, most_expensive
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Tile
from exporter.model.parameters import About, Percent, Within
from exporter.streams import Draws

METRICS = {"euclidean": 0, "taxicab": 1, "chebyshev": 2}
TERRAINS = (
    TileOptions(name="grass", color="#6aa84fff"),
    TileOptions(name="forest", opaque=True, color="#38761dff"),
    TileOptions(name="sand", color="#e0c97fff"),
    TileOptions(name="rock", walkable=False, opaque=True, color="#7f7f7fff"),
    TileOptions(name="water", walkable=False, color="#2f6fb0ff"),
)

Owners = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True)
class Voronoi(MapParameters):
    """Terrains, walls or polygon caves around random sites.

    `draw: terrains` gives each region one of the listed tiles, `walls` draws walls between regions,
    `caves` makes a share of the regions floor and the others wall.
    """

    sites: Annotated[int, Within(1, 65_535), About("Number of regions.")] = 24
    metric: Annotated[
        Literal["euclidean", "taxicab", "chebyshev"],
        About("Distance to a site: `euclidean`, `taxicab` or `chebyshev`."),
    ] = "euclidean"
    relax_rounds: Annotated[
        int,
        Within(0, 20),
        About("Rounds in which each site moves to the middle of its region, for even sizes."),
    ] = 1
    draw: Annotated[Literal["terrains", "walls", "caves"], About("What the regions become.")] = (
        "terrains"
    )
    terrains: Annotated[
        tuple[AnyTile, ...],
        Within(1, 64, length=True),
        About("With `draw: terrains`: the tiles, chosen at random for each region."),
    ] = TERRAINS
    floor_percent: Annotated[
        Percent, About("With `draw: caves`: chance that a region is floor.", "%")
    ] = 60


def cost(parameters: Voronoi, width: int, height: int) -> Cost:
    """Estimate the time of assigning every cell to a site in every round."""
    cells = width * height * (parameters.relax_rounds + 1)
    seconds = kernel_seconds(voronoi, cells, 25e6, 100e3)
    return most_expensive(width, height, Cost(seconds, ("relax_rounds",)))


def _halo(parameters: Voronoi, _radius: int) -> int:
    """Return how many cells around a cell affect it: 1 for walls, else 0.

    Raises:
        ParameterError: `relax_rounds` is set. It moves sites to the middles of their regions, which
            the whole map decides.
    """
    if parameters.relax_rounds:
        raise ParameterError(
            "`relax_rounds` needs the whole map at once, and a world is built in chunks (write "
            "`relax_rounds: 0`, or remove `chunk`)",
            () if parameters.relax_rounds == Voronoi.relax_rounds else ("relax_rounds",),
        )
    return 1 if parameters.draw == "walls" else 0


@generator("voronoi", version=1, cost=cost, parts=Parts(_halo), also=("cells", "regions", "worley"))
def generate(parameters: Voronoi, request: Request) -> Generated:
    """Scatter sites, assign each cell to the nearest, draw the regions."""
    draws = request.stream.portable.draws("sites")
    width, height = request.width, request.height
    sites = np.empty((2, parameters.sites), np.int32)
    window = request.window
    for number in range(parameters.sites):
        sites[0, number] = draws.next(0, window.whole[0]) - window.x
        sites[1, number] = draws.next(0, window.whole[1]) - window.y
    kinds, tiles = _kinds(parameters, draws)
    rounds = parameters.relax_rounds + 1
    warn_uncompiled(voronoi.COMPILED, "voronoi", width * height * rounds, 100_000)
    owners = assign(sites, width, height, parameters.metric)
    trace = request.trace
    if trace is not None:
        trace.frame("sites", _drawn(parameters, owners, kinds), tiles)
    for number in range(1, rounds):
        owners = assign(middles(sites, owners), width, height, parameters.metric)
        if trace is not None:
            cells = _drawn(parameters, owners, kinds)
            trace.frame("relaxation", cells, tiles, number=number, of=parameters.relax_rounds)
    return Generated(_drawn(parameters, owners, kinds), tiles)


def assign(sites: NDArray[np.int32], width: int, height: int, metric: str) -> Owners:
    """Return the number of each cell's nearest site: int32 [height, width].

    Args:
        sites: int32 [2, sites]: the x and the y of each site.
        width: The number of columns.
        height: The number of rows.
        metric: How distances are measured: `euclidean`, `taxicab` or `chebyshev`.
    """
    owners = np.empty((height, width), np.int32)
    count = sites.shape[1]
    remaining, distances = np.empty(count, np.int32), np.empty(count, np.float64)
    voronoi.nearest(view(owners), view(sites), view(remaining), view(distances), METRICS[metric])
    return owners


def middles(sites: NDArray[np.int32], owners: Owners) -> NDArray[np.int32]:
    """Move each site to the middle of its region (Lloyd's algorithm).

    A site without cells stays. `owners`, int32 [height, width], is the number of each cell's site;
    `sites` and the result are int32 [2, sites], the x and the y of each.
    """
    moved = sites.copy()
    numbers = owners.ravel()
    rows, columns = np.indices(owners.shape)
    cells = np.bincount(numbers, minlength=sites.shape[1])
    some = cells > 0
    for axis, places in enumerate((columns, rows)):
        # Whole numbers below 2**53: the float sums are exact in any order.
        total = np.bincount(numbers, places.ravel(), sites.shape[1]).astype(np.int64)
        moved[axis, some] = (2 * total[some] + cells[some]) // (2 * cells[some])
    return moved


def _kinds(parameters: Voronoi, draws: Draws) -> tuple[NDArray[np.int32], tuple[Tile, ...]]:
    """Choose a tile for each region at random; return also all tiles.

    The first array has the id for each region; it is 0 everywhere if walls are drawn between
    regions.
    """
    kinds = np.zeros(parameters.sites, np.int32)
    if parameters.draw == "walls":
        return kinds, FLOOR_AND_WALL
    if parameters.draw == "caves":
        for number in range(parameters.sites):
            kinds[number] = 0 if draws.next(0, 100) < parameters.floor_percent else 1
        return kinds, FLOOR_AND_WALL
    legend = Legend()
    ids = [legend.add(terrain) for terrain in parameters.terrains]
    for number in range(parameters.sites):
        kinds[number] = ids[draws.next(0, len(ids))]
    return kinds, legend.tiles


def _drawn(
    parameters: Voronoi, owners: Owners, kinds: NDArray[np.int32]
) -> NDArray[np.uint8] | NDArray[np.uint16]:
    """Return the tile ids of the map: of regions, or of walls between them."""
    if parameters.draw != "walls":
        return cells_of(kinds[owners])
    cells = np.zeros(owners.shape, np.uint8)
    cells[:, 1:] |= owners[:, 1:] != owners[:, :-1]
    cells[1:] |= owners[1:] != owners[:-1]
    return cells
