"""Scenes in real Godot: every cell, shape, object and value read back after loading."""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_harness import Godot
from engine_harness.godot import READ_SCENE
from engine_harness.levels import awkward_level, layer_of, write_level
from exporter.formats.godot.uid import godot_uid
from exporter.formats.heights.samples import real_heights
from exporter.model.level import Layer, Level, Tile

WALKABLE, OPAQUE, COLLIDES, SHADES, NAVIGABLE = 1, 2, 4, 8, 16
SCENE = "res://levels/crypt.tscn"
WIDE = "res://levels/wide.tscn"


def wide_level() -> Level:
    """A level longer than one TileMapLayer is made."""
    cells = (np.arange(1100 * 3) % 5 != 0).astype(np.uint8).reshape(3, 1100)
    tiles = (Tile(1, "wall", False, True, "#000000"),)
    return Level("wide", 1100, 3, layers={"ground": layer_of("ground", cells, tiles)})


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with two exported levels, imported without an error."""
    folder = godot.new_project(tmp_path_factory.mktemp("scenes"))
    tiles: dict[str, Any] = dict.fromkeys(("collision", "occlusion", "navigation"), "tiles")
    for level in (awkward_level(), wide_level()):
        write_level("godot", level, folder / "levels", **tiles)
    godot.import_project(folder, first_start=True)  # an editor knows uids of other projects
    return folder


@pytest.fixture(scope="module")
def scenes(godot: Godot, project: Path) -> dict[str, Any]:
    answers: dict[str, Any] = godot.query(project, READ_SCENE, {"scenes": [SCENE, WIDE]})
    return answers


def cells_of(answer: dict[str, Any], width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Ids (-1 where empty) and flags of a layer, as [height, width]."""
    numbers = np.frombuffer(base64.b64decode(answer["cells"]), "<i4").reshape(-1, 4)
    ids, flags = np.full((height, width), -1), np.zeros((height, width), int)
    ids[numbers[:, 1], numbers[:, 0]] = numbers[:, 2]
    flags[numbers[:, 1], numbers[:, 0]] = numbers[:, 3]
    return ids, flags


def expected_cells(layer: Layer) -> tuple[np.ndarray, np.ndarray]:
    ids, flags = np.full(layer.cells.shape, -1), np.zeros(layer.cells.shape, int)
    for tile in layer.tiles:
        here = layer.cells == tile.id
        ids[here] = tile.id
        flags[here] = (WALKABLE | NAVIGABLE if tile.walkable else COLLIDES) | (
            OPAQUE | SHADES if tile.opaque else 0
        )
    return ids, flags


def test_every_cell_of_every_layer_is_the_levels(scenes: dict[str, Any]) -> None:
    level = awkward_level()
    answers = scenes[SCENE]["layers"]
    assert len(answers) == 2
    for answer, layer in zip(answers, level.tile_layers(), strict=True):
        ids, flags = cells_of(answer, level.width, level.height)
        expected_ids, expected_flags = expected_cells(layer)
        np.testing.assert_array_equal(ids, expected_ids)
        np.testing.assert_array_equal(flags, expected_flags)


def test_every_cell_knows_its_tiles_name(scenes: dict[str, Any]) -> None:
    level = awkward_level()
    for answer, layer in zip(scenes[SCENE]["layers"], level.tile_layers(), strict=True):
        numbers = np.frombuffer(base64.b64decode(answer["cells"]), "<i4").reshape(-1, 4)
        names = {tile.id: tile.name for tile in layer.tiles}
        assert answer["names"] == [names[number] for number in numbers[:, 2].tolist()]


def test_collision_shapes_cover_exactly_their_cell(scenes: dict[str, Any]) -> None:
    for answer in scenes[SCENE]["layers"]:
        half = answer["tile_size"][0] / 2
        corners = sorted(map(tuple, answer["corners"]))
        assert corners == sorted([(-half, -half), (-half, half), (half, -half), (half, half)])


def test_objects_stand_in_the_middle_of_their_cells(scenes: dict[str, Any]) -> None:
    answer = scenes[SCENE]
    size = answer["layers"][0]["tile_size"][0]
    level = awkward_level()
    assert len(answer["objects"]) == len(level.objects)
    for result, thing in zip(answer["objects"], level.objects, strict=True):
        assert result["position"] == [(thing.x + 0.5) * size, (thing.y + 0.5) * size]
        assert result["groups"] == [thing.name]
        assert result["meta"]["cell"] == [thing.x, thing.y]
        given = {key: value for key, value in thing.properties.items() if value is not None}
        assert given.items() <= result["meta"].items()
    assert len({result["name"] for result in answer["objects"]}) == len(level.objects)


def test_the_scene_tells_its_level_and_where_its_heights_are(scenes: dict[str, Any]) -> None:
    meta = scenes[SCENE]["meta"]
    level = awkward_level()
    expected = {
        "level": "crypt",
        "seed": 7,
        "size": [level.width, level.height],
        **level.properties,
    }
    assert expected.items() <= meta.items()
    heights = real_heights(level.layers["relief"])
    assert meta["heights"]["relief"]["file"] == "crypt.relief.exr"
    assert meta["heights"]["relief"]["size"] == [21, 17]
    assert meta["heights"]["relief"]["minimum"] == heights.min()
    assert meta["heights"]["relief"]["maximum"] == heights.max()


def test_a_layer_too_long_for_one_node_is_split_without_a_seam(scenes: dict[str, Any]) -> None:
    level = wide_level()
    answers = scenes[WIDE]["layers"]
    assert len(answers) > 1
    ids = np.full((level.height, level.width), -1)
    for answer in answers:
        size = answer["tile_size"][0]
        left, top = (int(pixel) // size for pixel in answer["position"])
        part, _ = cells_of(answer, level.width, level.height)
        rows, columns = np.nonzero(part >= 0)
        assert (ids[rows + top, columns + left] == -1).all()
        ids[rows + top, columns + left] = part[rows, columns]
    np.testing.assert_array_equal(ids, expected_cells(level.layers["ground"])[0])


def test_scene_and_tile_set_keep_their_uids(scenes: dict[str, Any]) -> None:
    assert scenes[SCENE]["uid"] == godot_uid("levels", "crypt.tscn")
    assert {answer["tile_set"] for answer in scenes[SCENE]["layers"]} == {
        "res://levels/crypt.tileset.tres"
    }


def test_a_level_without_tiles_and_objects_is_a_scene_too(godot: Godot, tmp_path: Path) -> None:
    project = godot.new_project(tmp_path / "project")
    level = awkward_level()
    relief = replace(level, objects=(), layers={"relief": level.layers["relief"]})
    write_level("godot", relief, project / "levels")
    answers = godot.query(project, READ_SCENE, {"scenes": [SCENE]})
    assert answers[SCENE]["layers"] == answers[SCENE]["objects"] == []
