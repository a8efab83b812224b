"""Steps, flows and roads in a game: reading them from a blob, and walkable cells."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import exporter
from engine_harness import Godot
from engine_harness.folders import ROOT, copy_addon
from exporter.build.build import build_level
from exporter.reading.reader import parse_level

PAGE = ROOT / "exporter" / "docs" / "how-to" / "distances-and-roads.md"

SPEC = """
level: ford
size: [21, 9]
seed: 3
layers:
  meadow: {generator: blank}
  land: {generator: stamp, of: meadow, at: [[10, 0]], art: "~\\n~\\n~\\n~\\n~\\n~\\n~\\n~\\n~"}
  road: {generator: road, of: land, between: [start, exit], over: [water]}
  ground: {generator: stamp, of: land, from_layer: road, transparent: [empty]}
  walk: {generator: steps_from, objects: [exit]}
  flow: {generator: goal_flow, objects: [exit]}
  part: {generator: between, start: [start], goal: [exit]}
objects:
  - {name: start, layer: land, at: [2, 1]}
  - {name: exit, layer: land, at: [18, 7]}
"""

# The functions of the page, over the level at the given path.
QUERY = """
var level: LevelExporterBlob
var walk: PackedInt32Array
var flow: PackedInt32Array
{functions}

func query(path):
	level = LevelExporterBlob.open(path)
	walk = level.cells("walk")
	flow = level.cells("flow")
	var way := []
	var open := level.walkable()
	var cell := Vector2i(2, 1)
	for count in 100:
		way.append([cell.x, cell.y, steps_to_exit(cell), open[cell.y * level.size.x + cell.x]])
		if next_step(cell) == cell:
			break
		cell = next_step(cell)
	return [level.error, level.layer_info("walk")["heights"], walk, level.cells("part"), way]
"""


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = godot.new_project(tmp_path_factory.mktemp("ways"))
    copy_addon(folder)
    return folder


def test_a_script_walks_by_steps_and_flow_over_the_bridge(
    godot: Godot, project: Path, tmp_path: Path
) -> None:
    level = build_level(parse_level(SPEC.encode(), "ford.level.yaml"))
    path = tmp_path / "ford.lvb"
    path.write_bytes(exporter.write_blob(level))
    (code,) = re.findall(r"```gdscript\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    functions = re.sub(r"(?m)^var .*\n", "", code)
    script = QUERY.replace("{functions}", functions).replace("LevelExporterBlob", "Blob")
    script = 'const Blob := preload("res://addons/level_exporter/runtime/level_blob.gd")\n' + script
    error, heights, walk, part, way = godot.query(project, script, str(path))
    assert error == ""
    assert heights == {"minimum": 0, "maximum": 65535, "units": "steps"}
    assert walk == level.layers["walk"].cells.ravel().tolist()
    assert part == level.layers["part"].cells.ravel().tolist()
    walkable = level.walkable()
    assert way[0][:2] == [2, 1]
    assert way[-1] == [18, 7, 0, 1]
    assert [item[2] for item in way] == list(range(len(way) - 1, -1, -1))
    assert all(open_ for *_, open_ in way)
    # Over the river there is only the bridge.
    (crossing,) = [y for x, y, *_ in way if x == 10]
    assert np.flatnonzero(walkable[:, 10]).tolist() == [crossing]
    names = {tile.id: tile.name for tile in level.layers["ground"].tiles}
    assert names[int(level.layers["ground"].cells[crossing, 10])] == "bridge"
