"""The option `animated`: the frames of drawn water in the files of three engines."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from engine_harness.levels import layer_of
from exporter.model.level import Level, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.targets import TARGETS
from exporter.tilesets import level_tileset
from exporter.tilesets.animation import FRAMES, level_animation

TILES = (Tile(0, "floor", True, False, "#806040"), Tile(1, "water", False, False, "#3366cc"))


def level(**more: Any) -> Level:
    cells = np.ones((6, 8), np.uint8)
    return Level("crypt", 8, 6, layers={"ground": layer_of("ground", cells, TILES)}, **more)


def export(target: str) -> dict[str, bytes]:
    options = TARGETS.get(target).options(path="levels", animated=True)
    exported = TARGETS.get(target).export(level(), options, "levels")
    return {file.name: file.data for file in exported.artifacts}


def test_each_engine_gets_the_frames_of_water_in_one_sheet() -> None:
    animation = level_animation(level(), 0)
    assert animation is not None
    tileset = level_tileset(level())
    assert {tileset.tiles[number].name for number in animation.numbers} == {"water"}
    godot = export("godot")["crypt.tileset.tres"].decode()
    separation = f"/animation_separation = Vector2i(0, {tileset.rows - 1})\n"
    assert godot.count(separation) == len(animation.numbers)
    tiled = json.loads(export("tiled")["crypt.tileset.tsj"])
    assert tiled["tilecount"] == FRAMES * tileset.count
    unity = json.loads(export("unity")["crypt.tileset.json"])
    assert unity["rows"] == FRAMES * tileset.rows
    frames = {number: animation.frames_of(number) for number in animation.numbers}
    assert {tile["number"]: tile["frames"] for tile in unity["tiles"] if "frames" in tile} == frames
    assert frames == {
        tile["id"]: [frame["tileid"] for frame in tile["animation"]]
        for tile in tiled["tiles"]
        if "animation" in tile
    }


def test_a_sheet_shows_what_moves_alone_in_later_frames() -> None:
    animation = level_animation(level(), 1)
    assert animation is not None
    sheet = animation.sheet(lambda tileset: tileset.pixels)
    first, second, *_ = np.split(sheet, FRAMES)
    np.testing.assert_array_equal(first, animation.frames[0].pixels)
    left, top = animation.frames[0].corner(0)
    assert (first[top, left] > 0).any()
    assert not second[top, left].any()


def test_pictures_of_an_image_stand_still() -> None:
    options = TilesetOptions(image="sheet.png", tile_size=8, tiles={"floor": 0, "water": 1})
    pixels = np.full((8, 16, 4), 255, np.uint8)
    assert level_animation(level(tileset=TilesetSource(options, pixels)), 0) is None
