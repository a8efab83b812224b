"""Whole levels: everything that can differ is found, and equal ones are equal."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np

from cases import each_case
from exporter.blob import read_blob, write_blob
from exporter.build.build import build_level
from exporter.explore.comparison import compare_levels
from exporter.explore.comparison.differences import NamedChange, WalkableChanges
from exporter.explore.comparison.levels import changed_views
from exporter.explore.comparison.lists import compare_values
from exporter.model.errors import BlobError
from exporter.model.level import (
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
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.reading.reader import parse_level
from exporter.visibility import compute_visibility

TILES = (Tile(0, "floor", True, False, "#000000"), Tile(1, "wall", False, True, "#ffffff"))
SPEC = b"""
size: [24, 16]
seed: 3
layers:
  ground: {generator: cellular_caves}
  relief: {generator: heightmap}
visibility: {layer: ground, radius: 4}
objects: [{name: start}, {name: chest, count: 3, properties: {gold: 4}}]
tables: {loot: {columns: {name: text, price: integer}, rows: [[axe, 3], [bow, 4]]}}
puzzles: {vault: {kind: sudoku, clues: 40}}
properties: {music: dark}
"""


def built(text: bytes = SPEC) -> Level:
    return build_level(parse_level(text, "cave.level.yaml"))


def ground(cells: object, **given: object) -> Layer:
    grid = np.array(cells, np.uint8)
    layer = Layer("ground", "tiles", grid, "test", tiles=TILES, walkable=grid == 0)
    return replace(layer, **given)  # type: ignore[arg-type]


def level(*layers: Layer, **given: object) -> Level:
    height, width = layers[0].cells.shape if layers else (4, 4)
    result = Level("test", width, height, layers={layer.name: layer for layer in layers})
    return replace(result, **given)  # type: ignore[arg-type]


PLAIN = [[0, 0, 1], [0, 1, 1]]


def test_a_level_is_equal_to_itself_built_again_and_read_from_a_blob() -> None:
    item = built()
    for other in (item, built()):
        levels = compare_levels(item, other)
        assert levels.equal
        assert levels.metrics == ()
    stored = read_blob(write_blob(item))
    assert compare_levels(replace(item.exported(), tileset=None), stored).equal


def test_another_name_and_seed_are_no_difference() -> None:
    item = level(ground(PLAIN))
    assert compare_levels(item, replace(item, name="copy", seed=9, rng="dotnet")).equal


def test_the_parts_of_a_built_level_differ() -> None:
    other = (
        SPEC.replace(b"seed: 3", b"seed: 4")
        .replace(b"gold: 4", b"gold: 5")
        .replace(b"[bow, 4]", b"[bow, 5]")
        .replace(b"music: dark", b"music: light")
    )
    levels = compare_levels(built(), built(other))
    assert not levels.equal
    assert {layer.name for layer in levels.layers} == {"ground", "relief"}
    assert all(layer.cells is not None and layer.cells.changed for layer in levels.layers)
    assert levels.walkable.opened
    assert levels.objects.changed
    assert levels.sight is not None
    assert levels.sight.views
    (table,) = levels.tables
    assert (table.added, table.removed) == ((("bow", 5),), (("bow", 4),))
    assert [puzzle.name for puzzle in levels.puzzles] == ["vault"]
    assert levels.properties == (NamedChange("music", "changed", "dark", "light"),)
    metrics = {metric.name: metric for metric in levels.metrics}
    assert metrics["floor"].difference == metrics["floor"].now - metrics["floor"].was  # type: ignore[operator]


@each_case(
    ("change", "seen"),
    [
        ({"cells": np.array([[0, 0, 1], [0, 1, 0]], np.uint8)}, "cells"),
        ({"generator": "other"}, "facts"),
        ({"version": 2}, "facts"),
        ({"role": "picture"}, "facts"),
        ({"complete": False}, "facts"),
        ({"grid_aligned": False}, "facts"),
        ({"walkable": None}, "facts"),
        ({"walkable": np.ones((2, 3), bool)}, "walkable"),
        ({"tiles": (TILES[0], replace(TILES[1], color="#eeeeee"))}, "legend"),
        ({"rooms": (Room("a", 0, 0, 1, 1, (0, 0)),)}, "rooms"),
        ({"connections": (Connection((0, 0), 0, 0),)}, "connections"),
        ({"masks": {"pond": np.ones((2, 3), bool)}}, "masks"),
        ({"kind": "heights", "heights": HeightRange(), "tiles": ()}, "facts"),
        ({"name": "floor"}, "renamed"),
    ],
)
def test_every_field_of_a_layer_is_compared(change: dict[str, object], seen: str) -> None:
    was = ground(PLAIN)
    levels = compare_levels(level(was), level(replace(was, **change)))  # type: ignore[arg-type]
    assert not levels.equal
    if seen == "renamed":
        assert (levels.added_layers, levels.removed_layers) == (("floor",), ("ground",))
    else:
        (layer,) = levels.layers
        assert getattr(layer, seen)


def test_no_field_of_a_level_or_layer_is_forgotten() -> None:
    """A new field must be either compared or excluded here."""
    # `measures` follows from the generator, and blobs do not hold it; `around` and `part` are of
    # parts of worlds, whose own cells are compared.
    not_compared = {"name", "seed", "rng", "certificate", "report", "objects", "measures"}
    not_compared |= {"around", "part"}
    # Locks and keys of a mission are objects, which are compared; a display is no part of cells.
    not_compared |= {"mission", "display"}
    compared = {
        "width", "height", "layers", "visibility", "visibility_layer", "tables", "puzzles",
        "properties", "tileset", "kind", "cells", "generator", "version", "tiles", "walkable",
        "heights", "complete", "rooms", "grid_aligned", "role", "connections", "masks",
    }  # fmt: skip
    names = {field.name for kind in (Level, Layer) for field in fields(kind)}
    assert names == not_compared | compared


@each_case(
    "change",
    [
        {"objects": (PlacedObject(1, "rat", 0, 0),)},
        {"tables": {"loot": Table("loot", (Column("a", "text"),), ())}},
        {"puzzles": {"vault": Puzzle("vault", "sudoku", {"grid": [1]})}},
        {"properties": {"music": "dark"}},
        {"tileset": TilesetSource(TilesetOptions(style="ice"))},
        {"visibility": compute_visibility(np.zeros((2, 3), bool), 2), "visibility_layer": "ground"},
    ],
)
def test_every_field_of_a_level_is_compared_both_ways(change: dict[str, object]) -> None:
    item = level(ground(PLAIN))
    other = replace(item, **change)  # type: ignore[arg-type]
    assert not compare_levels(item, other).equal
    assert not compare_levels(other, item).equal
    assert compare_levels(other, other).equal


def test_layers_in_another_order_differ() -> None:
    item, other = ground(PLAIN), ground(PLAIN, name="roof")
    assert compare_levels(level(item, other), level(other, item)).reordered
    # One that was added between them changes no order.
    third = ground(PLAIN, name="third")
    levels = compare_levels(level(item, other), level(item, third, other))
    assert not levels.reordered
    assert levels.added_layers == ("third",)


def test_levels_of_other_sizes_are_compared_where_both_have_cells() -> None:
    small, large = level(ground([[0, 1], [1, 1]])), level(ground([[0, 0, 1], [1, 1, 0]]))
    levels = compare_levels(small, large)
    assert levels.resized
    assert levels.compared == (2, 2)
    (layer,) = levels.layers
    assert layer.facts == (NamedChange("size", "changed", [2, 2], [3, 2]),)
    assert layer.cells is not None
    assert (layer.cells.compared, layer.cells.changed) == (4, 1)
    assert levels.walkable == WalkableChanges(1, 0)


@each_case("algorithm", ["symmetric", "shadowcast", "raycast"])
@each_case("seed", range(3))
def test_changed_views_are_those_a_slow_reference_finds(algorithm: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    was = random.random((9, 11)) < 0.3
    now = was.copy()
    now[random.integers(0, 9, 3), random.integers(0, 11, 3)] ^= True
    tables = [compute_visibility(opaque, 4, algorithm) for opaque in (was, now)]
    expected = [
        [not np.array_equal(*(table.visible_from(x, y) for table in tables)) for x in range(11)]
        for y in range(9)
    ]
    assert changed_views(*tables).tolist() == expected


def test_views_are_not_compared_where_rules_or_sizes_differ() -> None:
    blank = np.zeros((2, 3), bool)
    item = level(ground(PLAIN), visibility=compute_visibility(blank, 2), visibility_layer="ground")
    other = replace(item, visibility=compute_visibility(blank, 3))
    result = compare_levels(item, other).sight
    assert result is not None
    assert (result.views, result.reason) == (None, "the rules differ")
    assert result.rule == (NamedChange("radius", "changed", 2, 3),)
    result = compare_levels(item, replace(item, visibility_layer=None)).sight
    assert result is not None
    assert result.views == 0
    larger = level(
        ground(np.zeros((4, 4))),
        visibility=compute_visibility(np.zeros((4, 4), bool), 2),
        visibility_layer="ground",
    )
    result = compare_levels(item, larger).sight
    assert result is not None
    assert (result.views, result.reason) == (None, "the sizes differ")


def test_a_table_of_sight_over_its_limits_is_left_out() -> None:
    class Refused:
        radius, algorithm, see_walls = 2, "symmetric", False

        def __init__(self, opaque: object) -> None:
            self.opaque = np.array(opaque, bool)

        def __getattr__(self, name: str) -> object:
            if name.startswith("_"):
                raise AttributeError(name)
            raise BlobError("over the limit")

    was, now = (
        level(ground(cells), visibility=Refused(cells), visibility_layer="ground")
        for cells in (PLAIN, [[0, 0, 0], [0, 1, 1]])
    )
    levels = compare_levels(was, now)
    assert levels.sight is not None
    assert (levels.sight.views, levels.sight.reason) == (None, "over the limit")
    names = {metric.name for metric in levels.metrics}
    assert "floor" in names
    assert not any(name.startswith("exposure") for name in names)


def test_tables_are_compared_in_the_columns_that_both_have() -> None:
    def table(columns: str, *rows: tuple[object, ...]) -> dict[str, Table]:
        kinds = tuple(Column(name, "integer") for name in columns)
        return {"loot": Table("loot", kinds, rows)}  # type: ignore[arg-type]

    def changes(was: dict[str, Table], now: dict[str, Table]) -> object:
        item = level()
        (table,) = compare_levels(replace(item, tables=was), replace(item, tables=now)).tables
        return table.added, table.removed, [c.name for c in table.columns], table.reordered

    rows = ((1, 2), (3, 4), (3, 4))
    assert changes(table("ab", *rows), table("ab", *rows[:2])) == ((), ((3, 4),), [], False)
    assert changes(table("ab", *rows), table("ab", *rows[::-1])) == ((), (), [], True)
    assert changes(table("ab", (1, 2)), table("ba", (2, 1))) == ((), (), [], True)
    assert changes(table("ab", (1, 2)), table("abc", (1, 2, 3))) == ((), (), ["c"], False)
    assert changes(table("a", (1,)), table("a", (True,))) == (((True,),), ((1,),), [], False)
    nullable = {"loot": replace(table("a")["loot"], columns=(Column("a", "integer", True),))}
    assert changes(table("a"), nullable) == ((), (), ["a"], False)


def test_values_are_compared_with_their_types() -> None:
    was = {"a": 1, "b": 1.0, "c": [1, 2], "gone": None}
    now = {"a": True, "b": 1, "c": (1, 2), "new": None}
    assert [
        (compare_value.name, compare_value.kind) for compare_value in compare_values(was, now)
    ] == [
        ("a", "changed"),
        ("b", "changed"),
        ("new", "added"),
        ("gone", "removed"),
    ]


def test_the_presets_are_equal_to_their_blobs() -> None:
    presets = sorted((Path(__file__).parents[3] / "templates" / "levels").glob("*.level.yaml"))
    assert presets
    for path in presets[:6]:
        item = build_level(parse_level(path.read_bytes(), str(path), path.parent))
        stored = read_blob(write_blob(item.exported()))
        assert compare_levels(replace(item.exported(), tileset=None), stored).equal, path.name
