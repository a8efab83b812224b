"""A build: the order of its steps, the layer that blocks sight, positions of errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cases import each_case
from exporter import tilesets
from exporter.blob import write_blob
from exporter.build import level_steps, object_steps
from exporter.build.build import Build, build_level
from exporter.build.inputs import Inputs, Question
from exporter.build.level_source import ABSENT, UNREADABLE
from exporter.build.stages import StageCache
from exporter.model.errors import ParameterError, SpecError
from exporter.model.level import Level
from exporter.placement.placed import PlacedGroup
from exporter.reading.reader import parse_level
from exporter.reading.references import NO_WALKABLE_CELLS
from memory_cache import MemoryCache


def build(text: str, folder: Path | None = None) -> Level:
    return build_level(parse_level(text.encode(), "probe.level.yaml", folder))


def refused(text: str, folder: Path | None = None) -> tuple[int, int, str]:
    with pytest.raises(SpecError) as caught:
        build(text, folder)
    (problem,) = caught.value.problems
    return problem.line, problem.column, problem.message


DERIVED_FIRST = """\
size: [16, 12]
seed: 3
layers:
  glow: {generator: light, objects: [lamp]}
  edge: {generator: outline, of: glow2}
  ground: {generator: cellular_caves, connect: guaranteed}
visibility: {radius: 5}
objects: [{name: lamp}]
"""


def test_late_layers_are_created_last_and_stand_where_the_spec_has_them() -> None:
    text = DERIVED_FIRST.replace("  edge: {generator: outline, of: glow2}\n", "")
    level = build(text)
    assert list(level.layers) == ["glow", "ground"]
    # Sight is blocked by the last layer that is not late.
    assert level.visibility_layer == "ground"
    lamp = level.objects[0]
    assert level.layers["glow"].cells[lamp.y, lamp.x] == level.layers["glow"].cells.max()


def test_sight_takes_the_layer_that_is_named() -> None:
    text = """\
size: [10, 8]
layers:
  a: {generator: cellular_caves}
  b: {generator: drunkard}
visibility: {layer: b, radius: 3}
"""
    level = build(text)
    assert level.visibility_layer == "b"
    assert level.visibility is not None
    assert np.array_equal(level.visibility.opaque, level.layers["b"].opaque)


@pytest.mark.parametrize(
    ("layers", "visibility", "line", "message"),
    [
        ("{h: {generator: heightmap}}", "{radius: 3}", 3, "no `play` layer for visibility"),
        ("{h: {generator: heightmap}}", "{layer: h}", 3, "is not a tile layer"),
    ],
)
def test_without_a_tile_layer_there_is_no_sight(
    layers: str, visibility: str, line: int, message: str
) -> None:
    result = refused(f"size: [9, 9]\nlayers: {layers}\nvisibility: {visibility}\n")
    assert result[0] == line
    assert message in result[2]


def test_a_limit_of_a_layer_is_reported_at_its_line() -> None:
    text = """\
size: [12, 12]
layers:
  ground:
    generator: cellular_caves
    require:
      min_floor: 0.99
"""
    line, column, message = refused(text)
    assert (line, column) == (6, 18)
    assert message.startswith("layer 'ground': the share of walkable cells is ")


def test_a_limit_of_the_level_concerns_the_walkable_cells_of_all_play_layers() -> None:
    text = """\
size: [12, 12]
seed: 3
layers:
  hills: {generator: heightmap}
  first: {generator: drunkard}
  second: {generator: cellular_caves}
  aside: {generator: blank, role: data}
visibility: {layer: second}
require: {max_floor: 0.01}
"""
    with pytest.raises(SpecError) as caught:
        build(text)
    (problem,) = caught.value.problems
    level = build(text.replace("require: {max_floor: 0.01}\n", ""))
    share = level.walkable().mean()
    assert problem.line == 9
    assert problem.message == (
        f"the `play` layers first, second together: the share of walkable cells is {share:.4f} "
        "(required: 0.01)"
    )
    assert share < min(level.layers[name].walkable.mean() for name in ("first", "second"))


def test_a_limit_of_a_layer_concerns_that_layer_alone() -> None:
    text = """\
size: [12, 12]
layers:
  first: {generator: blank, tile: floor, require: {min_floor: 1}}
  second: {generator: blank, tile: wall}
require: {max_floor: 0}
"""
    assert not build(text).walkable().any()


def test_a_limit_of_a_level_without_walkable_cells_is_reported() -> None:
    text = "size: [9, 9]\nlayers: {h: {generator: heightmap}}\nrequire: {connected: true}\n"
    assert refused(text) == (3, 10, NO_WALKABLE_CELLS)


def test_what_a_generator_cannot_do_is_reported_at_its_parameter(tmp_path: Path) -> None:
    text = "size: [9, 9]\nlayers:\n  map: {generator: from_image, image: gone.png}\n"
    line, column, message = refused(text, tmp_path)
    assert (line, column) == (3, 39)
    assert "'gone.png' cannot be read" in message


def test_a_missing_image_of_a_tileset_is_reported_before_anything_is_drawn(tmp_path: Path) -> None:
    text = """\
size: [9, 9]
layers: {ground: {generator: drunkard}}
tileset: {image: gone.png}
"""
    with pytest.raises(SpecError) as caught:
        Build(parse_level(text.encode(), "probe.level.yaml", tmp_path)).prepare()
    (problem,) = caught.value.problems
    assert (problem.line, problem.column) == (3, 18)
    assert "'gone.png' cannot be read" in problem.message


def test_what_does_not_exist_has_a_key_of_its_own() -> None:
    text = b"size: [9, 9]\nlayers: {g: {generator: drunkard}}\nobjects: [{name: chest}]\n"
    spec = parse_level(text, "x.level.yaml")
    result = Build(spec)
    assert result.source.key(("layer", "g")) == ABSENT
    assert result.source.key(("spec", "no such key")) == ABSENT
    assert result.source.key(("spec", "size", 5)) == ABSENT
    assert result.source.key(("visibility",)) == UNREADABLE
    assert result.source.key(("sight layer",)) == UNREADABLE
    assert result.source.key(("file", "x.png")) == UNREADABLE
    assert result.source.key(("objects",)) == ABSENT
    result.prepare()
    # Without a memory no result has a key.
    assert result.source.key(("layer", "g")) is None
    assert result.source.key(("layers",)) is None
    assert result.source.key(("objects",)) is None


def test_a_level_is_assembled_once() -> None:
    spec = parse_level(b"size: [9, 9]\nlayers: {g: {generator: drunkard}}\n", "x.level.yaml")
    result = Build(spec)
    level, questions = result.level()
    assert result.level()[0] is level
    assert ("spec", "size") in questions
    assert ("layers",) in questions
    assert not level.layers["g"].cells.flags.writeable


def test_a_text_seed_typed_in_two_ways_gives_the_same_bytes() -> None:
    text = (
        "level: cave\nsize: [24, 16]\nseed: {}\nlayers: {{ground: {{generator: cellular_caves}}}}\n"
    )
    blobs = {write_blob(build(text.format(seed))) for seed in ("H\u00f6hle", "Ho\u0308hle")}
    assert len(blobs) == 1
    assert write_blob(build(text.format("Hohle"))) not in blobs


# --- everything a spec can hold ------------------------------------------------------------------

WHOLE = """\
level: hall
size: [10, 8]
seed: 7
rng: portable
layers:
  ground: {generator: maze, size: [10, 8]}
  relief: {generator: heightmap, size: [5, 4]}
visibility: {algorithm: raycast, radius: 3, see_walls: true}
objects: [{name: chest, count: 2}]
tables:
  loot: {columns: {name: text, weight: number}, rows: [[ring, 1]]}
puzzles:
  lock: {kind: sudoku, clues: 30}
tileset: {tile_size: 8}
properties: {song: drip}
"""


def whole(text: str = WHOLE, memory: StageCache | None = None) -> Build:
    return Build(parse_level(text.encode(), "probe.level.yaml"), cache=memory)


def test_a_level_has_all_that_its_spec_asks_for() -> None:
    result = whole()
    level, _ = result.level()
    assert (level.name, level.width, level.height) == ("hall", 10, 8)
    assert (level.seed, level.rng) == (7, "portable")
    assert list(level.layers) == ["ground", "relief"]
    assert [layer.grid_aligned for layer in level.layers.values()] == [True, False]
    assert level.visibility_layer == "ground"
    assert level.visibility is not None
    assert (level.visibility.radius, level.visibility.algorithm) == (3, "raycast")
    assert [item.name for item in level.objects] == ["chest", "chest"]
    assert level.tables["loot"].rows == (("ring", 1.0),)
    assert level.tables["loot"].name == "loot"
    assert (level.puzzles["lock"].name, level.puzzles["lock"].kind) == ("lock", "sudoku")
    assert level.tileset is not None
    assert level.properties == {"song": "drip"}


def test_what_a_spec_leaves_out_is_not_in_its_level() -> None:
    level = build("size: [9, 7]\nlayers: {g: {generator: drunkard}}\n")
    assert (level.visibility, level.visibility_layer, level.tileset) == (None, None, None)
    assert (dict(level.tables), dict(level.puzzles), level.objects) == ({}, {}, ())


def test_sight_is_as_the_spec_says() -> None:
    walls, none = (build(WHOLE.replace("true", word)).visibility for word in ("true", "false"))
    assert walls is not None
    assert none is not None
    assert [walls.visible_from(x, y).sum() for x in range(10) for y in range(8)] != [
        none.visible_from(x, y).sum() for x in range(10) for y in range(8)
    ]


def test_sight_that_is_too_large_is_reported_at_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (ValueError("too large"), ParameterError("too large")):

        def refuse(_request: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(level_steps, "compute_sight", refuse)
        assert refused(WHOLE) == (8, 13, "too large")


def test_sight_is_computed_once() -> None:
    result = whole()
    result.prepare()
    assert result.source.answer(("visibility",)) is result.source.answer(("visibility",))


def test_everything_is_created_once() -> None:
    result = whole()
    result.prepare()
    layers, objects = result.layers, result.source.answer(("objects",))
    result.prepare()
    assert result.layers is layers
    assert result.source.answer(("objects",)) is objects


def test_every_question_of_a_stage_is_answered() -> None:
    result = whole()
    result.prepare()
    assert result.source.answer(("spec", "layers", "ground", "options", "size")) == (10, 8)
    assert result.source.answer(("spec", "objects", 0, "name")) == "chest"
    assert result.source.answer(("layer", "ground")) is result.layers["ground"]
    assert result.source.answer(("layer names",)) == ("ground", "relief")
    assert list(result.source.answer(("layers",))) == ["ground", "relief"]
    assert len(result.source.answer(("objects",))) == 2
    assert list(result.source.answer(("puzzles",))) == ["lock"]
    assert result.source.answer(("sight layer",)) == "ground"
    assert result.source.answer(("visibility",)).radius == 3
    assert result.source.answer(("tileset",)) is not None


KINDS: list[Question] = [
    ("spec", "seed"),
    ("layer", "ground"),
    ("layer names",),
    ("layers",),
    ("objects",),
    ("puzzles",),
    ("sight layer",),
    ("visibility",),
    ("tileset",),
]


def keys(text: str) -> dict[str, str | None]:
    result = whole(text, MemoryCache())
    result.prepare()
    return {str(question[0]): result.source.key(question) for question in KINDS}


@each_case(
    ("old", "new", "changed"),
    [
        ("hall", "hail", set()),
        ("seed: 7", "seed: 8", {"spec", "layer", "layers", "objects", "puzzles", "visibility"}),
        ("heightmap", "heightmap, octaves: 2", {"layers"}),
        ("relief", "hills", {"layers", "layer names"}),
        ("radius: 3", "radius: 4", {"visibility"}),
        ("raycast", "symmetric", {"visibility"}),
        ("true", "false", {"visibility"}),
        ("count: 2", "count: 1", {"objects"}),
        ("clues: 30", "clues: 31", {"puzzles"}),
        ("lock:", "gate:", {"puzzles"}),
        ("tile_size: 8", "tile_size: 9", {"tileset"}),
    ],
)
def test_the_key_of_an_answer_changes_with_the_answer(
    old: str, new: str, changed: set[str]
) -> None:
    text = WHOLE.replace("true", "false") if old == "raycast" else WHOLE
    before, after = keys(text), keys(text.replace(old, new))
    assert None not in before.values()
    assert len(set(before.values())) == len(before)
    assert {kind for kind in before if before[kind] != after[kind]} == changed


def test_a_file_that_a_remembered_result_had_read_is_depended_on(tmp_path: Path) -> None:
    (tmp_path / "map.txt").write_text("..")
    spec = parse_level(b"size: [9, 9]\n", "x.level.yaml", tmp_path)
    result = Build(spec)
    key = result.source.key(("file", "map.txt"))
    assert result.files.hashes == {}
    result.source.depend([("spec", "size"), ("file", "map.txt")])
    assert result.files.hashes == {"map.txt": key}


def test_files_lie_in_the_folder_of_the_spec_or_in_the_given_one(tmp_path: Path) -> None:
    (tmp_path / "levels").mkdir()
    (tmp_path / "map.txt").write_text("..\n..\n")
    text = "size: [4, 4]\nlayers: {m: {generator: prefabs, prefabs: [{file: ../map.txt}]}}\n"
    spec = parse_level(text.encode(), "x.level.yaml", tmp_path / "levels")
    with pytest.raises(SpecError, match="outside the project"):
        build_level(spec)
    assert list(build_level(spec, tmp_path).layers) == ["m"]


@each_case(
    ("path", "inside", "position"),
    [
        (("layers", "ground"), (), (3, 11)),
        (("layers", "ground"), ("size",), (1, 7)),
        (("layers", "ground"), ("size", 1), (1, 12)),
        (("layers", "ground"), ("seed",), (5, 7)),
        (("layers", "own"), ("size",), (4, 36)),
        (("layers", "own"), ("size", 1), (4, 40)),
        (("layers", "ground"), ("generator",), (3, 23)),
        (("layers", "ground"), ("rounds",), (3, 11)),
    ],
)
def test_a_fault_of_the_size_or_the_seed_is_reported_where_it_lies(
    path: tuple[str, ...], inside: tuple[str | int, ...], position: tuple[int, int]
) -> None:
    text = (
        "size: [10, 8]\nlayers:\n  ground: {generator: drunkard}\n"
        "  own: {generator: drunkard, size: [4, 5]}\nseed: 5\n"
    )
    spec = parse_level(text.encode(), "x.level.yaml")
    problem = Build(spec).source.error(path, "no", inside).problems[0]
    assert (problem.line, problem.column) == position


def test_a_layer_that_is_not_complete_says_so() -> None:
    text = "size: [12, 12]\nlayers: {r: {generator: irregular_rooms, rooms: %d}}\n"
    few, many = (build(text % rooms).layers["r"] for rooms in (1, 500))
    assert few.complete
    assert not many.complete
    assert len(few.rooms) == 1
    assert many.report


def test_cells_that_connect_a_layer_are_in_the_layer() -> None:
    generator = "{generator: cellular_caves, rounds: 2, connect: guaranteed}"
    layer = build(f"size: [40, 30]\nseed: 0\nlayers: {{g: {generator}}}\n").layers["g"]
    assert layer.certificate is not None
    assert layer.certificate.cells_carved > 0
    walkable = layer.lookup([tile.walkable for tile in layer.tiles])
    assert np.array_equal(walkable, layer.walkable)


def test_a_tileset_that_does_not_serve_the_level_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_level: Level) -> None:
        raise ParameterError("no tile for 'wall'", ("tileset",))

    monkeypatch.setattr(tilesets, "level_tileset", refuse)
    assert refused(WHOLE) == (14, 10, "no tile for 'wall'")
    build(WHOLE.replace("tileset: {tile_size: 8}\n", ""))


GROUPS = """\
size: [24, 20]
seed: 3
layers:
  ground: {generator: cellular_caves, wall_percent: 30}
objects:
  - {name: start}
  - {name: exit, far_from: start}
  - {name: chest, count: 3, spacing: 4}
  - {name: rat, count: 4, properties: {hp: 3}}
"""


@each_case(
    ("old", "new", "placed"),
    [
        ("hp: 3", "hp: 4", []),
        ("spacing: 4", "spacing: 5", ["chest 1", "rat 1", "exit 1"]),
        ("  - {name: start}", "  - {name: key, near: exit}\n  - {name: start}", ["key 1"]),
        ("  - {name: rat,", "  - {name: exit, near: chest}\n  - {name: rat,", ["exit 2"]),
        ("count: 4,", "count: 5,", ["rat 1", "exit 1"]),
    ],
)
def test_only_the_groups_that_a_change_concerns_are_placed_again(
    old: str, new: str, placed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    place_group = object_steps.place_group

    def noting(index: int, name: str, number: int, inputs: Inputs) -> PlacedGroup:
        begun.append(f"{name} {number}")
        return place_group(index, name, number, inputs)

    monkeypatch.setattr(object_steps, "place_group", noting)
    memory = MemoryCache()
    before = whole(GROUPS, memory)
    before.prepare()
    memory.update(before.stages.unsaved)
    begun.clear()
    result = whole(GROUPS.replace(old, new), memory)
    level, _ = result.level()
    assert begun == placed
    fresh, _ = whole(GROUPS.replace(old, new)).level()
    assert [(item, item.entry) for item in level.objects] == [
        (item, item.entry) for item in fresh.objects
    ]
