"""Measure generators without a trace, and with one of 200 frames.

Run: python tests/benchmarks/steps.py

Run it in two checkouts to compare generators without a trace.
"""

from __future__ import annotations

import json
import time
from typing import Any

from pydantic import TypeAdapter

from exporter.generators import GENERATORS, Request
from exporter.streams import open_stream

try:
    from exporter.generators.trace import Trace
except ImportError:  # an earlier checkout
    Trace = None  # type: ignore[assignment, misc]

REPETITIONS = 15
SAMPLE = "........\n..####..\n..#..#..\n..####..\n........"
CASES: dict[str, tuple[dict[str, Any], int]] = {
    "bsp_rooms": ({"depth": 9}, 400),
    "cellular_caves": ({"rounds": 30}, 1000),
    "drunkard": ({}, 500),
    "heightmap": ({"droplets": 20_000, "thermal_rounds": 10}, 400),
    "irregular_rooms": ({"rooms": 80}, 400),
    "island_maze": ({"visits": 1_000_000}, 300),
    "maze": ({"braid_percent": 50}, 601),
    "prefabs": ({"prefabs": [{"art": "####\n#..+\n####", "count": 200}]}, 200),
    "room_lattice": ({"columns": 40, "rows": 40, "rooms": 800}, 400),
    "rooms_and_corridors": ({"rooms": 60, "attempts": 20_000}, 300),
    "visited_caves": ({"visits": 400_000, "upper_limit": 5000}, 300),
    "voronoi": ({"relax_rounds": 3}, 400),
    "wave_function_collapse": ({"sample": SAMPLE, "pattern": 2}, 64),
}


def seconds(name: str, *, traced: bool) -> float:
    """Return the least processor time of some runs."""
    written, side = CASES[name]
    entry = GENERATORS.get(name)
    parameters: Any = TypeAdapter(entry.parameters).validate_json(json.dumps(written))
    times = []
    for _ in range(REPETITIONS):
        stream = open_stream("portable", 3, "steps")
        more = {"trace": Trace(side, side)} if traced else {}
        start = time.process_time()
        entry.generate(parameters, Request("steps", side, side, stream, **more))
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Print milliseconds."""
    print(f"{'generator':24}{'without':>10}{'with steps':>12}")
    for name in CASES:
        without = f"{seconds(name, traced=False) * 1e3:10.2f}"
        traced = "" if Trace is None else f"{seconds(name, traced=True) * 1e3:12.2f}"
        print(f"{name:24}{without}{traced}")


if __name__ == "__main__":
    main()
