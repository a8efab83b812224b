"""Unity's sample game, played with stand-ins for Unity on levels that were really exported."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporter
from engine_harness import Mono
from engine_harness.folders import CSHARP, PACKAGE
from engine_harness.unity_importer import NEW_UNITY, export, importer_sources
from exporter.model.level import Level

SAMPLE = PACKAGE / "Samples~" / "SampleGame"
SPEC = """\
level: {name}
size: [40, 30]
seed: 4
layers:
  ground: {{generator: bsp_rooms, depth: 3}}
  exposure: {{generator: exposure, of: ground}}
visibility: {{layer: ground, radius: 8}}
objects:
  - {{name: stairs_up}}
  - {{name: stairs_down, far_from: stairs_up}}
  - {{name: chest, count: 2, properties: {{gold: 25}}}}
  - {{name: chest}}
  - {{name: guard, count: 2, far_from: stairs_up, min_distance: 12}}
"""
NAMES = ("first", "second")


def built(folder: Path, name: str) -> Level:
    path = folder / f"{name}.level.yaml"
    path.write_text(SPEC.format(name=name).replace("seed: 4", f"seed: {len(name)}"))
    return exporter.build_level(exporter.load_level(path))


@pytest.fixture(scope="module")
def levels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Level]:
    folder = tmp_path_factory.mktemp("specs")
    return {name: built(folder, name) for name in NAMES}


@pytest.fixture(scope="module")
def played(
    mono: Mono, levels: dict[str, Level], tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("played")
    sources = [*importer_sources(), CSHARP / "PlaySample.cs", CSHARP / "JsonText.cs"]
    program = mono.compile(sources, folder / "play.exe", options=["-define:UNITY_EDITOR"])
    blobs = [export(level, folder) for level in levels.values()]
    document: list[dict[str, Any]] = json.loads(mono.run(program, *blobs))
    return document


def test_the_levels_are_detected_and_the_stairs_lead_through_them(
    played: list[dict[str, Any]], levels: dict[str, Level]
) -> None:
    assert next(item["what"] for item in played if item["level"] == "second") == "arrived"
    assert (played[0]["level"], played[-1]["level"]) == ("first", "first")
    for reported, name, stairs in (
        (played[0], "first", "stairs_up"),
        (next(item for item in played if item["level"] == "second"), "second", "stairs_up"),
        (played[-1], "first", "stairs_down"),
    ):
        (at,) = [thing for thing in levels[name].objects if thing.name == stairs]
        assert reported["hero"] == [at.x, at.y]
        assert reported["bitmap"] is True
        assert reported["camera"] == {"bits": "0" * 16}


def test_chests_hold_what_the_spec_says_and_open_once(played: list[dict[str, Any]]) -> None:
    gold = [item["gold"] for item in played if item["what"] == "chest"]
    assert gold == [25, 50, 60, 85, 110, 120]
    assert played[-1]["drawn"] == ["first   120 gold"]


def test_guards_send_the_hero_back_and_are_seen_in_the_light_alone(
    played: list[dict[str, Any]], levels: dict[str, Level]
) -> None:
    caught = [item for item in played if item["what"] == "caught"]
    assert len(caught) == 4
    assert all(item["hero"] == played[0]["hero"] for item in caught if item["level"] == "first")
    moved = {tuple(guard[:2]) for item in played for guard in item["guards"]}
    assert len(moved) > 6
    displayed = set()
    for item in played:
        walkable = levels[item["level"]].walkable()
        for x, y, visible in item["guards"]:
            assert walkable[y, x]
            displayed.add(visible)
    assert displayed == {False} | displayed


def test_the_fog_is_the_exported_table_and_remembers(
    played: list[dict[str, Any]], levels: dict[str, Level]
) -> None:
    known = {name: np.zeros((30, 40), bool) for name in NAMES}
    for item in played:
        level = levels[item["level"]]
        assert level.visibility is not None
        lit = level.visibility.visible_from(*item["hero"])
        fog = np.reshape(item["fog"], (30, 40))[::-1]
        np.testing.assert_array_equal(fog == 0, lit)
        remembered = (fog == 150) | lit
        # Cells seen between two queries of the game count, too.
        assert not (known[item["level"]] & ~remembered).any()
        known[item["level"]] |= remembered
        assert set(np.unique(fog)) <= {0, 150, 255}


def test_the_hero_walks_where_the_keys_say(played: list[dict[str, Any]]) -> None:
    for before, walked in itertools.pairwise(played):
        if walked["what"] == "walked":
            # 20 frames of 0.05 s, 5.5 cells a second, to the right and down.
            moved = np.subtract(walked["hero"], before["hero"])
            assert moved.tolist() in ([3, 3], [4, 4], [4, 3], [3, 4])


@pytest.mark.parametrize(
    "defines",
    [
        [],
        [NEW_UNITY, "-define:UNITY_6000_0_OR_NEWER", "-define:ENABLE_INPUT_SYSTEM"],
        ["-define:ENABLE_INPUT_SYSTEM", "-define:ENABLE_LEGACY_INPUT_MANAGER"],
    ],
)
def test_the_samples_compile_for_all_inputs(mono: Mono, tmp_path: Path, defines: list[str]) -> None:
    mono.compile(importer_sources(), tmp_path / "sample.dll", "library", options=defines)


def test_the_sample_has_fewer_than_300_lines_of_code() -> None:
    lines = [line for path in SAMPLE.glob("*.cs") for line in path.read_text().splitlines()]
    assert len([line for line in lines if line.strip(" {};")]) < 300
