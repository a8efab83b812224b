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
    told: list[dict[str, Any]] = json.loads(mono.run(program, *blobs))
    return told


def test_the_levels_are_found_and_the_stairs_lead_through_them(
    played: list[dict[str, Any]], levels: dict[str, Level]
) -> None:
    assert next(one["what"] for one in played if one["level"] == "second") == "arrived"
    assert (played[0]["level"], played[-1]["level"]) == ("first", "first")
    for told, name, stairs in (
        (played[0], "first", "stairs_up"),
        (next(one for one in played if one["level"] == "second"), "second", "stairs_up"),
        (played[-1], "first", "stairs_down"),
    ):
        (at,) = [thing for thing in levels[name].objects if thing.name == stairs]
        assert told["hero"] == [at.x, at.y]
        assert told["bitmap"] is True
        assert told["camera"] == {"bits": "0" * 16}


def test_chests_hold_what_the_spec_says_and_open_once(played: list[dict[str, Any]]) -> None:
    gold = [one["gold"] for one in played if one["what"] == "chest"]
    assert gold == [25, 50, 60, 85, 110, 120]
    assert played[-1]["drawn"] == ["first   120 gold"]


def test_guards_send_the_hero_back_and_are_seen_in_the_light_alone(
    played: list[dict[str, Any]], levels: dict[str, Level]
) -> None:
    caught = [one for one in played if one["what"] == "caught"]
    assert len(caught) == 4
    assert all(one["hero"] == played[0]["hero"] for one in caught if one["level"] == "first")
    moved = {tuple(guard[:2]) for one in played for guard in one["guards"]}
    assert len(moved) > 6
    shown = set()
    for one in played:
        walkable = levels[one["level"]].walkable()
        for x, y, visible in one["guards"]:
            assert walkable[y, x]
            shown.add(visible)
    assert shown == {False} | shown


def test_the_fog_is_the_exported_table_and_remembers(
    played: list[dict[str, Any]], levels: dict[str, Level]
) -> None:
    known = {name: np.zeros((30, 40), bool) for name in NAMES}
    for one in played:
        level = levels[one["level"]]
        assert level.visibility is not None
        lit = level.visibility.visible_from(*one["hero"])
        fog = np.reshape(one["fog"], (30, 40))[::-1]
        np.testing.assert_array_equal(fog == 0, lit)
        remembered = (fog == 150) | lit
        # Cells seen between two queries of the game count, too.
        assert not (known[one["level"]] & ~remembered).any()
        known[one["level"]] |= remembered
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
