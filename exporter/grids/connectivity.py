"""Connect the regions of a map by opening as few cells as possible.

Every region grows through the solid cells around it until it meets others. Where two of these
territories meet, the regions can be joined by opening a known number of cells. The cheapest
meetings that connect everything form a minimum spanning tree of all region-to-region distances
(Mehlhorn, "A faster approximation algorithm for the Steiner problem in graphs", 1988). Kruskal's
algorithm chooses them; of equal meetings the first in row-major order is taken. The time is linear,
except for sorting the meetings.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from exporter.grids.regions import Regions, label_regions
from exporter.kernels import warn_uncompiled
from exporter.kernels.connectivity import COMPILED, join_meetings, spread
from exporter.model.lazy_dataclass import dataclass
from exporter.model.windows import Window

# See `carvable`.
PHASES = 3


@dataclass(frozen=True, slots=True, eq=False)
class JoinedRegions:
    """A map after its regions were connected, and the opened cells.

    Attributes:
        walkable: bool [height, width]: the walkable cells afterwards.
        carved: bool [height, width]: the cells that were opened.
        regions_before: The number of 4-connected regions before the cells were opened.
        cells_carved: The number of opened cells; a map without a region gets one cell in the
            middle.
        regions: The regions afterwards: one, unless cells that may not be opened separate several.
    """

    walkable: NDArray[np.bool_]
    carved: NDArray[np.bool_]
    regions_before: int
    cells_carved: int
    regions: Regions


# Is called with the walkable cells after each join: bool [height, width], changed by the next one.
TellJoin = Callable[[NDArray[np.bool_]], None]


def join_regions(
    walkable: NDArray[np.bool_],
    remaining: NDArray[np.bool_] | None = None,
    tell: TellJoin | None = None,
) -> JoinedRegions:
    """Connect all 4-connected regions by opening the fewest cells.

    Passages are 4-connected. The outer border stays solid, unless a region (in a corner, or on a
    map at most two cells wide) cannot be reached otherwise. Without `remaining` the result is
    always one region. A map without walkable cells gets one such cell, in the middle or as near to
    the middle as `remaining` allows.

    Args:
        walkable: bool [height, width], at least one cell; is not changed.
        remaining: bool [height, width]: solid cells that are never opened; None if all may be.
        tell: Called after each join with the walkable cells, if given.

    Raises:
        ValueError: `walkable` has not two dimensions, or no cells.
    """
    if walkable.ndim != 2 or walkable.size == 0:
        raise ValueError(f"the map must have two dimensions, not shape {walkable.shape}")
    regions = label_regions(walkable)
    regions_before = regions.count
    joined = walkable.copy()
    free = np.ones(walkable.shape, bool) if remaining is None else ~remaining
    cells_carved = 0
    if regions_before == 0:
        position = _nearest(free, walkable.shape[1] // 2, walkable.shape[0] // 2)
        if position is not None:
            joined[position] = True
            cells_carved = 1
            regions = label_regions(joined)
            if tell is not None:
                tell(joined)
    elif regions_before > 1:
        window = Window.of_whole(walkable.shape[1], walkable.shape[0])
        for phase in range(PHASES):
            allowed = carvable(phase, window) & free
            cells_carved += _join_through(joined, allowed, regions, tell)
            regions = label_regions(joined)
            if regions.count == 1:
                break
    return JoinedRegions(joined, joined & ~walkable, regions_before, cells_carved, regions)


def _nearest(free: NDArray[np.bool_], x: int, y: int) -> tuple[int, int] | None:
    """Return row and column of the `free` cell nearest to (x, y), or None."""
    if not free.any():
        return None
    rows, columns = np.nonzero(free)
    nearest = int((np.square(rows - y) + np.square(columns - x)).argmin())
    return int(rows[nearest]), int(columns[nearest])


def carvable(phase: int, window: Window) -> NDArray[np.bool_]:
    """Return the cells of `window` that may be opened in `phase`.

    Phase 0 allows the inside of the map, phase 1 also the border cells next to a corner cell, phase
    2 all cells. A phase is tried when the previous one was not enough. Phase 1 is for a region in a
    corner cell, from which only its two neighbours on the border lead inside.

    The result is bool [height, width] of the window.
    """
    if phase == 2:
        return np.ones((window.height, window.width), bool)
    width, height = window.whole
    x = np.arange(window.x, window.right)
    y = np.arange(window.y, window.bottom)[:, np.newaxis]
    allowed: NDArray[np.bool_] = ((x > 0) & (x < width - 1)) & ((y > 0) & (y < height - 1))
    if phase == 1:
        beside_x = (x == 1) | (x == width - 2)
        beside_y = (y == 1) | (y == height - 2)
        at_sides = (x == 0) | (x == width - 1)
        at_ends = (y == 0) | (y == height - 1)
        allowed |= (beside_x & at_ends) | (at_sides & beside_y)
    return allowed


@dataclass(frozen=True, slots=True, eq=False)
class Territories:
    """The territory of each region: the solid cells that it is nearest to.

    The arrays have the cells of the map, row after row, with a frame around that is never entered.

    Attributes:
        owners: int32 [framed cells]: the nearest region of each cell; 0 for cells that no region
            reaches, -1 for cells that may not be opened.
        distances: int32: the number of cells to open to join a cell with its owner.
        parents: int32: the neighbour that is one cell nearer to the owner.
        stride: The number of cells in a row with its frame.
    """

    owners: NDArray[np.int32]
    distances: NDArray[np.int32]
    parents: NDArray[np.int32]
    stride: int


def territories(
    walkable: NDArray[np.bool_], allowed: NDArray[np.bool_], labels: NDArray[np.int32]
) -> Territories:
    """Grow all regions into the cells that may be opened.

    Args:
        walkable: bool [height, width]: the walkable cells.
        allowed: bool [height, width]: the cells that may be opened.
        labels: int32 [height, width]: the number of each walkable cell's region.
    """
    height, width = walkable.shape
    stride = width + 2
    owners = np.full((height + 2, stride), -1, np.int32)
    owners[1:-1, 1:-1] = np.where(allowed | walkable, labels, np.int32(-1))
    distances = np.zeros(owners.size, np.int32)
    parents = np.zeros(owners.size, np.int32)
    queue = np.empty(walkable.size, np.int32)
    sources = _growing_cells(owners)
    queue[: sources.size] = sources
    flat = owners.ravel()
    warn_uncompiled(COMPILED, "connectivity", flat.size, 1_000_000)
    spread(flat.data, distances.data, parents.data, queue.data, sources.size, stride)
    return Territories(flat, distances, parents, stride)


def _join_through(
    walkable: NDArray[np.bool_],
    allowed: NDArray[np.bool_],
    regions: Regions,
    tell: TellJoin | None = None,
) -> int:
    """Join regions by opening `allowed` cells in `walkable`.

    Return how many cells were opened. `tell`, if given, gets the walkable cells after each join.
    """
    grown = territories(walkable, allowed, regions.labels)
    cells = np.zeros((walkable.shape[0] + 2, grown.stride), np.uint8)
    cells[1:-1, 1:-1] = walkable
    first, second = find_meetings(grown)
    groups = np.arange(regions.count + 1, dtype=np.int32)

    def tell_joins(_: int) -> None:
        assert tell is not None
        tell(cells[1:-1, 1:-1] != 0)

    carved: int = join_meetings(
        first.data,
        second.data,
        grown.owners.data,
        grown.distances.data,
        grown.parents.data,
        groups.data,
        cells.ravel().data,
        None if tell is None else tell_joins,
    )
    walkable[:] = cells[1:-1, 1:-1] != 0
    return carved


def _growing_cells(owners: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the walkable cells next to a cell that may be opened, by rows.

    `owners` has the region of each walkable cell, and 0 for cells that may be opened.
    """
    free = owners == 0
    beside = np.zeros(owners.shape, bool)
    beside[1:] |= free[:-1]
    beside[:-1] |= free[1:]
    beside[:, 1:] |= free[:, :-1]
    beside[:, :-1] |= free[:, 1:]
    beside &= owners > 0
    return np.flatnonzero(beside).astype(np.int64)


def find_meetings(
    grown: Territories, inside: NDArray[np.bool_] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return pairs of adjacent cells in different territories, cheapest first.

    The cost of a pair is the number of cells to open between the two regions. Equally cheap pairs
    are sorted from top to bottom, then from left to right; pairs whose second cell is to the right
    come before those whose second cell is below.

    Args:
        grown: The territories.
        inside: bool [framed cells]: the cells allowed as the first of a pair; None allows all.

    Returns:
        The positions of the first and of the second cells, in the arrays of `grown`.
    """
    owners, stride = grown.owners, grown.stride
    pairs = []
    for offset in (1, stride):
        here, there = owners[:-offset], owners[offset:]
        apart = (here != there) & (here > 0) & (there > 0)
        if inside is not None:
            apart &= inside[:-offset]
        positions = np.flatnonzero(apart).astype(np.int64)
        pairs.append((positions, positions + offset))
    meetings = np.concatenate([pair[0] for pair in pairs])
    others = np.concatenate([pair[1] for pair in pairs])
    costs = grown.distances[meetings].astype(np.int64) + grown.distances[others]
    # One key for a sort that is the same in every version of numpy: all keys differ.
    keys = (costs * owners.size + meetings) * 2 + (others - meetings == stride)
    order = np.argsort(keys)
    return meetings[order], others[order]
