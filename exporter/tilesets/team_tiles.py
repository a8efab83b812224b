"""Choose a tile of a team's own tileset for every cell of a layer.

A tile of a level appears as a team's tile, as variants chosen by chance, as a terrain whose tiles
are chosen by their neighbours, or as nothing. Tiles are numbers here; only the code for each engine
knows what the numbers mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Tile
from exporter.tilesets.terrain_match import Matching, TerrainTile, by_chance, match_terrains
from exporter.tilesets.tile_choice import cell_hash


@dataclass(frozen=True, slots=True)
class Variants:
    """Tiles of which one is chosen by chance for each cell.

    `tiles` has pairs of tile number and weight; without tiles the cell stays empty.
    """

    tiles: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class TeamTerrain:
    """A terrain of a team's tileset.

    `terrain_set` is the number of its set, `terrain` its own number in the set.
    """

    terrain_set: int
    terrain: int


TeamAppearance: TypeAlias = Variants | TeamTerrain


@dataclass(frozen=True, slots=True)
class TeamTerrainSet:
    """A terrain set of a team's tileset: tiles that show terrains.

    `mode` says by which neighbours tiles are chosen: those at sides, at corners, or both.
    """

    mode: Matching
    tiles: tuple[TerrainTile, ...]


def team_tile_numbers(
    layer: Layer, appearances: Mapping[str, TeamAppearance], sets: Mapping[int, TeamTerrainSet]
) -> tuple[NDArray[np.int32], dict[str, int]]:
    """Return the number of the team's tile for each cell of a layer.

    Args:
        layer: The layer of the level.
        appearances: The appearance of each tile, by the tile's name; other tiles are not shown.
        sets: The terrain sets, by number.

    Returns:
        int32 [height, width], -1 for none; and, for each tile that is a terrain, by name, in how
        many cells no tile of the set fits the neighbours.
    """
    if layer.around is None:
        everywhere = slice(0, layer.height), slice(0, layer.width)
        return _numbers_with(layer, appearances, sets, (0, 0), everywhere)
    # Choose with the cells around the chunk, then cut.
    around = layer.around
    wide = replace(layer, cells=around.cells, around=None)
    numbers, unfit = _numbers_with(wide, appearances, sets, around.origin, around.inside)
    return np.ascontiguousarray(numbers[around.inside]), unfit


def _numbers_with(
    layer: Layer,
    appearances: Mapping[str, TeamAppearance],
    sets: Mapping[int, TeamTerrainSet],
    origin: tuple[int, int],
    counted: tuple[slice, slice],
) -> tuple[NDArray[np.int32], dict[str, int]]:
    """Do the work of `team_tile_numbers` for a layer that is no chunk.

    `origin` is the position (x, y) of the layer's first cell in the whole map. Cells that no tile
    fits are counted only in `counted`, slices of rows and columns.
    """
    hashes = cell_hash(layer.height, layer.width, origin)
    numbers = np.full(layer.cells.shape, -1, np.int32)
    members: dict[int, list[tuple[Tile, int]]] = {}
    for tile in layer.tiles:
        appearance = appearances.get(tile.name)
        if isinstance(appearance, TeamTerrain):
            members.setdefault(appearance.terrain_set, []).append((tile, appearance.terrain))
        elif appearance is not None and appearance.tiles:
            here = layer.cells == tile.id
            numbers[here] = by_chance(appearance.tiles, hashes[here].astype(np.uint64))
    unfit: dict[str, int] = {}
    for number, tiles in members.items():
        inexact = _set_terrains(layer, sets[number], tiles, numbers, hashes)
        for tile, _ in tiles:
            here = inexact & (layer.cells == tile.id)
            unfit[tile.name] = int(np.count_nonzero(here[counted]))
    return numbers, unfit


def _set_terrains(
    layer: Layer,
    terrain_set: TeamTerrainSet,
    members: Sequence[tuple[Tile, int]],
    numbers: NDArray[np.int32],
    hashes: NDArray[np.uint32],
) -> NDArray[np.bool_]:
    """Set `numbers` in the cells of a terrain set; return where no tile fits.

    `members` has the level's tiles with their terrains; `hashes` has a number for each cell, which
    chooses among equally good tiles. The result is bool [height, width].
    """
    table = np.full(65536, -1, np.int16)
    for tile, terrain in members:
        table[tile.id] = terrain
    cells = table[layer.cells]
    # All terrains of the legend, because a chunk may lack some of the world's tiles.
    ranked = sorted({terrain for _, terrain in members})
    result, inexact = match_terrains(cells, terrain_set.tiles, terrain_set.mode, hashes, ranked)
    here = cells >= 0
    numbers[here] = result[here]
    return inexact
