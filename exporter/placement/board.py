"""Choose the cells of one object group on a map.

`exporter.placement.demands` finds the cells that a group can use; here some of them are chosen, in
one compiled loop, at least `spacing` apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from exporter.kernels import warn_uncompiled
from exporter.kernels.placement import COMPILED, clear_disc, take_few, take_in_order, throw_darts
from exporter.model.errors import ParameterError
from exporter.placement.chances import chosen_cells
from exporter.placement.demands import Demands, GroupSurroundings, Mask
from exporter.placement.ground import PlacementGround
from exporter.placement.parameters import ObjectParameters

if TYPE_CHECKING:
    from exporter.streams import PortableStream


# Darts thrown before the cells that are left are listed: enough for sparse floors.
DARTS = 4096
DARTS_FOR_EACH = 64
# Up to so many cells of one area are chosen by comparing all of its cells for each.
FEW = 16
# The same for the whole map, where the alternative sorts only once.
FEW_OF_ALL = 4
# Time of the loops when interpreted.
CELLS_A_SECOND = 10_000_000
CELLS_COMPARED_A_SECOND = 2_000_000


class PlacementBoard:
    """Chooses the cells of one object group on the map.

    Args:
        spec: The group's parameters in the spec.
        surroundings: The map around the group: other objects, rooms and steps.
        stream: Random numbers of the group.
    """

    def __init__(
        self, spec: ObjectParameters, surroundings: GroupSurroundings, stream: PortableStream
    ) -> None:
        self.spec = spec
        self.surroundings = surroundings
        self.stream = stream
        self.ground = surroundings.ground
        self.height, self.width = self.ground.walkable.shape
        self.demands = Demands(spec, surroundings)
        # The cells that a chosen cell takes from others of its name.
        self.halves = _disc(spec.spacing)

    def place(self) -> list[int]:
        """Choose the cells of the group's objects: numbers y * width + x.

        Raises:
            ParameterError: There are fewer cells than required objects; or, with `place: by_cell`,
                more objects than the limit.
        """
        places = self.demands.places()
        if self.spec.percent is not None:
            return [int(cell) for cell in chosen_cells(places.mask, self.spec.percent, self.stream)]
        cells = self._choose(places.mask)
        if len(cells) < self.spec.count and self.spec.required:
            raise _not_enough(self.spec, places.steps, len(cells), self.ground)
        return cells

    def free_cells(self, mask: Mask) -> NDArray[np.uint8]:
        """Mark the cells of `mask` where an object can be placed.

        Objects of the group's name that were placed before are at least `spacing` away. The result
        is uint8 [height * width]: 1 for these cells.
        """
        free = np.ascontiguousarray(mask, np.uint8).ravel()
        for cell in self.surroundings.earlier:
            clear_disc(free.data, self.width, self.halves.data, cell)
        return free

    def in_order(self, cells: NDArray[np.int64], count: int) -> Iterator[NDArray[np.int64]]:
        """Yield `cells` in the order in which the group prefers them.

        The order is farthest first, nearest first, or random. It is computed in pieces, since the
        first few cells are usually enough; `count` says how many are needed. Cells are numbers y *
        width + x.
        """
        preferred, hashes = self._preference(cells)
        primary = preferred if self.spec.farthest or self.spec.nearest else hashes
        some = DARTS + DARTS_FOR_EACH * count
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
        """Choose cells for several areas, one area after another.

        In each area the cells are chosen in the group's order, at least `spacing` apart.

        Args:
            free: uint8 [height * width]: 1 where a cell can be chosen; cleared around chosen cells.
                The caller may clear more cells between two yields.
            cells: int64 [cells]: the cells of all areas, as y * width + x.
            parts: int64 [areas, 4]: for each area the begin and end of its cells, the number of
                cells to choose, and the position of the first in `chosen`.
            chosen: int64: receives the chosen cells.

        Yields: The index of each area that needs many cells, or has too few. Nothing is chosen
        there.
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
        self, free: NDArray[np.uint8], width: int, order: Iterable[NDArray[np.int64]], count: int
    ) -> list[int]:
        """Choose up to `count` cells in the given order, `spacing` apart.

        Args:
            free: uint8 [rows * width]: 1 where a cell can be chosen; cleared around chosen cells.
            width: Cells in a row of the grid.
            order: The cells in order of preference, in pieces, as y * width + x.
            count: The largest number of cells to choose.
        """
        chosen = np.empty(count, np.int64)
        return [int(cell) for cell in chosen[: self._take(free, width, order, chosen, 0)]]

    def _preference(self, cells: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        preferred = np.zeros(cells.size, np.int64)
        if self.spec.farthest and self.spec.far_from is not None:
            preferred -= (
                self.demands.steps(self.spec.far_from_names).ravel()[cells].astype(np.int64) << 32
            )
        if self.spec.nearest and self.spec.near is not None:
            preferred += self.demands.steps((self.spec.near,)).ravel()[cells]
        return preferred, self._hashes[cells]

    @cached_property
    def _hashes(self) -> NDArray[np.uint64]:
        return self.stream.words("order", self.width, self.height).ravel()

    def _choose(self, mask: Mask) -> list[int]:
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
        """Fill `chosen` with cells in the group's order; return how many.

        The order is farthest first, nearest first, or random. `room` is 1 where a cell can be
        chosen.
        """
        expected = self.spec.count
        result = 0
        if not self.spec.farthest and not self.spec.nearest:
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
        count: int,
    ) -> int:
        """Add cells to the first `count` cells in `chosen`, until it is full.

        Return how many cells `chosen` has then. `free` is 1 where a cell can be chosen, and `order`
        has the cells in order of preference.
        """
        for part in order:
            if part.size:
                offered = np.ascontiguousarray(part, np.int64)
                count = int(
                    take_in_order(
                        free.data, width, self.halves.data, offered.data, chosen.data, count
                    )
                )
            if count == chosen.size:
                break
        return count


def packing_orders(cells: NDArray[np.int64], width: int) -> Iterator[NDArray[np.int64]]:
    """Yield four orders of `cells` in which many of them fit.

    The orders are by rows and by columns, each also reversed. Cells are numbers y * width + x,
    ascending.
    """
    columns = cells[np.lexsort((cells, cells % width))]
    yield from (cells, columns, cells[::-1], columns[::-1])


def _disc(spacing: int) -> NDArray[np.int32]:
    """Return the half widths of a disc's rows, from its middle row outwards.

    The disc has the cells nearer than `spacing` to its centre.
    """
    square = max(spacing, 1) ** 2
    return np.array([isqrt(square - 1 - away * away) for away in range(max(spacing, 1))], np.int32)


def _not_enough(
    item: ObjectParameters, steps: list[tuple[str, int, str]], placed: int, ground: PlacementGround
) -> ParameterError:
    """Return the error that too few cells are left for the group.

    Its message has the number of cells that each of the rules (`steps`) left, and of objects
    `placed`.
    """
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
            f" (the `play` layers {names} leave none free together: give layers that are not "
            "walked on another `role`)"
        )
    return ParameterError(
        f"{item.name}: only {placed} of {item.count} could be placed: "
        f"{', '.join(reported)}{way_out}",
        (parameter,),
    )
