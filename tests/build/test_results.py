"""Results of stages come back from bytes as they were, and nothing else does."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.build import results
from exporter.build.results import (
    decode_figures,
    decode_layer,
    decode_places,
    decode_puzzle,
    encode_figures,
    encode_layer,
    encode_places,
    encode_puzzle,
)
from exporter.model.level import Certificate, Connection, HeightRange, Layer, Puzzle, Room, Tile
from exporter.placement.placed import PlacedGroup

CELLS = np.arange(35, dtype=np.uint8).reshape(5, 7)
TILES = Layer(
    "ground",
    "tiles",
    CELLS,
    "caves",
    version=3,
    tiles=(Tile(0, "floor", True, False, "#00000000"), Tile(1, "wall", False, True, "#000000ff")),
    walkable=CELLS % 3 == 0,
    complete=False,
    report={"tries": [1, 2.5, None, True], "why": "narrow"},
    rooms=(Room("hall", 1, 2, 3, 4, (2, 3)),),
    certificate=Certificate(2, 1, 3, 12, 35, 9, (4, 0), 2, 1),
    grid_aligned=False,
    role="picture",
    connections=(Connection((0, 0), 1, 2, "door"),),
    masks={"even": CELLS % 2 == 0, "small": CELLS < 9},
)
HEIGHTS = Layer(
    "relief",
    "heights",
    CELLS.astype(np.uint16) * 1000,
    "heightmap",
    heights=HeightRange(-3.5, 8.25, "feet"),
)


def assert_same(item: Layer, other: Layer) -> None:
    for field in fields(Layer):
        before, after = getattr(item, field.name), getattr(other, field.name)
        if field.name == "masks":
            assert list(before) == list(after)
            assert all(map(np.array_equal, before.values(), after.values()))
        elif isinstance(before, np.ndarray):
            assert before.dtype == after.dtype
            assert np.array_equal(before, after)
        else:
            assert before == after, field.name


@each_case(
    "layer", [TILES, HEIGHTS, replace(TILES, certificate=None), replace(TILES, walkable=None)]
)
def test_a_layer_comes_back(layer: Layer) -> None:
    data = encode_layer(layer)
    assert data is not None
    back = decode_layer(data)
    assert_same(layer, back)
    assert not back.cells.flags.writeable


def test_a_certificate_without_a_start_comes_back() -> None:
    assert TILES.certificate is not None
    layer = replace(TILES, certificate=replace(TILES.certificate, start=None))
    data = encode_layer(layer)
    assert data is not None
    assert_same(layer, decode_layer(data))


def test_the_head_of_a_layer_is_one_line_without_spaces() -> None:
    data = encode_layer(TILES)
    assert data is not None
    head = data.partition(b"\n")[0]
    assert head == json.dumps(json.loads(head), separators=(",", ":")).encode()


@each_case(
    "report",
    [
        {"a": (1, 2)},
        {1: "a"},
        {"a": {2, 3}},
        {"a": float("nan")},
        {"a": np.float64(0.5)},
        {"a": [[np.float64(0.5)]]},
    ],
)
def test_a_report_that_json_would_change_is_not_preserved(report: Any) -> None:
    assert encode_layer(replace(TILES, report=report)) is None


@each_case("shape", [[0, 7], [5, 0], [-5, 7], [5000, 5000]])
def test_a_shape_that_no_layer_has_is_refused(shape: list[int]) -> None:
    data = encode_layer(TILES)
    assert data is not None
    line, _, rest = data.partition(b"\n")
    head = json.loads(line) | {"shape": shape}
    with pytest.raises(ValueError, match="malformed layer"):
        decode_layer(json.dumps(head).encode() + b"\n" + rest)


def test_the_largest_layer_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encode_layer(TILES)
    assert data is not None
    monkeypatch.setattr(results, "MAXIMUM_CELLS", 35)
    assert_same(TILES, decode_layer(data))
    monkeypatch.setattr(results, "MAXIMUM_CELLS", 34)
    with pytest.raises(ValueError, match="malformed layer"):
        decode_layer(data)


@each_case("kind", ["int64", "float32", "bool", "O"])
def test_cells_of_another_type_are_refused(kind: str) -> None:
    data = encode_layer(TILES)
    assert data is not None
    line, _, rest = data.partition(b"\n")
    head = json.loads(line) | {"type": kind}
    with pytest.raises(ValueError, match="malformed layer"):
        decode_layer(json.dumps(head).encode() + b"\n" + rest)


def test_places_and_puzzles_come_back() -> None:
    places = PlacedGroup(((2, 3), (0, 0)))
    assert decode_places(encode_places(places)) == places
    assert encode_places(places) == b"[[2,3],[0,0]]"
    rows = ({"name": "rat", "hp": 2, "swift": True, "size": 0.1}, {"name": "bat"})
    of_table = PlacedGroup(((2, 3), (0, 0)), 3, rows, (1, 0), "one finds no place")
    for item in (of_table, PlacedGroup((), shortfall="none appears")):
        assert decode_places(encode_places(item)) == item
    for broken in (
        *(b"[1]", b"[[1]]", b"[[1, 2, 3]]", b'[["a", 2]]', b"5"),
        b'{"cells": [[1, 2]], "kinds": [{}], "kind_of": []}',
        b'{"cells": [[1, 2]], "kinds": [{}], "kind_of": [1]}',
        b'{"cells": [[1, 2]], "kinds": [3], "kind_of": [0]}',
    ):
        with pytest.raises((ValueError, TypeError)):
            decode_places(broken)
    puzzle = Puzzle("vault", "sudoku", {"grid": [[1, 2]], "clues": 3})
    data = encode_puzzle(puzzle)
    assert data is not None
    assert decode_puzzle(data) == puzzle


def test_figures_come_back_as_numbers_and_texts() -> None:
    figures: dict[str, Any] = {"loops": 3, "floor": 0.1 + 0.2, "rooms": "there are none"}
    back = decode_figures(encode_figures(figures))
    assert back == figures
    assert [type(item) for item in back.values()] == [int, float, str]
    with pytest.raises(ValueError, match="malformed metrics: a JSON object is expected"):
        decode_figures(b"[1]")


def test_a_puzzle_that_json_would_change_is_not_preserved() -> None:
    assert encode_puzzle(Puzzle("vault", "x", {"cells": (1, 2)})) is None
