"""What targets write of worlds: the files of parts, and those of the world as a whole."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from exporter.targets import TARGETS
from worlds import TestWorld

WORLD = TestWorld()
ENGINES = ("tiled", "unity")


@pytest.mark.parametrize("engine", ENGINES)
def test_parts_have_no_pictures_of_heights_beside_their_numbers(engine: str) -> None:
    names = set(WORLD.files(engine))
    assert "w.world/w.1_0.relief.r16" in names
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
def test_blobs_of_parts_are_for_quick_decoding_unless_the_smallest_are_asked_for(
    engine: str,
) -> None:
    part = WORLD.part(0, 0)
    target = TARGETS.get(engine)

    def blob(level: object, **options: object) -> bytes:
        export = target.export_part if level is part else target.export
        made = export(level, target.options(path="out", **options), "out")
        return next(file.data for file in made.artifacts if file.kind == "blob")

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
    assert {str(one["fileName"])[-4:] for one in tiled_maps(languages=("xml", "json"))} == {".tmx"}


def test_tiled_shows_all_maps_of_a_small_world_and_the_adjacent_ones_of_a_large() -> None:
    shown = {}
    for size in (4 * 64, 5 * 64):
        target = TARGETS.get("tiled")
        middle = TestWorld((size, 4 * 64), 64).middle()
        file = target.export_world(middle, target.options(path="out"), "out").artifacts[-1]
        shown[size] = json.loads(file.data)["onlyShowAdjacentMaps"]
    assert shown == {256: False, 320: True}
