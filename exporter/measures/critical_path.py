"""Measure the shortest path from start to exit: steps, doors and floor."""

from __future__ import annotations

from exporter.grids.room_maps import NO_ROOM
from exporter.grids.room_paths import doors_away
from exporter.measures import measure
from exporter.measures.distance import steps_between
from exporter.measures.maps import Mask
from exporter.measures.measured import Measured
from exporter.model.errors import NotMeasurableError
from exporter.model.lazy_dataclass import dataclass

# Names of objects where levels begin and end; the first that is placed counts.
STARTS = ("start", "entrance", "entry", "spawn", "player_start", "player", "stairs_up")
EXITS = ("exit", "goal", "end", "finish", "stairs_down")
# The source of the measures of shortest paths.
SEARCH = "shortest path by breadth-first search: Moore 1959"


@measure(
    "critical_path",
    unit="steps",
    arguments=("object", "object"),
    optional=True,
    needs=("objects",),
    source=SEARCH,
    also=("main_path", "shortest_path"),
)
def steps(level: Measured, first: str | None = None, second: str | None = None) -> int:
    """Steps of the shortest walk from the start to the exit, or A to B.

    Without names, the start is the first placed object called `start`, `entrance`, `entry`,
    `spawn`, `player_start`, `player` or `stairs_up`, whichever of these names is used first in this
    order; the exit is the nearest one called `exit`, `goal`, `end`, `finish` or `stairs_down`.
    """
    return critical_walk(level, first, second).steps


@measure(
    "critical_path_share",
    most=1.0,
    arguments=("object", "object"),
    optional=True,
    needs=("objects",),
    source=SEARCH,
)
def share(level: Measured, first: str | None = None, second: str | None = None) -> float:
    """Share of the floor on a shortest walk of `critical_path`."""
    return (critical_walk(level, first, second).steps + 1) / level.floor_count


@measure(
    "critical_path_doors",
    unit="doors",
    arguments=("object", "object"),
    optional=True,
    needs=("objects",),
    source="shortest path with ways of length 0 and 1: Dial 1969",
    also=("doors", "door_count"),
)
def doors(level: Measured, first: str | None = None, second: str | None = None) -> int:
    """Doors on the walk from the start to the exit with the fewest doors.

    Walks go from room to room along connections; a connection with doors counts as one door. Start
    and exit are as in `critical_path`, and stand in rooms; of several exits it is the one behind
    the fewest doors.
    """
    return _fewest_doors(level, *_ends(level, first, second))


@dataclass(frozen=True, slots=True, eq=False)
class ShortestWalks:
    """All shortest walks between two objects.

    Attributes:
        steps: The number of steps of each.
        cells: The cells on any of the walks, both ends included: bool [height, width].
    """

    steps: int
    cells: Mask


def critical_walk(level: Measured, first: str | None, second: str | None) -> ShortestWalks:
    """Return the shortest walks from object `first` to object `second`.

    If a name is None, it means the start or the exit of the level.

    Raises:
        NotMeasurableError: There is no start or exit, or no walk.
    """
    start, end, steps = steps_between(level, *_ends(level, first, second))
    there, back = level.steps_from([start]), level.steps_from([end])
    return ShortestWalks(steps, (there >= 0) & (there + back == steps))


def _ends(level: Measured, first: str | None, second: str | None) -> tuple[str, str]:
    """Return `first` and `second`; a start and an exit in place of None."""
    return (
        first if first is not None else _any_of(level, STARTS, "a start"),
        second if second is not None else _any_of(level, EXITS, "an exit"),
    )


def _fewest_doors(level: Measured, first: str, second: str) -> int:
    """Return the fewest doors on a walk from objects `first` to `second`.

    The walk starts at the first object of the first name, and ends at the object of the second name
    behind the fewest doors; for equal names, at another object of that name.
    """
    rooms = level.room_map
    start, *further = [int(rooms.numbers[y, x]) for x, y in level.placed(first)]
    ends = (
        further if first == second else [int(rooms.numbers[y, x]) for x, y in level.placed(second)]
    )
    if not ends:
        raise NotMeasurableError(f"the level has only one object {first!r}")
    if start == NO_ROOM:
        raise NotMeasurableError(f"the first object {first!r} is not in a room")
    if all(room == NO_ROOM for room in ends):
        raise NotMeasurableError(f"no object {second!r} is in a room")
    doors = doors_away(rooms.graph, [start])
    reached = [int(doors[room]) for room in ends if room != NO_ROOM and doors[room] >= 0]
    if not reached:
        raise NotMeasurableError(f"no path leads through rooms from {first!r} to {second!r}")
    return min(reached)


def _any_of(level: Measured, names: tuple[str, ...], what: str) -> str:
    for name in names:
        if name in level.objects:
            return name
    raise NotMeasurableError(
        f"the level has no object whose name matches {what} ({', '.join(names)})"
    )
