"""Compute rivers, lakes and the sea from rain on a layer of heights."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, Request, generator
from exporter.generators._heights import Height, HeightDifference, Heights, heights_of
from exporter.generators._legend import USUAL_TILES
from exporter.generators._relief import SAMPLE_MAXIMUM
from exporter.grids.drainage import AWAY, Drainage, drain
from exporter.grids.regions import label_regions
from exporter.handmade.legend import EMPTY, tile_of
from exporter.kernels import drainage
from exporter.model.costs import Cost, kernel_seconds, most_expensive
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_CELLS
from exporter.model.parameters import About, LayerName, Parameters, Within

NAMES = ("river", "lake", "sea")
TILES = (
    tile_of(EMPTY),
    *(replace(tile_of(USUAL_TILES[name]), id=number) for number, name in enumerate(NAMES, 1)),
)
RIVER, LAKE, SEA = 1, 2, 3
# A river is one step wider on each side where four times as much water runs, at most so often.
WIDENINGS = 3

Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Flow(Parameters):
    """Rivers, lakes and the sea of a layer of heights, above other tiles.

    Rain falls on every cell and runs down the steepest way. Where enough of it comes together,
    there is a river. It ends in the sea or at the edge of the map; hollows on its way are lakes.
    All other cells are empty.
    """

    of: Annotated[
        LayerName,
        About(
            "Layer of heights, of any size.",
            also=("heights", "from_layer", "layer", "relief", "heightmap"),
        ),
    ]
    sea_level: Annotated[
        Height | None,
        About(
            "Cells below this height are sea. Default: no sea.",
            "units of the heights",
            also=("sea", "below"),
        ),
    ] = None
    rivers_from_percent: Annotated[
        float,
        Within(0.0001, 100),
        About(
            "Share of the map whose rain makes a river.", "%", also=("threshold", "river_threshold")
        ),
    ] = 1.0
    rivers_from: Annotated[
        Annotated[int, Within(1, MAXIMUM_CELLS)] | None,
        About("Instead of `rivers_from_percent`: number of cells whose rain does.", "cells"),
    ] = None
    wide_from_percent: Annotated[
        Annotated[float, Within(0.0001, 100)] | None,
        About(
            "Share of the map whose rain makes a river wider by a cell on each side, and again at "
            "4 and at 16 times as much. If unset, rivers are one cell wide.",
            "%",
            also=("width",),
        ),
    ] = None
    neighbours: Annotated[
        Literal[4, 8],
        About(
            "Whether the cells of a river touch at their sides (4), or diagonal ones only at their "
            "corners (8)."
        ),
    ] = 4
    lakes: Annotated[bool, About("Whether hollows are lakes; else rivers cross them.")] = True
    min_lake_depth: Annotated[
        HeightDifference,
        About("Depth of the shallowest lake, at its deepest place.", "units of the heights"),
    ] = 0.0
    min_lake_cells: Annotated[
        int, Within(1, MAXIMUM_CELLS), About("Number of cells of the smallest lake.", "cells")
    ] = 6

    def check(self, width: int, height: int) -> None:
        """Refuse `rivers_from` together with `rivers_from_percent`."""
        if self.rivers_from is not None and self.rivers_from_percent != Flow.rivers_from_percent:
            raise ParameterError(
                "`rivers_from` and `rivers_from_percent` cannot be used together (remove one of "
                "them)",
                ("rivers_from",),
            )


def cost(parameters: Flow, width: int, height: int) -> Cost:
    """Estimate the time of filling hollows and following the water."""
    seconds = kernel_seconds(drainage, width * height, 15e6, 150e3)
    return most_expensive(width, height, Cost(seconds, ("size",)))


@generator(
    "flow",
    version=1,
    cost=cost,
    tiles=TILES,
    also=("river", "lakes", "lake", "water", "drainage", "streams", "hydrology"),
)
def generate(parameters: Flow, request: Request) -> Generated:
    """Compute the flow of rain, then mark the sea, lakes and rivers."""
    parameters.check(request.width, request.height)
    heights = heights_of(request, parameters.of, ("of",), tiles=True)
    sea = heights.samples < _sea_end(parameters, heights)
    water = drain(heights.samples, sea)
    lakes = _lakes(parameters, heights, water) & ~sea
    cells = np.zeros(sea.shape, np.uint8)
    cells[_rivers(parameters, water, sea, lakes)] = RIVER
    cells[lakes] = LAKE
    cells[sea] = SEA
    return Generated(cells, TILES)


def _sea_end(parameters: Flow, heights: Heights) -> int:
    """Return the lowest sample that is not sea; 0 without a sea level.

    Raises:
        ParameterError: All heights are above or below `sea_level`.
    """
    if parameters.sea_level is None:
        return 0
    end = heights.samples_below(parameters.sea_level)
    if not 0 <= end <= SAMPLE_MAXIMUM + 1:
        side = "below" if end < 0 else "above"
        raise ParameterError(
            f"sea_level {parameters.sea_level:g} is {side} all heights (the heights of "
            f"{heights.name!r} are {heights.describe()})",
            ("sea_level",),
        )
    return end


def _lakes(parameters: Flow, heights: Heights, water: Drainage) -> Mask:
    """Return the hollows that are deep and large enough: bool [height, width].

    Cells of one hollow all have the same level and touch at sides or corners; two hollows never
    touch.
    """
    depth = water.levels - heights.samples
    hollow: Mask = depth > 0
    if not parameters.lakes or not hollow.any():
        return np.zeros(hollow.shape, bool)
    regions = label_regions(hollow, 8)
    deepest = np.zeros(regions.count + 1, np.int32)
    np.maximum.at(deepest, regions.labels[hollow], depth[hollow])
    expected = deepest >= max(heights.steps_of(parameters.min_lake_depth), 1)
    expected[1:] &= regions.sizes >= parameters.min_lake_cells
    remaining: Mask = expected[regions.labels]
    return remaining


def _rivers(parameters: Flow, water: Drainage, sea: Mask, lakes: Mask) -> Mask:
    """Return where rivers run: bool [height, width].

    They run where enough water gathers, except in `sea` and `lakes`, and are wider the more water
    they have.
    """
    least = parameters.rivers_from
    if least is None:
        least = _share(parameters.rivers_from_percent, sea.size)
    still = sea | lakes
    runs: Mask = (water.gathered >= least) & ~still
    rivers = runs | _corners(water, runs, still) if parameters.neighbours == 4 else runs
    if parameters.wide_from_percent is not None:
        amount = _share(parameters.wide_from_percent, sea.size)
        for reach in range(1, WIDENINGS + 1):
            # Only where water runs: cells that a river was widened by do not widen it again.
            wide = runs & (water.gathered >= amount)
            for _ in range(reach):
                wide = _grown(wide)
            rivers = rivers | (wide & ~still)
            amount *= 4
    return rivers


def _grown(mask: Mask) -> Mask:
    """Expand `mask` by the four cells beside each of its cells."""
    grown = mask.copy()
    grown[1:] |= mask[:-1]
    grown[:-1] |= mask[1:]
    grown[:, 1:] |= mask[:, :-1]
    grown[:, :-1] |= mask[:, 1:]
    return grown


def _share(percent: float, cells: int) -> int:
    """Return `percent` of the number `cells`, rounded up; at least 1."""
    return max(ceil(Fraction(percent) * cells / 100), 1)


def _corners(water: Drainage, rivers: Mask, other: Mask) -> Mask:
    """Return a cell beside each diagonal step of a river, to join its cells.

    Of the two cells beside the step it is the one with the lower water level; if they are equal,
    the one in the row where the step starts. No cell is needed if one of the two is water already,
    of a river or of `other`.
    """
    width = rivers.shape[1]
    wet = rivers | other
    marked = np.zeros(rivers.shape, bool)
    y, x = np.nonzero(rivers & (water.down != AWAY))
    below, backup = np.divmod(water.down[y, x], width)
    diagonal = (below != y) & (backup != x)
    y, x, below, backup = y[diagonal], x[diagonal], below[diagonal], backup[diagonal]
    apart = ~wet[y, backup] & ~wet[below, x]
    y, x, below, backup = y[apart], x[apart], below[apart], backup[apart]
    first = water.levels[y, backup] <= water.levels[below, x]
    marked[np.where(first, y, below), np.where(first, backup, x)] = True
    return marked
