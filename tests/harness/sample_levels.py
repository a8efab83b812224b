"""Levels that have something of everything, for tests of blobs."""

from __future__ import annotations

from typing import Any

import numpy as np

from exporter.model.level import (
    BLACK,
    CLEAR,
    Certificate,
    Column,
    Connection,
    HeightRange,
    Layer,
    Level,
    PlacedObject,
    Puzzle,
    Room,
    Table,
    Tile,
)
from exporter.visibility import compute_visibility

TILES = (Tile(0, "floor", True, False, CLEAR), Tile(1, "wall", False, True, BLACK))
CELLS = (np.random.default_rng(1).random((20, 30)) < 0.4).astype(np.uint8)
GROUND = Layer(
    "ground",
    "tiles",
    CELLS,
    "caves",
    3,
    TILES,
    CELLS == 0,
    rooms=(Room("hall", 1, 2, 3, 4, (2, 3)),),
    certificate=Certificate(4, 1, 9, 500, 851, 61, (2, 3), 5, 6),
)
RELIEF = Layer(
    "relief",
    "heights",
    np.arange(600, dtype=np.uint16).reshape(20, 30),
    "hills",
    heights=HeightRange(-3.5, 90.25, "feet"),
)
LEVEL = Level(
    "crypt",
    30,
    20,
    7,
    layers={"ground": GROUND, "relief": RELIEF},
    objects=(PlacedObject(1, "chest", 3, 4, {"gold": 5}),),
    tables={"loot": Table("loot", (Column("name", "text", True),), (("ring",), (None,)))},
    puzzles={"door": Puzzle("door", "sudoku", {"clues": [1, 2]})},
    properties={"song": "drip"},
)


def a_level(seed: int = 0, width: int = 37, height: int = 23, **changes: Any) -> Level:
    """Return a level with all kinds of layers and contents, some of it random; `changes` win."""
    rng = np.random.default_rng(seed)
    cells = (rng.random((height, width)) < 0.35).astype(np.uint8)
    heights = np.cumsum(rng.integers(0, 400, (17, 33)), axis=1).astype(np.uint16)
    layers = {
        "ground": Layer(
            "ground",
            "tiles",
            cells,
            "caves",
            3,
            TILES,
            cells == 0,
            report={"tries": 3, "log": ["a", "b"], "share": 0.65},
            rooms=(Room("hall", 1, 2, 3, 4, (2, 3)), Room("cell", 7, 2, 2, 2, (8, 3))),
            certificate=Certificate(4, 1, 9, 500, 851, 61, (2, 3), 5, 6),
            connections=(Connection((0, 1), 5, 3, "door"), Connection((1, 0), 6, 2)),
            masks={"carved": rng.random(cells.shape) < 0.1, "none": cells == 9},
        ),
        "relief": Layer(
            "relief",
            "heights",
            heights,
            "hills",
            walkable=heights > 3000,
            heights=HeightRange(-3.5, 90.25, "feet"),
            grid_aligned=False,
            complete=False,
        ),
        "deep": Layer("deep", "heights", heights.T.copy(), "hills", heights=HeightRange()),
        "odd": Layer(
            "odd",
            "tiles",
            cells,
            "x",
            1,
            (),
            rng.random(cells.shape) < 0.5,
            role="data",
            masks={"carved": cells == 1},
        ),
    }
    whole: dict[str, Any] = {
        "seed": "text",
        "layers": layers,
        "visibility": compute_visibility(cells == 1, 4, "symmetric"),
        "visibility_layer": "ground",
        "objects": (
            PlacedObject(1, "stairs", 3, 4, {"hp": 1.5, "name": "é", "on": True, "off": None}),
            PlacedObject(2, "chest", 9, 9),
        ),
        "tables": {
            "loot": Table(
                "loot",
                (Column("name", "text"), Column("gold", "integer", True)),
                (("ring", 5), ("rock", None)),
            )
        },
        "puzzles": {"door": Puzzle("door", "sudoku", {"clues": [[1, 2], [3, 4]]})},
        "properties": {"song": "drip", "level": 3},
    }
    whole.update(changes)
    return Level("crypt", width, height, **whole)
