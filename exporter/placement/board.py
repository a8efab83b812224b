"""Hold the map while a group of objects is placed on it.

The working half of `exporter.placement.placing`: filters go over whole grids of booleans, and the
choice among the cells that are left is made in one compiled loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import UNREACHABLE
from exporter.grids.regions import label_regions
from exporter.grids.room_maps import RoomMap
from exporter.grids.walking import detours, move_aside, no_way
from exporter.kernels import warn_uncompiled
from exporter.kernels.placement import COMPILED, clear_disc, take_few, take_in_order, throw_darts
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.placement.chances import chosen_cells
from exporter.placement.ground import Ground
from exporter.placement.measured import limited
from exporter.placement.parameters import ROOM_DEMANDS, ObjectParameters
from exporter.placement.room_demands import RoomDemands
from exporter.placement.spawn_rows import SpawnRow

if TYPE_CHECKING:
    from exporter.model.level import Layer
    from exporter.streams import PortableStream

Mask = NDArray[np.bool_]

# Darts thrown before the cells that are left are listed: enough for sparse floors.
DARTS = 4096
DARTS_FOR_EACH = 64
# Up to so many cells of one part of the map are chosen by looking at all its cells for each.
FEW = 16
# The same for the whole map, where the alternative sorts only once.
FEW_OF_ALL = 4
# Time of the loops when interpreted.
CELLS_A_SECOND = 10_000_000
CELLS_COMPARED_A_SECOND = 2_000_000


@dataclass(slots=True)
class Places:
    """The possible cells of an object, and the number left by each filter.

    Attributes:
        mask: bool [height, width].
        steps: For every filter a description, the cells left, and the parameter.
    """

    mask: Mask
    steps: list[tuple[str, int, str]] = field(default_factory=list)

    def keep(self, mask: Mask, what: str, parameter: str) -> None:
        """Keep the cells of another mask."""
        self.mask = self.mask & mask
        self.steps.append((what, int(np.count_nonzero(self.mask)), parameter))


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The surroundings of a group of objects on the map.

    Attributes:
        ground: The ground of the objects.
        taken: bool [height, width]: cells that other objects have, or that are kept for them.
        earlier: The cells of objects of the same name placed before, row by row.
        steps: Returns the steps from the nearest object of some names to every cell of the ground:
            int32 [height, width]; `aside` as in `walking_steps`.
        cells: Returns the cells of the objects of some names, row by row.
        rooms: Returns the rooms of the ground; None if it has none.
        only_in: bool [height, width]: cells that they must have; None for all.
        never_in: bool [height, width]: cells that they must not have; None for none.
        measured: The layer of heights that limits their cells; None for none.
        rows: The rows of the table that they are drawn from; empty without one.
    """

    ground: Ground
    taken: Mask
    earlier: Sequence[int]
    steps: Callable[[tuple[str, ...], bool], NDArray[np.int32]]
    cells: Callable[[tuple[str, ...]], Sequence[int]]
    rooms: Callable[[], RoomMap | None]
    only_in: Mask | None = None
    never_in: Mask | None = None
    measured: Layer | None = None
    rows: Sequence[SpawnRow] = ()


class PlacementBoard:
    """The map while a group of objects is placed on it.

    Args:
        spec: The objects, as the spec describes them.
        surroundings: Their surroundings.
        stream: Random numbers of the group.
    """

    def __init__(
        self, spec: ObjectParameters, surroundings: Surroundings, stream: PortableStream
    ) -> None:
        self.spec = spec
        self.surroundings = surroundings
        self.stream = stream
        self.ground = surroundings.ground
        self.height, self.width = self.ground.walkable.shape
        # The cells that a chosen cell takes from others of its name.
        self.halves = _disc(spec.spacing)

    def place(self) -> list[int]:
        """Choose the cells of the objects: row-major numbers.

        Raises:
            ParameterError: Fewer places than wanted, if all are required; more objects than there
                may be, where each cell is decided alone.
        """
        places = self.places()
        if self.spec.percent is not None:
            return [int(cell) for cell in chosen_cells(places.mask, self.spec.percent, self.stream)]
        cells = self._choose(places.mask)
        if len(cells) < self.spec.count and self.spec.required:
            raise _not_enough(self.spec, places.steps, len(cells), self.ground)
        return cells

    def standing(self) -> Mask:
        """Return objects' ground cells, before filters: bool [height, width]."""
        tile = self.spec.on_tile
        return self.ground.walkable if tile is None else self.ground.tile(tile)

    def places(self, kind: type[Places] = Places) -> Places:
        """Filter the cells by every demand of the objects.

        Args:
            kind: The class that records the filters.
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
        if (places.mask & self.surroundings.taken).any():
            places.keep(~self.surroundings.taken, "free", "count")
        return places

    def _keep_rooms(self, places: Places) -> None:
        """Filter the cells by the options that are counted in rooms.

        No cell is left if the rooms for it are missing and the objects are not required.
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
        """Return the steps from the nearest named object to every cell, or -1."""
        return self.surroundings.steps(names, self.spec.on_tile is not None)

    def free_cells(self, mask: Mask) -> NDArray[np.uint8]:
        """Return a mask's cells `spacing` apart from placed ones of a name.

        Returns:
            uint8 [height * width], a copy.
        """
        free = np.ascontiguousarray(mask, np.uint8).ravel()
        for cell in self.surroundings.earlier:
            clear_disc(free.data, self.width, self.halves.data, cell)
        return free

    def in_order(self, cells: NDArray[np.int64], wanted: int) -> Iterator[NDArray[np.int64]]:
        """Yield cells in order of choice: farthest, nearest, or random.

        Args:
            cells: Row-major numbers.
            wanted: How many are to be chosen; the order is worked out in parts, for mostly the
                best few are enough.
        """
        preferred, hashes = self._preference(cells)
        primary = preferred if self._farthest or self._nearest else hashes
        some = DARTS + DARTS_FOR_EACH * wanted
        if cells.size <= some:
            yield cells[np.lexsort((hashes, primary))]
            return
        # Sorting a million cells would take most of the time.
        last = np.partition(primary, some)[some]
        for part in (primary <= last, primary > last):
            if part.any():
                yield cells[part][np.lexsort((hashes[part], primary[part]))]

    def take_few(
        self,
        free: NDArray[np.uint8],
        cells: NDArray[np.int64],
        parts: NDArray[np.int64],
        chosen: NDArray[np.int64],
    ) -> Iterator[int]:
        """Choose cells for parts of the map like `take`, one after the other.

        Args:
            free: uint8 [height * width]: 1 where a cell can be chosen; discs are cleared in it.
            cells: int64 [cells]: the cells of all parts, row-major numbers.
            parts: int64 [parts, 4]: where the cells of each part begin and end, how many it wants,
                and where these begin in `chosen`.
            chosen: int64 [all that are wanted], receives the cells.

        Yields:
            The number of each part that wants many, or in which not all find a cell. Nothing is
            chosen for it; what the caller clears in `free` counts for the parts after it.
        """
        few = parts[parts[:, 2] <= FEW]
        work = int(((few[:, 1] - few[:, 0]) * few[:, 2]).sum())
        warn_uncompiled(COMPILED, "placement", work, CELLS_COMPARED_A_SECOND)
        preferred, hashes = self._preference(cells)
        part = 0
        while True:
            part = int(
                take_few(
                    free.data,
                    self.width,
                    self.halves.data,
                    cells.data,
                    preferred.data,
                    hashes.data,
                    parts.data,
                    part,
                    FEW,
                    chosen.data,
                )
            )
            if part == len(parts):
                return
            yield part
            part += 1

    def take(
        self,
        free: NDArray[np.uint8],
        width: int,
        order: Iterable[NDArray[np.int64]],
        wanted: int,
    ) -> list[int]:
        """Choose cells in order, apart by `spacing`; clear their surroundings.

        Args:
            free: uint8 [rows * width]: 1 where a cell can be chosen.
            width: Cells in a row of the grid.
            order: Parts of the order, row-major numbers of the grid's cells.
            wanted: How many to choose at most.
        """
        chosen = np.empty(wanted, np.int64)
        return [int(cell) for cell in chosen[: self._take(free, width, order, chosen, 0)]]

    @property
    def _farthest(self) -> bool:
        return self.spec.farthest

    @property
    def _nearest(self) -> bool:
        return self.spec.nearest

    def _preference(self, cells: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """Return the sort key of cells, least first, and hashes for equal ones."""
        preferred = np.zeros(cells.size, np.int64)
        if self._farthest and self.spec.far_from is not None:
            preferred -= self.steps(self.spec.far_from_names).ravel()[cells].astype(np.int64) << 32
        if self._nearest and self.spec.near is not None:
            preferred += self.steps((self.spec.near,)).ravel()[cells]
        return preferred, self._hashes[cells]

    @cached_property
    def _hashes(self) -> NDArray[np.uint64]:
        return self.stream.words("order", self.width, self.height).ravel()

    def _choose(self, mask: Mask) -> list[int]:
        """Return up to `count` cells of the mask, `spacing` apart by name."""
        spec = self.spec
        room = self.free_cells(mask)
        warn_uncompiled(
            COMPILED,
            "placement",
            min(spec.count * spec.spacing**2 * 3, 5 * room.size),
            CELLS_A_SECOND,
        )
        chosen = np.empty(spec.count, np.int64)
        result = self._choose_preferred(room.copy(), chosen)
        best = [int(cell) for cell in chosen[:result]]
        if result < spec.count and spec.spacing > 1:
            for order in packing_orders(np.flatnonzero(room), self.width):
                packed = self.take(room.copy(), self.width, (order,), spec.count)
                if len(packed) > len(best):
                    best = packed
                if len(best) == spec.count:
                    break
        return best

    def _choose_preferred(self, room: NDArray[np.uint8], chosen: NDArray[np.int64]) -> int:
        """Fill `chosen` with farthest, nearest, or random cells; return how many."""
        expected = self.spec.count
        result = 0
        if not self._farthest and not self._nearest:
            darts = DARTS + DARTS_FOR_EACH * expected
            draws = self.stream.draws("darts")
            result = throw_darts(
                room.data, self.width, self.halves.data, draws, darts, chosen.data, 0
            )
            if result == expected:
                return result
        cells = np.flatnonzero(room)
        if not result and expected <= FEW_OF_ALL and cells.size:
            whole = np.array([[0, cells.size, expected, 0]], np.int64)
            if not list(self.take_few(room, cells, whole, chosen)):
                return expected
        order = self.in_order(cells, expected)
        return self._take(room, self.width, order, chosen, result)

    def _take(
        self,
        free: NDArray[np.uint8],
        width: int,
        order: Iterable[NDArray[np.int64]],
        chosen: NDArray[np.int64],
        found: int,
    ) -> int:
        """Fill `chosen`, which may have cells already; return how many."""
        for part in order:
            if part.size:
                offered = np.ascontiguousarray(part, np.int64)
                found = int(
                    take_in_order(
                        free.data, width, self.halves.data, offered.data, chosen.data, found
                    )
                )
            if found == chosen.size:
                break
        return found


def packing_orders(cells: NDArray[np.int64], width: int) -> Iterator[NDArray[np.int64]]:
    """Yield dense orders of cells: row after row, column after column.

    Args:
        cells: Row-major numbers, ascending.
        width: Cells in a row.
    """
    columns = cells[np.lexsort((cells, cells % width))]
    yield from (cells, columns, cells[::-1], columns[::-1])


def clear_cells(free: Mask, radius: int) -> Mask:
    """Return the cells around which all cells within a radius are free.

    Args:
        free: bool [height, width]; cells outside it are not free.
        radius: Cells up to this Euclidean distance count.
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


def _disc(spacing: int) -> NDArray[np.int32]:
    """Return the half width of each row of a disc of radius `spacing`."""
    square = max(spacing, 1) ** 2
    return np.array([isqrt(square - 1 - away * away) for away in range(max(spacing, 1))], np.int32)


def _region(walkable: Mask, rank: int, required: bool) -> Mask:
    """Return the region of a rank in size and its adjacent cells.

    Empty if there are too few regions and the objects are not required.
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
    """Say how far the farthest cells are, if too few are far enough."""
    reachable = np.sort(steps[steps != UNREACHABLE])[-count:]
    if not len(reachable) or reachable[0] >= least:
        return ""
    if count == 1:
        return f" (the farthest is {reachable[0]} steps away)"
    return f" (the farthest {len(reachable)} are at least {reachable[0]} steps away)"


def _not_enough(
    item: ObjectParameters, steps: list[tuple[str, int, str]], placed: int, ground: Ground
) -> ParameterError:
    """Say how many cells each demand left, at the first that left too few."""
    parameter = next((name for _, count, name in steps if count < item.count), "")
    if item.at is not None:
        what = next(what for what, count, _ in steps if count == 0) if parameter else "free"
        return ParameterError(f"{item.name}: [{item.at[0]}, {item.at[1]}] is not {what}", ("at",))
    what, count, _ = steps[0]
    reported = [f"{count} {what} cells", *(f"{count} {what}" for what, count, _ in steps[1:])]
    if steps[-1][1] > placed:
        parameter = parameter or "spacing"
        reported.append(f"spacing {item.spacing} leaves room for {placed}")
    way_out = ""
    if count == 0 and len(ground.layers) > 1 and item.on_tile is None:
        names = ", ".join(layer.name for layer in ground.layers)
        way_out = (
            f" (the `play` layers {names} leave none free together: give those that are not walked "
            "on another `role`)"
        )
    return ParameterError(
        f"{item.name}: {item.count} wanted, {placed} placed: {', '.join(reported)}{way_out}",
        (parameter,),
    )
