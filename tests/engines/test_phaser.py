"""Tiled maps in Phaser: a map with its tileset inside, loaded and collided with as in a game."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporter
from engine_harness import Node, NodeError
from engine_harness.levels import awkward_level, expected_meanings, layer_of
from exporter.geometry.rectangles import rectangles
from exporter.model.level import Level, Tile
from exporter.targets import TARGETS
from terrain_sheets import terrain_level

PAGE = Path(exporter.__file__).parent / "docs" / "how-to" / "tiled.md"
PROGRAM = Path(__file__).parent / "javascript" / "play_in_phaser.mjs"
STEPS = 240
TILES = (
    Tile(0, "floor", True, False, "#c8b090"),
    Tile(1, "wall", False, True, "#202428"),
)
MAP = """\
.########.
#........#
#.##.#.#.#
#....#...#
#.####.###
#........#
.########."""


def cave_level() -> Level:
    """Rooms and corridors, with a layer of data in the way and a picture over them."""
    cells = np.array([[".#".index(cell) for cell in row] for row in MAP.split()], np.uint8)
    ground = layer_of("ground", cells, TILES)
    layers = {
        "draft": replace(layer_of("draft", 1 - cells, TILES), role="data"),
        "ground": ground,
        "shade": replace(layer_of("shade", cells[::-1], TILES[1:]), role="picture"),
    }
    return Level("cave", cells.shape[1], cells.shape[0], layers=layers)


def play(
    node: Node, phaser: Path, level: Level, start: tuple[int, int] = (0, 0), **options: Any
) -> Any:
    """A game's view of a level's map."""
    text = map_text(level, **{"collision": "merged", "tilesets": "embedded", **options})
    question = {"phaser": str(phaser), "map": text, "start": start, "steps": STEPS}
    return node.query(PROGRAM, question)


def map_text(level: Level, **options: Any) -> str:
    """A level's map as JSON."""
    target = TARGETS.get("tiled")
    exported = target.export(level, target.options(path="maps", **options), "maps")
    (text,) = (file.data.decode() for file in exported.artifacts if file.name.endswith(".tmj"))
    return text


@pytest.mark.parametrize("make", [awkward_level, cave_level])
def test_every_cell_has_the_tile_that_means_its_id(node: Node, phaser: Path, make: Any) -> None:
    level = make()
    reported = play(node, phaser, level)
    assert reported["version"].startswith("4.")
    for layer, result in zip(level.tile_layers(), reported["layers"], strict=True):
        assert result["name"] == layer.name
        assert result["visible"] is (layer.role != "data")
        roles = [entry["value"] for entry in result["properties"] if entry["name"] == "role"]
        assert roles == [layer.role]
        pairs = zip(result["ids"], result["names"], strict=True)
        cells = [None if name is None else (number, name) for number, name in pairs]
        assert cells == expected_meanings(layer)


def test_layers_between_the_cells_have_one_more_each_way(node: Node, phaser: Path) -> None:
    level = terrain_level("isle", 9, 12)
    result = {layer["name"]: layer for layer in play(node, phaser, level)["layers"]}
    assert [len(layer["ids"]) for layer in result.values()] == [108, 108, 130, 130, 108]
    cells = zip(result["ground"]["ids"], result["ground"]["names"], strict=True)
    assert list(cells) == expected_meanings(level.layers["ground"])


def test_tiles_that_nobody_walks_on_collide(node: Node, phaser: Path) -> None:
    level = awkward_level()
    for collision in ("merged", "tiles"):
        reported = play(node, phaser, level, collision=collision)
        for layer, result in zip(level.tile_layers(), reported["layers"], strict=True):
            tiles = {(tile.id, tile.name): tile for tile in layer.tiles}
            meanings = expected_meanings(layer)
            solid = [known is not None and not tiles[known].walkable for known in meanings]
            assert result["collides"] == solid
            shapes = [bool(count) for count in result["shapes"]]
            assert shapes == (solid if collision == "tiles" else [False] * len(solid))


@pytest.mark.parametrize("make", [awkward_level, cave_level])
def test_bodies_of_the_collision_layer_are_exactly_where_nobody_walks(
    node: Node, phaser: Path, make: Any
) -> None:
    level = make()
    collision = play(node, phaser, level)["collision"]
    # No polygon had to be cut up, and none lies on another.
    assert set(collision["parts"]) == {1}
    hits = np.array(collision["hits"]).reshape(level.height, level.width)
    np.testing.assert_array_equal(hits, (~level.walkable()).astype(int))


@pytest.mark.parametrize("start", [(1, 3), (4, 3), (6, 5)])
def test_a_ball_rolls_to_the_next_wall_and_no_farther(
    node: Node, phaser: Path, start: tuple[int, int]
) -> None:
    level = cave_level()
    walkable = level.walkable()
    ends = play(node, phaser, level, start)["collision"]["ends"]
    for (x, y), end in zip(((1, 0), (-1, 0), (0, 1), (0, -1)), ends, strict=True):
        column, row = start
        while walkable[row + y, column + x]:
            column, row = column + x, row + y
        # The ball's radius is 0.3 cells, so there is 0.2 between it and the wall at most.
        expected = [column + 0.5 + 0.2 * x, row + 0.5 + 0.2 * y]
        np.testing.assert_allclose(end, expected, atol=0.05)


def test_the_code_on_the_page_does_what_the_page_says(node: Node, phaser: Path) -> None:
    (code,) = re.findall(r"```js\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    level = replace(cave_level(), name="crypt")
    text = map_text(level, collision="merged", tilesets="embedded")
    reported = node.query(PROGRAM, {"phaser": str(phaser), "map": text, "code": code})
    # A layer of data is left out, and a picture blocks nothing.
    blocked = np.count_nonzero(level.layers["ground"].cells == 1)
    assert reported["layers"] == [["ground", blocked], ["shade", 0]]
    assert reported["bodies"] == len(rectangles(~level.walkable()))


def test_a_tileset_in_a_file_of_its_own_is_refused(node: Node, phaser: Path) -> None:
    # Why there is an option; if this fails, the pages can say so.
    with pytest.raises(NodeError):
        play(node, phaser, cave_level(), tilesets="level")


def test_an_object_keeps_its_position_and_properties(node: Node, phaser: Path) -> None:
    level = awkward_level()
    result = play(node, phaser, level)["objects"]
    assert [(thing["name"], thing["x"], thing["y"]) for thing in result] == [
        (thing.name, thing.x * 16, thing.y * 16) for thing in level.objects
    ]
    values = {entry["name"]: entry["value"] for entry in result[1]["properties"]}
    assert values == dict(level.objects[1].properties)
