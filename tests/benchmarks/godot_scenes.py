"""Measure exported levels in Godot: paths, polygons, opening a scene.

Run: python tests/benchmarks/godot_scenes.py [sides, 256 512 640 2048]

Each level is a connected cave; that of 640 x 640 is dug into rock, with more opaque cells than
Godot holds occluders. It is exported with every shape in a tile of its own (`tiles`, all nodes in
the scene) and as it is by default (`merged`).
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))
sys.path.insert(0, str(Path(__file__).parents[1] / "engines"))

from engine_harness import Godot
from engine_harness.levels import layer_of
from engine_harness.playable import TILE, export_godot, random_pairs
from exporter.generators import GENERATORS, Request
from exporter.grids.regions import label_regions
from exporter.model.level import Level, Tile
from exporter.streams import open_stream

SCRIPT = Path(__file__).with_name("open_scene.gd")
PAIRS = 1000
# Larger levels take minutes and gigabytes with shapes of tiles.
MOST_TILES = ROCK_SIDE = 640
# Sides up to which 1,000 paths are requested; through shapes of tiles each takes 0.1 s.
MOST_PATHS = {"tiles": 256, "merged": 512}
TILES = {"collision": "tiles", "occlusion": "tiles", "navigation": "tiles", "chunks": "never"}
WALLS = (Tile(0, "floor", True, False, "#c8b090"), Tile(1, "wall", False, True, "#202428"))


@dataclass(frozen=True, slots=True)
class Row:
    """The costs of one scene."""

    form: str
    answer: dict[str, Any]
    lines: int
    bytes: int


def connected_cave(side: int) -> Level:
    """Return a level whose floor is the largest region of a generated cave."""
    dug = side == ROCK_SIDE
    entry = GENERATORS.get("drunkard" if dug else "cellular_caves")
    parameters = entry.parameters(floor_percent=25) if dug else entry.parameters()
    stream = open_stream("portable", 1, "ground")
    result = entry.generate(parameters, Request("ground", side, side, stream))
    regions = label_regions(result.cells == 0)
    cells = (regions.labels != regions.largest).astype(np.uint8)
    return Level(f"cave_{side}", side, side, layers={"ground": layer_of("ground", cells, WALLS)})


def measure(godot: Godot, project: Path, level: Level, form: str) -> Row:
    """Open a scene in a new process and count the lines Godot prints."""
    side = level.width
    question: dict[str, Any] = {"scene": f"res://levels/{level.name}.tscn", "pairs": []}
    if side <= MOST_PATHS[form]:
        pairs = random_pairs(level.walkable(), PAIRS)
        question["pairs"] = ((pairs + 0.5) * TILE).tolist()
        # The figures about large levels on the Godot page.
        if side > 256 and form == "merged":
            question["path_search_max_polygons"] = 4096 * (side // 256) ** 2
    answer, output = godot.query_with_output(project, SCRIPT, question, seconds=1200)
    # All lines but Godot's own.
    lines = [line for line in output.splitlines() if line and not line.startswith("Godot Engine")]
    scene = project / "levels" / f"{level.name}.tscn"
    return Row(form, answer, len(lines), scene.stat().st_size)


def show(side: int, row: Row, floor: int) -> None:
    """Print one line."""
    answer = row.answer
    paths = polygons = usable = query = "-"
    if "arrived" in answer:
        paths = f"{answer['arrived']} of {PAIRS}"
        polygons = f"1/{floor / answer['polygons']:.0f}"
        usable = f"{answer['usable_ms'] / 1000:.2f} s"
        query = f"{answer['query_ms']:.1f} ms"
    print(
        f"{side:5} {row.form:7} {paths:>13} {polygons:>6} {usable:>8} {query:>8} "
        f"{answer['load_ms'] / 1000:7.2f} s {answer['enter_ms'] / 1000:7.2f} s "
        f"{answer['memory'] / 1e6:7.0f} MB {row.lines:7} {row.bytes / 1e6:7.1f} MB",
        flush=True,
    )


def main() -> None:
    """Print one line for every side and form."""
    sides = [int(text) for text in sys.argv[1:]] or [256, 512, 640, 2048]
    with tempfile.TemporaryDirectory() as folder:
        godot = Godot.find(Path(folder))
        if godot is None:
            sys.exit("Godot 4 (command godot) is not installed")
        print(
            f"{'side':>5} {'form':7} {'paths arrive':>13} {'poly-':>6} {'path':>8} {'a':>8} "
            f"{'':>9} {'enter':>9} {'':>10} {'log':>7} {'':>10}"
        )
        print(
            f"{'':>5} {'':7} {'':>13} {'gons':>6} {'usable':>8} {'query':>8} "
            f"{'load':>9} {'the tree':>9} {'memory':>10} {'lines':>7} {'scene':>10}"
        )
        for side in sides:
            level = connected_cave(side)
            floor = int(level.walkable().sum())
            for form, options in (("merged", {}), ("tiles", TILES)):
                if form == "tiles" and side > MOST_TILES:
                    continue
                project = godot.new_project(Path(folder) / f"{form}_{side}")
                began = time.perf_counter()
                export_godot(level, project, **options)
                exported = time.perf_counter() - began
                godot.import_project(project, seconds=1200)
                show(side, measure(godot, project, level, form), floor)
                print(f"{'':13} exported in {exported:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
