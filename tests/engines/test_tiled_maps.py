"""Tiled maps: drawn by Tiled itself, pixel for pixel, and read by a second reader of the format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytiled_parser

from engine_harness import Tiled
from engine_harness.levels import awkward_level, expected_meanings, same_picture, write_level
from engine_harness.tiled_maps import compose, meanings, read_json, tile_layers
from exporter.model.level import Level

Options = dict[str, Any]
VARIANTS: dict[str, Options] = {
    "csv": {"encoding": "csv"},
    "zlib": {"encoding": "zlib"},
    "infinite": {"encoding": "csv", "infinite": True},
    "infinite-zlib": {"encoding": "zlib", "infinite": True},
    "extruded": {"extrude": 2},
    "embedded": {"tilesets": "embedded"},
    "embedded-zlib": {"tilesets": "embedded", "encoding": "zlib"},
    "embedded-infinite": {"tilesets": "embedded", "infinite": True},
}
# Numbers that are called csv, as Tiled's documentation allows, pytiled-parser takes for base64.
BEYOND_PYTILED = {"embedded"}


@pytest.fixture(params=VARIANTS)
def options(request: pytest.FixtureRequest) -> Options:
    return VARIANTS[request.param]


def export(level: Level, folder: Path, options: Options | None = None) -> Path:
    """Write the level's map in both of Tiled's languages; return the JSON one."""
    write_level("tiled", level, folder, "maps", languages=("json", "xml"), **(options or {}))
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


def level_with_roles() -> Level:
    """The awkward level, its second layer a picture, with a layer of data below both."""
    level = awkward_level()
    ground, marks, relief = level.layers.values()
    steps = replace(ground, name="steps", cells=ground.cells[::-1], role="data")
    layers = (steps, ground, replace(marks, role="picture"), relief)
    return replace(level, layers={layer.name: layer for layer in layers})


def test_every_cell_has_a_tile_that_means_its_id(tmp_path: Path, options: Options) -> None:
    level = awkward_level()
    map_file = export(level, tmp_path, options)
    layers = tile_layers(map_file)
    assert list(layers) == [layer.name for layer in level.tile_layers()]
    known = meanings(map_file)
    for layer in level.tile_layers():
        result = [known.get(gid) for gid in layers[layer.name].ravel().tolist()]
        assert result == expected_meanings(layer)


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


@pytest.mark.parametrize("suffix", [".tmj", ".tmx"])
def test_tiled_draws_no_layer_of_data(tiled: Tiled, tmp_path: Path, suffix: str) -> None:
    map_file = export(level_with_roles(), tmp_path).with_suffix(suffix)
    drawn = tiled.rasterize(map_file, "--hide-layer", "objects")
    same_picture(drawn, compose(map_file.with_suffix(".tmj")))
    without = replace(awkward_level(), name="plain")
    plain = export(without, tmp_path)
    same_picture(drawn, tiled.rasterize(plain, "--hide-layer", "objects"))
    # The map does have it.
    displayed = tiled.rasterize(map_file, "--show-layer", "steps")
    assert (displayed != drawn).any()


@pytest.mark.parametrize("tilesets", ["level", "embedded"])
@pytest.mark.parametrize("suffix", [".tmj", ".tmx"])
def test_tiled_itself_finds_the_collision_and_saves_it_again(
    tiled: Tiled, tmp_path: Path, suffix: str, tilesets: str
) -> None:
    level = level_with_roles()
    options = {"collision": "merged", "tilesets": tilesets}
    map_file = export(level, tmp_path, options).with_suffix(suffix)
    saved = tmp_path / "saved.tmj"
    tiled.save_as(map_file, saved)
    layers = {layer["name"]: layer for layer in read_json(saved)["layers"]}
    assert list(layers) == ["steps", "ground", "märks 2", "collision", "objects"]
    assert [layer["visible"] for layer in layers.values()] == [False, True, True, True, True]
    roles = [
        {entry["name"]: entry["value"] for entry in layers[layer.name]["properties"]}["role"]
        for layer in level.tile_layers()
    ]
    assert roles == ["data", "play", "picture"]
    np.testing.assert_array_equal(filled(layers["collision"], saved), ~level.walkable())
    for name, gids in tile_layers(map_file.with_suffix(".tmj")).items():
        np.testing.assert_array_equal(tile_layers(saved)[name], gids)


def filled(layer: dict[str, Any], map_file: Path) -> np.ndarray:
    """The cells whose middle lies in some polygon of an object layer, found by crossing edges."""
    document = read_json(map_file)
    size = document["tilewidth"]
    y, x = (np.indices((document["height"], document["width"])) + 0.5) * size
    inside = np.zeros(x.shape, bool)
    for thing in layer["objects"]:
        points = [(thing["x"] + p["x"], thing["y"] + p["y"]) for p in thing["polygon"]]
        crossed = np.zeros(x.shape, bool)
        for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
            if ay != by:
                at = ax + (y - ay) / (by - ay) * (bx - ax)
                crossed ^= ((ay > y) != (by > y)) & (x < at)
        assert not (inside & crossed).any()
        inside |= crossed
    return inside


def test_tiled_draws_the_xml_map_like_the_json_map(
    tiled: Tiled, tmp_path: Path, options: Options
) -> None:
    map_file = export(awkward_level(), tmp_path, options)
    xml = tiled.rasterize(map_file.with_suffix(".tmx"))
    np.testing.assert_array_equal(xml, tiled.rasterize(map_file))


@pytest.mark.parametrize("suffix", [".tmj", ".tmx"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_second_reader_finds_the_same_cells(tmp_path: Path, variant: str, suffix: str) -> None:
    level = awkward_level()
    map_file = export(level, tmp_path, VARIANTS[variant])
    if suffix == ".tmj" and variant in BEYOND_PYTILED:
        with pytest.raises(TypeError, match="bytes-like"):
            pytiled_parser.parse_map(map_file)
        return
    parsed = pytiled_parser.parse_map(map_file.with_suffix(suffix))
    assert (parsed.map_size.width, parsed.map_size.height) == (level.width, level.height)
    result = {
        layer.name: grid_of(layer, level)
        for layer in parsed.layers
        if isinstance(layer, pytiled_parser.TileLayer)
    }
    expected = tile_layers(map_file)
    assert list(result) == list(expected)
    for name, gids in expected.items():
        np.testing.assert_array_equal(result[name], gids)


def test_a_second_reader_finds_the_tiles_and_their_shapes(tmp_path: Path) -> None:
    level = awkward_level()
    parsed = pytiled_parser.parse_map(export(level, tmp_path))
    (tileset,) = parsed.tilesets.values()
    result = {}
    for tile in (tileset.tiles or {}).values():
        assert tile.properties is not None
        result[tile.properties["id"], tile.properties["name"]] = tile
    for layer in level.tile_layers():
        for expected in layer.tiles:
            tile = result[expected.id, expected.name]
            assert tile.properties is not None
            assert tile.properties["walkable"] is expected.walkable
            assert tile.properties["opaque"] is expected.opaque
            shapes = getattr(tile.objects, "tiled_objects", [])
            assert len(shapes) == (0 if expected.walkable else 1)


def test_a_second_reader_finds_the_objects_and_their_properties(tmp_path: Path) -> None:
    level = awkward_level()
    parsed = pytiled_parser.parse_map(export(level, tmp_path))
    size = parsed.tile_size.width
    groups = [layer for layer in parsed.layers if isinstance(layer, pytiled_parser.ObjectLayer)]
    result = [thing for group in groups for thing in group.tiled_objects]
    assert len(result) == len(level.objects)
    for thing, expected in zip(result, level.objects, strict=True):
        assert (thing.id, thing.name) == (expected.id, expected.name)
        assert tuple(thing.coordinates) == (expected.x * size, expected.y * size)
        given = {key: value for key, value in expected.properties.items() if value is not None}
        assert (thing.properties or {}) == given
    assert parsed.properties is not None
    assert level.properties.items() <= parsed.properties.items()
