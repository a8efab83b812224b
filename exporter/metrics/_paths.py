"""Walks between named objects, in steps or in doors, for the metrics of the critical path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exporter.grids.room_maps import NO_ROOM
from exporter.grids.room_paths import doors_away
from exporter.metrics._measured import Cell, Measured
from exporter.model.errors import NotMeasurableError

# The objects a level is thought to begin and end at, the first of them that is placed.
STARTS = ("start", "entrance", "entry", "spawn", "player_start", "player", "stairs_up")
EXITS = ("exit", "goal", "end", "finish", "stairs_down")


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """The shortest walks from one cell to another.

    Attributes:
        steps: How long they are.
        cells: The cells on any of them, both ends included: bool [height, width].
    """

    steps: int
    cells: NDArray[np.bool_]


def steps_between(measured: Measured, first: str, second: str) -> tuple[Cell, Cell, int]:
    """Return the first object of one name, the nearest (first of equals) of another, and the steps.

    Of two objects of one name the other one is the nearest.

    Raises:
        NotMeasurableError: One of them is not placed, or no walk leads there.
    """
    start, *further = measured.placed(first)
    ends = further if first == second else measured.placed(second)
    if not ends:
        raise NotMeasurableError(f"only one object {first!r} is placed")
    distances = measured.steps_from([start])
    reached = [(int(distances[y, x]), (x, y)) for x, y in ends if distances[y, x] >= 0]
    if not reached:
        raise NotMeasurableError(f"no walk leads from {first!r} to {second!r}")
    steps, end = min(reached, key=lambda one: one[0])
    return start, end, steps


def critical_walk(measured: Measured, first: str | None, second: str | None) -> Walk:
    """Return the shortest walks from start to exit, or between two names of objects.

    Raises:
        NotMeasurableError: There is no start or exit, or no walk.
    """
    start, end, steps = steps_between(measured, *ends_of_level(measured, first, second))
    there, back = measured.steps_from([start]), measured.steps_from([end])
    return Walk(steps, (there >= 0) & (there + back == steps))


def ends_of_level(measured: Measured, first: str | None, second: str | None) -> tuple[str, str]:
    """Return the names of the objects that a level begins and ends at, unless they are given.

    Raises:
        NotMeasurableError: There is no start or exit.
    """
    return (
        first if first is not None else _one_of(measured, STARTS, "a start"),
        second if second is not None else _one_of(measured, EXITS, "an exit"),
    )


def fewest_doors(measured: Measured, first: str, second: str) -> int:
    """Return the doors on the walk through rooms from the first object of one name to another name.

    Of several objects of the second name it is the one behind the fewest doors. Of two objects of
    one name the other one is the nearest.

    Raises:
        NotMeasurableError: There are no rooms, an object is not placed or stands in no room, or no
            way leads there.
    """
    rooms = measured.room_map
    start, *further = [int(rooms.numbers[y, x]) for x, y in measured.placed(first)]
    ends = (
        further
        if first == second
        else [int(rooms.numbers[y, x]) for x, y in measured.placed(second)]
    )
    if not ends:
        raise NotMeasurableError(f"only one object {first!r} is placed")
    if start == NO_ROOM:
        raise NotMeasurableError(f"the first object {first!r} stands in no room")
    if all(room == NO_ROOM for room in ends):
        raise NotMeasurableError(f"no object {second!r} stands in a room")
    doors = doors_away(rooms.graph, [start])
    reached = [int(doors[room]) for room in ends if room != NO_ROOM and doors[room] >= 0]
    if not reached:
        raise NotMeasurableError(f"no way leads through rooms from {first!r} to {second!r}")
    return min(reached)


def _one_of(measured: Measured, names: tuple[str, ...], what: str) -> str:
    for name in names:
        if name in measured.objects:
            return name
    raise NotMeasurableError(f"the level has no object called like {what} ({', '.join(names)})")
