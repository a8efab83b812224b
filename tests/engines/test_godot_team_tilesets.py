"""A TileSet that a team saved in Godot, used by exported levels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine_harness import Godot
from engine_harness.folders import copy_addon
from engine_harness.levels import layer_of, write_artifacts
from exporter.grids.neighbourhoods import BLOB_MASKS, EDGE_MASKS
from exporter.model.level import BLACK, CLEAR, Level, Tile
from exporter.targets import TARGETS, SharedWork
from team_tilesets import GameIn

HARNESS = Path(__file__).parent / "engine_harness"
SIDE, MARGIN, SPACING, ROWS = 32, 2, 1, 14
WIDTH, HEIGHT = 40, 30
TILES = (
    Tile(0, "floor", True, False, CLEAR),
    Tile(1, "wall", False, True, BLACK),
    Tile(2, "water", False, False, "#3366cc"),
    Tile(3, "lava", False, False, "#cc3300"),
    Tile(4, "door", True, True, "#885500"),
)
CORNERS = (2, 8, 32, 128)
CORNER_MASKS = [
    sum(bit for position, bit in enumerate(CORNERS) if mask >> position & 1) for mask in range(16)
]
# Modes as Godot numbers them: corners and sides, corners, sides.
SETS: list[dict[str, Any]] = [
    {"name": "Wall", "mode": 0, "first": 8, "masks": list(BLOB_MASKS)},
    {"name": "Lava", "mode": 1, "first": 64, "masks": CORNER_MASKS},
    {"name": "Water", "mode": 2, "first": 88, "masks": list(EDGE_MASKS)},
]
ASK = """
extends RefCounted

const SceneBuilder := preload("res://addons/level_exporter/editor/level_scene.gd")

func query(arguments: Variant) -> Dictionary:
	var scene: Node2D = load("res://levels/crypt.tscn").instantiate()
	var bytes := FileAccess.get_file_as_bytes("res://levels/crypt.lvb")
	var imported := SceneBuilder.build(bytes, "res://levels/crypt.lvb", {})
	var answers := {"differing": {}, "problem": imported.get("problem")}
	var layer: TileMapLayer = scene.get_node("ground")
	var other: TileMapLayer = imported.get_node("ground")
	answers["same"] = layer.tile_map_data == other.tile_map_data
	answers["file"] = layer.tile_set.resource_path
	answers["shared"] = layer.tile_set == other.tile_set
	answers["cells"] = layer.get_used_cells().map(
		func(cell: Vector2i) -> Array:
			var at := layer.get_cell_atlas_coords(cell)
			return [cell.x, cell.y, layer.get_cell_source_id(cell), at.x, at.y,
				layer.get_cell_alternative_tile(cell)]
	)
	answers["broken"] = layer.get_used_cells().filter(
		func(cell: Vector2i) -> bool: return layer.get_cell_tile_data(cell) == null
	).size()
	for terrain_set: int in layer.tile_set.get_terrain_sets_count():
		answers["differing"][layer.tile_set.get_terrain_name(terrain_set, 0)] = painted(
			layer, terrain_set
		)
	answers["walls"] = await walk(scene)
	imported.free()
	return answers


# Godot paints the same cells: where it comes to another tile. The map goes on beyond its edge.
func painted(layer: TileMapLayer, terrain_set: int) -> Array:
	var canvas := TileMapLayer.new()
	canvas.tile_set = layer.tile_set
	var area := layer.get_used_rect()
	var inside: Array[Vector2i] = []
	var cells: Array[Vector2i] = []
	for y: int in range(-1, area.end.y + 1):
		for x: int in range(-1, area.end.x + 1):
			var near := Vector2i(x, y).clamp(Vector2i.ZERO, area.end - Vector2i.ONE)
			if layer.get_cell_tile_data(near).terrain_set == terrain_set:
				cells.append(Vector2i(x, y))
				if near == Vector2i(x, y):
					inside.append(near)
	canvas.set_cells_terrain_connect(cells, terrain_set, 0, false)
	var differing := []
	for cell: Vector2i in inside:
		if canvas.get_cell_atlas_coords(cell) != layer.get_cell_atlas_coords(cell):
			differing.append([cell.x, cell.y])
	canvas.free()
	return [inside.size(), differing]


# From a floor cell with a wall to the right: how far a body gets, by its mask.
func walk(scene: Node2D) -> Dictionary:
	var tree: SceneTree = Engine.get_main_loop()
	tree.root.add_child(scene)
	var answers := {}
	for mask: int in [1, 2, 4]:
		var body := CharacterBody2D.new()
		var shape := CollisionShape2D.new()
		shape.shape = RectangleShape2D.new()
		shape.shape.size = Vector2(8, 8)
		body.add_child(shape)
		body.collision_mask = mask
		body.position = Vector2(5 * 32 + 16, 5 * 32 + 16)
		tree.root.add_child(body)
		await tree.physics_frame
		await tree.physics_frame
		body.move_and_collide(Vector2(64, 0))
		answers[str(mask)] = body.position.x - (5 * 32 + 16)
		body.free()
	tree.root.remove_child(scene)
	scene.free()
	return answers
"""
ASK_CHUNKS = """
extends RefCounted

const SceneBuilder := preload("res://addons/level_exporter/editor/level_scene.gd")

func query(arguments: Variant) -> Dictionary:
	var answers := {}
	for door: String in ["tscn", "lvb"]:
		var scene: Node2D
		if door == "tscn":
			scene = load("res://chunks/crypt.tscn").instantiate()
		else:
			var bytes := FileAccess.get_file_as_bytes("res://chunks/crypt.lvb")
			scene = SceneBuilder.build(bytes, "res://chunks/crypt.lvb", {})
		var tree: SceneTree = Engine.get_main_loop()
		tree.root.add_child(scene)
		await tree.process_frame
		await tree.process_frame
		var chunks: Node2D = scene.get_node("chunks")
		var cells := []
		for chunk: Node2D in [chunks.chunk_at(Vector2i.ZERO)]:
			var layer: TileMapLayer = chunk.get_child(0)
			for cell: Vector2i in layer.get_used_cells():
				var at := layer.get_cell_atlas_coords(cell)
				cells.append([cell.x, cell.y, layer.get_cell_source_id(cell), at.x, at.y,
					layer.get_cell_alternative_tile(cell)])
		var body: StaticBody2D = chunks.find_children("*", "StaticBody2D", false, false)[0]
		var region: NavigationRegion2D = chunks.find_children(
			"*", "NavigationRegion2D", false, false
		)[0]
		var occluder: LightOccluder2D = chunks.chunk_at(Vector2i.ZERO).find_children(
			"*", "LightOccluder2D", false, false
		)[0]
		answers[door] = {"cells": cells, "layer": body.collision_layer,
			"mask": body.collision_mask, "navigation": region.navigation_layers,
			"light": occluder.occluder_light_mask}
		scene.free()
	return answers
"""


def picture(columns: int, rows: int, margin: int, spacing: int, seed: int) -> Image.Image:
    """A picture in which every tile has a colour of its own, and the gaps are loud."""
    height = 2 * margin + rows * (SIDE + spacing) - spacing
    width = 2 * margin + columns * (SIDE + spacing) - spacing
    pixels = np.full((height, width, 4), (255, 0, 255, 255), np.uint8)
    random = np.random.default_rng(seed)
    for row in range(rows):
        for column in range(columns):
            y, x = (margin + position * (SIDE + spacing) for position in (row, column))
            color = random.integers(0, 250, 3)
            pixels[y : y + SIDE, x : x + SIDE, :3] = color
            pixels[y + 8 : y + 12, x + 4 : x + 12, :3] = color // 3
    return Image.fromarray(pixels)


def cells() -> np.ndarray:
    """Blots of wall, water and lava on floor; a wall two cells right of (5, 5), and some doors."""
    noise = np.random.default_rng(3).random((HEIGHT, WIDTH))
    for _ in range(2):
        padded = np.pad(noise, 1, mode="edge")
        noise = sum(padded[y : y + HEIGHT, x : x + WIDTH] for y in range(3) for x in range(3)) / 9
    result = np.digitize(noise, np.quantile(noise, [0.4, 0.6, 0.8])).astype(np.uint8)
    result[4:7, 4:7], result[4:7, 7] = 0, 1
    result[12, ::7] = 4
    return result


def level() -> Level:
    ground = layer_of("ground", cells(), TILES)
    return Level("crypt", WIDTH, HEIGHT, layers={"ground": ground})


@pytest.fixture(scope="module")
def game(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with a TileSet saved by Godot, and a level that uses it in two forms."""
    folder = godot.new_project(tmp_path_factory.mktemp("team"))
    copy_addon(folder)
    (folder / "art").mkdir()
    picture(8, ROWS, MARGIN, SPACING, 1).save(folder / "art" / "dungeon.png")
    picture(8, 2, 0, 0, 2).save(folder / "art" / "extra.png")
    godot.import_project(folder)
    arguments = {"rows": ROWS, "sets": SETS, "path": "res://art/dungeon.tres"}
    assert godot.query(folder, HARNESS / "save_team_tileset.gd", arguments)
    target = TARGETS.get("godot")
    remaining = (folder / "art" / "dungeon.tres").read_bytes()
    for position, further in (("levels", {}), ("chunks", {"chunks": "always"})):
        tileset = target.tileset(
            file="res://art/dungeon.tres",
            tiles={"door": target_tile(at=(2, 0), alternative=5)},
        )
        options = target.options(path=position, tileset=tileset, **further)
        shared = SharedWork().within(GameIn(folder))
        exported = target.export(level(), options, position, shared)
        assert not exported.warnings
        write_artifacts(exported.artifacts, folder / position)
    assert (folder / "art" / "dungeon.tres").read_bytes() == remaining
    godot.import_project(folder)
    return folder


def target_tile(**options: Any) -> Any:
    from exporter.targets._godot_tilesets import GodotTile

    return GodotTile(**options)


@pytest.fixture(scope="module")
def answers(godot: Godot, game: Path) -> dict[str, Any]:
    return godot.query(game, ASK)


def test_no_tileset_is_written_beside_the_level(game: Path) -> None:
    assert not list(game.glob("levels/*.tileset.*"))
    assert not list(game.glob("chunks/*.tileset.*"))


def test_both_doors_use_the_file_of_the_team(answers: dict[str, Any]) -> None:
    assert answers["problem"] == ""
    assert answers["file"] == "res://art/dungeon.tres"
    assert answers["same"]
    assert answers["shared"]


def test_every_cell_is_a_tile_of_the_file(answers: dict[str, Any]) -> None:
    assert answers["broken"] == 0
    assert len(answers["cells"]) == WIDTH * HEIGHT
    ids = cells()
    by_tile: dict[str, set[tuple[int, ...]]] = {}
    for x, y, *position in answers["cells"]:
        by_tile.setdefault(TILES[ids[y, x]].name, set()).add(tuple(position))
    assert by_tile["floor"] == {(3, 0, 0, 0), (3, 1, 0, 0)}
    assert by_tile["door"] == {(3, 2, 0, 5)}
    # Three of four are the tile with the probability 3.
    floors = [position[1] for x, y, *position in answers["cells"] if ids[y, x] == 0]
    assert 0.65 < floors.count(0) / len(floors) < 0.85


@pytest.mark.parametrize("name", ["Wall", "Lava", "Water"])
def test_godot_would_paint_the_same_tiles(answers: dict[str, Any], name: str) -> None:
    count, differing = answers["differing"][name]
    assert count > 100
    assert differing == []


def test_walls_are_solid_on_the_layer_of_the_team(answers: dict[str, Any]) -> None:
    assert answers["walls"]["4"] == pytest.approx(32 + 12, abs=0.5)
    assert answers["walls"]["1"] == answers["walls"]["2"] == 64


def test_chunks_show_the_same_cells(godot: Godot, game: Path, answers: dict[str, Any]) -> None:
    result = godot.query(game, ASK_CHUNKS)
    for door in ("tscn", "lvb"):
        assert sorted(result[door]["cells"]) == sorted(answers["cells"])
        assert (result[door]["layer"], result[door]["mask"]) == (4, 0)
        assert (result[door]["navigation"], result[door]["light"]) == (2, 6)


def test_the_overview_has_the_colours_of_the_pictures(game: Path, answers: dict[str, Any]) -> None:
    overview = np.asarray(Image.open(game / "chunks" / "crypt.chunks.overview.png"))
    sheet = np.asarray(Image.open(game / "art" / "dungeon.png")).astype(float)
    for x, y, _, column, row, _ in answers["cells"][::50]:
        top, left = (MARGIN + position * (SIDE + SPACING) for position in (int(row), int(column)))
        mean = sheet[top : top + SIDE, left : left + SIDE, :3].mean(axis=(0, 1))
        np.testing.assert_allclose(overview[int(y), int(x), :3], mean, atol=1)
