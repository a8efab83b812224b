"""Find the shortest walk from start to goal, with the keys it needs.

The method is an A* search over states: a special cell (of a lock, key, start or goal), the keys
taken and the locks opened. A state with as many steps and fewer keys than another is skipped. The
estimate of the remaining steps is the path to the goal with all locks open.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import distance_from
from exporter.missions.states import Cell, MissionMap, bits, may_step, neighbours
from exporter.model.lazy_dataclass import dataclass
from exporter.model.mission import Lock

# The most states that a search for a walk examines.
MAXIMUM_STATES = 300_000

_State = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Event:
    """An action of the player on a walk, such as taking a key.

    Attributes:
        step: The number of steps before the action.
        lock: The index of the lock.
        key: The index of the taken key; None if the lock is opened or passed.
    """

    step: int
    lock: int
    key: int | None = None


@dataclass(frozen=True, slots=True)
class MissionWalk:
    """A shortest complete walk through a mission.

    Attributes:
        cells: The cells from start to goal, both included.
        events: The actions on the walk, in order.
    """

    cells: tuple[Cell, ...]
    events: tuple[Event, ...]

    @property
    def steps(self) -> int:
        """The number of steps of the walk."""
        return len(self.cells) - 1


def shortest_walk(mission: MissionMap) -> MissionWalk | None:
    """Return a shortest complete walk from start to goal.

    It collects the keys of all locks that it passes. Return None if the goal cannot be reached, or
    the search takes too long.
    """
    return _Search(mission).walk()


def walk_texts(mission: MissionMap, walk: MissionWalk) -> tuple[str, ...]:
    """Describe each action on `walk`, such as taking a key, in a text.

    A text begins with the number of steps since the action before; the last one reaches the goal.
    """
    texts = []
    done = 0
    for event in walk.events:
        texts.append(_steps_text(event.step - done) + _event_text(mission, event))
        done = event.step
    x, y = mission.goal
    texts.append(f"{_steps_text(walk.steps - done)}reach the goal at [{x}, {y}]")
    return tuple(texts)


def _steps_text(steps: int) -> str:
    return f"walk {steps} {'step' if steps == 1 else 'steps'}, " if steps else ""


def _event_text(mission: MissionMap, event: Event) -> str:
    lock = mission.locks[event.lock]
    if event.key is not None:
        x, y = mission.keys[event.key].cell
        return f"take the key of {lock.name!r} at [{x}, {y}]"
    x, y = lock.cells[0]
    verb = "pass the one-way" if lock.kind == "one_way" else "open"
    return f"{verb} {lock.name!r} at [{x}, {y}]"


class _Search:
    def __init__(self, mission: MissionMap) -> None:
        self.mission = mission
        self.graph = mission.graph
        self.floor = self.graph.labels > 0
        self._one_ways: dict[Cell, list[Lock]] = {}
        for lock in mission.locks:
            if lock.kind == "one_way":
                for cell in lock.cells:
                    self._one_ways.setdefault(cell, []).append(lock)
        self._fields: dict[int, NDArray[np.int32]] = {}
        self._ways: dict[int, list[tuple[int, int]]] = {}

    def walk(self) -> MissionWalk | None:
        graph = self.graph
        if graph.start is None or graph.goal is None:
            return None
        left = self._steps_left()
        if graph.start not in left or graph.closed_by[graph.start]:
            return None
        begin: _State = (graph.start, graph.keys_at[graph.start], 0)
        begin = self._opened_at(begin)
        best: dict[_State, int] = {begin: 0}
        before: dict[_State, _State] = {}
        # Of each node and set of open locks the keys with which it was reached soonest.
        settled: dict[tuple[int, int], list[int]] = {}
        waiting = [(left[graph.start], 0, begin)]
        looked_at = 0
        while waiting:
            _, steps, state = heappop(waiting)
            node, used, opened = state
            known = settled.setdefault((node, opened), [])
            if any(used & ~item == 0 for item in known):
                continue
            known.append(used)
            if node == graph.goal:
                return self._walk_back(before, state)
            looked_at += 1
            if looked_at > MAXIMUM_STATES:
                return None
            for there, length in self._ways_from(node):
                if there not in left:
                    continue
                after = self._entered(there, used, opened)
                if after is None:
                    continue
                total = steps + length
                if after not in best or total < best[after]:
                    best[after] = total
                    before[after] = state
                    heappush(waiting, (total + left[there], total, after))
        return None

    def _entered(self, node: int, keys: int, opened: int) -> _State | None:
        """Return the state after a step onto `node`; None if a lock stays closed.

        `keys` are the keys taken and `opened` the open locks, as bits.
        """
        graph = self.graph
        closed = graph.closed_by[node] & ~opened
        if closed:
            for index in bits(closed):
                bit = 1 << index
                if graph.shortcuts & bit or not graph.has_key(index, keys, opened):
                    return None
                if graph.small & bit:
                    opened |= bit
        return self._opened_at((node, keys | graph.keys_at[node], opened))

    def _opened_at(self, state: _State) -> _State:
        """Return `state` with all shortcuts open that can be opened there."""
        node, used, opened = state
        return node, used, opened | (self.graph.opens[node] & self.graph.shortcuts)

    def _steps_left(self) -> dict[int, int]:
        """Return the steps from each special cell to the goal, ignoring locks.

        A special cell has a lock, key, start or goal.
        """
        goal = self.graph.goal
        assert goal is not None
        backwards: dict[int, list[tuple[int, int]]] = {}
        for node in range(len(self.graph.specials)):
            for there, length in self._ways_from(node):
                backwards.setdefault(there, []).append((node, length))
        left: dict[int, int] = {}
        waiting = [(0, goal)]
        while waiting:
            steps, node = heappop(waiting)
            if node in left:
                continue
            left[node] = steps
            for there, length in backwards.get(node, ()):
                if there not in left:
                    heappush(waiting, (steps + length, there))
        return left

    def _ways_from(self, node: int) -> list[tuple[int, int]]:
        """Return the special cells that can be reached from `node`, with steps.

        Paths through other special cells (of locks, keys, start or goal) do not count.
        """
        if node in self._ways:
            return self._ways[node]
        cell = self.graph.specials[node]
        field = self._field(node)
        result: dict[int, int] = {}
        for there, other in enumerate(self.graph.specials):
            if there == node:
                continue
            for beside in neighbours(other):
                steps = self._steps_to(field, cell, beside)
                if steps is None or not may_step(self._one_ways, beside, other):
                    continue
                result[there] = min(steps + 1, result.get(there, steps + 1))
        self._ways[node] = list(result.items())
        return self._ways[node]

    def _steps_to(self, field: NDArray[np.int32], cell: Cell, beside: Cell) -> int | None:
        """Return the steps from a special cell `cell` to the cell `beside`.

        `field` has the steps from the neighbours of `cell`, over plain floor. Return None if
        `beside` cannot be reached.
        """
        if beside == cell:
            return 0
        x, y = beside
        height, width = field.shape
        if not (0 <= x < width and 0 <= y < height) or field[y, x] < 0:
            return None
        return int(field[y, x]) + 1

    def _field(self, node: int) -> NDArray[np.int32]:
        """Return each cell's steps from the neighbours of the special cell `node`.

        Walks lead over plain floor, never through other special cells. A cell that no walk reaches
        has -1.
        """
        if node not in self._fields:
            height, width = self.floor.shape
            sources = np.zeros((height, width), bool)
            cell = self.graph.specials[node]
            for x, y in neighbours(cell):
                inside = 0 <= y < height and 0 <= x < width
                if inside and may_step(self._one_ways, cell, (x, y)):
                    sources[y, x] = True
            self._fields[node] = distance_from(sources, self.floor)
        return self._fields[node]

    def _walk_back(self, before: dict[_State, _State], last: _State) -> MissionWalk:
        """Return the whole walk that ends in the state `last`.

        `before` has for each state the one before.
        """
        states = [last]
        while states[-1] in before:
            states.append(before[states[-1]])
        states.reverse()
        cells: list[Cell] = [self.graph.specials[states[0][0]]]
        events: list[Event] = []
        had: dict[int, None] = {}
        self._note(states[0], 0, had, events)
        for earlier, state in pairwise(states):
            cells += self._cells_between(earlier[0], state[0])
            self._note(state, len(cells) - 1, had, events)
        return MissionWalk(tuple(cells), tuple(events))

    def _note(self, state: _State, step: int, had: dict[int, None], events: list[Event]) -> None:
        """Add the actions of `state` to `events`, each only once on a walk.

        `step` is the number of steps so far; `had` has the actions noted before.
        """
        graph, mission = self.graph, self.mission
        node, _, opened = state
        cell = graph.specials[node]
        for key in bits(graph.keys_at[node]):
            if ~key not in had:
                had[~key] = None
                name = mission.keys[key].opens
                lock = next(i for i, item in enumerate(mission.locks) if item.name == name)
                events.append(Event(step, lock, key))
        passed = graph.opens[node] & graph.shortcuts & opened
        for index, item in enumerate(mission.locks):
            if index in had:
                continue
            if cell in item.cells or passed >> index & 1:
                had[index] = None
                # It was opened from the cell before.
                events.append(Event(max(step - (cell in item.cells), 0), index))

    def _cells_between(self, node: int, there: int) -> list[Cell]:
        """Return the cells of the path from special cell `node` to `there`.

        The first cell is left out, the last one included.
        """
        cell, other = self.graph.specials[node], self.graph.specials[there]
        field = self._field(node)
        best: tuple[int, Cell] | None = None
        for beside in neighbours(other):
            steps = self._steps_to(field, cell, beside)
            if steps is None or not may_step(self._one_ways, beside, other):
                continue
            if best is None or steps < best[0]:
                best = steps, beside
        assert best is not None
        steps, at = best
        result = [other]
        while steps:
            result.append(at)
            steps -= 1
            if steps:
                at = next(
                    (x, y)
                    for x, y in neighbours(at)
                    if 0 <= y < field.shape[0]
                    and 0 <= x < field.shape[1]
                    and field[y, x] == steps - 1
                )
        return result[::-1]
