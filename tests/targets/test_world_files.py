"""Files of worlds in targets: for parts, and for the world as a whole."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from exporter.targets import TARGETS
from worlds import TestWorld

WORLD = TestWorld()
ENGINES = ("tiled", "unity")


@pytest.mark.parametrize("engine", ENGINES)
def test_parts_have_no_pictures_of_heights_beside_their_numbers(engine: str) -> None:
    names = set(WORLD.files(engine))
    assert f"w.world/w.1_0.relief.{'raw' if engine == 'unity' else 'r16'}" in names
    assert "w.world/w.1_0.e.r16" in names
    assert "w.world/w.1_0.relief.png" not in names
    assert "w.world/w.1_0.e.png" not in names
    assert "w.world/w.1_0.caves.png" in names


@pytest.mark.parametrize("engine", ENGINES)
def test_what_describes_heights_of_parts_names_only_files_that_are_there(engine: str) -> None:
    files = WORLD.files(engine)
    described = json.loads(files["w.world/w.1_0.relief.height.json"].data)
    assert described["files"]
    assert all(f"w.world/{name}" in files for name in described["files"])


@pytest.mark.parametrize("engine", ENGINES)
def test_blobs_of_parts_are_for_quick_decoding_unless_the_smallest_are_requested_for(
    engine: str,
) -> None:
    part = WORLD.part(0, 0)
    target = TARGETS.get(engine)

    def blob(level: object, **options: object) -> bytes:
        export = target.export_part if level is part else target.export
        result = export(level, target.options(path="out", **options), "out")
        return next(file.data for file in result.artifacts if file.kind == "blob")

    alone = replace(part, part=None)
    assert blob(part) == blob(part, blob="fast") == blob(alone, blob="fast")
    assert blob(part, blob="small") == blob(alone) != blob(part)


def tiled_maps(**options: object) -> list[dict[str, object]]:
    world = json.loads(WORLD.files("tiled", **options)["w.tiled.world"].data)
    assert world["type"] == "world"
    maps: list[dict[str, object]] = world["maps"]
    return maps


def test_tileds_world_places_the_map_of_every_part() -> None:
    maps = tiled_maps()
    assert len(maps) == WORLD.columns * WORLD.rows == 6
    assert maps[2] == {
        "fileName": "w.world/w.2_0.tmj",
        "x": 128 * 16,
        "y": 0,
        "width": 22 * 16,
        "height": 64 * 16,
    }
    assert all(entry["fileName"] in WORLD.files("tiled") for entry in maps)


def test_tileds_world_names_maps_in_the_first_of_the_languages() -> None:
    assert {
        str(tiled_map["fileName"])[-4:] for tiled_map in tiled_maps(languages=("xml", "json"))
    } == {".tmx"}


def test_tileds_world_names_no_maps_that_tiled_cannot_open() -> None:
    assert {
        str(tiled_map["fileName"])[-4:] for tiled_map in tiled_maps(languages=("lua", "json"))
    } == {".tmj"}
    target = TARGETS.get("tiled")
    options = target.options(path="out", languages=("lua",))
    names = [
        artifact.name for artifact in target.export_world(WORLD.middle(), options, "out").artifacts
    ]
    assert not [name for name in names if name.endswith(".world")]


def test_tiled_shows_all_maps_of_a_small_world_and_the_adjacent_ones_of_a_large() -> None:
    displayed = {}
    for size in (4 * 64, 5 * 64):
        target = TARGETS.get("tiled")
        middle = TestWorld((size, 4 * 64), 64).middle()
        file = target.export_world(middle, target.options(path="out"), "out").artifacts[-1]
        displayed[size] = json.loads(file.data)["onlyShowAdjacentMaps"]
    assert displayed == {256: False, 320: True}


def terrain(column: int, row: int) -> NDArray[np.uint16]:
    """The samples of a part's terrain as in the level: the top row first."""
    data = WORLD.files("unity")[f"w.world/w.{column}_{row}.relief.raw"].data
    return np.frombuffer(data, "<u2").reshape(65, 65)[::-1]


def test_unitys_terrains_share_the_samples_of_their_edges() -> None:
    whole = WORLD.whole.layers["relief"].cells
    assert np.array_equal(terrain(0, 0), whole[:65, :65])
    assert np.array_equal(terrain(1, 0), whole[:65, 64:129])
    assert np.array_equal(terrain(0, 0)[:, -1], terrain(1, 0)[:, 0])
    assert np.array_equal(terrain(0, 0)[-1], terrain(0, 1)[0])


def test_unitys_terrains_repeat_the_last_samples_of_the_world() -> None:
    whole = WORLD.whole.layers["relief"].cells
    result = terrain(2, 1)
    assert np.array_equal(result[:36, :22], whole[64:, 128:])
    assert np.array_equal(result[36:], np.repeat(result[35:36], 29, axis=0))
    assert np.array_equal(result[:, 22:], np.repeat(result[:, 21:22], 43, axis=1))


def test_what_describes_a_terrain_tells_its_size_with_the_shared_edges() -> None:
    document = json.loads(WORLD.files("unity")["w.world/w.2_1.relief.height.json"].data)
    assert document["size"] == [65, 65]
    assert document["row_order"] == "bottom_to_top"
    document = json.loads(WORLD.files("unity")["w.world/w.2_1.e.height.json"].data)
    assert document["size"] == [22, 36]


def test_the_format_raw_writes_terrains_of_parts_in_every_target() -> None:
    files = WORLD.files("tiled", formats=("raw",))
    of_unity = WORLD.files("unity")["w.world/w.1_1.relief.raw"].data
    assert files["w.world/w.1_1.relief.raw"].data == of_unity


def test_unitys_package_gets_the_description_of_the_world() -> None:
    files = WORLD.files("unity")
    assert files["w.lvworld"].data == files["w.world.json"].data
    assert list(files).index("w.lvworld.meta") == list(files).index("w.lvworld") - 1
