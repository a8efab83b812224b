"""Find the cells that meet the rules of an object group.

Each rule of the spec, such as `far_from`, is a filter over a boolean grid. The number of cells left
by each is recorded for messages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import UNREACHABLE
from exporter.grids.regions import label_regions
from exporter.grids.room_maps import RoomMap
from exporter.grids.walking import detours, move_aside, no_way
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.placement.ground import PlacementGround
from exporter.placement.measured import limited
from exporter.placement.parameters import ROOM_DEMANDS, ObjectParameters
from exporter.placement.room_demands import RoomDemands
from exporter.placement.spawn_rows import SpawnRow

if TYPE_CHECKING:
    from exporter.model.level import Layer


Mask = NDArray[np.bool_]


@dataclass(slots=True)
class Places:
    """The cells that a group can use, with the number left by each filter.

    Attributes:
        mask: bool [height, width]: the cells that passed all filters so far.
        steps: For each filter its description, the number of cells left, and the parameter of the
            group that asks for it.
    """

    mask: Mask
    steps: list[tuple[str, int, str]] = field(default_factory=list)

    def keep(self, mask: Mask, what: str, parameter: str) -> None:
        """Apply a filter: keep only cells that are also in `mask`.

        `what` describes the filter in messages; `parameter` is the group's parameter that asks for
        it.
        """
        self.mask = self.mask & mask
        self.steps.append((what, int(np.count_nonzero(self.mask)), parameter))


@dataclass(frozen=True, slots=True, eq=False)
class GroupSurroundings:
    """The map around an object group, as far as its rules read it.

    Attributes:
        ground: The layers on which objects can stand.
        unavailable: bool [height, width]: cells that other objects occupy or reserve.
        earlier: The cells of earlier objects of the same name, row by row.
        steps: Returns the walking steps from the nearest object of the given names to every cell:
            int32 [height, width]. The second argument is whether unwalkable cells count, too: their
            steps are those of a neighbour plus 1.
        cells: Returns the cells of the objects of the given names, row by row.
        rooms: Returns the rooms of the ground; None if it has none.
        only_in: bool [height, width]: the only allowed cells; None allows all.
        never_in: bool [height, width]: forbidden cells; None forbids none.
        measured: The layer whose values limit the cells (parameter `steps`); None without a limit.
        rows: The rows of the spawn table; empty without a table.
    """

    ground: PlacementGround
    unavailable: Mask
    earlier: Sequence[int]
    steps: Callable[[tuple[str, ...], bool], NDArray[np.int32]]
    cells: Callable[[tuple[str, ...]], Sequence[int]]
    rooms: Callable[[], RoomMap | None]
    only_in: Mask | None = None
    never_in: Mask | None = None
    measured: Layer | None = None
    rows: Sequence[SpawnRow] = ()


class Demands:
    """The rules of an object group, applied as filters of cells.

    Args:
        spec: The group's parameters in the spec.
        surroundings: The map around the group.
    """

    def __init__(self, spec: ObjectParameters, surroundings: GroupSurroundings) -> None:
        self.spec = spec
        self.surroundings = surroundings
        self.ground = surroundings.ground

    def standing(self) -> Mask:
        """Return the cells on which the group's objects can stand.

        These are the walkable cells, or if `on_tile` is set, the cells with this tile: bool
        [height, width]. No other rule is applied.
        """
        tile = self.spec.on_tile
        return self.ground.walkable if tile is None else self.ground.tile(tile)

    def places(self, kind: type[Places] = Places) -> Places:
        """Apply all rules of the group; return the cells that are left.

        `kind` is the class that records the filters: `Places`, or `RecordedPlaces`, which also
        keeps the cells that each filter removed.
        """
        spec, ground = self.spec, self.ground
        walkable = ground.walkable
        standing = self.standing()
        places = kind(standing)
        if spec.at is not None:
            places.mask = np.zeros_like(standing)
            places.mask[spec.at[1], spec.at[0]] = True
        if spec.on_tile is None:
            places.keep(standing, "floor", "layer")
        else:
            places.keep(standing, repr(spec.on_tile), "on_tile")
        if spec.clear_radius:
            clear = clear_cells(walkable | standing, spec.clear_radius)
            places.keep(clear, f"clear within {spec.clear_radius}", "clear_radius")
        if spec.room is not None:
            room = ground.room(spec.room, spec.required)
            places.keep(room, f"in room {spec.room}", "room")
        if self.surroundings.only_in is not None:
            places.keep(self.surroundings.only_in, f"in {spec.only_in}", "only_in")
        if self.surroundings.never_in is not None:
            places.keep(~self.surroundings.never_in, f"outside {spec.never_in}", "never_in")
        if spec.region is not None:
            rank = 1 if spec.region == "largest" else spec.region
            region = _region(walkable, rank, spec.required)
            places.keep(region, f"in region {rank}", "region")
        self._keep_rooms(places)
        self._keep_near_and_far(places)
        self._keep_measured(places)
        self._keep_paths(places)
        if (places.mask & self.surroundings.unavailable).any():
            places.keep(~self.surroundings.unavailable, "free", "count")
        return places

    def _keep_rooms(self, places: Places) -> None:
        """Apply the rules that count rooms to `places`.

        If that is impossible, as without rooms, an optional group gets no cells; for a required one
        an error is raised.
        """
        spec = self.spec
        if not spec.counts_rooms:
            return
        try:
            demands = RoomDemands(spec, self._rooms(), self.surroundings.cells)
            for mask, what, parameter in demands.all():
                places.keep(mask, what, parameter)
        except ParameterError:
            if spec.required:
                raise
            nothing = np.zeros_like(places.mask)
            places.keep(nothing, "in rooms", spec.changed(*ROOM_DEMANDS))

    def _rooms(self) -> RoomMap:
        rooms = self.surroundings.rooms()
        if rooms is None:
            raise ParameterError(self.ground.no_rooms(), (self.spec.changed(*ROOM_DEMANDS),))
        return rooms

    def _keep_near_and_far(self, places: Places) -> None:
        spec = self.spec
        if spec.reachable_from is not None:
            steps = self.steps((spec.reachable_from,))
            what = f"reachable from {spec.reachable_from}"
            places.keep(steps != UNREACHABLE, what, "reachable_from")
        if spec.farthest or spec.min_distance is not None:
            names = spec.far_from_names
            least = spec.min_distance
            what = f"{'reachable' if least is None else f'at least {least} steps'} from "
            what += ", ".join(names)
            steps = self.steps(names)
            if least is not None:
                what += _farther(steps[places.mask], spec.count, least)
            places.keep(steps >= (least or 0), what, "far_from")
        if spec.near is not None and (spec.nearest or spec.max_distance is not None):
            steps = self.steps((spec.near,))
            mask, what = steps != UNREACHABLE, f"reachable from {spec.near}"
            if spec.max_distance is not None:
                mask &= steps <= spec.max_distance
                what = f"within {spec.max_distance} steps of {spec.near}"
            places.keep(mask, what, "near")

    def _keep_measured(self, places: Places) -> None:
        spec, layer = self.spec, self.surroundings.measured
        if layer is None:
            return
        within, what = limited(layer, spec.min_steps, spec.max_steps, spec.on_tile is not None)
        places.keep(within, what, "steps")

    def _keep_paths(self, places: Places) -> None:
        spec = self.spec
        for ends, parameter in ((spec.on_path, "on_path"), (spec.off_path, "off_path")):
            if ends is None:
                continue
            walks = detours(*(self.surroundings.steps((name,), False) for name in ends))
            if walks.shortest is None:
                if not spec.required:
                    places.mask = np.zeros_like(places.mask)
                    return
                message = no_way(ends[:1], ends[1:], walks, self.ground.walkable)
                raise ParameterError(f"{spec.name}: {message}", (parameter,))
            near = walks.within(spec.max_detour)
            if spec.on_tile is not None:
                # Something in a wall is reached from a neighbour: there and back are two steps.
                beside = move_aside(walks.total)
                backup = (beside >= 0) & (beside < walks.shortest + spec.max_detour)
                near |= backup & ~self.ground.walkable & (walks.total < 0)
            side = parameter.removesuffix("_path")
            what = f"{side} the way from {ends[0]} to {ends[1]}"
            if spec.max_detour:
                what += f" with detours up to {spec.max_detour}"
            places.keep(near if parameter == "on_path" else ~near, what, parameter)

    def steps(self, names: tuple[str, ...]) -> NDArray[np.int32]:
        """Return each cell's walking steps from the nearest object of `names`.

        The result is int32 [height, width]; unreachable cells are -1.
        """
        return self.surroundings.steps(names, self.spec.on_tile is not None)


def clear_cells(free: Mask, radius: int) -> Mask:
    """Return the cells around which all cells within `radius` are free.

    `free` is bool [height, width]; cells outside the map are not free. The radius is Euclidean.
    """
    height = free.shape[0]
    clear = free.copy()
    row = free.copy()
    wide = 0
    # Rows farther away reach less far to the sides: from the farthest row to the nearest, `row`
    # holds the cells with `wide` free cells on both sides.
    for away in range(radius, -1, -1):
        half = isqrt(radius * radius - away * away)
        while wide < half:
            wide += 1
            grown = np.zeros_like(row)
            grown[:, 1:-1] = row[:, :-2] & row[:, 1:-1] & row[:, 2:]
            row = grown
        if away >= height:
            return np.zeros_like(free)
        clear[away:] &= row[: height - away]
        clear[: height - away] &= row[away:]
        clear[:away] = False
        clear[height - away :] = False
    return clear


def _region(walkable: Mask, rank: int, required: bool) -> Mask:
    """Return the region of this rank by size, with adjacent unwalkable cells.

    Rank 1 is the largest. If there are too few regions, return no cells, or raise an error if the
    objects are `required`.
    """
    regions = label_regions(walkable)
    if rank > regions.count and not required:
        return np.zeros_like(walkable)
    if rank > regions.count:
        raise ParameterError(f"there is no region {rank} (there are {regions.count})", ("region",))
    number = int(np.argsort(-regions.sizes, kind="stable")[rank - 1]) + 1
    region = regions.labels == number
    beside = region.copy()
    beside[1:] |= region[:-1]
    beside[:-1] |= region[1:]
    beside[:, 1:] |= region[:, :-1]
    beside[:, :-1] |= region[:, 1:]
    remaining: Mask = beside & (region | ~walkable)
    return remaining


def _farther(steps: NDArray[np.int32], count: int, least: int) -> str:
    """Return a text on how far the farthest cells are, for an error.

    Return "" if the `count` farthest cells are at least `least` steps away.
    """
    reachable = np.sort(steps[steps != UNREACHABLE])[-count:]
    if not len(reachable) or reachable[0] >= least:
        return ""
    if count == 1:
        return f" (the farthest is {reachable[0]} steps away)"
    return f" (the farthest {len(reachable)} are at least {reachable[0]} steps away)"
