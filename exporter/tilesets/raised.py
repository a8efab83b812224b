"""Draw raised tiles (walls, rocks, trees, blocks), seen from the south.

Each function draws one picture for each neighbourhood in `masks`, a bit mask of the neighbours that
belong to the same surface. `variants` has a number for each picture, which chooses its details.

A picture shows the top of its cell. Where the cell to the south is open, a face hangs down from the
top into the picture's lower rows. So a wall's front is seen wherever one can stand before it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.tilesets.brush import Brush, laid, shaded
from exporter.tilesets.palette import Canvas, Levels
from exporter.tilesets.shapes import COLUMN, ROW, SIZE, OpenSides, depth, speckle

# How far the edges of rocks and crowns retreat, around the tile.
_ROCK_BEND = np.array((0, 1, 1, 0, 0, 1, 2, 1, 1, 0, 0, 1, 1, 2, 1, 0), np.int32)
_LEAF_BEND = np.array((1, 0, 0, 1, 2, 2, 1, 0, 0, 0, 1, 2, 3, 2, 1, 1), np.int32)


def _each(variants: NDArray[np.int32], salt: int) -> Levels:
    """Return noise from 0 to 255 for each variant: int32 [n, SIZE, SIZE].

    Equal variants get equal noise; each `salt` gives different noise.
    """
    tables = np.stack([speckle(salt + 13 * number) for number in range(int(variants.max()) + 1)])
    return tables[variants]


def wall(brush: Brush, masks: tuple[int, ...], variants: NDArray[np.int32]) -> Canvas:
    """Draw masonry for each neighbourhood of `masks`: edges, bricks in front."""
    style, bottom = brush.style, 5
    sides = OpenSides(masks)
    deep = depth(sides, bottom=bottom)
    noise = _each(variants, 101)
    inside = np.where(noise < 5, 1, np.where(noise > 252, -1, 0))
    inside = inside + np.where(deep == 5, 2, 0) + np.where(deep == 6, 1, 0)
    picture = brush.like(style.face, style.fill)(inside.astype(np.int32))
    cap = np.choose(np.clip(deep, 0, 4), (-4, 3, 1, 0, -3))
    along = np.where(_is_beside(sides, deep), ROW, COLUMN)
    cap = np.where((along % 8 == 3) & (deep > 0) & (deep < 4), -2, cap)
    cap = np.where((noise < 18) & (deep > 0) & (deep < 4), cap + 1, cap)
    picture = laid(brush.like(style.face, style.wall)(cap), deep <= 4, picture)
    face = sides.south & (bottom <= ROW)
    bricks = _bricks(sides, variants, bottom)
    picture = laid(brush.own(bricks), face, picture)
    lip = sides.south & (bottom - 1 == ROW)
    picture = laid(brush.like(style.face, style.wall)(np.full_like(deep, 4)), lip, picture)
    return _grown_over(brush, picture, face, variants)


def _is_beside(sides: OpenSides, deep: Levels) -> NDArray[np.bool_]:
    """Return the pixels whose nearest open edge is on the left or right.

    An edge is open if the neighbour there is of another surface. `deep` has each pixel's distance
    from the nearest open edge.
    """
    side = np.full(deep.shape, SIZE, np.int32)
    side = np.where(sides.west, np.minimum(side, COLUMN), side)
    side = np.where(sides.east, np.minimum(side, SIZE - 1 - COLUMN), side)
    beside: NDArray[np.bool_] = side == deep
    return beside


def _bricks(sides: OpenSides, variants: NDArray[np.int32], bottom: int) -> Levels:
    high = ROW - bottom
    course, line = (high - 1) // 3, (high - 1) % 3
    shift = (COLUMN + 4 * (course % 2) + 2) % SIZE
    tone = _each(variants, 111)[:, course.clip(0) * 5, shift // 8 * 3]
    levels = np.where(tone > 180, 1, np.where(tone < 70, -1, 0))
    levels = levels + np.where(line == 0, 1, 0) - np.where(course >= 2, 1, 0)
    mortar = (line == 2) | (shift % 8 == 7)
    levels = np.where(mortar, -3, levels)
    levels = np.where(high == 0, -5, levels)
    levels = np.where(high == SIZE - 1 - bottom, -5, levels)
    ends = (sides.west & (COLUMN == 0)) | (sides.east & (COLUMN == SIZE - 1))
    return np.where(ends, -5, levels).astype(np.int32)


def _grown_over(
    brush: Brush, picture: Canvas, face: NDArray[np.bool_], variants: NDArray[np.int32]
) -> Canvas:
    """Add moss to the fronts of walls of variant 1, a crack to variant 2.

    `variants` has a number for each picture in `picture`; `face` has the pixels of the fronts.
    """
    moss = brush.ramp(brush.style.grass)
    hang = np.array((0, 2, 4, 3, 5, 3, 1, 0, 0, 1, 3, 6, 4, 2, 0, 0))[COLUMN]
    here = face & (variants == 1)[:, None, None] & (hang >= ROW - 4) & (hang > 0)
    tones = np.where(hang == ROW - 4, -4, np.where(speckle(120) > 150, -1, -3))
    picture = laid(moss(np.broadcast_to(tones, face.shape)), here, picture)
    crack = np.zeros((SIZE, SIZE), bool)
    for y, x in ((5, 9), (6, 9), (7, 8), (8, 8), (9, 7), (10, 7), (10, 8), (11, 9), (12, 6)):
        crack[y, x] = True
    here = face & (variants == 2)[:, None, None] & crack
    return shaded(picture, brush.shade, np.where(here, 36, 0).astype(np.int32))


def rock(brush: Brush, masks: tuple[int, ...], variants: NDArray[np.int32]) -> Canvas:
    """Draw rock for each neighbourhood of `masks`: a rim and a craggy front."""
    noise = _each(variants, 131)
    inside = np.where(noise < 4, 1, np.where(noise > 253, -1, 0)).astype(np.int32)
    dark = brush.like(brush.style.rock_face, brush.style.rock_fill)(inside)
    return _boulders(brush, masks, variants, dark, (2, 2, 1, 0, 0, -3, -6))


def mountain(brush: Brush, masks: tuple[int, ...], variants: NDArray[np.int32]) -> Canvas:
    """Draw a mountain for each of `masks`, with a rocky rim and peaks.

    A mask has a bit for each neighbour that is also mountain. `variants` chooses the peaks.
    """
    stone = brush.like(brush.style.rock_face, brush.style.rock)(_peaks(variants))
    return _boulders(brush, masks, variants, stone, (2, 2, 1, 0, 0, 0, 0))


# Peaks of each variant: the row and the column of the top, and how many rows they are high.
_PEAKS = (((2, 5, 6), (7, 11, 7)), ((3, 8, 9),), ((6, 4, 5), (2, 11, 5), (10, 10, 4)))


def _peaks(variants: NDArray[np.int32]) -> Levels:
    """Return the brightness of ground with peaks for each of `variants`.

    The result is int32 [n, SIZE, SIZE].
    """
    tables = np.zeros((len(_PEAKS), SIZE, SIZE), np.int32)
    for number, (table, peaks) in enumerate(zip(tables, _PEAKS, strict=True)):
        noise = speckle(133 + number)
        table[noise < 16] = 1
        table[noise > 236] = -2
        for top, middle, high in peaks:
            for line in range(high):
                reach = (2 * line + 2) // 3
                row = table[top + line]
                row[middle - reach : middle] = 3 if line < 2 else 2
                row[middle] = 4 if line < high // 2 else 1
                row[middle + 1 : middle + reach + 1] = -3
            table[top + high, middle - reach + 1 : middle + reach + 2] = -1
    return tables[variants % len(_PEAKS)]


def _boulders(
    brush: Brush,
    masks: tuple[int, ...],
    variants: NDArray[np.int32],
    inside: Canvas,
    rim: tuple[int, ...],
) -> Canvas:
    """Draw rocks for each neighbourhood of `masks`, with boulders as a rim.

    `inside` are the pictures behind the rim. `rim` is the brightness of the boulders by the
    distance from their edge.
    """
    style, bottom = brush.style, 5
    sides = OpenSides(masks)
    deep = depth(sides, bottom=bottom, wobble=_ROCK_BEND, radius=6)
    # The rim is broken into boulders, some of which reach further in than others.
    reach = np.array((0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0))
    along = np.where(_is_beside(sides, deep), ROW, COLUMN)
    inner = deep - reach[along % SIZE]
    cap = np.choose(np.clip(inner, 0, 6), rim)
    cap = np.where(np.isin(along % SIZE, (2, 7, 11)) & (deep > 0) & (inner < 4), cap - 2, cap)
    cap = np.where(np.isin(along % SIZE, (3, 8, 12)) & (deep > 0) & (inner < 4), cap + 1, cap)
    cap = np.where(deep == 0, -4, np.where(deep == 1, np.maximum(cap, 2), cap))
    picture = laid(brush.like(style.rock_face, style.rock)(cap), inner <= len(rim) - 1, inside)
    face = sides.south & (bottom <= ROW)
    crags = _crags(sides, variants, bottom)
    picture = laid(brush.own(crags), face, picture)
    lip = sides.south & (bottom - 1 + (_ROCK_BEND[COLUMN] > 1) == ROW) & ~(deep < -1)
    bright = brush.like(style.rock_face, style.rock)(np.full_like(deep, 4))
    picture = laid(bright, lip, picture)
    outside = ((deep < 0) & ~face) | (face & _cut(sides))
    return laid(_around(brush, sides), outside, picture)


def _cut(sides: OpenSides) -> NDArray[np.bool_]:
    """Return the pixels at a rock's foot and ends where its front is missing."""
    foot = np.where(ROW >= 14, ROW - 13, 0)
    left = np.minimum(_ROCK_BEND[(ROW + 5) % SIZE], 1) + foot
    right = np.minimum(_ROCK_BEND[(ROW + 11) % SIZE], 1) + foot
    lowest = (ROW == SIZE - 1) & (_ROCK_BEND[COLUMN] == 2)
    ends = (sides.west & (left > COLUMN)) | (sides.east & (right > SIZE - 1 - COLUMN))
    cut: NDArray[np.bool_] = ends | lowest
    return cut


# The two kinds of fronts of rocks: for each column how its boulder is lit, and where it is broken.
_RIBS = np.array(
    (
        (2, 1, 1, 0, -1, -4, 3, 2, 1, 0, -1, -2, -4, 3, 1, 0),
        (1, 0, 0, -1, -4, 3, 2, 1, 1, 0, -1, -4, 2, 2, 1, 0),
    ),
    np.int32,
)
_BREAKS = np.array(
    (
        (6, 6, 6, 7, 7, 0, 4, 4, 5, 5, 5, 4, 0, 8, 8, 7),
        (5, 5, 4, 4, 0, 7, 7, 8, 8, 8, 7, 0, 5, 6, 6, 6),
    ),
    np.int32,
)
# How a front darkens from its upper edge to its foot.
_FALL = np.array((5, 1, 0, 0, 0, 0, 1, 1, 2, 2, 4), np.int32)


def _crags(sides: OpenSides, variants: NDArray[np.int32], bottom: int) -> Levels:
    high = ROW - bottom
    kind = variants % 2
    ribs = _RIBS[kind][:, COLUMN]
    level = np.array(_BREAKS)[kind][:, COLUMN]
    levels = np.where(high == level, -4, np.where(high == level + 1, ribs + 1, ribs))
    levels = levels - _FALL[np.clip(high, 0, 10)]
    chips = (_each(variants, 137) > 249) & (high > 1)
    levels = np.where(chips, levels - 2, levels)
    ends = (sides.west & (COLUMN < 2)) | (sides.east & (COLUMN > SIZE - 3))
    return np.where(ends, levels - 2, levels).astype(np.int32)


def _around(brush: Brush, sides: OpenSides) -> Canvas:
    """Return the ground around a raised tile, darker to the right and below.

    `sides` are the tile's open sides in each picture.
    """
    ground = np.broadcast_to(brush.ground, (sides.count, SIZE, SIZE))
    shares = np.where(ROW > 9, 26, np.where(COLUMN > 8, 16, 6)).astype(np.int32)
    return shaded(ground, brush.shade, np.broadcast_to(shares, (sides.count, SIZE, SIZE)))


# A clump of leaves under light from the upper left; clumps lie beside each other like scales.
_CLUMP = """
..1221..
.123321.
12332100
1232100-
021100--
-00--==-
.--===-.
..-==-..
"""


def tree(brush: Brush, masks: tuple[int, ...], variants: NDArray[np.int32]) -> Canvas:
    """Draw crowns of trees for each neighbourhood of `masks`, with trunks.

    Adjacent crowns close into a canopy.
    """
    bottom = 12
    sides = OpenSides(masks)
    deep = depth(sides, bottom=bottom, wobble=_LEAF_BEND, radius=6)
    steps = {".": -3, "=": -3, "-": -2, "0": -1, "1": 0, "2": 1, "3": 2}
    clump = np.array([[steps[c] for c in line] for line in _CLUMP.split()], np.int32)
    high, wide = ROW % 8, (COLUMN + 4 * (ROW // 8)) % 8
    even, odd = clump[high, wide], clump[(ROW + 3) % 8, (COLUMN + 5 + 4 * ((ROW + 3) // 8)) % 8]
    levels = np.where((variants % 2 == 0)[:, None, None], even, odd)
    levels = levels + np.where(_each(variants, 145) > 246, 2, 0)
    levels = np.where(deep == 0, -5, np.where((deep == 1) & (ROW < 8), 2, levels))
    levels = np.where((deep == 2) & (ROW < 6), levels + 1, levels)
    lower = sides.south & (bottom - 3 <= ROW) & (bottom > ROW)
    levels = np.where(lower, np.minimum(levels, 0) - 2, levels)
    picture = brush.own(levels.astype(np.int32))
    under = sides.south & (bottom <= ROW)
    trunk = under & (COLUMN >= 7) & (COLUMN <= 9) & (ROW < SIZE - 1)
    tones = np.where(COLUMN == 7, 0, np.where(COLUMN == 8, -1, -4)) - np.where(bottom == ROW, 2, 0)
    wood = brush.ramp(brush.style.wood)(np.broadcast_to(tones, deep.shape).astype(np.int32))
    ground = laid(wood, trunk, _under_crowns(brush, sides))
    outside = (deep < 0) | under | (sides.south & (bottom - 1 == ROW) & (_LEAF_BEND[COLUMN] > 1))
    return laid(ground, outside, picture)


def _under_crowns(brush: Brush, sides: OpenSides) -> Canvas:
    """Return the ground with the round shadow that crowns cast on it.

    `sides` are the crowns' open sides in each picture.
    """
    ground = np.broadcast_to(brush.ground, (sides.count, SIZE, SIZE))
    margin = np.array((9, 9, 9, 9, 9, 9, 9, 9, 8, 6, 4, 3, 2, 2, 3, 5))[ROW]
    left = sides.west & (margin > COLUMN)
    right = sides.east & (margin > SIZE - 1 - COLUMN)
    shares = np.where((ROW >= 8) & ~left & ~right & sides.south, 26, 0)
    return shaded(ground, brush.shade, shares.astype(np.int32))


def low(brush: Brush, masks: tuple[int, ...], variants: NDArray[np.int32]) -> Canvas:
    """Draw a low, smooth block for each neighbourhood of `masks`."""
    bottom = 10
    sides = OpenSides(masks)
    deep = depth(sides, bottom=bottom, radius=2)
    noise = _each(variants, 151)
    levels = np.choose(np.clip(deep, 0, 3), (4, 2, 0, 0)) + np.where(noise > 246, -1, 0)
    dark = (sides.east & (COLUMN == SIZE - 1)) | (
        sides.east & sides.north & (deep == 0) & (COLUMN > 12)
    )
    levels = np.where(dark, 1, levels)
    picture = brush.own(levels.astype(np.int32))
    face = sides.south & (bottom <= ROW)
    front = np.choose(np.clip(ROW - bottom, 0, 5), (-5, -2, -2, -2, -3, -5))
    joints = np.where((COLUMN % 8 == 0) & (bottom < ROW), -2, 0)
    front = np.broadcast_to(front + joints, deep.shape)
    picture = laid(brush.own(front.astype(np.int32)), face, picture)
    corner = face & (ROW == SIZE - 1)
    cut = (sides.west & (COLUMN == 0)) | (sides.east & (COLUMN == SIZE - 1))
    return laid(_around(brush, sides), ((deep < 0) & ~face) | (corner & cut), picture)
