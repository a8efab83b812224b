"""Walks between named objects, for the metrics of the critical path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    start, end, steps = steps_between(
        measured,
        first if first is not None else _one_of(measured, STARTS, "a start"),
        second if second is not None else _one_of(measured, EXITS, "an exit"),
    )
    there, back = measured.steps_from([start]), measured.steps_from([end])
    return Walk(steps, (there >= 0) & (there + back == steps))


def _one_of(measured: Measured, names: tuple[str, ...], what: str) -> str:
    for name in names:
        if name in measured.objects:
            return name
    raise NotMeasurableError(f"the level has no object called like {what} ({', '.join(names)})")
