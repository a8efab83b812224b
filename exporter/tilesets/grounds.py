"""Draw grounds to walk on: paving, earth, grass, sand and so on.

A ground's variants are the same along their edges, so that any two fit beside each other and no
grid shows. A few variants have a detail in the middle.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from exporter.tilesets.brush import Brush, laid, shaded, stamped
from exporter.tilesets.palette import Canvas, Levels
from exporter.tilesets.shapes import COLUMN, ROW, SIZE, OpenSides, depth, speckle

Surface = Callable[[Brush, int], Canvas]
# How far grass hangs over another ground, along an edge.
_BLADES = np.array((1, 2, 1, 1, 2, 3, 2, 1, 1, 0, 1, 2, 2, 1, 0, 1), np.int32)
# How many variants every surface has, and how often each is taken.
WEIGHTS = (12, 4, 6, 3, 2, 2, 1, 1)
VARIANTS = len(WEIGHTS)


# The shapes of a tuft of grass, as marks from its upper left: two blades, a tall one, a bush.
_TUFTS: tuple[tuple[tuple[int, int, int], ...], ...] = (
    ((0, 0, 3), (0, 2, 3), (1, 0, 2), (1, 1, 2), (1, 2, 1), (2, 1, -3), (2, 0, -2)),
    ((-1, 2, 3), (0, 0, 2), (0, 2, 2), (1, 0, 1), (1, 1, 2), (2, 1, -3), (2, 2, -2)),
    ((0, 1, 3), (0, 3, 3), (1, 0, 3), (1, 1, 2), (1, 2, 2), (1, 3, 1), (2, 1, -3), (2, 2, -3)),
)


def _marks(levels: Levels, marks: tuple[tuple[int, int, int], ...]) -> Levels:
    """Set `marks` in `levels`, the brightness of a picture; return `levels`.

    A mark is a row, a column and a brightness.
    """
    for row, column, level in marks:
        levels[row % SIZE, column % SIZE] = level
    return levels


# Soft patches that cross no edge: row, column and half the width of each of their rows.
_PATCH = ((-2, 1), (-1, 3), (0, 4), (1, 3), (2, 2))


def _patched(variant: int) -> Levels:
    """Return the brightness of the pixels of a plain ground.

    Some variants have a soft patch, brighter or darker than the rest.
    """
    levels = np.zeros((SIZE, SIZE), np.int32)
    if variant in (1, 3, 6):
        row, column = ((6, 7), (9, 8), (8, 6))[(1, 3, 6).index(variant)]
        for step, half in _PATCH:
            shift = column + (step * variant) % 2
            levels[row + step, shift - half : shift + half + 1] = 1 if variant == 3 else -1
    return levels


def slabs(brush: Brush, variant: int) -> Canvas:
    """Draw picture `variant` of worn paving: wide stones, partly broken."""
    levels = np.zeros((SIZE, SIZE), np.int32)
    worn = speckle(30 + variant)
    upper = ROW % SIZE < 8
    joint = (ROW == 7) | (ROW == 15) | ((COLUMN == 4) & upper) | ((COLUMN == 12) & ~upper)
    levels[joint & (worn > 60)] = -1
    levels[joint & (worn > 225)] = -2
    lip = (np.roll(joint, 1, 0) | np.roll(joint, 1, 1)) & ~joint
    levels[lip & (worn > 170)] = 1
    inner = ~joint & ~lip
    levels[inner & (worn < 5)] = -1
    # One stone that lies wholly inside the picture is of another tone.
    inside = (ROW > 7) & (ROW < 15) & (COLUMN < 12) & ~joint
    if variant == 1:
        levels[inside] -= 1
    if variant == 3:
        levels[inside] += 1
    if variant == 4:
        _marks(levels, ((2, 7, -3), (3, 8, -3), (3, 9, -2), (4, 9, -3), (5, 10, -2), (4, 8, 1)))
    if variant == 5:
        _marks(
            levels, ((10, 4, -3), (11, 5, -3), (11, 4, 1), (12, 5, -2), (13, 6, -3), (10, 9, -2))
        )
    if variant == 6:
        _marks(
            levels,
            ((3, 9, 2), (3, 10, 2), (4, 9, 0), (4, 10, -3), (4, 11, -2), (10, 6, 2), (11, 6, -3)),
        )
    picture = brush.own(levels)
    if variant == 7:
        moss = brush.ramp(brush.style.grass)
        stamped(picture, "..a.\n.ab.\nabba\n.ba.", {"a": moss.pixels[2], "b": moss.pixels[3]}, 5, 8)
        stamped(picture, "a\nb", {"a": moss.pixels[3], "b": moss.pixels[2]}, 12, 5)
    return picture


def cobbles(brush: Brush, variant: int) -> Canvas:
    """Draw picture `variant` of a cave's ground: pebbles and shallow dents."""
    fine = speckle(40 + variant)
    levels = _patched(variant)
    levels[(fine < 6)] += 1
    levels[(fine > 249)] -= 1
    pebbles: tuple[tuple[int, int, int], ...] = (
        (),
        ((3, 4, 1), (10, 11, 1)),
        ((7, 8, 2),),
        ((4, 10, 2), (11, 4, 1), (12, 8, 1)),
        ((9, 6, 3),),
        ((3, 5, 1), (5, 11, 1), (11, 9, 2)),
        (),
        ((5, 5, 2), (6, 9, 3), (11, 7, 1)),
    )[variant]
    for row, column, size in pebbles:
        levels[row : row + size, column : column + size + 1] = 1
        levels[row, column : column + size] = 3
        levels[row + size, column : column + size + 1] = -3
        levels[row + size - 1, column + size] = -1
    if variant == 6:
        _marks(
            levels,
            (
                (5, 4, -3),
                (6, 5, -3),
                (6, 6, -2),
                (7, 7, -3),
                (8, 7, -2),
                (9, 8, -3),
                (5, 5, 2),
                (8, 8, 2),
            ),
        )
    return brush.own(levels)


def grass(brush: Brush, variant: int) -> Canvas:
    """Draw picture `variant` of a meadow: green with blades, few flowers."""
    fine = speckle(50 + variant)
    levels = _patched(variant)
    levels[fine < 7] += 1
    levels[fine > 249] -= 1
    tufts: tuple[tuple[int, int], ...] = (
        ((3, 3), (11, 10)),
        ((5, 9),),
        ((2, 11), (8, 4), (12, 12)),
        ((4, 4), (6, 11), (11, 6)),
        ((10, 3),),
        ((3, 8),),
        ((4, 6), (10, 11)),
        (),
    )[variant]
    for number, (row, column) in enumerate(tufts, start=variant):
        blades = _TUFTS[number % len(_TUFTS)]
        _marks(levels, tuple((row + down, column + right, level) for down, right, level in blades))
    picture = brush.own(levels)
    accents = brush.style.accents
    if variant in (4, 5):
        petals = brush.ramp(accents[0] if variant == 4 else accents[4])
        colors = {"o": petals.pixels[11], "x": brush.ramp(brush.style.metal).pixels[10]}
        colors["-"] = brush.own.pixels[2]
        flower = ".o.\noxo\n.o.\n.-."
        stamped(picture, flower, colors, 5, 9)
        stamped(picture, "o\n-", colors, 10, 6)
    if variant == 7:
        stone = brush.ramp(brush.style.rock)
        colors = {"a": stone.pixels[10], "b": stone.pixels[6], "c": stone.pixels[2]}
        colors["-"] = brush.own.pixels[2]
        stamped(picture, ".aab.\naabbc\nbbbcc\n-----", colors, 7, 6)
    return picture


def sand(brush: Brush, variant: int) -> Canvas:
    """Draw picture `variant` of sand, earth or snow: ripples and grains."""
    fine = speckle(60 + variant)
    levels = _patched(variant)
    levels[fine < 8] += 1
    levels[fine > 247] -= 1
    ripples: tuple[tuple[int, int, int], ...] = (
        (),
        ((4, 3, 6), (11, 8, 5)),
        ((7, 5, 7),),
        ((3, 8, 5), (9, 2, 6)),
        ((12, 5, 6),),
        (),
        ((5, 4, 4),),
        (),
    )[variant]
    for row, column, length in ripples:
        for step in range(length):
            bend = (step // 2) % 2
            levels[row + bend, column + step] = -2
            levels[row + bend + 1, column + step] = 2
    if variant == 5:
        _marks(levels, ((6, 7, 3), (6, 8, 3), (7, 7, 2), (7, 8, -3), (7, 9, -3), (11, 4, -2)))
    if variant == 7:
        _marks(levels, ((9, 9, 4), (10, 8, 4), (10, 9, 2), (10, 10, -3), (11, 9, -4), (4, 5, -3)))
    return brush.own(levels)


def ice(brush: Brush, variant: int) -> Canvas:
    """Draw picture `variant` of ice: slanted glints and a crack."""
    levels = _patched(variant)
    slant = (ROW + COLUMN) % SIZE
    levels[(slant == 3) & (speckle(66 + variant) > 120)] = 2
    levels[(slant == 4) & (speckle(66 + variant) > 190)] = 3
    if variant in (2, 5):
        _marks(
            levels,
            (
                (4, 6, -3),
                (5, 7, -3),
                (6, 7, -2),
                (7, 8, -3),
                (8, 8, -2),
                (9, 10, -3),
                (8, 9, -2),
                (6, 8, 4),
            ),
        )
    return brush.own(levels)


def planks(brush: Brush, variant: int) -> Canvas:
    """Draw picture `variant` of boards, nailed at their ends."""
    board, line = ROW // 4, ROW % 4
    shift = (COLUMN + 7 * board + 3 * variant) % SIZE
    levels = np.where(line == 0, 1, 0) + np.where(speckle(70 + variant // 2) > 236, -1, 0)
    levels += np.where((board + variant) % 3 == 0, -1, 0)
    levels = np.where((line == 3) | (shift == 15), -3, levels).astype(np.int32)
    levels[(line == 1) & ((shift == 0) | (shift == 14))] = -2
    return brush.own(levels)


def plain(brush: Brush, variant: int) -> Canvas:
    """Draw picture `variant` of a plain surface with a thin edge."""
    fine = speckle(80 + variant)
    levels = np.where(fine < 10, 1, np.where(fine > 245, -1, 0)).astype(np.int32)
    levels[0, :] = levels[:, 0] = 1
    levels[-1, :] = levels[:, -1] = -1
    return brush.own(levels)


def even(brush: Brush, variant: int) -> Canvas:
    """Draw one plain colour, the same for each `variant`, without an edge."""
    return brush.own(np.zeros((SIZE, SIZE), np.int32))


def overgrown(ground: Canvas, grass: Canvas, brush: Brush, masks: tuple[int, ...]) -> Canvas:
    """Draw grass that hangs over the open edges of a ground.

    `ground` and `grass` are the pictures of both. `masks` has the neighbourhood of each result,
    with a bit for each neighbour that is not grass. The result is uint32 [masks, SIZE, SIZE].
    """
    far = depth(OpenSides(masks), wobble=_BLADES, radius=5)
    pictures = np.broadcast_to(ground, (len(masks), SIZE, SIZE))
    shares = np.choose(far.clip(0, 2), (26, 8, 0)).astype(np.int32)
    pictures = shaded(pictures, brush.shade, shares)
    return laid(np.broadcast_to(grass, pictures.shape), far < 0, pictures)
