"""Measure reference generators and grid functions beside their peers.

Beside each figure are its limit, the recorded time of the original program under Mono, and a peer's
time in the same run where one is installed: rot.js (`npm install rot-js`, then give the folder with
`--rot FOLDER`), scipy and tcod. Times are processor time, median of some runs.

Run: python tests/benchmarks/reference_generators.py [--rot FOLDER]
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from exporter.generators import GENERATORS, Generated, Request
from exporter.grids.certificates import certify
from exporter.grids.connectivity import join_regions
from exporter.grids.distances import distance_from
from exporter.grids.regions import label_regions
from exporter.kernels.regions import COMPILED
from exporter.streams import open_stream

# The work of rot.js for each case: class, width, constructor, and call.
ROT = """
const ROT = require("rot-js");
const cases = {
  "Cellular + connect 100": () => { const m = new ROT.Map.Cellular(100, 100);
    m.randomize(0.5); for (let i = 0; i < 4; i++) m.create(() => {}); m.connect(() => {}, 1); },
  "Cellular + connect 256": () => { const m = new ROT.Map.Cellular(256, 256);
    m.randomize(0.5); for (let i = 0; i < 4; i++) m.create(() => {}); m.connect(() => {}, 1); },
  "Digger 150": () => new ROT.Map.Digger(150, 150).create(() => {}),
  "Uniform 150": () => new ROT.Map.Uniform(150, 150).create(() => {}),
};
const result = {};
for (const [name, run] of Object.entries(cases)) {
  const times = [];
  for (let seed = 0; seed < 7; seed++) {
    ROT.RNG.setSeed(seed + 1);
    const begin = process.cpuUsage();
    run();
    const used = process.cpuUsage(begin);
    times.push((used.user + used.system) / 1000);
  }
  result[name] = times.sort((a, b) => a - b)[3];
}
console.log(JSON.stringify(result));
"""


@dataclass(frozen=True)
class Case:
    """A generator to time, with the figures it is measured by.

    `limit` and `mono` are milliseconds; `peer` names a rot.js case.
    """

    generator: str
    side: int
    parameters: dict[str, Any]
    limit: float | None = None
    mono: float | None = None
    peer: str = ""


CASES = [
    Case("visited_caves", 100, {}, 5, 152, "Cellular + connect 100"),
    Case("visited_caves", 100, {"connect": False}, None, 127),
    Case("visited_caves", 256, {"visits": 327_680}, 25, 6800, "Cellular + connect 256"),
    Case("visited_caves", 1024, {"visits": 5_242_880}, 400),
    Case("rooms_and_corridors", 150, {}, 1, 2.5, "Uniform 150"),
    Case("rooms_and_corridors", 150, {"start": "connected_rooms"}, 8, 54, "Digger 150"),
    Case("rooms_and_corridors", 150, {"room_shape": "irregular"}),
    Case("irregular_rooms", 150, {}),
    Case("island_maze", 99, {}, None, 15.3),
]


def milliseconds(work: Callable[[int], object], repetitions: int) -> float:
    """The median processor time of some runs, each given its number."""
    times = []
    for number in range(repetitions):
        begin = time.process_time()
        work(number)
        times.append(time.process_time() - begin)
    return sorted(times)[repetitions // 2] * 1000


def generate(case: Case, rng: str, seed: int) -> Generated:
    """Run a generator once."""
    entry = GENERATORS.get(case.generator)
    stream = open_stream(rng, seed, "ground")
    request = Request("ground", case.side, case.side, stream)
    return entry.generate(entry.parameters(**case.parameters), request)


def rot_times(folder: str | None) -> dict[str, float]:
    """Time rot.js in a process of its own; nothing when it is not there."""
    if folder is None or shutil.which("node") is None:
        return {}
    done = subprocess.run(
        ["node", "-e", ROT], cwd=folder, capture_output=True, text=True, timeout=300, check=True
    )
    times: dict[str, float] = json.loads(done.stdout)
    return times


def formatted(value: float | None) -> str:
    """A figure of the table, or a dash."""
    return "-" if value is None else f"{value:.2f}"


def time_generators(rot: dict[str, float]) -> None:
    """Print the table of generators."""
    print(f"{'generator':64} {'portable':>9} {'dotnet':>9} {'limit':>7} {'Mono':>8}  rot.js")
    for case in CASES:
        repetitions = 5 if case.side > 500 else 31
        times = [
            milliseconds(lambda seed, c=case, r=rng: generate(c, r, seed), repetitions)
            for rng in ("portable", "dotnet")
        ]
        name = f"{case.generator} {case.side} {case.parameters or ''}"
        peer = f"{rot[case.peer]:.2f} ({case.peer})" if case.peer in rot else "-"
        print(
            f"{name:64} {times[0]:9.2f} {times[1]:9.2f} {formatted(case.limit):>7} "
            f"{formatted(case.mono):>8}  {peer}",
            flush=True,
        )


def time_grids() -> None:
    """Print the table of grid functions on a cave and on noise of 1024 x 1024."""
    case = Case("cellular_caves", 1024, {"wall_percent": 45, "rounds": 4})
    cave = generate(case, "portable", 1).cells == 0
    noise = open_stream("portable", 1, "noise").chance("noise", 1024, 1024, 50)
    joined = join_regions(cave).walkable
    source = np.zeros(joined.shape, bool)
    source.ravel()[int(joined.argmax())] = True
    peers: dict[str, Callable[[int], object]] = {}
    if importlib.util.find_spec("scipy"):
        from scipy.ndimage import label

        peers["regions of a cave"] = lambda _: label(cave)
        peers["regions of noise"] = lambda _: label(noise)
    if importlib.util.find_spec("tcod"):
        import tcod.path

        cost = joined.astype(np.int8)
        far = np.iinfo(np.int32).max
        start = np.where(source, 0, far).astype(np.int32)
        reached = start.copy()

        def flood(_: int) -> object:
            return tcod.path.dijkstra2d(start, cost, cardinal=1, diagonal=None, out=reached)

        peers["distances"] = flood
    work: dict[str, tuple[Callable[[int], object], float | None]] = {
        "regions of a cave": (lambda _: label_regions(cave), 8),
        "regions of noise": (lambda _: label_regions(noise), 8),
        "distances": (lambda _: distance_from(source, joined), None),
        "joining a cave": (lambda _: join_regions(cave), None),
        "certificate": (lambda _: certify(joined), None),
    }
    print(f"\n{'1024 x 1024':64} {'ours':>9} {'limit':>17} {'scipy, tcod':>14}")
    for name, (run, limit) in work.items():
        peer = milliseconds(peers[name], 5) if name in peers else None
        print(f"{name:64} {milliseconds(run, 9):9.2f} {formatted(limit):>17} {formatted(peer):>14}")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rot", help="a folder in which rot-js is installed")
    options = parser.parse_args()
    print(f"milliseconds; kernels compiled: {COMPILED}")
    time_generators(rot_times(options.rot))
    time_grids()


if __name__ == "__main__":
    main()
