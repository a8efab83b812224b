"""Measure a Godot game that makes a level and one that opens an export.

    python tests/benchmarks/run_time.py [--sides 64,128,256] [--runs N]

Needs Godot 4 (`.ci/install-engines`). The map is a connected cave. `run_time_level.gd` makes one of
the same size in GDScript and with the engine's own functions, and checks its results for the
exported cave against the export. Each figure is the median of the runs, in one process.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "engines"))

from engine_harness import Godot  # noqa: E402
from exporter.cli.main import main as run_exporter  # noqa: E402

SCRIPT = Path(__file__).with_name("run_time_level.gd")
RADIUS = 8
SPEC = """\
level: {name}
size: [{side}, {side}]
seed: 1
layers:
  ground: {{generator: cellular_caves, wall_percent: 42, connect: guaranteed}}
  exposure: {{generator: exposure}}
  steps: {{generator: steps_from, objects: [start]}}
objects:
  - {{name: start}}
visibility: {{layer: ground, radius: {radius}}}
"""
# `tiles` is the level as a game without an exporter has it: the tiles say which cells are walkable.
SETTINGS = {
    "merged": "{path: game/levels, chunks: never}",
    "tiles": "{path: game/levels, chunks: never, collision: none, navigation: tiles}",
}
ROWS = {
    "cave": "make a cave and join its parts, GDScript",
    "terrains": "choose the picture of each wall, `set_cells_terrain_connect`",
    "pictures": "the same by a script that knows the picture for all neighbours",
    "navigation": "bake where one can walk, `NavigationServer2D`",
    "open": "**open the exported scene, which has all of that**",
    "exposure": "how many cells each cell sees, radius 8, GDScript",
    "read exposure": "**read it from the exported `.lvb`**",
    "steps": "steps from each cell to the start, GDScript",
    "read steps": "**read them from the exported `.lvb`**",
}


def exported_game(godot: Godot, folder: Path, side: int) -> tuple[Path, float]:
    """Return a game with both levels, and the seconds of exporting the first."""
    project = godot.new_project(folder / "game", ("level_exporter",))
    (folder / "levels").mkdir()
    seconds = []
    for name, target in SETTINGS.items():
        spec = folder / "levels" / f"{name}.level.yaml"
        spec.write_text(SPEC.format(name=name, side=side, radius=RADIUS), encoding="utf-8")
        settings = f"targets: {{godot: {target}}}\n"
        (folder / "exporter.yaml").write_text(settings, encoding="utf-8")
        began = time.perf_counter()
        if run_exporter(["export", str(folder), "--quiet", "--level", name]):
            raise SystemExit(f"{name} does not export")
        seconds.append(time.perf_counter() - began)
    godot.import_project(project, seconds=600)
    return project, seconds[0]


def measured(godot: Godot, side: int, runs: int) -> dict[str, Any]:
    """Return the milliseconds of each step for a map of a size."""
    with tempfile.TemporaryDirectory() as folder:
        project, exported = exported_game(godot, Path(folder), side)
        question = {"side": side, "runs": runs, "radius": RADIUS}
        reported: dict[str, Any] = godot.query(project, SCRIPT, question, seconds=3600)
    for value in ("seen", "farthest"):
        if reported[value] != reported[f"exported {value}"]:
            raise SystemExit(
                f"{value}: {reported[value]}, exported {reported[f'exported {value}']}"
            )
    print(f"{side} x {side}: exported in {exported:.2f} s", file=sys.stderr, flush=True)
    return reported


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sides", default="64,128,256")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    sides = [int(side) for side in arguments.sides.split(",")]
    with tempfile.TemporaryDirectory() as home:
        godot = Godot.find(Path(home))
        if godot is None:
            raise SystemExit("godot is needed (.ci/install-engines)")
        answers = [measured(godot, side, arguments.runs) for side in sides]
    print("| ms | " + " | ".join(f"{side} x {side}" for side in sides) + " |")
    print("|---" * (len(sides) + 1) + "|")
    for key, row in ROWS.items():
        figures = (f"{answer[key]:,.{0 if answer[key] >= 10 else 1}f}" for answer in answers)
        print(f"| {row} | " + " | ".join(figures) + " |")


if __name__ == "__main__":
    main()
