"""Check whether a placed mission meets the spec's limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.missions.parameters import CountRange, MissionParameters, ShareRange, is_within
from exporter.missions.proof import needed_locks, prove
from exporter.missions.states import Cell, Key, MissionMap
from exporter.missions.walks import MissionWalk, shortest_walk
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Connection
from exporter.model.mission import Lock

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MissionGround:
    """A map for a mission, with the mission objects that it already has.

    Attributes:
        walkable: bool [height, width].
        free: bool [height, width]: the cells where mission objects may stand.
        rooms: int32 [height, width]: the room of each cell, from 1; 0 outside rooms.
        connections: The connections between the rooms.
        given: The cells of start, goal and optional objects that the level already has, by name.
        keys: The keys that the level already has.
    """

    walkable: NDArray[np.bool_]
    free: NDArray[np.bool_]
    rooms: NDArray[np.int32]
    connections: Sequence[Connection]
    given: Mapping[str, Cell]
    keys: Sequence[Key] = ()


@dataclass(frozen=True, slots=True)
class MissionPlan:
    """The cells of a mission's start, goal, locks and keys.

    Attributes:
        cells: The cells of start, goal and optional objects, by name.
        locks: The locks with their cells.
        keys: The keys with their cells.
    """

    cells: Mapping[str, Cell]
    locks: tuple[Lock, ...]
    keys: tuple[Key, ...]


class UnmetDemandError(Exception):
    """A placed mission misses a limit in the spec; another attempt may not.

    Args:
        path: The path of the limit, below `mission`.
        message: The text of the error.
        distance: How far the mission is from the limit; if all attempts fail, the nearest is
            reported.
    """

    def __init__(self, path: Path, message: str, distance: float = 0) -> None:
        super().__init__(message)
        self.path, self.message, self.distance = path, message, distance


def check_plan(parameters: MissionParameters, ground: MissionGround, plan: MissionPlan) -> None:
    """Prove that the goal of `plan` cannot be lost; check the spec's limits.

    Raises:
        UnmetDemandError: A limit is not met, or the goal can be lost.
    """
    mission = MissionMap(
        ground.walkable,
        plan.cells[parameters.start],
        plan.cells[parameters.goal],
        plan.locks,
        plan.keys,
    )
    try:
        play = prove(mission).play
    except ParameterError as error:
        raise UnmetDemandError(("locks",), error.message) from None
    if play is not None:
        message = f"the goal can be lost: {', then '.join(play)}"
        raise UnmetDemandError(_blamed(mission, len(ground.keys)), message, len(play))
    needed = needed_locks(mission)
    for position, lock in enumerate(plan.locks):
        index = next(i for i, item in enumerate(parameters.locks) if item.name == lock.name)
        expected = parameters.locks[index]
        if expected.has_keys and expected.for_ is None and not needed >> position & 1:
            raise UnmetDemandError(
                ("locks", index), f"the goal can be reached without opening {lock.name!r}"
            )
    for name, share in parameters.behind.items():
        value = share_behind(mission, name)
        if not is_within(value, share):
            raise share_error(name, share, (value,))
    if parameters.rooms is None and not parameters.optional:
        return
    walk = shortest_walk(mission)
    if walk is None:
        raise UnmetDemandError(
            ("locks",),
            "the shortest complete walk cannot be found: there are too many orders to open the "
            "locks (use fewer locks)",
        )
    _check_walk(parameters, ground, plan, walk)


def _blamed(mission: MissionMap, given: int) -> Path:
    """Return the path in the spec to blame for a goal that can be lost.

    This is the last key without which the goal could not be lost, or else the locks. Of the keys,
    the first `given` are those that the level had before the mission.
    """
    keys = list(mission.keys)
    for index in range(given):
        keys[index] = Key(mission.start, keys[index].opens)
        try:
            if prove(replace(mission, keys=keys)).play is None:
                return "keys", index
        except ParameterError:  # a proof of another mission may be too long
            break
    return ("locks",)


def _check_walk(
    parameters: MissionParameters, ground: MissionGround, plan: MissionPlan, walk: MissionWalk
) -> None:
    rooms = walked_rooms(walk, ground.rooms)
    expected = parameters.rooms
    if expected is not None and not is_within(len(rooms), expected):
        raise UnmetDemandError(
            ("rooms",),
            f"no shortest complete walk enters {range_text(expected)} rooms (the nearest enters "
            f"{len(rooms)} of {int(ground.rooms.max())})",
            distance_outside(len(rooms), expected),
        )
    for index, name in enumerate(parameters.optional):
        x, y = plan.cells[name]
        if int(ground.rooms[y, x]) in rooms:
            raise UnmetDemandError(
                ("optional", index),
                f"{name!r} is optional, but the shortest complete walk enters its room",
            )


def share_error(name: str, demand: ShareRange, shares: Iterable[float]) -> UnmetDemandError:
    """Return the error that no share behind lock `name` is as required.

    A share is that of the walkable cells that can be reached only through the lock.

    Args:
        name: The name of the lock.
        demand: The limits in the spec.
        shares: The shares of all attempts; the message has the nearest to the limits.
    """
    near = min(shares, key=lambda share: distance_outside(share, demand), default=0.0)
    return UnmetDemandError(
        ("behind", name),
        f"no lock has a share of {range_text(demand)} of the cells behind it (the nearest is "
        f"{near:.2f})",
        distance_outside(near, demand),
    )


def walked_rooms(walk: MissionWalk, rooms: NDArray[np.int32]) -> set[int]:
    """Return the numbers of the rooms that `walk` enters.

    `rooms` is int32 [height, width]: the room of each cell, from 1; 0 outside rooms.
    """
    return {int(rooms[y, x]) for x, y in walk.cells} - {0}


def share_behind(mission: MissionMap, name: str) -> float:
    """Return the share of walkable cells that only the lock `name` closes off.

    These cells cannot be reached while this lock is closed and all others are open.
    """
    graph = mission.graph
    assert graph.start is not None
    opened = sum(1 << i for i, lock in enumerate(mission.locks) if lock.name != name)
    reached = graph.reached(graph.start, opened)
    specials = len(graph.specials)
    sizes = np.bincount(graph.labels.ravel(), minlength=graph.count - specials + 1)
    inside = (reached & ((1 << specials) - 1)).bit_count()
    inside += sum(
        int(sizes[node - specials + 1])
        for node in range(specials, graph.count)
        if reached >> node & 1
    )
    total = int(mission.walkable.sum())
    return (total - inside) / total


def range_text(expected: ShareRange | CountRange | tuple[int, int]) -> str:
    """Format the limits `expected` as text, such as `2 to 5`."""
    low, high = expected if isinstance(expected, tuple) else expected.limits
    if low is None:
        return f"at most {high:g}"
    if high is None:
        return f"at least {low:g}"
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def distance_outside(value: float, expected: ShareRange | CountRange | tuple[int, int]) -> float:
    """Return how far `value` is outside the limits `expected`; 0 inside."""
    low, high = expected if isinstance(expected, tuple) else expected.limits
    below = 0 if low is None else low - value
    above = 0 if high is None else value - high
    return max(below, above, 0)
