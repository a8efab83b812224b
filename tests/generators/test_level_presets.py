"""The level specs under templates/levels: each is listed, valid and builds as described."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.build.build import build_level
from exporter.generators import GENERATORS
from exporter.reading.reader import load_level

FOLDER = Path(__file__).parents[2] / "templates" / "levels"
REFERENCE = Path(__file__).parents[1] / "golden" / "reference"
SPECS = sorted(FOLDER.glob("*.level.yaml"))

# The looks the authors of the reference programs describe.
CAVES = {"generator": "visited_caves"}
ROOMS = {"generator": "rooms_and_corridors"}
ISLANDS = {"generator": "island_maze"}
NAMED: dict[str, dict[str, Any]] = {
    "caves-large": CAVES
    | {"visits": 200_000, "upper_limit": 1500, "lower_limit": 450, "filling": 3},
    "caves-small-chunky": CAVES | {"visits": 10_000, "smoothing": 3, "filling": 4},
    "caves-massive": CAVES | {"upper_limit": 10_000, "open_percent": 55},
    "rooms-off-corridors": ROOMS | {"from_corridor_percent": 100},
    "rooms-off-rooms": ROOMS | {"from_corridor_percent": 0},
    "rooms-twisty": ROOMS | {"rooms": 5, "corridor_max_turns": 25},
    "rooms-spaced": ROOMS | {"corridor_spacing": 10, "attempts": 1000},
    "island": ISLANDS,
    "labyrinth": ISLANDS | {"invert": True},
    "island-more-land": ISLANDS | {"land_percent": 55},
    "island-smooth": ISLANDS | {"visits": 85_000},
    "labyrinth-fine": ISLANDS | {"neighbours": 2, "invert": True},
    "island-lakes": ISLANDS | {"land_percent": 75, "neighbours": 5, "visits": 80_000},
}


@each_case("path", SPECS)
def test_a_preset_builds_and_says_what_it_is(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("# ")
    spec = load_level(path)
    assert spec.level == path.name.removesuffix(".level.yaml")
    level = build_level(spec)
    for layer in level.layers.values():
        assert layer.complete
        assert layer.walkable is None or layer.walkable.any()


@each_case("name", NAMED)
def test_a_described_look_has_the_described_parameters(name: str) -> None:
    layer = load_level(FOLDER / f"{name}.level.yaml").layers["ground"]
    expected = dict(NAMED[name])
    entry = GENERATORS.get(expected.pop("generator"))
    assert layer.generator == entry.name
    default = entry.parameters()
    for key in ("land_percent", "neighbours", "visits", "invert", "smoothing"):
        if hasattr(default, key):
            expected.setdefault(key, getattr(default, key))
    assert {key: getattr(layer.parameters, key) for key in expected} == expected


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("cellular-caves-classic", "cellular-40x21"),
        ("caves-classic", "caves-default-connected"),
        ("rooms-classic", "rooms-connected"),
    ],
)
def test_a_classic_preset_is_the_reference_programs_map(name: str, reference: str) -> None:
    level = build_level(load_level(FOLDER / f"{name}.level.yaml"))
    rows = (REFERENCE / f"{reference}.txt").read_text().split()
    expected = np.array([[int(digit) for digit in row] for row in rows], np.uint8)
    assert np.array_equal(level.layers["ground"].cells, expected)
