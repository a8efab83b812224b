"""Tiled maps: drawn by Tiled itself, pixel for pixel, and read by a second reader of the format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytiled_parser

from engine_harness import Tiled
from engine_harness.levels import awkward_level, expected_meanings, same_picture, write_artifacts
from engine_harness.tiled_maps import compose, meanings, tile_layers
from exporter.model.level import Level
from exporter.targets import TARGETS

Options = dict[str, Any]
VARIANTS: dict[str, Options] = {
    "csv": {"encoding": "csv"},
    "zlib": {"encoding": "zlib"},
    "infinite": {"encoding": "csv", "infinite": True},
    "infinite-zlib": {"encoding": "zlib", "infinite": True},
    "extruded": {"extrude": 2},
}


@pytest.fixture(params=VARIANTS)
def options(request: pytest.FixtureRequest) -> Options:
    return VARIANTS[request.param]


def export(level: Level, folder: Path, options: Options | None = None) -> Path:
    """Write the level's map in both of Tiled's languages; return the JSON one."""
    target = TARGETS.get("tiled")
    chosen = target.options(path="maps", languages=("json", "xml"), **(options or {}))
    write_artifacts(target.export(level, chosen, "maps").artifacts, folder)
    return folder / f"{level.name}.tmj"


def grid_of(layer: pytiled_parser.TileLayer, level: Level) -> np.ndarray:
    """The cells of a parsed layer, its chunks put together."""
    if layer.data is not None:
        return np.array(layer.data)
    grid = np.zeros((level.height, level.width), np.uint32)
    for chunk in layer.chunks or []:
        left, top = int(chunk.coordinates.x), int(chunk.coordinates.y)
        part = np.array(chunk.data)[: level.height - top, : level.width - left]
        grid[top : top + part.shape[0], left : left + part.shape[1]] = part
    return grid


def test_every_cell_has_a_tile_that_means_its_id(tmp_path: Path, options: Options) -> None:
    level = awkward_level()
    map_file = export(level, tmp_path, options)
    layers = tile_layers(map_file)
    assert list(layers) == [layer.name for layer in level.tile_layers()]
    known = meanings(map_file)
    for layer in level.tile_layers():
        found = [known.get(gid) for gid in layers[layer.name].ravel().tolist()]
        assert found == expected_meanings(layer)


def test_tiled_draws_every_pixel_as_we_do(tiled: Tiled, tmp_path: Path, options: Options) -> None:
    map_file = export(awkward_level(), tmp_path, options)
    # Object outlines are drawn too unless hidden.
    drawn = tiled.rasterize(map_file, "--hide-layer", "objects")
    expected = compose(map_file)
    height, width = expected.shape[:2]
    # An infinite map is drawn up to the ends of its chunks: nothing may be there.
    assert not drawn[height:].any()
    assert not drawn[:, width:].any()
    same_picture(drawn[:height, :width], expected)
    assert len(np.unique(expected.reshape(-1, 4), axis=0)) > 4


def test_tiled_draws_the_xml_map_like_the_json_map(
    tiled: Tiled, tmp_path: Path, options: Options
) -> None:
    map_file = export(awkward_level(), tmp_path, options)
    xml = tiled.rasterize(map_file.with_suffix(".tmx"))
    np.testing.assert_array_equal(xml, tiled.rasterize(map_file))


def test_a_second_reader_finds_the_same_cells(tmp_path: Path, options: Options) -> None:
    level = awkward_level()
    map_file = export(level, tmp_path, options)
    parsed = pytiled_parser.parse_map(map_file)
    assert (parsed.map_size.width, parsed.map_size.height) == (level.width, level.height)
    found = {
        layer.name: grid_of(layer, level)
        for layer in parsed.layers
        if isinstance(layer, pytiled_parser.TileLayer)
    }
    expected = tile_layers(map_file)
    assert list(found) == list(expected)
    for name, gids in expected.items():
        np.testing.assert_array_equal(found[name], gids)


def test_a_second_reader_finds_the_tiles_and_their_shapes(tmp_path: Path) -> None:
    level = awkward_level()
    parsed = pytiled_parser.parse_map(export(level, tmp_path))
    (tileset,) = parsed.tilesets.values()
    found = {}
    for tile in (tileset.tiles or {}).values():
        assert tile.properties is not None
        found[tile.properties["id"], tile.properties["name"]] = tile
    for layer in level.tile_layers():
        for wanted in layer.tiles:
            tile = found[wanted.id, wanted.name]
            assert tile.properties is not None
            assert tile.properties["walkable"] is wanted.walkable
            assert tile.properties["opaque"] is wanted.opaque
            shapes = getattr(tile.objects, "tiled_objects", [])
            assert len(shapes) == (0 if wanted.walkable else 1)


def test_a_second_reader_finds_the_objects_and_their_properties(tmp_path: Path) -> None:
    level = awkward_level()
    parsed = pytiled_parser.parse_map(export(level, tmp_path))
    size = parsed.tile_size.width
    groups = [layer for layer in parsed.layers if isinstance(layer, pytiled_parser.ObjectLayer)]
    found = [thing for group in groups for thing in group.tiled_objects]
    assert len(found) == len(level.objects)
    for thing, wanted in zip(found, level.objects, strict=True):
        assert (thing.id, thing.name) == (wanted.id, wanted.name)
        assert tuple(thing.coordinates) == (wanted.x * size, wanted.y * size)
        given = {key: value for key, value in wanted.properties.items() if value is not None}
        assert (thing.properties or {}) == given
    assert parsed.properties is not None
    assert level.properties.items() <= parsed.properties.items()
