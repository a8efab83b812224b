"""Measure walks on a grid: steps, directions and detours.

A step goes to one of the four neighbours. Walks go over walkable cells; they may begin and end in
marked cells that are not walkable, such as a chest in a wall, but never pass through one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import UNREACHABLE, distance_from
from exporter.model.lazy_dataclass import dataclass

Mask = NDArray[np.bool_]

# The directions of a flow, in the order of preference, and the value for none.
NORTH, EAST, SOUTH, WEST, HERE, NOWHERE = range(6)
_FAR = np.int32(2**31 - 3)


def steps_from(marked: Mask, walkable: Mask) -> NDArray[np.int32]:
    """Return the steps from the nearest marked cell: int32 [height, width].

    It is -1 for cells that no walk reaches, and for cells neither walkable nor marked.

    Args:
        marked: bool [height, width]; they need not be walkable.
        walkable: bool [height, width].
    """
    return distance_from(marked, walkable | marked)


def move_aside(steps: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the lowest distance of a neighbour plus one, or -1."""
    framed = np.pad(np.where(steps < 0, _FAR, steps), 1, constant_values=_FAR)
    least = np.minimum(
        np.minimum(framed[:-2, 1:-1], framed[2:, 1:-1]),
        np.minimum(framed[1:-1, :-2], framed[1:-1, 2:]),
    )
    return np.where(least == _FAR, np.int32(UNREACHABLE), least + np.int32(1))


def walking_steps(walkable: Mask, cells: Iterable[int], *, aside: bool) -> NDArray[np.int32]:
    """Return the steps from the nearest given cell to each cell, or -1.

    Args:
        walkable: bool [height, width].
        cells: Where to start, row-major numbers; they need not be walkable.
        aside: Cells that are not walkable count from their nearest neighbour, so that something in
            a wall can be reached.
    """
    sources = np.zeros_like(walkable)
    sources.ravel()[list(cells)] = True
    steps = steps_from(sources, walkable)
    return np.where(walkable | sources, steps, move_aside(steps)) if aside else steps


def flow(steps: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return the direction of the next step to a goal: uint8 [height, width].

    Of several nearer neighbours it is the first in the order north, east, south, west. Marked cells
    are `HERE`, cells that reach none `NOWHERE`.

    Args:
        steps: int32 [height, width], of `steps_from`.
    """
    result = np.full(steps.shape, NOWHERE, np.uint8)
    framed = np.pad(steps, 1, constant_values=UNREACHABLE)
    nearer = steps - np.int32(1)
    able = steps > 0
    for direction, beside in (
        (WEST, framed[1:-1, :-2]),
        (SOUTH, framed[2:, 1:-1]),
        (EAST, framed[1:-1, 2:]),
        (NORTH, framed[:-2, 1:-1]),
    ):
        result[able & (beside == nearer)] = direction
    result[steps == 0] = HERE
    return result


@dataclass(frozen=True, slots=True, eq=False)
class Detours:
    """The length of the shortest walk over each cell.

    Attributes:
        from_start: int32 [height, width]: steps from the nearest start; -1 for never.
        to_goal: int32 [height, width]: steps to the nearest goal; -1 for never.
        total: int32 [height, width]: both together; -1 where one of them is.
        shortest: The steps of the shortest walk; None without any.
    """

    from_start: NDArray[np.int32]
    to_goal: NDArray[np.int32]
    total: NDArray[np.int32]
    shortest: int | None

    def within(self, detour: int) -> Mask:
        """Return the cells on walks at most this much longer."""
        if self.shortest is None:
            return np.zeros(self.total.shape, bool)
        return (self.total >= 0) & (self.total <= self.shortest + detour)


def detours(from_start: NDArray[np.int32], to_goal: NDArray[np.int32]) -> Detours:
    """Return the shortest walks from start to goal over each cell.

    Args:
        from_start: Steps from the starts, of `steps_from`.
        to_goal: Steps from the goals, likewise.
    """
    # Starts that are not walkable can still be left, and goals entered.
    begun = np.where((to_goal == 0) & (from_start < 0), move_aside(from_start), from_start)
    ended = np.where((from_start == 0) & (to_goal < 0), move_aside(to_goal), to_goal)
    both = (begun >= 0) & (ended >= 0)
    total = np.where(both, begun + ended, np.int32(UNREACHABLE))
    shortest = int(total[both].min()) if both.any() else None
    return Detours(begun, ended, total, shortest)


def no_way(starts: Sequence[str], goals: Sequence[str], walks: Detours, walkable: Mask) -> str:
    """Return a message that no path joins objects, and what each reaches.

    Args:
        starts: The names of the objects at which walks begin.
        goals: The names of those at which they end.
        walks: The walks between them.
        walkable: bool [height, width].
    """
    first, last = quoted(starts), quoted(goals)
    absent = [
        names
        for names, steps in ((first, walks.from_start), (last, walks.to_goal))
        if not (steps == 0).any()
    ]
    if absent:
        return f"no {' and no '.join(absent)} is on the map, so there is no way between them"
    reached = int(np.count_nonzero((walks.from_start >= 0) & walkable))
    back = int(np.count_nonzero((walks.to_goal >= 0) & walkable))
    floor = int(np.count_nonzero(walkable))
    return (
        f"no way from {first} to {last}: {reached} of {floor} walkable cells can be reached from "
        f"{first}, {back} from {last} (join the regions of the map, such as with "
        "`connect: guaranteed`, or place one of them with `reachable_from`)"
    )


def quoted(names: Sequence[str]) -> str:
    """Return names in quotes for a message."""
    return ", ".join(repr(name) for name in names)
