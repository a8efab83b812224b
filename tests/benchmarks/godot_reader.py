"""How long Godot takes over our files: the addon's reader, its import, and the scene.

    python tests/benchmarks/godot_reader.py [--runs N]

Needs Godot 4 (`.ci/install-engines`). Each figure is the best of the runs, in one process. Peers:
the engine's own inflate of the same cells, and the same scene saved by Godot itself.
"""

from __future__ import annotations

import argparse
import base64
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "engines"))

import exporter  # noqa: E402
from engine_harness import Godot  # noqa: E402
from exporter.blob import write_blob  # noqa: E402
from exporter.model.level import HeightRange, Layer, Level, Tile  # noqa: E402
from exporter.targets import TARGETS  # noqa: E402

SCRIPT = """
const Blob := preload("res://addons/level_exporter/runtime/level_blob.gd")
const Builder := preload("res://addons/level_exporter/editor/level_scene.gd")

func best(runs: int, call: Callable) -> float:
	var least := INF
	for run in runs:
		var started := Time.get_ticks_usec()
		call.call()
		least = minf(least, Time.get_ticks_usec() - started)
	return least / 1000.0

func query(arguments):
	var runs := int(arguments.runs)
	var told := {}
	for file in arguments.blobs:
		var bytes := FileAccess.get_file_as_bytes(arguments.blobs[file])
		told[file] = best(runs, func(): Blob.from_bytes(bytes).cell_bytes("layer"))
	var stream := Marshalls.base64_to_raw(arguments.stream)
	told["inflate"] = best(runs, func(): stream.decompress(int(arguments.size), 1))
	var caves := Blob.open(arguments.blobs["bitmap small"])
	caves.visible_from(Vector2i.ZERO)
	var viewers := 200
	told["field of view"] = best(runs, func(): look_from_some(caves, viewers)) / viewers
	var bytes := FileAccess.get_file_as_bytes(arguments.blobs["tiles small"])
	told["import"] = best(runs, func(): Builder.build(bytes, "res://tiles.lvb", {}).free())
	told["scene"] = best(runs, func(): load_scene("res://levels/tiles.tscn"))
	ResourceSaver.save(load("res://levels/tiles.tscn"), "res://levels/by_godot.tscn")
	told["scene by Godot"] = best(runs, func(): load_scene("res://levels/by_godot.tscn"))
	return told

func look_from_some(level: Blob, viewers: int):
	var opaque := level.opaque("layer")
	var place := 0
	while viewers > 0:
		place = (place + 7919) % opaque.size()
		if opaque[place] == 0:
			level.visible_from(Vector2i(place % level.size.x, place / level.size.x))
			viewers -= 1

func load_scene(path: String):
	ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE_DEEP).instantiate().free()
"""


def cave(side: int) -> np.ndarray:
    """Return a cave of walls (1) and floor (0)."""
    walls = np.random.default_rng(1).random((side, side)) < 0.45
    for _ in range(4):
        framed = np.pad(walls, 1, constant_values=True)
        around = sum(
            framed[dy : dy + side, dx : dx + side].astype(int) for dy in range(3) for dx in range(3)
        )
        walls = np.asarray(around >= 5)
    return walls.astype(np.uint8)


def autotiled(walls: np.ndarray) -> np.ndarray:
    """Return 24 ids: walls by their neighbours, floors with random decoration."""
    framed = np.pad(walls, 1, constant_values=1)
    mask = (
        framed[:-2, 1:-1] | framed[1:-1, 2:] << 1 | framed[2:, 1:-1] << 2 | framed[1:-1, :-2] << 3
    )
    floor = 16 + np.random.default_rng(2).choice(8, walls.shape, p=[0.9] + [0.1 / 7] * 7)
    return np.where(walls == 1, mask, floor).astype(np.uint8)


def relief(side: int) -> np.ndarray:
    """Return the heights of a noise layer."""
    layer = f"{{generator: heightmap, size: [{side}, {side}]}}"
    spec = f"size: [8, 8]\nlayers: {{relief: {layer}}}\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "relief.level.yaml"
        path.write_text(spec)
        return exporter.build_level(exporter.load_level(path)).layers["relief"].cells


def level_of(name: str, cells: np.ndarray) -> Level:
    """Return a level with one layer."""
    height, width = cells.shape
    if cells.dtype == np.uint16:
        layer = Layer("layer", "heights", cells, "benchmark", heights=HeightRange())
        return Level(name, width, height, layers={"layer": layer})
    tiles = tuple(
        Tile(number, f"tile {number}", number != 1, number == 1, "#808080")
        for number in range(int(cells.max()) + 1)
    )
    layer = Layer("layer", "tiles", cells, "benchmark", tiles=tiles)
    visibility = exporter.compute_visibility(cells == 1, 8)
    return Level(
        name,
        width,
        height,
        layers={"layer": layer},
        visibility=visibility,
        visibility_layer="layer",
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    walls = cave(512)
    grids = {"bitmap": walls, "tiles": autotiled(walls), "heights": relief(513)}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "home").mkdir()
        godot = Godot.find(folder / "home")
        if godot is None:
            sys.exit("Godot 4 is not installed: .ci/install-engines installs it")
        project = godot.new_project(folder / "game", ("level_exporter",))
        blobs, sizes = {}, {}
        for name, cells in grids.items():
            for profile in ("small", "fast"):
                data = write_blob(level_of(name, cells), profile)  # type: ignore[arg-type]
                path = folder / f"{name}-{profile}.lvb"
                path.write_bytes(data)
                blobs[f"{name} {profile}"], sizes[f"{name} {profile}"] = str(path), len(data)
        target = TARGETS.get("godot")
        (project / "levels").mkdir()
        for artifact in target.export(
            level_of("tiles", grids["tiles"]), target.options(path="levels"), "levels"
        ).artifacts:
            (project / "levels" / artifact.name).write_bytes(artifact.data)
        godot.import_project(project)
        stream = base64.b64encode(zlib.compress(grids["tiles"].tobytes(), 9)).decode()
        arguments: dict[str, Any] = {"runs": runs, "blobs": blobs, "stream": stream}
        arguments["size"] = grids["tiles"].size
        reported = godot.query(project, SCRIPT, arguments, seconds=600)
    limits = {"bitmap small": 100, "tiles small": 150, "heights small": 150, "import": 1000}
    limits |= {"bitmap fast": 5, "tiles fast": 5}
    print(f"{'':28}{'ms':>9}{'target':>9}{'bytes':>10}")
    for name, milliseconds in reported.items():
        size = sizes.get(name, "")
        print(f"{name:28}{milliseconds:9.3f}{limits.get(name, ''):>9}{size:>10}")


if __name__ == "__main__":
    main()
