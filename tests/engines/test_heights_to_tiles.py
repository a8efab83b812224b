"""Tiles made of heights in engines: solid cells, and the order of layers."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_harness import Godot, Tiled
from engine_harness.godot import READ_SCENE
from engine_harness.levels import expected_meanings, write_level
from engine_harness.tiled_maps import compose, meanings, tile_layers
from exporter.build.build import build_level
from exporter.generators import flow
from exporter.model.level import Level
from exporter.reading.reader import parse_level

COLLIDES = 4
SPEC = """
size: [40, 30]
seed: 5
layers:
  relief:
    generator: heightmap
    size: [65, 49]
    feature_size: 30
    island_percent: 90
    minimum: -40
    maximum: 160
  steep: {generator: slope, of: relief, role: none}
  biomes:
    generator: bands
    of: relief
    steps:
      - {below: 0, tile: sea}
      - {below: 8, tile: beach}
      - {below: 60, tile: grass}
      - {below: 90, tile: forest}
      - {below: 130, tile: mountain}
      - {tile: snow}
  cliffs: {generator: bands, of: steep, steps: [{below: 30, tile: empty}, {tile: cliff}]}
  rivers: {generator: flow, of: relief, rivers_from_percent: 0.6}
  light: {generator: shade, of: relief, sea_level: 0}
"""


@pytest.fixture(scope="module")
def level() -> Level:
    """An island whose rivers and cliffs are separate layers over its biomes."""
    result = build_level(parse_level(SPEC.encode(), "isle.level.yaml"))
    assert [layer.name for layer in result.play_layers()] == ["biomes", "cliffs", "rivers"]
    names = {layer.tiles[int(item)].name for layer in result.play_layers() for item in
             np.unique(layer.cells)}  # fmt: skip
    assert {"empty", "sea", "beach", "grass", "forest", "mountain", "cliff", "river"} <= names
    return result


def test_godot_blocks_water_rock_and_cliffs_and_nothing_else(
    godot: Godot, level: Level, tmp_path: Path
) -> None:
    folder = godot.new_project(tmp_path)
    options: dict[str, Any] = dict.fromkeys(("collision", "navigation"), "tiles")
    write_level("godot", level, folder / "levels", **options)
    godot.import_project(folder)
    scene = f"res://levels/{level.name}.tscn"
    answers = godot.query(folder, READ_SCENE, {"scenes": [scene]})[scene]["layers"]
    seen = level.seen_layers()
    assert len(answers) == len(seen) == 4
    blocked = np.zeros((level.height, level.width), bool)
    drawn = np.zeros((level.height, level.width), bool)
    for answer, layer in zip(answers, seen, strict=True):
        numbers = np.frombuffer(base64.b64decode(answer["cells"]), "<i4").reshape(-1, 4)
        x, y, ids, flags = numbers.T
        empty = [tile.id for tile in layer.tiles if tile.empty]
        displayed = np.zeros(drawn.shape, bool)
        displayed[y, x] = True
        np.testing.assert_array_equal(displayed, ~np.isin(layer.cells, empty))
        np.testing.assert_array_equal(ids, layer.cells[y, x])
        blocked[y, x] |= (flags & COLLIDES) > 0
        drawn |= displayed
        if layer.name == "light":
            assert not (flags & COLLIDES).any()
    assert drawn.all()
    np.testing.assert_array_equal(~blocked, level.walkable())
    assert not (level.walkable() & (level.layers["rivers"].cells == flow.RIVER)).any()
    assert 0.2 < level.walkable().mean() < 0.8


def test_tiled_draws_translucent_shades_over_tiles(
    tiled: Tiled, level: Level, tmp_path: Path
) -> None:
    write_level("tiled", level, tmp_path, "maps")
    map_file = tmp_path / f"{level.name}.tmj"
    layers, known = tile_layers(map_file), meanings(map_file)
    for layer in level.tile_layers():
        result = [known.get(gid) for gid in layers[layer.name].ravel().tolist()]
        reported = zip(expected_meanings(layer), layer.cells.ravel().tolist(), strict=True)
        empty = {tile.id for tile in layer.tiles if tile.empty}
        assert result == [None if item in empty else meaning for meaning, item in reported]
    shaded, flat = tiled.rasterize(map_file), tiled.rasterize(map_file, "--hide-layer", "light")
    # Each layer of translucent colours may be rounded otherwise.
    assert abs(shaded.astype(int) - compose(map_file)).max() <= 2
    assert (shaded != flat).any()
    assert (shaded[..., 3] == 255).all()
