"""The option `grid`: isometric files of three engines, and what does not go with it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from cases import each_case
from engine_harness.levels import layer_of
from exporter.model.errors import ParameterError
from exporter.model.level import BLACK, CLEAR, Level, PlacedObject, Tile
from exporter.targets import TARGETS, SharedWork
from exporter.targets._godot_tilesets import GodotTileset
from team_tilesets import TILE_SET, GameOf

ISOMETRIC = {"shape": "isometric", "cell": [32, 16]}
TILES = (Tile(0, "floor", True, False, CLEAR), Tile(1, "wall", False, True, BLACK))
FILE = "res://art/dungeon.tres"


def level() -> Level:
    cells = (np.indices((6, 8)).sum(0) % 3 == 0).astype(np.uint8)
    things = (PlacedObject(1, "chest", 3, 2),)
    return Level("crypt", 8, 6, layers={"ground": layer_of("ground", cells, TILES)}, objects=things)


def options(target: str, **more: Any) -> Any:
    document = {"path": "levels", "grid": ISOMETRIC, **more}
    return TypeAdapter(TARGETS.get(target).options).validate_json(json.dumps(document))


def export(target: str, **more: Any) -> dict[str, bytes]:
    chosen = options(target, **more)
    chosen.check_options()
    exported = TARGETS.get(target).export(level(), chosen, "levels")
    return {file.name: file.data for file in exported.artifacts}


def test_godot_gets_an_isometric_tileset_and_scene() -> None:
    shaped = {"collision": "tiles", "navigation": "tiles", "occlusion": "tiles"}
    tileset = export("godot", **shaped)["crypt.tileset.tres"].decode()
    assert "tile_shape = 1\ntile_layout = 5\ntile_size = Vector2i(32, 16)\n" in tileset
    assert "polygon_0/points = PackedVector2Array(0, -8, 16, 0, 0, 8, -16, 0)" in tileset
    assert "terrains_peering_bit/bottom_right_side = 0" in tileset
    assert "terrains_peering_bit/right_side" not in tileset
    scene = export("godot")["crypt.tscn"].decode()
    assert "RectangleShape2D" not in scene
    # The middle of the cell (3, 2): half a diamond right, and five and a half down.
    assert "position = Vector2(32, 48)" in scene


def test_tiled_measures_objects_in_heights_of_a_diamond() -> None:
    document = json.loads(export("tiled")["crypt.tmj"])
    assert document["orientation"] == "isometric"
    assert (document["tilewidth"], document["tileheight"]) == (32, 16)
    chest = document["layers"][-1]["objects"][0]
    assert [chest[key] for key in ("x", "y", "width", "height")] == [48, 32, 16, 16]
    tiles = json.loads(export("tiled")["crypt.tileset.tsj"])["tiles"]
    polygons = [tile["objectgroup"]["objects"][0]["polygon"] for tile in tiles if len(tile) > 3]
    corners = [[16, 0], [32, 8], [16, 16], [0, 8]]
    assert [[point["x"], point["y"]] for point in polygons[0]] == corners


def test_unity_gets_the_size_of_diamonds() -> None:
    files = export("unity")
    document = json.loads(files["crypt.tileset.json"])
    assert (document["diamond_width"], document["diamond_height"]) == (32, 16)
    assert b"spritePixelsToUnits: 32" in files["crypt.tileset.png.meta"]


@each_case(
    "target, more, message",
    [
        ("tiled", {"grid": {"shape": "isometric", "cell": [31, 16]}}, r"cell: \[32, 16\]"),
        ("unity", {"extrude": 1}, "extrude"),
        ("godot", {"chunks": "always"}, "chunks"),
        ("godot", {"tileset": {"file": FILE}}, "Tile Shape"),
    ],
)
def test_options_that_do_not_go_with_diamonds_are_refused(
    target: str, more: dict[str, Any], message: str
) -> None:
    chosen = options(target, **more)
    game = GameOf({"art/dungeon.tres": TILE_SET.encode()})

    def check_and_export() -> None:
        chosen.check_options()
        TARGETS.get(target).export(level(), chosen, "levels", SharedWork().within(game))

    with pytest.raises(ParameterError, match=message):
        check_and_export()


def test_an_isometric_tileset_of_the_team_names_the_grid_to_write() -> None:
    text = TILE_SET.replace("[resource]", "[resource]\ntile_shape = 1")
    game = GameOf({"art/dungeon.tres": text.encode()})
    squares = replace(options("godot"), grid=None, tileset=GodotTileset(file=FILE))
    with pytest.raises(ParameterError, match=r"write `grid: \{shape: isometric, cell: \["):
        TARGETS.get("godot").export(level(), squares, "levels", SharedWork().within(game))


def test_layers_of_an_isometric_tileset_of_the_team_are_sorted() -> None:
    text = TILE_SET.replace("[resource]", "[resource]\ntile_shape = 1\ntile_layout = 5")
    game = GameOf({"art/dungeon.tres": text.encode()})
    own = {"grid": {"shape": "isometric", "cell": [32, 32]}, "tileset": {"file": FILE}}
    target, shared = TARGETS.get("godot"), SharedWork().within(game)
    exported = target.export(level(), options("godot", **own), "levels", shared)
    scene = next(file.data for file in exported.artifacts if file.name == "crypt.tscn").decode()
    layer = scene[scene.index("TileMapLayer") : scene.index('name="collision"')]
    assert "y_sort_enabled = true" in layer


def test_hexagons_and_worlds_are_refused_with_a_way_out() -> None:
    with pytest.raises(ValidationError, match="For squares leave out `grid`"):
        options("godot", grid={"shape": "hexagonal"})
    with pytest.raises(ParameterError, match="leave out `grid`"):
        TARGETS.get("tiled").check_world(level(), options("tiled"), "levels")
