"""Measure each generator on one map, with the example of its page.

    python tests/benchmarks/each_generator.py > exporter/docs/reference/generator-speed.md

prints the page on it. Times are of the layer alone, with its certificate, and the median of some
runs; they are a guide, and no test asserts them.
"""

from __future__ import annotations

import statistics
import sys
import time

from exporter.build.build import Build
from exporter.generators import GENERATORS
from exporter.project.reference.examples import DISPLAYED, example_spec
from exporter.reading.reader import parse_level

RUNS = 5
SIDE = 256
HEAD = f"""\
# Generator speed

This table helps to choose a generator by its speed. It has the processor time of one layer of
{SIDE} x {SIDE} cells, made by the spec of the generator's page, with its [certificate](metrics.md)
and without the layers it reads. Generators that read sight compute the field of view of every cell
first. `wave_function_collapse` starts again where its sample leads to a contradiction, so its time
depends on the sample. Each figure is the median of {RUNS} runs on one core of a server of the
2020s. `tests/benchmarks/each_generator.py` prints this page.

| generator | cells | time |
|---|---|---|
"""


class TimedBuild(Build):
    """A build that notes how long each layer takes."""

    def _make_layer(self, name: str) -> None:
        start = time.process_time()
        super()._make_layer(name)
        if name == DISPLAYED:
            self.seconds = time.process_time() - start


def seconds_of(text: str) -> float:
    """Return how long the shown layer takes: the median of some runs, after one to warm up."""
    spec = parse_level(text.encode(), "example.level.yaml")
    times = []
    for _ in range(RUNS + 1):
        build = TimedBuild(spec)
        build.prepare()
        times.append(build.seconds)
    return statistics.median(times[1:])


def worded(seconds: float) -> str:
    """Return a time with two digits."""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    milliseconds = seconds * 1000
    return f"{milliseconds:.0f} ms" if milliseconds >= 10 else f"{milliseconds:.1f} ms"


def main() -> None:
    """Print the page."""
    sys.stdout.write(HEAD)
    for name in GENERATORS.built_in():
        text = example_spec(GENERATORS.get(name))
        if text is not None:
            large = text.replace("size: [48, 32]", f"size: [{SIDE}, {SIDE}]")
            reported = worded(seconds_of(large))
            sys.stdout.write(f"| `{name}` | {SIDE} x {SIDE} | {reported} |\n")


if __name__ == "__main__":
    main()
