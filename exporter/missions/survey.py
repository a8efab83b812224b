"""Collect facts about a map that all attempts to place a mission share.

Faults that would fail every attempt are refused here: unreachable objects, too few or too many
loops of rooms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.grids.regions import label_regions
from exporter.missions.demands import MissionGround, Path, range_text
from exporter.missions.gates import Blocks, find_blocks
from exporter.missions.parameters import MissionParameters, is_within
from exporter.missions.states import Cell
from exporter.model.errors import ParameterError


class MissionSurvey:
    """The facts about a map that all attempts to place a mission share.

    A block is a part of the map between gates, the lines that locks can close.

    Attributes:
        blocks: The blocks of the map, and the gates between them.
        gates: For each block the indices of its gates to other blocks.
        floor: bool [height, width]: the region in which the mission takes place.
        dead_ends: For each block with only one gate, its cells in dead-end rooms (with one
            connection).
    """

    def __init__(self, parameters: MissionParameters, ground: MissionGround) -> None:
        self.parameters = parameters
        self.ground = ground
        self._check_given()
        self._check_loops()
        self.floor = self._region()
        keep = np.zeros(ground.walkable.shape, bool)
        for x, y in (*ground.given.values(), *(key.cell for key in ground.keys)):
            keep[y, x] = True
        between = ground.connections if parameters.needs_rooms else ()
        self.blocks: Blocks = find_blocks(self.floor, between, keep)
        count = len(self.blocks.sizes)
        self.gates: list[list[int]] = [[] for _ in range(count + 1)]
        for number, gate in enumerate(self.blocks.gates):
            first, second = gate.blocks
            if first != second:
                self.gates[first].append(number)
                self.gates[second].append(number)
        self.dead_ends = self._dead_ends() if parameters.optional else {}
        self.chain = [
            (index, lock)
            for index, lock in enumerate(parameters.locks)
            for _ in range(lock.count)
            if lock.has_keys and lock.at is None and lock.for_ is None
        ]
        self.seal = next(
            ((i, item) for i, item in enumerate(parameters.locks) if item.at is not None), None
        )
        self.sided = [
            (index, lock)
            for index, lock in enumerate(parameters.locks)
            if lock.kind in ("one_way", "shortcut")
        ]

    def _check_given(self) -> None:
        walkable = self.ground.walkable
        for name, (x, y) in self.ground.given.items():
            if not walkable[y, x]:
                raise ParameterError(
                    f"{name!r} is at [{x}, {y}], which is not walkable (move it)",
                    self.path_of(name),
                )

    def path_of(self, name: str) -> Path:
        """Return the path in the spec of the parameter that names object `name`."""
        parameters = self.parameters
        if name in parameters.optional:
            return ("optional", parameters.optional.index(name))
        return ("start",) if name == parameters.start else ("goal",)

    def _check_loops(self) -> None:
        from exporter.grids.room_paths import room_cycles, room_graph

        expected = self.parameters.loops
        if expected is None:
            return
        cycles = room_cycles(room_graph(int(self.ground.rooms.max()), self.ground.connections))
        if not is_within(cycles, expected):
            raise ParameterError(
                f"the room graph has {cycles} independent cycles (needed: {range_text(expected)}; "
                "change the layer: more or fewer corridors, or another seed)",
                ("loops",),
            )

    def _region(self) -> NDArray[np.bool_]:
        regions = label_regions(self.ground.walkable)
        if not regions.sizes.size:
            raise ParameterError("the level has no walkable cells for a mission")
        number = regions.largest
        for name, (x, y) in self.ground.given.items():
            if name == self.parameters.start:
                number = int(regions.labels[y, x])
        region: NDArray[np.bool_] = regions.labels == number
        for name, (x, y) in self.ground.given.items():
            if not region[y, x]:
                raise ParameterError(
                    f"no path leads from the rest of the mission to {name!r} at [{x}, {y}] (join "
                    f"the regions, as `connect: guaranteed` does, or move {name!r})",
                    self.path_of(name),
                )
        return region

    def _dead_ends(self) -> dict[int, NDArray[np.bool_]]:
        """Return the cells in dead-end rooms, by block, in blocks with one gate.

        A dead-end room has one connection; a block is a part of the map between gates.
        """
        degree: Counter[int] = Counter()
        for connection in self.ground.connections:
            degree.update(number + 1 for number in set(connection.rooms))
        lonely = [room for room, count in degree.items() if count == 1]
        in_dead_end = np.isin(self.ground.rooms, lonely) & self.floor
        result = {}
        for block, gates in enumerate(self.gates):
            if len(gates) == 1:
                cells = in_dead_end & (self.blocks.labels == block)
                if cells.any():
                    result[block] = cells
        return result

    def block_at(self, cell: Cell) -> int:
        """Return the block of `cell`, the part of the map between gates.

        No gate may close the cell.
        """
        return int(self.blocks.labels[cell[1], cell[0]])

    def has_cells(self, block: int) -> bool:
        """Return whether a mission object may stand somewhere in `block`.

        A block is a part of the map between gates.
        """
        return bool((self.ground.free & (self.blocks.labels == block)).any())

    def block_cells(self, blocks: Sequence[int]) -> NDArray[np.bool_]:
        """Return the cells of `blocks` on which objects may stand.

        Blocks are the numbered parts of the floor between gates. Cells outside rooms count only if
        no cell in a room is free. The result is bool [height, width].
        """
        labels = self.blocks.labels
        mask: NDArray[np.bool_] = self.ground.free & (
            labels == blocks[0] if len(blocks) == 1 else np.isin(labels, blocks)
        )
        inside = mask & (self.ground.rooms > 0)
        return inside if inside.any() else mask
