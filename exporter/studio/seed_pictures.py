"""Draw small pictures of levels: a pixel for a cell, in its mean colour.

The levels of a sheet share a tileset, so its colours are computed once. Pictures are like a preview
with one pixel a cell, but a tile with several pictures has the colour of the first one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.formats.preview import preview_pixels
from exporter.model.level import Layer, Level, Tile
from exporter.studio.display import seen_tileset
from exporter.studio.object_legend import object_color

# The longer side of a small picture in pixels, at most: one pixel for each cell of most levels.
SIDE = 96
# Crosses of more objects, one for each so many cells, would hide the level.
_CELLS_A_CROSS = 150
_BACKGROUND = (24, 22, 30)
# A colour for every id of a layer's cells: int32 [ids, 4].
Colors = NDArray[np.int32]
Pixels = NDArray[np.uint8]
_Key = tuple[tuple[str, str, str, tuple[Tile, ...]], ...]
_MOST_RETAINED = 64


class SmallPictures:
    """Draws small pictures of levels, and caches the colours of their tiles."""

    def __init__(self) -> None:
        self._pictures: dict[_Key, dict[str, Colors]] = {}

    def of(self, level: Level, names: Sequence[str] = ()) -> Pixels:
        """Return a small picture of a level: uint8 [height, width, 3].

        The picture's longer side has at most 96 pixels. `names` are names of objects that get the
        first colours, in order.
        """
        step = step_of(level.width, level.height)
        layers = level.seen_layers()
        if layers:
            picture = self._tiles(level, layers, step)
        else:
            pixels, _ = preview_pixels(level, scale=1)
            picture = np.ascontiguousarray(pixels[step // 2 :: step, step // 2 :: step])
        crossed = len(level.objects) * _CELLS_A_CROSS <= picture.shape[0] * picture.shape[1]
        kinds = {name: position for position, name in enumerate(names)}
        for thing in level.objects:
            kind = kinds.setdefault(thing.name, len(kinds))
            _mark(picture, thing.x // step, thing.y // step, object_color(kind), crossed=crossed)
        return picture

    def _tiles(self, level: Level, layers: list[Layer], step: int) -> Pixels:
        colors = self._colors(level, layers)
        some = (slice(step // 2, None, step), slice(step // 2, None, step))
        shape = layers[0].cells[some].shape
        picture = np.empty((*shape, 3), np.int32)
        picture[:] = _BACKGROUND
        for layer in layers:
            above = colors[layer.name].take(layer.cells[some], axis=0)
            alpha = above[..., 3:]
            picture = (above[..., :3] * alpha + picture * (255 - alpha)) // 255
        return picture.astype(np.uint8)

    def _colors(self, level: Level, layers: list[Layer]) -> dict[str, Colors]:
        key = tuple((item.name, item.kind, item.role, item.tiles) for item in level.layers.values())
        result = self._pictures.get(key)
        if result is None:
            tileset = seen_tileset(level)
            assert tileset is not None, "layers that are seen have tiles"
            means = tileset.pictures().reshape(tileset.count, -1, 4).mean(axis=1).astype(np.int32)
            result = {}
            for layer in layers:
                # Each id alone, as a layer of one column would have it.
                numbers = tileset.picks[layer.name].table.astype(np.int64)
                for clear, displayed in tileset.whole.items():
                    numbers[numbers == clear] = displayed
                there = (numbers >= 0)[:, None]
                result[layer.name] = np.where(there, means[np.maximum(numbers, 0)], 0)
            if len(self._pictures) >= _MOST_RETAINED:
                self._pictures.clear()
            self._pictures[key] = result
        return result


def step_of(width: int, height: int) -> int:
    """Return the side in cells of the square that one pixel represents.

    `width` and `height` are the size of the level in cells.
    """
    return -(-max(width, height) // SIDE)


def small_shape(width: int, height: int) -> tuple[int, int, int]:
    """Return the shape [height, width, 3] of the small picture of a level.

    `width` and `height` are the size of the level in cells.
    """
    step = step_of(width, height)
    return len(range(step // 2, height, step)), len(range(step // 2, width, step)), 3


def _mark(picture: Pixels, x: int, y: int, color: tuple[int, int, int], *, crossed: bool) -> None:
    """Draw an object as one pixel or, if `crossed`, as a cross of five pixels."""
    height, width, _ = picture.shape
    arms = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if crossed else ()
    for column, row in ((x, y), *arms):
        if 0 <= column < width and 0 <= row < height:
            picture[row, column] = color
