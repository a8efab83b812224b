"""Draw doors, stairs and bridges."""

from __future__ import annotations

import numpy as np

from exporter.tilesets.brush import Brush, laid, shaded
from exporter.tilesets.palette import Canvas, Levels
from exporter.tilesets.shapes import COLUMN, ROW, SIZE, speckle


def door_in_front(brush: Brush, around: Canvas) -> Canvas:
    """Draw a door as seen from the south, in a wall that runs west to east.

    `around` is the picture of the wall.
    """
    picture = around.copy()
    frame = (COLUMN >= 2) & (COLUMN <= 13) & (ROW >= 5)
    frame &= ~((ROW == 5) & ((COLUMN == 2) | (COLUMN == 13)))
    posts = brush.ramp(brush.style.wall)(np.where(COLUMN < 8, 2, 0).astype(np.int32))
    picture = laid(posts, frame, picture)
    hole = (COLUMN >= 3) & (COLUMN <= 12) & (ROW >= 6)
    picture = laid(brush.own(np.full((SIZE, SIZE), -6, np.int32)), hole, picture)
    leaf = (COLUMN >= 4) & (COLUMN <= 11) & (ROW >= 7)
    board = (COLUMN - 4) % 3 == 2
    levels = np.where(board, -3, np.where((COLUMN - 4) % 3 == 0, 2, 0))
    levels = levels - np.where(ROW == 7, 2, 0) + np.where(speckle(180) > 230, -1, 0)
    picture = laid(brush.own(levels.astype(np.int32)), leaf, picture)
    bands = leaf & ((ROW == 9) | (ROW == 13))
    iron = brush.ramp(brush.style.fill)
    picture = laid(iron(np.where(COLUMN == 4, 3, 1).astype(np.int32)), bands, picture)
    gold = brush.ramp(brush.style.metal)
    picture[11, 10], picture[11, 9] = gold.pixels[9], gold.pixels[6]
    return picture


def door_from_the_side(brush: Brush, around: Canvas, front: Canvas) -> Canvas:
    """Draw a door in a wall that runs north to south, ajar in the gap.

    Its upper edge is seen. `around` is the floor below the door, [SIZE, SIZE]. `front` is a wall's
    front, whose face closes the wall above the door.
    """
    picture = around.copy()
    shares = np.where(ROW < 11, 14, 4).astype(np.int32)
    picture = shaded(picture, brush.shade, shares)
    picture[0:7] = front[5:12]
    picture[7] = shaded(picture[7:8], brush.shade, np.full((1, SIZE), 40, np.int32))[0]
    leaf = (COLUMN >= 6) & (COLUMN <= 9) & (ROW >= 3)
    levels = np.choose(np.clip(COLUMN - 6, 0, 3), (-4, 3, 1, -4)) - np.where(ROW >= 12, 2, 0)
    levels = np.where((ROW == 3) | (ROW == SIZE - 1), -4, levels)
    picture = laid(brush.own(levels.astype(np.int32)), leaf, picture)
    gold = brush.ramp(brush.style.metal)
    picture[9, 7] = gold.pixels[9]
    return picture


def stairs_down(brush: Brush) -> Canvas:
    """Draw steps that lead down into the dark."""
    return _flight(brush, np.array((2, -1, -3, -5, -6, -6), np.int32), falling=True)


def stairs_up(brush: Brush) -> Canvas:
    """Draw steps that lead up into the light."""
    return _flight(brush, np.array((4, 3, 1, 0, -2, -3), np.int32), falling=False)


def _flight(brush: Brush, tones: Levels, *, falling: bool) -> Canvas:
    """Draw six steps between two side walls, on the ground.

    `tones` is the brightness of each step: from south to north if `falling`, else from north to
    south. If `falling`, a wall closes the north, too.
    """
    picture = brush.ground.copy()
    inner = (COLUMN >= 2) & (COLUMN <= 13) & (ROW >= 1) & (ROW <= 14)
    step = np.clip((ROW - 1) * 6 // 14, 0, 5)
    order = SIZE - 1 - ROW if falling else ROW
    first = np.clip((order - 1) * 6 // 14, 0, 5)
    edge = np.zeros((SIZE, SIZE), bool)
    edge[1:] = step[1:] != step[:-1]
    edge[1] = True
    tone = tones[first if falling else step]
    levels = np.where(edge, tone + 2, tone)
    levels = np.where(np.roll(edge, -1, 0) & ~edge, tone - 2, levels)
    picture = laid(brush.own(levels.astype(np.int32)), inner, picture)
    cheeks = (COLUMN <= 2) | (COLUMN >= 13) | (ROW == 0 if falling else ROW < 0)
    cheeks &= (COLUMN >= 1) & (COLUMN <= 14)
    lit = (COLUMN == 1) | (COLUMN == 13) | (ROW == 0)
    wall = brush.ramp(brush.style.wall)(np.where(lit, 2, -2))
    picture = laid(wall, cheeks, picture)
    foot = (ROW == SIZE - 1) & (COLUMN >= 1) & (COLUMN <= 14)
    return shaded(picture, brush.shade, np.where(foot, 30, 0).astype(np.int32))


def bridge(brush: Brush, *, across: bool) -> Canvas:
    """Draw a bridge of planks with two rails.

    It leads from west to east if `across`, else from north to south.
    """
    along, width = (COLUMN, ROW) if across else (ROW, COLUMN)
    levels = np.choose(along % 4, (2, 0, 0, -4)) + np.where((along // 4) % 3 == 1, -1, 0)
    levels = levels + np.where(speckle(190) > 236, -2, 0)
    levels = np.where((width == 2) | (width == 13), -3, levels)
    rail = (width <= 1) | (width >= 14)
    levels = np.where(rail, np.where((width == 0) | (width == 14), 3, 0), levels)
    levels = np.where(rail & (along % 8 == 0), -3, levels)
    levels = np.where(width == SIZE - 1, -5, levels)
    return brush.own(levels.astype(np.int32))
