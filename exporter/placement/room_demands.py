"""Filter cells by rules that count rooms, such as `min_rooms`.

Distances are counted in the room graph: rooms are its nodes, and doors and other connections are
its edges. Walls of other layers between two rooms do not change these distances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import UNREACHABLE
from exporter.grids.room_maps import NO_ROOM, RoomMap
from exporter.grids.room_paths import dead_end_rooms, doors_away, rooms_away, rooms_between
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.texts import count
from exporter.placement.parameters import ObjectParameters

Mask = NDArray[np.bool_]
# The remaining cells, a description, and their parameter.
Demand = tuple[Mask, str, str]
# A message lists at most so many names of rooms.
_REPORTED_ROOMS = 8
IN_NO_ROOM = (
    "%r at [%d, %d] is in no room, so no rooms can be counted from there (write "
    "`in_rooms: true` for %r)"
)


@dataclass(frozen=True, slots=True)
class RoomDemands:
    """The rules of an object group that count rooms, as filters of cells.

    Attributes:
        group: The group's parameters in the spec.
        rooms: The rooms of the layers on which the group stands.
        cells: Returns the cells of the objects of the given names: y * width + x.
    """

    group: ObjectParameters
    rooms: RoomMap
    cells: Callable[[tuple[str, ...]], Sequence[int]]

    def all(self) -> Iterator[Demand]:
        """Yield the cells that each rule allows, in the order of parameters.

        With the cells come the rule's description for messages and its parameter.

        Raises:
            ParameterError: A named object is outside all rooms, or no path leads between two named
                objects.
        """
        item = self.group
        if item.min_rooms is not None and item.far_from is not None:
            yield self._far(item.far_from_names, item.min_rooms, doors=False)
        if item.min_doors is not None and item.far_from is not None:
            yield self._far(item.far_from_names, item.min_doors, doors=True)
        if item.max_rooms is not None and item.near is not None:
            yield self._near(item.near, item.max_rooms, doors=False)
        if item.max_doors is not None and item.near is not None:
            yield self._near(item.near, item.max_doors, doors=True)
        if item.in_rooms:
            yield self.rooms.numbers != NO_ROOM, "in rooms", "in_rooms"
        if item.dead_end_rooms:
            ends = self.rooms.cells(dead_end_rooms(self.rooms.graph))
            yield ends, "in a room with one neighbour", "dead_end_rooms"
        if item.on_critical_path is not None:
            way, _ = self._critical_path(item.on_critical_path, "on_critical_path")
            yield self.rooms.cells(way), f"on {_way(item.on_critical_path)}", "on_critical_path"
        if item.off_critical_path is not None:
            way, reached = self._critical_path(item.off_critical_path, "off_critical_path")
            off = self.rooms.cells(reached & ~way)
            yield off, f"in rooms off {_way(item.off_critical_path)}", "off_critical_path"

    def _far(self, names: tuple[str, ...], least: int, *, doors: bool) -> Demand:
        parameter = "min_doors" if doors else "min_rooms"
        distances = self._distances(names, parameter, doors=doors)
        what = f"at least {_counted(least, doors)} from {', '.join(names)}"
        left = distances >= least
        reached = int(np.count_nonzero(distances != UNREACHABLE))
        if reached and not left.any():
            most = int(distances.max())
            what += (
                f" (the farthest of the {reached} rooms that can be reached is "
                f"{_counted(most, doors)} away)"
            )
        return self.rooms.cells(left), what, parameter

    def _near(self, name: str, most: int, *, doors: bool) -> Demand:
        parameter = "max_doors" if doors else "max_rooms"
        distances = self._distances((name,), parameter, doors=doors)
        left = (distances != UNREACHABLE) & (distances <= most)
        return self.rooms.cells(left), f"within {_counted(most, doors)} of {name}", parameter

    def _distances(
        self, names: tuple[str, ...], parameter: str, *, doors: bool
    ) -> NDArray[np.int32]:
        """Return each room's distance from the nearest object of `names`.

        With `doors` it counts doors, else connections. The result is int32 [rooms]. `parameter` is
        at fault if an object is outside rooms.
        """
        sources = [room for name in names for room in self._rooms_of(name, parameter)]
        return (doors_away if doors else rooms_away)(self.rooms.graph, sources)

    def _critical_path(
        self, names: tuple[str, str], parameter: str
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which rooms are on the shortest paths between two objects.

        The second result is which rooms can be reached from both objects. Both are bool [rooms].
        `parameter` is at fault if no path exists.
        """
        first, second = (self._rooms_of(name, parameter) for name in names)
        way = rooms_between(self.rooms.graph, first, second)
        reached = rooms_away(self.rooms.graph, first) != UNREACHABLE
        if first and second and not way.any():
            there = self.rooms.names(np.flatnonzero(reached).tolist())
            reported = ", ".join(there[:_REPORTED_ROOMS])
            if len(there) > _REPORTED_ROOMS:
                reported += f" and {len(there) - _REPORTED_ROOMS} more"
            raise ParameterError(
                f"no path leads through rooms from {names[0]!r} to {names[1]!r} (it reaches only "
                f"{reported}; join the rooms with `connect: guaranteed`)",
                (parameter,),
            )
        return way, reached & (rooms_away(self.rooms.graph, second) != UNREACHABLE)

    def _rooms_of(self, name: str, parameter: str) -> list[int]:
        """Return the numbers of the rooms with objects called `name`.

        The result is empty without such objects. One outside rooms is an error at `parameter`.
        """
        numbers = self.rooms.numbers
        width = numbers.shape[1]
        result = []
        for cell in self.cells((name,)):
            y, x = divmod(cell, width)
            if numbers[y, x] != NO_ROOM:
                result.append(int(numbers[y, x]))
            else:
                raise ParameterError(IN_NO_ROOM % (name, x, y, name), (parameter,))
        return result


def _counted(number: int, doors: bool) -> str:
    return count(number, "door" if doors else "room")


def _way(names: tuple[str, str]) -> str:
    return f"the way from {names[0]} to {names[1]}"
