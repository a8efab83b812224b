"""How long placing takes on a cave of 1024 x 1024, beside scipy's Poisson disk where it is there.

Run: python tests/benchmarks/placement.py [size]
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))

from exporter.build.room_connections import with_connections
from exporter.generators import GENERATORS, Request
from exporter.kernels.placement import COMPILED
from exporter.model.level import Layer
from exporter.placement.parameters import ObjectParameters
from exporter.streams import open_stream
from placed_objects import place_objects

REPETITIONS = 7


def cave(size: int) -> Layer:
    """A cave with a floor of about 85 %."""
    entry = GENERATORS.get("cellular_caves")
    stream = open_stream("portable", 1, "ground")
    result = entry.generate(entry.parameters(), Request("ground", size, size, stream))
    return Layer(
        "ground",
        "tiles",
        result.cells,
        entry.name,
        tiles=result.tiles,
        walkable=result.cells == 0,
    )


def rooms(size: int) -> Layer:
    """Rooms with corridors, and the ways between them as yet unknown."""
    entry = GENERATORS.get("bsp_rooms")
    stream = open_stream("portable", 1, "ground")
    result = entry.generate(entry.parameters(), Request("ground", size, size, stream))
    return Layer(
        "ground",
        "tiles",
        result.cells,
        entry.name,
        tiles=result.tiles,
        walkable=result.cells == 0,
        rooms=result.rooms,
    )


def milliseconds(work: Callable[[], object]) -> float:
    """The median of some runs."""
    times = []
    for _ in range(REPETITIONS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return sorted(times)[REPETITIONS // 2] * 1000


def main() -> None:
    """Print one line for every case."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    layer = cave(size)
    stream = open_stream("portable", 1, "objects")
    print(f"{size} x {size}, {layer.walkable.sum()} floor cells, kernel compiled: {COMPILED}")
    stairs = ObjectParameters(name="stairs", clear_radius=2)
    cases = {
        "1500, spacing 20": [ObjectParameters(name="a", count=1500, spacing=20, required=False)],
        "1500, spacing 20, clear radius 3": [
            ObjectParameters(name="a", count=1500, spacing=20, clear_radius=3, required=False)
        ],
        "1500, spacing 0": [ObjectParameters(name="a", count=1500, required=False)],
        "stairs, 500 reachable, spacing 10": [
            stairs,
            ObjectParameters(
                name="a", count=500, spacing=10, reachable_from="stairs", required=False
            ),
        ],
        "stairs, exit as far as possible": [
            stairs,
            ObjectParameters(name="exit", far_from="stairs", clear_radius=2),
        ],
    }
    layers, play = {"ground": layer}, ["ground"]
    for what, objects in cases.items():
        placed = len(place_objects(objects, layers, play, stream))
        used = milliseconds(lambda given=objects: place_objects(given, layers, play, stream))
        print(f"{what:<36} {used:8.2f} ms  {placed} placed")
    built = rooms(size)
    by_rooms = [
        ObjectParameters(name="start", in_rooms=True),
        ObjectParameters(name="exit", in_rooms=True),
        ObjectParameters(name="a", count=100, far_from="start", min_rooms=2),
        ObjectParameters(name="b", count=20, on_critical_path=("start", "exit")),
    ]

    def place_by_rooms() -> object:
        return place_objects(by_rooms, {"ground": with_connections(built)}, play, stream)

    what = f"by rooms, {len(built.rooms)} of them"
    print(f"{what:<36} {milliseconds(place_by_rooms):8.2f} ms  122 placed")
    if importlib.util.find_spec("scipy") is None:
        print("scipy is not installed: no peer in this run")
        return
    from scipy.stats import qmc

    begin = time.perf_counter()
    points = qmc.PoissonDisk(2, radius=20 / size, seed=1).fill_space()
    used = (time.perf_counter() - begin) * 1000
    print(f"{'scipy qmc.PoissonDisk, radius 20':<36} {used:8.2f} ms  {len(points)} placed")


if __name__ == "__main__":
    main()
