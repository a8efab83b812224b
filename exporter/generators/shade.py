"""Shade heights by a lamp in one of eight directions."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, Parts, Request, generator, next_cells
from exporter.generators._heights import Height, heights_of
from exporter.generators._relief import SAMPLE_MAXIMUM
from exporter.handmade.legend import EMPTY, tile_of
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import HeightRange, Tile
from exporter.model.parameters import About, LayerName, Parameters, Within

Grid = NDArray[np.int64]
Direction = Literal[
    "north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west"
]
# Towards the lamp, x to the east and y to the south: 17, or 12 in both directions, which is 16.97
# together.
TOWARDS = {
    "north": (0, -17),
    "north_east": (12, -12),
    "east": (17, 0),
    "south_east": (12, 12),
    "south": (0, 17),
    "south_west": (-12, 12),
    "west": (-17, 0),
    "north_west": (-12, -12),
}
# Its height above the horizon: 45 degrees.
UP = 17
BRIGHTEST = 255
# Slopes are counted in 64ths, up to 64: 89 degrees.
PART = 64
STEEPEST = 64 * PART
# Colours and greatest opacities of the tiles.
DARK, BRIGHT = ("#0c1030", 150), ("#fff2c8", 110)


@dataclass(frozen=True, kw_only=True)
class Shade(Parameters):
    """Light and shadow on a relief: translucent tiles, or brightness.

    The lamp is at 45 degrees. Nothing throws a shadow on anything else.
    """

    of: Annotated[
        LayerName,
        About(
            "Layer of heights, of any size.",
            also=("heights", "from_layer", "layer", "relief", "heightmap"),
        ),
    ]
    light_from: Annotated[
        Direction, About("Direction of the lamp.", also=("direction", "sun", "azimuth", "light"))
    ] = "north_west"
    height: Annotated[
        int,
        Within(1, 1024),
        About(
            "How high the whole range of heights is in the light: more makes steeper slopes.",
            "cells",
            also=("exaggeration", "strength", "z_factor"),
        ),
    ] = 32
    sea_level: Annotated[
        Height | None,
        About(
            "Heights below it count as this one, so that the sea is flat.",
            "units of the heights",
            also=("sea", "below"),
        ),
    ] = None
    levels: Annotated[
        int,
        Within(0, 8),
        About(
            "Number of shades on each side of flat ground, as translucent tiles for pictures; 0: "
            "brightness from 0 to 1 as 16-bit samples."
        ),
    ] = 4


@generator(
    "shade", version=1, parts=Parts(next_cells), also=("hillshade", "shaded_relief"), role="picture"
)
def generate(parameters: Shade, request: Request) -> Generated:
    """Compute how a lamp lights the slopes, as tiles or as samples.

    Tiles have `levels` dark and as many bright shades; `levels: 0` makes samples.
    """
    tiles = parameters.levels > 0
    heights = heights_of(request, parameters.of, ("of",), tiles=tiles)
    samples = heights.samples
    if parameters.sea_level is not None:
        surface = heights.samples_below(parameters.sea_level)
        samples = np.maximum(samples, np.int32(min(max(surface, 0), SAMPLE_MAXIMUM)))
    lit = brightness(samples, parameters.light_from, parameters.height)
    if not tiles:
        return Generated(
            (lit * (SAMPLE_MAXIMUM // BRIGHTEST)).astype(np.uint16),
            kind="heights",
            heights=HeightRange(0.0, 1.0, "brightness"),
        )
    shades = shades_of(np.arange(BRIGHTEST + 1), parameters.levels)
    return Generated(shades[lit].astype(np.uint8), legend(parameters.levels))


def brightness(samples: NDArray[np.int32], light_from: Direction, height: int) -> Grid:
    """Return how brightly a lamp lights the slopes of `samples`.

    The result is int64 [height, width] of 0 to 255. `height` is how high the range of all samples
    (0 to 65535) is, in cells. The slope of a cell is that between its two neighbours; at the edge
    of the map, between the cell and its one neighbour. With its normal n and the direction l
    towards the lamp, the brightness is 255 * n.l / (|n| |l|), cut to a whole number, and 0 where
    n.l is negative (Lambert's law).
    """
    east, south = _slope(samples, 1, height), _slope(samples, 0, height)
    light_x, light_y = TOWARDS[light_from]
    lit = np.maximum(UP * PART - light_x * east - light_y * south, 0)
    light = light_x * light_x + light_y * light_y + UP * UP
    square = light * (east * east + south * south + PART * PART)
    # The root of a whole number below 2**16: IEEE 754 defines it, and cutting it is exact.
    bright: Grid = np.sqrt(BRIGHTEST * BRIGHTEST * lit * lit // square).astype(np.int64)
    return bright


def _slope(samples: NDArray[np.int32], axis: int, height: int) -> Grid:
    """Return the rise per cell along `axis`, in 64ths: int64 [height, width]."""
    count = samples.shape[axis]
    places = np.arange(count)
    after, before = np.minimum(places + 1, count - 1), np.maximum(places - 1, 0)
    apart = np.maximum(after - before, 1)
    rise = np.take(samples, after, axis).astype(np.int64) - np.take(samples, before, axis)
    run = SAMPLE_MAXIMUM * (apart[None, :] if axis else apart[:, None])
    slope: Grid = np.clip((2 * rise * height * PART + run) // (2 * run), -STEEPEST, STEEPEST)
    return slope


def shades_of(lit: Grid, levels: int) -> Grid:
    """Convert brightness to tile ids of shades; flat ground is 0.

    Args:
        lit: int64 of 0 to 255.
        levels: The number of dark shades, and of bright ones: ids from 1 (nearly flat) to `levels`
            (dark), then as many from nearly flat to bright.
    """
    flat = int(brightness(np.zeros((1, 1), np.int32), "north", 1)[0, 0])
    darker, brighter = np.maximum(flat - lit, 0), np.maximum(lit - flat, 0)
    dark = (2 * darker * levels + flat) // (2 * flat)
    rest = BRIGHTEST - flat
    light = (2 * brighter * levels + rest) // (2 * rest)
    shades: Grid = np.where(light > 0, levels + light, dark)
    return shades


def legend(levels: int) -> tuple[Tile, ...]:
    """Return the tiles: a clear one for flat ground, then the shades.

    There are `levels` dark and as many bright shades, each more opaque than the one before.
    """
    tiles = [tile_of(EMPTY)]
    for name, (color, most) in (("shadow", DARK), ("sunlight", BRIGHT)):
        for shade in range(1, levels + 1):
            opacity = most * shade // levels
            number = len(tiles)
            tiles.append(Tile(number, f"{name}_{shade}", True, False, f"{color}{opacity:02x}"))
    return tuple(tiles)
