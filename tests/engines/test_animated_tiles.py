"""Animated water and lava: Godot plays them, Tiled and Unity's importer know their frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine_harness import Godot, Tiled
from engine_harness.levels import layer_of, write_level
from engine_harness.tiled_maps import read_json
from engine_harness.unity_importer import UnityImporter, export
from exporter.model.level import Level, Tile
from exporter.tilesets import level_tileset
from exporter.tilesets.animation import FRAMES, level_animation

TILES = (
    Tile(0, "floor", True, False, "#806040"),
    Tile(1, "water", False, False, "#3366cc"),
    Tile(2, "lava", False, False, "#cc4422"),
)
SIZE = 16
WIDTH, HEIGHT = 20, 12

# The pictures that differ from the ones before, until all frames were seen.
PLAY = """
extends RefCounted

func query(arguments: Dictionary) -> Dictionary:
	var tree: SceneTree = Engine.get_main_loop()
	var level: Node2D = load("res://levels/pools.tscn").instantiate()
	tree.root.add_child(level)
	var source: TileSetAtlasSource = level.get_node("ground").tile_set.get_source(0)
	var counts := {}
	for index in source.get_tiles_count():
		var coords := source.get_tile_id(index)
		var count := source.get_tile_animation_frames_count(coords)
		counts[count] = counts.get(count, 0) + 1
	var seen: Array[PackedByteArray] = []
	for frame in 600:
		await RenderingServer.frame_post_draw
		var image := tree.root.get_texture().get_image()
		if not seen.has(image.get_data()):
			seen.append(image.get_data())
			image.save_png("%s/%d.png" % [arguments.folder, seen.size()])
		if seen.size() == int(arguments.frames):
			break
	level.free()
	return {"counts": counts, "seen": seen.size()}
"""


def pools() -> Level:
    """A pond and a pool of lava on a floor."""
    cells = np.zeros((HEIGHT, WIDTH), np.uint8)
    cells[2:10, 2:9], cells[3:9, 11:18] = 1, 2
    return Level("pools", WIDTH, HEIGHT, layers={"ground": layer_of("ground", cells, TILES)})


def expected_pictures() -> list[np.ndarray]:
    """The level in each frame."""
    pictures = []
    for frame in range(FRAMES):
        tileset = level_tileset(pools(), frame=frame)
        tiles = tileset.pictures()[tileset.numbers(pools().layers["ground"])]
        pictures.append(tiles.swapaxes(1, 2).reshape(HEIGHT * SIZE, WIDTH * SIZE, 4))
    return pictures


def test_godot_plays_every_frame(godot: Godot, tmp_path: Path) -> None:
    project = godot.new_project(tmp_path / "game")
    write_level("godot", pools(), project / "levels", animated=True, extrude=1)
    godot.import_project(project)
    question = {"folder": str(tmp_path), "frames": FRAMES}
    window = (WIDTH * SIZE, HEIGHT * SIZE)
    answer = godot.query(project, PLAY, question, window=window)
    animation = level_animation(pools(), 0)
    assert animation is not None
    assert answer["counts"][str(FRAMES)] == len(animation.numbers)
    assert answer["seen"] == FRAMES
    expected = {picture.tobytes() for picture in expected_pictures()}
    files = [tmp_path / f"{number}.png" for number in range(1, FRAMES + 1)]
    assert {np.array(Image.open(file).convert("RGBA")).tobytes() for file in files} == expected


@pytest.mark.parametrize("language", ["json", "xml"])
def test_tiled_reads_the_animation(tiled: Tiled, tmp_path: Path, language: str) -> None:
    options: Any = {"animated": True, "tilesets": "embedded", "languages": (language,)}
    write_level("tiled", pools(), tmp_path, "maps", **options)
    file = tmp_path / ("pools.tmj" if language == "json" else "pools.tmx")
    np.testing.assert_array_equal(tiled.rasterize(file), expected_pictures()[0])
    saved = tmp_path / "saved.tmj"
    tiled.save_as(file, saved)
    tiles = read_json(saved)["tilesets"][0]["tiles"]
    result = {
        tile["id"]: [frame["tileid"] for frame in tile["animation"]]
        for tile in tiles
        if "animation" in tile
    }
    animation = level_animation(pools(), 0)
    assert animation is not None
    assert result == {number: animation.frames_of(number) for number in animation.numbers}


def test_unity_makes_animated_tiles(importer: UnityImporter, tmp_path: Path) -> None:
    result = importer.level(export(pools(), tmp_path, bitmaps=False, animated=True))
    assert result["messages"] == []
    assert {name for name, *_ in result["animated"]} == {"water", "lava"}
    height = level_tileset(pools()).rows * SIZE
    for _, speed, places in result["animated"]:
        assert speed == pytest.approx(1 / 0.3)
        x, y = places[0]
        assert places == [[x, y - frame * height] for frame in range(FRAMES)]
