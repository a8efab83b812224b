"""Hand edits on generated levels: changed cells, kept cells, and warnings."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import exporter
from exporter.build.build import Build
from exporter.build.edits import edit_layer, edit_objects
from exporter.model.errors import SpecError
from exporter.model.level import Layer, Level, PlacedObject, Tile
from exporter.reading.edits import CellEdit, ObjectEdit, parse_edits

SPEC = """\
size: [40, 30]
seed: {seed}
layers:
  ground: {{generator: cellular_caves, wall_percent: {walls}, connect: {connect}}}
objects:
  - {{name: chest, count: {chests}, properties: {{gold: 5}}}}
"""
TILES = (
    Tile(0, "floor", True, False, "#000000"),
    Tile(1, "wall", False, True, "#ffffff"),
    Tile(7, "wall", False, True, "#cccccc"),
)


def level_of(
    folder: Path,
    edits: str,
    *,
    seed: int = 1,
    walls: int = 42,
    chests: int = 3,
    connect: str = "guaranteed",
) -> Build:
    path = folder / "cavern.level.yaml"
    path.write_text(SPEC.format(seed=seed, walls=walls, chests=chests, connect=connect))
    position = folder / "cavern.edits.yaml"
    position.write_text(edits)
    build = Build(exporter.load_level(path))
    build.prepare()
    return build


def layer_of(cells: list[list[int]], tiles: tuple[Tile, ...] = TILES) -> Layer:
    grid = np.array(cells, np.uint8)
    layer = Layer("ground", "tiles", grid, "test", tiles=tiles)
    walkable = layer.lookup([tile.walkable for tile in tiles])
    return Layer("ground", "tiles", grid, "test", tiles=tiles, walkable=walkable)


def cell(x: int, y: int, was: str | int | None, now: str | int | None) -> CellEdit:
    return CellEdit(at=(x, y), was=was, now=now)


def edited(layer: Layer, *edits: CellEdit) -> tuple[Layer, list[tuple]]:
    done = edit_layer(layer, edits, None)  # type: ignore[arg-type]
    return done.layer, [(item.index, item.kind, item.actual) for item in done.conflicts]


def test_an_edit_changes_its_cell_and_walkability() -> None:
    layer, problems = edited(layer_of([[0, 1], [1, 1]]), cell(1, 0, "wall", "floor"))
    assert layer.cells.tolist() == [[0, 0], [1, 1]]
    assert layer.walkable is not None
    assert layer.walkable.tolist() == [[True, True], [False, False]]
    assert not problems


def test_a_base_that_is_as_requested_is_no_conflict_and_keeps_its_variant() -> None:
    layer, problems = edited(layer_of([[7, 1]]), cell(0, 0, "floor", "wall"))
    assert layer.cells.tolist() == [[7, 1]]
    assert not problems


def test_a_conflict_is_applied_and_reported_with_what_is_there_now() -> None:
    layer, problems = edited(layer_of([[0, 1]]), cell(0, 0, "door", "wall"))
    assert layer.cells.tolist() == [[1, 1]]
    assert problems == [(0, "conflict", "floor")]


def test_what_cannot_be_applied_is_reported_and_changes_nothing() -> None:
    base = layer_of([[0, 1]])
    layer, problems = edited(base, cell(2, 0, "wall", "floor"), cell(1, 0, "wall", "lava"))
    assert layer.cells.tolist() == base.cells.tolist()
    assert problems == [(0, "outside", None), (1, "unknown", "wall")]


@pytest.mark.parametrize("now", [None, "empty", "nothing"])
def test_a_cleared_cell_gets_the_empty_tile_of_its_layer_or_a_new_one(now: str | None) -> None:
    layer, problems = edited(layer_of([[0, 1]]), cell(0, 0, "floor", now))
    assert layer.tiles[-1] == Tile(8, "empty", False, False, "#00000000")
    assert layer.cells.tolist() == [[8, 1]]
    own = (*TILES, Tile(3, "none", False, False, "#00000000"))
    layer, more = edited(layer_of([[0, 3]], own), cell(0, 0, "floor", now), cell(1, 0, now, "wall"))
    assert layer.cells.tolist() == [[3, 1]]
    assert (layer.tiles, problems, more) == (own, [], [])


def test_ids_grow_to_16_bits_where_the_empty_tile_needs_them() -> None:
    tiles = (Tile(0, "floor", True, False, "#000000"), Tile(255, "wall", False, True, "#000000"))
    layer, _ = edited(layer_of([[0, 255]], tiles), cell(0, 0, "floor", None))
    assert layer.cells.tolist() == [[256, 255]]
    assert layer.cells.dtype == np.uint16


def test_edited_samples_change_walkability(tmp_path: Path) -> None:
    path = tmp_path / "hills.level.yaml"
    path.write_text(
        "size: [9, 9]\nlayers:\n  hills: {generator: heightmap, minimum: 0, maximum: 100, "
        "walkable_above: 50}\n"
    )
    plain = exporter.build_level(exporter.load_level(path)).layers["hills"]
    low = int(plain.cells[4, 4])
    (tmp_path / "hills.edits.yaml").write_text(
        f"layers: {{hills: [{{at: [4, 4], was: {low}, now: 60000}}, "
        f"{{at: [5, 4], was: 1, now: 7}}, {{at: [6, 4], was: 1, now: grass}}]}}\n"
    )
    build = Build(exporter.load_level(path))
    build.prepare()
    layer = build.layers["hills"]
    assert layer.cells[4, 4:6].tolist() == [60000, 7]
    assert layer.walkable is not None
    assert layer.walkable[4, 4:6].tolist() == [True, False]
    kinds = [item.kind for item in build.edit_conflicts().layers["hills"]]
    assert kinds == ["conflict", "unknown"]
    assert sum("hills" in warning.message for warning in build.shortfalls()) == 2


def test_nothing_is_carved_after_an_edit_and_the_certificate_sees_it(tmp_path: Path) -> None:
    plain = level_of(tmp_path, "")
    floor = np.argwhere(plain.layers["ground"].walkable)
    assert plain.layers["ground"].certificate.regions_after == 1
    columns = {int(x) for _, x in floor}
    middle = sorted(columns)[len(columns) // 2]
    ground = plain.layers["ground"]
    names = {tile.id: tile.name for tile in ground.tiles}
    lines = [
        f"    - {{at: [{middle}, {y}], was: {names[int(ground.cells[y, middle])]}, now: wall}}\n"
        for y in range(30)
    ]
    build = level_of(tmp_path, "layers:\n  ground:\n" + "".join(lines))
    certificate = build.layers["ground"].certificate
    assert certificate.regions_after > 1
    assert not build.layers["ground"].walkable[:, middle].any()
    assert all(thing.x != middle for thing in build.groups.all)
    assert build.shortfalls() == []


def test_requirements_see_the_edited_cells(tmp_path: Path) -> None:
    spec = SPEC.format(seed=1, walls=42, chests=1, connect="guaranteed").partition("objects")[0]
    path = tmp_path / "cavern.level.yaml"
    path.write_text(spec + "require: {min_floor: 0.2}\n")
    exporter.build_level(exporter.load_level(path))
    lines = "".join(
        f"    - {{at: [{x}, {y}], was: wall, now: wall}}\n" for y in range(29) for x in range(40)
    )
    (tmp_path / "cavern.edits.yaml").write_text("layers:\n  ground:\n" + lines)
    with pytest.raises(SpecError, match="share of walkable cells"):
        exporter.build_level(exporter.load_level(path))


def things(*names: str) -> tuple[PlacedObject, ...]:
    return tuple(PlacedObject(i, name, i, 0, {"n": i}) for i, name in enumerate(names, 1))


def test_objects_move_go_and_come_and_the_others_keep_their_ids() -> None:
    edits = (
        ObjectEdit(name="chest", ordinal=2, was=(3, 0), now=(9, 9)),
        ObjectEdit(name="key", ordinal=1, remove=True),
        ObjectEdit(name="chest", add=(5, 5)),
    )
    done = edit_objects(things("chest", "key", "chest"), edits, (10, 10), {"chest": {"gold": 1}})
    assert [(item.id, item.name, item.x, item.y) for item in done.objects] == [
        (1, "chest", 1, 0),
        (3, "chest", 9, 9),
        (4, "chest", 5, 5),
    ]
    assert done.objects[1].properties == {"n": 3}
    assert done.objects[2].properties == {"gold": 1}
    assert not done.conflicts


def test_edits_of_objects_that_do_not_fit_are_reported() -> None:
    edits = (
        ObjectEdit(name="chest", ordinal=1, was=(8, 8), now=(2, 2)),
        ObjectEdit(name="chest", ordinal=2, remove=True),
        ObjectEdit(name="key", add=(10, 0)),
        ObjectEdit(name="key", ordinal=1, was=(7, 7), remove=True),
    )
    done = edit_objects(things("chest", "key"), edits, (10, 10), {})
    assert [(item.name, item.x, item.y) for item in done.objects] == [("chest", 2, 2)]
    assert [(item.index, item.kind) for item in done.conflicts] == [
        (0, "conflict"),
        (1, "gone"),
        (2, "outside"),
        (3, "conflict"),
    ]


def test_a_removed_object_is_no_shortfall(tmp_path: Path) -> None:
    build = level_of(tmp_path, "objects:\n  - {name: chest, ordinal: 1, remove: true}\n")
    assert [item.name for item in build.groups.all] == ["chest", "chest"]
    assert build.shortfalls() == []


def test_200_random_edits_survive_50_changes_of_parameters_and_seed(tmp_path: Path) -> None:
    """Against a model that looks at every cell: none is lost, and each conflict is named."""
    choose = random.Random(11)
    base = level_of(tmp_path, "").layers["ground"]
    names = {tile.id: tile.name for tile in base.tiles}
    cells = choose.sample([(x, y) for y in range(30) for x in range(40)], 200)
    requested = {}
    lines = []
    for x, y in cells:
        was = names[int(base.cells[y, x])]
        now = choose.choice([name for name in ("wall", "floor", None) if name != was])
        requested[x, y] = (was, now)
        lines.append(f"    - {{at: [{x}, {y}], was: {was}, now: {now or 'null'}}}\n")
    text = "layers:\n  ground:\n" + "".join(lines)
    conflicts = 0
    for _ in range(50):
        how = {
            "seed": choose.randrange(1000),
            "walls": choose.randrange(30, 60),
            "connect": choose.choice(["guaranteed", "false"]),
        }
        plain = level_of(tmp_path, "", **how).layers["ground"]
        build = level_of(tmp_path, text, **how)
        layer = build.layers["ground"]
        expected = []
        for index, (at, (was, now)) in enumerate(requested.items()):
            result = names[int(plain.cells[at[1], at[0]])]
            displayed = {tile.id: tile.name for tile in layer.tiles}
            assert displayed[int(layer.cells[at[1], at[0]])] == (now or "empty")
            if result not in (was, now):
                expected.append((index, result))
        other = np.ones(layer.cells.shape, bool)
        for x, y in cells:
            other[y, x] = False
        assert (layer.cells == plain.cells)[other].all()
        problems = build.edit_conflicts().layers["ground"]
        assert [(item.index, item.actual) for item in problems] == expected
        assert all(item.kind == "conflict" for item in problems)
        conflicts += len(expected)
        assert len(parse_edits(text.encode(), "x").layers["ground"]) == 200
    assert conflicts > 100


def test_conflicts_are_counted_and_the_first_are_named_at_their_line(tmp_path: Path) -> None:
    lines = [f"    - {{at: [{x}, 0], was: door, now: floor}}\n" for x in range(6)]
    build = level_of(tmp_path, "layers:\n  ground:\n" + "".join(lines))
    (warning,) = build.shortfalls()
    assert warning.severity == "warning"
    assert warning.file.endswith("cavern.edits.yaml")
    assert (warning.line, warning.column) == (3, 7)
    assert "[0, 0] was door, is wall now, edited to floor" in warning.message
    assert "and 3 more" in warning.message
    assert "exporter edits drop --level cavern --conflicts" in warning.message


def test_edits_of_a_layer_that_is_removed_are_reported_with_the_likely_one(tmp_path: Path) -> None:
    build = level_of(tmp_path, "layers:\n  grund:\n    - {at: [1, 1], was: a, now: b}\n")
    (warning,) = build.shortfalls()
    assert "there is no layer 'grund': its 1 edit waits" in warning.message
    assert "did you mean 'ground'?" in warning.message


def test_a_spec_without_edits_has_none_and_another_seed_keeps_them(tmp_path: Path) -> None:
    build = level_of(tmp_path, "layers:\n  ground:\n    - {at: [0, 0], was: wall, now: floor}\n")
    other = build.spec.with_seed(77)
    level: Level = exporter.build_level(other)
    assert level.layers["ground"].walkable[0, 0]
    (tmp_path / "cavern.edits.yaml").unlink()
    assert exporter.load_level(tmp_path / "cavern.level.yaml").edits is None


def test_groups_that_name_an_edited_object_see_it_and_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "cavern.level.yaml"
    path.write_text(
        "size: [60, 40]\nlayers: {ground: {generator: cellular_caves, connect: guaranteed}}\n"
        "objects:\n  - {name: start}\n  - {name: exit, far_from: start}\n"
        "  - {name: rat, count: 5}\n  - {name: start, count: 1}\n"
    )
    before = exporter.build_level(exporter.load_level(path))
    starts = [(item.x, item.y) for item in before.objects if item.name == "start"]
    (exit_before,) = [item for item in before.objects if item.name == "exit"]
    at = f"[{exit_before.x}, {exit_before.y}]"
    (tmp_path / "cavern.edits.yaml").write_text(
        "objects:\n"
        + "".join(
            f"  - {{name: start, ordinal: {number}, was: [{x}, {y}], now: {at}}}\n"
            for number, (x, y) in enumerate(starts, 1)
        )
    )
    build = Build(exporter.load_level(path))
    after, _ = build.level()
    (exit_after,) = [item for item in after.objects if item.name == "exit"]
    assert (exit_after.x, exit_after.y) != (exit_before.x, exit_before.y)
    assert exit_after.id == exit_before.id
    rats = [[item for item in level.objects if item.name == "rat"] for level in (before, after)]
    assert rats[0] == rats[1]
    assert build.shortfalls() == []


def test_no_other_object_is_placed_where_one_was_put_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "cavern.level.yaml"
    path.write_text(
        "size: [12, 9]\nlayers: {ground: {generator: blank}}\n"
        "objects:\n  - {name: rat, count: 20}\n  - {name: chest, count: 1}\n"
    )
    before = exporter.build_level(exporter.load_level(path))
    rat = before.objects[4]
    (tmp_path / "cavern.edits.yaml").write_text(
        f"objects:\n  - {{name: chest, add: [{rat.x}, {rat.y}]}}\n"
    )
    after = exporter.build_level(exporter.load_level(path))
    cells = [(item.x, item.y) for item in after.objects]
    assert len(set(cells)) == len(cells) == 22
