"""Tilesets a level brings along, and tiles chosen by their neighbours, in the real engines.

Godot paints terrains by itself: for the same cells it must come to the pictures we wrote.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine_harness import Godot, Tiled
from engine_harness.levels import layer_of, same_picture, write_level
from engine_harness.tiled_maps import compose
from exporter.model.level import BLACK, CLEAR, Level, Tile
from exporter.tilesets import level_tileset
from exporter.tilesets.source import TilesetOptions, open_tileset

WIDTH, HEIGHT, SIZE, MARGIN, SPACING = 40, 30, 12, 3, 2
COLUMNS, ROWS = 13, 6
TILES = (
    Tile(0, "floor", True, False, CLEAR),
    Tile(1, "wall", False, True, BLACK),
    Tile(2, "water", False, False, "#3366cc"),
)
# Floor in four variants, 47 walls from number 6 on, 16 waters from 60 on.
OPTIONS = {
    "tiles": {"floor": (1, 2, 3, 4), "wall": 6, "water": 60},
    "autotile": {"wall": "blob", "water": "edges"},
}
PAINT = """
extends RefCounted

func query(arguments: Dictionary) -> Array:
	return arguments["scenes"].map(paint)

func paint(scene: String) -> Dictionary:
	var root: Node = load(scene).instantiate()
	var layer: TileMapLayer = root.get_node("ground")
	var source: TileSetAtlasSource = layer.tile_set.get_source(0)
	var answers := {"margins": source.margins.x, "separation": source.separation.x,
			"size": source.texture_region_size.x}
	for terrain_set in layer.tile_set.get_terrain_sets_count():
		var cells: Array[Vector2i] = []
		var ours := {}
		var name := layer.tile_set.get_terrain_name(terrain_set, 0)
		for cell in layer.get_used_cells():
			if layer.get_cell_tile_data(cell).get_custom_data("name") == name:
				cells.append(cell)
				ours[cell] = layer.get_cell_atlas_coords(cell)
		layer.set_cells_terrain_connect(cells, terrain_set, 0, false)
		var differing := []
		for cell in cells:
			# Of the variants for a neighbourhood Godot takes any.
			if fit(source, layer.get_cell_atlas_coords(cell)) != fit(source, ours[cell]):
				differing.append([cell.x, cell.y])
		answers[name] = {"cells": cells.size(), "differing": differing}
	root.free()
	return answers


func fit(source: TileSetAtlasSource, place: Vector2i) -> Array:
	var data := source.get_tile_data(place, 0)
	var bits := [data.terrain_set, data.terrain]
	for neighbour in 16:
		if data.is_valid_terrain_peering_bit(neighbour):
			bits.append(data.get_terrain_peering_bit(neighbour))
	return bits
"""


def sheet() -> bytes:
    """A picture in which every tile is a pattern of its own, and the gaps are loud."""
    width = 2 * MARGIN + COLUMNS * (SIZE + SPACING) - SPACING
    height = 2 * MARGIN + ROWS * (SIZE + SPACING) - SPACING
    pixels = np.full((height, width, 3), (255, 0, 255), np.uint8)
    random = np.random.default_rng(5)
    for row in range(ROWS):
        for column in range(COLUMNS):
            y, x = (MARGIN + position * (SIZE + SPACING) for position in (row, column))
            pixels[y : y + SIZE, x : x + SIZE] = random.integers(0, 250, (SIZE, SIZE, 3))
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "png")
    return out.getvalue()


def cells() -> np.ndarray:
    """Blots of wall and water on floor."""
    noise = np.random.default_rng(3).random((HEIGHT, WIDTH))
    for _ in range(2):
        padded = np.pad(noise, 1, mode="edge")
        noise = sum(padded[y : y + HEIGHT, x : x + WIDTH] for y in range(3) for x in range(3)) / 9
    return np.digitize(noise, np.quantile(noise, [0.4, 0.75])).astype(np.uint8)


def level(image: bool) -> Level:
    layers = {"ground": layer_of("ground", cells(), TILES)}
    if image:
        options = TilesetOptions(
            image="a.png", tile_size=SIZE, margin=MARGIN, spacing=SPACING, **OPTIONS
        )
    else:
        options = TilesetOptions(autotile=OPTIONS["autotile"])
    tileset = open_tileset(options, lambda path: sheet())
    return Level("crypt", WIDTH, HEIGHT, layers=layers, tileset=tileset)


@pytest.mark.parametrize("extrude", [0, 2])
@pytest.mark.parametrize("image", [False, True])
def test_tiled_draws_the_tiles_of_the_level(
    tiled: Tiled, tmp_path: Path, image: bool, extrude: int
) -> None:
    result = level(image)
    write_level("tiled", result, tmp_path, "maps", extrude=extrude, blob=False)
    drawn = tiled.rasterize(tmp_path / "crypt.tmj")
    same_picture(drawn, compose(tmp_path / "crypt.tmj"))
    tileset = level_tileset(result)
    numbers = tileset.numbers(result.layers["ground"])
    size = tileset.tile_size
    own = tileset.pictures()[numbers].swapaxes(1, 2).reshape(HEIGHT * size, WIDTH * size, 4)
    same_picture(drawn, own)


# Whether the pictures are of an image, and how far their edges are repeated.
PAINTED = [(False, 0), (False, 1), (True, 0)]


@pytest.fixture(scope="module")
def painted(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Return Godot's result for each of `PAINTED`, all in one project to save imports."""
    project = godot.new_project(tmp_path_factory.mktemp("game"))
    folders = [f"levels{number}" for number in range(len(PAINTED))]
    for folder, (image, extrude) in zip(folders, PAINTED, strict=True):
        position = project / folder
        write_level("godot", level(image), position, folder, extrude=extrude, blob=False)
    godot.import_project(project)
    scenes = [f"res://{folder}/crypt.tscn" for folder in folders]
    answers: list[dict[str, Any]] = godot.query(project, PAINT, {"scenes": scenes})
    return answers


@pytest.mark.parametrize(("image", "extrude"), PAINTED)
def test_godot_chooses_the_same_pictures_for_terrains(
    painted: list[dict[str, Any]], image: bool, extrude: int
) -> None:
    built = level(image)
    answer = painted[PAINTED.index((image, extrude))]
    tileset = level_tileset(built, extrude)
    assert (answer["margins"], answer["separation"]) == (tileset.margin, tileset.spacing)
    assert answer["size"] == tileset.tile_size
    for tile in TILES[1:]:
        result = answer[tile.name]
        assert result["cells"] == np.count_nonzero(built.layers["ground"].cells == tile.id)
        # Beyond the map's edge we see more of the same, Godot sees nothing.
        inner = [(x, y) for x, y in result["differing"] if 0 < x < WIDTH - 1 and 0 < y < HEIGHT - 1]
        assert not inner
