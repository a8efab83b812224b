"""Model a map as nodes and locks, for a player who carries keys.

Special cells are those of locks, keys, start and goal, and cells from which shortcuts are opened.
Each is a node of its own; all other cells are merged into the connected regions between them. So
the graph is exact: a key in a corridor is a node that every path through the corridor passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from exporter.grids.regions import label_regions
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.mission import Lock

Cell = tuple[int, int]
_STEPS = ((0, -1), (-1, 0), (1, 0), (0, 1))


@dataclass(frozen=True, slots=True)
class Key:
    """A key: its cell, and the name of the locks that it opens."""

    cell: Cell
    opens: str


@dataclass(frozen=True, eq=False)
class MissionMap:
    """A map with its locks and keys, as a player meets them.

    Attributes:
        walkable: bool [height, width].
        start: The cell where the player starts.
        goal: The cell where the player wins.
        locks: The locks with their cells.
        keys: The keys with their cells.
    """

    walkable: NDArray[np.bool_]
    start: Cell
    goal: Cell
    locks: Sequence[Lock]
    keys: Sequence[Key]

    @cached_property
    def graph(self) -> StateGraph:
        """The map as a graph of nodes and locks."""
        return StateGraph(self)


class StateGraph:
    """The special cells and regions of a map as a graph of nodes.

    Special cells are those of locks, keys, start and goal, and those from which shortcuts are
    opened. Sets of locks, keys and nodes are integers with one bit for each member.

    Attributes:
        specials: The walkable special cells; they are the first nodes, in this order.
        labels: int32 [height, width]: the region of each other cell, from 1; 0 for walls and
            special cells.
        edges: For each node the adjacent nodes, ignoring locks.
        closed_by: For each node the locks that must be open to enter it.
        one_way: The nodes that are cells of one-ways.
        keys_at: For each node the keys on it.
        opens: For each node the locks that can be opened from it.
        start: The node where the player starts; None if it is not walkable.
        goal: The node where the player wins; None if it is not walkable.
        keys_of: For each lock the keys that open it.
        same_name: For each lock the locks that share its keys, including the lock itself.
    """

    def __init__(self, mission: MissionMap) -> None:
        self.mission = mission
        self.specials = [cell for cell in _held_cells(mission) if self._is_walkable(cell)]
        self.number = {cell: node for node, cell in enumerate(self.specials)}
        open_floor = mission.walkable.copy()
        for x, y in self.specials:
            open_floor[y, x] = False
        regions = label_regions(open_floor)
        self.labels = regions.labels
        self.count = len(self.specials) + regions.count
        self.start = self.number.get(mission.start)
        self.goal = self.number.get(mission.goal)
        self._note_kinds(mission.locks)
        self._note_keys(mission.locks, mission.keys)
        self._note_closed(mission.locks)
        self._note_opening(mission.locks)
        self.edges = self._joined_nodes(mission.locks)

    def _is_walkable(self, cell: Cell) -> bool:
        x, y = cell
        height, width = self.mission.walkable.shape
        return 0 <= x < width and 0 <= y < height and bool(self.mission.walkable[y, x])

    def _node_of(self, cell: Cell) -> int | None:
        known = self.number.get(cell)
        if known is not None:
            return known
        if not self._is_walkable(cell):
            return None
        return len(self.specials) - 1 + int(self.labels[cell[1], cell[0]])

    def _note_kinds(self, locks: Sequence[Lock]) -> None:
        kinds = [lock.kind for lock in locks]
        self.small = sum(1 << i for i, kind in enumerate(kinds) if kind == "small_key")
        self.reusable = sum(1 << i for i, kind in enumerate(kinds) if kind == "key")
        self.shortcuts = sum(1 << i for i, kind in enumerate(kinds) if kind == "shortcut")

    def _note_keys(self, locks: Sequence[Lock], keys: Sequence[Key]) -> None:
        self.same_name = [
            sum((item.name == lock.name) << other for other, item in enumerate(locks))
            for lock in locks
        ]
        self.keys_of = [
            sum((key.opens == lock.name) << other for other, key in enumerate(keys))
            for lock in locks
        ]
        self.keys_at = [0] * self.count
        for other, key in enumerate(keys):
            if key.cell in self.number:
                self.keys_at[self.number[key.cell]] |= 1 << other

    def _note_closed(self, locks: Sequence[Lock]) -> None:
        self.closed_by = [0] * self.count
        self.one_way = 0
        for index, lock in enumerate(locks):
            for node in (self.number[cell] for cell in lock.cells if cell in self.number):
                if lock.kind == "one_way":
                    self.one_way |= 1 << node
                else:
                    self.closed_by[node] |= 1 << index

    def _note_opening(self, locks: Sequence[Lock]) -> None:
        self.opens = [0] * self.count
        for index, lock in enumerate(locks):
            if lock.kind == "one_way":
                continue
            for beside in {there for cell in lock.cells for there in neighbours(cell)}:
                if lock.kind == "shortcut" and beside not in lock.opened_from:
                    continue
                node = self._node_of(beside)
                if node is not None:
                    self.opens[node] |= 1 << index

    def _joined_nodes(self, locks: Sequence[Lock]) -> list[list[int]]:
        one_ways: dict[Cell, list[Lock]] = {}
        for lock in locks:
            for cell in lock.cells if lock.kind == "one_way" else ():
                one_ways.setdefault(cell, []).append(lock)
        joined: list[set[int]] = [set() for _ in range(self.count)]
        for node, cell in enumerate(self.specials):
            for beside in neighbours(cell):
                there = self._node_of(beside)
                if there is None:
                    continue
                if may_step(one_ways, cell, beside):
                    joined[node].add(there)
                if may_step(one_ways, beside, cell):
                    joined[there].add(node)
        return [sorted(item) for item in joined]

    def can_open(self, node: int, keys: int, opened: int) -> int:
        """Return the closed locks that a player at `node` can open.

        `keys` are the keys taken, `opened` the open locks; these and the result have one bit for
        each.
        """
        result = 0
        for index in bits(self.opens[node] & ~opened):
            if self.has_key(index, keys, opened):
                result |= 1 << index
        return result

    def has_key(self, index: int, keys: int, opened: int) -> bool:
        """Return whether a player beside lock number `index` can open it.

        Shortcuts need no key. `keys` are the keys taken and `opened` the open locks, as bits; open
        locks have used up their small keys.
        """
        if self.shortcuts >> index & 1:
            return True
        count = (self.keys_of[index] & keys).bit_count()
        if self.reusable >> index & 1:
            return count > 0
        return count > (self.same_name[index] & opened).bit_count()

    def reached(self, start: int, opened: int, blocked: int = 0) -> int:
        """Return the nodes that can be reached from the node `start`, as bits.

        `opened` are the open locks, and `blocked` are nodes that are not entered.
        """
        seen = 1 << start
        waiting = [start]
        edges, closed_by = self.edges, self.closed_by
        while waiting:
            for there in edges[waiting.pop()]:
                bit = 1 << there
                if not (seen | blocked) & bit and not closed_by[there] & ~opened:
                    seen |= bit
                    waiting.append(there)
        return seen


def _held_cells(mission: MissionMap) -> dict[Cell, None]:
    """Return the cells of locks, keys, start and goal, each once."""
    held: dict[Cell, None] = {}
    for lock in mission.locks:
        held.update(dict.fromkeys(lock.cells))
        if lock.kind == "shortcut":
            held.update(dict.fromkeys(lock.opened_from))
    held.update(dict.fromkeys(key.cell for key in mission.keys))
    held.update({mission.start: None, mission.goal: None})
    return held


def neighbours(cell: Cell) -> list[Cell]:
    """Return the four cells beside `cell`; they may be outside the map."""
    x, y = cell
    return [(x + right, y + down) for right, down in _STEPS]


def may_step(one_ways: dict[Cell, list[Lock]], here: Cell, there: Cell) -> bool:
    """Return whether one-ways allow the step from `here` to `there`.

    `one_ways` has the locks of this kind by cell.
    """
    for lock in one_ways.get(there, ()):
        if here not in lock.opened_from and here not in lock.cells:
            return False
    return all(there not in lock.opened_from for lock in one_ways.get(here, ()))


def bits(numbers: int) -> list[int]:
    """Return the positions of the set bits of `numbers`, ascending."""
    result = []
    while numbers:
        low = numbers & -numbers
        result.append(low.bit_length() - 1)
        numbers ^= low
    return result


def level_map(level: Level) -> MissionMap | None:
    """Return the mission map of `level`; None without mission, start or goal."""
    mission = level.mission
    if mission is None:
        return None
    start = next((item for item in level.objects if item.name == mission.start), None)
    goal = next((item for item in level.objects if item.name == mission.goal), None)
    if start is None or goal is None:
        return None
    names = {lock.name for lock in mission.locks}
    keys = tuple(
        Key((item.x, item.y), str(item.opens)) for item in level.objects if item.opens in names
    )
    return MissionMap(level.walkable(), (start.x, start.y), (goal.x, goal.y), mission.locks, keys)
