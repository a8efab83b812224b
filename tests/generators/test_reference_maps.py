"""Maps of the reference programs, made by running them under Mono, cell for cell."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np

from cases import each_case
from exporter.generators import GENERATORS, Request
from exporter.streams import open_stream

REFERENCE = Path(__file__).parent.parent / "golden" / "reference"
# The reference programs' words for parameters, and ours.
WORDS = {
    "visited_caves": {
        "close_cell_probability": "open_percent",
        "cells_to_visit": "visits",
        "breakout": "attempts",
    },
    "island_maze": {"close_cell_probability": "land_percent", "iterations": "visits"},
    "rooms_and_corridors": {"select_room": "from_corridor_percent", "breakout": "attempts"},
}
OURS = ("cellular_caves", "island_maze", "visited_caves", "rooms_and_corridors")
MAPS = [
    entry
    for entry in json.loads((REFERENCE / "index.json").read_text())
    if entry["generator"] in OURS
]


def test_there_are_reference_maps_of_every_program() -> None:
    assert {entry["generator"] for entry in MAPS} == set(OURS)


@each_case("entry", MAPS)
def test_the_map_equals_the_reference_program(entry: dict[str, Any]) -> None:
    rows = (REFERENCE / f"{entry['name']}.txt").read_text().split()
    expected = np.array([[int(digit) for digit in row] for row in rows], np.uint8)
    generator = GENERATORS.get(entry["generator"])
    known = {field.name for field in dataclasses.fields(generator.parameters)}
    words = WORDS.get(entry["generator"], {})
    chosen = {words.get(key, key): value for key, value in entry.items()}
    chosen = {key: value for key, value in chosen.items() if key in known}
    if "connected_rooms" in entry:
        chosen["start"] = "connected_rooms" if entry["connected_rooms"] else "one_room"
    parameters = generator.parameters(**chosen)
    stream = open_stream(entry["rng"], entry["seed"], "any layer")
    result = generator.generate(
        parameters, Request("any layer", entry["width"], entry["height"], stream)
    )
    assert np.array_equal(result.cells, expected)
    walkable = {tile.id for tile in result.tiles if tile.walkable}
    assert walkable == {int(entry["walkable_digit"])}
    if entry["generator"] == "visited_caves":
        assert entry["reported"] == f"caves {result.report['caves']} connected {result.complete}"
    if entry["generator"] == "rooms_and_corridors":
        assert entry["reported"] == f"complete {result.complete}"
