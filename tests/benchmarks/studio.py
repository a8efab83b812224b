"""How long the studio takes, as a tab without a browser sees it.

Times are wall-clock seconds of a studio that really serves, the median and the worst of some runs;
the limits are for a machine with two processors that does nothing else.

Run: python tests/benchmarks/studio.py [WORDS OF A CASE]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))

from studio_tabs import StudioProcess, Tab, make_project

RUNS = 7
CAVES = """\
size: [64, 40]
seed: 1
layers:
  ground: {generator: cellular_caves, wall_percent: 45}
objects:
  - {name: start}
  - {name: chest, count: 3}
visibility: {radius: 8}
require: {min_floor: 0.3}
"""
ROOMS = """\
size: [64, 40]
seed: 1
layers:
  base: {generator: rooms_and_corridors}
objects:
  - {name: stairs_up}
  - {name: chest, count: 3}
"""


@dataclass(frozen=True)
class Case:
    """A timed case: its title, spec, limit in seconds, and its runs in order."""

    title: str
    spec: str
    limit: float
    runs: Callable[[Tab], Iterator[float]]


def sheets(**message: object) -> Callable[[Tab], Iterator[float]]:
    """Return runs that ask for a sheet each, of other seeds each time."""

    def runs(tab: Tab) -> Iterator[float]:
        for number in range(RUNS + 1):
            begun = time.perf_counter()
            tab.send(do="seeds", sheet=number, skip=1000 * number, **message)
            tab.wait_for("seeds-done", timeout=120)
            yield time.perf_counter() - begun

    return runs


def first_levels(tab: Tab) -> Iterator[float]:
    """Time how long it takes until the first levels of a sheet are there."""
    for number in range(RUNS + 1):
        begun = time.perf_counter()
        tab.send(do="seeds", sheet=number, skip=1000 * number, count=200)
        tab.wait_for("seed-levels", timeout=120)
        yield time.perf_counter() - begun
        tab.wait_for("seeds-done", timeout=120)


SWEEP = ["ground.wall_percent=38..50", "ground.rounds=1..8"]
CASES = [
    Case("200 seeds of caves", CAVES, 1.5, sheets(count=200)),
    Case("200 seeds, filtered", CAVES, 1.5, sheets(count=200, where="farthest >= 80")),
    Case("200 seeds of rooms", ROOMS, 1.5, sheets(count=200)),
    Case("sweep of 13 x 8", CAVES, 1.5, sheets(vary=SWEEP, steps=[13, 8])),
    Case("first seeds of a sheet", CAVES, 0.2, first_levels),
]


def main() -> None:
    """Print one line for every case."""
    expected = " ".join(sys.argv[1:])
    print(f"{'':24} {'limit':>7} {'median':>7} {'worst':>7} {'first run':>9}")
    for case in CASES:
        if expected not in case.title:
            continue
        with tempfile.TemporaryDirectory() as folder:
            project = make_project(Path(folder))
            (project / "levels" / "cave.level.yaml").write_text(case.spec)
            studio = StudioProcess(project)
            try:
                tab = studio.tab()
                tab.displayed_level("open", level=tab.levels["levels/cave.level.yaml"])
                # The first run starts processes.
                first, *seconds = case.runs(tab)
            finally:
                studio.end()
        median, worst = statistics.median(seconds), max(seconds)
        print(f"{case.title:24} {case.limit:7.2f} {median:7.2f} {worst:7.2f} {first:9.2f}")


if __name__ == "__main__":
    main()
