"""Find the cells where locks can close a map, and the blocks between.

A gate is a straight line of cells from wall to wall where two rooms meet: a door, or the narrowest
line there. Closing all gates splits the floor into blocks, so blocks and gates form a graph that is
exact for every cell, whatever the shape of the rooms. A line in an open part of a cave, which
separates nothing, is a gate from a block to itself; only shortcuts and one-ways can be placed
there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.grids.regions import label_regions
from exporter.missions.states import Cell
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Connection

# Wider openings are no gates: so many cells do not look like one lock.
WIDEST = 7


@dataclass(frozen=True, slots=True)
class Gate:
    """A straight line of cells, from wall to wall, that a lock can close.

    Attributes:
        cells: The cells of the line.
        sides: The walkable cells along its two sides.
        blocks: The blocks on its two sides, by number from 1; a block is a part of the map between
            gates.
    """

    cells: tuple[Cell, ...]
    sides: tuple[tuple[Cell, ...], tuple[Cell, ...]]
    blocks: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """The blocks into which closed gates split a map, and the gates.

    Attributes:
        labels: int32 [height, width]: the block of each cell; 0 for walls and gates.
        sizes: int64 [blocks]: the number of cells of each block.
        gates: The gates between the blocks.
    """

    labels: NDArray[np.int32]
    sizes: NDArray[np.int64]
    gates: tuple[Gate, ...]


def find_blocks(
    walkable: NDArray[np.bool_], connections: Sequence[Connection], remaining: NDArray[np.bool_]
) -> Blocks:
    """Find the gates of a map, and the blocks of floor between them.

    A gate is a line of cells, from wall to wall, that a lock can close.

    Args:
        walkable: bool [height, width].
        connections: The connections between rooms, where gates are looked for.
        remaining: bool [height, width]: cells that no gate may close.
    """
    lines: list[Gate] = []
    used: set[Cell] = set()
    # Doors first: where two lines are in each other's way, the door is what a player sees.
    for item in sorted(connections, key=lambda connection: connection.kind != "door"):
        gate = _gate_at(walkable, item.x, item.y)
        if gate is None or any(remaining[y, x] for x, y in gate.cells):
            continue
        around = {*gate.cells, *gate.sides[0], *gate.sides[1]}
        if not used.isdisjoint(around):
            continue
        used.update(gate.cells)
        lines.append(gate)
    while True:
        floor = walkable.copy()
        for gate in lines:
            for x, y in gate.cells:
                floor[y, x] = False
        regions = label_regions(floor)
        placed = [_between(gate, regions.labels) for gate in lines]
        good = [gate for gate in placed if gate is not None]
        if len(good) == len(lines):
            return Blocks(regions.labels, regions.sizes, tuple(good))
        lines = good


def _gate_at(walkable: NDArray[np.bool_], x: int, y: int) -> Gate | None:
    """Return the shortest gate through cell (x, y); None without one.

    A gate is a straight line of cells, from wall to wall, that a lock can close.
    """
    height, width = walkable.shape
    if not (0 <= x < width and 0 <= y < height and walkable[y, x]):
        return None
    result = []
    for right, down in ((1, 0), (0, 1)):
        cells = [(x, y)]
        for sign in (1, -1):
            at_x, at_y = x + sign * right, y + sign * down
            while 0 <= at_x < width and 0 <= at_y < height and walkable[at_y, at_x]:
                cells.append((at_x, at_y))
                if len(cells) > WIDEST:
                    break
                at_x, at_y = at_x + sign * right, at_y + sign * down
        if len(cells) > WIDEST:
            continue
        sides = tuple(
            tuple(
                (a + sign * down, b + sign * right)
                for a, b in sorted(cells)
                if 0 <= a + sign * down < width
                and 0 <= b + sign * right < height
                and walkable[b + sign * right, a + sign * down]
            )
            for sign in (-1, 1)
        )
        if all(sides):
            result.append(Gate(tuple(sorted(cells)), (sides[0], sides[1])))
    return min(result, key=lambda gate: len(gate.cells), default=None)


def _between(gate: Gate, labels: NDArray[np.int32]) -> Gate | None:
    """Return `gate` with the blocks on its two sides.

    `labels` has the block of each cell. Return None if a side touches several blocks.
    """
    sides = [{int(labels[y, x]) for x, y in side} for side in gate.sides]
    if any(len(side) != 1 or 0 in side for side in sides):
        return None
    first, second = (next(iter(side)) for side in sides)
    return Gate(gate.cells, gate.sides, (first, second))
