"""Collect facts about the walkable cells of a whole world.

If the world is small enough, the cells of all chunks are combined and measured like a level. In
larger worlds, regions are found chunk by chunk; the farthest cell and choke cells stay unknown,
since no exact method works by chunks.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import asdict
from math import prod

import numpy as np
from numpy.typing import NDArray

from exporter.grids.certificates import certify
from exporter.grids.parted_regions import (
    decode_regions,
    encode_regions,
    regions_of_part,
    whole_regions,
)
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Certificate
from exporter.model.limits import MAXIMUM_CELLS
from exporter.model.windows import Window

Mask = NDArray[np.bool_]
_LENGTH = struct.Struct("<I")
_POSITION = struct.Struct("<4IB")


@dataclass(frozen=True, slots=True)
class WorldFacts:
    """Facts about the walkable cells of a layer, or of all `play` layers.

    Cells are neighbours if they share a side.

    Attributes:
        regions: The number of regions.
        floor: The number of walkable cells.
        cells: The number of all cells of the world.
        dead_ends: The number of walkable cells with exactly one walkable neighbour.
        start: The first cell (x, y), row by row, of the largest region; None without regions.
        farthest: Steps from `start` to the farthest reachable cell; None in a world that is too
            large to be measured at once.
        chokes: The number of walkable cells whose removal splits a region; None in a world that is
            too large to be measured at once.
    """

    regions: int
    floor: int
    cells: int
    dead_ends: int
    start: tuple[int, int] | None
    farthest: int | None = None
    chokes: int | None = None

    def certificate(self) -> Certificate:
        """Return the facts as a certificate, with 0 for unknown numbers."""
        return Certificate(
            regions_before=self.regions,
            regions_after=self.regions,
            cells_carved=0,
            floor=self.floor,
            cells=self.cells,
            farthest=self.farthest or 0,
            start=self.start,
            dead_ends=self.dead_ends,
            chokes=self.chokes or 0,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Joins:
    """Which cells to open so that the regions of a layer are connected.

    Attributes:
        regions_before: The number of regions before; negative while unknown.
        regions_after: The number after: one, unless fixed cells keep regions apart.
        carved: The cells to open, as y * width of the world + x, ascending: uint32.
    """

    regions_before: int
    regions_after: int
    carved: NDArray[np.uint32]

    def inside(self, window: Window) -> Mask:
        """Return which cells of `window` to open: bool [height, width]."""
        here = cells_inside(self.carved, window).astype(np.int64)
        y, x = np.divmod(here, window.whole[0])
        opened = np.zeros((window.height, window.width), bool)
        opened[y - window.y, x - window.x] = True
        return opened


def cells_inside(cells: NDArray[np.uint32], window: Window) -> NDArray[np.uint32]:
    """Return the cells that are inside `window`.

    `cells` are given as y * width of the world + x, ascending: uint32.
    """
    width = window.whole[0]
    rows = np.array([window.y, window.bottom], np.int64) * width
    first, last = np.searchsorted(cells, rows).tolist()
    near = cells[first:last]
    x = near % np.uint32(width)
    return near[(x >= window.x) & (x < window.right)]


def fits_at_once(size: tuple[int, int]) -> bool:
    """Return whether a world of `size` is small enough to measure at once."""
    return prod(size) <= MAXIMUM_CELLS


# --- parts ----------------------------------------------------------------------------------------


def records(*parts: bytes) -> bytes:
    """Combine survey results, each of one chunk, into one result."""
    return b"".join(_LENGTH.pack(len(part)) + part for part in parts)


def parts_of_records(data: bytes) -> Iterator[bytes]:
    """Yield the survey results that `records` has combined into `data`."""
    position = 0
    while position < len(data):
        (length,) = _LENGTH.unpack_from(data, position)
        position += _LENGTH.size
        yield data[position : position + length]
        position += length


def encode_masks(window: Window, *masks: Mask) -> bytes:
    """Encode `masks`, which cover `window`, with one bit for each cell."""
    head = _POSITION.pack(window.x, window.y, window.width, window.height, len(masks))
    return head + b"".join(np.packbits(mask).tobytes() for mask in masks)


def whole_masks(data: bytes, size: tuple[int, int], count: int) -> list[Mask]:
    """Combine the masks of all chunks into masks of the whole world.

    Cells of missing chunks are False.

    Args:
        data: The encoded masks of all chunks: results of `encode_masks`, combined by `records`.
        size: Width and height of the world in cells.
        count: The number of masks of each chunk, and of the result.
    """
    masks = [np.zeros((size[1], size[0]), bool) for _ in range(count)]
    for part in parts_of_records(data):
        x, y, width, height, _ = _POSITION.unpack_from(part)
        step = -(-width * height // 8)
        for number, mask in enumerate(masks):
            bits = np.frombuffer(part, np.uint8, step, _POSITION.size + number * step)
            cells = np.unpackbits(bits, count=width * height).astype(bool)
            mask[y : y + height, x : x + width] = cells.reshape(height, width)
    return masks


def encode_cells(walkable: Mask, window: Window, around: Window) -> bytes:
    """Encode what a chunk contributes to the facts about the world.

    Args:
        walkable: bool [height, width]: the walkable cells of `around`.
        window: The cells of the chunk.
        around: The window of the chunk and the cells adjacent to it.
    """
    if fits_at_once(window.whole):
        return encode_masks(window, np.ascontiguousarray(walkable[window.within(around)]))
    return encode_regions(regions_of_part(walkable, window, around))


# --- the whole ------------------------------------------------------------------------------------


def settled_cells(data: bytes, size: tuple[int, int]) -> bytes:
    """Compute the facts about a world from all chunks; return them encoded.

    `data` are the results of `encode_cells`, combined by `records`; `size` is the world's size.
    """
    if fits_at_once(size):
        (walkable,) = whole_masks(data, size, 1)
        result = certify(walkable)
        facts = WorldFacts(
            regions=result.regions_after,
            floor=result.floor,
            cells=result.cells,
            dead_ends=result.dead_ends,
            start=result.start,
            farthest=result.farthest,
            chokes=result.chokes,
        )
    else:
        whole = whole_regions(decode_regions(part) for part in parts_of_records(data))
        facts = WorldFacts(whole.count, whole.floor, prod(size), whole.dead_ends, whole.start)
    return json.dumps(asdict(facts)).encode()


def decode_facts(data: bytes) -> WorldFacts:
    """Decode the facts about a world that `settled_cells` returned."""
    facts = json.loads(data)
    start = facts.pop("start")
    return WorldFacts(**facts, start=None if start is None else (start[0], start[1]))
