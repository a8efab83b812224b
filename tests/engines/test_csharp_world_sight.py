"""Visibility in a world in Unity's C# under Mono, against the table of the whole map."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import exporter
from engine_harness import Mono
from engine_harness.folders import CSHARP
from engine_harness.unity_importer import importer_sources
from worlds import TestWorld, sight_cells, square

WORLD = TestWorld()
CELLS = sight_cells(WORLD.size)
WIDTH, HEIGHT = WORLD.size
RULES = {
    "symmetric": {"algorithm": "symmetric", "radius": 8, "see_walls": False},
    "shadowcast": {"algorithm": "shadowcast", "radius": 64, "see_walls": False},
    "raycast": {"algorithm": "raycast", "radius": 11, "see_walls": False},
    "walls": {"algorithm": "raycast", "radius": 6, "see_walls": True},
}
# Loads all parts, and where y grows upwards.
EVERYTHING = (300, "75,50")
Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def ask(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    folder = tmp_path_factory.mktemp("sight")
    sources = [*importer_sources(), CSHARP / "RunWorlds.cs", CSHARP / "JsonText.cs"]
    program = mono.compile(sources, folder / "worlds.exe")

    def told(file: Path, cells: list[Any], radius: int, point: str) -> Any:
        lines = [cell if isinstance(cell, str) else f"{cell[0]} {cell[1]}" for cell in cells]
        text = mono.run(program, "sight", file, str(radius), point, stdin="\n".join(lines) + "\n")
        return json.loads(text)

    return told


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("Assets") / "Resources" / "Levels"
    return WORLD.write(folder, "unity") / "w.lvworld"


def with_rule(world: Path, name: str, rule: dict[str, Any] | None) -> Path:
    """A description of the same parts with another rule."""
    document = json.loads(world.read_text())
    document["visibility"] = rule and {"layer": "caves", **rule}
    file = world.with_name(f"{name}.lvworld")
    file.write_text(json.dumps(document))
    return file


def outside() -> list[tuple[int, int]]:
    far = 2**31 - 1
    return [(-1, 5), (5, -1), (WIDTH, 5), (5, HEIGHT), (far, far), (-far, -far)]


def seen(opaque: NDArray[np.bool_], rule: dict[str, Any], at: tuple[int, int]) -> str:
    radius: int = rule["radius"]
    algorithm, see_walls = rule["algorithm"], rule["see_walls"]
    table = exporter.compute_visibility(opaque, radius, algorithm, see_walls=see_walls)
    return square(table.visible_from(*at), at, radius, False)


@pytest.mark.parametrize("name", RULES)
def test_a_cell_sees_what_the_table_of_the_whole_map_says(ask: Ask, world: Path, name: str) -> None:
    rule, opaque = RULES[name], WORLD.whole.layers["caves"].opaque
    radius = int(rule["radius"])
    reported = ask(with_rule(world, name, rule), [*CELLS, *outside()], *EVERYTHING)
    assert reported["has"]
    assert reported["radius"] == radius
    inside = reported["answers"][: len(CELLS)]
    table = exporter.compute_visibility(
        opaque, radius, str(rule["algorithm"]), see_walls=bool(rule["see_walls"])
    )
    for at, answer in zip(CELLS, inside, strict=True):
        view = table.visible_from(*at)
        assert answer["seen"] == square(view, at, radius, False), at
        assert answer["opaque"] == square(opaque, at, radius, True), at
        assert answer["near"] == square(np.where(far_from(at, radius), False, view), at, 4, False)
    for answer in reported["answers"][len(CELLS) :]:
        assert set(answer["seen"] + answer["near"]) == {"0"}


def far_from(at: tuple[int, int], radius: int) -> NDArray[np.bool_]:
    """Cells outside of the square around a cell."""
    rows, columns = np.indices((HEIGHT, WIDTH))
    result: NDArray[np.bool_] = np.maximum(abs(columns - at[0]), abs(rows - at[1])) > radius
    return result


def test_parts_that_are_not_loaded_block_sight_until_they_are(ask: Ask, world: Path) -> None:
    rule, opaque = RULES["symmetric"], WORLD.whole.layers["caves"].opaque
    rows, columns = np.nonzero(~opaque[:60, 61:67])
    at = [(int(x) + 61, int(y)) for y, x in zip(rows, columns, strict=True)][:12]
    # First the part at the upper left alone, then the one right of it, then both.
    steps: list[Any] = [*at, "walk 100,95", *at, "walk 64,95", *at]
    reported = ask(with_rule(world, "steps", rule), steps, 5, "10,95")
    there = [(slice(0, 64),), (slice(64, 128),), (slice(0, 64), slice(64, 128))]
    expected = []
    for parts in there:
        known = np.ones_like(opaque)
        for part in parts:
            known[:64, part] = opaque[:64, part]
        expected += [seen(known, rule, item) for item in at]
    assert len(set(expected)) > len(at)
    assert [answer["seen"] for answer in reported["answers"]] == expected


def test_a_rule_of_another_package_is_reported_where_it_is_requested(ask: Ask, world: Path) -> None:
    file = with_rule(world, "strange", {"algorithm": "x-ray", "radius": 5, "see_walls": False})
    reported = ask(file, [(70, 70)], *EVERYTHING)
    assert not reported["has"]
    assert reported["answers"] == ["the rule of sight x-ray with a radius of 5 is not known here"]


def test_a_world_without_sight_says_so(ask: Ask, world: Path) -> None:
    reported = ask(with_rule(world, "blind", None), [(70, 70)], *EVERYTHING)
    assert not reported["has"]
    assert reported["answers"] == ["the world has no visibility"]


def test_a_part_of_another_size_is_refused(ask: Ask, tmp_path: Path) -> None:
    file = WORLD.write(tmp_path / "Assets" / "Resources" / "Levels", "unity") / "w.lvworld"
    other = file.parent / "w.world" / "w.2_0.lvb"
    (file.parent / "w.world" / "w.0_0.lvb").write_bytes(other.read_bytes())
    reported = ask(file, [(5, 5), (100, 80)], *EVERYTHING)
    assert reported["answers"][0] == (
        "the layer caves of the part 0, 0 is not as large as the world says"
    )
    assert "1" in reported["answers"][1]["seen"]
