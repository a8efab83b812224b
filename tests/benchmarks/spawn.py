"""Measure placing objects from a table by danger, in rooms and in a cave.

Times are the median of some runs, of placing alone: the map is built before, and the steps from the
ends of the path are measured in the run.

Run: python tests/benchmarks/spawn.py [size]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))

from exporter.generators import GENERATORS, Request
from exporter.grids.regions import label_regions
from exporter.kernels.placement import COMPILED
from exporter.model.level import Column, Layer, Table
from exporter.placement.parameters import ObjectParameters
from exporter.placement.spawn_parameters import Spawn
from exporter.streams import open_stream
from placed_objects import placed_groups

REPETITIONS = 9
COLUMNS = tuple(
    Column(name, "text" if name == "name" else "integer")
    for name in ("name", "danger", "weight", "first", "last")
)
ROWS = (
    ("rat", 1, 6, 0, 60),
    ("bat", 2, 4, 0, 100),
    ("goblin", 3, 4, 10, 100),
    ("ogre", 5, 2, 30, 100),
    ("troll", 8, 1, 50, 100),
    ("dragon", 12, 1, 80, 100),
)
MONSTERS = Table("monsters", COLUMNS, ROWS)


def layer_of(generator: str, size: int) -> Layer:
    """The largest region of a generated map; the rest is no place to stand."""
    entry = GENERATORS.get(generator)
    stream = open_stream("portable", 1, "ground")
    result = entry.generate(entry.parameters(), Request("ground", size, size, stream))
    open_ids = [tile.id for tile in result.tiles if tile.walkable]
    regions = label_regions(sum(result.cells == item for item in open_ids).astype(bool))
    largest = int(regions.sizes.argmax()) + 1
    walkable = regions.labels == largest
    return Layer(
        "ground",
        "tiles",
        result.cells,
        entry.name,
        tiles=result.tiles,
        walkable=walkable,
        rooms=result.rooms,
    )


def milliseconds(work: Callable[[], object]) -> float:
    """The median of some runs."""
    times = []
    for _ in range(REPETITIONS):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return sorted(times)[REPETITIONS // 2] * 1000


def main() -> None:
    """Print one line for every case."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 512
    stream = open_stream("portable", 1, "objects")
    print(f"{size} x {size}, kernel compiled: {COMPILED}")
    ends = [ObjectParameters(name="start"), ObjectParameters(name="exit", far_from="start")]
    way = {"table": "monsters", "budget": (3, 12), "along": ("start", "exit")}
    varied = {**way, "earliest": "first", "latest": "last"}
    cases = [
        ("rooms, nothing but the ends", "bsp_rooms", None, {}),
        ("rooms", "bsp_rooms", Spawn(**way), {}),
        ("rooms, earliest and latest", "bsp_rooms", Spawn(**varied), {}),
        ("rooms, spacing 3", "bsp_rooms", Spawn(**way), {"spacing": 3}),
        ("a cave, nothing but the ends", "cellular_caves", None, {}),
        ("a cave, per 256 cells", "cellular_caves", Spawn(**way, per=256), {}),
        (
            "a cave, per 256 cells, spacing 3",
            "cellular_caves",
            Spawn(**way, per=256),
            {"spacing": 3},
        ),
        (
            "a cave, the whole map, 1,000 points",
            "cellular_caves",
            Spawn(table="monsters", budget=1000, per="map"),
            {},
        ),
    ]
    result: dict[str, Layer] = {}
    for what, generator, spawn, more in cases:
        layers = {"ground": result.setdefault(generator, layer_of(generator, size))}
        objects = list(ends)
        if spawn is not None:
            objects.append(ObjectParameters(name="monster", required=False, spawn=spawn, **more))

        def run(given: list[ObjectParameters] = objects, on: dict[str, Layer] = layers) -> int:
            groups = placed_groups(given, on, ["ground"], stream, {"monsters": MONSTERS})
            return len(groups.all) - len(ends)

        placed = run()
        print(f"{what:<36} {milliseconds(run):8.2f} ms  {placed} placed")


if __name__ == "__main__":
    main()
