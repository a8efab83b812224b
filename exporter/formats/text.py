"""Tile layers drawn with letters, a line for each row of cells, for people and for diffs.

`#` blocks way and sight, `.` neither, `~` the way alone, `+` sight alone; a cell whose id the
legend does not have is a blank.
"""

from __future__ import annotations

import numpy as np

from exporter.formats import FormatOptions, format
from exporter.model.level import Layer, Level

# By (walkable, opaque).
_LETTERS = {(False, True): "#", (True, False): ".", (False, False): "~", (True, True): "+"}


@format("text", kind="tilemap", suffix="txt", each="tiles")
def write(level: Level, layer: Layer, options: FormatOptions) -> bytes:
    """Return the drawing of a tile layer."""
    letters = np.full(65536, ord(" "), np.uint8)
    for tile in layer.tiles:
        letters[tile.id] = ord(_LETTERS[tile.walkable, tile.opaque])
    drawn = np.full((layer.height, layer.width + 1), ord("\n"), np.uint8)
    drawn[:, :-1] = letters[layer.cells]
    return drawn.tobytes()
