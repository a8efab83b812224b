"""Bodies placed in a world in Godot: the longest frames, and how long a place is waited for.

Run: python tests/benchmarks/world_places.py [placements, 100]

`rest` is a frame without the work of the world's node. Other programs on the machine lengthen all.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))
sys.path.insert(0, str(Path(__file__).parents[1] / "engines"))

from engine_harness import Godot
from engine_harness.worlds import FOLDER, export_world

SCRIPT = Path(__file__).with_name("world_places.gd")
SPEC = """
size: [1536, 1536]
chunk: 256
seed: 2
layers:
  caves: {generator: cellular_caves}
"""
PARTS = [(column, row) for row in range(6) for column in range(6)]


def main() -> None:
    """Print the figures in milliseconds."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        godot = Godot.find(folder)
        if godot is None:
            sys.exit("Godot 4 (command godot) is not installed")
        project = godot.new_project(folder / "game")
        export_world(SPEC, "places", PARTS, project)
        godot.import_project(project)
        question = {"scene": f"res://{FOLDER}/places.tscn", "count": count}
        answer = godot.query(project, SCRIPT, question, seconds=600)
        for title, values in answer.items():
            ordered = sorted(values)
            middle, most = ordered[len(ordered) // 2], ordered[-1]
            late = ordered[len(ordered) * 95 // 100]
            print(f"{title:7} median {middle:.1f} ms, 95 %: {late:.1f}, most {most:.1f}")


if __name__ == "__main__":
    main()
