"""The tileset of a level that brings no pictures: every legend drawn, on rows of its own."""

from __future__ import annotations

import numpy as np

from exporter.grids.neighbourhoods import masks_of
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Level, Tile
from exporter.model.suggestions import unknown_name
from exporter.model.tileset import AutotileSet
from exporter.tilesets.drawing import SIZE, base_color, draw_edges, draw_tile
from exporter.tilesets.tileset import Choice, Picks, Terrain, Tileset, mask_terrain

COLUMNS = 8
# Legends with larger ids are numbered without gaps.
_LARGEST_ID = 1023


def drawn_tileset(level: Level) -> Tileset:
    """Return the drawn tileset of a level's tile layers.

    Raises:
        ParameterError: If the level's tileset wants a tile drawn by its neighbours that no
            layer has.
    """
    sheet = _Sheet(dict(level.tileset.options.autotile) if level.tileset else {})
    picks: dict[str, Picks] = {}
    known: dict[tuple[Tile, ...], Picks] = {}
    for layer in level.tile_layers():
        if layer.tiles not in known:
            known[layer.tiles] = sheet.add(layer)
        picks[layer.name] = known[layer.tiles]
    check_names(level, sheet.autotile, "autotile")
    rows = max(1, sheet.following // COLUMNS)
    pixels = np.zeros((rows * SIZE, COLUMNS * SIZE, 4), np.uint8)
    tileset = Tileset(
        SIZE, COLUMNS, rows, pixels, sheet.tiles, picks, terrains=tuple(sheet.terrains)
    )
    for number, tile in sheet.tiles.items():
        tileset.picture(number)[:] = draw_tile(tile)
    for terrain in sheet.terrains:
        for number, mask in terrain.masks().items():
            draw_edges(tileset.picture(number), mask, corners=terrain.autotile == "blob")
    return tileset


def check_names(level: Level, names: dict[str, AutotileSet], key: str) -> None:
    """Refuse names under a key of the level's tileset that no tile layer's legend has."""
    known = [tile.name for layer in level.tile_layers() for tile in layer.tiles]
    for name in names:
        if name not in known:
            place = ("tileset", key, name)
            raise ParameterError(unknown_name("tile", name, sorted(set(known))), place)


class _Sheet:
    """Hands out numbers while legends are added."""

    def __init__(self, autotile: dict[str, AutotileSet]) -> None:
        self.autotile = autotile
        self.tiles: dict[int, Tile] = {}
        self.terrains: list[Terrain] = []
        self.following = 0

    def add(self, layer: Layer) -> Picks:
        """Number a legend's tiles from the next free row on, then their neighbourhoods."""
        table = np.full(65536, -1, np.int32)
        first, last = self.following, self.following
        by_id = all(tile.id <= _LARGEST_ID for tile in layer.tiles)
        shown = [tile for tile in layer.tiles if not tile.empty]
        for rank, tile in enumerate(shown):
            number = first + (tile.id if by_id else rank)
            table[tile.id] = number
            self.tiles[number] = tile
            last = max(last, number)
        self._next_row(last)
        terrain = mask_terrain(layer, table)
        if terrain:
            self.terrains.append(terrain)
        choices = [self._terrain(tile) for tile in shown if tile.name in self.autotile]
        return Picks(table, tuple(choices))

    def _terrain(self, tile: Tile) -> Choice:
        kind = self.autotile[tile.name]
        first = self.following
        numbers = range(first, first + len(masks_of(kind)))
        self.tiles.update(dict.fromkeys(numbers, tile))
        color = "#{:02x}{:02x}{:02x}".format(*base_color(tile)[:3])
        self.terrains.append(Terrain(tile.name, color, kind, tuple(numbers)))
        self._next_row(numbers[-1])
        return Choice(tile.id, np.array(numbers, np.int32), kind)

    def _next_row(self, last: int) -> None:
        self.following = (last // COLUMNS + 1) * COLUMNS
