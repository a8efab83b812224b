"""Prove that a player can never lose the goal, in any order of play.

A state of play is the player's cell, the keys taken and the locks open. A player may skip a key or
a door and do something final first, so every order counts. The proof looks for a state from which
the goal can no longer be reached.

Two actions are final: spending a small key (which is used up), and passing a one-way from which no
path leads back. All others, taking a key, opening a lock with a reusable key, opening a shortcut,
only add to what the player can do. So if every one-way is harmless, it is enough to check the sets
of small locks that can be open, with all other actions done as early as possible: any other state
with the same small locks open can still reach that state. A one-way is harmless if from each step
into it or out of it a path leads back or on to the goal, through no other locks than those that
must be open to get there.

If a one-way may do harm, every state is examined.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from exporter.missions.states import Key, MissionMap, StateGraph, bits
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.mission import Lock

State = TypeVar("State")

# More states than a proof looks at one by one.
MAXIMUM_STATES = 200_000


@dataclass(frozen=True, slots=True)
class MissionProof:
    """The result of proving a mission.

    Attributes:
        states: The number of examined states.
        play: The shortest list of actions that lose the goal, as texts; None if the goal cannot be
            lost.
    """

    states: int
    play: tuple[str, ...] | None = None


def prove(mission: MissionMap) -> MissionProof:
    """Prove that a mission's goal cannot be lost in any order of play.

    Raises:
        ParameterError: The mission has too many states to examine.
    """
    graph = mission.graph
    if graph.start is None:
        return MissionProof(1, ("the start is not on a walkable cell",))
    if graph.closed_by[graph.start]:
        return MissionProof(1, ("the start lies on a lock",))
    return _spending_orders(graph) if _one_ways_are_harmless(graph) else _each_state(graph)


def needed_locks(mission: MissionMap) -> int:
    """Return the locks that are on every path to the goal.

    The result has a bit for each lock.
    """
    places = range(len(mission.locks))
    return sum(1 << index for index in places if not _wins_without(mission.graph, index))


def _wins_without(graph: StateGraph, lock: int) -> bool:
    """Return whether the goal can be reached without opening lock `lock`.

    Keys count as reusable.
    """
    assert graph.start is not None
    opened = 0
    while True:
        reached = graph.reached(graph.start, opened)
        if graph.goal is not None and reached >> graph.goal & 1:
            return True
        used, beside = _lying(graph, reached)
        more = sum(
            1 << index
            for index in bits(beside & ~opened & ~(1 << lock))
            if graph.shortcuts >> index & 1 or graph.keys_of[index] & used
        )
        if not more:
            return False
        opened |= more


def _lying(graph: StateGraph, nodes: int) -> tuple[int, int]:
    """Return the keys on `nodes`, and the locks that can be opened from there.

    Each is an integer with a bit for each key or lock, and so is `nodes`.
    """
    keys = locks = 0
    for node in bits(nodes):
        keys |= graph.keys_at[node]
        locks |= graph.opens[node]
    return keys, locks


def _one_ways_are_harmless(graph: StateGraph) -> bool:
    """Return whether no one-way step can cut a player off from the goal."""
    assert graph.start is not None
    everything = (1 << len(graph.mission.locks)) - 1
    without = [
        (1 << index, graph.reached(graph.start, everything & ~(1 << index)))
        for index in bits(everything)
    ]
    for here, edges in enumerate(graph.edges):
        for there in edges:
            if not graph.one_way & (1 << here | 1 << there) or here in graph.edges[there]:
                continue
            open_then = sum(lock for lock, reached in without if not reached >> here & 1)
            reached = graph.reached(there, open_then | graph.closed_by[there])
            leads_on = graph.goal is not None and reached >> graph.goal & 1
            if not leads_on and not reached >> here & 1:
                return False
    return True


def _spending_orders(graph: StateGraph) -> MissionProof:
    """Examine every set of small locks that a player can have opened.

    Small locks are those whose keys are used up; all other actions are done as early as possible.
    """
    before: dict[int, tuple[int, int] | None] = {0: None}
    backwards: dict[int, list[int]] = {}
    waiting = deque([0])
    won: list[int] = []
    while waiting:
        spent = waiting.popleft()
        wins, used, opened, beside = _all_else(graph, spent)
        if wins:
            won.append(spent)
            continue  # whatever else is opened, this way to the goal stays
        for index in bits(beside & graph.small & ~opened):
            if not graph.has_key(index, used, opened):
                continue
            after = spent | 1 << index
            backwards.setdefault(after, []).append(spent)
            if after not in before:
                before[after] = spent, index
                waiting.append(after)
    dropped = _first_dropped(before, backwards, won)
    if dropped is None:
        return MissionProof(len(before))
    order = []
    at = before[dropped]
    while at is not None:
        order.append(at[1])
        at = before[at[0]]
    _, used, opened, _ = _all_else(graph, dropped)
    texts = [
        f"spend a key on the lock {_lock_text(graph.mission.locks[index])}"
        for index in reversed(order)
    ]
    return MissionProof(len(before), (*texts, _closed_text(graph.mission, used, opened)))


def _first_dropped(
    states: Iterable[State], backwards: Mapping[State, Sequence[State]], won: Iterable[State]
) -> State | None:
    """Return the first state from which no winning state can be reached.

    `states` are ordered by the number of actions that lead to them; `backwards` has for each state
    those from which it is reached; `won` are the winning states. Return None if there is no such
    state.
    """
    waiting = list(won)
    good = set(waiting)
    while waiting:
        for state in backwards.get(waiting.pop(), ()):
            if state not in good:
                good.add(state)
                waiting.append(state)
    return next((state for state in states if state not in good), None)


def _all_else(graph: StateGraph, spent: int) -> tuple[bool, int, int, int]:
    """Take all keys and open all locks possible, but spend no small key.

    `spent` are the small locks that are open already. Return whether the goal can be reached; then
    as bits the keys taken, the locks open, and all locks that the player can walk up to.
    """
    assert graph.start is not None
    opened = spent
    used = beside = 0
    seen = 1 << graph.start
    waiting = [graph.start]
    behind: list[tuple[int, int]] = []  # steps to closed nodes
    goal, edges, closed_by = graph.goal, graph.edges, graph.closed_by
    while True:
        while waiting:
            node = waiting.pop()
            if node == goal:
                return True, used, opened, beside
            used |= graph.keys_at[node]
            beside |= graph.opens[node]
            for there in edges[node]:
                bit = 1 << there
                if seen & bit:
                    continue
                if closed_by[there] & ~opened:
                    behind.append((node, there))
                    continue
                seen |= bit
                waiting.append(there)
        more = 0
        for index in bits(beside & ~graph.small & ~opened):
            if graph.shortcuts >> index & 1 or graph.keys_of[index] & used:
                more |= 1 << index
        if not more:
            return False, used, opened, beside
        opened |= more
        met, behind = behind, []
        for node, there in met:
            if seen >> there & 1:
                continue
            if closed_by[there] & ~opened:
                behind.append((node, there))
            else:
                seen |= 1 << there
                waiting.append(there)


def _closed_text(mission: MissionMap, used: int, opened: int) -> str:
    """Return a text on which locks keep a player from the goal.

    `used` are the keys taken, and `opened` the locks open, as bits.
    """
    closed = [item for index, item in enumerate(mission.locks) if not opened >> index & 1]
    left = [key for index, key in enumerate(mission.keys) if not used >> index & 1]
    text = "the goal cannot be reached any more"
    names = dict.fromkeys(lock.name for lock in closed if lock.kind != "one_way")
    if names:
        text += f": {', '.join(names)} {'stay' if len(names) > 1 else 'stays'} closed"
    if left:
        text += f", and the {_key_text(left[0])} is out of reach"
    return text


def _lock_text(lock: Lock) -> str:
    x, y = lock.cells[0]
    return f"{lock.name!r} at [{x}, {y}]"


def _key_text(key: Key) -> str:
    x, y = key.cell
    return f"key of {key.opens!r} at [{x}, {y}]"


# --- one by one -------------------------------------------------------------------------------

_State = tuple[int, int, int]


def _each_state(graph: StateGraph) -> MissionProof:
    """Examine every state of play, one by one.

    Raise `ParameterError` if there are too many.
    """
    assert graph.start is not None
    begin = (graph.start, graph.keys_at[graph.start], 0)
    before: dict[_State, _State | None] = {begin: None}
    backwards: dict[_State, list[_State]] = {}
    waiting = deque([begin])
    won: list[_State] = []
    while waiting:
        state = waiting.popleft()
        if state[0] == graph.goal:
            won.append(state)
        for after in _moves(graph, state):
            backwards.setdefault(after, []).append(state)
            if after not in before:
                before[after] = state
                waiting.append(after)
        if len(before) > MAXIMUM_STATES:
            raise ParameterError(
                f"the one-way connections without a path back give more than {MAXIMUM_STATES:,} "
                "states of play, too many to check (use fewer locks, or add a path back)"
            )
    dropped = _first_dropped(before, backwards, won)
    if dropped is None:
        return MissionProof(len(before))
    return MissionProof(len(before), _play(graph, before, dropped))


def _moves(graph: StateGraph, state: _State) -> list[_State]:
    node, used, opened = state
    result = [
        (there, used | graph.keys_at[there], opened)
        for there in graph.edges[node]
        if not graph.closed_by[there] & ~opened
    ]
    result += [
        (node, used, opened | 1 << index) for index in bits(graph.can_open(node, used, opened))
    ]
    return result


def _play(
    graph: StateGraph, before: dict[_State, _State | None], dropped: _State
) -> tuple[str, ...]:
    """Return the actions that lead to the state `dropped`, as texts.

    `before` has for each state the one before.
    """
    mission = graph.mission
    steps = [dropped]
    while (earlier := before[steps[-1]]) is not None:
        steps.append(earlier)
    steps.reverse()
    texts = []
    for (_, used, opened), (node, used_then, opened_then) in pairwise(steps):
        texts += [f"take the {_key_text(mission.keys[index])}" for index in bits(used_then & ~used)]
        texts += [
            f"open the lock {_lock_text(mission.locks[index])}"
            for index in bits(opened_then & ~opened)
        ]
        if graph.one_way >> node & 1:
            x, y = graph.specials[node]
            texts.append(f"enter the one-way at [{x}, {y}]")
    return (*texts, _closed_text(mission, dropped[1], dropped[2]))
