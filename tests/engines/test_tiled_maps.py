"""Tiled maps: drawn by Tiled itself, pixel for pixel, and read by a second reader of the format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytiled_parser
from PIL import Image

from engine_harness import Tiled
from engine_harness.levels import awkward_level, write_artifacts
from exporter.level import Layer, Level
from exporter.targets import TARGETS

ENCODINGS = ("csv", "zlib")


def export(level: Level, folder: Path, encoding: str) -> Path:
    target = TARGETS.get("tiled")
    exported = target.artifacts(level, target.options(path="maps", encoding=encoding), "maps")
    write_artifacts(exported.artifacts, folder)
    return folder / f"{level.name}.tmj"


def tiles_by_meaning(tileset: dict[str, Any]) -> dict[tuple[int, str], int]:
    """The number in the tileset of every (id, name)."""
    numbers = {}
    for tile in tileset["tiles"]:
        values = {entry["name"]: entry["value"] for entry in tile["properties"]}
        numbers[values["id"], values["name"]] = tile["id"]
    return numbers


def tile_numbers(layer: Layer, tileset: dict[str, Any]) -> np.ndarray:
    """The tileset number of every cell, -1 for empty ones, from the level alone."""
    numbers = np.full(layer.cells.shape, -1)
    meanings = tiles_by_meaning(tileset)
    for tile in layer.tiles:
        if (tile.id, tile.name) in meanings:
            numbers[layer.cells == tile.id] = meanings[tile.id, tile.name]
    return numbers


def compose(level: Level, folder: Path) -> np.ndarray:
    """Our own drawing of the level from the tileset's picture: RGBA, straight alpha."""
    tileset = json.loads((folder / f"{level.name}.tileset.tsj").read_text(encoding="utf-8"))
    size, columns = tileset["tilewidth"], tileset["columns"]
    with Image.open(folder / tileset["image"]) as image:
        sheet = image.convert("RGBA")
    drawn = Image.new("RGBA", (level.width * size, level.height * size))
    for layer in level.tile_layers():
        for (y, x), number in np.ndenumerate(tile_numbers(layer, tileset)):
            if number >= 0:
                top, left = number // columns * size, number % columns * size
                tile = sheet.crop((left, top, left + size, top + size))
                drawn.alpha_composite(tile, (x * size, y * size))
    return np.asarray(drawn)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_tiled_draws_every_pixel_as_we_do(tiled: Tiled, tmp_path: Path, encoding: str) -> None:
    level = awkward_level()
    # Object outlines are drawn too unless hidden.
    options = ("--hide-layer", "objects")
    drawn = tiled.rasterize(export(level, tmp_path, encoding), *options).astype(int)
    expected = compose(level, tmp_path).astype(int)
    assert drawn.shape == expected.shape
    solid = np.isin(expected[:, :, 3], (0, 255))
    np.testing.assert_array_equal(drawn[solid], expected[solid])
    # Painting half-transparent tiles rounds once in Qt's premultiplied colours.
    np.testing.assert_array_equal(drawn[:, :, 3], expected[:, :, 3])
    np.testing.assert_allclose(drawn[~solid], expected[~solid], atol=2)
    assert solid.any()
    assert len(np.unique(drawn.reshape(-1, 4), axis=0)) >= 4


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_second_reader_finds_the_same_cells(tmp_path: Path, encoding: str) -> None:
    level = awkward_level()
    parsed = pytiled_parser.parse_map(export(level, tmp_path, encoding))
    assert (parsed.map_size.width, parsed.map_size.height) == (level.width, level.height)
    tileset = json.loads((tmp_path / "crypt.tileset.tsj").read_text(encoding="utf-8"))
    tile_layers = [layer for layer in parsed.layers if isinstance(layer, pytiled_parser.TileLayer)]
    assert [layer.name for layer in tile_layers] == [layer.name for layer in level.tile_layers()]
    for found, layer in zip(tile_layers, level.tile_layers(), strict=True):
        np.testing.assert_array_equal(np.array(found.data), tile_numbers(layer, tileset) + 1)


def test_a_second_reader_finds_the_tiles_and_their_shapes(tmp_path: Path) -> None:
    level = awkward_level()
    parsed = pytiled_parser.parse_map(export(level, tmp_path, "csv"))
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
    parsed = pytiled_parser.parse_map(export(level, tmp_path, "csv"))
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
