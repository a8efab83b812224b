"""The proof of missions: it agrees with a judge that looks at every state on plain cells."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from cases import each_case
from exporter.missions import demands, proof, walks
from exporter.missions.proof import MissionProof, needed_locks, prove
from exporter.missions.states import Key, MissionMap
from exporter.missions.walks import Event, shortest_walk, walk_texts
from exporter.model.errors import ParameterError
from exporter.model.mission import Lock
from mission_judge import Game, stranded_states
from random_missions import SHAPES, judged, random_mission

LEVELS = 85  # of each shape


@each_case("shape", SHAPES)
def test_proof_agrees_with_judge(shape: str) -> None:
    dropped = 0
    for seed in range(LEVELS):
        mission = random_mission(shape, seed)
        stranded = judged(mission)
        assert (prove(mission).play is not None) == (stranded > 0), f"seed {seed}"
        dropped += stranded > 0
    assert 0 < dropped < LEVELS


def test_judge_finds_small_key_that_can_be_wasted() -> None:
    locks = [("small", "small_key", ((1, 0),), ()), ("small", "small_key", ((3, 0),), ())]
    assert stranded_states([[True] * 5], (2, 0), (4, 0), locks, [((2, 0), "small")]) == 3
    enough = [((2, 0), "small"), ((2, 0), "small")]
    assert not stranded_states([[True] * 5], (2, 0), (4, 0), locks, enough)


def test_play_names_the_door_on_which_a_small_key_is_wasted() -> None:
    first = Lock("small", "small_key", ((1, 0), (1, 1)))
    second = Lock("small", "small_key", ((3, 0), (3, 1)))
    mission = MissionMap(
        np.ones((2, 5), bool), (2, 0), (4, 0), [first, second], [Key((2, 0), "small")]
    )
    assert prove(mission).play == (
        "spend a key on the lock 'small' at [1, 0]",
        "the goal cannot be reached any more: small stays closed",
    )


def test_play_names_the_key_that_is_left_behind_a_one_way() -> None:
    drop = Lock("drop", "one_way", ((3, 0),), ((2, 0),))
    red, blue = Lock("red", "key", ((4, 0),)), Lock("blue", "key", ((5, 0),))
    keys = [Key((0, 0), "red"), Key((2, 0), "blue")]
    mission = MissionMap(np.ones((1, 7), bool), (1, 0), (6, 0), [drop, red, blue], keys)
    assert prove(mission).play == (
        "take the key of 'blue' at [2, 0]",
        "enter the one-way at [3, 0]",
        "the goal cannot be reached any more: red, blue stay closed, and the key of 'red' at "
        "[0, 0] is out of reach",
    )


def test_no_lock_is_opened_where_the_goal_is_in_reach() -> None:
    side = Lock("side", "small_key", ((1, 0),))
    mission = MissionMap(np.ones((1, 5), bool), (2, 0), (4, 0), [side], [Key((2, 0), "side")])
    assert prove(mission) == MissionProof(1)


def test_a_one_way_with_nothing_behind_is_no_trap() -> None:
    drop = Lock("drop", "one_way", ((2, 0),), ((1, 0),))
    mission = MissionMap(np.ones((1, 4), bool), (1, 0), (3, 0), [drop], [])
    assert prove(mission) == MissionProof(1)


def test_a_one_way_is_harmless_where_the_way_back_needs_what_was_opened_before() -> None:
    drop = Lock("drop", "one_way", ((4, 0),), ((3, 0),))
    red = Lock("red", "key", ((2, 0), (2, 2)))
    walkable = np.array([list("######"), list(".#...#"), list(".#####")]) == "#"
    mission = MissionMap(walkable, (1, 0), (0, 0), [drop, red], [Key((1, 0), "red")])
    assert prove(mission) == MissionProof(1)


def test_a_one_way_into_a_dead_end_behind_a_lock_is_a_trap() -> None:
    locks = [
        Lock("gate", "shortcut", ((5, 0),), ((4, 0),)),
        Lock("drop", "one_way", ((4, 1),), ((4, 0),)),
        Lock("small", "small_key", ((4, 0),)),
    ]
    walkable = np.array([list("######"), list("#.#.#.")]) == "#"
    mission = MissionMap(walkable, (2, 1), (0, 1), locks, [Key((1, 0), "small")])
    assert judged(mission)
    assert prove(mission).play == (
        "take the key of 'small' at [1, 0]",
        "open the lock 'small' at [4, 0]",
        "enter the one-way at [4, 1]",
        "the goal cannot be reached any more: gate stays closed",
    )


def test_proof_gives_up_with_a_reason_beyond_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    drop = Lock("drop", "one_way", ((2, 0),), ((1, 0),))
    red = Lock("red", "key", ((4, 0),))
    keys = [Key((0, 0), "red"), Key((1, 0), "drop")]  # no key opens a one-way
    mission = MissionMap(np.ones((1, 6), bool), (1, 0), (5, 0), [drop, red], keys)
    states = 10
    assert prove(mission).states == states
    monkeypatch.setattr(proof, "MAXIMUM_STATES", states)
    assert prove(mission).states == states
    monkeypatch.setattr(proof, "MAXIMUM_STATES", states - 1)
    with pytest.raises(ParameterError, match=f"more than {states - 1} states"):
        prove(mission)
    monkeypatch.setattr(proof, "MAXIMUM_STATES", 1)
    assert demands._blamed(mission, given=2) == ("locks",)  # whoever is to blame


def test_start_that_nobody_can_stand_on_loses_the_goal() -> None:
    red = Lock("red", "key", ((0, 0),))
    on_lock = MissionMap(np.ones((1, 3), bool), (0, 0), (2, 0), [red], [])
    in_wall = MissionMap(np.array([[False, True]]), (0, 0), (1, 0), [], [])
    assert prove(on_lock).play == ("the start lies on a lock",)
    assert prove(in_wall).play == ("the start is not on a walkable cell",)


def test_needed_locks_are_those_without_which_the_goal_is_out_of_reach() -> None:
    mission = MissionMap(
        np.ones((1, 8), bool),
        (2, 0),
        (7, 0),
        [
            Lock("red", "key", ((4, 0),)),
            Lock("side", "key", ((1, 0),)),
            Lock("gate", "shortcut", ((6, 0),), ((5, 0),)),
        ],
        [Key((2, 0), "side"), Key((3, 0), "red")],
    )
    assert needed_locks(mission) == 0b101


def test_shortest_walk_takes_the_keys_it_needs() -> None:
    red = Lock("red", "key", ((4, 0),))
    mission = MissionMap(np.ones((1, 7), bool), (2, 0), (6, 0), [red], [Key((0, 0), "red")])
    walk = shortest_walk(mission)
    assert walk is not None
    assert walk.steps == 8
    assert walk.cells == tuple((x, 0) for x in (2, 1, 0, 1, 2, 3, 4, 5, 6))
    assert walk_texts(mission, walk) == (
        "walk 2 steps, take the key of 'red' at [0, 0]",
        "walk 3 steps, open 'red' at [4, 0]",
        "walk 3 steps, reach the goal at [6, 0]",
    )


def test_shortest_walk_saves_its_small_key_for_the_lock_that_matters() -> None:
    locks = [Lock("small", "small_key", ((x, 0),)) for x in (1, 3)]
    locks.append(Lock("side", "key", ((0, 2),)))
    keys = [Key((0, 0), "small"), Key((2, 0), "side")]
    walkable = np.array([list("#####"), list("###.."), list("#....")]) == "#"
    # Through the first lock the other key is two steps nearer.
    walk = shortest_walk(MissionMap(walkable, (0, 0), (4, 0), locks, keys))
    assert walk is not None
    assert walk.steps == 6


def test_shortest_walk_gives_up_beyond_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    red = Lock("red", "key", ((4, 0),))
    mission = MissionMap(np.ones((1, 7), bool), (2, 0), (6, 0), [red], [Key((0, 0), "red")])
    for most in (3, 4):
        monkeypatch.setattr(walks, "MAXIMUM_STATES", most)
        assert (shortest_walk(mission) is not None) == (most == 4)


def test_a_walk_may_begin_on_a_one_way() -> None:
    drop = Lock("drop", "one_way", ((0, 0),))
    walk = shortest_walk(MissionMap(np.ones((1, 3), bool), (0, 0), (2, 0), [drop], []))
    assert walk is not None
    assert walk.events == (Event(0, 0),)


def test_there_is_no_walk_from_or_to_a_wall() -> None:
    for floor in ([[True, False]], [[False, True]]):
        assert shortest_walk(MissionMap(np.array(floor), (0, 0), (1, 0), [], [])) is None


@each_case("shape", SHAPES)
def test_shortest_walk_is_as_short_as_any_play(shape: str) -> None:
    for seed in range(30):
        mission = random_mission(shape, seed)
        walk = shortest_walk(mission)
        assert (walk.steps if walk else None) == fewest_steps(mission), f"seed {seed}"
        steps = pairwise(walk.cells if walk else ())
        assert all(abs(x - a) + abs(y - b) == 1 for (x, y), (a, b) in steps), f"seed {seed}"


def fewest_steps(mission: MissionMap) -> int | None:
    """Return the fewest steps in which the goal is reached, by looking at all states."""
    locks = [(lock.name, lock.kind, lock.cells, lock.opened_from) for lock in mission.locks]
    keys = [(key.cell, key.opens) for key in mission.keys]
    game = Game(mission.walkable.tolist(), locks, keys)
    if any(mission.start in lock.cells and lock.kind != "one_way" for lock in mission.locks):
        return None
    level, seen = {game.standing(mission.start, frozenset(), frozenset())}, set()
    for steps in range(200):
        waiting = list(level)
        while waiting:  # to open a lock takes no step
            state = waiting.pop()
            for after in game.moves(*state):
                if after[0] == state[0] and after not in level:
                    level.add(after)
                    waiting.append(after)
        if any(cell == mission.goal for cell, _, _ in level):
            return steps
        seen |= level
        level = {after for state in level for after in game.moves(*state)} - seen
        if not level:
            return None
    return None
