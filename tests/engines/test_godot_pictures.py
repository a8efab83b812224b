"""Heights and pictures in real Godot: every value equals the exported one."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest

from engine_harness import Godot
from engine_harness.levels import awkward_level, write_artifacts
from exporter.formats import Artifact
from exporter.formats.bitmap import bitmap, cell_colors
from exporter.formats.exr import encode_exr
from exporter.formats.godot.import_settings import image_import, picture_import
from exporter.formats.godot.uid import godot_uid
from exporter.formats.heights.samples import height_rows, real_heights

SCRIPT = """
func query(arguments):
	var answers := {}
	for path in arguments.images:
		var resource = load(path)
		var image: Image = resource if resource is Image else resource.get_image()
		answers[path] = {
			"type": resource.get_class(),
			"format": image.get_format(),
			"size": [image.get_width(), image.get_height()],
			"mipmaps": image.has_mipmaps(),
			"bytes": Marshalls.raw_to_base64(image.get_data()),
			"uid": ResourceUID.id_to_text(ResourceLoader.get_resource_uid(path)),
		}
	var shape := HeightMapShape3D.new()
	shape.map_width = arguments.width
	shape.map_depth = arguments.depth
	shape.map_data = load(arguments.heights).get_data().to_float32_array()
	answers["shape"] = [shape.get_min_height(), shape.get_max_height()]
	answers["formats"] = {"RF": Image.FORMAT_RF, "RGBA8": Image.FORMAT_RGBA8}
	return answers
"""


@pytest.fixture(scope="module")
def read_back(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    project = godot.new_project(tmp_path_factory.mktemp("pictures"))
    level = awkward_level()
    relief, ground = level.layers["relief"], level.layers["ground"]
    exr = Artifact("crypt.relief.exr", "heightmap", encode_exr(real_heights(relief)))
    picture = Artifact("crypt.ground.png", "bitmap", bitmap(ground))
    rows = Artifact("crypt.relief.r16", "heightmap", height_rows(relief))
    settings = [image_import(exr, "levels"), picture_import(picture, "levels")]
    write_artifacts([*settings, exr, picture, rows], project / "levels")
    godot.import_project(project, first_start=True)
    arguments = {
        "images": ["res://levels/crypt.relief.exr", "res://levels/crypt.ground.png"],
        "heights": "res://levels/crypt.relief.exr",
        "width": relief.width,
        "depth": relief.height,
    }
    answers: dict[str, Any] = godot.query(project, SCRIPT, arguments)
    godot.import_project(project, first_start=True)
    return answers


def pixels(answer: dict[str, Any], dtype: str) -> np.ndarray:
    width, height = answer["size"]
    return np.frombuffer(base64.b64decode(answer["bytes"]), dtype).reshape(height, width, -1)


def test_heights_arrive_as_floats_with_every_value_exact(read_back: dict[str, Any]) -> None:
    answer = read_back["res://levels/crypt.relief.exr"]
    assert answer["format"] == read_back["formats"]["RF"]
    expected = real_heights(awkward_level().layers["relief"])
    np.testing.assert_array_equal(pixels(answer, "<f4")[:, :, 0], expected)


def test_a_height_shape_takes_the_heights_as_they_are(read_back: dict[str, Any]) -> None:
    assert read_back["shape"] == pytest.approx([-12.5, 301.25])


def test_a_bitmap_keeps_every_pixel_even_the_transparent_ones(read_back: dict[str, Any]) -> None:
    answer = read_back["res://levels/crypt.ground.png"]
    assert answer["format"] == read_back["formats"]["RGBA8"]
    assert not answer["mipmaps"]
    expected = cell_colors(awkward_level().layers["ground"]).repeat(5, axis=0).repeat(5, axis=1)
    np.testing.assert_array_equal(pixels(answer, "u1"), expected)


def test_godot_keeps_the_uids_written_for_it(read_back: dict[str, Any]) -> None:
    for name in ("crypt.relief.exr", "crypt.ground.png"):
        assert read_back[f"res://levels/{name}"]["uid"] == godot_uid("levels", name)
