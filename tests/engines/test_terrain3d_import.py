"""The Terrain3D script of the page on heights, run in real Godot.

Terrain3D itself is compiled for each platform and not there: stand-ins have the signatures of its
version 1.0 and do what its sources do.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from engine_harness import Godot
from worlds import TestWorld

PAGE = Path(__file__).parents[2] / "exporter" / "docs" / "how-to" / "heights-and-tiles.md"
TERRAIN = """@tool
class_name Terrain3D
extends Node3D
var region_size := 64
var vertex_spacing := 2.0
var data := Terrain3DData.new()
"""
DATA = """@tool
class_name Terrain3DData
extends RefCounted
var imported := []
func import_images(images: Array[Image], position: Vector3, offset: float, scale: float) -> void:
	var heights := images[Terrain3DRegion.TYPE_HEIGHT]
	var samples := Array(heights.get_data().to_float32_array())
	var place := [position.x, position.z, heights.get_width()]
	imported.append([images.size()] + place + [samples, offset, scale])
"""
REGION = """@tool
class_name Terrain3DRegion
extends RefCounted
const TYPE_HEIGHT := 0
const TYPE_MAX := 3
"""
UTIL = """@tool
class_name Terrain3DUtil
extends RefCounted
static func load_image(
		file_name: String, _cache_mode: int, height_range: Vector2, size: Vector2i) -> Image:
	var image := Image.create_empty(size.x, size.y, false, Image.FORMAT_RF)
	var file := FileAccess.open(file_name, FileAccess.READ)
	for y in size.y:
		for x in size.x:
			var height := float(file.get_16()) / 65535.0
			height = height * (height_range.y - height_range.x) + height_range.x
			image.set_pixel(x, y, Color(height, 0, 0))
	return image
"""
QUERY = """extends RefCounted
func query(arguments: Dictionary) -> Variant:
	var node: Terrain3D = load("res://import_world.gd").new()
	node.region_size = int(arguments.region_size)
	node.world = "res://levels/w.world.json"
	node.layer = arguments.layer
	node.run_import = true
	var found := node.data.imported
	node.free()
	return found
"""


@pytest.fixture(scope="module")
def game(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = godot.new_project(tmp_path_factory.mktemp("game"))
    (code,) = re.findall(r"```gdscript\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    sources = {"terrain": TERRAIN, "data": DATA, "region": REGION, "util": UTIL}
    for name, text in {**sources, "import_world": code}.items():
        (folder / f"{name}.gd").write_text(text, encoding="utf-8")
    TestWorld().write(folder / "levels", "godot")
    godot.import_project(folder)
    return folder


def test_every_part_becomes_a_region_at_its_position(godot: Godot, game: Path) -> None:
    requested = {"region_size": 64, "layer": "relief"}
    result = godot.query(game, QUERY, requested)
    assert [(item[0], item[1], item[2], item[3]) for item in result] == [
        (3, 2 * (64 * column - 64), 2 * (64 * row - 64), 64 if column < 2 else 22)
        for row in range(2)
        for column in range(3)
    ]
    samples = TestWorld().whole.layers["relief"].cells.astype(float)
    heights = -40 + samples * 200 / 65535
    grids = [np.reshape(item[4], (-1, item[3])) for item in result]
    whole = np.vstack([np.hstack(grids[:3]), np.hstack(grids[3:])])
    assert whole == pytest.approx(heights, abs=1e-4)
    assert {(item[5], item[6]) for item in result} == {(0.0, 1.0)}


@pytest.mark.parametrize(
    "requested",
    [{"region_size": 256, "layer": "relief"}, {"region_size": 64, "layer": "caves"}],
    ids=["another region size", "no layer of heights"],
)
def test_what_cannot_be_imported_is_reported(
    godot: Godot, game: Path, requested: dict[str, object]
) -> None:
    assert godot.query(game, QUERY, requested, allow_errors=True) == []
