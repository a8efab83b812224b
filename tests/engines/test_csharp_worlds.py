"""Worlds in Unity, without Unity: terrains with their neighbours, and parts around who walks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_harness import Mono
from engine_harness.folders import CSHARP
from engine_harness.unity_importer import (
    UnityImporter,
    compile_prefab_dump,
    export,
    importer_sources,
    plain_numbers,
)
from exporter.tilesets.tile_choice import cell_hash
from worlds import TestWorld

WORLD = TestWorld()
Run = Callable[..., Any]


@pytest.fixture(scope="module")
def run(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("worlds")
    sources = [*importer_sources(), CSHARP / "RunWorlds.cs", CSHARP / "JsonText.cs"]
    program = mono.compile(sources, folder / "worlds.exe")

    def ask(*arguments: object, stdin: str = "") -> Any:
        reported = mono.run(program, *map(str, arguments), stdin=stdin)
        return json.loads(reported, object_hook=plain_numbers)

    return ask


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("Assets") / "Resources" / "Levels"
    return WORLD.write(folder, "unity") / "w.lvworld"


def sight_of(**changed: Any) -> dict[str, Any]:
    """Return the rule of sight in a world's description, with a changed value."""
    rule = {"layer": "caves", "algorithm": "symmetric", "radius": 5, "see_walls": False}
    return {**rule, **changed}


def test_parts_near_a_point_come_nearest_first(run: Run) -> None:
    assert run("near", 150, 100, 64, 10, 10, 0) == [[0, 0]]
    assert run("near", 150, 100, 64, 60, 10, 4) == [[0, 0], [1, 0]]
    assert run("near", 150, 100, 64, 70, 60, 8) == [[1, 0], [1, 1], [0, 0], [0, 1]]
    assert run("near", 150, 100, 64, -500, -500, 10) == []
    everything = run("near", 150, 100, 64, 75, 50, 1000)
    assert sorted(everything) == [[x, y] for x in range(3) for y in range(2)]


def test_a_corner_is_as_far_away_as_it_is(run: Run) -> None:
    # Three cells to the left and four up: five.
    assert [0, 0] not in run("near", 150, 100, 64, 67, 68, 4.9)
    assert [0, 0] in run("near", 150, 100, 64, 67, 68, 5)


def test_a_world_becomes_a_loader_of_its_parts(run: Run, world: Path) -> None:
    result = run("import", world)
    assert result["messages"] == []
    assert result["size"] == [150, 100]
    assert result["parts"] == "Levels/w.world/w.{column}_{row}"
    assert result["terrains"] is None


def test_outside_of_resources_the_loader_knows_no_parts(run: Run, tmp_path: Path) -> None:
    file = WORLD.write(tmp_path, "unity") / "w.lvworld"
    assert run("import", file)["parts"] == ""
    walked = run("walk", file, 10, 5, 1, "10,90", "wait")
    assert "not in a folder Resources" in walked["errors"][0]
    assert walked["steps"][1]["ended"] == []


def test_parts_around_who_walks_are_loaded_and_far_ones_left(run: Run, world: Path) -> None:
    # y grows upwards in Unity: the upper left part is at (0, 36).
    walked = run("walk", world, 10, 5, 2, "60,95", "wait", "wait", "76,95", "80,95", "84,95")
    assert walked["errors"] == []
    steps = walked["steps"]
    assert steps[0]["shown"] == []
    assert steps[1]["ended"] == ["Levels/w.world/w.0_0", "Levels/w.world/w.1_0"]
    assert steps[1]["children"] == [["w.0_0", 0, 36], ["w.1_0", 64, 36]]
    assert steps[1]["here"] is True
    # 12 cells away is farther than the radius, but not than the margin.
    assert steps[3]["shown"] == [[0, 0], [1, 0]]
    assert steps[4]["shown"] == [[1, 0]]
    assert steps[4]["here"] is False
    assert steps[5]["children"] == [["w.1_0", 64, 36]]


def test_parts_below_stand_below(run: Run, world: Path) -> None:
    walked = run("walk", world, 300, 5, 10, "75,50", "wait")
    result = {name: (x, y) for name, x, y in walked["steps"][1]["children"]}
    assert result == {
        **{f"w.{column}_0": (64 * column, 36) for column in range(3)},
        **{f"w.{column}_1": (64 * column, 0) for column in range(3)},
    }


def test_only_so_many_parts_are_loaded_at_a_time(run: Run, world: Path) -> None:
    walked = run("walk", world, 300, 5, 1, "10,95", "wait", "wait")
    assert [step["ended"] for step in walked["steps"]] == [
        [],
        ["Levels/w.world/w.0_0"],
        ["Levels/w.world/w.1_0"],
    ]


def test_a_part_that_is_no_longer_near_is_not_displayed_when_it_arrives(
    run: Run, world: Path
) -> None:
    walked = run("walk", world, 10, 5, 1, "10,95", "145,95", "wait", "wait")
    assert walked["steps"][2]["ended"] == ["Levels/w.world/w.0_0"]
    assert walked["steps"][2]["shown"] == []
    assert walked["steps"][3]["shown"] == [[2, 0]]


def test_a_missing_part_is_reported_once(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "Assets" / "Resources" / "Levels"
    file = WORLD.write(folder, "unity") / "w.lvworld"
    (folder / "w.world" / "w.0_0.lvb").unlink()
    walked = run("walk", file, 10, 5, 1, "10,95", *["wait"] * 4)
    assert walked["errors"] == ["w: there is no prefab Levels/w.world/w.0_0"]


def test_terrains_meet_and_know_their_neighbours(run: Run, world: Path) -> None:
    result = run("import", world, "terrain=relief", "cellSize=2", "unitsPerHeight=0.5")
    assert result["messages"] == []
    terrains = result["terrains"]
    assert len(terrains) == 6
    assert result["sources"] == [f"w.{x}_{y}.relief.raw" for y in range(2) for x in range(3)]
    # Of heights from -40 to 160, with 2 units a cell and half a unit a metre.
    assert terrains[0]["size"] == [128, 100, 128]
    assert [terrain["at"] for terrain in terrains[:4]] == [
        [0, -20, 72],
        [128, -20, 72],
        [256, -20, 72],
        [0, -20, -56],
    ]
    grids = [np.reshape(terrain["samples"], (65, 65)) for terrain in terrains]
    whole = WORLD.whole.layers["relief"].cells
    assert np.array_equal(grids[0][::-1], whole[:65, :65])
    assert np.array_equal(grids[0][:, -1], grids[1][:, 0])
    assert np.array_equal(grids[0][0], grids[3][-1])
    names = [terrain["name"] for terrain in terrains]
    assert terrains[0]["neighbours"] == [None, None, names[1], names[3]]
    assert terrains[4]["neighbours"] == [names[3], names[1], names[5], None]


def test_terrains_that_cannot_be_created_are_reported(run: Run, tmp_path: Path) -> None:
    file = WORLD.write(tmp_path, "unity") / "w.lvworld"
    (message,) = run("import", file, "terrain=caves")["messages"]
    assert message.endswith("there is no layer of heights caves")
    (message,) = run("import", file, "terrain=relief", "mostTerrains=5")["messages"]
    assert "6 terrains are more than 5" in message
    raw = tmp_path / "w.world" / "w.1_1.relief.raw"
    raw.write_bytes(raw.read_bytes()[:-2])
    result = run("import", file, "terrain=relief")
    assert result["messages"][0].endswith(
        "w.1_1.relief.raw is missing, or has not 65 samples a side"
    )
    assert [item is None for item in result["terrains"]] == [False] * 4 + [True, False]


def test_terrains_have_sides_that_unity_knows(run: Run, tmp_path: Path) -> None:
    file = WORLD.write(tmp_path, "unity") / "w.lvworld"
    file.write_text(json.dumps({**json.loads(file.read_text()), "chunk": 100}))
    for raw in (tmp_path / "w.world").glob("*.relief.raw"):
        raw.write_bytes(bytes(2 * 101 * 101))
    assert "has not 101 samples a side" in run("import", file, "terrain=relief")["messages"][0]


def test_sizes_that_cannot_be_are_refused(run: Run) -> None:
    assert run("raw", 2 * 33 * 33, 33) == 33 * 33
    assert run("raw", 2 * 33 * 33 - 2, 33).startswith("not so many samples")
    for size in ([0, 9, 4], [9, 0, 4], [9, 9, 0]):
        assert run("near", *size, 1, 1, 1).startswith("a world has cells")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": "other"}, "no world of the exporter"),
        ({"version": 2}, "its version 2 is not known here"),
        ({"size": [150]}, "where its parts are"),
        ({"size": [0, 100]}, "where its parts are"),
        ({"size": [65537, 100]}, "where its parts are"),
        ({"chunk": 0}, "where its parts are"),
        ({"chunk": -64}, "where its parts are"),
        ({"parts": "w.world/w"}, "where its parts are"),
        ({"parts": "../{column}_{row}"}, "where its parts are"),
        ({"parts": "/{column}_{row}"}, "where its parts are"),
        ({"visibility": sight_of(radius=0)}, "its rule of sight is broken"),
        ({"visibility": sight_of(radius=-5)}, "its rule of sight is broken"),
        ({"visibility": sight_of(radius=65)}, "its rule of sight is broken"),
        ({"visibility": sight_of(radius=2_000_000_000)}, "its rule of sight is broken"),
        ({"visibility": sight_of(layer="other")}, "its rule of sight is broken"),
    ],
    ids=str,
)
def test_a_broken_world_is_an_error_of_its_import(
    run: Run, world: Path, tmp_path: Path, change: dict[str, Any], problem: str
) -> None:
    file = tmp_path / "w.lvworld"
    file.write_text(json.dumps({**json.loads(world.read_text()), **change}))
    (message,) = run("import", file)["messages"]
    assert problem in message


@pytest.mark.parametrize("text", ["", "{", "[]", "null"])
def test_a_text_that_is_no_world_is_an_error_of_its_import(
    run: Run, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "w.lvworld"
    file.write_text(text)
    assert len(run("import", file)["messages"]) == 1


BIOMES = """
layers:
  relief: {generator: heightmap, feature_size: 24}
  biomes:
    generator: bands
    of: relief
    steps: [{below: 0.35, tile: water}, {below: 0.5, tile: sand}, {tile: grass}]
  caves: {generator: cellular_caves}
"""


def numbers_of(mono: Mono, program: Path, blobs: list[Path]) -> dict[Path, dict[str, np.ndarray]]:
    """Which picture the package gives every cell, by layers and grids between the cells."""
    document = json.loads(mono.run(program, *map(str, blobs)), object_hook=plain_numbers)
    result = {}
    for blob in blobs:
        nodes = [item for item in document[str(blob)]["root"]["children"] if item["tiles"]]
        result[blob] = {
            node["name"]: np.reshape(node["tiles"]["numbers"], node["tiles"]["size"][::-1])
            for node in nodes
        }
    return result


def test_cells_at_the_edges_of_parts_show_what_they_do_in_the_whole(
    mono: Mono, tmp_path: Path
) -> None:
    world = TestWorld(layers=BIOMES)
    folder = world.write(tmp_path / "parts", "unity")
    program = compile_prefab_dump(mono, tmp_path)
    whole_blob = export(world.whole, tmp_path / "whole")
    blobs = {
        (column, row): folder / "w.world" / f"w.{column}_{row}.lvb"
        for column in range(3)
        for row in range(2)
    }
    reported = numbers_of(mono, program, [whole_blob, *blobs.values()])
    whole = reported[whole_blob]
    assert set(whole) == {"biomes", "caves"}
    for (column, row), blob in blobs.items():
        for name, numbers in reported[blob].items():
            left, top = 64 * column, 64 * row
            height, width = numbers.shape
            assert np.array_equal(numbers, whole[name][top : top + height, left : left + width])


def test_tile_assets_of_a_part_are_chosen_as_in_the_whole(mono: Mono, tmp_path: Path) -> None:
    folder = WORLD.write(tmp_path, "unity")
    blob = folder / "w.world" / "w.1_1.lvb"
    described = blob.with_suffix(".tileset.json")
    document = json.loads(described.read_text())
    paths = ["Assets/a.asset", "Assets/b.asset", "Assets/c.asset"]
    document["layers"][0]["assets"] = [{"id": 0, "paths": paths}]
    described.write_text(json.dumps(document))
    reported = json.loads(mono.run(compile_prefab_dump(mono, tmp_path), str(blob)))
    (node,) = [item for item in reported[str(blob)]["root"]["children"] if item["name"] == "caves"]
    result = np.reshape(node["tiles"]["assets"], (36, 64))
    position = cell_hash(36, 64, (64, 64)) % 3
    expected = np.where(
        WORLD.part(1, 1).layers["caves"].cells == 0, np.array(paths)[position], None
    )
    assert np.array_equal(result, expected)


@pytest.mark.parametrize(
    "change",
    [{"left": -1}, {"bottom": 17}, {"x": -1}, {"runs": "1"}, {"runs": "1 70000"}, {"runs": "0 1"}],
    ids=str,
)
def test_a_broken_description_of_the_surroundings_is_reported(
    importer: UnityImporter, tmp_path: Path, change: dict[str, Any]
) -> None:
    folder = WORLD.write(tmp_path, "unity")
    blob = folder / "w.world" / "w.1_1.lvb"
    described = blob.with_suffix(".tileset.json")
    document = json.loads(described.read_text())
    document["layers"][0]["around"].update(change)
    described.write_text(json.dumps(document))
    (message,) = importer.level(blob)["messages"]
    assert "what lies around layer caves cannot be read" in message
