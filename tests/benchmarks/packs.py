"""What packs cost: bytes a level, opening and reading, candidates a second, niches.

    python tests/benchmarks/packs.py [LEVELS]

Prints CPU seconds of one process, of caves of 64 x 40 cells with 7 objects; by default 1,000.
"""

from __future__ import annotations

import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import Any

from exporter.explore.varying import varied_parameters
from exporter.packs import encode_pack, open_pack
from exporter.packs.making import BINS, BuiltPack, make_pack
from exporter.packs.plan import plan_pack
from exporter.reading.reader import parse_level

SPEC = b"""size: [64, 40]
layers:
  ground: {generator: cellular_caves, wall_percent: 43, connect: guaranteed}
objects:
  - {name: stairs, clear_radius: 1}
  - {name: chest, count: 6, spacing: 6, reachable_from: stairs}
"""
SIGHT = b"visibility: {radius: 8}\n"
AXES = ("floor", "chokes")
MANY = 20_000


def timed(count: int, extra: bytes = b"", **options: Any) -> tuple[BuiltPack, float]:
    """Return a pack and the CPU seconds it took."""
    spec = parse_level(SPEC + extra, "caves.level.yaml")
    if "vary" in options:
        options["varied"] = varied_parameters(options.pop("vary"), spec)
    began = time.process_time()
    result = make_pack(plan_pack(spec, count=count, **options), 1)
    return result, time.process_time() - began


def niches(pack: Any, ranges: list[tuple[float, float]]) -> int:
    """Return how many niches over some ranges the levels of a pack fill."""
    places = set()
    for row in pack.metrics[list(AXES)].tolist():
        scaled = (
            int((value - low) / (high - low) * BINS)
            for value, (low, high) in zip(row, ranges, strict=True)
        )
        places.add(tuple(min(BINS - 1, max(0, place)) for place in scaled))
    return len(places)


def report(name: str, result: BuiltPack, seconds: float) -> None:
    """Print what a pack took."""
    print(
        f"{name}: {len(result.data) / result.count:.0f} bytes a level, "
        f"{result.tried / seconds:,.0f} candidates a second, {result.count / seconds:,.0f} levels"
    )


def main() -> None:
    """Print all figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    plain, seconds = timed(count, measures=AXES)
    report("plain seeds", plain, seconds)
    vary = {"ground.wall_percent": (25, 55)}
    spread, seconds = timed(count, spread=AXES, vary=vary, budget=10 * count)
    report("varied and spread", spread, seconds)
    seen = ("floor", "exposure_mean")
    chosen, seconds = timed(count // 4, SIGHT, spread=seen, vary=vary, budget=10 * (count // 4))
    report("spread by exposure", chosen, seconds)
    report("with exposure", *timed(count // 4, SIGHT, sight="exposure"))
    report("with exposure, fast", *timed(count // 4, SIGHT, sight="exposure", profile="fast"))
    report("with sight", *timed(count // 4, SIGHT, sight="full"))
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("plain.lvp", "spread.lvp", "many.lvp")]
        for path, result in zip(paths, (plain, spread), strict=False):
            path.write_bytes(result.data)
        with open_pack(paths[0]) as first, open_pack(paths[1]) as second:
            ranges = [(second.metrics[name].min(), second.metrics[name].max()) for name in AXES]
            few, filled = niches(first, ranges), niches(second, ranges)
            print(f"niches: {few} of plain seeds, {filled} varied and spread")
            began = time.process_time()
            for index in range(min(200, count)):
                first[index]
            each = (time.process_time() - began) / min(200, count)
            print(f"reading: {1000 * each:.2f} ms a level")
            blobs = [first.blob(index) for index in range(min(100, count))]
        columns = {"metrics": {"floor": [index / MANY for index in range(MANY)]}}
        paths[2].write_bytes(encode_pack("caves", blobs * (MANY // len(blobs)), columns, 2560))
        tracemalloc.start()
        began = time.process_time()
        with open_pack(paths[2]) as many:
            seconds, memory = time.process_time() - began, tracemalloc.get_traced_memory()[1]
            print(f"opening {len(many):,}: {1000 * seconds:.2f} ms, {memory / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
