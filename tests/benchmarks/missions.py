"""How long missions take, whether anybody is stranded in many levels, and two public problems.

python tests/benchmarks/missions.py            the times, and the two problems with few seeds
python tests/benchmarks/missions.py --long     10,000 levels against the judge, 1,000 seeds each

The problems are `zelda-large-v0` and `isaac-large-v0` of the PCG Benchmark (arXiv 2503.21474), with
its rules as far as a mission decides them.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "harness"))

import numpy as np

from exporter.build.build import build_level
from exporter.grids.distances import distance_from
from exporter.missions.placing import place_mission
from exporter.missions.proof import prove
from exporter.missions.states import level_map
from exporter.missions.walks import shortest_walk
from exporter.model.errors import ParameterError, SpecError
from exporter.model.level import Level
from exporter.reading.reader import parse_level
from exporter.streams import PortableStream
from mission_judge import stranded_states
from random_missions import SHAPES, judged, mission_of, parameters, random_mission, room_grid

KEEP = """size: {size}
seed: {seed}
layers: {{ground: {{generator: bsp_rooms, depth: {depth}, min_room_size: [4, 4]}}}}
"""
MISSION = """mission:
  start: start
  goal: goal
  locks: [{locks}{{name: small, kind: small_key, count: {small}}}]
"""
ZELDA = """size: [20, 14]
seed: {seed}
layers: {{ground: {{generator: maze}}}}
mission:
  start: player
  goal: exit
  locks: [{{name: seal, kind: key, at: goal}}]
  steps: {{"start..seal": {first}, "seal..goal": {second}}}
objects: [{{name: enemy, count: 8}}]
"""


ISAAC = """size: [88, 72]
seed: {seed}
layers: {{ground: {{generator: room_lattice, columns: 8, rows: 8, rooms: {rooms}}}}}
mission: {{start: start, goal: boss, optional: [shop, treasure]}}
"""


def spec(text: str):
    return parse_level(text.encode(), "keep.level.yaml")


def built(text: str) -> Level | None:
    try:
        return build_level(spec(text))
    except SpecError:
        return None


def times(size: str, depth: int, keys: int, small: int) -> None:
    """Print the milliseconds of a mission: all it adds to a build, its proof, its walk."""
    plain = KEEP.format(size=size, seed="{seed}", depth=depth)
    locks = "".join(f"{{name: key{number}, kind: key}}, " for number in range(keys))
    rows = []
    rooms = failed = 0
    for seed in range(20):
        base = plain.replace("{seed}", str(seed))
        read = spec(base), spec(base + MISSION.format(locks=locks, small=small))
        begin = time.process_time()
        rooms = len(build_level(read[0]).layers["ground"].rooms)
        without = time.process_time() - begin
        begin = time.process_time()
        try:
            level = build_level(read[1])
        except SpecError:
            failed += 1
            continue
        whole = time.process_time() - begin - without
        result = level_map(level)
        assert result is not None
        begin = time.process_time()
        prove(result)
        proof = time.process_time() - begin
        begin = time.process_time()
        shortest_walk(result)
        rows.append((whole, proof, time.process_time() - begin))
    middle = np.median(np.array(rows), axis=0) * 1000
    most = np.max(np.array(rows), axis=0) * 1000
    print(
        f"{rooms} rooms, {keys} locks, {small} small keys: all {middle[0]:.1f} ms (most "
        f"{most[0]:.1f}), proof {middle[1]:.2f} ({most[1]:.2f}), walk {middle[2]:.1f} "
        f"({most[2]:.1f}); {failed} of 20 seeds have no place for them"
    )


def agreement(levels: int) -> None:
    """Compare the proof with the judge on random missions, and judge missions that were placed."""
    differing = dropped = stranded = placed = 0
    for number in range(levels // 2):
        mission = random_mission(list(SHAPES)[number % len(SHAPES)], 10_000 + number)
        states = judged(mission)
        dropped += states > 0
        differing += (prove(mission).play is not None) != (states > 0)
    for number in range(levels // 2):
        source = random.Random(number)
        ground = room_grid(3, 3, [source.random() < 0.8 for _ in range(12)])
        counts = [source.randint(0, most) for most in (2, 2, 1, 1)]
        expected = parameters(*counts, seal=source.random() < 0.5)
        try:
            plan = place_mission(expected, ground, PortableStream((number, "mission")))
        except ParameterError:
            continue
        placed += 1
        stranded += judged(mission_of(ground, plan)) > 0
    print(
        f"{levels // 2} random missions: the goal can be lost in {dropped}, the proof differs from "
        f"the judge in {differing}; {placed} placed missions: {stranded} strand"
    )


def steps(walkable, first, last) -> int:
    """Return the fewest steps between two cells."""
    sources = np.zeros(walkable.shape, bool)
    sources[first[1], first[0]] = True
    return int(distance_from(sources, walkable)[last[1], last[0]])


def zelda(seeds: int) -> None:
    """Print the share of levels of quality 1, and of wishes that are met."""
    source = random.Random(1)
    good = met = 0
    spent: list[float] = []
    for seed in range(seeds):
        free = "{at_least: 15}"
        level = built(ZELDA.format(seed=seed, first=free, second=free))
        result = level and zelda_distances(level)
        good += bool(result and min(result[0], result[1]) >= 0 and sum(result) >= 30)
        a, b = source.randint(18, 54), source.randint(18, 54)
        text = ZELDA.format(seed=seed, first=[a - 3, a + 3], second=[b - 3, b + 3])
        read = spec(text)
        begin = time.process_time()
        try:
            level = build_level(read)
        except SpecError:
            level = None
        spent.append(time.process_time() - begin)
        result = level and zelda_distances(level)
        met += bool(result and abs(result[0] - a) <= 3 and abs(result[1] - b) <= 3)
    print(
        f"zelda-large: quality 1 for {good} of {seeds}, control 1 for {met} of {seeds} wishes; "
        f"median {np.median(spent) * 1000:.1f} ms, most {max(spent) * 1000:.1f} ms"
    )


def zelda_distances(level: Level) -> tuple[int, int] | None:
    """Return the steps from the player to the key, with the exit closed, and on to the exit."""
    cells = {item.name: (item.x, item.y) for item in level.objects}
    names = [item.name for item in level.objects]
    if [names.count(item) for item in ("player", "seal_key", "exit", "enemy")] != [1, 1, 1, 8]:
        return None
    walkable = level.walkable()
    closed = walkable.copy()
    closed[cells["exit"][1], cells["exit"][0]] = False
    return (
        steps(closed, cells["player"], cells["seal_key"]),
        steps(walkable, cells["seal_key"], cells["exit"]),
    )


def isaac(seeds: int) -> None:
    """Print the share of levels of quality 1, and of wishes for a number of rooms that are met."""
    source = random.Random(1)
    good = met = 0
    spent: list[float] = []
    build_level(spec(ISAAC.format(seed=0, rooms=20)))  # imports what a first build needs
    for seed in range(seeds):
        for room_count in (None, source.randint(6, 64)):
            read = spec(ISAAC.format(seed=seed, rooms=room_count or 20))
            begin = time.process_time()
            try:
                level = build_level(read)
            except SpecError:
                level = None
            spent.append(time.process_time() - begin)
            fits = level is not None and is_isaac(level)
            if room_count is None:
                good += fits
            elif level is not None and fits:
                # A fifth of the 64 blocks is as good as the demanded number.
                met += abs(len(level.layers["ground"].rooms) - room_count) <= 12
    print(
        f"isaac-large: quality 1 for {good} of {seeds}, control 1 for {met} of {seeds} wishes; "
        f"median {np.median(spent) * 1000:.1f} ms, most {max(spent) * 1000:.1f} ms"
    )


def is_isaac(level: Level) -> bool:
    """Whether adjacent rooms, one a block, are connected and four have their object."""
    layer = level.layers["ground"]
    blocks = [(x // 11, y // 9) for x, y in (room.center for room in layer.rooms)]
    joined = {0}
    for _ in layer.rooms:
        joined |= {
            room for item in layer.connections if joined & set(item.rooms) for room in item.rooms
        }
    adjacent = all(
        sum(abs(a - b) for a, b in zip(*(blocks[room] for room in item.rooms), strict=True)) == 1
        for item in layer.connections
    )
    places = {item.name: (item.x // 11, item.y // 9) for item in level.objects}
    special = {places[name] for name in ("start", "boss", "shop", "treasure")}
    whole = len(joined) == len(set(blocks)) == len(blocks) >= 6
    return whole and adjacent and len(special) == 4 and special <= set(blocks)


def main() -> None:
    long = "--long" in sys.argv
    times("[60, 40]", 6, 6, 4)
    times("[150, 120]", 8, 12, 6)
    agreement(10_000 if long else 600)
    zelda(1000 if long else 50)
    isaac(1000 if long else 50)
    assert stranded_states([[True] * 2], (0, 0), (1, 0), [], []) == 0


if __name__ == "__main__":
    main()
