"""Choose tiles of a terrain set so that they fit their neighbours.

The terrains of a set are ranked: of two, the upper is the one whose tiles show more of the other;
if both show as much, the later one.

Each tile of a set has a terrain towards each side and corner, like Godot's peering bits and Tiled's
Wang ids. A side or corner that cells share has one terrain: if theirs differ, the lower one. So
only the upper of two terrains needs tiles for the transition, and walls beside empty cells are
empty on that side. A tile fits where it has the shared terrain at all sides and corners. If no tile
fits, the tile with the fewest differences is taken, where sides count more than corners. Each cell
continues beyond the map's edge, so that walls do not end there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass

# The neighbours that distinguish tiles.
Matching = Literal["corners and sides", "corners", "sides"]

NOTHING = -1
# Steps (x, y) to the neighbours, clockwise from the top: sides at even places, corners at odd ones.
_STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
_SIDES, _CORNERS = (0, 2, 4, 6), (1, 3, 5, 7)
_COMPARED: Mapping[Matching, tuple[int, ...]] = {
    "corners and sides": tuple(range(8)),
    "corners": _CORNERS,
    "sides": _SIDES,
}
_SIDE_WEIGHT, _CORNER_WEIGHT = 8, 3
# Chances are compared as whole numbers, so that every machine chooses alike.
_CHANCE_UNITS, _LARGEST_CHANCE = 1024, 1 << 20


@dataclass(frozen=True, slots=True)
class TerrainTile:
    """A tile of a terrain set, with the terrain at each side and corner.

    Attributes:
        number: The tile's number.
        terrains: The terrains of cells that the tile can be used for.
        bits: The terrain towards each neighbour, clockwise from the top; -1 for none.
        probability: The tile's weight in the choice among tiles with the same bits.
    """

    number: int
    terrains: frozenset[int]
    bits: tuple[int, ...]
    probability: float = 1.0


def match_terrains(
    terrains: NDArray[np.int16],
    tiles: Sequence[TerrainTile],
    mode: Matching,
    hashes: NDArray[np.uint32],
    ranked: Iterable[int] | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Choose a tile of a terrain set for each cell with a terrain.

    Args:
        terrains: The number of each cell's terrain in the set, int16 [height, width]; -1 for none.
        tiles: The tiles of the set.
        mode: Which neighbours count: those at sides, at corners, or both.
        hashes: A number for each cell, which chooses among equally good tiles.
        ranked: The terrains to rank as upper and lower; by default those of the cells. All chunks
            of a world must get the same terrains, so that their tiles agree.

    Returns:
        The tile numbers, int32 [height, width], -1 for cells without a tile; and the cells where no
        tile fits exactly, bool [height, width].
    """
    known = _Set(tiles, mode)
    numbers = np.full(terrains.shape, -1, np.int32)
    inexact = np.zeros(terrains.shape, bool)
    expected = requested_bits(
        terrains, ranks_of(tiles, terrains if ranked is None else tuple(ranked))
    )
    here = terrains >= 0
    keys = np.concatenate([terrains[here][:, None], expected[here][:, known.compared]], axis=1)
    distinct, which = np.unique(keys, axis=0, return_inverse=True)
    which = which.reshape(-1)
    chosen = np.full(len(which), -1, np.int32)
    bad = np.zeros(len(which), bool)
    draws = hashes[here].astype(np.uint64)
    # This order puts cells with equal neighbourhoods together.
    order = np.argsort(which, kind="stable")
    starts = np.searchsorted(which[order], np.arange(len(distinct) + 1))
    for number, (own, *bits) in enumerate(distinct.tolist()):
        fitting, exact = known.fitting(own, bits)
        cells = order[starts[number] : starts[number + 1]]
        bad[cells] = not exact
        if fitting:
            chosen[cells] = by_chance(fitting, draws[cells])
    numbers[here], inexact[here] = chosen, bad
    return numbers, inexact


def ranks_of(
    tiles: Sequence[TerrainTile], terrains: Sequence[int] | NDArray[np.int16]
) -> dict[int, int]:
    """Return the rank of each terrain: the upper of two has the higher rank.

    Where two terrains meet, the side has the terrain with the lower rank. Empty cells, -1, rank
    below all terrains. The ranks of two terrains may depend on which others are in `terrains`.
    """
    present = sorted({*np.unique(np.array(terrains, np.int16)).tolist()} - {NOTHING})
    shows = {
        (own, other): len(
            {tile.bits for tile in tiles if own in tile.terrains and other in tile.bits}
        )
        for own in present
        for other in present
        if own != other
    }
    # Over how many other terrains each terrain lies.
    above = {
        own: sum(
            (shows[own, other], own) > (shows[other, own], other)
            for other in present
            if other != own
        )
        for own in present
    }
    ordered = sorted(present, key=lambda own: (above[own], own))
    return {NOTHING: 0} | {own: rank for rank, own in enumerate(ordered, start=1)}


def requested_bits(terrains: NDArray[np.int16], ranks: Mapping[int, int]) -> NDArray[np.int16]:
    """Return the terrain that a tile needs at each side and corner of a cell.

    `terrains` is the terrain of each cell, int16 [height, width], -1 for none; `ranks` is from
    `ranks_of`. The result is int16 [height, width, 8], clockwise from the top.
    """
    height, width = terrains.shape
    names = np.array(
        [name for name, _ in sorted(ranks.items(), key=lambda item: item[1])], np.int16
    )
    table = np.zeros(int(names.max(initial=0)) + 2, np.int16)
    table[names] = np.arange(len(names))  # -1 is the last entry
    padded = np.pad(table[terrains], 1, mode="edge")
    around = [padded[1 + y : 1 + y + height, 1 + x : 1 + x + width] for x, y in _STEPS]
    own = padded[1:-1, 1:-1]
    lowest = np.empty((height, width, 8), np.int16)
    for side in _SIDES:
        lowest[..., side] = np.minimum(own, around[side])
    for corner in _CORNERS:
        sides = np.minimum(around[corner - 1], around[(corner + 1) % 8])
        lowest[..., corner] = np.minimum(np.minimum(own, around[corner]), sides)
    expected: NDArray[np.int16] = names[lowest]
    return expected


def by_chance(tiles: Sequence[tuple[int, float]], draws: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Choose one of `tiles` by weight for each of `draws`; return its number.

    `tiles` are pairs of number and weight; if all weights are 0, they are equally likely. `draws`
    are random numbers below 2 ** 32.
    """
    chances = np.array(
        [min(int(chance * _CHANCE_UNITS + 0.5), _LARGEST_CHANCE) for _, chance in tiles], np.uint64
    )
    if not chances.any():
        chances[:] = 1
    ends = np.cumsum(chances, dtype=np.uint64)
    places = draws * ends[-1] >> np.uint64(32)
    numbers = np.array([number for number, _ in tiles], np.int32)
    picked: NDArray[np.int32] = numbers[np.searchsorted(ends, places, side="right")]
    return picked


class _Set:
    """The tiles of a terrain set, prepared for comparison."""

    def __init__(self, tiles: Sequence[TerrainTile], mode: Matching) -> None:
        self.tiles = tiles
        self.compared = _COMPARED[mode]
        self.bits = np.array([tile.bits for tile in tiles], np.int32).reshape(-1, 8)
        self.bits = self.bits[:, self.compared]
        weights = [
            _SIDE_WEIGHT if position in _SIDES else _CORNER_WEIGHT for position in self.compared
        ]
        self.weights = np.array(weights, np.int32)

    def fitting(self, own: int, bits: Sequence[int]) -> tuple[list[tuple[int, float]], bool]:
        """Return the best tiles for a cell, and whether they fit exactly.

        `own` is the cell's terrain, `bits` are the terrains that a tile needs at the compared sides
        and corners. The result has pairs of number and weight; it is empty if no tile is for `own`.
        """
        able = [position for position, tile in enumerate(self.tiles) if own in tile.terrains]
        if not able:
            return [], False
        costs = (self.bits[able] != np.array(bits, np.int32)) @ self.weights
        first = int(np.argmin(costs))
        # Of equally different tiles, take those with the same bits as the first one.
        alike = np.flatnonzero((self.bits[able] == self.bits[able[first]]).all(axis=1))
        best = [self.tiles[able[position]] for position in alike.tolist()]
        return [(tile.number, tile.probability) for tile in best], not costs[first]
