"""Measure sight from every cell of a map, beside libtcod.

Run: python tests/benchmarks/visibility.py [--quick]

All times are CPU milliseconds of one thread, the median of several runs. The peer is
`tcod.map.compute_fov` called for every floor cell of the same cave, once with the whole map, as
its users do, and once with the smallest window around each cell that gives the same field
(`pip install tcod`; without it that table is left out). The last table measures properties of the
rules, not their speed.
"""

from __future__ import annotations

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter import compute_visibility
from exporter.kernels.visibility_runner import COMPILED
from exporter.visibility.algorithms import plan_for
from exporter.visibility.runs import run_arrays

RULES = (("symmetric", False), ("shadowcast", False), ("raycast", True))
# The peer's rule that is nearest to ours.
PEERS = {"symmetric": "SYMMETRIC_SHADOWCAST", "shadowcast": "SHADOW", "raycast": "BASIC"}


def cave(side: int) -> NDArray[np.bool_]:
    """Return a cave: 45 % noise from PCG64 seed 1, five rounds of "at least 5 of 9", walled in."""
    random = np.random.Generator(np.random.PCG64(1))
    walls: NDArray[np.bool_] = random.random((side, side)) < 0.45
    for _ in range(5):
        framed = np.pad(walls, 1, constant_values=True).astype(np.uint8)
        around = [framed[y : y + side, x : x + side] for y in range(3) for x in range(3)]
        walls = sum(around[1:], around[0]) >= 5
        walls[[0, -1]] = walls[:, [0, -1]] = True
    return walls


def milliseconds(work: Callable[[], Any], runs: int) -> float:
    """Return the median CPU time of some runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times)


def drawing(algorithm: str, radius: int, see_walls: bool) -> float:
    """Return the time to draw and compile a plan from nothing."""
    plan_for.cache_clear()
    return milliseconds(lambda: plan_for(algorithm, radius, see_walls), 1)


def peer_times(opaque: NDArray[np.bool_], radius: int, algorithm: str) -> tuple[float, float]:
    """Return the peer's time for every floor cell: whole map, and smallest window."""
    import tcod.constants
    import tcod.map

    rule = getattr(tcod.constants, f"FOV_{PEERS[algorithm]}")
    transparency = np.ascontiguousarray(~opaque)
    cells = [(int(y), int(x)) for y, x in np.argwhere(transparency)]
    compute = tcod.map.compute_fov

    def whole() -> None:
        for cell in cells:
            compute(transparency, cell, radius, algorithm=rule)

    def window() -> None:
        reach = radius + 1
        for y, x in cells:
            top, left = max(0, y - reach), max(0, x - reach)
            part = transparency[top : y + reach + 1, left : x + reach + 1]
            compute(part, (y - top, x - left), radius, algorithm=rule)

    return milliseconds(whole, 1), milliseconds(window, 1)


def print_speed(quick: bool) -> None:
    """Print the table that compares with the peer."""
    try:
        import tcod  # noqa: F401

        peer = True
    except ImportError:
        peer = False
        print("tcod is not installed: no comparison\n")
    opaque = cave(256)
    floor = int((~opaque).sum())
    print(f"256 x 256 cave, {floor} floor cells, walls seen too; compiled: {COMPILED}")
    print(
        f"{'rule':<11}{'radius':>6}{'ours ms':>9}{'ns/floor cell':>15}{'numpy ms':>10}"
        f"{'plan ms':>9}{'memory':>8}{'tcod ms':>10}{'window ms':>11}{'factor':>14}"
    )
    for algorithm, see_walls in RULES:
        for radius in (8, 20):
            plan = drawing(algorithm, radius, see_walls)

            def ours(
                radius: int = radius, algorithm: str = algorithm, see_walls: bool = see_walls
            ) -> Any:
                return compute_visibility(opaque, radius, algorithm, see_walls=see_walls)

            took = milliseconds(ours, 5 if quick else 21)
            arrays = milliseconds(
                lambda r=radius, a=algorithm, w=see_walls: run_arrays(plan_for(a, r, w), opaque),
                1 if quick else 5,
            )
            tracemalloc.start()
            table = ours()
            memory = (tracemalloc.get_traced_memory()[1] - opaque.nbytes) / table.nbytes
            tracemalloc.stop()
            line = (
                f"{algorithm:<11}{radius:>6}{took:>9.2f}{took * 1e6 / floor:>15.1f}{arrays:>10.1f}"
                f"{plan:>9.1f}{memory:>7.2f}x"
            )
            if peer and not quick:
                whole, window = peer_times(opaque, radius, algorithm)
                line += f"{whole:>10.0f}{window:>11.0f}{whole / took:>8.0f}/{window / took:.0f}"
            print(line, flush=True)
    print("memory: peak beyond the map, against the table; factor: tcod / ours, window / ours\n")


def print_growth(quick: bool) -> None:
    """Print how the time grows with the radius and with the map."""
    runs = 3 if quick else 9
    opaque = cave(256)
    print("nanoseconds for each of 256 x 256 cells, by radius")
    radii = (2, 4, 8, 12, 16, 20, 24, 32)
    print(f"{'rule':<11}" + "".join(f"{radius:>8}" for radius in radii))
    for algorithm, see_walls in RULES:
        row = f"{algorithm:<11}"
        for radius in radii:
            plan_for(algorithm, radius, see_walls)
            took = milliseconds(
                lambda r=radius, a=algorithm, w=see_walls: compute_visibility(
                    opaque, r, a, see_walls=w
                ),
                runs,
            )
            row += f"{took * 1e6 / opaque.size:>8.1f}"
        print(row, flush=True)
    print("\nmilliseconds at radius 8, and nanoseconds for each cell, by side of the map")
    sides = (32, 64, 128, 256, 512, 1024)
    print(f"{'rule':<11}" + "".join(f"{side:>16}" for side in sides))
    maps = {side: cave(side) for side in sides}
    for algorithm, see_walls in RULES:
        row = f"{algorithm:<11}"
        for opaque in maps.values():
            took = milliseconds(
                lambda o=opaque, a=algorithm, w=see_walls: compute_visibility(o, 8, a, see_walls=w),
                runs,
            )
            row += f"{took:>8.2f} /{took * 1e6 / opaque.size:>6.1f}"
        print(row, flush=True)
    print()


def print_properties() -> None:
    """Print properties of the rules, on a cave and in rooms."""
    opaque = cave(96)
    print("what the rules are like: 96 x 96 cave, and rooms of up to 9 x 9 seen from every cell")
    print(
        f"{'rule':<11}{'radius':>6}{'one-sided pairs':>17}{'unseen room walls':>19}"
        f"{'cells beyond radius':>21}{'cells seen':>12}"
    )
    for algorithm, see_walls in RULES:
        for radius in (8, 20):
            table = compute_visibility(opaque, radius, algorithm, see_walls=see_walls)
            pairs = one_sided = beyond = seen = 0
            y, x = np.nonzero(~opaque)
            fields = np.zeros((*opaque.shape, *opaque.shape), bool)
            for at_x, at_y in zip(x.tolist(), y.tolist(), strict=True):
                fields[at_y, at_x] = table.visible_from(at_x, at_y)
                rows, columns = np.nonzero(fields[at_y, at_x])
                distances = (rows - at_y) ** 2 + (columns - at_x) ** 2
                beyond += int((distances > radius * radius).sum())
                seen += rows.size
            among = fields[y, x][:, y, x]
            one_sided = int((among != among.T).sum()) // 2
            pairs = (int((among | among.T).sum()) - len(x)) // 2
            walls, unseen = room_walls(algorithm, radius, see_walls)
            print(
                f"{algorithm:<11}{radius:>6}{100 * one_sided / pairs:>15.2f} %"
                f"{100 * unseen / walls:>17.2f} %{beyond:>21}{seen / len(x):>12.1f}",
                flush=True,
            )


def room_walls(algorithm: str, radius: int, see_walls: bool) -> tuple[int, int]:
    """Return the wall cells within reach of cells of rooms, and how many of these are not seen."""
    walls = unseen = 0
    for width in range(1, 10):
        for height in range(1, 10):
            opaque = np.ones((height + 2, width + 2), bool)
            opaque[1:-1, 1:-1] = False
            table = compute_visibility(opaque, radius, algorithm, see_walls=see_walls)
            rows, columns = np.indices(opaque.shape)
            for y in range(1, height + 1):
                for x in range(1, width + 1):
                    near = (rows - y) ** 2 + (columns - x) ** 2 < radius * radius
                    walls += int((near & opaque).sum())
                    unseen += int((near & opaque & ~table.visible_from(x, y)).sum())
    return walls, unseen


if __name__ == "__main__":
    print_speed("--quick" in sys.argv)
    print_growth("--quick" in sys.argv)
    print_properties()
