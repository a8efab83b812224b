"""Measure tile choice at run time in Godot against an exported scene.

    python tests/benchmarks/autotiling.py [--sides 64,128,256] [--runs N]

Needs Godot 4 (`.ci/install-engines`). Maps are square caves whose walls have 47 pictures, in a
terrain set of the exported TileSet, and islands of sand and grass drawn between the cells. Each
figure is the best of the runs, in one process; `set_cells_terrain_connect` runs once on a map.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "engines"), str(ROOT / "tests" / "harness")]

from godot_reader import cave  # noqa: E402

from engine_harness import Godot  # noqa: E402
from engine_harness.playable import export_godot  # noqa: E402
from exporter.model.level import Layer, Level, Tile  # noqa: E402
from terrain_sheets import terrain_level  # noqa: E402

SIDES = "64,128,256"
NO_SHAPES = {"collision": "none", "occlusion": "none", "navigation": "none"}
TILES = (
    Tile(0, "floor", True, False, "#c8b090"),
    Tile(1, "wall", False, True, "#202428"),
)
WAYS = {
    "terrain": "walls: `set_cells_terrain_connect` of all, in one call",
    "set_cell": "walls and floor: `set_cell` with the known tile of every cell",
    "load": "the exported cave, from `.tscn` to nodes",
    "load binary": "the exported cave, from binary (as games are exported) to nodes",
    "corners": "islands: a script that chooses sand and grass between the cells",
    "load corners": "the exported islands, from `.tscn` to nodes",
    "load corners binary": "the exported islands, from binary to nodes",
}
SCRIPT = """
func query(arguments):
	var answers := []
	for side in arguments.sides:
		answers.append(measured(int(side), int(arguments.runs)))
	return answers


func best(runs: int, call: Callable) -> float:
	var least := INF
	for run in runs:
		var started := Time.get_ticks_usec()
		call.call()
		least = minf(least, Time.get_ticks_usec() - started)
	return least / 1000.0


func measured(side: int, runs: int) -> Dictionary:
	var cave := "res://levels/cave%d.tscn" % side
	var isle := "res://levels/isle%d.tscn" % side
	# The TileSets stay loaded, as between the levels of a game.
	var root: Node = load(cave).instantiate()
	var told := {"load": best(runs, load_scene.bind(cave))}
	told["load binary"] = best(runs, load_scene.bind(binary(cave)))
	var ground: TileMapLayer = root.get_node("ground")
	told["set_cell"] = best(runs, copy_cells.bind(ground, places_of(ground)))
	told["terrain"] = best(1, paint.bind(ground))
	root.free()
	root = load(isle).instantiate()
	told["load corners"] = best(runs, load_scene.bind(isle))
	told["load corners binary"] = best(runs, load_scene.bind(binary(isle)))
	told["corners"] = best(runs, choose_corners.bind(root.get_node("ground"), side))
	root.free()
	return told


func load_scene(path: String) -> void:
	ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE).instantiate().free()


func binary(path: String) -> String:
	var saved := path.replace(".tscn", ".scn")
	ResourceSaver.save(load(path), saved)
	return saved


func places_of(layer: TileMapLayer) -> Dictionary:
	var places := {}
	for cell in layer.get_used_cells():
		places[cell] = layer.get_cell_atlas_coords(cell)
	return places


func copy_cells(ground: TileMapLayer, places: Dictionary) -> void:
	var layer := TileMapLayer.new()
	layer.tile_set = ground.tile_set
	for cell: Vector2i in places:
		layer.set_cell(cell, 0, places[cell])
	layer.free()


func paint(ground: TileMapLayer) -> void:
	var layer := TileMapLayer.new()
	layer.tile_set = ground.tile_set
	var walls: Array[Vector2i] = []
	for cell in ground.get_used_cells():
		if ground.get_cell_tile_data(cell).get_custom_data("name") == "wall":
			walls.append(cell)
	layer.set_cells_terrain_connect(walls, 0, 0, false)
	layer.free()


# As a game would that knows the ids of its cells: sand is 1, grass 2; the sheet has 16 columns.
func choose_corners(ground: TileMapLayer, side: int) -> void:
	var ids := PackedInt32Array()
	ids.resize(side * side)
	for cell in ground.get_used_cells():
		ids[cell.y * side + cell.x] = ground.get_cell_tile_data(cell).get_custom_data("id")
	for tile in [1, 2]:
		var layer := TileMapLayer.new()
		layer.tile_set = ground.tile_set
		for y in side + 1:
			for x in side + 1:
				var above := maxi(y - 1, 0) * side
				var below := mini(y, side - 1) * side
				var left := maxi(x - 1, 0)
				var right := mini(x, side - 1)
				var mask := int(ids[above + left] >= tile) | int(ids[above + right] >= tile) << 1
				mask |= int(ids[below + right] >= tile) << 2 | int(ids[below + left] >= tile) << 3
				if mask:
					layer.set_cell(Vector2i(x, y), 0, Vector2i(mask, tile))
		layer.free()
"""


def cave_level(side: int) -> Level:
    """Return a cave; every wall has one of 47 pictures."""
    layer = Layer("ground", "tiles", cave(side), "benchmark", tiles=TILES)
    return Level(f"cave{side}", side, side, layers={"ground": layer})


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sides", default=SIDES)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    sides = [int(side) for side in arguments.sides.split(",")]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "home").mkdir()
        godot = Godot.find(folder / "home")
        if godot is None:
            raise SystemExit("godot is needed (.ci/install-engines)")
        project = godot.new_project(folder / "game")
        for side in sides:
            for level in (cave_level(side), terrain_level(f"isle{side}", side, side)):
                export_godot(level, project, chunks="never", **NO_SHAPES)
        godot.import_project(project)
        question = {"sides": sides, "runs": arguments.runs}
        answers: list[dict[str, Any]] = godot.query(project, SCRIPT, question, seconds=1800)
    counts = [np.count_nonzero(cave(side)) for side in sides]
    print("| ms | " + " | ".join(f"{side} x {side}" for side in sides) + " |")
    print("|---" * (len(sides) + 1) + "|")
    for key, way in WAYS.items():
        print(f"| {way} | " + " | ".join(f"{answer[key]:.0f}" for answer in answers) + " |")
    print("walls of the caves: " + ", ".join(f"{count:,}" for count in counts))


if __name__ == "__main__":
    main()
