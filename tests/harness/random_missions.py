"""Random small missions of several shapes, to compare the proof with the slow judge."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from exporter.grids.room_graph import room_edges, room_labels
from exporter.missions.demands import MissionGround, MissionPlan
from exporter.missions.parameters import LockParameters, MissionParameters
from exporter.missions.states import Cell, Key, MissionMap
from exporter.model.level import Room
from exporter.model.mission import Lock
from mission_judge import stranded_states


def judged(mission: MissionMap) -> int:
    """Return in how many states the judge finds the goal lost."""
    return stranded_states(
        mission.walkable.tolist(),
        mission.start,
        mission.goal,
        [(lock.name, lock.kind, lock.cells, lock.opened_from) for lock in mission.locks],
        [(key.cell, key.opens) for key in mission.keys],
    )


def random_mission(shape: str, seed: int) -> MissionMap:
    """Return a mission whose parts lie anywhere: in about a third of them the goal can be lost."""
    source = random.Random(f"{shape} {seed}")
    walkable = np.array(SHAPES[shape](source), bool)
    cells = [(x, y) for y, x in np.argwhere(walkable).tolist()]
    source.shuffle(cells)
    start, goal = cells.pop(), cells.pop()
    locks: list[Lock] = []
    keys: list[Key] = []
    for number in range(source.randint(1, 4)):
        if len(cells) < 4:
            break
        kind = source.choice(["key", "small_key", "small_key", "one_way", "shortcut"])
        name = "small" if kind == "small_key" else f"{kind}{number}"
        places = [cells.pop()]
        for beside in _beside(places[0]):
            if beside in cells and source.random() < 0.2:
                cells.remove(beside)
                places.append(beside)
        around = sorted({item for cell in places for item in _beside(cell)} - set(places))
        sided = kind in ("one_way", "shortcut")
        opened_from = tuple(item for item in around if source.random() < 0.5) if sided else ()
        locks.append(Lock(name, kind, tuple(places), opened_from))
        if not sided and source.random() < 0.9:
            keys.append(Key(cells.pop() if source.random() < 0.9 else start, name))
    if source.random() < 0.2:
        locks.append(Lock("seal", "key", (goal,)))
        keys.append(Key(cells.pop(), "seal"))
    return MissionMap(walkable, start, goal, locks, keys)


def _beside(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]


def _noise(source: random.Random) -> list[list[bool]]:
    width, height = source.randint(4, 7), source.randint(3, 5)
    grid = [[source.random() < 0.75 for _ in range(width)] for _ in range(height)]
    grid[0] = [True] * width
    grid[-1][:2] = [True, True]
    return grid


def _corridor(source: random.Random) -> list[list[bool]]:
    """A snake, in which every key is passed."""
    width = source.randint(5, 8)
    rows = [[True] * width]
    for turn in range(source.randint(1, 2)):
        rows.append([x == (0 if turn % 2 else width - 1) for x in range(width)])
        rows.append([True] * width)
    return rows


def _ring(source: random.Random) -> list[list[bool]]:
    width, height = source.randint(5, 7), source.randint(4, 5)
    return [
        [x in (0, width - 1) or y in (0, height - 1) for x in range(width)] for y in range(height)
    ]


def _comb(source: random.Random) -> list[list[bool]]:
    """A corridor with dead ends."""
    width, depth = source.randint(6, 9), source.randint(1, 3)
    return [[True] * width, *([x % 2 == 0 for x in range(width)] for _ in range(depth))]


def _hall(source: random.Random) -> list[list[bool]]:
    return [[True] * 5] * source.randint(3, 4)


def _rooms(source: random.Random) -> list[list[bool]]:
    """Four rooms around a wall with doors, some of which are missing."""
    grid = [[x != 3 and y != 2 for x in range(7)] for y in range(5)]
    doors = [(3, 0), (3, 4), (1, 2), (5, 2)]
    for x, y in source.sample(doors, source.randint(3, 4)):
        grid[y][x] = True
    return grid


SHAPES: dict[str, Callable[[random.Random], list[list[bool]]]] = {
    "noise": _noise,
    "corridor": _corridor,
    "ring": _ring,
    "comb": _comb,
    "hall": _hall,
    "rooms": _rooms,
}


def room_grid(columns: int, rows: int, doors: list[bool]) -> MissionGround:
    """Return rooms of 2 x 2 cells in columns and rows, with doors between neighbours.

    Args:
        columns: Rooms in a row.
        rows: Rows of rooms.
        doors: Which doors there are: to the right, then down, in reading order.
    """
    walkable = np.zeros((3 * rows + 1, 3 * columns + 1), bool)
    result: list[Room] = []
    places = iter(doors)
    gates = np.zeros_like(walkable)
    for row in range(rows):
        for column in range(columns):
            x, y = 3 * column + 1, 3 * row + 1
            walkable[y : y + 2, x : x + 2] = True
            result.append(Room(f"room{len(result)}", x, y, 2, 2, (x, y)))
            if column + 1 < columns and next(places):
                gates[y, x + 2] = True
            if row + 1 < rows and next(places):
                gates[y + 2, x] = True
    walkable |= gates
    labels = room_labels(walkable, result)
    return MissionGround(walkable, walkable, labels, room_edges(walkable, gates, result), {})


def mission_of(ground: MissionGround, plan: MissionPlan) -> MissionMap:
    """Return the map of a mission that was placed with `start` and `goal` as names."""
    return MissionMap(
        ground.walkable, plan.cells["start"], plan.cells["goal"], plan.locks, plan.keys
    )


def parameters(
    keys: int = 0, small: int = 0, one_ways: int = 0, shortcuts: int = 0, seal: bool = False
) -> MissionParameters:
    """Return a mission with so many locks of each kind."""
    locks = [LockParameters(name=f"key{number}") for number in range(keys)]
    if small:
        locks.append(LockParameters(name="small", kind="small_key", count=small))
    locks += [LockParameters(name=f"drop{number}", kind="one_way") for number in range(one_ways)]
    locks += [LockParameters(name=f"gate{number}", kind="shortcut") for number in range(shortcuts)]
    if seal:
        locks.append(LockParameters(name="seal", at="goal"))
    return MissionParameters(start="start", goal="goal", locks=tuple(locks))
