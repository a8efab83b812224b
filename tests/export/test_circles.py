"""A level whose input is its own output is refused at the line that names the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hand_tiled import drawn, layer, tileset
from small_game import Game

TILES = [tileset({0: {"type": "wall"}, 1: {"type": "floor"}})]
CELLS = np.array([[1, 2, 2, 1], [1, 1, 1, 1]], np.uint32)
SETTINGS = "targets: {tiled: {path: tiled}}\n"


def test_a_level_that_reads_its_own_map_is_refused(tmp_path: Path) -> None:
    game = Game(tmp_path)
    game.settings(SETTINGS)
    plan = "{generator: from_tiled, file: ../tiled/cave.tmj}"
    game.spec("cave").write_text(f"size: [4, 2]\nlayers:\n  plan: {plan}\n")
    (tmp_path / "tiled").mkdir()
    position = tmp_path / "tiled" / "cave.tmj"
    content = drawn(layer("plan", CELLS), tilesets=TILES)
    position.write_bytes(content)
    for _ in range(2):
        (problem,) = game.export()["cave"].problems
        assert "'tiled/cave.tmj', which it writes itself" in problem.message
        assert (problem.line, problem.column) == (3, 39)
    assert position.read_bytes() == content
    # A drawing beside the outputs is fine.
    position.rename(tmp_path / "tiled" / "drawn.tmj")
    game.spec("cave").write_text(
        f"size: [4, 2]\nlayers:\n  plan: {plan.replace('cave.tmj', 'drawn.tmj')}\n"
    )
    assert game.export()["cave"].status == "built"
    assert position.exists()
    assert (tmp_path / "tiled" / "drawn.tmj").read_bytes() == content
