"""Random walks of the sample game's guards in real Godot, in every level: all have to arrive.

Run: python tests/benchmarks/sample_walks.py [walks, 200]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))
sys.path.insert(0, str(Path(__file__).parents[1] / "engines"))

from engine_harness import Godot
from engine_harness.playable import random_pairs
from engine_harness.sample import export_sample

SCRIPT = Path(__file__).parents[1] / "engines" / "engine_harness" / "walk_sample.gd"


def main() -> None:
    """Print one line for every level: how many arrive, and the ways of those that do not."""
    walks = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        godot = Godot.find(Path(folder))
        if godot is None:
            sys.exit("Godot 4 (command godot) is not installed")
        sample = export_sample(Path(folder) / "sample_project")
        game = sample.folder / "godot"
        godot.import_project(game)
        ways = {
            level.name: random_pairs(level.walkable(), walks).reshape(-1, 2, 2).tolist()
            for _, level in sample.levels
        }
        question = {"levels": ways, "body": "res://guard.tscn"}
        for name, walked in godot.query(game, SCRIPT, question, seconds=600).items():
            print(f"{name:14} {walks - len(walked['lost']):5} of {walks} arrive", *walked["lost"])
        godot.close()


if __name__ == "__main__":
    main()
