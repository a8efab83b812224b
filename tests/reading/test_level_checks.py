"""Checks of a whole level spec: names, keys, kinds, sight, and abbreviations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cases import each_case
from exporter.generators import GENERATORS
from exporter.model.registry import Registry
from exporter.puzzles import PUZZLES
from exporter.reading import sections
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import load_level, parse_level
from exporter.reading.references import NO_SIGHT_LAYER
from spec_problems import problems_in

GROUND = "size: [20, 10]\nlayers:\n  ground: {generator: cellular_caves}\n"


def parse(text: str, file: str = "crypt.level.yaml") -> LevelSpec:
    return parse_level(text.encode(), file)


def problems_of(text: str, file: str = "crypt.level.yaml") -> list[str]:
    return problems_in(parse, text, file)


def test_everything_a_spec_says_is_in_the_spec(tmp_path: Path) -> None:
    path = tmp_path / "file.level.yaml"
    path.write_text(
        "level: crypt\nsize: [20, 10]\nseed: words\nrng: portable\n"
        "layers:\n"
        "  ground: {generator: maze, recipe: 1, braid_percent: 7, require: {min_floor: 0.1}}\n"
        "  relief: {generator: heightmap, size: [5, 6]}\n"
        "visibility: {layer: ground, algorithm: raycast, radius: 3, see_walls: true}\n"
        "objects: [{name: chest, count: 2}, {name: door, at: [1, 1]}]\n"
        "tables: {loot: {columns: {name: text}, rows: [[ring]]}}\n"
        "puzzles: {lock: {kind: sudoku, clues: 30}}\n"
        "require: {connected: true}\n"
        "tileset: {tile_size: 8}\n"
        "properties: {song: drip, level: 3, deep: true, share: 0.5, none: null}\n"
    )
    spec = load_level(path)
    assert (spec.level, spec.size, spec.seed, spec.rng) == ("crypt", (20, 10), "words", "portable")
    assert spec.folder == tmp_path
    assert spec.document.file == str(path)
    ground, relief = spec.layers.values()
    assert (ground.name, ground.generator) == ("ground", "maze")
    assert ground.parameters.braid_percent == 7  # type: ignore[attr-defined]
    assert ground.options.recipe == 1
    assert ground.options.require is not None
    assert ground.options.require.min_floor == 0.1
    assert (relief.name, relief.options.size, ground.options.size) == ("relief", (5, 6), None)
    assert spec.visibility is not None
    assert (spec.visibility.layer, spec.visibility.algorithm) == ("ground", "raycast")
    assert (spec.visibility.radius, spec.visibility.see_walls) == (3, True)
    assert [(item.name, item.count, item.at) for item in spec.objects] == [
        ("chest", 2, None),
        ("door", 1, (1, 1)),
    ]
    assert list(spec.tables) == ["loot"]
    assert spec.tables["loot"].rows == (("ring",),)
    assert (spec.puzzles["lock"].name, spec.puzzles["lock"].kind) == ("lock", "sudoku")
    assert spec.puzzles["lock"].parameters.clues == 30  # type: ignore[attr-defined]
    assert spec.require is not None
    assert spec.require.connected is True
    assert spec.tileset is not None
    assert spec.tileset.tile_size == 8
    assert spec.properties == {"song": "drip", "level": 3, "deep": True, "share": 0.5, "none": None}


def test_what_is_not_said_is_empty() -> None:
    spec = parse("size: [3, 4]")
    assert (spec.level, spec.seed, spec.rng, spec.folder) == ("crypt", 0, "portable", None)
    assert (spec.layers, spec.objects, spec.tables, spec.puzzles) == ({}, (), {}, {})
    assert (spec.visibility, spec.require, spec.tileset, spec.properties) == (None, None, None, {})


def test_sight_that_says_nothing_is_symmetric_and_reaches_eight_cells() -> None:
    sight = parse(GROUND + "visibility: {}").visibility
    assert sight is not None
    assert (sight.layer, sight.algorithm, sight.radius) == (None, "symmetric", 8)
    assert sight.see_walls is False


def test_a_spec_words_problems_at_its_own_places() -> None:
    spec = parse(GROUND)
    error = spec.error(("layers", "ground", "generator"), "no")
    assert (error.file, error.line, error.column) == ("crypt.level.yaml", 3, 23)
    assert spec.problem(("size", 1), "no").headline() == "crypt.level.yaml:1:12: error: no"


# --- names ---------------------------------------------------------------------------------------


@each_case("name", ["con", "PRN", "aux", "nul", "com0", "COM9", "lpt1", "Lpt5"])
def test_names_of_devices_are_refused_where_they_are_said(name: str) -> None:
    message = f"{name!r} is a device name on Windows (choose another name)"
    assert problems_of(f"size: [2, 2]\nlevel: {name}") == [f"2:8: {message}"]
    assert problems_of("size: [2, 2]", f"{name}.level.yaml") == [f"1:1: {message}"]


@each_case("name", ["cons", "xnul", "com", "com10", "lpt", "auxiliary"])
def test_names_that_only_begin_like_a_device_are_good(name: str) -> None:
    assert parse(f"size: [2, 2]\nlevel: {name}").level == name


@each_case(
    ("name", "good"),
    [
        ("a" * 64, True), ("a" * 65, False), ("A-_9", True), ("9a", True), ("-a", False),
        ("_a", False), ("a b", False), ("a.b", False), ("é", False), ('""', False),
    ],
)  # fmt: skip
def test_a_level_has_a_name_that_files_can_have(name: str, good: bool) -> None:
    text = f"size: [2, 2]\nlevel: {name}"
    if good:
        assert parse(text).level == name
    else:
        (fault,) = problems_of(text)
        assert fault.startswith("2:8: ")
        assert "A to Z, digits, _ and -, at most 64" in fault


def test_a_file_name_that_cannot_name_a_level_is_reported_at_the_top() -> None:
    (fault,) = problems_of("size: [2, 2]", "a b.level.yaml")
    assert fault.startswith("1:1: 'a b' is not a valid level name")


@each_case("name", ["tileset", "Tileset", "preview", "PREVIEW"])
def test_layers_and_tables_cannot_be_called_like_files_of_ours(name: str) -> None:
    files = ", because output files use that name (choose another name)"
    layer = f"size: [2, 2]\nlayers:\n  {name}: {{generator: island_maze}}\n"
    assert problems_of(layer) == [f"3:3: {name!r} cannot name a layer{files}"]
    table = f"size: [2, 2]\ntables:\n  {name}: {{columns: {{a: text}}, rows: []}}\n"
    assert problems_of(table) == [f"3:3: {name!r} cannot name a table{files}"]


def test_layers_that_differ_only_in_case_are_reported_with_the_one_before() -> None:
    text = GROUND + "  Ground: {generator: maze}\n  GROUND: {generator: maze}\n"
    assert problems_of(text) == [
        "4:3: 'Ground' differs from 'ground' only in upper and lower case (rename one)",
        "5:3: 'GROUND' differs from 'Ground' only in upper and lower case (rename one)",
    ]


# --- layers --------------------------------------------------------------------------------------


def test_a_recipe_must_be_the_one_there_is() -> None:
    layer = "size: [9, 9]\nlayers:\n  a: {generator: maze, recipe: %d}\n"
    assert parse(layer % 1).layers["a"].options.recipe == 1
    assert problems_of(layer % 2) == [
        "3:32: recipe 2 of 'maze' does not exist (this exporter has 1)"
    ]


@each_case(
    "name",
    [
        name
        for name, entry in sorted(GENERATORS.all().items())
        if "connect" in entry.parameters.__dataclass_fields__
    ],
)
def test_only_visited_caves_has_its_own_way_to_connect(name: str) -> None:
    layer = "size: [20, 20]\nlayers:\n  a: {generator: %s, connect: %s}\n"
    refusal = "true is not allowed here (allowed: false, guaranteed; did you mean 'guaranteed'?)"
    if name == "visited_caves":
        assert parse(layer % (name, "true")).layers["a"].parameters.connect is True
    else:
        position = f"3:{len(f'  a: {{generator: {name}, connect: ') + 1}: "
        assert position + refusal in problems_of(layer % (name, "true"))


def test_an_unknown_key_of_a_layer_may_be_meant_for_any_layer_or_for_this_one() -> None:
    layer = "size: [9, 9]\nlayers:\n  a: {generator: maze, %s: 1}\n"
    assert problems_of(layer % "siez") == ["3:24: unknown key 'siez' (did you mean 'size'?)"]
    assert problems_of(layer % "newest_percen") == [
        "3:24: unknown key 'newest_percen' (did you mean 'newest_percent'?)"
    ]
    (fault,) = problems_of(layer % "zzzz")
    assert fault.startswith("3:24: unknown key 'zzzz' (allowed: ")
    for key in ("braid_percent", "generator", "size", "recipe", "require"):
        assert key in fault


def test_faults_of_a_layers_own_keys_and_of_common_ones_are_reported_together() -> None:
    text = (
        "size: [9, 9]\nlayers:\n  a:\n    generator: maze\n    recipe: 0\n    braid_percent: 101\n"
    )
    assert [fault[:4] for fault in problems_of(text)] == ["5:13", "6:20"]


def test_good_layers_below_a_wrong_key_are_still_checked() -> None:
    text = (
        "size: 5\nlayers:\n  a: {generator: mase}\n  b: 7\n"
        "tables: {t: {columns: {a: txt}, rows: []}}\npuzzles: {p: {kind: sudokuu}}\n"
    )
    assert [fault.partition(":")[0] for fault in problems_of(text)] == ["1", "3", "4", "5", "6"]


def test_a_spec_that_is_no_mapping_is_reported_once() -> None:
    for text in ("5", "text", "[1]", "true"):
        (fault,) = problems_of(text)
        assert fault.startswith("1:1: expected a mapping")


def test_what_needs_a_larger_level_is_reported_at_the_levels_size_or_the_layers() -> None:
    assert problems_of("size: [2, 2]\nlayers:\n  a: {generator: maze}\n")[0].startswith("1:7: ")
    own = "size: [9, 9]\nlayers:\n  a: {generator: maze, size: [2, 2]}\n"
    assert problems_of(own)[0].startswith("3:30: ")


def test_a_layer_is_checked_at_its_own_size() -> None:
    assert parse("size: [2, 2]\nlayers:\n  a: {generator: maze, size: [9, 9]}\n").layers


def broken(*_: object) -> None:
    raise RuntimeError("odd")


@pytest.mark.parametrize("what", ["generator", "puzzle"])
def test_what_goes_wrong_in_another_package_is_reported_and_what_goes_wrong_in_ours_is_a_bug(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry: Registry[Any] = GENERATORS if what == "generator" else PUZZLES
    name, text = {
        "generator": ("maze", "size: [9, 9]\nlayers:\n  a: {generator: maze}\n"),
        "puzzle": ("sudoku", "size: [9, 9]\npuzzles:\n  a: {kind: sudoku}\n"),
    }[what]
    monkeypatch.setattr(registry.get(name).parameters, "check", broken)
    with pytest.raises(RuntimeError, match="odd"):
        parse(text)
    monkeypatch.setattr(registry, "origin", lambda _: "odd-pack 1.0")
    (fault,) = problems_of(text)
    assert fault.startswith("3:18: " if what == "generator" else "3:13: ")
    assert "odd-pack 1.0" in fault
    assert "odd" in fault


@pytest.mark.parametrize("what", ["generator", "puzzle"])
def test_parameters_of_another_package_without_a_key_are_reported(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry: Registry[Any] = GENERATORS if what == "generator" else PUZZLES

    def refuse(_value: Any) -> str:
        raise TypeError("a value of type set cannot be part of a cache key")

    monkeypatch.setattr(sections, "value_key", refuse)
    monkeypatch.setattr(registry, "origin", lambda _: "odd-pack 1.0")
    text = {
        "generator": "size: [9, 9]\nlayers:\n  a: {generator: maze}\n",
        "puzzle": "size: [9, 9]\npuzzles:\n  a: {kind: sudoku}\n",
    }[what]
    (fault,) = problems_of(text)
    assert "odd-pack 1.0" in fault
    assert "a value of type set cannot be part of a cache key" in fault


# --- objects, tables, puzzles --------------------------------------------------------------------


def test_objects_stand_inside_the_level_on_layers_that_are_there() -> None:
    text = GROUND + "objects:\n  - {name: a, at: [%d, %d]}\n"
    for x, y in ((0, 0), (19, 9)):
        assert parse(text % (x, y)).objects[0].at == (x, y)
    for x, y in ((20, 9), (19, 10), (-1, 0), (0, -1)):
        assert problems_of(text % (x, y))[0].startswith(f"5:19: [{x}, {y}] is outside the map")
    assert problems_of(GROUND + "objects: [{name: a, layer: grund}]\n") == [
        "4:28: unknown layer 'grund' (did you mean 'ground'?)"
    ]


def test_objects_that_wait_for_each_other_are_reported() -> None:
    text = GROUND + "objects: [{name: a, near: b}, {name: b, near: a}]\n"
    (fault,) = problems_of(text)
    assert fault.startswith("4:")


def test_a_fault_of_one_object_does_not_hide_that_of_another() -> None:
    text = GROUND + "objects:\n  - {name: a, count: 0}\n  - {name: b, cuont: 1}\n  - {count: 1}\n"
    assert [fault.partition(":")[0] for fault in problems_of(text)] == ["5", "6", "7"]


def test_rows_of_tables_are_checked_against_their_columns() -> None:
    table = "size: [2, 2]\ntables:\n  t: {columns: {a: integer}, rows: [[1], [x]]}\n"
    (fault,) = problems_of(table)
    assert fault.startswith("3:43: ")


def test_a_puzzles_kind_is_text_and_known() -> None:
    puzzle = "size: [9, 9]\npuzzles:\n  p: {%s}\n"
    assert problems_of(puzzle % "clues: 30") == ["3:6: 'kind' is missing here"]
    assert problems_of(puzzle % "kind: [1]") == ["3:6: kind must be text"]
    assert problems_of(puzzle % "kind: sudokuu") == [
        "3:13: unknown puzzle kind 'sudokuu' (did you mean 'sudoku'?)"
    ]
    assert problems_of(puzzle % "kind: sudoku, clues: 5")[0].startswith(
        "3:28: value 5 is out of range"
    )


# --- sight ---------------------------------------------------------------------------------------


def test_sight_needs_a_layer_and_a_rule_that_exist() -> None:
    assert parse(GROUND + "visibility: {}").visibility is not None
    assert problems_of("size: [2, 2]\nvisibility: {}") == [f"2:13: {NO_SIGHT_LAYER}"]
    assert problems_of("size: [2, 2]\nlayers: {}\nvisibility: {layer: a}") == [
        f"3:13: {NO_SIGHT_LAYER}",
        "3:21: unknown layer 'a' (no layer is defined)",
    ]
    assert problems_of(GROUND + "visibility: {algorithm: raycasts}") == [
        "4:25: unknown visibility algorithm 'raycasts' (did you mean 'raycast'?)"
    ]


def test_only_raycast_may_see_walls_or_not() -> None:
    for algorithm in ("symmetric", "shadowcast"):
        text = GROUND + f"visibility: {{algorithm: {algorithm}, see_walls: true}}"
        (fault,) = problems_of(text)
        column = text.splitlines()[-1].index("true") + 1
        expected = f"`see_walls` has no effect with `{algorithm}` (remove it, or write"
        assert f":{column}: {expected} `algorithm: raycast`)" in fault
        assert parse(text.replace("true", "false")).visibility is not None
    assert parse(GROUND + "visibility: {algorithm: raycast, see_walls: true}").visibility


def test_a_layer_of_the_levels_own_size_may_block_sight_however_it_is_said() -> None:
    layer = "  other: {generator: maze, size: [20, 10]}\nvisibility: {layer: other}"
    assert parse(GROUND + layer).visibility is not None
    assert problems_of(GROUND + layer.replace("20", "21")) == [
        "5:21: 'other' is not a tile layer of the level's size"
    ]
