"""Draw liquids and pits, which lie lower than the ground around them.

Each function draws one picture for each neighbourhood in `masks`, a bit mask of the neighbours that
belong to the same surface. `variants` has a number for each picture, which chooses its details. The
shore is drawn into the liquid's pictures: first the ground hangs over by an uneven pixel or two,
then comes a beach, or below hard ground a bank, then foam, then the shallows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.tilesets.brush import Brush, laid, shaded
from exporter.tilesets.palette import Canvas, Levels
from exporter.tilesets.shapes import COLUMN, ROW, SIZE, OpenSides, clouds, depth, speckle

_BEND = np.array((1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1), np.int32)
_RIVER_BEND = np.array((1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 1, 1, 1), np.int32)
_BANK = 3
# How wide the sand is between soft ground and the water, in pixels.
_BEACH = 3
_DITHER = (ROW + COLUMN) % 2 == 0
# Little waves of each variant: row, column, length.
_WAVES: tuple[tuple[tuple[int, int, int], ...], ...] = (
    ((4, 2, 4), (11, 9, 3)),
    (),
    ((7, 6, 5),),
    (),
    ((3, 9, 3), (12, 3, 4)),
    ((9, 1, 3),),
)
VARIANTS = len(_WAVES)
# How far waves are moved right and down in each picture of an animation.
_DRIFT = ((0, 0), (1, 0), (1, 1), (0, 1))
# How much brighter lava glows in each picture of an animation.
_GLOW = (0, 1, 2, 1)
WEIGHTS = (3, 5, 3, 4, 2, 3)


def _waves(variants: NDArray[np.int32], frame: int) -> Levels:
    """Return the brightness of open water for each of `variants`.

    The result is int32 [n, SIZE, SIZE]; `frame` is which picture of the animation is drawn.
    """
    right, down = _DRIFT[frame]
    tables = np.zeros((VARIANTS, SIZE, SIZE), np.int32)
    for table, waves in zip(tables, _WAVES, strict=True):
        for top, left, length in waves:
            row, column = top + down, left + right
            table[row, column : column + length] = 3
            table[row + 1, column + 1 : column + length + 1] = -1
            table[row - 1, column - 1 : column] = 2
            table[row - 1, column + length] = 2
    return tables[variants % VARIANTS]


def water(brush: Brush, masks: tuple[int, ...], variants: NDArray[np.int32]) -> Canvas:
    """Draw water for each neighbourhood of `masks`: foam, shallows, waves."""
    sides, deep, land = _shore(brush, masks)
    levels = np.choose(np.clip(deep, 0, 10), (0, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0))
    levels = np.where(np.isin(deep, (3, 5, 7, 9)) & _DITHER, levels - 1, levels)
    levels = np.where(deep > 9, _waves(variants, brush.frame), levels)
    picture = brush.own(levels.astype(np.int32))
    foam = (deep == 0) | ((deep == 2) & (speckle(163 + brush.frame) > 165))
    picture = laid(brush.ramp(brush.style.foam)(np.zeros_like(deep)), foam, picture)
    return _with_shore(brush, picture, sides, deep, land)


def river(brush: Brush, masks: tuple[int, ...], variants: NDArray[np.int32]) -> Canvas:
    """Draw a river for each neighbourhood of `masks`.

    Its banks are narrow, so that water is seen even in a cell without neighbours.
    """
    deep = depth(OpenSides(masks), wobble=_RIVER_BEND, radius=6)
    levels = np.choose(np.clip(deep, 0, 4), (-3, 4, 2, 1, 0))
    levels = np.where((deep == 2) & _DITHER, levels - 1, levels)
    levels = np.where(deep > 3, _waves(variants, brush.frame), levels)
    picture = brush.own(levels.astype(np.int32))
    around = np.broadcast_to(brush.ground, picture.shape)
    around = shaded(around, brush.shade, np.where(deep == -1, 14, 0).astype(np.int32))
    return laid(around, deep < 0, picture)


def open_water(brush: Brush, masks: tuple[int, ...], variants: NDArray[np.int32]) -> Canvas:
    """Draw water far from the shore for each of `masks`.

    A mask has a bit for each neighbour that is far from the shore, too; a line marks where this
    ends.
    """
    deep = depth(OpenSides(masks), wobble=_BEND, radius=7)
    levels = np.choose(np.clip(deep, 0, 3), (1, 1, 0, 0))
    levels = np.where(deep > 3, _waves(variants, brush.frame), levels)
    below = brush.like(brush.style.water, brush.style.deep)(levels.astype(np.int32))
    above = brush.own(np.where((deep == -1) & _DITHER, -1, 0).astype(np.int32))
    middle = (deep < 0) | ((deep == 1) & _DITHER)
    return laid(above, middle, below)


def lava(brush: Brush, masks: tuple[int, ...], variants: NDArray[np.int32]) -> Canvas:
    """Draw lava or a similar liquid for each neighbourhood of `masks`.

    Dark floes drift in it, and it glows between them.
    """
    sides, deep, land = _shore(brush, masks)
    glow = _GLOW[brush.frame]
    floes = clouds(171, 4)
    turned = np.roll(clouds(173, 4), 5, 0)
    soft = np.where((variants % 2 == 0)[:, None, None], floes, turned)
    levels = np.where(soft > 172, -4, np.where(soft > 152, -2, np.where(soft < 88, 3 + glow, 1)))
    levels = np.where(_waves(variants, brush.frame) == 3, 5, levels)
    levels = np.where(deep < 6, np.choose(np.clip(deep, 0, 5), (5, 6, 4, 3, 2, 1)), levels)
    picture = brush.own(levels.astype(np.int32))
    return _with_shore(brush, picture, sides, deep, land)


def deep_water(brush: Brush, masks: tuple[int, ...], variants: NDArray[np.int32]) -> Canvas:
    """Draw deep water for each neighbourhood of `masks`.

    A mask has a bit for each neighbour that is deep, too; the edges fade into shallow water.
    """
    sides = OpenSides(masks)
    deep = depth(sides, wobble=_BEND, radius=6)
    levels = np.choose(np.clip(deep, 0, 5), (3, 2, 2, 1, 1, 0))
    levels = np.where(np.isin(deep, (1, 3)) & _DITHER, levels - 1, levels)
    levels = np.where(deep > 5, _waves(variants, brush.frame), levels)
    picture = brush.own(levels.astype(np.int32))
    around = np.broadcast_to(brush.ground, picture.shape)
    return laid(around, deep < 0, picture)


def pit(brush: Brush, masks: tuple[int, ...], variants: NDArray[np.int32]) -> Canvas:
    """Draw a pit for each of `masks`; its far wall fades into the dark.

    A mask has a bit for each neighbour that is also a pit.
    """
    sides = OpenSides(masks)
    deep = depth(sides, wobble=_BEND // 2, radius=4)
    picture = brush.own(np.where(_waves(variants, 0) == 3, 1, 0).astype(np.int32))
    fall = np.where(sides.north, ROW, SIZE)
    wall = brush.ramp(brush.style.rock_face)
    ribs = np.array((1, 0, -1, -2, 0, 1, 0, -1, -2, 1, 0, 0, -1, -2, 0, 1))[COLUMN]
    cliff = wall(np.broadcast_to(ribs - 1, deep.shape).astype(np.int32))
    shares = np.broadcast_to(np.clip(6 * ROW - 4, 0, 64), deep.shape).astype(np.int32)
    picture = laid(shaded(cliff, brush.color, shares), fall < 11, picture)
    picture = laid(shaded(picture, brush.shade, np.full_like(deep, 40)), deep == 0, picture)
    around = np.broadcast_to(brush.ground, picture.shape)
    return laid(around, deep < 0, picture)


def _shore(brush: Brush, masks: tuple[int, ...]) -> tuple[OpenSides, Levels, NDArray[np.bool_]]:
    """Return each picture's open sides and depths, and where land hangs over.

    A depth is a pixel's distance from the foam's outer edge; pixels outside have negative depths.
    """
    sides = OpenSides(masks)
    deep = depth(sides, wobble=_BEND, radius=6)
    return sides, deep - (_BEACH if brush.beach else 0), deep < 0


def _with_shore(
    brush: Brush, picture: Canvas, sides: OpenSides, deep: Levels, land: NDArray[np.bool_]
) -> Canvas:
    """Lay the ground over the outer edge of `picture`, with a beach or bank.

    `sides`, `deep` and `land` are the results of `_shore`: open sides, depths, and where ground
    hangs over.
    """
    picture = laid(np.broadcast_to(brush.ground, picture.shape), land, picture)
    if brush.beach:
        levels = np.choose(np.clip(deep + _BEACH, 0, _BEACH - 1), (-3, 1, -1))
        sand = brush.ramp(brush.style.sand)(levels.astype(np.int32))
        return laid(sand, ~land & (deep < 0), picture)
    # A bank is seen under the ground's southern edges, and nowhere else.
    bank = np.zeros_like(land)
    for step in range(1, _BANK + 1):
        bank[:, step:] |= land[:, :-step] & sides.north
    bank &= ~land
    first = np.zeros_like(land)
    first[:, 1:] = land[:, :-1]
    levels = np.where(first, -5, np.where(speckle(167) > 150, -2, -1))
    stone = brush.ramp(brush.style.rock_face)
    return laid(stone(levels.astype(np.int32)), bank, picture)
