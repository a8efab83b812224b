"""The built-in tiles: 16 x 16 pixels, drawn by arithmetic on integers.

A tile's look follows from its name (`wall`, `deep_water`, `oak_door`), else from whether it is
walkable and opaque; its colour is the legend's, unless that is the plain black or clear of the
bitmaps. Grounds, rocks and liquids continue across the edges of their neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from exporter.grids.neighbourhoods import (
    EAST,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
)
from exporter.model.colors import Rgba, rgba
from exporter.model.level import Tile

SIZE = 16

Canvas = NDArray[np.int32]
Draw = Callable[[Canvas], Canvas]

_ROW, _COLUMN = np.mgrid[0:SIZE, 0:SIZE]


def draw_tile(tile: Tile) -> NDArray[np.uint8]:
    """Return the picture of a tile: uint8 [16, 16, 4]."""
    draw, _ = _style(tile)
    red, green, blue, alpha = base_color(tile)
    canvas = np.empty((SIZE, SIZE, 3), np.int32)
    canvas[:] = (red, green, blue)
    picture = np.empty((SIZE, SIZE, 4), np.uint8)
    picture[..., :3] = np.clip(draw(canvas), 0, 255)
    picture[..., 3] = alpha
    return picture


def base_color(tile: Tile) -> Rgba:
    """Return the legend's colour if it is one, else the style's."""
    color = rgba(tile.color)
    plain = color[3] == 0 or color[:3] == (0, 0, 0)
    return rgba(_style(tile)[1]) if plain else color


def draw_edges(picture: NDArray[np.uint8], mask: int, corners: bool) -> None:
    """Draw a rim into a tile's picture where neighbours are something else.

    Args:
        picture: uint8 [16, 16, 4], changed in place.
        mask: Which neighbours are the same tile, as in `grids.neighbourhoods`.
        corners: Whether the mask includes corners.
    """
    far = np.full((SIZE, SIZE), SIZE, np.int64)
    up, left = np.minimum(far, _ROW), np.minimum(far, _COLUMN)
    down, right = SIZE - 1 - up, SIZE - 1 - left
    lit, shaded = far.copy(), far.copy()
    for bit, depth, target in (
        (NORTH, up, lit),
        (WEST, left, lit),
        (SOUTH, down, shaded),
        (EAST, right, shaded),
    ):
        if not mask & bit:
            np.minimum(target, depth, out=target)
    if corners:
        for bit, sides, depth, target in (
            (NORTH_WEST, NORTH | WEST, np.maximum(up, left), lit),
            (NORTH_EAST, NORTH | EAST, np.maximum(up, right), shaded),
            (SOUTH_EAST, SOUTH | EAST, np.maximum(down, right), shaded),
            (SOUTH_WEST, SOUTH | WEST, np.maximum(down, left), shaded),
        ):
            if mask & sides == sides and not mask & bit:
                np.minimum(target, depth, out=target)
    change = np.where(lit == 1, 46, 0) + np.where(lit == 2, 20, 0)
    change = np.where(shaded <= np.minimum(lit, 3), -44 + 10 * shaded, change)
    color = np.clip(picture[..., :3].astype(np.int64) + change[..., None], 0, 255)
    rim = np.minimum(lit, shaded) == 0
    color[rim] = color[rim] * 3 // 8
    picture[..., :3] = color


def _style(tile: Tile) -> tuple[Draw, str]:
    """Return how to draw a tile and in which colour, by the words in its name."""
    name = tile.name.lower()
    parts = re.split(r"[^a-z]+", name)
    for words, draw, color in _STYLES:
        # A short word must stand alone: a device is not made of ice.
        if any(word in (parts if len(word) <= 3 else name) for word in words):
            return draw, color
    if tile.walkable:
        return _slab, "#b9a98c"
    if tile.opaque:
        return _rock, "#625d68"
    return _block, "#7d8c93"


def _hash(salt: int, row: NDArray[np.int64], column: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return a number 0..255 for every place, the same on every machine."""
    value = row.astype(np.uint32) * np.uint32(0x9E3779B1)
    value ^= column.astype(np.uint32) * np.uint32(0x85EBCA77) + np.uint32(
        salt * 0x27D4EB2F & 0xFFFFFFFF
    )
    value ^= value >> np.uint32(15)
    value *= np.uint32(0x2C1B3C6D)
    value ^= value >> np.uint32(12)
    value *= np.uint32(0x297A2D39)
    value ^= value >> np.uint32(15)
    return (value & np.uint32(255)).astype(np.int32)


def _grain(salt: int, strength: int) -> NDArray[np.int32]:
    """Return fine noise -strength..strength."""
    return _hash(salt, _ROW, _COLUMN) * (2 * strength + 1) // 256 - strength


def _clouds(salt: int, strength: int) -> NDArray[np.int32]:
    """Return soft noise -strength..strength that continues across the tile's edges."""
    cell = SIZE // 4
    row, column = _ROW // cell, _COLUMN // cell
    down, right = (row + 1) % 4, (column + 1) % 4
    y, x = (_ROW % cell).astype(np.int32), (_COLUMN % cell).astype(np.int32)
    upper = _hash(salt, row, column) * (cell - x) + _hash(salt, row, right) * x
    lower = _hash(salt, down, column) * (cell - x) + _hash(salt, down, right) * x
    value = (upper * (cell - y) + lower * y) // (cell * cell)
    soft: NDArray[np.int32] = value * (2 * strength + 1) // 256 - strength
    return soft


def _lit(canvas: Canvas, change: NDArray[np.int32] | NDArray[np.bool_] | int) -> Canvas:
    """Return the canvas with every colour raised by `change` [16, 16]."""
    lit: Canvas = canvas + np.asarray(change, np.int32).reshape(SIZE, SIZE, 1)
    return lit


def _edges(light: int, dark: int) -> NDArray[np.int32]:
    """Return a bevel: light along the upper and left edge, dark along the others."""
    change = np.zeros((SIZE, SIZE), np.int32)
    change[0, :] = change[:, 0] = light
    change[-1, :] = change[:, -1] = -dark
    return change


def _slab(canvas: Canvas) -> Canvas:
    """A paving stone."""
    specks = np.where(_hash(3, _ROW, _COLUMN) < 9, -16, 0).astype(np.int32)
    return _lit(canvas, _clouds(1, 6) + _grain(2, 3) + specks + _edges(7, 15))


def _cobbles(canvas: Canvas) -> Canvas:
    """The beaten floor of a cave."""
    pebbles = np.zeros((SIZE, SIZE), np.int32)
    for y, x in ((2, 4), (6, 12), (11, 6), (13, 13)):
        pebbles[y, x : x + 2] = 16
        pebbles[y + 1, x : x + 2] = -18
    return _lit(canvas, _clouds(4, 12) + _grain(5, 4) + pebbles)


def _grass(canvas: Canvas) -> Canvas:
    """Blades on soft ground."""
    blades = np.zeros((SIZE, SIZE), np.int32)
    for y, x in ((1, 3), (3, 10), (6, 6), (8, 14), (10, 2), (12, 9), (14, 13)):
        blades[y, x] = 26
        blades[(y + 1) % SIZE, x] = 14
        blades[(y + 1) % SIZE, (x + 1) % SIZE] = -14
    return _lit(canvas, _clouds(6, 10) + _grain(7, 5) + blades)


def _soil(canvas: Canvas) -> Canvas:
    """Sand, earth or snow: soft, with a few grains."""
    ripples = np.where((_ROW + _clouds(8, 2)) % 8 == 3, -7, 0).astype(np.int32)
    return _lit(canvas, _clouds(9, 6) + _grain(10, 4) + ripples)


def _brick(canvas: Canvas) -> Canvas:
    """A wall of bricks, lit from above."""
    course = _ROW // 4
    shifted = (_COLUMN + 4 * (course % 2)) % SIZE
    each = _hash(11, course, shifted // 8) * 21 // 256 - 10
    mortar = (_ROW % 4 == 3) | (shifted % 8 == 7)
    top = (_ROW % 4 == 0) & ~mortar
    change = each + _grain(12, 3) + np.where(top, 16, 0)
    return _lit(canvas, np.where(mortar, -42, change).astype(np.int32))


def _rock(canvas: Canvas) -> Canvas:
    """Solid rock: lumps that catch light on their upper left."""
    lumps = _clouds(13, 24)
    slope = lumps - np.roll(lumps, (1, 1), (0, 1))
    return _lit(canvas, lumps // 2 + 2 * slope + _grain(14, 5))


def _liquid(canvas: Canvas) -> Canvas:
    """Water and its kin: two rows of little waves."""
    change = _clouds(15, 7)
    wave = np.array((0, 0, 1, 1, 2, 2, 1, 1) * 2)
    for first, shift, light in ((2, 0, 34), (10, 4, 26)):
        rows = first + np.roll(wave, shift)
        bright = np.roll(np.arange(SIZE) % 8 < 5, shift)
        change[rows, np.arange(SIZE)] += np.where(bright, light, 0).astype(np.int32)
        change[rows + 1, np.arange(SIZE)] -= 9
    return _lit(canvas, change)


def _door(canvas: Canvas) -> Canvas:
    """Upright planks in a dark frame, with a handle."""
    planks = np.where(_COLUMN % 4 == 1, -24, 0).astype(np.int32) + _grain(16, 4)
    frame = (_COLUMN < 2) | (_COLUMN > 13) | (_ROW < 2)
    bands = (_ROW == 5) | (_ROW == 12)
    picture = _lit(canvas, np.where(bands, -38, planks).astype(np.int32))
    picture[frame] = canvas[frame] * 2 // 5
    picture[8:10, 10:12] = (232, 196, 92)
    return picture


def _stairs(canvas: Canvas) -> Canvas:
    """Four steps that lead down into the dark."""
    step = _ROW // 4
    change = -28 * step + np.where(_ROW % 4 == 0, 26, 0) + np.where(_ROW % 4 == 3, -26, 0)
    picture = _lit(canvas, change.astype(np.int32) + _grain(17, 3))
    sides = (_COLUMN < 2) | (_COLUMN > 13)
    picture[sides] = picture[sides] * 1 // 2
    return picture


def _tree(canvas: Canvas) -> Canvas:
    """A round crown over grass."""
    picture = _grass(canvas * 4 // 5 + np.array((24, 34, 10), np.int32))
    picture[11:15, 7:9] = (92, 64, 40)
    x, y = 2 * _COLUMN - 15, 2 * _ROW - 13
    crown = x * x + y * y <= 155
    leaves = _lit(canvas, _clouds(18, 18) + _grain(19, 8) - (x + y).astype(np.int32))
    picture[crown] = leaves[crown]
    return picture


def _pit(canvas: Canvas) -> Canvas:
    """A drop: its far side fades into the dark."""
    return _lit(canvas, np.maximum(0, 46 - 9 * _ROW).astype(np.int32) + _grain(20, 3))


def _planks(canvas: Canvas) -> Canvas:
    """Boards across."""
    board = _ROW // 4
    seam = _ROW % 4 == 3
    end = (_COLUMN + 6 * board) % SIZE == 15
    grain = _hash(21, _ROW, _COLUMN // 4) * 17 // 256 - 8
    change = np.where(seam | end, -36, grain + np.where(_ROW % 4 == 0, 10, 0))
    return _lit(canvas, change.astype(np.int32))


def _block(canvas: Canvas) -> Canvas:
    """Anything else that stands in the way: a plain block."""
    inner = np.zeros((SIZE, SIZE), np.int32)
    inner[3:13, 3:13] = 10
    inner[3, 3:13] = inner[3:13, 3] = -18
    return _lit(canvas, inner + _edges(30, 34) + _grain(22, 3))


# The first style with a word that occurs in the tile's name wins.
_STYLES: tuple[tuple[tuple[str, ...], Draw, str], ...] = (
    (("door", "gate", "portal"), _door, "#8a5a33"),
    (("stair", "step", "ladder", "exit", "entrance"), _stairs, "#a8a2a0"),
    (("lava", "magma", "fire"), _liquid, "#d9531e"),
    (("acid", "poison", "slime", "swamp", "marsh"), _liquid, "#6f9a3a"),
    (("deep", "ocean", "sea"), _liquid, "#24508f"),
    (("water", "river", "lake", "shallow"), _liquid, "#3d7cc2"),
    (("ice",), _soil, "#b5dcea"),
    (("snow",), _soil, "#e4ebf0"),
    (("sand", "beach", "desert"), _soil, "#dcc585"),
    (("tree", "forest", "wood_", "bush", "hedge", "jungle"), _tree, "#3f7a3a"),
    (("grass", "land", "meadow", "field", "plain", "garden", "island"), _grass, "#69a44c"),
    (("pit", "void", "chasm", "abyss", "hole"), _pit, "#1a1822"),
    (("bridge", "plank", "wood", "deck"), _planks, "#a5763f"),
    (("dirt", "earth", "mud", "soil", "road", "path", "trail"), _soil, "#9b7650"),
    (("rock", "cliff", "mountain", "solid", "boulder", "cave_wall"), _rock, "#625d68"),
    (("wall", "brick"), _brick, "#85675a"),
    (("corridor", "hall", "passage", "tunnel"), _slab, "#9c917f"),
    (("cave", "ground", "open"), _cobbles, "#a08b6c"),
    (("floor", "room", "tile"), _slab, "#b9a98c"),
)
