"""GridMaps: which piece of a library fills a cell, and how it is turned."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from cases import each_case
from engine_harness.levels import layer_of
from exporter.model.errors import ParameterError
from exporter.model.level import BLACK, CLEAR, Level, Surroundings, Tile
from exporter.targets import TARGETS, SharedWork
from team_tilesets import GameOf

TILES = (
    Tile(0, "floor", True, False, CLEAR),
    Tile(1, "wall", False, True, BLACK),
    Tile(2, "door", True, True, "#884400"),
    Tile(3, "nothing", True, False, CLEAR),
)
MARKS = ".#D "
# The number of Godot's basis for quarter turns clockwise from above.
TURNS = {0: 0, 22: 1, 10: 2, 16: 3}
KIT = ("floor", "wall", "wall_corner", "wall_t", "wall_end", "wall_cross", "door_ns")


def drawn(text: str, name: str = "ground") -> Level:
    rows = text.strip("\n").split("\n")
    cells = np.array([[MARKS.index(mark) for mark in row] for row in rows], np.uint8)
    layers = {name: layer_of(name, cells, TILES)}
    return Level("crypt", cells.shape[1], cells.shape[0], layers=layers)


def placed(
    level: Level, names: tuple[str, ...] = KIT
) -> dict[tuple[int, int, int], tuple[str, int]]:
    """The item and its quarter turns in each cell x, y, z of the GridMap in a kit's pieces."""
    items = "".join(f'item/{number + 5}/name = "{name}"\n' for number, name in enumerate(names))
    kit = f'[gd_resource type="MeshLibrary" format=3 uid="uid://kit"]\n[resource]\n{items}'
    game = GameOf({"art/kit.tres": kit.encode()})
    target = TARGETS.get("godot")
    options = target.options(path="levels", gridmap="res://art/kit.tres", scene=False, blob=False)
    exported = target.export(level, options, "levels", SharedWork().within(game))
    text = exported.artifacts[-1].data.decode()
    assert 'path="res://art/kit.tres"' in text
    numbers = re.findall(r"-?\d+", text.partition("PackedInt32Array(")[2])
    return {
        (low & 0xFFFF, low >> 16, z): (names[(value & 0xFFFF) - 5], TURNS[value >> 16])
        for low, z, value in np.array(numbers, np.int64).reshape(-1, 3).tolist()
    }


def test_pieces_go_on_where_their_tile_does() -> None:
    result = placed(
        drawn("""
.........
.##D####.
.#....#..
.#.##.#..
.######..
.........""")
    )
    expected = {
        (1, 1): ("wall_corner", 0),
        (2, 1): ("wall", 0),
        (3, 1): ("door_ns", 0),
        (4, 1): ("wall", 0),
        (7, 1): ("wall_end", 2),
        (6, 1): ("wall_t", 0),
        (6, 3): ("wall", 1),
        (6, 4): ("wall_corner", 2),
        (1, 4): ("wall_corner", 3),
        (2, 4): ("wall", 0),
        (3, 4): ("wall_t", 2),
        (3, 3): ("wall_corner", 0),
        (4, 3): ("wall_corner", 1),
        # The floor of a corridor keeps its direction.
        (2, 2): ("floor", 0),
        (2, 3): ("floor", 0),
    }
    assert {cell: result[cell[0], 0, cell[1]] for cell in expected} == expected
    assert len(result) == 9 * 6


def test_a_plain_piece_stands_for_missing_ones() -> None:
    walls = "####\n#..#\n#DD#\n####"
    result = placed(drawn(walls), ("floor", "Wall", "Door EW"))
    assert result[0, 0, 1] == ("Wall", 1)  # a T, open to the east
    assert result[1, 0, 2] == ("Door EW", 1)


def test_each_layer_is_one_height() -> None:
    level = drawn("....\n....")
    above = drawn("  # \n    ", "above").layers["above"]
    result = placed(replace(level, layers={**level.layers, "above": above}))
    assert {y for _, y, _ in result} == {0, 1}
    assert [cell for cell in result if cell[1]] == [(2, 1, 0)]


def test_pieces_go_on_across_the_border_of_a_part() -> None:
    whole = drawn(".#..\n.##.\n....").layers["ground"].cells
    level = drawn("##")
    around = Surroundings(whole, (slice(1, 2), slice(1, 3)), (0, 0))
    layer = replace(level.layers["ground"], around=around)
    result = placed(replace(level, layers={"ground": layer}))
    assert result == {(0, 0, 0): ("wall_corner", 3), (1, 0, 0): ("wall_end", 2)}


@each_case(
    "files, path, message",
    [
        (
            {"kit.tres": '[gd_resource type="MeshLibrary"]\n[resource]\nitem/0/name = "walls"\n'},
            "res://kit.tres",
            "res://kit.tres has no item for the tile 'wall' (looked for: wall_inside, wall_cross, "
            "wall): add one, or rename it; did you mean 'walls'?",
        ),
        (
            {"kit.tres": '[gd_resource type="TileSet"]\n[resource]\n'},
            "res://kit.tres",
            "res://kit.tres cannot be used: the resource is a TileSet, not a MeshLibrary",
        ),
        ({}, "res://kit.tres", "'kit.tres' cannot be read (no such file or directory)"),
        (
            {},
            "res://kit.meshlib",
            "res://kit.meshlib is a binary resource: open it in Godot's inspector, save it as "
            ".tres there (the disk, `Save As...`), and name that file",
        ),
    ],
)
def test_what_a_library_lacks_is_said(files: dict[str, str], path: str, message: str) -> None:
    target = TARGETS.get("godot")
    game = GameOf({name: text.encode() for name, text in files.items()})
    options = target.options(path="levels", gridmap=path)
    with pytest.raises(ParameterError) as caught:
        target.export(drawn("##"), options, "levels", SharedWork().within(game))
    assert (caught.value.message, caught.value.path) == (message, ("gridmap",))
