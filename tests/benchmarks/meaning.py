"""Measure generators that interpret other layers.

Times are processor time in milliseconds, the median of some runs, for 512 x 512 cells. "Samples"
is the side of the heights that are read: 512 are those of the level's size, 513 are resampled.

Run: python tests/benchmarks/meaning.py
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field, replace
from typing import Any

from exporter.generators import GENERATORS, Request
from exporter.model.level import Layer
from exporter.reading.adapters import adapter
from exporter.streams import open_stream

RUNS = 9
SIDE = 512


@dataclass(frozen=True)
class Case:
    """A generator run: its title, parameters, the side of the heights, its limit in ms."""

    title: str
    generator: str
    parameters: dict[str, Any] = field(default_factory=dict)
    samples: int = SIDE
    limit: float = 30


BANDS = [{"below": 0.3, "tile": "water"}, {"below": 0.4, "tile": "sand"}, {"tile": "grass"}]
BIOMES = [BANDS[0], {"steps": [{"below": 0.5, "tile": "grass"}, {"tile": "forest"}]}]
CASES = [
    Case("bands, 3 steps", "bands", {"steps": BANDS}),
    Case("bands, 3 steps, resampled", "bands", {"steps": BANDS}, SIDE + 1),
    Case("bands, by a second layer", "bands", {"steps": BIOMES, "by": "heights"}),
    Case("slope", "slope"),
    Case("flow", "flow"),
    Case("flow, with sea and wide rivers", "flow", {"sea_level": 0.3, "wide_from_percent": 2}),
    Case("flow, resampled", "flow", {}, SIDE + 1),
    Case("shade, tiles", "shade"),
    Case("shade, brightness", "shade", {"levels": 0}),
]


def parameters_of(generator: str, parameters: dict[str, Any]) -> Any:
    """Return parameters as a spec gives them."""
    return adapter(GENERATORS.get(generator).parameters).validate_json(json.dumps(parameters))


def heights(side: int) -> Layer:
    """Return an island with many hollows."""
    entry = GENERATORS.get("heightmap")
    parameters = parameters_of(
        "heightmap", {"feature_size": 128, "octaves": 8, "island_percent": 60}
    )
    request = Request("heights", side, side, open_stream("portable", 1, "heights"))
    result = entry.generate(parameters, request)
    layer = Layer("heights", "heights", result.cells, "heightmap", heights=result.heights)
    return replace(layer, grid_aligned=side == SIDE)


def milliseconds(case: Case) -> float:
    """Return the median processor time of a case."""
    entry = GENERATORS.get(case.generator)
    parameters = parameters_of(case.generator, {"of": "heights", **case.parameters})
    stream = open_stream("portable", 1, "it")
    request = Request("it", SIDE, SIDE, stream, layers={"heights": heights(case.samples)})
    times = []
    for _ in range(RUNS):
        started = time.process_time()
        entry.generate(parameters, request)
        times.append(time.process_time() - started)
    return sorted(times)[RUNS // 2] * 1000


def main() -> None:
    """Print a row for each case."""
    print(f"{'case':34} {'samples':>7} {'ms':>7} {'limit':>6}")
    for case in CASES:
        took = milliseconds(case)
        over = "  over" if took > case.limit else ""
        print(f"{case.title:34} {case.samples:7} {took:7.1f} {case.limit:6.0f}{over}")


if __name__ == "__main__":
    main()
