"""Make ramps: the shades of one colour, from its shadows to its lights.

Pixel art needs few colours that belong together. Every surface is drawn in levels of brightness,
whole numbers from -LEVELS to LEVELS, and a ramp turns levels into colours: dark levels lean towards
the style's shade, bright levels towards its light, so that all surfaces seem to lie under one lamp.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from exporter.model.colors import rgba

LEVELS = 6
# How much of the shade or the light is mixed in, in sixty-fourths, by the size of the level.
_SHARES = (0, 7, 14, 21, 29, 37, 46)

Rgb = NDArray[np.int32]
Levels = NDArray[np.int32]
# Pixels while drawing: red, green, blue and opacity in one number, red lowest.
Canvas = NDArray[np.uint32]
CLEAR = np.uint32(0)


def rgb(color: str) -> Rgb:
    """Convert `color` (`#rrggbb`) to red, green and blue: int32 [3]."""
    return np.array(rgba(color)[:3], np.int32)


def mixed(first: Rgb, second: Rgb, share: int) -> Rgb:
    """Mix two colours: `share` of 64 parts are `second`, the rest `first`."""
    result: Rgb = (first * (64 - share) + second * share + 32) // 64
    return result


class Ramp:
    """The shades of one surface: a colour for each level of brightness.

    Args:
        base: The colour of level 0.
        shade: The colour towards which negative levels lean.
        light: The colour towards which positive levels lean.
    """

    def __init__(self, base: Rgb, shade: Rgb, light: Rgb) -> None:
        darks = [mixed(base, shade, share) for share in _SHARES[:0:-1]]
        brights = [mixed(base, light, share * 3 // 4) for share in _SHARES]
        self.pixels: Canvas = packed(np.array([*darks, *brights], np.int32))

    def __call__(self, levels: Levels | int) -> Canvas:
        """Return the colours of `levels` as pixels, one uint32 each.

        Levels outside of the ramp get its first or last colour.
        """
        pixels: Canvas = self.pixels[np.clip(levels, -LEVELS, LEVELS) + LEVELS]
        return pixels


def packed(colors: Rgb) -> Canvas:
    """Convert `colors` [..., 3] to opaque pixels, one uint32 each."""
    red, green, blue = (colors[..., part].astype(np.uint32) for part in range(3))
    pixels: Canvas = red | green << np.uint32(8) | blue << np.uint32(16) | np.uint32(255 << 24)
    return pixels


def unpacked(pixels: Canvas) -> NDArray[np.uint8]:
    """Convert `pixels`, one uint32 each, to bytes: uint8 [..., 4]."""
    whole = np.ascontiguousarray(pixels).astype("<u4")
    return whole.view(np.uint8).reshape(*pixels.shape, 4)


def color_of_name(name: str, choices: tuple[str, ...]) -> str:
    """Return one of `choices` for `name`, always the same for the same name."""
    return choices[zlib.crc32(name.encode()) % len(choices)]
