"""Measure walks on a grid: steps, directions and detours.

A step goes to one of the four neighbours. A walk passes walkable cells. It may start and end in a
marked cell that is not walkable, such as a chest in a wall, but never passes through one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import UNREACHABLE, distance_from
from exporter.model.lazy_dataclass import dataclass

Mask = NDArray[np.bool_]

# The directions of a flow in the order of preference, and the values for goals and for no path.
NORTH, EAST, SOUTH, WEST, HERE, NOWHERE = range(6)
_FAR = np.int32(2**31 - 3)


def steps_from(marked: Mask, walkable: Mask) -> NDArray[np.int32]:
    """Return each cell's steps from the nearest of the `marked` cells.

    The result is int32 [height, width]. Unreachable cells are -1, and so are cells that are neither
    walkable nor marked.

    Args:
        marked: bool [height, width]: where walks start; the cells need not be walkable.
        walkable: bool [height, width]: the walkable cells.
    """
    return distance_from(marked, walkable | marked)


def move_aside(steps: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return for each cell the least `steps` of its four neighbours, plus 1.

    So an object in a wall can be reached from a cell beside. The result is -1 where all neighbours
    are -1 (unreachable).
    """
    framed = np.pad(np.where(steps < 0, _FAR, steps), 1, constant_values=_FAR)
    least = np.minimum(
        np.minimum(framed[:-2, 1:-1], framed[2:, 1:-1]),
        np.minimum(framed[1:-1, :-2], framed[1:-1, 2:]),
    )
    return np.where(least == _FAR, np.int32(UNREACHABLE), least + np.int32(1))


def walking_steps(walkable: Mask, cells: Iterable[int], *, aside: bool) -> NDArray[np.int32]:
    """Return each cell's steps from the nearest of `cells`, -1 if unreachable.

    Args:
        walkable: bool [height, width]: the walkable cells.
        cells: The cells to start from, as y * width + x; they need not be walkable.
        aside: Whether unwalkable cells get the steps of their nearest neighbour plus 1, so that an
            object in a wall can be reached.
    """
    sources = np.zeros_like(walkable)
    sources.ravel()[list(cells)] = True
    steps = steps_from(sources, walkable)
    return np.where(walkable | sources, steps, move_aside(steps)) if aside else steps


def flow(steps: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return for each cell the direction of the next step to a goal.

    The result is uint8 [height, width]: of several neighbours nearer to a goal, the first of north,
    east, south, west; `HERE` for goals, `NOWHERE` for cells that reach no goal. `steps` are the
    steps from the goals, by `steps_from`.
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
    """For each cell, the shortest walk from a start to a goal that passes it.

    Attributes:
        from_start: int32 [height, width]: steps from the nearest start; -1 if not reachable.
        to_goal: int32 [height, width]: steps to the nearest goal; -1 if not reachable.
        total: int32 [height, width]: the sum of both; -1 if one is -1.
        shortest: The steps of the shortest walk from a start to a goal; None without a walk.
    """

    from_start: NDArray[np.int32]
    to_goal: NDArray[np.int32]
    total: NDArray[np.int32]
    shortest: int | None

    def within(self, detour: int) -> Mask:
        """Return cells on walks up to `detour` steps longer than the shortest.

        The walks lead from a start to a goal. All False without one.
        """
        if self.shortest is None:
            return np.zeros(self.total.shape, bool)
        return (self.total >= 0) & (self.total <= self.shortest + detour)


def detours(from_start: NDArray[np.int32], to_goal: NDArray[np.int32]) -> Detours:
    """Combine steps from starts and to goals into walks through each cell.

    `from_start` and `to_goal` are the steps of each cell from the starts and from the goals, by
    `steps_from`.
    """
    # Starts that are not walkable can still be left, and goals entered.
    begun = np.where((to_goal == 0) & (from_start < 0), move_aside(from_start), from_start)
    ended = np.where((from_start == 0) & (to_goal < 0), move_aside(to_goal), to_goal)
    both = (begun >= 0) & (ended >= 0)
    total = np.where(both, begun + ended, np.int32(UNREACHABLE))
    shortest = int(total[both].min()) if both.any() else None
    return Detours(begun, ended, total, shortest)


def no_way(starts: Sequence[str], goals: Sequence[str], walks: Detours, walkable: Mask) -> str:
    """Return the message that no path leads from `starts` to `goals`.

    `starts` and `goals` are names of objects; `walks` has the steps from and to these. The message
    has the number of cells that can be reached from either end.
    """
    first, last = quoted(starts), quoted(goals)
    absent = [
        names
        for names, steps in ((first, walks.from_start), (last, walks.to_goal))
        if not (steps == 0).any()
    ]
    if absent:
        return (
            f"no path leads from {first} to {last}: there is no {' and no '.join(absent)} on the "
            "map (place such an object, or name another)"
        )
    reached = int(np.count_nonzero((walks.from_start >= 0) & walkable))
    back = int(np.count_nonzero((walks.to_goal >= 0) & walkable))
    floor = int(np.count_nonzero(walkable))
    return (
        f"no path leads from {first} to {last}: {reached} of {floor} walkable cells can be reached "
        f"from {first}, {back} from {last} (join the regions of the map, such as with "
        "`connect: guaranteed`, or place one of them with `reachable_from`)"
    )


def quoted(names: Sequence[str]) -> str:
    """Return `names` in quotes, joined for a message."""
    return ", ".join(repr(name) for name in names)
