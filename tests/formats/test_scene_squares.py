"""Where a Godot layer is cut into squares: at 1024 cells a side, and not before."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cases import each_case
from exporter.model.level import BLACK, Layer, Level, Tile
from godot_scene_texts import scene_text


def layer_nodes(width: int, height: int) -> list[tuple[str, str, str]]:
    """Return name, type and position of the nodes of a scene's one layer."""
    cells = np.zeros((height, width), np.uint8)
    layer = Layer("ground", "tiles", cells, "x", 1, (Tile(0, "floor", True, False, BLACK),))
    level = Level("wide", width, height, layers={"ground": layer})
    text = scene_text(level)
    nodes = []
    for block in text.split("\n\n"):
        head = re.match(r'\[node name="([^"]+)" type="([^"]+)"', block)
        position = re.search(r"^position = Vector2\((.*)\)$", block, re.M)
        if head and head[1].startswith("ground"):
            nodes.append((head[1], head[2], position[1] if position else ""))
    return nodes


@pytest.mark.parametrize(("width", "height"), [(1024, 1), (1, 1024), (1024, 2)])
def test_up_to_1024_cells_a_layer_is_one_node(width: int, height: int) -> None:
    assert layer_nodes(width, height) == [("ground", "TileMapLayer", "")]


@each_case(
    ("width", "height", "squares"),
    [
        (1025, 1, [("ground_0_0", ""), ("ground_1_0", "16384, 0")]),
        (1, 1025, [("ground_0_0", ""), ("ground_0_1", "0, 16384")]),
        (2048, 1, [("ground_0_0", ""), ("ground_1_0", "16384, 0")]),
        (2049, 1, [("ground_0_0", ""), ("ground_1_0", "16384, 0"), ("ground_2_0", "32768, 0")]),
    ],
)
def test_a_longer_layer_is_cut_every_1024_cells(
    width: int, height: int, squares: list[tuple[str, str]]
) -> None:
    parts = [(name, "TileMapLayer", position) for name, position in squares]
    assert layer_nodes(width, height) == [("ground", "Node2D", ""), *parts]
