"""Parts of a world show the pictures that the whole would show there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cases import each_case
from exporter.build.build import build_level
from exporter.build.world import AROUND, World
from exporter.model.level import Layer, Level, Surroundings, Tile
from exporter.model.windows import Window
from exporter.model.world_part import WorldPart
from exporter.reading.reader import parse_level
from exporter.tilesets import level_tileset
from exporter.tilesets.team_tiles import TeamTerrain, TeamTerrainSet, Variants, team_tile_numbers
from exporter.tilesets.terrain_match import TerrainTile
from terrain_sheets import LEGEND, island, terrain_level

SPEC = b"""size: [301, 233]
chunk: 64
layers:
  relief: {generator: heightmap, feature_size: 30}
  biomes: {generator: bands, of: relief, steps: [{below: 0.3, tile: water},
    {below: 0.6, tile: sand}, {tile: grass}]}
  caves: {generator: cellular_caves}
"""


def test_drawn_pictures_of_parts_are_those_of_the_whole() -> None:
    spec = parse_level(SPEC, "w.level.yaml")
    world = World(spec)
    known = world.surveyed()
    grounds = world.grounds(known)
    whole = build_level(spec)
    tiles = level_tileset(whole)
    for row in range(world.rows):
        for column in range(world.columns):
            part = world.part(column, row, known, grounds)
            window = world.window(column, row)
            inside = slice(window.y, window.bottom), slice(window.x, window.right)
            own = level_tileset(part)
            assert np.array_equal(own.pixels, tiles.pixels)
            for layer in part.tile_layers():
                expected = tiles.numbers(whole.layers[layer.name])[inside]
                assert np.array_equal(own.numbers(layer), expected)


def parts_of(level: Level, side: int) -> list[tuple[Window, Level]]:
    """Cut a level into parts, each with its surroundings."""
    size = level.width, level.height
    result = []
    for y in range(0, level.height, side):
        for x in range(0, level.width, side):
            width, height = min(side, size[0] - x), min(side, size[1] - y)
            window = Window(x, y, width, height, size)
            wide = window.grown(AROUND)
            rows, columns = slice(wide.y, wide.bottom), slice(wide.x, wide.right)
            inside = window.within(wide)
            layers = {}
            for name, layer in level.layers.items():
                cells = np.ascontiguousarray(layer.cells[rows, columns])
                around = Surroundings(cells, inside, (wide.x, wide.y))
                layers[name] = replace(layer, cells=cells[inside].copy(), around=around)
            part = WorldPart("w", size, 64, x // side, y // side)
            cut = replace(level, width=width, height=height, layers=layers, part=part)
            result.append((window, cut))
    return result


@pytest.mark.parametrize("side", [7, 16, 40])
def test_stacked_pictures_of_parts_are_those_of_the_whole(side: int) -> None:
    level = terrain_level("w", 45, 61)
    tiles = level_tileset(level)
    whole = tiles.drawings(level.layers["ground"])
    assert any(item.between_cells for item in whole)
    for window, part in parts_of(level, side):
        drawings = level_tileset(part).drawings(part.layers["ground"])
        assert [drawing.tile for drawing in drawings] == [item.tile for item in whole]
        for own, other in zip(drawings, whole, strict=True):
            more = int(own.between_cells)
            expected = other.numbers[
                window.y : window.bottom + more, window.x : window.right + more
            ]
            # At the edge of a part it is unknown what its neighbours hide.
            edge = np.ones(expected.shape, bool)
            edge[1 : -1 or None, 1 : -1 or None] = not more
            same = (own.numbers == expected) | (edge & (more == 1) & (expected < 0))
            assert same.all(), own.tile


def blobs(terrain: int, first: int, other: int) -> list[TerrainTile]:
    """Tiles of a terrain for all neighbourhoods by sides, with another terrain around."""
    tiles = []
    for mask in range(16):
        bits = [-1] * 8
        for index in range(4):
            bits[2 * index] = terrain if mask >> index & 1 else other
        tiles.append(TerrainTile(first + mask, frozenset({terrain}), tuple(bits)))
    return tiles


TERRAINS = TeamTerrainSet(
    "sides", (*blobs(0, 0, -1), *blobs(1, 100, 0), *blobs(2, 200, 1), *blobs(0, 300, 2)[:5])
)
STANDING = {
    "water": Variants(((500, 1.0), (501, 2.0), (502, 1.0))),
    "sand": TeamTerrain(0, 0),
    "grass": TeamTerrain(0, 1),
    "rock": TeamTerrain(0, 2),
}


@each_case("side", [7, 16, 40])
@each_case("seed", range(3))
def test_tiles_of_a_team_in_parts_are_those_of_the_whole(side: int, seed: int) -> None:
    layer = Layer("ground", "tiles", island(45, 61, seed), "test", tiles=LEGEND)
    level = Level("w", 61, 45, layers={"ground": layer})
    whole, unfit = team_tile_numbers(layer, STANDING, {0: TERRAINS})
    counted = dict.fromkeys(unfit, 0)
    for window, part in parts_of(level, side):
        numbers, here = team_tile_numbers(part.layers["ground"], STANDING, {0: TERRAINS})
        inside = slice(window.y, window.bottom), slice(window.x, window.right)
        assert np.array_equal(numbers, whole[inside])
        counted = {name: count + here[name] for name, count in counted.items()}
    # Each cell counts once, in the part it lies in.
    assert counted == unfit
    assert any(unfit.values())


def test_terrains_that_a_part_lacks_are_ranked_all_the_same() -> None:
    # 0 shows 1, 1 shows 2, and 2 shows 0: which of two is above depends on the third.
    legend = tuple(Tile(n, name, True, False, "#808080") for n, name in enumerate(("a", "b", "c")))
    tiles = tuple(
        TerrainTile(10 * own + number, frozenset({own}), bits)
        for own, other in ((0, 1), (1, 2), (2, 0))
        for number, bits in enumerate(
            [(own,) * 8, (other, own, own, own, own, own, own, own), (other,) * 8]
        )
    )
    standing = {name: TeamTerrain(0, number) for number, name in enumerate("abc")}
    sets = {0: TeamTerrainSet("sides", tiles)}
    cells = np.zeros((6, 30), np.uint8)
    cells[:2, :10] = 1
    cells[:, 25:] = 2
    layer = Layer("ground", "tiles", cells, "test", tiles=legend)
    level = Level("w", 30, 6, layers={"ground": layer})
    whole, _ = team_tile_numbers(layer, standing, sets)
    for window, part in parts_of(level, 5):
        numbers, _ = team_tile_numbers(part.layers["ground"], standing, sets)
        inside = slice(window.y, window.bottom), slice(window.x, window.right)
        assert np.array_equal(numbers, whole[inside])
