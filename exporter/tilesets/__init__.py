"""Tilesets: which picture stands for a tile id, in one sheet for all tile layers of a level.

Numbers are stable: every distinct legend begins a row of its own, and a tile's number is the
row's first number plus the tile's id. A tile added at the end of a legend, or a layer added at the
end of a level, takes free numbers and moves none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exporter.level import Layer, Level, Tile
from exporter.tilesets.drawing import SIZE, draw_tile

COLUMNS = 8
# Legends with larger ids are numbered without gaps.
_LARGEST_ID = 1023


@dataclass(frozen=True, slots=True, eq=False)
class Tileset:
    """A sheet of tile pictures and what they mean.

    Attributes:
        tile_size: Side of a tile in pixels.
        columns: Tiles in a row of the sheet; numbers count along rows, from 0.
        rows: Rows of the sheet.
        pixels: The sheet, uint8 [rows * tile_size, columns * tile_size, 4].
        tiles: What each number means. Numbers without an entry are blank.
        numbers_of: For each tile layer, the number of each tile id, -1 for none.
    """

    tile_size: int
    columns: int
    rows: int
    pixels: NDArray[np.uint8]
    tiles: Mapping[int, Tile]
    numbers_of: Mapping[str, NDArray[np.int32]]

    @property
    def count(self) -> int:
        """Places in the sheet, blank ones included."""
        return self.columns * self.rows

    def numbers(self, layer: Layer) -> NDArray[np.int32]:
        """Return the tile number of every cell, -1 where nothing stands: int32 [height, width]."""
        return self.numbers_of[layer.name][layer.cells]

    def picture(self, number: int) -> NDArray[np.uint8]:
        """Return a tile's pixels: uint8 [tile_size, tile_size, 4]."""
        row, column = divmod(number, self.columns)
        size = self.tile_size
        return self.pixels[row * size : (row + 1) * size, column * size : (column + 1) * size]


def builtin_tileset(level: Level) -> Tileset:
    """Return the drawn tileset of a level's tile layers."""
    tiles: dict[int, Tile] = {}
    numbers_of: dict[str, NDArray[np.int32]] = {}
    known: dict[tuple[Tile, ...], NDArray[np.int32]] = {}
    following = 0
    for layer in level.tile_layers():
        if layer.tiles not in known:
            known[layer.tiles], following = _number(layer, following, tiles)
        numbers_of[layer.name] = known[layer.tiles]
    rows = max(1, following // COLUMNS)
    pixels = np.zeros((rows * SIZE, COLUMNS * SIZE, 4), np.uint8)
    tileset = Tileset(SIZE, COLUMNS, rows, pixels, tiles, numbers_of)
    for number, tile in tiles.items():
        tileset.picture(number)[:] = draw_tile(tile)
    return tileset


def _number(layer: Layer, first: int, tiles: dict[int, Tile]) -> tuple[NDArray[np.int32], int]:
    """Give a legend's tiles numbers from `first` on; return them by id, and the next free row."""
    table = np.full(65536, -1, np.int32)
    by_id = all(tile.id <= _LARGEST_ID for tile in layer.tiles)
    last = first
    for rank, tile in enumerate(layer.tiles):
        last = first + (tile.id if by_id else rank)
        table[tile.id] = last
        tiles[last] = tile
    return table, (last // COLUMNS + 1) * COLUMNS
