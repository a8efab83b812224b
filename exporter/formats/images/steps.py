"""Draw the steps of generating a layer as an animation with labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.formats.images.animation import encode_animation
from exporter.formats.images.letters import HEIGHT, letter_mask
from exporter.formats.images.png_mark import mark_png
from exporter.formats.preview import ScaleError, preview_pixels
from exporter.model.level import Level

# Without a given scale, no side of a picture has more pixels.
_SIDE = 480
_SCALES = (16, 8, 4, 2, 1)
# The most pixels of all pictures together: these take about a minute.
_MOST_PIXELS = 1 << 28
# How long all steps are shown together, one step at least and at most, and the last.
_MILLISECONDS, _SHORTEST, _LONGEST, _LAST = 10_000, 40, 400, 2_500
_ENLARGED = 2
_MARGIN = 4
_STRIP = HEIGHT * _ENLARGED + 2 * _MARGIN
_PAPER = (24, 22, 30)
_INK = (226, 222, 210)

Picture = NDArray[np.uint8]
Step = tuple[str, NDArray[np.uint8] | NDArray[np.uint16]]


def steps_picture(level: Level, steps: Sequence[Step], scale: int | None = None) -> bytes:
    """Draw the steps of a level's only layer as an animated PNG.

    The picture has the exporter's mark, to notice changes by users. The layer's legend has all
    tiles of the steps. `steps` are the label and the cells of each step, at least one. `scale` is a
    cell's side in pixels, 1 to 64; by default it is chosen from the level's size.

    Raises:
        ScaleError: A picture would be longer than 16384 pixels, or the animation too large.
    """
    longest = max(level.width, level.height)
    if scale is None:
        scale = next((side for side in _SCALES if side * longest <= _SIDE), 1)
    pixels = scale * scale * level.width * level.height * len(steps)
    if pixels > _MOST_PIXELS:
        raise ScaleError(
            f"{len(steps)} pictures of {level.width * scale} x {level.height * scale} pixels are "
            f"too many (allowed: {_MOST_PIXELS} pixels in all, with fewer steps or a smaller scale)"
        )
    time = max(_SHORTEST, min(_LONGEST, _MILLISECONDS // len(steps)))
    times = [time] * (len(steps) - 1) + [_LAST]
    return mark_png(encode_animation(_pictures(level, steps, scale), times))


def _pictures(level: Level, steps: Sequence[Step], scale: int) -> Iterator[Picture]:
    """Yield a picture of each step, its label below: uint8 [height, width, 3]."""
    (layer,) = level.layers.values()
    for label, cells in steps:
        displayed = replace(level, layers={layer.name: replace(layer, cells=cells)})
        pixels, _ = preview_pixels(displayed, scale=scale)
        picture = np.empty((pixels.shape[0] + _STRIP, *pixels.shape[1:]), np.uint8)
        picture[:] = _PAPER
        picture[: len(pixels)] = pixels
        ink = letter_mask(label).repeat(_ENLARGED, axis=0).repeat(_ENLARGED, axis=1)
        strip = picture[len(pixels) + _MARGIN :, _MARGIN:]
        strip = strip[: ink.shape[0], : ink.shape[1]]
        strip[ink[:, : strip.shape[1]]] = _INK
        yield picture
