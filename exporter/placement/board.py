"""The map while objects are placed on it: which cells are taken, and which an object may have.

The working half of `exporter.placement.placing`: filters go over whole grids of booleans, and the
choice among the cells that are left is made in one compiled loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from exporter.grids.distances import UNREACHABLE, distance_from
from exporter.grids.regions import label_regions
from exporter.kernels import warn_uncompiled
from exporter.kernels.placement import COMPILED, clear_disc, take_in_order, throw_darts
from exporter.model.errors import ParameterError
from exporter.model.level import PlacedObject
from exporter.placement.ground import Ground, Grounds
from exporter.placement.parameters import ObjectParameters

if TYPE_CHECKING:
    from exporter.streams import PortableStream

Mask = NDArray[np.bool_]

# Darts thrown before the cells that are left are listed: enough for sparse floors.
DARTS = 4096
DARTS_FOR_EACH = 64
# What the loops do interpreted.
CELLS_A_SECOND = 10_000_000


@dataclass(slots=True)
class Places:
    """The cells an object may have, and what each demand left of them.

    Attributes:
        mask: bool [height, width].
        steps: For every demand what its cells are, how many were left, and the parameter.
    """

    mask: Mask
    steps: list[tuple[str, int, str]] = field(default_factory=list)

    def keep(self, mask: Mask, what: str, parameter: str) -> None:
        """Keep the cells of another mask."""
        self.mask = self.mask & mask
        self.steps.append((what, int(np.count_nonzero(self.mask)), parameter))


class Board:
    """The map and the objects on it.

    Args:
        objects: All objects of the level.
        grounds: What the objects stand on.
        stream: Random numbers of the objects.
        standing: Objects that have their cells already.

    Raises:
        ParameterError: With the path (index, parameter), for an object that cannot be on this
            map at all.
    """

    def __init__(
        self,
        objects: Sequence[ObjectParameters],
        grounds: Grounds,
        stream: PortableStream,
        standing: Sequence[PlacedObject] = (),
    ) -> None:
        self.objects = objects
        self.grounds = grounds
        self.stream = stream
        self.height = self.width = 1
        self.free = np.ones((1, 1), bool)
        self.cells: dict[str, list[int]] = {}
        self.entries: dict[str, int] = {}
        self.distances: dict[tuple[str | None, tuple[str, ...], bool], NDArray[np.int32]] = {}
        for index, one in enumerate(objects):
            try:
                shape = self.grounds.of(one.layer).walkable.shape
                if index == 0:
                    self.height, self.width = shape
                    self.free = np.ones(shape, bool)
                    self._stand(standing)
                one.check(self.width, self.height)
                self._reserve(one)
            except ParameterError as error:
                raise ParameterError(error.message, (index, *error.path)) from None

    def place(self, index: int) -> list[int]:
        """Choose the cells of an object (row-major numbers) and mark them as taken.

        Raises:
            ParameterError: Fewer places than wanted, if all are required.
        """
        one = self.objects[index]
        number = self.entries[one.name] = self.entries.get(one.name, 0) + 1
        ground = self.grounds.of(one.layer)
        places = self._places(one, ground)
        cells = self._choose(one, ground, places.mask, self.stream.child(one.name, number))
        if len(cells) < one.count and one.required:
            raise _not_enough(one, places.steps, len(cells), ground)
        self.cells.setdefault(one.name, []).extend(cells)
        self.free.ravel()[cells] = False
        return cells

    def _stand(self, standing: Sequence[PlacedObject]) -> None:
        """Take the cells of objects that stand already; several may share one."""
        for thing in standing:
            self.cells.setdefault(thing.name, []).append(thing.y * self.width + thing.x)
            self.free[thing.y, thing.x] = False

    def _reserve(self, one: ObjectParameters) -> None:
        """Keep a fixed place free of other objects."""
        if one.at is None:
            return
        x, y = one.at
        if not self.free[y, x]:
            raise ParameterError(f"another object is already at [{x}, {y}]", ("at",))
        self.free[y, x] = False

    def _places(self, one: ObjectParameters, ground: Ground) -> Places:
        """Filter the cells by every demand of an object."""
        walkable = ground.walkable
        standing = walkable if one.on_tile is None else ground.tile(one.on_tile)
        places = Places(standing)
        if one.at is not None:
            places.mask = np.zeros_like(standing)
            places.mask[one.at[1], one.at[0]] = True
        if one.on_tile is None:
            places.keep(standing, "floor", "layer")
        else:
            places.keep(standing, repr(one.on_tile), "on_tile")
        if one.clear_radius:
            clear = clear_cells(walkable | standing, one.clear_radius)
            places.keep(clear, f"clear within {one.clear_radius}", "clear_radius")
        if one.room is not None:
            room = ground.room(one.room, one.required)
            places.keep(room, f"in room {one.room}", "room")
        if one.region is not None:
            rank = 1 if one.region == "largest" else one.region
            region = _region(walkable, rank, one.required)
            places.keep(region, f"in region {rank}", "region")
        self._keep_near_and_far(one, ground, places)
        if one.at is None and (places.mask & ~self.free).any():
            places.keep(self.free, "free", "count")
        return places

    def _keep_near_and_far(self, one: ObjectParameters, ground: Ground, places: Places) -> None:
        if one.reachable_from is not None:
            steps = self._steps(one, ground, (one.reachable_from,))
            what = f"reachable from {one.reachable_from}"
            places.keep(steps != UNREACHABLE, what, "reachable_from")
        if one.far_from is not None:
            names = _names(one.far_from)
            least = one.min_distance
            what = f"{'reachable' if least is None else f'at least {least} steps'} from "
            what += ", ".join(names)
            places.keep(self._steps(one, ground, names) >= (least or 0), what, "far_from")
        if one.near is not None:
            steps = self._steps(one, ground, (one.near,))
            mask, what = steps != UNREACHABLE, f"reachable from {one.near}"
            if one.max_distance is not None:
                mask &= steps <= one.max_distance
                what = f"within {one.max_distance} steps of {one.near}"
            places.keep(mask, what, "near")

    def _steps(
        self, one: ObjectParameters, ground: Ground, names: tuple[str, ...]
    ) -> NDArray[np.int32]:
        """Return the steps from the nearest object of some names to every cell, -1 for never.

        For an object with `on_tile`, cells that are not walkable count from their nearest
        neighbour, so that something in a wall can be reached.
        """
        aside = one.on_tile is not None
        key = (ground.name, names, aside)
        if key not in self.distances:
            walkable = ground.walkable
            sources = np.zeros_like(walkable)
            sources.ravel()[[cell for name in names for cell in self.cells[name]]] = True
            steps = distance_from(sources, walkable | sources)
            if aside:
                steps = np.where(walkable | sources, steps, _step_aside(steps))
            self.distances[key] = steps
        return self.distances[key]

    def _choose(
        self, one: ObjectParameters, ground: Ground, mask: Mask, stream: PortableStream
    ) -> list[int]:
        """Return up to `count` cells of the mask, apart by `spacing` from all of that name."""
        halves = _disc(one.spacing)
        room = np.ascontiguousarray(mask, np.uint8).ravel()
        for cell in self.cells.get(one.name, []):
            clear_disc(room.data, self.width, halves.data, cell)
        warn_uncompiled(
            COMPILED,
            "placement",
            min(one.count * one.spacing**2 * 3, 5 * room.size),
            CELLS_A_SECOND,
        )
        chosen = np.empty(one.count, np.int64)
        found = self._choose_preferred(one, ground, room.copy(), halves, chosen, stream)
        best = chosen[:found]
        if found < one.count and one.spacing > 1:
            # Random places waste room: pack row after row and column after column instead.
            cells = np.flatnonzero(room)
            columns = cells[np.lexsort((cells, cells % self.width))]
            for order in (cells, columns, cells[::-1], columns[::-1]):
                packed = np.empty(one.count, np.int64)
                count = self._take(room.copy(), halves, order, packed, 0)
                if count > best.size:
                    best = packed[:count]
                if count == one.count:
                    break
        return [int(cell) for cell in best]

    def _choose_preferred(
        self,
        one: ObjectParameters,
        ground: Ground,
        room: NDArray[np.uint8],
        halves: NDArray[np.int32],
        chosen: NDArray[np.int64],
        stream: PortableStream,
    ) -> int:
        """Fill `chosen` with the farthest, nearest, or random cells; return how many."""
        farthest = one.far_from is not None and one.min_distance is None
        nearest = one.near is not None and one.max_distance is None
        found = 0
        if not farthest and not nearest:
            darts = DARTS + DARTS_FOR_EACH * one.count
            found = throw_darts(
                room.data, self.width, halves.data, stream.draws("darts"), darts, chosen.data, 0
            )
            if found == one.count:
                return found
        cells = np.flatnonzero(room)
        score = np.zeros(cells.size, np.int64)
        if farthest and one.far_from is not None:
            score -= (
                self._steps(one, ground, _names(one.far_from)).ravel()[cells].astype(np.int64) << 32
            )
        if nearest and one.near is not None:
            score += self._steps(one, ground, (one.near,)).ravel()[cells]
        hashes = stream.words("order", self.width, self.height).ravel()[cells]
        # Mostly the best few are enough; sorting a million cells would take most of the time.
        some = DARTS + DARTS_FOR_EACH * one.count
        last = np.partition(score, some)[some] if cells.size > some else score.max(initial=0)
        for part in (score <= last, score > last):
            if found < one.count and part.any():
                order = cells[part][np.lexsort((hashes[part], score[part]))]
                found = self._take(room, halves, order, chosen, found)
        return found

    def _take(
        self,
        room: NDArray[np.uint8],
        halves: NDArray[np.int32],
        order: NDArray[np.int64],
        chosen: NDArray[np.int64],
        found: int,
    ) -> int:
        offered = np.ascontiguousarray(order, np.int64)
        if not offered.size:
            return found
        return int(
            take_in_order(room.data, self.width, halves.data, offered.data, chosen.data, found)
        )


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
    """Return how far a disc of cells nearer than `spacing` reaches in every row from its centre."""
    square = max(spacing, 1) ** 2
    return np.array([isqrt(square - 1 - away * away) for away in range(max(spacing, 1))], np.int32)


def _names(names: str | tuple[str, ...]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _region(walkable: Mask, rank: int, required: bool) -> Mask:
    """Return the region of a rank in size (the first of equals first) and the cells beside it.

    Nothing if there are not so many and nobody requires it.
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
    kept: Mask = beside & (region | ~walkable)
    return kept


def _step_aside(steps: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return one more than the least distance of the four neighbours; -1 where none has one."""
    far = np.int32(2**31 - 2)
    framed = np.pad(np.where(steps < 0, far, steps), 1, constant_values=far)
    least = np.minimum(
        np.minimum(framed[:-2, 1:-1], framed[2:, 1:-1]),
        np.minimum(framed[1:-1, :-2], framed[1:-1, 2:]),
    )
    return np.where(least == far, np.int32(UNREACHABLE), least + np.int32(1))


def _not_enough(
    one: ObjectParameters, steps: list[tuple[str, int, str]], placed: int, ground: Ground
) -> ParameterError:
    """Say how many cells each demand left, at the first that left too few."""
    parameter = next((name for _, count, name in steps if count < one.count), "")
    if one.at is not None:
        what = next(what for what, count, _ in steps if count == 0) if parameter else "free"
        return ParameterError(f"{one.name}: [{one.at[0]}, {one.at[1]}] is not {what}", ("at",))
    what, count, _ = steps[0]
    told = [f"{count} {what} cells", *(f"{count} {what}" for what, count, _ in steps[1:])]
    if steps[-1][1] > placed:
        parameter = parameter or "spacing"
        told.append(f"spacing {one.spacing} leaves room for {placed}")
    way_out = ""
    if count == 0 and len(ground.layers) > 1 and one.on_tile is None:
        names = ", ".join(layer.name for layer in ground.layers)
        way_out = (
            f" (the `play` layers {names} leave none free together: give those that are not walked "
            "on another `role`)"
        )
    return ParameterError(
        f"{one.name}: {one.count} wanted, {placed} placed: {', '.join(told)}{way_out}",
        (parameter,),
    )
