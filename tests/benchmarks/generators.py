"""Measure caves, mazes, noise and erosion beside their peers.

Beside each figure are its limit (if it has one), a peer's time recorded on a comparable machine,
and a peer's time in the same run where it is installed (`pip install tcod pyfastnoiselite`). Times
are processor time in milliseconds, the median of some runs.

Run: python tests/benchmarks/generators.py
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exporter.generators import GENERATORS, Request, _erosion, _noise, _relief
from exporter.generators.prefabs import Prefab
from exporter.model.level import Layer
from exporter.streams import PortableStream, open_stream

RUNS = 9
HUT = "#####\n#...+\n#####"
SAMPLE = (
    "..........\n..######..\n..#....#..\n..#....+..\n..#....#..\n"
    "..####.#..\n.....#.#..\n.....#.#..\n.....###..\n.........."
)


@dataclass(frozen=True)
class Case:
    """A generator run: its size, limit and recorded peer in milliseconds, and a live peer."""

    title: str
    generator: str
    side: int
    parameters: dict[str, Any] = field(default_factory=dict)
    limit: float | None = None
    recorded: str = ""
    peer: str = ""
    layers: tuple[str, ...] = ()


CASES = [
    Case(
        "cellular caves, 5 rounds",
        "cellular_caves",
        1024,
        {"rounds": 5},
        10,
        "DungeonTemplateLibrary 75, rot.js 1836",
    ),
    Case(
        "cellular caves in place, 5 rounds",
        "cellular_caves",
        1024,
        {"rounds": 5, "update": "in_place"},
    ),
    Case("island maze, 50,000 visits", "island_maze", 99, recorded="original under Mono 15.3"),
    Case("gradient noise, 1 octave", "heightmap", 1024, {"octaves": 1, "feature_size": 256}),
    Case(
        "gradient noise, 8 octaves",
        "heightmap",
        1024,
        {"octaves": 8, "feature_size": 256},
        25,
        "pyfastnoiselite 190, tcod 399",
        "noise",
    ),
    Case(
        "simplex noise, 8 octaves",
        "heightmap",
        1024,
        {"octaves": 8, "feature_size": 256, "basis": "simplex"},
        None,
        "tcod 399",
        "tcod noise",
    ),
    Case(
        "warped gradient noise, 8 octaves",
        "heightmap",
        1024,
        {"octaves": 8, "feature_size": 256, "warp": 30},
    ),
    Case(
        "cellular noise, 1 octave",
        "heightmap",
        1024,
        {"octaves": 1, "feature_size": 64, "basis": "cellular"},
    ),
    Case(
        "rooms by partition, depth 8",
        "bsp_rooms",
        150,
        {"depth": 8},
        recorded="tcod 0.34 (splits only)",
        peer="tcod bsp",
    ),
    Case("drunkard, 40 %", "drunkard", 256),
    Case("maze", "maze", 257, recorded="DungeonTemplateLibrary 56, rot.js 1.3 to 10.6 (256)"),
    Case("maze, braided", "maze", 257, {"braid_percent": 100}),
    Case(
        "Voronoi, 100 sites",
        "voronoi",
        1024,
        {"sites": 100, "relax_rounds": 0},
        recorded="tcod 18.8, DungeonTemplateLibrary 110",
        peer="tcod voronoi",
    ),
    Case("wave function collapse, 95 patterns", "wave_function_collapse", 64, {"sample": SAMPLE}),
    Case(
        "1000 prefabs on caves",
        "prefabs",
        1024,
        {"of": "caves", "prefabs": (Prefab(art=HUT, count=1000),), "over": "walkable"},
        layers=("caves",),
    ),
    Case("47 neighbour classes", "autotile", 1024, {"of": "caves"}, layers=("caves",)),
]


def milliseconds(run: Callable[[], Any], runs: int = RUNS) -> float:
    """Return the median processor time of a function."""
    times = []
    for _ in range(runs):
        begin = time.process_time()
        run()
        times.append(time.process_time() - begin)
    return sorted(times)[runs // 2] * 1000


def caves(side: int) -> Layer:
    """Return a finished layer of caves."""
    generator = GENERATORS.get("cellular_caves")
    result = generator.generate(
        generator.parameters(),
        Request("caves", side, side, open_stream("portable", 1, "caves")),
    )
    return Layer(
        "caves",
        "tiles",
        result.cells,
        "cellular_caves",
        tiles=result.tiles,
        walkable=result.cells == 0,
    )


def ours(case: Case) -> float:
    """Return the time of a case; every run has another seed."""
    generator = GENERATORS.get(case.generator)
    parameters = generator.parameters(**case.parameters)
    layers = {name: caves(case.side) for name in case.layers}
    seeds = iter(range(10**6))

    def run() -> None:
        stream = open_stream("portable", next(seeds), "benchmark")
        generator.generate(
            parameters, Request("benchmark", case.side, case.side, stream, layers=layers)
        )

    run()
    return milliseconds(run)


def fast_noise(side: int) -> float:
    """Return the time of pyfastnoiselite for eight octaves."""
    from pyfastnoiselite import pyfastnoiselite as lite

    noise = lite.FastNoiseLite(1)
    noise.noise_type = lite.NoiseType.NoiseType_OpenSimplex2
    noise.fractal_type = lite.FractalType.FractalType_FBm
    noise.fractal_octaves = 8
    noise.frequency = 1 / 256
    y, x = np.indices((side, side), np.float32)
    coordinates = np.stack([x.ravel(), y.ravel()])
    return milliseconds(lambda: noise.gen_from_coords(coordinates), 3)


def tcod_noise(side: int) -> float:
    """Return the time of tcod's simplex noise for eight octaves."""
    import tcod.noise

    noise = tcod.noise.Noise(
        2, tcod.noise.Algorithm.SIMPLEX, tcod.noise.Implementation.FBM, octaves=8, seed=1
    )
    axis = np.arange(side, dtype=np.float32) / 256
    return milliseconds(lambda: noise.sample_ogrid([axis[:, None], axis[None, :]]), 3)


def tcod_partition(side: int) -> float:
    """Return the time of tcod's partition, without rooms."""
    import tcod.bsp

    def run() -> None:
        tcod.bsp.BSP(0, 0, side, side).split_recursive(8, 5, 5, 1.5, 1.5)

    return milliseconds(run)


def tcod_voronoi(side: int) -> float:
    """Return the time of tcod's Voronoi heights for 100 points."""
    import warnings

    import tcod

    heights = np.zeros((side, side), np.float32, order="F")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return milliseconds(
            lambda: tcod.heightmap_add_voronoi(heights, 100, 2, [1.0, -1.0], None), 3
        )


PEERS: dict[str, tuple[str, Callable[[int], float]]] = {
    "noise": ("pyfastnoiselite", fast_noise),
    "tcod noise": ("tcod", tcod_noise),
    "tcod bsp": ("tcod", tcod_partition),
    "tcod voronoi": ("tcod", tcod_voronoi),
}


def theirs(case: Case) -> str:
    """Return the time of a case's peer in this run, if it is installed."""
    if not case.peer:
        return ""
    package, run = PEERS[case.peer]
    if importlib.util.find_spec(package) is None:
        return f"({package} is not installed)"
    return f"{package} {run(case.side):.1f}"


def erosion_times() -> list[tuple[str, float, str]]:
    """Return the times of both kinds of erosion on 1024 x 1024 samples."""
    stream = PortableStream((1, "benchmark"))
    field = _noise.fractal_noise(_noise.Fractal(256, 8), stream, 1024, 1024)
    relief = _relief.stretch(field, _noise.UNIT)

    def water() -> None:
        _erosion.hydraulic(relief, stream.draws("drops"), 100_000, 30, 3, 30)

    def stones() -> None:
        _erosion.thermal(relief, 10, _noise.UNIT // 1000)

    return [
        ("hydraulic erosion, 100,000 drops", milliseconds(water, 3), "250"),
        ("thermal erosion, 10 rounds", milliseconds(stones, 3), ""),
    ]


def main() -> None:
    """Print the table."""
    print(f"{'':38}{'size':>6}{'ms':>10}{'limit':>8}  peer in this run      recorded")
    for case in CASES:
        limit = "" if case.limit is None else f"{case.limit:g}"
        used = ours(case)
        print(
            f"{case.title:38}{case.side:>6}{used:>10.2f}{limit:>8}  "
            f"{theirs(case):22}{case.recorded}"
        )
    for title, used, limit in erosion_times():
        print(f"{title:38}{1024:>6}{used:>10.2f}{limit:>8}")


if __name__ == "__main__":
    main()
