"""Measure a seed search: levels a second, filled niches, memory.

Levels are 64 x 40 caves with their certificates, in one process. Niches are counted over the same
ranges for seeds alone, for evenly spread parameters and for the archive. Prints tables; run it on
a quiet machine.

Run: python tests/benchmarks/seed_search.py [--levels 10000]
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Sequence

import numpy as np

from exporter.explore.finding import RunningSearch
from exporter.explore.judging import Judges
from exporter.explore.ranges import counts
from exporter.explore.search import search_for
from exporter.explore.varying import parse_varied
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import parse_level

CAVES = """level: caves
size: [64, 40]
layers: {ground: {generator: cellular_caves, connect: guaranteed}}
"""
SIGHT = "visibility: {radius: 8}\n"
VARIED = ("ground.wall_percent=25..60", "ground.rounds=0..8")
AXES = ("floor", "farthest")


def spec_of(text: str) -> LevelSpec:
    """Return the spec of a text."""
    return parse_level(text.encode(), "caves.level.yaml")


def rate(levels: int, text: str, where: str) -> None:
    """Print how long so many levels take."""
    spec = spec_of(text)
    RunningSearch(search_for(spec, count=1, budget=50, where=where)).run(1)
    search = search_for(spec, count=50, budget=levels, where=where, sort="farthest")
    began, used = time.perf_counter(), time.process_time()
    result = RunningSearch(search).run(1)
    seconds, busy = time.perf_counter() - began, time.process_time() - used
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{where:<40} {result.tried:>7,} {seconds:>7.2f} s {busy:>7.2f} s CPU "
        f"{result.tried / seconds:>7,.0f}/s {memory:>6.0f} MB"
    )


def places(levels: int, *, varied: Sequence[str], archive: bool) -> np.ndarray:
    """Return the metrics of every level that a search looks at: float64 [number, 2]."""
    spec = spec_of(CAVES)
    parameters = [parse_varied(text, spec) for text in varied]
    # With the least possible count, the search is all that is done.
    search = search_for(
        spec, count=1, budget=levels, varied=parameters, spread=AXES if archive else (),
        sort="" if archive else AXES[0], where="" if archive else f"{AXES[1]} >= 0",
    )  # fmt: skip
    seen: list[tuple[float, ...]] = []
    judged = Judges.judged

    def noting(self: Judges, candidates: object) -> object:
        for attempted in judged(self, candidates):  # type: ignore[arg-type]
            if attempted.values is not None:
                seen.append(attempted.values)
            yield attempted

    Judges.judged = noting  # type: ignore[method-assign, assignment]
    try:
        RunningSearch(search).run(1)
    finally:
        Judges.judged = judged  # type: ignore[method-assign]
    return np.array(seen, np.float64)


def niches(levels: int) -> None:
    """Print how many niches are filled at an equal budget, over common ranges."""
    result = {
        "seeds alone": places(levels, varied=(), archive=False),
        "parameters, evenly spread": places(levels, varied=VARIED, archive=False),
        "parameters, archive": places(levels, varied=VARIED, archive=True),
    }
    everything = np.concatenate(list(result.values()))
    ranges = [(float(everything[:, a].min()), float(everything[:, a].max())) for a in (0, 1)]
    alone = 0
    for name, values in result.items():
        filled = int((counts(values, ranges) > 0).sum())
        alone = alone or filled
        print(
            f"{name:<28} {len(values):>7,} levels {filled:>4} of 400 niches {filled / alone:.1f} x"
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", type=int, default=10_000)
    levels = parser.parse_args().levels
    rate(levels // 10, CAVES, "farthest >= 0")
    rate(levels, CAVES, "farthest >= 0")
    rate(levels, CAVES + SIGHT, "exposure_mean >= 0")
    niches(min(levels, 1500))


if __name__ == "__main__":
    main()
