"""Levels of a pack in Godot: what a game waits for one, and its longest frames meanwhile.

Run: python tests/benchmarks/pack_levels.py [levels, 40]

`level` returns a whole level at once; `add_level` gives each frame a part. Frames are as long as
their work: nothing waits for a screen. Other programs on the machine lengthen all.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))
sys.path.insert(0, str(Path(__file__).parents[1] / "engines"))

from engine_harness import Godot
from engine_harness.folders import copy_addon
from exporter.cli.main import main as run_exporter

SCRIPT = Path(__file__).with_name("pack_levels.gd")
SIZES = ((64, 40), (128, 128))
SPEC = """
size: [{}, {}]
layers:
  ground: {{generator: cellular_caves, wall_percent: 43, connect: guaranteed}}
objects:
  - {{name: stairs, clear_radius: 1}}
  - {{name: chest, count: 6, spacing: 6, reachable_from: stairs}}
pack: {{count: {}}}
"""


def main() -> None:
    """Print the figures in milliseconds."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        godot = Godot.find(folder)
        if godot is None:
            sys.exit("Godot 4 (command godot) is not installed")
        game = godot.new_project(folder / "game")
        copy_addon(game)
        (folder / "levels").mkdir()
        (folder / "exporter.yaml").write_text("targets: {godot: {path: game/levels}}\n")
        for width, height in SIZES:
            spec = folder / "levels" / f"caves_{width}.level.yaml"
            spec.write_text(SPEC.format(width, height, count))
        if run_exporter(["export", "-q", str(folder)]):
            sys.exit(1)
        godot.import_project(game)
        for width, height in SIZES:
            question = {"path": f"res://levels/caves_{width}.lvp", "count": count}
            answer = godot.query(game, SCRIPT, question, seconds=600, allow_warnings=True)
            for title, values in answer.items():
                ordered = sorted(values)
                middle, most = ordered[len(ordered) // 2], ordered[-1]
                print(
                    f"{width} x {height} {title}: least {ordered[0]:.1f} ms, "
                    f"median {middle:.1f}, most {most:.1f}"
                )


if __name__ == "__main__":
    main()
