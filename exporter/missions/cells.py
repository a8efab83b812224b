"""Choose the cells of a mission's start, goal, keys and optional objects.

The locks are placed before. Each cell is drawn among all cells at the required number of steps from
earlier ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import distance_from
from exporter.missions.demands import (
    MissionPlan,
    Path,
    UnmetDemandError,
    distance_outside,
    range_text,
)
from exporter.missions.parameters import CountRange, is_within
from exporter.missions.states import Cell, Key
from exporter.missions.tree import Choices, Tree
from exporter.model.mission import Lock


class CellChoice:
    """Chooses the cells of a mission whose locks are placed already.

    A block is a part of the map between gates, the lines that locks can close.

    Args:
        tree: The blocks of the map as a tree.
        choices: The random choices.
        locks: The placed locks of each entry in the spec's `locks`, by its index.
        keys: For each key the index of its lock's entry, and the blocks where the key may lie.
    """

    def __init__(
        self,
        tree: Tree,
        choices: Choices,
        locks: Mapping[int, Sequence[Lock]],
        keys: Sequence[tuple[int, list[int]]],
    ) -> None:
        self.tree, self.choices, self.survey = tree, choices, tree.survey
        self.parameters, self.ground = tree.parameters, tree.ground
        self.locks = locks
        self.keys = keys
        self.occupied = ~self.ground.free
        self.ends: dict[str, Cell] = {}
        self.placed: list[tuple[int, Cell]] = []
        self._fields: dict[tuple[str, str], NDArray[np.int32]] = {}

    def plan(self) -> MissionPlan:
        """Choose all cells, one after another; return the mission with them.

        Raises:
            UnmetDemandError: No cell is at the number of steps from others that the spec asks for.
        """
        parameters, given = self.parameters, self.ground.given
        names = {"start": parameters.start, "goal": parameters.goal}
        blocks = {"start": self.tree.start_block, "goal": self.tree.goal_block}
        for key in self.ground.keys:
            self.ends.setdefault(key.opens, key.cell)
        for end, name in names.items():
            if name in given:
                self._put(end, given[name])
        if "start" not in self.ends:
            self._put("start", self._choose("start", [blocks["start"]]))
        cells: dict[str, Cell] = {}
        for name, block in self.tree.reserved.items():
            mask = self.survey.dead_ends[block] & ~self.occupied
            if name not in given and not mask.any():
                raise UnmetDemandError(
                    self.survey.path_of(name), f"no free cell is left for {name!r}"
                )
            cells[name] = given[name] if name in given else self.choices.pick_cell(mask)
            self.occupied[cells[name][1], cells[name][0]] = True
        for index, zone in self.keys:
            name = parameters.locks[index].name
            cell = self._choose(name, zone)
            self._put(name, cell)
            self.placed.append((index, cell))
        if "goal" not in self.ends:
            self._put("goal", self._choose("goal", [blocks["goal"]]))
        for pair, expected in parameters.steps.items():
            first, last = parameters.ends_of(pair)
            x, y = self.ends[last]
            steps = int(self._field(first, last)[y, x])
            self._judge(pair, expected, steps)
        cells[parameters.start], cells[parameters.goal] = self.ends["start"], self.ends["goal"]
        locks = [lock for index in sorted(self.locks) for lock in self._finished(index)]
        keys = [Key(cell, parameters.locks[index].name) for index, cell in self.placed]
        return MissionPlan(cells, tuple(locks), (*self.ground.keys, *keys))

    def _finished(self, index: int) -> Sequence[Lock]:
        expected = self.parameters.locks[index]
        if expected.at is None:
            return self.locks[index]
        return (Lock(expected.name, expected.kind, (self.ends["goal"],)),)

    def _put(self, end: str, cell: Cell) -> None:
        # Of several small keys none is an end of `steps`.
        self.ends[end] = cell
        self.occupied[cell[1], cell[0]] = True

    def _choose(self, end: str, blocks: Sequence[int]) -> Cell:
        """Choose a cell in `blocks`, the parts of the map where it may be.

        `end` says what for: `start`, `goal`, the name of a lock (for its key), or the name of an
        optional object.
        """
        demands = [
            (pair, expected, first if last == end else last)
            for pair, expected in self.parameters.steps.items()
            for first, last in (self.parameters.ends_of(pair),)
            if end in (first, last)
        ]
        if not demands:
            blocks = [self.choices.pick(blocks)]
        mask = self.survey.block_cells(blocks) & ~self.occupied
        if not mask.any():
            path: Path = (end,) if end in ("start", "goal") else ("locks",)
            raise UnmetDemandError(path, f"no free cell is left for the {_end_text(end)}")
        for pair, expected, other in demands:
            if other not in self.ends:
                continue
            first, last = self.parameters.ends_of(pair)
            steps = self._field(other, last if last == end else first, last)
            low, high = expected if isinstance(expected, tuple) else expected.limits
            fits = mask & (steps >= (1 if low is None else max(int(low), 1)))
            if high is not None:
                fits &= steps <= int(high)
            if not fits.any():
                values = np.unique(steps[mask & (steps > 0)]).tolist()
                nearest = min(
                    values, key=lambda value: distance_outside(value, expected), default=0
                )
                self._judge(pair, expected, nearest)
                raise UnmetDemandError(
                    ("steps", pair), f"no two free cells are {range_text(expected)} steps apart"
                )
            mask = fits
        if end == "goal":
            mask = self._off_the_way(mask)
        return self.choices.pick_cell(mask)

    def _off_the_way(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return `mask` without cells on shortest paths from start to last key.

        The last key is that of the lock at the goal. Without such a lock, return `mask` unchanged.
        """
        seal = self.survey.seal
        if seal is None or seal[1].name not in self.ends:
            return mask
        name = seal[1].name
        there = self._field("start", "", "")
        back = self._field(name, "", "")
        x, y = self.ends[name]
        off: NDArray[np.bool_] = mask & (there + back != there[y, x])
        if not off.any():
            raise UnmetDemandError(
                ("locks", seal[0]), f"the goal would block the path to the key of {name!r}"
            )
        return off

    def _field(self, source: str, last: str, closing: str | None = None) -> NDArray[np.int32]:
        """Return the steps from `source` to every cell while one lock is closed.

        `source` is `start`, `goal`, a lock (for its key) or an object, and `last` is another such
        end, to which the steps are counted. The lock called `closing`, by default `last`, is
        closed.
        """
        closing = last if closing is None else closing
        known = self._fields.get((source, closing))
        if known is not None:
            return known
        floor = self.survey.floor.copy()
        for index, lock in enumerate(self.parameters.locks):
            if lock.name != closing:
                continue
            for closed_cell in self._closed_cells(index):
                floor[closed_cell[1], closed_cell[0]] = False
        x, y = self.ends[source]
        sources = np.zeros(floor.shape, bool)
        sources[y, x] = True
        field = distance_from(sources, floor)
        if closing and self.parameters.locks and "goal" not in self.ends:
            return field  # a lock at the goal will close more
        self._fields[source, closing] = field
        return field

    def _closed_cells(self, index: int) -> Sequence[Cell]:
        lock = self.parameters.locks[index]
        if lock.at is not None:
            return (self.ends["goal"],) if "goal" in self.ends else ()
        return [cell for item in self.locks[index] for cell in item.cells]

    def _judge(self, pair: str, demand: tuple[int, int] | CountRange, steps: int) -> None:
        if steps < 0 or not is_within(steps, demand):
            first, last = (_end_text(end) for end in self.parameters.ends_of(pair))
            near = "no way leads there" if steps < 0 else f"the nearest has {steps}"
            raise UnmetDemandError(
                ("steps", pair),
                f"no two free cells for {first} and {last} are {range_text(demand)} steps apart "
                f"({near})",
                distance_outside(steps, demand) if steps >= 0 else 1 << 30,
            )


def _end_text(end: str) -> str:
    return end if end in ("start", "goal") else f"key of {end!r}"
