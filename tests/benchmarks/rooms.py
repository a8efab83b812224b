"""How long the room graph and doors take, in maps of 512 x 512 cells.

python tests/benchmarks/rooms.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from exporter.generators import GENERATORS, Request
from exporter.grids.room_graph import room_edges, room_labels
from exporter.model.level import Layer, Room
from exporter.streams import open_stream

SIDE = 512
RUNS = 15
# Layers of rooms by their labels: generator, parameters, rectangles laid over it.
LAYERS: dict[str, tuple[str, dict[str, Any], int]] = {
    "rooms and corridors": ("rooms_and_corridors", {"rooms": 200}, 0),
    "rooms by partition": ("bsp_rooms", {"depth": 9, "corridor_width": 1}, 0),
    "irregular rooms": ("irregular_rooms", {"rooms": 80}, 0),
    "caves with 400 areas": ("cellular_caves", {}, 400),
}


def milliseconds(run: Callable[[], Any]) -> float:
    """Return the median processor time of a function."""
    run()
    times = []
    for _ in range(RUNS):
        begin = time.process_time()
        run()
        times.append(time.process_time() - begin)
    return sorted(times)[RUNS // 2] * 1000


def request(layers: dict[str, Layer]) -> Request:
    """Return the request of a generator."""
    return Request("rooms", SIDE, SIDE, open_stream("portable", 1, "rooms"), layers=layers)


def layer_of(generator: str, parameters: dict[str, Any], areas: int) -> Layer:
    """Return a finished layer."""
    entry = GENERATORS.get(generator)
    result = entry.generate(entry.parameters(**parameters), request({}))
    corners = np.random.default_rng(1).integers(0, SIDE - 12, (areas, 2)).tolist()
    drawn = tuple(
        Room(f"area_{number}", x, y, 12, 12, (x + 6, y + 6))
        for number, (x, y) in enumerate(corners)
    )
    layer = Layer("rooms", "tiles", result.cells, generator, tiles=result.tiles)
    walkable = layer.lookup([tile.walkable for tile in result.tiles])
    return Layer(
        "rooms",
        "tiles",
        result.cells,
        generator,
        tiles=result.tiles,
        walkable=walkable,
        rooms=result.rooms or drawn,
    )


def row(name: str, layer: Layer) -> str:
    """Return the figures of a layer."""
    walkable = layer.walkable
    assert walkable is not None
    none = np.zeros_like(walkable)
    doors = GENERATORS.get("doors")
    given, requested = doors.parameters(of="rooms"), request({"rooms": layer})
    result = doors.generate(given, requested)
    with_doors = Layer("doors", "tiles", result.cells, "doors", tiles=result.tiles).doors
    ways = len(room_edges(walkable, none, layer.rooms))
    times = [
        milliseconds(lambda: room_labels(walkable, layer.rooms)),
        milliseconds(lambda: room_edges(walkable, none, layer.rooms)),
        milliseconds(lambda: doors.generate(given, requested)),
        milliseconds(lambda: room_edges(walkable, with_doors, layer.rooms)),
    ]
    figures = " ".join(f"{item:5.1f} ms" for item in times)
    return f"{name:22} {len(layer.rooms):5} {ways:5} {figures}"


def main() -> None:
    """Print a row for each kind of layer."""
    print("layer, 512 x 512       rooms  ways   labels    graph    doors   graph with doors")
    for name, case in LAYERS.items():
        print(row(name, layer_of(*case)))


if __name__ == "__main__":
    main()
