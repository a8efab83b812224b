"""Provide the colours and surroundings that drawing a tile needs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass
from exporter.tilesets.palette import Canvas, Ramp, Rgb, rgb
from exporter.tilesets.shapes import COLUMN, ROW, SIZE, Grid, OpenSides
from exporter.tilesets.styles import Style

# How much shade falls on the ground beside a wall, in sixty-fourths, by the distance from it.
_BELOW = (34, 29, 22, 14, 8, 3)
_BESIDE = (20, 13, 6)


@dataclass(frozen=True)
class Brush:
    """The colours and surroundings that drawing one tile needs.

    Attributes:
        style: The palette.
        color: The colour of the tile itself.
        ground: A picture of the ground around the tile, [SIZE, SIZE]; may be clear.
        beach: Whether this ground is soft, so that a sandy beach lies between the ground and water.
        frame: Which picture of an animation is drawn.
    """

    style: Style
    color: Rgb
    ground: Canvas
    beach: bool = False
    frame: int = 0

    @cached_property
    def shade(self) -> Rgb:
        """The colour of shadows."""
        return rgb(self.style.shade)

    @cached_property
    def own(self) -> Ramp:
        """The shades of the tile's own colour, from shadow to light."""
        return self.ramp(self.color)

    def ramp(self, base: Rgb | str) -> Ramp:
        """Return the shades of the colour `base`, from shadow to light."""
        color = rgb(base) if isinstance(base, str) else base
        return Ramp(color, self.shade, rgb(self.style.light))

    def like(self, base: Rgb | str, part: str) -> Ramp:
        """Return the shades of a part of the tile, such as a door's frame.

        `base` is the style's colour for the whole tile, `part` the style's colour for the part. If
        the tile's own colour differs from `base`, the part's differs in the same way.
        """
        whole = rgb(base) if isinstance(base, str) else base
        moved = np.clip(rgb(part) + (self.color - whole) * 3 // 4, 0, 255)
        return self.ramp(moved.astype(np.int32))


def laid(over: Canvas, where: NDArray[np.bool_], under: Canvas) -> Canvas:
    """Return the pictures `under`, covered by `over` where `where` is True."""
    result: Canvas = np.where(where, over, under)
    return result


def shaded(pictures: Canvas, shade: Rgb, shares: Grid) -> Canvas:
    """Return `pictures` darkened towards the colour `shade`.

    `shares` has the strength of the shade at each pixel, from 0 to 64.
    """
    part, rest = shares.astype(np.uint32), (64 - shares).astype(np.uint32)
    result = pictures & np.uint32(255 << 24)
    for bits, tone in zip((0, 8, 16), shade.tolist(), strict=True):
        color = pictures >> np.uint32(bits) & np.uint32(255)
        mean = (color * rest + np.uint32(tone) * part + np.uint32(32)) >> np.uint32(6)
        result = result | mean << np.uint32(bits)
    return result


def shadow(sides: OpenSides) -> Grid:
    """Return how dark walls to the north and west make a floor, from 0 to 64.

    `sides` are those of the floor's pictures; a side is open where a wall lies.
    """
    below = np.zeros(SIZE, np.int32)
    below[: len(_BELOW)] = _BELOW
    beside = np.zeros(SIZE, np.int32)
    beside[: len(_BESIDE)] = _BESIDE
    north, west = below[ROW], beside[COLUMN]
    shares = np.where(sides.north, north, 0)
    # Where the wall above ends at the left, its shadow ends too: light comes from the upper left.
    shares = np.maximum(shares, np.where(sides.west, west, 0))
    corner = np.minimum(np.where(len(_BESIDE) > COLUMN, north, 0), 2 * west)
    return np.maximum(shares, np.where(sides.north_west, corner, 0)).astype(np.int32)


def stamped(
    picture: Canvas, art: str, colors: Mapping[str, np.uint32], top: int = 0, left: int = 0
) -> None:
    """Draw `art`, an image made of letters, into `picture`, in place.

    `colors` has the colour of each letter; other letters draw nothing. `top` and `left` are the row
    and column of the image's first letter.
    """
    for y, line in enumerate(art.strip("\n").split("\n")):
        for x, letter in enumerate(line):
            if letter in colors:
                picture[(top + y) % SIZE, (left + x) % SIZE] = colors[letter]
