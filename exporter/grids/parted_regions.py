"""Find the regions of a world's map chunk by chunk.

Each chunk labels its own regions. A region at the chunk's edge may continue in other chunks; of the
inner regions only the number and the largest are kept. Union-find joins regions across the sides of
chunks, not across corners. It is the run-based method of `exporter.grids.regions` with chunks in
place of runs (Samet, Tamminen, "Efficient component labeling of images of arbitrary dimension
represented by linear bintrees", 1988).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from exporter.grids.certificates import find_dead_ends
from exporter.grids.regions import label_regions
from exporter.model.lazy_dataclass import dataclass
from exporter.model.windows import Window

_HEAD = struct.Struct("<4I2I5q")
_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class PartRegions:
    """The facts about a chunk that are needed to find the whole map's regions.

    Attributes:
        window: The cells of the chunk.
        edges: The region of each cell of the top row, bottom row, left column and right column,
            each int32; regions count from 1, unwalkable cells are 0.
        sizes: int64 [regions at the edges]: the number of cells of each region in the chunk.
        firsts: int64: the first cell of each, row by row, as y * width of the map + x.
        inner: The number of regions that touch no edge.
        inner_size: The number of cells of the largest inner region; 0 without any.
        inner_first: The first cell of the largest inner region; if several are equally large, of
            the first of them.
        floor: The number of walkable cells.
        dead_ends: The number of walkable cells with exactly one walkable neighbour.
    """

    window: Window
    edges: tuple[NDArray[np.int32], ...]
    sizes: NDArray[np.int64]
    firsts: NDArray[np.int64]
    inner: int
    inner_size: int
    inner_first: int
    floor: int
    dead_ends: int


@dataclass(frozen=True, slots=True)
class WholeRegions:
    """The regions of a whole map: their number, and facts about its cells.

    Attributes:
        count: The number of 4-connected regions.
        start: The first cell (x, y), row by row, of the largest region; None without regions.
        floor: The number of walkable cells.
        dead_ends: The number of walkable cells with exactly one walkable neighbour.
    """

    count: int
    start: tuple[int, int] | None
    floor: int
    dead_ends: int


def regions_of_part(walkable: NDArray[np.bool_], window: Window, around: Window) -> PartRegions:
    """Return the facts about a chunk that finding the map's regions needs.

    Args:
        walkable: bool [height, width] of `around`.
        window: The cells of the chunk.
        around: The chunk with the adjacent cells, cut off at the map's edges.
    """
    inside = window.within(around)
    own = np.ascontiguousarray(walkable[inside])
    regions = label_regions(own)
    labels = regions.labels
    cells = np.flatnonzero(labels)[::-1]
    firsts = np.zeros(regions.count + 1, np.int64)
    # The last one that is written stays: the first cell.
    firsts[labels.ravel()[cells]] = cells
    y, x = np.divmod(firsts, window.width)
    firsts = (y + window.y) * window.whole[0] + x + window.x
    edges = (labels[0], labels[-1], labels[:, 0], labels[:, -1])
    at_edge = np.zeros(regions.count + 1, bool)
    for edge in edges:
        at_edge[edge] = True
    at_edge[0] = False
    numbers = np.zeros(regions.count + 1, np.int32)
    numbers[at_edge] = np.arange(1, np.count_nonzero(at_edge) + 1)
    inner = np.flatnonzero(~at_edge[1:])
    largest = int(inner[regions.sizes[inner].argmax()]) if inner.size else -1
    return PartRegions(
        window,
        tuple(numbers[edge] for edge in edges),
        regions.sizes[at_edge[1:]],
        firsts[at_edge],
        int(inner.size),
        int(regions.sizes[largest]) if inner.size else 0,
        int(firsts[largest + 1]) if inner.size else 0,
        int(np.count_nonzero(own)),
        int(np.count_nonzero(find_dead_ends(walkable)[inside])),
    )


@dataclass(frozen=True, slots=True, eq=False)
class EdgeRegions:
    """All regions that touch the edge of a chunk, joined across the edges.

    A region has a number in the order of chunks. Regions of several chunks that touch are one; the
    lowest number among them represents it, its root.

    Attributes:
        roots: int64 [regions at edges]: the root of each region.
        sizes: int64: for each root the number of cells of the joined region; 0 for others.
        firsts: int64: for each root the first cell of the joined region.
        own_firsts: int64: each region's first cell in its chunk.
    """

    roots: NDArray[np.int64]
    sizes: NDArray[np.int64]
    firsts: NDArray[np.int64]
    own_firsts: NDArray[np.int64]


def edge_regions(parts: Iterable[PartRegions]) -> EdgeRegions:
    """Find which regions of the chunks `parts` continue across their edges."""
    known = {(part.window.x, part.window.y): part for part in parts}
    offsets: dict[tuple[int, int], int] = {}
    count = 0
    for position, item in known.items():
        offsets[position] = count
        count += item.sizes.size
    pairs = []
    for (x, y), entry in known.items():
        for location, own, other in (
            ((entry.window.right, y), 3, 2),
            ((x, entry.window.bottom), 1, 0),
        ):
            if location not in known:
                continue
            here, there = entry.edges[own], known[location].edges[other]
            both = (here > 0) & (there > 0)
            meeting = np.stack([here[both], there[both]]).astype(np.int64) - 1
            meeting += np.array([[offsets[x, y]], [offsets[location]]])
            pairs.append(np.unique(meeting, axis=1))
    first, second = np.concatenate([np.zeros((2, 0), np.int64), *pairs], axis=1)
    roots = least_joined(count, first, second)
    own_sizes = np.concatenate([np.zeros(0, np.int64), *(item.sizes for item in known.values())])
    own_firsts = np.concatenate([np.zeros(0, np.int64), *(item.firsts for item in known.values())])
    sizes, firsts = np.zeros(count, np.int64), np.full(count, _NEVER)
    np.add.at(sizes, roots, own_sizes)
    np.minimum.at(firsts, roots, own_firsts)
    return EdgeRegions(roots, sizes, firsts, own_firsts)


def whole_regions(parts: Iterable[PartRegions]) -> WholeRegions:
    """Return the regions of the whole map from `parts`, all of its chunks."""
    known = list(parts)
    edges = edge_regions(known)
    candidates = [
        (-int(edges.sizes[root]), int(edges.firsts[root]))
        for root in np.flatnonzero(edges.sizes == edges.sizes.max(initial=0)).tolist()
        if edges.sizes[root]
    ]
    candidates += [(-item.inner_size, item.inner_first) for item in known if item.inner]
    start = None
    if candidates:
        y, x = divmod(min(candidates)[1], known[0].window.whole[0])
        start = x, y
    return WholeRegions(
        int(np.unique(edges.roots).size) + sum(item.inner for item in known),
        start,
        sum(item.floor for item in known),
        sum(item.dead_ends for item in known),
    )


def encode_regions(part: PartRegions) -> bytes:
    """Encode `part`, the facts about a chunk, as bytes."""
    window = part.window
    numbers = (window.x, window.y, window.width, window.height)
    counts = (part.inner, part.inner_size, part.inner_first, part.floor, part.dead_ends)
    head = _HEAD.pack(*numbers, *window.whole, *counts)
    arrays = [part.sizes.astype("<i8"), part.firsts.astype("<i8")]
    # The largest parts, of 2048 cells a side, have at most 4096 regions at their edges.
    edges = [edge.astype("<u2") for edge in part.edges]
    return b"".join([head, *(item.tobytes() for item in (*edges, *arrays))])


def decode_regions(data: bytes) -> PartRegions:
    """Decode the facts about a chunk from `data`, made by `encode_regions`.

    Raises:
        ValueError: The bytes are not from `encode_regions`.
    """
    try:
        x, y, width, height, *rest = _HEAD.unpack_from(data)
        window = Window(x, y, width, height, (rest[0], rest[1]))
        position = _HEAD.size
        edges = []
        for length in (width, width, height, height):
            edge = np.frombuffer(data, "<u2", length, position).astype(np.int32)
            edges.append(edge)
            position += 2 * length
    except struct.error as error:
        raise ValueError("the data are not the regions of a chunk") from error
    numbers = np.frombuffer(data, "<i8", -1, position).astype(np.int64)
    if numbers.size % 2 or max(int(edge.max(initial=0)) for edge in edges) > numbers.size // 2:
        raise ValueError("the data are not the regions of a chunk")
    sizes, firsts = numbers.reshape(2, -1)
    return PartRegions(window, tuple(edges), sizes, firsts, *rest[2:])


def least_joined(
    count: int, first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return for each node of a graph the lowest node that it is joined to.

    Edge i joins the nodes `first[i]` and `second[i]`; `count` is the number of nodes. Each round
    links every root to its lowest adjacent root and shortens all paths, so that at most half of the
    roots of a component are left.
    """
    parents = np.arange(count, dtype=np.int64)
    while True:
        item, other = parents[first], parents[second]
        apart = item != other
        if not apart.any():
            return parents
        first, second = first[apart], second[apart]
        item, other = item[apart], other[apart]
        np.minimum.at(parents, np.maximum(item, other), np.minimum(item, other))
        shorter = parents[parents]
        while not np.array_equal(shorter, parents):
            parents, shorter = shorter, shorter[shorter]
