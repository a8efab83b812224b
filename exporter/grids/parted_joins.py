"""Connect the regions of a world's map chunk by chunk.

The result equals that of `exporter.grids.connectivity`: a minimum spanning tree of meetings. A
meeting is a pair of cells where the territories of two regions touch. A chunk is read with a
margin, its halo. The owner of a cell depends only on cells no further away than the owning region,
so a chunk with its halo shows all its meetings that cost less than twice the halo. A meeting can be
in the tree only if it is in the chunk's own spanning forest (the most expensive meeting of a cycle
never is), so few are kept. If they do not join everything, a wider halo shows more expensive ones.

A meeting names its two regions. A region in the chunk is named by its first cell there. A region
that is only seen in the halo is named by any of its cells; later the chunk of that cell identifies
the region.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.grids.connectivity import Territories, carvable, find_meetings, territories
from exporter.grids.packed_arrays import pack_arrays, unpack_arrays
from exporter.grids.parted_regions import (
    PartRegions,
    decode_regions,
    edge_regions,
    encode_regions,
    least_joined,
    regions_of_part,
)
from exporter.grids.regions import Regions, label_regions
from exporter.model.lazy_dataclass import dataclass
from exporter.model.windows import Window

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """Pairs of adjacent cells where the territories of two regions meet.

    A cell is numbered y * width of the map + x.

    Attributes:
        costs: int64 [meetings]: the number of cells to open to join the two regions.
        places: int64: the cell above or to the left of the border between the territories.
        south: bool: whether the other cell is below, not to the right.
        regions: int64 [meetings, 2]: each region's first cell in the chunk; or -1 - c for a region
            in other chunks only, where c is any of its cells.
        lengths: int64: the number of cells of `opened` for each meeting.
        opened: int64 [cells]: the cells to open, meeting by meeting.
    """

    costs: NDArray[np.int64]
    places: NDArray[np.int64]
    south: Mask
    regions: NDArray[np.int64]
    lengths: NDArray[np.int64]
    opened: NDArray[np.int64]

    def needed(self) -> NDArray[np.int64]:
        """Return, ascending, one cell of each region that is only in other chunks."""
        return np.unique(-1 - self.regions[self.regions < 0])

    def answered(self, known: Mapping[int, int]) -> Meetings:
        """Return the meetings with the regions from other chunks filled in.

        `known` has for each cell from `needed` the first cell of its region, which `regions_at`
        found in that cell's chunk.
        """
        if not known:
            return self
        cells = np.array(sorted(known), np.int64)
        answers = np.array([known[cell] for cell in cells.tolist()], np.int64)
        there, position = _find(cells, -1 - self.regions.ravel())
        there &= self.regions.ravel() < 0
        regions = np.where(there, answers[position], self.regions.ravel())
        return replace(self, regions=regions.reshape(-1, 2))


@dataclass(frozen=True, slots=True, eq=False)
class PartJoins:
    """The facts about a chunk that are needed to join the whole map's regions.

    Attributes:
        regions: The regions of the chunk.
        meetings: The meetings in the chunk that may be in the cheapest solution.
        finished: Whether a wider halo would show no further meetings.
        nearest: The chunk's cell nearest to the middle of the map that may be opened, as squared
            distance and number; it is opened in a map without regions. None without such a cell.
    """

    regions: PartRegions
    meetings: Meetings
    finished: bool
    nearest: tuple[int, int] | None


@dataclass(frozen=True, slots=True, eq=False)
class JoinedParts:
    """The result of joining the regions of a map.

    Attributes:
        regions: The number of regions that are left.
        opened: int64: the opened cells as y * width of the map + x, ascending.
    """

    regions: int
    opened: NDArray[np.int64]


def joins_of_part(
    walkable: Mask, remaining: Mask | None, window: Window, around: Window, halo: int, phase: int
) -> PartJoins:
    """Return the facts about a chunk that joining the map's regions needs.

    Args:
        walkable: bool [height, width] of `around`.
        remaining: bool, of the same shape: cells that are never opened.
        window: The cells of the chunk.
        around: The chunk with its halo, the cells around that are read, cut off at the map's edges.
        halo: The width of the halo in cells, at least 2.
        phase: Which cells may be opened: 0 inside the map, 1 also next to corner cells, 2 all.
    """
    near = window.grown(1)
    free = ~walkable if remaining is None else ~(walkable | remaining)
    return PartJoins(
        regions_of_part(walkable[near.within(around)], window, near),
        *meetings_of_part(walkable, remaining, window, around, halo, phase),
        _nearest(free, window, around),
    )


def meetings_of_part(
    walkable: Mask, remaining: Mask | None, window: Window, around: Window, halo: int, phase: int
) -> tuple[Meetings, bool]:
    """Return the meetings of a chunk that may be used, and if these are all.

    They are all if a wider halo would show no others.

    Args:
        walkable: bool [height, width] of `around`.
        remaining: bool, of the same shape: cells that are never opened.
        window: The cells of the chunk, or of a block of chunks.
        around: These cells with their halo, cut off at the map's edges.
        halo: The width of the halo in cells, at least 2.
        phase: Which cells may be opened: 0 inside the map, 1 also next to corner cells, 2 all.
    """
    free = ~walkable if remaining is None else ~(walkable | remaining)
    openable = free & carvable(phase, around)
    regions = label_regions(walkable)
    grown = territories(walkable, openable, regions.labels)
    near = window.grown(1)
    inside = np.zeros((around.height + 2, grown.stride), bool)
    inside[1:-1, 1:-1][window.within(around)] = True
    first, second = find_meetings(grown, inside.ravel())
    seen = np.maximum(grown.distances[first], grown.distances[second]) < halo
    first, second = first[seen], second[seen]
    used = minimum_forest(regions.count + 1, grown.owners[first], grown.owners[second])
    first, second = first[used], second[used]
    names = _names(regions, walkable, window, around)
    return (
        _meetings(grown, names, first, second, around),
        _finished(grown, openable, near, around, halo),
    )


def regions_at(walkable: Mask, window: Window, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each of `cells` the first cell of its region in the chunk.

    Args:
        walkable: bool [height, width] of the chunk.
        window: The cells of the chunk.
        cells: int64: walkable cells of the chunk, as y * width of the map + x.
    """
    labels = label_regions(walkable).labels
    firsts = _first_cells(labels, window)
    y, x = np.divmod(cells, window.whole[0])
    result: NDArray[np.int64] = firsts[labels[y - window.y, x - window.x]]
    return result


def minimum_forest(
    count: int, first: NDArray[np.integer], second: NDArray[np.integer]
) -> NDArray[np.int64]:
    """Return the indices of the edges that form a minimum spanning forest.

    In each round every tree takes its cheapest edge (Borůvka, 1926; see Nešetřil, Milková,
    Nešetřilová, "Otakar Borůvka on minimum spanning tree problem", 2001).

    Args:
        count: The number of nodes.
        first: One end of each edge; edges are sorted by cost.
        second: The other end of each edge.
    """
    edges = np.arange(first.size)
    item, other = first.astype(np.int64), second.astype(np.int64)
    used = [np.zeros(0, np.int64)]
    never = first.size
    while True:
        apart = item != other
        edges, item, other = edges[apart], item[apart], other[apart]
        if not edges.size:
            return np.sort(np.concatenate(used))
        cheapest = np.full(count, never)
        np.minimum.at(cheapest, item, edges)
        np.minimum.at(cheapest, other, edges)
        picked = np.isin(edges, cheapest)
        used.append(edges[picked])
        roots = least_joined(count, item[picked], other[picked])
        item, other = roots[item], roots[other]


def joined_parts(
    count: int, parts: Sequence[PartRegions], meetings: Meetings, known: Mapping[int, int]
) -> JoinedParts:
    """Join the regions of the whole map by opening the fewest cells.

    Args:
        count: The number of regions of the map before joining.
        parts: The regions of all chunks.
        meetings: The meetings of all chunks.
        known: For each cell from `Meetings.needed` the first cell of its region, from `regions_at`.
            A meeting with an unknown region is ignored.
    """
    edges = edge_regions(parts)
    order = np.argsort(edges.own_firsts)
    own, whole = edges.own_firsts[order], edges.firsts[edges.roots][order]
    meetings = meetings.answered(known)
    usable: Mask = np.logical_and.reduce(meetings.regions >= 0, axis=1)
    regions: NDArray[np.int64] = meetings.regions.ravel()
    there, position = _find(own, regions)
    regions = np.where(there, whole[position] if whole.size else -1, regions)
    cheapest = np.lexsort((meetings.south, meetings.places, meetings.costs))
    cheapest = cheapest[usable[cheapest]]
    names, ends = np.unique(regions.reshape(-1, 2)[cheapest], return_inverse=True)
    ends = ends.reshape(-1, 2)
    used = cheapest[minimum_forest(names.size, ends[:, 0], ends[:, 1])]
    chosen = np.zeros(meetings.costs.size, bool)
    chosen[used] = True
    opened = np.unique(meetings.opened[np.repeat(chosen, meetings.lengths)])
    return JoinedParts(count - used.size, opened)


def all_meetings(parts: Sequence[Meetings]) -> Meetings:
    """Return the meetings of several chunks as one `Meetings`."""
    if not parts:
        none = np.zeros(0, np.int64)
        return Meetings(none, none, np.zeros(0, bool), none.reshape(0, 2), none, none)
    return Meetings(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("costs", "places", "south", "regions", "lengths", "opened")
        )
    )


def encode_meetings(meetings: Meetings) -> bytes:
    """Encode `meetings` as bytes, for the cache or another process."""
    return pack_arrays(
        {
            "costs": meetings.costs.astype("<u4"),
            "places": meetings.places.astype("<u4"),
            "south": meetings.south.astype("<u1"),
            "regions": meetings.regions.ravel().astype("<i8"),
            "lengths": meetings.lengths.astype("<u4"),
            "opened": meetings.opened.astype("<u4"),
        }
    )


def decode_meetings(data: bytes) -> Meetings:
    """Decode meetings from `data`, made by `encode_meetings`.

    Raises:
        ValueError: The bytes are not from `encode_meetings`.
    """
    arrays = unpack_arrays(data)
    try:
        return Meetings(
            arrays["costs"].astype(np.int64),
            arrays["places"].astype(np.int64),
            arrays["south"].astype(bool),
            arrays["regions"].astype(np.int64).reshape(-1, 2),
            arrays["lengths"].astype(np.int64),
            arrays["opened"].astype(np.int64),
        )
    except KeyError as error:
        raise ValueError("the data are not the meetings of two chunks") from error


def encode_part_joins(part: PartJoins) -> bytes:
    """Encode `part`, the facts about a chunk, as bytes."""
    regions = np.frombuffer(encode_regions(part.regions), "<u1")
    meetings = np.frombuffer(encode_meetings(part.meetings), "<u1")
    rest = np.array([int(part.finished), *(part.nearest or ())], "<i8")
    return pack_arrays({"regions": regions, "meetings": meetings, "rest": rest})


def decode_part_joins(data: bytes) -> PartJoins:
    """Decode the facts about a chunk from `data`, made by `encode_part_joins`.

    Raises:
        ValueError: The bytes are not from `encode_part_joins`.
    """
    arrays = unpack_arrays(data)
    try:
        finished, *nearest = arrays["rest"].tolist()
        regions = decode_regions(arrays["regions"].tobytes())
        meetings = decode_meetings(arrays["meetings"].tobytes())
    except KeyError as error:
        raise ValueError("the data are not the joins of a chunk") from error
    return PartJoins(
        regions, meetings, bool(finished), (nearest[0], nearest[1]) if nearest else None
    )


def _find(values: NDArray[np.int64], expected: NDArray[np.int64]) -> tuple[Mask, NDArray[np.int64]]:
    """Return which of `expected` are in `values`, and their indices there.

    `values` are sorted. The index of a value that is missing has no meaning.
    """
    if not values.size:
        return np.zeros(expected.size, bool), np.zeros(expected.size, np.int64)
    position = np.minimum(np.searchsorted(values, expected), values.size - 1)
    return values[position] == expected, position


def _first_cells(labels: NDArray[np.int32], window: Window) -> NDArray[np.int64]:
    """Return the first cell of each region in `window`.

    `labels` has the region of each cell of the window. The result is numbers y * width of the map +
    x.
    """
    cells = np.flatnonzero(labels)[::-1]
    firsts = np.zeros(int(labels.max(initial=0)) + 1, np.int64)
    # The last one that is written stays: the first cell.
    firsts[labels.ravel()[cells]] = cells
    y, x = np.divmod(firsts, window.width)
    return (y + window.y) * window.whole[0] + x + window.x


def _names(regions: Regions, walkable: Mask, window: Window, around: Window) -> NDArray[np.int64]:
    """Return the name of each region around a chunk.

    It is the region's first cell in the chunk; or -1 - c, where c is a cell, for a region in other
    chunks only.
    """
    names = -1 - _first_cells(regions.labels, around)
    inside = window.within(around)
    own = label_regions(np.ascontiguousarray(walkable[inside])).labels
    labels = regions.labels[inside]
    firsts = _first_cells(own, window)
    cells = np.flatnonzero(own)[::-1]
    # Any of the part's own regions will do: they are the same region. The first is written last.
    names[labels.ravel()[cells]] = firsts[own.ravel()[cells]]
    return names


def _meetings(
    grown: Territories,
    names: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    around: Window,
) -> Meetings:
    """Return the meetings of the adjacent cells `first` and `second`.

    `names` has the name of each region: its first cell in the chunk, or -1 - c for one outside.
    """

    def in_map(framed: NDArray[np.int64]) -> NDArray[np.int64]:
        y, x = np.divmod(framed, grown.stride)
        return (y - 1 + around.y) * around.whole[0] + x - 1 + around.x

    numbers, cells = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for side in (first, second):
        number, cell = np.arange(side.size), side
        while True:
            solid = grown.distances[cell] > 0
            number, cell = number[solid], cell[solid]
            if not cell.size:
                break
            numbers.append(number)
            cells.append(cell)
            cell = grown.parents[cell].astype(np.int64)
    number, cell = np.concatenate(numbers), np.concatenate(cells)
    order = np.argsort(number, kind="stable")
    owners = grown.owners
    return Meetings(
        grown.distances[first].astype(np.int64) + grown.distances[second],
        in_map(first),
        second - first != 1,
        np.stack([names[owners[first]], names[owners[second]]], axis=1),
        np.bincount(number, minlength=first.size).astype(np.int64),
        in_map(cell[order]),
    )


def _finished(grown: Territories, free: Mask, near: Window, around: Window, halo: int) -> bool:
    """Return whether a wider halo would show no more meetings.

    `near` are the cells whose meetings are wanted, `around` those with the halo, and `free` the
    cells that may be opened.
    """
    owners = grown.owners.reshape(-1, grown.stride)[1:-1, 1:-1]
    distances = grown.distances.reshape(-1, grown.stride)[1:-1, 1:-1]
    inside = near.within(around)
    if int(distances[inside].max(initial=0)) >= halo:
        return False
    unreached = free & (owners == 0)
    if not unreached[inside].any():
        return True
    # Cells enclosed by kept cells are never reached; cells with a way out may be.
    labels = label_regions(unreached).labels
    width, height = around.whole
    outside = [
        labels[:, 0] if around.x > 0 else None,
        labels[:, -1] if around.right < width else None,
        labels[0] if around.y > 0 else None,
        labels[-1] if around.bottom < height else None,
    ]
    open_ones = [item[item > 0] for item in outside if item is not None]
    return not np.isin(labels[inside], np.concatenate([np.zeros(0, np.int32), *open_ones])).any()


def _nearest(free: Mask, window: Window, around: Window) -> tuple[int, int] | None:
    """Find the chunk's `free` cell nearest to the middle of the map.

    Return its squared distance, and its number y * width of the map + x; None without a free cell.
    `window` is the chunk, `around` the cells that `free` covers.
    """
    width, height = window.whole
    rows, columns = np.nonzero(free[window.within(around)])
    if not rows.size:
        return None
    y, x = rows + window.y, columns + window.x
    distances = np.square(y - height // 2) + np.square(x - width // 2)
    nearest = int(distances.argmin())
    return int(distances[nearest]), int(y[nearest]) * width + int(x[nearest])
