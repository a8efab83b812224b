"""Measure how many steps the walk between two objects takes."""

from __future__ import annotations

from exporter.measures import measure
from exporter.measures.measured import Cell, Measured
from exporter.model.errors import NotMeasurableError


@measure(
    "distance",
    unit="steps",
    arguments=("object", "object"),
    needs=("objects",),
    source="shortest path by breadth-first search: Moore 1959",
    also=("path_length", "steps_between", "separation"),
)
def distance(level: Measured, first: str, second: str) -> int:
    """Steps of the shortest walk from the first A to the nearest B.

    A step goes to one of four neighbours. `distance.chest.chest` leads to the nearest other chest.
    """
    _, _, steps = steps_between(level, first, second)
    return steps


def steps_between(level: Measured, first: str, second: str) -> tuple[Cell, Cell, int]:
    """Return an object of each name, and the steps of a walk between them.

    The objects are given as cells (x, y): the first object called `first`, and the nearest to it by
    walking of those called `second`. Equal names mean the nearest other object.

    Raises:
        NotMeasurableError: An object is missing, or no walk leads there.
    """
    start, *further = level.placed(first)
    ends = further if first == second else level.placed(second)
    if not ends:
        raise NotMeasurableError(f"the level has only one object {first!r}")
    distances = level.steps_from([start])
    reached = [(int(distances[y, x]), (x, y)) for x, y in ends if distances[y, x] >= 0]
    if not reached:
        raise NotMeasurableError(f"no path leads from {first!r} to {second!r}")
    steps, end = min(reached, key=lambda item: item[0])
    return start, end, steps
