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
from exporter.explore.comparison.lists import compare_values
from exporter.explore.comparison.sight import changed_views
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
    found = Level("test", width, height, layers={one.name: one for one in layers})
    return replace(found, **given)  # type: ignore[arg-type]


PLAIN = [[0, 0, 1], [0, 1, 1]]


def test_a_level_is_equal_to_itself_built_again_and_read_from_a_blob() -> None:
    one = built()
    for other in (one, built()):
        found = compare_levels(one, other)
        assert found.equal
        assert found.metrics == ()
    stored = read_blob(write_blob(one))
    assert compare_levels(replace(one.exported(), tileset=None), stored).equal


def test_another_name_and_seed_are_no_difference() -> None:
    one = level(ground(PLAIN))
    assert compare_levels(one, replace(one, name="copy", seed=9, rng="dotnet")).equal


def test_the_parts_of_a_built_level_differ() -> None:
    other = (
        SPEC.replace(b"seed: 3", b"seed: 4")
        .replace(b"gold: 4", b"gold: 5")
        .replace(b"[bow, 4]", b"[bow, 5]")
        .replace(b"music: dark", b"music: light")
    )
    found = compare_levels(built(), built(other))
    assert not found.equal
    assert {one.name for one in found.layers} == {"ground", "relief"}
    assert all(one.cells is not None and one.cells.changed for one in found.layers)
    assert found.walkable.opened
    assert found.objects.changed
    assert found.sight is not None
    assert found.sight.views
    (table,) = found.tables
    assert (table.added, table.removed) == ((("bow", 5),), (("bow", 4),))
    assert [one.name for one in found.puzzles] == ["vault"]
    assert found.properties == (NamedChange("music", "changed", "dark", "light"),)
    metrics = {one.name: one for one in found.metrics}
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
    found = compare_levels(level(was), level(replace(was, **change)))  # type: ignore[arg-type]
    assert not found.equal
    if seen == "renamed":
        assert (found.added_layers, found.removed_layers) == (("floor",), ("ground",))
    else:
        (layer,) = found.layers
        assert getattr(layer, seen)


def test_no_field_of_a_level_or_layer_is_forgotten() -> None:
    """A new field must be either compared or excluded here."""
    # `measures` follows from the generator, and blobs do not hold it; `around` and `part` are of
    # parts of worlds, whose own cells are compared.
    not_compared = {"name", "seed", "rng", "certificate", "report", "objects", "measures"}
    not_compared |= {"around", "part"}
    compared = {
        "width", "height", "layers", "visibility", "visibility_layer", "tables", "puzzles",
        "properties", "tileset", "kind", "cells", "generator", "version", "tiles", "walkable",
        "heights", "complete", "rooms", "grid_aligned", "role", "connections", "masks",
    }  # fmt: skip
    names = {one.name for kind in (Level, Layer) for one in fields(kind)}
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
    one = level(ground(PLAIN))
    other = replace(one, **change)  # type: ignore[arg-type]
    assert not compare_levels(one, other).equal
    assert not compare_levels(other, one).equal
    assert compare_levels(other, other).equal


def test_layers_in_another_order_differ() -> None:
    one, other = ground(PLAIN), ground(PLAIN, name="roof")
    assert compare_levels(level(one, other), level(other, one)).reordered
    # One that was added between them changes no order.
    third = ground(PLAIN, name="third")
    found = compare_levels(level(one, other), level(one, third, other))
    assert not found.reordered
    assert found.added_layers == ("third",)


def test_levels_of_other_sizes_are_compared_where_both_have_cells() -> None:
    small, large = level(ground([[0, 1], [1, 1]])), level(ground([[0, 0, 1], [1, 1, 0]]))
    found = compare_levels(small, large)
    assert found.resized
    assert found.compared == (2, 2)
    (layer,) = found.layers
    assert layer.facts == (NamedChange("size", "changed", [2, 2], [3, 2]),)
    assert layer.cells is not None
    assert (layer.cells.compared, layer.cells.changed) == (4, 1)
    assert found.walkable == WalkableChanges(1, 0)


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
    one = level(ground(PLAIN), visibility=compute_visibility(blank, 2), visibility_layer="ground")
    other = replace(one, visibility=compute_visibility(blank, 3))
    found = compare_levels(one, other).sight
    assert found is not None
    assert (found.views, found.reason) == (None, "the rules differ")
    assert found.rule == (NamedChange("radius", "changed", 2, 3),)
    found = compare_levels(one, replace(one, visibility_layer=None)).sight
    assert found is not None
    assert found.views == 0
    larger = level(
        ground(np.zeros((4, 4))),
        visibility=compute_visibility(np.zeros((4, 4), bool), 2),
        visibility_layer="ground",
    )
    found = compare_levels(one, larger).sight
    assert found is not None
    assert (found.views, found.reason) == (None, "the sizes differ")


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
    found = compare_levels(was, now)
    assert found.sight is not None
    assert (found.sight.views, found.sight.reason) == (None, "over the limit")
    names = {one.name for one in found.metrics}
    assert "floor" in names
    assert not any(name.startswith("exposure") for name in names)


def test_tables_are_compared_in_the_columns_that_both_have() -> None:
    def table(columns: str, *rows: tuple[object, ...]) -> dict[str, Table]:
        kinds = tuple(Column(name, "integer") for name in columns)
        return {"loot": Table("loot", kinds, rows)}  # type: ignore[arg-type]

    def found(was: dict[str, Table], now: dict[str, Table]) -> object:
        one = level()
        (table,) = compare_levels(replace(one, tables=was), replace(one, tables=now)).tables
        return table.added, table.removed, [c.name for c in table.columns], table.reordered

    rows = ((1, 2), (3, 4), (3, 4))
    assert found(table("ab", *rows), table("ab", *rows[:2])) == ((), ((3, 4),), [], False)
    assert found(table("ab", *rows), table("ab", *rows[::-1])) == ((), (), [], True)
    assert found(table("ab", (1, 2)), table("ba", (2, 1))) == ((), (), [], True)
    assert found(table("ab", (1, 2)), table("abc", (1, 2, 3))) == ((), (), ["c"], False)
    assert found(table("a", (1,)), table("a", (True,))) == (((True,),), ((1,),), [], False)
    nullable = {"loot": replace(table("a")["loot"], columns=(Column("a", "integer", True),))}
    assert found(table("a"), nullable) == ((), (), ["a"], False)


def test_values_are_compared_with_their_types() -> None:
    was = {"a": 1, "b": 1.0, "c": [1, 2], "gone": None}
    now = {"a": True, "b": 1, "c": (1, 2), "new": None}
    assert [(one.name, one.kind) for one in compare_values(was, now)] == [
        ("a", "changed"),
        ("b", "changed"),
        ("new", "added"),
        ("gone", "removed"),
    ]


def test_the_presets_are_equal_to_their_blobs() -> None:
    presets = sorted((Path(__file__).parents[3] / "templates" / "levels").glob("*.level.yaml"))
    assert presets
    for path in presets[:6]:
        one = build_level(parse_level(path.read_bytes(), str(path), path.parent))
        stored = read_blob(write_blob(one.exported()))
        assert compare_levels(replace(one.exported(), tileset=None), stored).equal, path.name
