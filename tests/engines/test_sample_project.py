"""The sample project, exported with the command line as a user would, in the real engines."""

from __future__ import annotations

import base64
from dataclasses import asdict
from pathlib import Path

import numpy as np

from engine_harness import Godot, Tiled
from engine_harness.exact import digest, exact
from engine_harness.folders import copy_addon
from engine_harness.godot import READ_BLOBS, READ_SCENE
from engine_harness.levels import expected_meanings, same_picture
from engine_harness.sample import Exported
from engine_harness.tiled_maps import compose, meanings, tile_layers
from exporter.formats.heights.samples import real_heights
from exporter.model.level_values import EMPTY_NAMES

READ_HEIGHTS = """
func query(arguments: Array) -> Dictionary:
	var answers := {}
	for path: String in arguments:
		var image: Image = load(path)
		answers[path] = [
			image.get_format() == Image.FORMAT_RF,
			image.get_width(),
			image.get_height(),
			Marshalls.raw_to_base64(image.get_data()),
		]
	return answers
"""


def resource(project: Path, file: Path) -> str:
    return f"res://{file.relative_to(project).as_posix()}"


def test_every_output_is_there_with_the_reported_hash(sample: Exported) -> None:
    outputs = [output for entry in sample.report["levels"] for output in entry["outputs"]]
    assert {output["target"] for output in outputs} == {"godot", "gltf", "unity", "tiled"}
    for output in outputs:
        assert sample.digests[output["path"]] == output["sha256"]


def test_godot_loads_every_cell_of_every_level(
    godot: Godot, sample_game: Path, sample: Exported
) -> None:
    levels = sample.levels
    assert len(levels) >= 3
    paths = {
        entry["level"]: resource(sample_game, sample.files(entry, "godot", ".tscn")[0])
        for entry, _ in levels
    }
    answers = godot.query(sample_game, READ_SCENE, {"scenes": list(paths.values())})
    for entry, level in levels:
        answer = answers[paths[entry["level"]]]
        assert len(answer["layers"]) == len(level.seen_layers()) > 0
        for result, layer in zip(answer["layers"], level.seen_layers(), strict=True):
            numbers = np.frombuffer(base64.b64decode(result["cells"]), "<i4").reshape(-1, 4)
            cells: list[tuple[int, str] | None] = [None] * layer.cells.size
            for (x, y, number, flags), name in zip(numbers.tolist(), result["names"], strict=True):
                cells[y * layer.width + x] = (number, name)
                # The shapes are nodes of the scene; tiles have only their names.
                tile = next(tile for tile in layer.tiles if tile.id == number)
                assert flags == tile.walkable + 2 * tile.opaque
            assert cells == expected_meanings(layer)
        size = answer["layers"][0]["tile_size"][0]
        places = [marker["position"] for marker in answer["objects"]]
        assert places == [[(o.x + 0.5) * size, (o.y + 0.5) * size] for o in level.objects]


def test_godot_reads_every_height_exactly(
    godot: Godot, sample_game: Path, sample: Exported
) -> None:
    expected = {
        resource(sample_game, file): real_heights(layer)
        for entry, level in sample.levels
        for layer in level.height_layers()
        for file in sample.files(entry, "godot", f".{layer.name}.exr")
    }
    assert expected
    answers = godot.query(sample_game, READ_HEIGHTS, list(expected))
    for path, heights in expected.items():
        floats, width, height, data = answers[path]
        assert floats
        result = np.frombuffer(base64.b64decode(data), "<f4").reshape(int(height), int(width))
        np.testing.assert_array_equal(result, heights)


def test_the_addon_reads_every_blob_and_every_field_of_view(
    godot: Godot, sample: Exported, tmp_path: Path
) -> None:
    project = godot.new_project(tmp_path / "reader")
    copy_addon(project)
    levels = sample.levels
    files = []
    for entry, level in levels:
        (path,) = sample.files(entry, "godot", ".lvb")
        everywhere = [[x, y] for y in range(level.height) for x in range(level.width)]
        files.append({"path": str(path), "viewers": [everywhere]})
    answers = godot.query(project, READ_BLOBS, files)
    assert any(level.visibility for _, level in levels)
    for answer, (_, level) in zip(answers, levels, strict=True):
        assert answer["error"] == ""
        (result,) = answer["levels"]
        assert [layer["name"] for layer in result["layers"]] == list(level.layers)
        for layer, expected in zip(result["layers"], level.layers.values(), strict=True):
            assert layer["cells"] == digest(expected.cells.astype("<i4"))
        requested = [asdict(thing) for thing in level.objects]
        for thing in requested:
            del thing["entry"]  # only says which line of the spec asked for it
        assert result["objects"] == exact(requested)
        assert result["tables"] == exact(map(asdict, level.tables.values()))
        if level.visibility:
            viewers = ((x, y) for y in range(level.height) for x in range(level.width))
            views = [digest(level.visibility.visible_from(x, y)) for x, y in viewers]
            assert result["seen"] == views


def test_tiled_draws_every_level_as_we_do(tiled: Tiled, sample: Exported) -> None:
    for entry, level in sample.levels:
        (map_file,) = sample.files(entry, "tiled", ".tmj")
        known = meanings(map_file)
        layers = tile_layers(map_file)
        for layer in level.tile_layers():
            result = [known.get(gid) for gid in layers[layer.name].ravel().tolist()]
            # Cells of empty tiles, such as `none` of a flow, have no tile in Tiled.
            expected = expected_meanings(layer)
            assert result == [
                None if tile is None or tile[1] in EMPTY_NAMES else tile for tile in expected
            ]
        same_picture(tiled.rasterize(map_file, "--hide-layer", "objects"), compose(map_file))
