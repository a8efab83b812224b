"""The harness itself: engines hide their errors, and a test that cannot fail proves nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine_harness import Godot, GodotError, Mono, MonoError, Tiled, TiledError
from engine_harness.godot import errors_in


def test_error_lines_are_detected_and_ordinary_lines_are_not() -> None:
    printed = """Godot Engine v4.6
WARNING: something
ERROR: Failed loading resource: res://a.tscn.
   at: _load (core/io/resource_loader.cpp:343)
SCRIPT ERROR: Parse Error: Identifier "x" not declared in the current scope.
[ DONE ] reimport
ERROR: Error importing 'res://a.png'.
"""
    assert len(errors_in(printed)) == 3


def test_an_import_with_a_broken_picture_fails(godot: Godot, tmp_path: Path) -> None:
    project = godot.new_project(tmp_path / "project")
    Image.new("RGB", (4, 4), "red").save(project / "good.png")
    (project / "bad.png").write_bytes(b"no picture")
    with pytest.raises(GodotError, match=r"bad\.png") as raised:
        godot.import_project(project)
    faults = str(raised.value).partition("--- output ---")[0]
    assert "bad.png.import: valid=false" in faults
    assert "good.png" not in faults


def test_a_project_does_not_see_the_files_of_the_one_before(godot: Godot, tmp_path: Path) -> None:
    script = 'func query(_a):\n\treturn load("res://picture.png").get_width()\n'
    for side in (4, 8):
        project = godot.new_project(tmp_path / str(side))
        picture = project / "picture.png"
        Image.new("RGB", (side, side), "red").save(picture)
        # Godot takes a file of the same time for the same file.
        os.utime(picture, (1_700_000_000, 1_700_000_000))
        godot.import_project(project)
        assert godot.query(project, script) == side
        assert sorted(path.name for path in project.iterdir()) == [
            ".godot", "picture.png", "picture.png.import", "project.godot"
        ]  # fmt: skip


def test_a_query_returns_values_and_reports_script_errors(godot: Godot, tmp_path: Path) -> None:
    project = godot.new_project(tmp_path / "project")
    script = "func query(arguments):\n\treturn [arguments, 0.1, 7, PackedInt32Array([1, 2])]\n"
    assert godot.query(project, script, {"a": "b"}) == [{"a": "b"}, 0.1, 7, [1, 2]]
    with pytest.raises(GodotError, match="nothing_like_this"):
        godot.query(project, "func query(_a):\n\treturn nothing_like_this\n")
    with pytest.raises(GodotError, match="SCRIPT ERROR"):
        godot.query(project, "func query(a):\n\tvar b: Node = null\n\treturn b.name\n")


def test_tiled_draws_a_map_and_a_broken_map_fails(tiled: Tiled, tmp_path: Path) -> None:
    tiles = np.zeros((2, 4, 4), np.uint8)
    tiles[:, :2] = (255, 0, 0, 255)
    tiles[:, 2:] = (0, 0, 255, 128)
    Image.fromarray(tiles).save(tmp_path / "tiles.png")
    document = {
        "type": "map",
        "orientation": "orthogonal",
        "width": 2,
        "height": 1,
        "tilewidth": 2,
        "tileheight": 2,
        "layers": [
            {"type": "tilelayer", "width": 2, "height": 1, "visible": True, "opacity": 1}
            | {"data": [2, 1], "name": "ground", "id": 1, "x": 0, "y": 0}
        ],
        "tilesets": [
            {"firstgid": 1, "name": "tiles", "image": "tiles.png", "imagewidth": 4}
            | {"imageheight": 2, "tilewidth": 2, "tileheight": 2, "columns": 2, "tilecount": 2}
        ],
    }
    (tmp_path / "map.tmj").write_text(json.dumps(document))
    drawn = tiled.rasterize(tmp_path / "map.tmj")
    np.testing.assert_array_equal(drawn, tiles[:, ::-1])
    (tmp_path / "broken.tmj").write_text("{}")
    with pytest.raises(TiledError):
        tiled.rasterize(tmp_path / "broken.tmj")


def test_csharp_compiles_and_runs_and_warnings_fail(mono: Mono, tmp_path: Path) -> None:
    source = tmp_path / "Program.cs"
    source.write_text(
        'class Program { static void Main(string[] a) { System.Console.Write(a[0] + "!"); } }'
    )
    program = mono.compile([source], tmp_path / "program.exe")
    assert mono.run(program, "hello") == "hello!"
    source.write_text("class Program { static void Main() { int unused; } }")
    with pytest.raises(MonoError, match="unused"):
        mono.compile([source], tmp_path / "warned.exe")
