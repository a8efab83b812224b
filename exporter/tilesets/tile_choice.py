"""Choose the number of each cell's picture from the tile ids of a layer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.grids.neighbourhoods import classes, corner_masks, neighbour_masks
from exporter.model.lazy_dataclass import dataclass
from exporter.model.tileset import AutotileSet

Cells: TypeAlias = NDArray[np.uint8] | NDArray[np.uint16]

# All four cells around a point.
_ALL = 15


@dataclass(frozen=True, slots=True, eq=False)
class PictureChoice:
    """How one of a tile's pictures is chosen, by neighbours and position.

    Attributes:
        id: The id of the tile.
        classes: The numbers of the pictures for each class of neighbourhoods; a number that is
            listed twice is chosen twice as often.
        autotile: The kind of classes, such as `blob`; None for a single class.
        joins: The ids of tiles that count as joined, as the same surface; None for the tile's own
            id.
        inner: Whether the choice applies only to cells whose eight neighbours are joined; then only
            such cells count as joined.
    """

    id: int
    classes: tuple[tuple[int, ...], ...]
    autotile: AutotileSet | None = None
    joins: frozenset[int] | None = None
    inner: bool = False

    @property
    def numbers(self) -> NDArray[np.int32]:
        """Every picture number that may be chosen, class by class."""
        return np.array([number for numbers in self.classes for number in numbers], np.int32)

    def renumbered(self, numbers: NDArray[np.int32]) -> PictureChoice:
        """Return a copy with each picture number `n` replaced by `numbers[n]`."""
        classes = tuple(tuple(numbers[list(item)].tolist()) for item in self.classes)
        return replace(self, classes=classes)

    def pick(
        self, cells: Cells, numbers: NDArray[np.int32], origin: tuple[int, int] = (0, 0)
    ) -> None:
        """Write the number of a picture into each cell that has the tile `id`.

        `cells` has the layer's tile ids, `numbers` the picture numbers, both [height, width].
        `numbers` is changed in place. `origin` is the position (x, y) of the first cell in the
        whole map.
        """
        here = cells == self.id
        joined = here if self.joins is None else _among(cells, self.joins)
        if self.inner:
            joined = neighbour_masks(joined) == 255
            here &= joined
        counts = np.array([len(numbers) for numbers in self.classes], np.int64)
        first = np.cumsum(counts) - counts
        which = classes(joined, self.autotile)[here] if self.autotile else np.int64(0)
        position: Any = 0
        if counts.max() > 1:
            position = cell_hash(here.shape[0], here.shape[1], origin)[here] % counts[which]
        numbers[here] = self.numbers[first[which] + position]


def _among(cells: Cells, ids: frozenset[int]) -> NDArray[np.bool_]:
    table = np.zeros(65536, bool)
    table[list(ids)] = True
    return table[cells]


@dataclass(frozen=True, slots=True, eq=False)
class Picks:
    """How a layer's tile ids become picture numbers.

    Attributes:
        table: The number of the only or first picture of each tile id; -1 for none.
        choices: How to choose among the pictures of ids that have several; the last one wins.
    """

    table: NDArray[np.int32]
    choices: tuple[PictureChoice, ...] = ()

    def numbers(self, cells: Cells, origin: tuple[int, int] = (0, 0)) -> NDArray[np.int32]:
        """Return the picture number of each cell, -1 for none.

        The result is int32 [height, width]. `cells` has the layer's tile ids, [height, width];
        `origin` is the position (x, y) of the first cell in the whole map.
        """
        numbers = self.table[cells]
        for choice in self.choices:
            choice.pick(cells, numbers, origin)
        return numbers

    def renumbered(self, numbers: NDArray[np.int32]) -> Picks:
        """Return a copy with each picture number `n` replaced by `numbers[n]`."""
        choices = tuple(choice.renumbered(numbers) for choice in self.choices)
        return Picks(numbers[self.table], choices)

    def used(self) -> NDArray[np.int32]:
        """Return all picture numbers that cells may get, perhaps with -1."""
        return np.concatenate([self.table, *(choice.numbers for choice in self.choices)])


@dataclass(frozen=True, slots=True, eq=False)
class CornerPicks:
    """How tile ids become picture numbers at the corners between cells.

    Attributes:
        by_mask: 16 picture numbers, one for each mask of the four cells around a corner, with a bit
            for each cell that is joined; -1 for none.
        joins: The ids that count as joined.
        bare: For the picture without joined cells: the ids that all four cells must have, or else
            the corner has no picture; None for any ids.
    """

    by_mask: tuple[int, ...]
    joins: frozenset[int]
    bare: frozenset[int] | None = None

    def numbers(self, cells: Cells, origin: tuple[int, int] = (0, 0)) -> NDArray[np.int32]:
        """Return the picture number of each corner between cells, -1 for none.

        `cells` has the layer's tile ids. The result is int32 [height + 1, width + 1]. `origin` has
        no effect; it is there because `Picks` has it.
        """
        numbers = np.array(self.by_mask, np.int32)[corner_masks(_among(cells, self.joins))]
        if self.bare is not None and self.by_mask[0] >= 0:
            masks = corner_masks(_among(cells, self.joins))
            bare = corner_masks(_among(cells, self.bare)) == _ALL
            numbers[(masks == 0) & ~bare] = -1
        return numbers

    def renumbered(self, numbers: NDArray[np.int32]) -> CornerPicks:
        """Return a copy with each picture number `n` replaced by `numbers[n]`."""
        return replace(self, by_mask=tuple(numbers[list(self.by_mask)].tolist()))

    def used(self) -> NDArray[np.int32]:
        """Return all picture numbers that corners may get, perhaps with -1."""
        return np.array(self.by_mask, np.int32)


def cell_hash(height: int, width: int, origin: tuple[int, int] = (0, 0)) -> NDArray[np.uint32]:
    """Return a hash of each cell's position: uint32 [height, width].

    It is equal on every machine. `origin` is the position (x, y) of the first cell in the whole
    map.
    """
    y = np.arange(origin[1], origin[1] + height, dtype=np.uint32)[:, None]
    x = np.arange(origin[0], origin[0] + width, dtype=np.uint32)[None, :]
    value = y * np.uint32(0x9E3779B1) ^ x * np.uint32(0x85EBCA77)
    for shift, factor in ((15, 0x2C1B3C6D), (12, 0x297A2D39)):
        value ^= value >> np.uint32(shift)
        value *= np.uint32(factor)
    value ^= value >> np.uint32(15)
    return value
