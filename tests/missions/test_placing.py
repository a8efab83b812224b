"""Placing missions: the judge strands no player, and demands are met or named."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.grids.distances import distance_from
from exporter.missions.demands import MissionGround, share_behind
from exporter.missions.parameters import CountRange, LockParameters, MissionParameters, ShareRange
from exporter.missions.placing import place_mission
from exporter.missions.proof import needed_locks
from exporter.missions.walks import shortest_walk
from exporter.model.errors import ParameterError
from exporter.streams import PortableStream
from random_missions import judged, mission_of, parameters, room_grid

COMB = room_grid(6, 2, [True, True] * 5 + [True] + [False] * 5)
# Loops and dead ends.
MIXED = room_grid(5, 3, [door == "1" for door in "1111111011010111101001"])


def placed(ground: MissionGround, expected: MissionParameters, seed: int = 1):
    """Return the mission that is placed, as a map, and its plan."""
    plan = place_mission(expected, ground, PortableStream((seed, "mission")))
    return mission_of(ground, plan), plan


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    doors=st.lists(st.booleans(), min_size=12, max_size=12),
    keys=st.integers(0, 2),
    small=st.integers(0, 2),
    one_ways=st.integers(0, 1),
    shortcuts=st.integers(0, 1),
    seal=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_no_player_is_stranded_in_any_room_graph(
    doors: list[bool],
    keys: int,
    small: int,
    one_ways: int,
    shortcuts: int,
    seal: bool,
    seed: int,
) -> None:
    ground = room_grid(3, 3, doors)
    expected = parameters(keys, small, one_ways, shortcuts, seal)
    try:
        mission, plan = placed(ground, expected, seed)
    except ParameterError as error:
        assert error.path
        return
    assert judged(mission) == 0
    on_lock = {cell for lock in plan.locks if lock.name != "seal" for cell in lock.cells}
    assert on_lock.isdisjoint([mission.start, mission.goal, *(key.cell for key in plan.keys)])
    assert len(plan.locks) == keys + small + one_ways + shortcuts + seal
    needed = needed_locks(mission)
    assert all(
        needed >> number & 1
        for number, lock in enumerate(plan.locks)
        if lock.kind in ("key", "small_key")
    )


# Another hash is another mission for the same spec: it needs a line in the changelog.
PLACED = {
    "comb": "7681e54a988898ab",
    "mixed": "e31051845833f038",
    "square": "c76b2aa39759ee6f",
    "given": "11e451de21bd69bc",
}


def test_same_seed_places_the_same_missions_as_ever() -> None:
    grounds = {
        "comb": COMB,
        "mixed": MIXED,
        "square": room_grid(4, 4, [True] * 24),
        "given": replace(MIXED, given={"start": (1, 4), "goal": (11, 7), "shop": (14, 7)}),
    }
    missions = [
        parameters(1, 1, 1, 1, seal=True),
        parameters(0, 3),
        parameters(0, 5),
        replace(
            parameters(1, 2),
            optional=("shop", "well"),
            behind={"key0": ShareRange(at_least=0.2, at_most=0.6)},
        ),
    ]
    found = {}
    for name, ground in grounds.items():
        plans = [_described(ground, item, seed) for item in missions for seed in range(6)]
        found[name] = hashlib.sha256("\n".join(plans).encode()).hexdigest()[:16]
    assert found == PLACED


def _described(ground: MissionGround, expected: MissionParameters, seed: int) -> str:
    try:
        return repr(placed(ground, expected, seed)[1])
    except ParameterError as error:
        return f"{error.path} {error.message}"


def test_steps_are_as_many_as_demanded() -> None:
    expected = MissionParameters(
        start="start",
        goal="goal",
        locks=(LockParameters(name="red"),),
        steps={"start..red": (4, 6), "red..goal": CountRange(at_least=9)},
    )
    for seed in range(10):
        mission, plan = placed(COMB, expected, seed)
        closed = mission.walkable.copy()
        for x, y in plan.locks[0].cells:
            closed[y, x] = False
        assert 4 <= steps(closed, mission.start, plan.keys[0].cell) <= 6
        assert steps(mission.walkable, plan.keys[0].cell, mission.goal) >= 9


def steps(walkable, first, last) -> int:
    """Return the fewest steps between two cells."""
    sources = np.zeros(walkable.shape, bool)
    sources[first[1], first[0]] = True
    return int(distance_from(sources, walkable)[last[1], last[0]])


def test_share_behind_a_lock_is_as_demanded() -> None:
    expected = MissionParameters(
        start="start",
        goal="goal",
        locks=(LockParameters(name="red"), LockParameters(name="blue")),
        behind={"red": ShareRange(at_least=0.4), "blue": ShareRange(at_most=0.3)},
    )
    mission, _ = placed(COMB, expected)
    assert share_behind(mission, "red") >= 0.4
    assert share_behind(mission, "blue") <= 0.3


def test_optional_objects_stand_in_dead_ends_off_the_walk() -> None:
    expected = MissionParameters(
        start="start",
        goal="goal",
        locks=(LockParameters(name="vault", for_="treasure"),),
        optional=("treasure", "shop"),
        rooms=CountRange(at_least=3),
    )
    mission, plan = placed(COMB, expected)
    walk = shortest_walk(mission)
    assert walk is not None
    entered = {int(COMB.rooms[y, x]) for x, y in walk.cells}
    rooms = {name: int(COMB.rooms[y, x]) for name, (x, y) in plan.cells.items()}
    assert len(entered - {0}) >= 3
    assert entered.isdisjoint([rooms["treasure"], rooms["shop"]])
    behind = mission.graph.reached(mission.graph.start, 0)
    x, y = plan.cells["treasure"]
    node = len(mission.graph.specials) - 1 + int(mission.graph.labels[y, x])
    assert not behind >> node & 1


@pytest.mark.parametrize(
    ("expected", "path", "message"),
    [
        (parameters(keys=30), ("locks",), "but only 11 were found"),
        (parameters(shortcuts=1), ("locks", 0), "no detour is left for 'gate0'"),
        (
            MissionParameters(start="start", goal="goal", rooms=CountRange(at_least=99)),
            ("rooms",),
            "at least 99 rooms",
        ),
        (
            MissionParameters(start="start", goal="goal", loops=CountRange(at_least=1)),
            ("loops",),
            "0 independent cycles (needed: at least 1",
        ),
        (
            MissionParameters(
                start="start", goal="goal", optional=tuple(f"shop{n}" for n in range(9))
            ),
            ("optional",),
            "no dead end is left",
        ),
        (
            MissionParameters(
                start="start",
                goal="goal",
                locks=(LockParameters(name="red"),),
                steps={"start..red": (500, 510)},
            ),
            ("steps", "start..red"),
            "500 to 510 steps apart",
        ),
        (
            MissionParameters(
                start="start",
                goal="goal",
                locks=(LockParameters(name="red"),),
                behind={"red": ShareRange(at_least=0.99)},
            ),
            ("behind", "red"),
            "at least 0.99 of the cells",
        ),
    ],
)
def test_demand_that_cannot_be_met_is_named(
    expected: MissionParameters, path: tuple[str | int, ...], message: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        placed(COMB, expected)
    assert caught.value.path[: len(path)] == path
    assert message in caught.value.message


def test_object_that_the_ground_has_no_place_for_is_named() -> None:
    nowhere = np.zeros_like(MIXED.walkable)
    expected = replace(parameters(1), optional=("shop",))
    for changes, path, message in (
        ({"given": {"shop": (5, 1)}}, ("optional", 0), "'shop' at [5, 1] is not in a dead end"),
        ({"free": nowhere}, ("start",), "no free cell is left for the start"),
        ({"free": nowhere, "given": {"start": (1, 4)}}, ("goal",), "is left for the goal"),
    ):
        with pytest.raises(ParameterError) as caught:
            placed(replace(MIXED, **changes), expected)
        assert caught.value.path == path
        assert message in caught.value.message
