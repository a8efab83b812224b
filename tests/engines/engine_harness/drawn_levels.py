"""A level that reaches every rule by which drawn pictures are chosen."""

from __future__ import annotations

import numpy as np

from engine_harness.levels import layer_of
from exporter.model.level import BLACK, CLEAR, Level, Tile

LETTERS = ".#+~=t,"
MAP = """
##################
#....#...........#
#....+.~~~~~~~...#
#....#.~~~~~~~..t#
#....#.~~~~~~~.tt#
##+###.~~~~~~~...#
#......~~~~~~~...#
#,,,,,==~~~~~====#
#,,....~~~~~~~...#
##################
"""
TILES = (
    Tile(0, "grass", True, False, CLEAR),
    Tile(1, "wall", False, True, BLACK),
    Tile(2, "door", True, True, CLEAR),
    Tile(3, "water", False, False, "#3366cc"),
    Tile(4, "bridge", True, False, CLEAR),
    Tile(5, "tree", False, True, CLEAR),
    Tile(6, "path", True, False, CLEAR),
)


def drawn_level() -> Level:
    """Return a level with walls and doors both ways, a lake with a bridge, trees and a path."""
    rows = MAP.split()
    cells = np.array([[LETTERS.index(letter) for letter in row] for row in rows], np.uint8)
    layers = {"ground": layer_of("ground", cells, TILES)}
    return Level("drawn", len(rows[0]), len(rows), layers=layers)
