"""Order the blocks of a map as a tree from the start.

A block is a part of the map between gates, the lines that a lock can close. An edge of the tree,
named by its far block, can be closed by a lock together with the gates that lead around it. The
goal lies far from the start, and each optional object in a dead end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from exporter.missions.demands import UnmetDemandError
from exporter.missions.states import Cell
from exporter.missions.survey import MissionSurvey
from exporter.streams import Draws

# A lock closes at most so many gates.
MOST_GATES = 3

Item = TypeVar("Item")


class Choices:
    """Makes the random choices of one attempt to place a mission.

    `draws` are the random numbers.
    """

    def __init__(self, draws: Draws) -> None:
        self._draws = draws

    def below(self, low: int, high: int) -> int:
        """Choose a number from `low` up to, but not including, `high`."""
        number: int = self._draws.next(low, high)
        return number

    def pick(self, items: Sequence[Item]) -> Item:
        """Choose one of `items` at random."""
        return items[self.below(0, len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return `items` in random order."""
        rest = list(items)
        for last in range(len(rest) - 1, 0, -1):
            other = self.below(0, last + 1)
            rest[last], rest[other] = rest[other], rest[last]
        return rest

    def pick_cell(self, mask: NDArray[np.bool_]) -> Cell:
        """Choose at random a cell (x, y) where `mask` is true."""
        cells = np.flatnonzero(mask)
        y, x = divmod(int(cells[self.below(0, cells.size)]), mask.shape[1])
        return x, y


class Tree:
    """The blocks of a map, ordered as a tree that begins at the start.

    A block is a part of the map between gates, the lines that locks can close.

    Args:
        survey: The facts about the map that all attempts share.
        choices: The random choices.
        number: The number of the attempt.

    Attributes:
        start_block: The block of the start.
        goal_block: The block of the goal.
        parent: For each block the previous block on the path from the start.
        depth: For each block the number of edges from the start.
        gate_to: For each block but the first the gate that leads to it.
        around: For each block the other gates that lead to it or to blocks behind it.
        spare: The gates that are not edges of the tree.
        most_gates: The largest number of gates that a lock may close.
        cells_behind: For each block the number of cells in it and behind it.
        reserved: For each optional object the block of its dead end.
    """

    def __init__(self, survey: MissionSurvey, choices: Choices, number: int) -> None:
        self.survey, self.choices = survey, choices
        self.parameters, self.ground = survey.parameters, survey.ground
        self.most_gates = MOST_GATES + number // 30
        self.start_block = self._start_block()
        self._span(deep=bool(number & 2))
        self.goal_block = self._goal_block()
        self.reserved = self._reserve_dead_ends()

    def _start_block(self) -> int:
        given = self.ground.given.get(self.parameters.start)
        if given is not None:
            return self.survey.block_at(given)
        able = [block for block in range(1, len(self.survey.gates)) if self.survey.has_cells(block)]
        if not able:
            raise UnmetDemandError(
                ("start",), "no free cell is left for the start (remove objects)"
            )
        ends = [block for block in able if len(self.survey.gates[block]) == 1]
        return self.choices.pick(ends if len(ends) > 2 and self.choices.below(0, 2) else able)

    def _span(self, *, deep: bool) -> None:
        """Build the tree from the start: depth first if `deep`, or breadth first."""
        gates = self.survey.blocks.gates
        self.parent: dict[int, int] = {self.start_block: 0}
        self.gate_to: dict[int, int] = {}
        self.depth: dict[int, int] = {self.start_block: 0}
        waiting: deque[tuple[int, int, int]] = deque()

        def look_from(block: int) -> None:
            for number in self.choices.shuffled(self.survey.gates[block]):
                first, second = gates[number].blocks
                waiting.append((block, number, second if first == block else first))

        look_from(self.start_block)
        while waiting:
            block, number, there = waiting.pop() if deep else waiting.popleft()
            if there in self.parent:
                continue
            self.parent[there], self.gate_to[there] = block, number
            self.depth[there] = self.depth[block] + 1
            look_from(there)
        # Which gates lead around each edge; an edge is called after its far block.
        tree = set(self.gate_to.values())
        self.around: dict[int, list[int]] = {block: [] for block in self.gate_to}
        self.spare: list[int] = []  # gates that are no edge of the tree
        for number, gate in enumerate(gates):
            if number in tree or gate.blocks[0] not in self.parent:
                continue
            self.spare.append(number)
            first, second = gate.blocks
            while first != second:
                if self.depth[first] < self.depth[second]:
                    first, second = second, first
                self.around[first].append(number)
                first = self.parent[first]
        self.cells_behind = {
            block: int(self.survey.blocks.sizes[block - 1]) for block in self.parent
        }
        for block in sorted(self.gate_to, key=lambda item: -self.depth[item]):
            self.cells_behind[self.parent[block]] += self.cells_behind[block]

    def _goal_block(self) -> int:
        given = self.ground.given.get(self.parameters.goal)
        if given is not None:
            return self.survey.block_at(given)
        if not self.gate_to:
            return self.start_block
        far = sorted(
            (block for block in self.gate_to if self.survey.has_cells(block)),
            key=lambda block: (self._edges_before(block), self.depth[block], block),
        )
        if not far:
            raise UnmetDemandError(("goal",), "no free cell is left for the goal (remove objects)")
        low = len(far) // 2
        position: int = max(self.choices.below(low, len(far)) for _ in range(2))
        return far[position]

    def _edges_before(self, block: int) -> int:
        """Return how many edges between the start and `block` a lock can close.

        An edge can be closed unless too many gates lead around it.
        """
        count = 0
        while block in self.gate_to:
            count += len(self.around[block]) < self.most_gates
            block = self.parent[block]
        return count

    def _reserve_dead_ends(self) -> dict[str, int]:
        """Choose for each optional object a dead end; return its block, by name."""
        parameters, given = self.parameters, self.ground.given
        reserved: dict[str, int] = {}
        open_ends = [
            block
            for block in self.survey.dead_ends
            if block not in (self.start_block, self.goal_block) and block in self.parent
        ]
        for name in parameters.optional:
            if name not in given:
                continue
            block = self.survey.block_at(given[name])
            if block not in open_ends or not self._in_dead_end(block, given[name]):
                x, y = given[name]
                raise UnmetDemandError(
                    self.survey.path_of(name),
                    f"{name!r} at [{x}, {y}] is not in a dead end (move it into a room with one "
                    "connection)",
                )
            open_ends.remove(block)
            reserved[name] = block
        open_ends = [
            block for block in open_ends if (self.survey.dead_ends[block] & self.ground.free).any()
        ]
        for index, name in enumerate(parameters.optional):
            if name in reserved:
                continue
            if not open_ends:
                count = len(self.survey.dead_ends)
                raise UnmetDemandError(
                    ("optional", index),
                    f"no dead end is left for {name!r}: the map has {count}, not counting those "
                    "of start and goal (leave it out, or make a layer with more rooms of one "
                    "connection)",
                )
            block = self.choices.pick(open_ends)
            open_ends.remove(block)
            reserved[name] = block
        return reserved

    def _in_dead_end(self, block: int, cell: Cell) -> bool:
        return bool(self.survey.dead_ends[block][cell[1], cell[0]])

    def behind(self, blocks: set[int]) -> set[int]:
        """Return `blocks` and all blocks behind them, as seen from the start."""
        result = set(blocks)
        for block in sorted(self.gate_to, key=lambda item: self.depth[item]):
            if self.parent[block] in result:
                result.add(block)
        return result
