"""Write a tile layer as a plain picture: a block of colour for each cell.

A tile has the colour of the layer's legend, unless the target sets another colour by the tile's
name.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from exporter.formats import FormatOptions, format
from exporter.formats.images.png import encode_png
from exporter.model.colors import rgba
from exporter.model.level import Layer, Level


@format("bitmap", kind="bitmap", suffix="png", each="tiles")
def write(level: Level, layer: Layer, options: FormatOptions) -> bytes:
    """Return `layer` as PNG, with the cell size and colours of `options`."""
    return bitmap(layer, block_size=options.block_size, colors=options.colors)


def bitmap(
    layer: Layer, *, block_size: int | tuple[int, int] = 5, colors: Mapping[str, str] | None = None
) -> bytes:
    """Draw `layer` as PNG, with a block of pixels for each cell.

    Args:
        layer: A layer of tiles. Ids that the legend lacks are transparent.
        block_size: Side of a cell's square in pixels, or width and height of its rectangle.
        colors: Colours (`#rrggbb` or `#rrggbbaa`) by tile name that replace the legend's.
    """
    return encode_png(cell_colors(layer, colors), repeat=block_size)


def cell_colors(layer: Layer, colors: Mapping[str, str] | None = None) -> NDArray[np.uint8]:
    """Return the colour of each cell of `layer`: uint8 [height, width, 4].

    `colors` has colours by tile name that replace the legend's.
    """
    chosen = colors or {}
    table = np.zeros((np.iinfo(layer.cells.dtype).max + 1, 4), np.uint8)
    for tile in layer.tiles:
        table[tile.id] = rgba(chosen.get(tile.name, tile.color))
    return table[layer.cells]
