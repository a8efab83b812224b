"""Polygons, vertices, time and memory of outlines and convex pieces.

Run: python tests/benchmarks/geometry.py [largest side, 1024]
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from exporter.generators import GENERATORS, Request
from exporter.geometry.outlines import outlines
from exporter.geometry.pieces import convex_pieces, convex_pieces_by_chunk
from exporter.grids.regions import label_regions
from exporter.kernels.corner_cuts import COMPILED
from exporter.streams import open_stream

REPETITIONS = 3
CHUNK = 256
Mask = NDArray[np.bool_]


def generated(name: str, side: int) -> Mask:
    """The largest region of a generated map's floor."""
    entry = GENERATORS.get(name)
    stream = open_stream("portable", 1, "ground")
    result = entry.generate(entry.parameters(), Request("ground", side, side, stream))
    walkable = np.isin(result.cells, [tile.id for tile in result.tiles if tile.walkable])
    regions = label_regions(walkable)
    return regions.labels == regions.largest


def maps(largest: int) -> Iterator[tuple[str, Mask]]:
    """Caves, rooms and masks that are hard."""
    side = 128
    while side <= largest:
        yield f"cave {side}", generated("cellular_caves", side)
        side *= 2
    yield "rooms 512", generated("bsp_rooms", 512)
    yield "checkerboard 512", np.indices((512, 512)).sum(axis=0) % 2 == 0
    pillars = np.ones((512, 512), bool)
    pillars[1::2, 1::2] = False
    yield "pillars 512", pillars
    yield "noise 512, 95 % floor", np.random.default_rng(1).random((512, 512)) < 0.95
    yield f"open {largest}", np.ones((largest, largest), bool)


def measured(work: Callable[[], tuple[int, int]]) -> str:
    """Return polygons, vertices, the least time of some runs, and the peak of memory."""
    times = []
    for _ in range(REPETITIONS):
        begin = time.perf_counter()
        polygons, vertices = work()
        times.append(time.perf_counter() - begin)
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return f"{polygons:8} {vertices:9} {min(times) * 1000:9.1f} ms {peak / 1e6:8.1f} MB"


def outlined(mask: Mask) -> tuple[int, int]:
    """Rings and their vertices."""
    result = outlines(mask)
    return result.rings.size - 1, len(result.vertices)


def cut(mask: Mask, radius: int = 0) -> tuple[int, int]:
    """Pieces and their vertices."""
    pieces = convex_pieces(mask, radius)
    return len(pieces), len(pieces.vertices)


def cut_by_chunk(mask: Mask) -> tuple[int, int]:
    """Pieces of all chunks and their vertices."""
    sizes = [
        (len(pieces), len(pieces.vertices)) for _, pieces in convex_pieces_by_chunk(mask, CHUNK)
    ]
    return sum(count for count, _ in sizes), sum(count for _, count in sizes)


def main() -> None:
    """Print one line for every map and kind of polygons."""
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    print(f"kernels compiled: {COMPILED}")
    print(f"{'':42} polygons  vertices         time      memory  cells a polygon")
    for name, mask in maps(largest):
        cases: dict[str, Callable[[], tuple[int, int]]] = {
            "outlines": lambda given=mask: outlined(given),
            "pieces": lambda given=mask: cut(given),
            "pieces, radius 1/4": lambda given=mask: cut(given, 64),
            f"pieces in chunks of {CHUNK}": lambda given=mask: cut_by_chunk(given),
        }
        for what, work in cases.items():
            line = measured(work)
            cells = int(mask.sum()) / max(int(line.split()[0]), 1)
            print(f"{name:22} {what:20} {line} {cells:12.1f}", flush=True)


if __name__ == "__main__":
    main()
