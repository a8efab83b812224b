"""Check many seeds of every map generator for connectivity.

Every small level is built from its spec with `connect: guaranteed`, and its certificate compared
with a flood fill in whole numbers, written here: one region, the floor, the distance to the
farthest cell, the dead ends. Prints a table; exit code 1 when any level failed.

Run: python tests/benchmarks/connectivity_seeds.py [--seeds 10000] [--generator NAME ...]
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from typing import Any

from exporter.build.build import build_level
from exporter.generators import GENERATORS, Generator, JoiningParameters
from exporter.model.errors import ExporterError
from exporter.model.level import Certificate, Layer
from exporter.reading.reader import parse_level

SIZES = [(12, 12), (24, 18), (17, 31), (40, 25), (33, 12), (20, 20), (48, 48)]
# Looks that are taken in turn: parameters that small maps need, and those most likely to leave
# a map in pieces, empty or full.
LOOKS: dict[str, list[dict[str, Any]]] = {
    "cellular_caves": [
        {},
        {"update": "in_place"},
        {"wall_percent": 52, "blank_rows": 0},
        {"wall_percent": 100, "blank_rows": 0},
    ],
    "visited_caves": [
        {"visits": 2500},
        {"visits": 2500, "lower_limit": 0, "attempts": 200},
        {"visits": 800, "open_percent": 55, "lower_limit": 3, "attempts": 50},
        {"visits": 0, "open_percent": 0},
    ],
    "island_maze": [
        {"visits": 2500},
        {"visits": 2500, "invert": True},
        {"visits": 2500, "invert": True, "neighbours": 2},
        {"visits": 2500, "land_percent": 5},
    ],
    "rooms_and_corridors": [
        {
            "rooms": 2,
            "max_room_size": [4, 4],
            "room_distance": 1,
            "min_corridor_length": 1,
            "max_corridor_length": 5,
        },
        {"max_room_size": [5, 5], "start": "connected_rooms", "attempts": 60},
        {"max_room_size": [8, 8], "room_shape": "irregular", "room_distance": 1},
        {"max_room_size": [4, 4], "room_distance": 0, "corridor_spacing": 0, "rooms": 1000},
    ],
    "irregular_rooms": [
        {},
        {"method": "merged", "min_radius": 1, "max_radius": 4},
        {"corridor_width": 0, "min_radius": 1, "max_radius": 4},
        {"rooms": 100, "min_radius": 2, "max_radius": 3, "points": 3},
    ],
    "wave_function_collapse": [
        {"sample": "......\n.####.\n.#..#.\n.#.##.\n.###..\n......\n"},
        {"sample": "#####\n#...#\n#.#.#\n#...#\n#####\n", "pattern": 2},
    ],
    "prefabs": [
        {"prefabs": [{"art": "...\n.#.\n...\n", "count": 4}]},
        {"prefabs": [{"art": "#.#\n...\n#.#\n", "count": 30}, {"art": "....\n"}]},
    ],
}


@dataclasses.dataclass
class Row:
    """One line of the table."""

    name: str
    built: int = 0
    connected: int = 0
    proven: int = 0
    carved: int = 0
    incomplete: int = 0
    seconds: float = 0.0
    failures: list[str] = dataclasses.field(default_factory=list)


def map_generators(names: list[str]) -> list[Generator]:
    """Return the requested generators that can connect; all of them by default."""
    return [
        entry
        for name, entry in GENERATORS.all().items()
        if issubclass(entry.parameters, JoiningParameters) and (not names or name in names)
    ]


def needs_input(entry: Generator) -> bool:
    """Whether a generator cannot run from its defaults: it wants a file or another layer."""
    return entry.name not in LOOKS and any(
        field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        for field in dataclasses.fields(entry.parameters)
    )


def measure(layer: Layer, start: tuple[int, int] | None) -> dict[str, int]:
    """Measure a map by moving all of it, as one whole number, by a row or a column."""
    assert layer.walkable is not None
    height, width = layer.walkable.shape
    stride = width + 1
    floor = 0
    for y, row in enumerate(layer.walkable.tolist()):
        for x, walkable in enumerate(row):
            floor |= int(walkable) << (y * stride + x)

    def beside(cells: int) -> list[int]:
        moved = [cells << stride, cells >> stride, cells << 1, cells >> 1]
        return [direction & floor for direction in moved]

    regions, farthest, rest = 0, 0, floor
    while rest:
        regions += 1
        seed = rest & -rest
        if regions == 1 and start is not None:
            seed = 1 << (start[1] * stride + start[0])
        reached, steps = seed, 0
        while True:
            north, south, east, west = beside(reached)
            grown = reached | north | south | east | west
            if grown == reached:
                break
            reached, steps = grown, steps + 1
        if regions == 1:
            farthest = steps
        rest &= ~reached
    once = twice = 0
    for neighbours in beside(floor):
        twice |= once & neighbours
        once |= neighbours
    return {
        "regions_after": regions,
        "farthest": farthest,
        "floor": floor.bit_count(),
        "dead_ends": (once & ~twice).bit_count(),
        "cells": width * height,
    }


def build(entry: Generator, seed: int) -> Layer:
    """Build the level of a seed: size, look and stream follow from it."""
    looks = LOOKS.get(entry.name, [{}])
    spec = {
        "level": "seeds",
        "size": SIZES[seed % len(SIZES)],
        "seed": seed,
        "rng": "dotnet" if seed % 3 == 0 else "portable",
        "layers": {
            "ground": {
                "generator": entry.name,
                **looks[seed % len(looks)],
                "connect": "guaranteed",
                "require": {"connected": True},
            }
        },
    }
    level = build_level(parse_level(json.dumps(spec).encode(), "seeds.level.yaml"))
    return level.layers["ground"]


def check(entry: Generator, seeds: int) -> Row:
    """Build and check many seeds of a generator."""
    row = Row(entry.name)
    begin = time.perf_counter()
    for seed in range(seeds):
        try:
            layer = build(entry, seed)
        except ExporterError as error:
            row.failures.append(f"seed {seed}: {str(error).splitlines()[0]}")
            continue
        row.built += 1
        row.incomplete += not layer.complete
        certificate = layer.certificate
        assert isinstance(certificate, Certificate)
        truth = measure(layer, certificate.start)
        row.carved += certificate.cells_carved
        row.connected += truth["regions_after"] == 1
        wrong = {key: value for key, value in truth.items() if getattr(certificate, key) != value}
        row.proven += not wrong and certificate.connected
        if wrong or truth["regions_after"] != 1:
            row.failures.append(f"seed {seed}: measured {truth}, certified {certificate}")
    row.seconds = time.perf_counter() - begin
    return row


def main() -> int:
    """Check all generators and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10_000, help="levels for each generator")
    parser.add_argument("--generator", action="append", default=[], help="only these")
    options = parser.parse_args()
    failed = False
    print("generator             built  connected  certified  incomplete  carved  ms/level")
    for entry in map_generators(options.generator):
        if needs_input(entry):
            print(f"{entry.name:20} left out: it needs a file or another layer")
            continue
        row = check(entry, options.seeds)
        failed |= row.connected != options.seeds or row.proven != options.seeds
        print(
            f"{row.name:20} {row.built:6} {row.connected:10} {row.proven:10} "
            f"{row.incomplete:11} {row.carved / max(row.built, 1):7.1f} "
            f"{row.seconds * 1000 / options.seeds:9.2f}",
            flush=True,
        )
        for failure in row.failures[:5]:
            print(f"    {failure}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
