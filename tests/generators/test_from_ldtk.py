"""LDtk levels and worlds as layers: tiles, rooms, objects, and the files they come from."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from cases import each_case
from exporter.build.build import Build, build_level
from exporter.model.errors import SpecError
from exporter.model.level import Level as Built
from exporter.reading.reader import parse_level
from ldtk_projects import Entity, EntityDefinition, Layer, Level, Project, Tileset

WALLS = Layer("Walls", values={1: "wall", 2: "water", 7: "Plasma"})
THINGS = Layer("Things", "Entities")
KINDS = [EntityDefinition("Chest"), EntityDefinition("Region", resizable=(True, True))]


def crypt(**values: object) -> Project:
    things = [
        Entity("Chest", (24, 24), fields=(("gold", "Int", 3), ("loot", "Array<Int>", [1]))),
        Entity("Region", (16, 16), (32, 16), (("name", "String", "vault"),)),
    ]
    rows = [[1, 1, 1, 1], [1, 0, 2, 1], [1, 1, 1, 1]]
    level = Level("Crypt", {"Walls": rows, "Things": things})
    return Project([level], [THINGS, WALLS], entities=KINDS, **values)  # type: ignore[arg-type]


def save(project: Project, folder: Path) -> None:
    for name, content in project.files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def spec(parameters: str, size: str = "[4, 3]", rest: str = "") -> bytes:
    layer = f"generator: from_ldtk, file: rooms.ldtk{parameters}"
    return f"size: {size}\nlayers:\n  a: {{{layer}}}\n{rest}".encode()


def built(folder: Path, parameters: str = "", size: str = "[4, 3]", rest: str = "") -> Built:
    return build_level(parse_level(spec(parameters, size, rest), "x.level.yaml", folder))


def refusal(folder: Path, parameters: str = "", size: str = "[4, 3]") -> tuple[str, str]:
    """The message, and the text of the spec at its place."""
    text = spec(parameters, size)
    with pytest.raises(SpecError) as caught:
        build_level(parse_level(text, "x.level.yaml", folder))
    (problem,) = caught.value.problems
    assert problem.line == 3
    return problem.message, text.decode().splitlines()[2][problem.column - 1 :]


@pytest.mark.parametrize("external", [False, True])
def test_a_level_is_a_layer_with_objects_and_rooms(tmp_path: Path, external: bool) -> None:
    save(crypt(external=external), tmp_path)
    level = built(tmp_path, ", fill: floor")
    layer = level.layers["a"]
    assert [tile.name for tile in layer.tiles] == ["floor", "wall", "water"]
    assert layer.cells.tolist() == [[1, 1, 1, 1], [1, 0, 2, 1], [1, 1, 1, 1]]
    assert [(room.name, room.x, room.y, room.width, room.height) for room in layer.rooms] == [
        ("vault", 1, 1, 2, 1)
    ]
    (chest,) = level.objects
    assert (chest.name, chest.x, chest.y, dict(chest.properties)) == ("Chest", 1, 1, {"gold": 3})


def test_a_world_is_a_layer_with_a_room_for_each_level(tmp_path: Path) -> None:
    levels = [Level("A", {"Walls": [[1]]}), Level("B", {"Walls": [[2, 2]]}, at=(16, 16))]
    save(Project(levels, [WALLS]), tmp_path)
    layer = built(tmp_path, ", world: true, fill: floor", "[3, 2]").layers["a"]
    assert layer.cells.tolist() == [[1, 0, 0], [0, 2, 2]]
    assert [(room.name, room.x, room.y) for room in layer.rooms] == [("A", 0, 0), ("B", 1, 1)]


def test_tiles_of_a_tileset_have_their_ids_and_one_as_numbers(tmp_path: Path) -> None:
    floor = Layer("Floor", "Tiles", tileset="Stones")
    level = Level("A", {"Floor": [(0, 0, 0), (1, 0, 5)]}, size=(32, 16))
    save(Project([level], [floor], [Tileset("Stones")]), tmp_path)
    message, where = refusal(tmp_path, ", legend: {1: wall}", "[2, 1]")
    assert "tile number 6 (tile 5 of the tileset Stones) at cell (1, 0)" in message
    assert where.startswith("{1: wall}")
    layer = built(tmp_path, ", legend: {1: wall, 6: floor}", "[2, 1]").layers["a"]
    assert [layer.tiles[number].name for number in layer.cells.ravel()] == ["wall", "floor"]


def test_a_value_that_means_nothing_is_refused_with_the_way_out(tmp_path: Path) -> None:
    save(Project([Level("A", {"Walls": [[1, 7]]})], [WALLS]), tmp_path)
    message, _ = refusal(tmp_path, size="[2, 1]")
    assert "tile number 7 (IntGrid value 7, Plasma) at cell (1, 0) of the layer 'Walls'" in message
    assert "write `legend: {7: " in message
    result = built(tmp_path, ", legend: {7: {name: plasma, walkable: false}}", "[2, 1]")
    assert [tile.name for tile in result.layers["a"].tiles] == ["empty", "wall", "plasma"]


@each_case(
    ("parameters", "words", "where"),
    [
        ("", "rooms.ldtk has 4 x 3 cells, but the layer has 9 x 9", "rooms.ldtk"),
        (", level: Attic", "unknown level 'Attic'", "Attic"),
        (", layer: Wall", "did you mean 'Walls'", "Wall"),
        (", world: Under", "unknown world 'Under'", "Under"),
        (", world: true, depth: 3", "no level has the world depth 3", "3"),
        (", level: Crypt, world: true", "give either `level` or `world`", "Crypt"),
        (
            ", depth: 0",
            "`depth` has no effect without `world: true` (add that, or remove `depth`)",
            "0",
        ),
    ],
)
def test_mistakes_are_reported_at_their_position(
    tmp_path: Path, parameters: str, words: str, where: str
) -> None:
    save(crypt(), tmp_path)
    message, text = refusal(tmp_path, parameters, "[9, 9]")
    assert words in message
    assert text.startswith(where)


def test_the_level_depends_on_its_separate_files(tmp_path: Path) -> None:
    save(crypt(external=True), tmp_path)
    build = Build(parse_level(spec(""), "x.level.yaml", tmp_path))
    build.level()
    assert set(build.files.hashes) == {"rooms.ldtk", "rooms/Crypt.ldtkl"}
    (tmp_path / "rooms/Crypt.ldtkl").unlink()
    message, where = refusal(tmp_path)
    assert "'rooms/Crypt.ldtkl' cannot be read" in message
    assert where.startswith("rooms.ldtk")


@pytest.mark.parametrize("location", ["../outside.ldtkl", "{absolute}", "link.ldtkl"])
def test_separate_files_outside_the_project_are_not_read(tmp_path: Path, location: str) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    project = crypt(external=True)
    files = project.files()
    outside = tmp_path / "outside.ldtkl"
    outside.write_bytes(files["rooms/Crypt.ldtkl"])
    os.symlink(outside, folder / "link.ldtkl")
    named = location.replace("{absolute}", str(outside)).encode()
    content = files["rooms.ldtk"].replace(b"rooms/Crypt.ldtkl", named)
    (folder / "rooms.ldtk").write_bytes(content)
    message, _ = refusal(folder)
    assert "is outside the project" in message


def test_unsupported_parts_of_a_level_are_reported(tmp_path: Path) -> None:
    save(crypt(), tmp_path)
    build = Build(parse_level(spec(""), "x.level.yaml", tmp_path))
    build.level()
    (warning,) = [problem.message for problem in build.shortfalls()]
    assert "loot" in warning
    levels = [Level("A", {"Walls": [[1]]}), Level("B", {"Walls": [[1]]}, depth=1)]
    save(Project(levels, [WALLS]), tmp_path)
    report = built(tmp_path, ", world: true", "[1, 1]").layers["a"].report
    assert report == {"not_read": ["1 levels at other world depths (1)"]}


def test_objects_of_a_spec_can_be_placed_by_those_of_a_map(tmp_path: Path) -> None:
    rows = [[1] * 6, [1, 0, 0, 0, 0, 1], [1] * 6]
    level = Level("A", {"Walls": rows, "Things": [Entity("Chest", (24, 24))]})
    save(Project([level], [THINGS, WALLS], entities=KINDS), tmp_path)
    rest = "objects:\n  - {name: exit, reachable_from: Chest}\n"
    result = built(tmp_path, ", fill: floor", "[6, 3]", rest)
    chest, exit_ = result.objects
    assert (chest.name, exit_.name) == ("Chest", "exit")
    assert (chest.x, chest.y) != (exit_.x, exit_.y)


def test_a_large_level_is_read_whole(tmp_path: Path) -> None:
    values = np.random.default_rng(7).integers(0, 3, (1024, 1024))
    project = Project([Level("A", {"Walls": values.tolist()})], [WALLS])
    save(project, tmp_path)
    layer = built(tmp_path, ", fill: floor", "[1024, 1024]").layers["a"]
    assert np.array_equal(layer.cells, values)
