"""A small picture of a whole level, which stands for its chunks while they are closed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.scene_tiles import SceneTiles
from exporter.model.level import Level


def overview_pixels(level: Level, tiles: SceneTiles, step: int) -> NDArray[np.uint8]:
    """Return one pixel for every cell, or for one of `step` by `step` cells.

    Drawn layers lie over each other, and a cell has the mean colour of its tile.

    Returns:
        uint8 [height / step, width / step, 4], rounded up.
    """
    colors = tiles.colors()
    rows, columns = -(-level.height // step), -(-level.width // step)
    picture = np.zeros((rows, columns, 4), np.int32)
    for layer in level.seen_layers():
        numbers = tiles.whole_numbers(layer)[::step, ::step]
        above = np.where((numbers >= 0)[..., None], colors[numbers], 0)
        _paint(picture, above)
    return picture.astype(np.uint8)


def _paint(picture: NDArray[np.int32], above: NDArray[np.int32]) -> None:
    """Lay colours over others, neither of which are multiplied by their opacity."""
    over = above[..., 3:]
    under = picture[..., 3:] * (255 - over) // 255
    alpha = over + under
    colors = above[..., :3] * over + picture[..., :3] * under
    picture[..., :3] = colors // np.maximum(alpha, 1)
    picture[..., 3:] = alpha
