"""Defold's files, read with protobuf's own text format and the messages of Defold's SDK."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from defoldsdk.gamesys import tile_ddf_pb2 as messages
from google.protobuf import text_format
from PIL import Image

from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Level, PlacedObject, Tile
from exporter.model.world_part import WorldPart
from exporter.targets import TARGETS
from exporter.tilesets import level_tileset
from terrain_sheets import terrain_level

sys.path.append(str(Path(__file__).parents[1] / "engines"))
from cases import each_case
from engine_harness.levels import awkward_level


def files_of(level: Level, home: str = "levels", **options: Any) -> dict[str, bytes]:
    target = TARGETS.get("defold")
    result = target.export(level, target.options(path=home, **options), home)
    return {file.name: file.data for file in result.artifacts}


def tile_map(files: dict[str, bytes], name: str = "crypt") -> Any:
    return text_format.Parse(files[f"{name}.tilemap"].decode(), messages.TileGrid())


def tile_source(files: dict[str, bytes], name: str = "crypt") -> Any:
    return text_format.Parse(files[f"{name}.tilesource"].decode(), messages.TileSet())


@pytest.mark.parametrize("make", [awkward_level, lambda: terrain_level("isle", 9, 12)])
def test_every_cell_has_its_tile(make: Any) -> None:
    level = replace(make(), name="crypt")
    result = tile_map(files_of(level))
    tileset = level_tileset(level, 0)
    assert [layer.id for layer in result.layers] == [layer.name for layer in level.seen_layers()]
    assert sorted(layer.z for layer in result.layers) == [layer.z for layer in result.layers]
    for layer, drawn in zip(level.seen_layers(), result.layers, strict=True):
        cells = np.full((level.height, level.width), -1)
        for cell in drawn.cell:
            # Rows count upwards, and no cell is there twice.
            assert cells[level.height - 1 - cell.y, cell.x] == -1
            cells[level.height - 1 - cell.y, cell.x] = cell.tile
        np.testing.assert_array_equal(cells, tileset.whole_numbers(layer))
        assert drawn.is_visible


@pytest.mark.parametrize("extrude", [0, 3])
def test_a_tile_is_where_defold_looks_for_it(extrude: int) -> None:
    level = awkward_level()
    files = files_of(level, extrude=extrude)
    source = tile_source(files)
    tileset = level_tileset(level, extrude)
    with Image.open(io.BytesIO(files["crypt.tileset.png"])) as picture:
        pixels = np.asarray(picture.convert("RGBA"))
    # As Defold counts: a margin around every tile, then the space between them.
    step = source.tile_width + 2 * source.tile_margin + source.tile_spacing
    assert pixels.shape[1] == tileset.columns * step
    for number in sorted(tileset.tiles):
        row, column = divmod(number, tileset.columns)
        x, y = column * step + source.tile_margin, row * step + source.tile_margin
        seen = pixels[y : y + source.tile_height, x : x + source.tile_width]
        np.testing.assert_array_equal(seen, tileset.picture(number))


def test_tiles_that_stop_who_walks_are_full_squares_of_one_group() -> None:
    level = awkward_level()
    files = files_of(level)
    source, result = tile_source(files), tile_map(files)
    assert list(source.collision_groups) == ["solid"]
    tileset = level_tileset(level, 0)
    assert len(source.convex_hulls) == tileset.count
    with Image.open(io.BytesIO(files["crypt.collision.png"])) as picture:
        alpha = np.asarray(picture.convert("RGBA"))[..., 3]
    assert alpha.shape == tileset.pixels.shape[:2]
    stops = np.zeros((level.height, level.width), bool)
    for drawn in result.layers:
        for cell in drawn.cell:
            solid = source.convex_hulls[cell.tile].collision_group == "solid"
            x, y = tileset.corner(cell.tile)
            assert (alpha[y : y + 16, x : x + 16] == 255 * solid).all()
            stops[level.height - 1 - cell.y, cell.x] |= solid
    blocked = np.zeros_like(stops)
    for layer in level.play_layers():
        blocked |= layer.lookup([tile.blocking for tile in layer.tiles])
    np.testing.assert_array_equal(stops, blocked)
    assert blocked.any()
    assert not blocked.all()


def test_data_is_not_drawn_and_a_picture_stops_nobody() -> None:
    level = awkward_level()
    ground = level.layers["ground"]
    layers = {
        "data": replace(ground, name="data", role="data"),
        "shade": replace(ground, name="shade", role="picture"),
    }
    files = files_of(replace(level, layers=layers))
    assert [layer.id for layer in tile_map(files).layers] == ["shade"]
    assert {hull.collision_group for hull in tile_source(files).convex_hulls} == {""}
    nothing = files_of(replace(level, layers={"data": layers["data"]}))
    assert "crypt.tilemap" not in nothing


@each_case(
    ("home", "resources", "folder"),
    [
        ("levels", None, "/levels/"),
        ("game/levels", "/levels", "/levels/"),
        ("../game", "/", "/"),
        (".", None, "/"),
    ],
)
def test_resources_are_named_from_the_top_of_the_game(
    home: str, resources: str | None, folder: str
) -> None:
    files = files_of(awkward_level(), home, resources=resources)
    assert tile_map(files).tile_set == f"{folder}crypt.tilesource"
    source = tile_source(files)
    assert source.image == f"{folder}crypt.tileset.png"
    assert source.collision == f"{folder}crypt.collision.png"


def test_a_folder_outside_needs_its_name_in_defold() -> None:
    with pytest.raises(ParameterError, match="write `resources`, such as /levels") as refused:
        files_of(awkward_level(), "../game/levels")
    assert refused.value.path == ("resources",)


def test_parts_of_a_world_name_their_own_folder() -> None:
    level = replace(awkward_level(), part=WorldPart("isle", (74, 23), 37, 1, 0))
    for resources in (None, "/levels"):
        target = TARGETS.get("defold")
        options = target.options(path="levels", resources=resources)
        part = target.export_part(level, options, "levels")
        files = {file.name.removeprefix("isle.world/"): file.data for file in part.artifacts}
        assert tile_map(files).tile_set == "/levels/isle.world/crypt.tilesource"


def test_any_name_of_a_layer_is_a_text() -> None:
    tiles = (Tile(0, "floor", True, False, "#c8b090"),)
    names = ['a "b"', "c\\d", "mürks", "e\nf", "g\x7f\x00"]
    layers = {
        name: Layer(name, "tiles", np.zeros((1, 2), np.uint8), "test", tiles=tiles)
        for name in names
    }
    files = files_of(Level("crypt", 2, 1, layers=layers), blob=False, bitmaps=False)
    assert [layer.id for layer in tile_map(files).layers] == names


def test_too_many_objects_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exporter.formats.tiled.lua.MOST_TABLES", 1000)
    things = tuple(PlacedObject(n + 1, "rat", 0, 0) for n in range(1001))
    level = replace(awkward_level(), objects=things)
    with pytest.raises(ParameterError, match="place fewer objects"):
        files_of(level, blob=False)
