"""Terrains over each other, some drawn between the cells: Godot, Tiled and we draw one picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine_harness import Godot, Tiled
from engine_harness.levels import same_picture, write_level
from engine_harness.playable import FREE, Probe, ask, export_godot, new_game, wrong_cells
from exporter.formats.ldtk.simple_export import layer_picture
from exporter.formats.preview import preview_picture
from exporter.grids.neighbourhoods import CORNER_MASKS
from exporter.model.level import Level
from exporter.tilesets import level_tileset
from terrain_sheets import SIZE, terrain_level

# More than one chunk each way.
WIDTH, HEIGHT = 70, 66
DRAW = Path(__file__).parent / "engine_harness" / "draw_scene.gd"

# The lower chunk is there before the upper one.
SCROLL = """
extends RefCounted

func query(arguments: Dictionary) -> bool:
	var tree: SceneTree = Engine.get_main_loop()
	var scene: Node2D = load(arguments.scene).instantiate()
	scene.get_node("chunks").margin = 0.0
	var camera := Camera2D.new()
	camera.position = Vector2(128, 1024 + 200)
	scene.add_child(camera)
	tree.root.add_child(scene)
	for frame in 5:
		await tree.process_frame
	camera.position = Vector2(128, 1024)
	for frame in 5:
		await tree.process_frame
	await RenderingServer.frame_post_draw
	tree.root.get_texture().get_image().save_png(arguments.file)
	scene.free()
	return true
"""


def terrain(name: str) -> Level:
    return terrain_level(name, HEIGHT, WIDTH)


def expected() -> np.ndarray:
    level = terrain("terrain")
    picture = layer_picture(level_tileset(level), level.layers["ground"])
    assert (picture[..., 3] == 255).all(), "water is below everything"
    return picture


def test_the_preview_is_the_picture_of_the_layer(tmp_path: Path) -> None:
    file = tmp_path / "preview.png"
    file.write_bytes(preview_picture(terrain("terrain"), scale=SIZE))
    np.testing.assert_array_equal(np.array(Image.open(file)), expected())
    part = tmp_path / "part.png"
    part.write_bytes(preview_picture(terrain("terrain"), scale=SIZE, view=(7, 9, 20, 10)))
    area = expected()[9 * SIZE : 19 * SIZE, 7 * SIZE : 27 * SIZE]
    np.testing.assert_array_equal(np.array(Image.open(part)), area)


@pytest.fixture(scope="module")
def screenshots(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    """The level in one scene, and in chunks."""
    project = godot.new_project(tmp_path_factory.mktemp("terrains"))
    for chunks in ("never", "always"):
        assert export_godot(terrain(chunks), project, chunks=chunks) == ()
    godot.import_project(project)
    files = {name: project / f"{name}.png" for name in ("never", "always")}
    questions = [
        {"scene": f"res://levels/{name}.tscn", "file": str(file)} for name, file in files.items()
    ]
    godot.query(project, DRAW, {"pictures": questions}, window=(WIDTH * SIZE, HEIGHT * SIZE))
    return {name: np.array(Image.open(file).convert("RGBA")) for name, file in files.items()}


@pytest.mark.parametrize("chunks", ["never", "always"])
def test_godot_draws_the_picture(screenshots: dict[str, np.ndarray], chunks: str) -> None:
    same_picture(screenshots[chunks], expected())


def test_chunks_that_come_later_are_drawn_in_order(
    godot: Godot, tmp_path_factory: pytest.TempPathFactory
) -> None:
    project = godot.new_project(tmp_path_factory.mktemp("scrolled"))
    export_godot(terrain("terrain"), project, chunks="always")
    godot.import_project(project)
    ground = terrain("terrain").layers["ground"].cells
    assert ((ground[64, :16] == 3) & (ground[63, :16] < 3)).any(), "rock ends with the upper chunk"
    file = project / "scrolled.png"
    question = {"scene": "res://levels/terrain.tscn", "file": str(file)}
    godot.query(project, SCROLL, question, window=(256, 256))
    part = expected()[1024 - 128 : HEIGHT * SIZE, :256]
    drawn = np.array(Image.open(file).convert("RGBA"))[: len(part)]
    same_picture(drawn, part)


@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("terrain.tmj", {}),
        ("terrain.tmj", {"extrude": 1, "encoding": "zlib"}),
        ("terrain.tmj", {"infinite": True}),
        ("terrain.tmj", {"tilesets": "embedded"}),
        ("terrain.tmx", {"languages": ("xml",)}),
    ],
)
def test_tiled_draws_the_picture(
    tiled: Tiled, tmp_path: Path, file: str, options: dict[str, Any]
) -> None:
    write_level("tiled", terrain("terrain"), tmp_path, "maps", blob=False, **options)
    # Tiled's picture has the tiles left of the cells and above them, too.
    half = SIZE // 2
    drawn = tiled.rasterize(tmp_path / file)[half:, half:]
    same_picture(drawn[: HEIGHT * SIZE, : WIDTH * SIZE], expected())


def test_shapes_of_tiles_are_those_of_the_cells(
    godot: Godot, tmp_path_factory: pytest.TempPathFactory
) -> None:
    project = new_game(godot, tmp_path_factory.mktemp("game"))
    level = terrain("shapes")
    shapes = {"collision": "tiles", "navigation": "none", "occlusion": "tiles"}
    export_godot(level, project, chunks="never", **shapes)
    godot.import_project(project)
    probe = Probe("shapes", (HEIGHT, WIDTH))
    (answer,) = ask(godot, project, [probe])
    assert (answer.cells == FREE).any()
    assert not wrong_cells(answer, level.walkable())
    assert answer.tile_shapes == {
        "ground_water": [],
        "ground": ["collision", "occlusion"],
        "ground_sand": [],
        "ground_grass": [],
        "ground_rock": [],
    }


def test_tiled_reads_the_corners_that_people_can_paint_with(tiled: Tiled, tmp_path: Path) -> None:
    write_level("tiled", terrain("terrain"), tmp_path, "maps", blob=False, tilesets="embedded")
    tiled.save_as(tmp_path / "terrain.tmj", tmp_path / "saved.tmj")
    saved = json.loads((tmp_path / "saved.tmj").read_text())
    sets = {item["name"]: item for item in saved["tilesets"][0]["wangsets"]}
    assert sets["sand"]["type"] == "corner"
    corners = {item["tileid"]: item["wangid"] for item in sets["sand"]["wangtiles"]}
    assert corners == {
        16 + mask: [full >> bit & 1 for bit in range(8)]
        for mask, full in enumerate(CORNER_MASKS)
        if mask
    }
    # Tiled keeps layers with one more cell each way, and their offsets.
    layers = {item["name"]: item for item in saved["layers"]}
    sand = layers["ground_sand"]
    assert (sand["width"], sand["height"]) == (WIDTH + 1, HEIGHT + 1)
    assert (sand["offsetx"], sand["offsety"]) == (-SIZE // 2, -SIZE // 2)
