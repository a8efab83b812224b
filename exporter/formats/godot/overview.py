"""Draw a small picture of a level, for the areas without loaded tiles."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.scene_tiles import SceneTiles
from exporter.model.level import Level


def overview_pixels(level: Level, tiles: SceneTiles, step: int) -> NDArray[np.uint8]:
    """Draw a level with one pixel for each square of `step` x `step` cells.

    A pixel has the mean colour of the tiles in the square's upper left cell, with all layers
    blended.

    Returns:
        uint8 [height / step, width / step, 4], rounded up.
    """
    layers = [tiles.whole_numbers(layer)[::step, ::step] for layer in level.seen_layers()]
    return picture_of(layers, tiles, (-(-level.height // step), -(-level.width // step)))


def picture_of(
    layers: Iterable[NDArray[np.int32]], tiles: SceneTiles, shape: tuple[int, int]
) -> NDArray[np.uint8]:
    """Draw stacked layers of tiles with one pixel for each cell.

    `layers` has each layer's tile numbers, -1 for none, bottom to top; `shape` is height and width.
    The result is uint8 [height, width, 4].
    """
    colors = tiles.colors()
    picture = np.zeros((*shape, 4), np.int32)
    for numbers in layers:
        _paint(picture, np.where((numbers >= 0)[..., None], colors[numbers], 0))
    return picture.astype(np.uint8)


def _paint(picture: NDArray[np.int32], above: NDArray[np.int32]) -> None:
    """Blend the colours `above` over `picture`, in place.

    Colours are not multiplied by their opacity.
    """
    over = above[..., 3:]
    under = picture[..., 3:] * (255 - over) // 255
    alpha = over + under
    colors = above[..., :3] * over + picture[..., :3] * under
    picture[..., :3] = colors // np.maximum(alpha, 1)
    picture[..., 3:] = alpha
