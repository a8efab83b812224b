"""Draw heights as a shaded map, lit from the north-west.

Seven bands of colour lie between the lowest and the highest sample: deep sea, shallows, beach,
grass, woods, rock and snow. If the range of heights contains zero, the sea ends there. All
arithmetic is in integers. A layer of walking distances is drawn differently: from a bright goal to
the dark farthest cell, with a line after each tenth of the greatest distance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.model.colors import rgba
from exporter.model.level import NO_STEPS, STEPS, Layer

# Start of the seven bands, in 1/256 of the range, and the sea's end among them.
_BANDS = np.array((0, 32, 62, 76, 132, 180, 224), np.int64)
_SEA = 62
_TOP = 65535
# Where two bands meet, pixels of both are mixed, over so many 1/256 of the range.
_MIXED = 6
_PATTERN = np.array(((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5)), np.int64)
# The colours of walking distances: at a goal, at the farthest cell, and of unreachable cells.
_WALKED = ("#ffe97a", "#2c2f7a", "#15151c")
# Steps inside a band, each a little lighter than the one below.
_STEPS = 4

Picture = NDArray[np.uint8]


def shaded_relief(layer: Layer, colors: tuple[str, ...]) -> Picture:
    """Draw the heights of `layer` as a shaded map: uint8 [height, width, 3].

    `colors` are those of the seven bands, from the deep sea to the highest summit. A layer of
    walking distances has colours of its own.
    """
    if layer.heights is not None and layer.heights.units == STEPS:
        return _steps(layer)
    position = _places(layer)
    row, column = np.indices(position.shape)
    wavering = position + (_PATTERN[row % 4, column % 4] - 8) * _MIXED // 16
    band = np.searchsorted(_BANDS, wavering, side="right") - 1
    band = np.clip(band, 0, len(_BANDS) - 1)
    ends = np.append(_BANDS[1:], 256)
    step = (wavering - _BANDS[band]) * _STEPS // (ends - _BANDS)[band]
    ramp = np.array([rgba(color)[:3] for color in colors], np.int64)
    color = ramp[band] * (244 + 5 * np.clip(step, 0, _STEPS))[..., None] // 256
    light = _light(layer.cells, band)
    # Lights lean towards white, so that summits shine.
    bright = np.maximum(light - 256, 0)[..., None]
    dark = np.minimum(light, 256)[..., None]
    shaded = color * dark // 256 + (255 - color) * bright // 448
    picture: Picture = np.clip(shaded, 0, 255).astype(np.uint8)
    return picture


def _steps(layer: Layer) -> Picture:
    cells = layer.cells.astype(np.int64)
    reached = cells != NO_STEPS
    farthest = max(1, int(cells[reached].max(initial=0)))
    way = np.where(reached, cells, 0)
    near, far, away = (np.array(rgba(color)[:3], np.int64) for color in _WALKED)
    share = (way * 256 // farthest)[..., None]
    color = (near * (256 - share) + far * share) // 256
    lines = max(1, -(-farthest // 10))
    color = np.where(((way > 0) & (way % lines == 0))[..., None], color * 3 // 4, color)
    return np.where(reached[..., None], color, away).astype(np.uint8)


def _places(layer: Layer) -> NDArray[np.int64]:
    """Scale the samples to 0 (the lowest) to 255 (the highest) for colours.

    The sea level always gets the same number.
    """
    cells = layer.cells.astype(np.int64)
    low, high = int(cells.min()), int(cells.max())
    sea = _sea_level(layer, low, high)
    under = (cells - low) * _SEA // max(1, sea - low)
    over = _SEA + (cells - sea) * (255 - _SEA) // max(1, high - sea)
    return np.clip(np.where(cells < sea, under, over), 0, 255)


def _sea_level(layer: Layer, low: int, high: int) -> int:
    """Return the lowest sample that lies above the sea.

    `low` and `high` are the lowest and highest samples of `layer`.
    """
    heights = layer.heights
    if heights is not None and heights.minimum < 0 < heights.maximum:
        # Whole thousandths keep this the same on every machine.
        minimum, maximum = round(heights.minimum * 1000), round(heights.maximum * 1000)
        if minimum < 0 < maximum:
            return min(max(-minimum * _TOP // (maximum - minimum), low), high + 1)
    return low + (high - low) * _SEA // 256


def _light(
    cells: NDArray[np.uint8] | NDArray[np.uint16], band: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return each sample's light: 256 if level, more if it faces north-west.

    `band` is the number of each sample's colour; water, below 2, has little relief.
    """
    padded = np.pad(cells.astype(np.int64), 1, mode="edge")
    rise = 2 * (padded[1:-1, 2:] - padded[1:-1, :-2]) + 2 * (padded[2:, 1:-1] - padded[:-2, 1:-1])
    rise += padded[2:, 2:] - padded[:-2, :-2]
    # The light follows the relief: gentle land shows its shapes too. A few cliffs do not count.
    steep = np.sort(np.abs(rise), axis=None)
    usual = max(1, int(steep[steep.size * 15 // 16]))
    slope = np.clip(rise * 96 // usual, -128, 128)
    # Water lies flat, its ground is only guessed at.
    light: NDArray[np.int64] = 256 + np.where(band < 2, slope // 4, slope)
    return light
