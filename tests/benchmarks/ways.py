"""How long layers of walks and roads take on a map of 512 x 512 cells: below 30 ms each.

Times are processor time in milliseconds, the median of some runs, of the generator alone.

Run: python tests/benchmarks/ways.py
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exporter.generators import GENERATORS, Request
from exporter.model.level import Layer, PlacedObject
from exporter.streams import open_stream

RUNS = 9
SIDE = 512
LIMIT = 30


@dataclass(frozen=True)
class Case:
    """A generator run: its title, its parameters, and the layer it is of."""

    title: str
    generator: str
    parameters: dict[str, Any] = field(default_factory=dict)
    of: str = "caves"


CASES = [
    Case("steps from 4 objects", "steps_from", {"objects": ("village",)}),
    Case("steps from all walls", "steps_from", {"tile": "wall"}),
    Case("flow to 4 objects", "goal_flow", {"objects": ("village",)}),
    Case("share of the way", "between", {"start": ("start",), "goal": ("exit",)}),
    Case("shortest ways", "between", {"start": ("start",), "goal": ("exit",), "show": "way"}),
    Case("road through caves", "road", {"between": ("start", "exit")}),
    Case("road with bridges", "road", {"between": ("start", "exit"), "over": ("water",)}, "lands"),
    Case(
        "road over a relief",
        "road",
        {"between": ("start", "exit"), "over": ("water",), "cost": "relief", "width": 3},
        "lands",
    ),
]


def layer_of(name: str, generator: str, **parameters: Any) -> Layer:
    """Return a finished layer, with floor in its corners."""
    entry = GENERATORS.get(generator)
    stream = open_stream("portable", 1, name)
    result = entry.generate(entry.parameters(**parameters), Request(name, SIDE, SIDE, stream))
    cells = result.cells.copy()
    if result.tiles:
        cells[4:-4, 4:8] = cells[4:8, 4:-4] = cells[-8:-4, 4:-4] = result.tiles[0].id
    layer = Layer(name, result.kind, cells, generator, tiles=result.tiles, heights=result.heights)
    if result.tiles:
        walkable = layer.lookup([tile.walkable for tile in result.tiles])
        object.__setattr__(layer, "walkable", walkable)
    return layer


def milliseconds(case: Case, layers: dict[str, Layer]) -> float:
    """Return the median processor time of a case."""
    entry = GENERATORS.get(case.generator)
    near, far = 5, SIDE - 6
    places = [("start", near, near), ("exit", far, far), ("village", near, far)]
    places += [("village", SIDE // 2, near), ("village", SIDE // 3, near), ("village", far, near)]
    objects = tuple(PlacedObject(i, *position) for i, position in enumerate(places, 1))
    stream = open_stream("portable", 1, "case")
    request = Request("case", SIDE, SIDE, stream, layers=layers, objects=objects)
    parameters = entry.parameters(of=case.of, **case.parameters)
    times = []
    for _ in range(RUNS):
        begin = time.process_time()
        entry.generate(parameters, request)
        times.append(time.process_time() - begin)
    return float(np.median(times)) * 1000


def main() -> None:
    """Print one line for every case."""
    layers = {
        "caves": layer_of("caves", "cellular_caves"),
        "lands": layer_of("lands", "voronoi", sites=400),
        "relief": layer_of("relief", "heightmap"),
    }
    print(f"{SIDE} x {SIDE} cells, limit {LIMIT} ms")
    for case in CASES:
        print(f"{case.title:24} {milliseconds(case, layers):8.1f} ms")


if __name__ == "__main__":
    main()
