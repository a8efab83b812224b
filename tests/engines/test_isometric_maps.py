"""Isometric maps: Godot and Tiled draw each cell where its shapes and objects are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine_harness import Godot, Tiled
from engine_harness.levels import layer_of, write_level
from engine_harness.unity_importer import UnityImporter, export
from exporter.formats.tiled.painted_map import read_painted
from exporter.model.level import Level, PlacedObject, Tile
from exporter.targets._map_options import CellGrid
from exporter.tilesets import level_tileset
from exporter.tilesets.diamonds import diamond_sheet
from geometry_references import filled

CELL = (32, 16)
GRID = CellGrid(shape="isometric", cell=CELL)
WIDTH, HEIGHT = 20, 14
TILES = (
    Tile(0, "floor", True, False, "#806040"),
    Tile(1, "wall", False, True, "#606070"),
    Tile(2, "water", False, False, "#3366cc"),
)

PROBE = """
extends RefCounted

func query(arguments: Dictionary) -> Dictionary:
	var tree: SceneTree = Engine.get_main_loop()
	var level: Node2D = load(arguments.scene).instantiate()
	tree.root.add_child(level)
	for frame in 10:
		await tree.physics_frame
	var layer: TileMapLayer = level.get_node("ground")
	var space := tree.root.find_world_2d().direct_space_state
	var centers := []
	var solid := []
	for y in int(arguments.size[1]):
		for x in int(arguments.size[0]):
			var center := layer.to_global(layer.map_to_local(Vector2i(x, y)))
			var point := PhysicsPointQueryParameters2D.new()
			point.position = center
			centers.append([center.x, center.y])
			solid.append(not space.intersect_point(point).is_empty())
	var body := CharacterBody2D.new()
	var shape := CollisionShape2D.new()
	shape.shape = CircleShape2D.new()
	shape.shape.radius = 3
	body.add_child(shape)
	tree.root.add_child(body)
	var start := layer.map_to_local(Vector2i(arguments.start[0], arguments.start[1]))
	var target := layer.map_to_local(Vector2i(arguments.target[0], arguments.target[1]))
	var path := PackedVector2Array()
	# The map is built in the background.
	for frame in 600:
		var map := tree.root.find_world_2d().navigation_map
		path = NavigationServer2D.map_get_path(map, start, target, true)
		if not path.is_empty():
			break
		await tree.physics_frame
	body.position = start
	var hits := []
	for corner in path:
		var hit := body.move_and_collide(corner - body.position)
		if hit != null:
			hits.append([str(corner), str(hit.get_position())])
	var arrived := body.position.distance_to(target) < 0.1
	body.position = start
	var wall := layer.map_to_local(Vector2i(arguments.wall[0], arguments.wall[1]))
	var into := body.move_and_collide(wall - start)
	var things := []
	for thing: Node2D in level.get_node("objects").get_children():
		things.append([thing.position.x, thing.position.y])
	var camera := Camera2D.new()
	camera.anchor_mode = Camera2D.ANCHOR_MODE_FIXED_TOP_LEFT
	camera.position = Vector2(arguments.left, 0)
	level.add_child(camera)
	camera.make_current()
	for frame in 5:
		await tree.process_frame
	await RenderingServer.frame_post_draw
	tree.root.get_texture().get_image().save_png(arguments.picture)
	var imported: Node2D = load(arguments.blob).instantiate()
	var kept := true
	for index in centers.size():
		var cell := Vector2i(index % int(arguments.size[0]), index / int(arguments.size[0]))
		var center := Vector2(centers[index][0], centers[index][1])
		kept = kept and imported.center_of(cell) == center and imported.cell_at(center) == cell
	var shapes := imported.find_children("*", "CollisionShape2D", true, false)
	var result := {
		"kept": kept,
		"shapes": shapes.map(func(node: Node) -> String: return node.shape.get_class()),
		"centers": centers,
		"solid": solid,
		"arrived": arrived,
		"hits": hits,
		"stopped": into != null,
		"rest": [body.position.x, body.position.y],
		"things": things,
	}
	body.free()
	level.free()
	imported.free()
	return result
"""


def isle() -> Level:
    """Walls around two rooms with a door, and a pond."""
    cells = np.zeros((HEIGHT, WIDTH), np.uint8)
    cells[[0, -1]], cells[:, [0, -1]] = 1, 1
    cells[:, 9] = 1
    cells[6, 9] = 0
    cells[9:12, 13:17] = 2
    things = (PlacedObject(1, "chest", 3, 2), PlacedObject(2, "hero", 2, 11))
    layers = {"ground": layer_of("ground", cells, TILES)}
    return Level("isle", WIDTH, HEIGHT, layers=layers, objects=things)


def expected_picture() -> np.ndarray:
    """The diamonds of all cells, put together here."""
    level = isle()
    tileset = level_tileset(level)
    sheet = diamond_sheet(tileset, CELL)
    wide, high = CELL
    canvas = np.zeros(((WIDTH + HEIGHT) * high // 2, (WIDTH + HEIGHT) * wide // 2, 4), np.uint8)
    for y, row in enumerate(tileset.numbers(level.layers["ground"]).tolist()):
        for x, number in enumerate(row):
            down, across = divmod(number, tileset.columns)
            tile = sheet[down * high : (down + 1) * high, across * wide : (across + 1) * wide]
            left, top = (x - y + HEIGHT - 1) * wide // 2, (x + y) * high // 2
            part = canvas[top : top + high, left : left + wide]
            assert not (part[..., 3].astype(bool) & tile[..., 3].astype(bool)).any()
            part[tile[..., 3] > 0] = tile[tile[..., 3] > 0]
    return canvas


@pytest.fixture(scope="module")
def answer(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    project = godot.new_project(tmp_path_factory.mktemp("isometric"), ("level_exporter",))
    write_level("godot", isle(), project / "levels", grid=GRID, agent_radius=4)
    godot.import_project(project)
    canvas = expected_picture()
    picture = project / "isle.png"
    question = {
        "scene": "res://levels/isle.tscn",
        "blob": "res://levels/isle.lvb",
        "size": [WIDTH, HEIGHT],
        "start": [2, 3],
        "target": [17, 7],
        "wall": [2, 0],
        "left": -(HEIGHT - 1) * CELL[0] // 2,
        "picture": str(picture),
    }
    window = canvas.shape[1], canvas.shape[0]
    result = godot.query(project, PROBE, question, window=window)
    return {**result, "picture": np.array(Image.open(picture).convert("RGBA"))}


def test_godot_draws_the_diamonds(answer: dict[str, Any]) -> None:
    canvas = expected_picture()
    drawn = answer["picture"]
    seen = canvas[..., 3] == 255
    np.testing.assert_array_equal(drawn[seen], canvas[seen])


def test_shapes_and_objects_lie_where_cells_are_drawn(answer: dict[str, Any]) -> None:
    level = isle()
    assert answer["solid"] == (~level.walkable()).ravel().tolist()
    for thing, position in zip(level.objects, answer["things"], strict=True):
        assert position == answer["centers"][thing.y * WIDTH + thing.x]


def test_the_addon_makes_the_same_scene_of_the_blob(answer: dict[str, Any]) -> None:
    assert answer["kept"]
    assert set(answer["shapes"]) == {"ConvexPolygonShape2D"}


def test_a_body_follows_a_path_and_stops_at_a_wall(answer: dict[str, Any]) -> None:
    assert answer["hits"] == []
    assert answer["arrived"]
    assert answer["stopped"]
    # The edge of the wall's diamonds goes through the corner (2, 1).
    x, y = answer["rest"]
    along, down = (x - CELL[0] / 2) / CELL[0], y / CELL[1]
    edge = (down - along - 1) * CELL[0] * CELL[1] / np.hypot(*CELL)
    assert 3 <= edge < 3.5


def test_tiled_draws_the_diamonds_and_reads_objects_in_their_cells(
    tiled: Tiled, tmp_path: Path
) -> None:
    level = isle()
    write_level(
        "tiled", level, tmp_path, "maps", grid=GRID, collision="merged", languages=("json", "xml")
    )
    for language in ("tmj", "tmx"):
        hidden = ("--hide-layer", "objects", "--hide-layer", "collision")
        drawn = tiled.rasterize(tmp_path / f"isle.{language}", *hidden)
        np.testing.assert_array_equal(drawn, expected_picture())
    saved = tmp_path / "saved.tmj"
    tiled.save_as(tmp_path / "isle.tmx", saved)
    painted = read_painted(saved.read_bytes())
    assert painted.objects is not None
    cells = [thing.cell for thing in painted.objects]
    assert cells == [(thing.x, thing.y) for thing in level.objects]


def test_unity_lays_out_the_cells_of_its_isometric_grid(
    importer: UnityImporter, tmp_path: Path
) -> None:
    level = isle()
    result = importer.level(export(level, tmp_path, bitmaps=False, grid=GRID), "cellSize=2")
    assert result["messages"] == []
    assert result["layout"] == ["Isometric", 2, 1]
    # Unity's corner of a cell is its lowest one, and x goes right and up.
    for child in result["children"]:
        for thing in child["objects"]:
            x, y = thing["cell"]
            right, up = x + 0.5, HEIGHT - y - 0.5
            assert thing["at"] == [right - up, (right + up) / 2]
        for body in child["children"]:
            rings = [[(x + 2 * y, 2 * y - x) for x, y in ring] for ring in body["paths"]]
            corners = [
                [(int(right) // 2, HEIGHT - int(up) // 2) for right, up in ring] for ring in rings
            ]
            np.testing.assert_array_equal(filled(corners, (HEIGHT, WIDTH)), ~level.walkable())
    assert {tuple(size) for _, *size in result["sprites"]} == {(32, 16.0)}
    assert result["back"] is True
