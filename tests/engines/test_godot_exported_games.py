"""A level in a Godot game: the parts in an exported game, and the shown tiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine_harness import Godot
from engine_harness.driven import DRIVER
from engine_harness.godot import errors_in
from engine_harness.live_project import LiveProject, new_live_project

LAMPS = DRIVER.with_name("draw_by_lamps.gd")
LEVEL = """\
size: [24, 16]
seed: 1
layers:
  ground: {{generator: cellular_caves}}
tileset: {{image: tiles.png, tile_size: 16, tiles: {{floor: {floor}, wall: {wall}}}}}
"""
SHEET = ("#b02020", "#20b020", "#2020b0", "#b0b020")
PRESET = """\
[preset.0]

name="Linux"
platform="Linux"
runnable=true
export_filter="scenes"
export_files=PackedStringArray("res://main.tscn")
include_filter=""
exclude_filter=""
export_path=""

[preset.0.options]

binary_format/embed_pck=false
"""
MAIN = """\
[gd_scene load_steps=3 format=3]

[ext_resource type="PackedScene" path="res://levels/crypt.{suffix}" id="1"]
[ext_resource type="Script" path="res://main.gd" id="2"]

[node name="Main" type="Node2D"]
script = ExtResource("2")

[node name="Level" parent="." instance=ExtResource("1")]
"""
SCRIPT = """\
extends Node2D


func _ready() -> void:
	var ground: TileMapLayer = $Level/ground
	var source: TileSetAtlasSource = ground.tile_set.get_source(0)
	print("cells %d" % ground.get_used_cells().size())
	print("sheet %s" % str(source.texture.get_size()))
	if $Level.has_method("level"):
		print("walkable %d" % $Level.level().walkable().size())
	print("live %s" % has_node("/root/LevelExporterLive"))
	get_tree().quit()
"""


@pytest.fixture
def project(godot: Godot, tmp_path: Path) -> LiveProject:
    """The level `crypt` with a sheet of four plain tiles."""
    result = new_live_project(godot, tmp_path)
    sheet = Image.new("RGB", (64, 16))
    for number, color in enumerate(SHEET):
        sheet.paste(color, (16 * number, 0, 16 * number + 16, 16))
    sheet.save(result.root / "levels" / "tiles.png")
    result.write(LEVEL.format(floor=0, wall=1))
    result.export()
    return result


@pytest.mark.parametrize("suffix", ["lvb", "tscn"])
def test_a_game_of_selected_scenes_has_all_that_a_level_needs(
    godot: Godot, project: LiveProject, tmp_path: Path, suffix: str
) -> None:
    (project.game / "main.tscn").write_text(MAIN.format(suffix=suffix))
    (project.game / "main.gd").write_text(SCRIPT)
    (project.game / "export_presets.cfg").write_text(PRESET)
    settings = project.game / "project.godot"
    settings.write_text(
        settings.read_text().replace(
            "[application]\n", '[application]\n\nrun/main_scene="res://main.tscn"'
        )
    )
    godot.import_project(project.game)
    pack = tmp_path / "game.pck"
    output = godot.run(["--path", str(project.game), "--export-pack", "Linux", str(pack)])
    assert errors_in(output) == []
    # Elsewhere, where there is nothing but the pack.
    played = godot.run(["--main-pack", str(pack), "--quit-after", "60"])
    assert errors_in(played) == []
    lines = played.splitlines()
    assert "cells 384" in lines
    assert "sheet (64.0, 16.0)" in lines
    assert ("walkable 384" in lines) is (suffix == "lvb")
    assert "live false" in lines


def colors_of(godot: Godot, project: LiveProject, suffix: str) -> set[tuple[int, ...]]:
    """The colours of a sheet's tiles that a scene shows."""
    file = project.root / f"{suffix}.png"
    picture = {"scene": f"res://levels/crypt.{suffix}", "file": str(file), "lamps": []}
    godot.query(project.game, LAMPS, {"pictures": [picture]}, window=(384, 256))
    pixels = np.array(Image.open(file).convert("RGB")).reshape(-1, 3)
    return {tuple(map(int, color)) for color in np.unique(pixels, axis=0)}


def test_a_change_of_only_the_mapping_imports_the_level_again(
    godot: Godot, project: LiveProject
) -> None:
    godot.import_project(project.game)
    before = {suffix: colors_of(godot, project, suffix) for suffix in ("lvb", "tscn")}
    sheet = (project.game / "levels" / "crypt.tileset.png").read_bytes()
    project.write(LEVEL.format(floor=2, wall=3))
    project.export()
    godot.import_project(project.game)
    after = {suffix: colors_of(godot, project, suffix) for suffix in ("lvb", "tscn")}
    assert (project.game / "levels" / "crypt.tileset.png").read_bytes() == sheet
    assert before["lvb"] == before["tscn"]
    assert after["lvb"] == after["tscn"]
    assert len(before["lvb"]) >= 2
    assert len(after["lvb"]) >= 2
    assert before["lvb"].isdisjoint(after["lvb"])
