"""Compare the cells of two layers: tiles by name, heights in their units.

Layers of different sizes are compared where both have cells, from the upper left corner. Large
layers are read in bands of rows, so that the memory does not grow with their size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from exporter.explore.comparison.differences import (
    Box,
    CellChanges,
    HeightChanges,
    NamedChange,
    TilePair,
    WalkableChanges,
)
from exporter.model.level import HeightRange, Layer, Tile

# About how many cells a band of rows has.
_BAND = 1 << 20
_LARGEST_SAMPLE = 65535


def compare_tiles(was: Layer, now: Layer) -> CellChanges:
    """Return the cells whose tiles have different names in two layers.

    The layers may use different ids: new ids for the same names change no cell. If the list of
    tiles has a name twice, the id is part of the name; an id that is not in the list counts as a
    separate name.
    """
    names: dict[str, int] = {}
    numbers = [_numbers(layer, names) for layer in (was, now)]
    mask = np.zeros(_common(was.cells, now.cells), bool)
    pairs: Counter[tuple[int, int]] = Counter()
    for rows, old_cells, new_cells in _bands(was.cells, now.cells):
        old, new = numbers[0].take(old_cells), numbers[1].take(new_cells)
        mask[rows] = differs = old != new
        codes, counts = np.unique(old[differs] << 32 | new[differs], return_counts=True)
        for code, cells in zip(codes.tolist(), counts.tolist(), strict=True):
            pairs[code >> 32, code & 0xFFFFFFFF] += cells
    words = list(names)
    result = [TilePair(words[old], words[new], cells) for (old, new), cells in pairs.items()]
    result.sort(key=lambda pair: (-pair.cells, pair.was, pair.now))
    return CellChanges(mask, sum(pairs.values()), box_of(mask), tuple(result))


def _numbers(layer: Layer, names: dict[str, int]) -> NDArray[np.int64]:
    """Return a number for every tile id of a layer, equal for equal names.

    `names` has the numbers of all names so far, and gets new ones.
    """
    labels = tile_labels(layer.tiles)
    ids = range(1 << 8 * layer.cells.itemsize)
    numbers = [names.setdefault(labels.get(item, f"#{item}"), len(names)) for item in ids]
    return np.array(numbers, np.int64)


def tile_labels(tiles: Sequence[Tile]) -> dict[int, str]:
    """Return a distinct name for each of `tiles`, by the tile's id."""
    times = Counter(tile.name for tile in tiles)
    return {
        tile.id: tile.name if times[tile.name] == 1 else f"{tile.name} #{tile.id}" for tile in tiles
    }


def compare_legends(was: Sequence[Tile], now: Sequence[Tile]) -> Iterator[NamedChange]:
    """Yield the tiles that differ between the legends `was` and `now`."""
    before, after = ({tile_labels(tiles)[t.id]: t for t in tiles} for tiles in (was, now))
    for name, tile in after.items():
        if name not in before:
            yield NamedChange(name, "added", None, tile)
        elif before[name] != tile:
            yield NamedChange(name, "changed", before[name], tile)
    yield from (
        NamedChange(name, "removed", tile) for name, tile in before.items() if name not in after
    )


def compare_samples(was: Layer, now: Layer) -> tuple[CellChanges, HeightChanges | None]:
    """Return which samples of two height layers differ, and by how much.

    Heights are compared in equal units, also if their ranges differ. The second value is None if
    the units differ: then the stored samples are compared.
    """
    ranges = [layer.heights or HeightRange() for layer in (was, now)]
    # A foreign blob may have a range whose length is not finite.
    same_units = ranges[0].units == ranges[1].units and all(isfinite(_unit(r)) for r in ranges)
    mask = np.zeros(_common(was.cells, now.cells), bool)
    raised = lowered = 0
    largest, total = 0.0, 0.0
    for rows, old, new in _bands(was.cells, now.cells):
        change = _change(old, new, ranges) if same_units else new.astype(np.float64) - old
        mask[rows] = change != 0
        raised += int(np.count_nonzero(change > 0))
        lowered += int(np.count_nonzero(change < 0))
        size = np.abs(change)
        largest = max(largest, float(size.max(initial=0)))
        total += float(size.sum())
    changed = raised + lowered
    cells = CellChanges(mask, changed, box_of(mask))
    if not same_units:
        return cells, None
    # With equal ranges the differences above are whole numbers of samples, whose sum is exact.
    unit = _unit(ranges[1]) if _same_range(ranges) else 1.0
    mean = total * unit / changed if changed else 0.0
    return cells, HeightChanges(ranges[1].units, raised, lowered, largest * unit, mean)


def _change(
    old: NDArray[np.uint8 | np.uint16],
    new: NDArray[np.uint8 | np.uint16],
    ranges: Sequence[HeightRange],
) -> NDArray[np.float64]:
    """Return by how much the samples `new` are higher than `old`.

    The result is in steps of a sample if both ranges are equal, else in the layers' unit.
    """
    if _same_range(ranges):
        samples: NDArray[np.float64] = new.astype(np.float64) - old
        return samples
    heights = [
        item.minimum + cells * _unit(item) for item, cells in zip(ranges, (old, new), strict=True)
    ]
    change: NDArray[np.float64] = heights[1] - heights[0]
    return change


def _same_range(ranges: Sequence[HeightRange]) -> bool:
    item, other = ranges
    return (item.minimum, item.maximum) == (other.minimum, other.maximum)


def _unit(heights: HeightRange) -> float:
    """Return the difference in height for one step of a sample."""
    return (heights.maximum - heights.minimum) / _LARGEST_SAMPLE


def compare_masks(was: NDArray[np.bool_], now: NDArray[np.bool_]) -> WalkableChanges:
    """Count the cells that are true only in `now` (opened) or `was` (closed)."""
    height, width = _common(was, now)
    before, after = was[:height, :width], now[:height, :width]
    opened, closed = np.count_nonzero(after & ~before), np.count_nonzero(before & ~after)
    return WalkableChanges(int(opened), int(closed))


def compare_named_masks(
    was: Mapping[str, NDArray[np.bool_]], now: Mapping[str, NDArray[np.bool_]]
) -> Iterator[tuple[str, int]]:
    """Yield the name of each mask that differs, with how many cells differ.

    A missing mask counts as empty. Masks of different shapes are compared where both have cells.
    """
    for name in dict.fromkeys([*now, *was]):
        there = [masks[name] for masks in (was, now) if name in masks]
        if len(there) == 2:
            changes = compare_masks(*there)
            cells = changes.opened + changes.closed
        else:
            cells = int(np.count_nonzero(there[0]))
        if cells or len(there) == 1:
            yield name, cells


def box_of(mask: NDArray[np.bool_]) -> Box | None:
    """Return the smallest rectangle around the true cells; None without any."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    left, top = int(columns[0]), int(rows[0])
    return Box(left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1)


def _common(was: NDArray[np.generic], now: NDArray[np.generic]) -> tuple[int, int]:
    """Return the height and width that two grids have in common."""
    return min(was.shape[0], now.shape[0]), min(was.shape[1], now.shape[1])


def _bands(
    was: NDArray[np.uint8] | NDArray[np.uint16], now: NDArray[np.uint8] | NDArray[np.uint16]
) -> Iterator[tuple[slice, NDArray[np.uint8 | np.uint16], NDArray[np.uint8 | np.uint16]]]:
    """Yield bands of rows that two grids have in common.

    Each is the slice of rows, and these rows of both grids, cut to the common width.
    """
    height, width = _common(was, now)
    step = max(1, _BAND // max(1, width))
    for top in range(0, height, step):
        rows = slice(top, min(top + step, height))
        yield rows, was[rows, :width], now[rows, :width]
