"""A sheet of tile pictures, what each number in it means, and how a layer's ids become numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.grids.neighbourhoods import classes, masks_of, neighbour_masks
from exporter.model.level import Layer, Tile
from exporter.model.tileset import AutotileSet

Cells: TypeAlias = NDArray[np.uint8] | NDArray[np.uint16]

# What the autotile generator calls the tile of a neighbourhood, by its mask.
_MASK_NAME = "mask_{}"


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Several pictures for one tile id: neighbours choose a class, place one picture of it.

    Attributes:
        id: The tile.
        classes: The numbers of every class of neighbourhoods; one that is listed twice is chosen
            twice as often.
        autotile: What the classes are, as in `grids.neighbourhoods`; None for a single class.
        joins: The ids that count as joined; None for the tile's own.
        inner: Whether it is for cells with eight joined neighbours alone; cells like that are
            what counts as joined then.
    """

    id: int
    classes: tuple[tuple[int, ...], ...]
    autotile: AutotileSet | None = None
    joins: frozenset[int] | None = None
    inner: bool = False

    @property
    def numbers(self) -> NDArray[np.int32]:
        """All its numbers, class by class."""
        return np.array([number for numbers in self.classes for number in numbers], np.int32)

    def pick(self, cells: Cells, numbers: NDArray[np.int32]) -> None:
        """Set the numbers of the cells it is for.

        Args:
            cells: The layer's ids, [height, width].
            numbers: int32 [height, width], changed in place.
        """
        here = cells == self.id
        joined = here if self.joins is None else _among(cells, self.joins)
        if self.inner:
            joined = neighbour_masks(joined) == 255
            here &= joined
        counts = np.array([len(numbers) for numbers in self.classes], np.int64)
        first = np.cumsum(counts) - counts
        which = classes(joined, self.autotile)[here] if self.autotile else np.int64(0)
        place: Any = 0
        if counts.max() > 1:
            place = place_hash(*here.shape)[here] % counts[which]
        numbers[here] = self.numbers[first[which] + place]


def _among(cells: Cells, ids: frozenset[int]) -> NDArray[np.bool_]:
    table = np.zeros(65536, bool)
    table[list(ids)] = True
    return table[cells]


@dataclass(frozen=True, slots=True, eq=False)
class Picks:
    """How a layer's ids become numbers: a table by id (-1 for none), refined by choices."""

    table: NDArray[np.int32]
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Terrain:
    """A tile with a picture for each neighbourhood.

    Attributes:
        name: The tile's.
        color: What editors show it with.
        autotile: Which neighbourhoods there are.
        numbers: A picture for each, in the order of the classes.
        variants: More pictures for some: numbers with their classes.
    """

    name: str
    color: str
    autotile: AutotileSet
    numbers: tuple[int, ...]
    variants: tuple[tuple[int, int], ...] = ()

    def masks(self) -> dict[int, int]:
        """Return each number's mask: a bit for each neighbour that is the same, north first."""
        masks = masks_of(self.autotile)
        own = dict(zip(self.numbers, masks, strict=True))
        return own | {number: masks[which] for number, which in self.variants}


@dataclass(frozen=True, slots=True, eq=False)
class Tileset:
    """A sheet of tile pictures and what they mean.

    Attributes:
        tile_size: Side of a tile in pixels.
        columns: Tiles in a row of the sheet; numbers count along rows, from 0.
        rows: Rows of the sheet.
        pixels: The sheet, uint8 [height, width, 4].
        tiles: What each number means. Numbers without an entry are not used by the level.
        picks: How each tile layer's ids become numbers.
        margin: Pixels around the tiles of the sheet.
        spacing: Pixels between the tiles of the sheet.
        extrusion: How many of those pixels repeat the edge of their tile.
        terrains: Tiles that are drawn by their neighbours.
    """

    tile_size: int
    columns: int
    rows: int
    pixels: NDArray[np.uint8]
    tiles: Mapping[int, Tile] = field(default_factory=dict)
    picks: Mapping[str, Picks] = field(default_factory=dict)
    margin: int = 0
    spacing: int = 0
    extrusion: int = 0
    terrains: tuple[Terrain, ...] = ()

    @property
    def count(self) -> int:
        """Places in the sheet, unused ones included."""
        return self.columns * self.rows

    def numbers(self, layer: Layer) -> NDArray[np.int32]:
        """Return the tile number of every cell, -1 where nothing stands: int32 [height, width]."""
        picks = self.picks[layer.name]
        numbers = picks.table[layer.cells]
        for choice in picks.choices:
            choice.pick(layer.cells, numbers)
        return numbers

    def numbers_of(self, layer: Layer) -> set[int]:
        """Return the numbers that tiles of a layer may have."""
        picks = self.picks[layer.name]
        numbers = {int(picks.table[tile.id]) for tile in layer.tiles}
        for choice in picks.choices:
            numbers.update(choice.numbers.tolist())
        return numbers - {-1}

    def corner(self, number: int) -> tuple[int, int]:
        """Return the upper left pixel (x, y) of a tile in the sheet."""
        row, column = divmod(number, self.columns)
        step = self.tile_size + self.spacing
        return self.margin + column * step, self.margin + row * step

    def picture(self, number: int) -> NDArray[np.uint8]:
        """Return a tile's pixels, a view of uint8 [tile_size, tile_size, 4]."""
        x, y = self.corner(number)
        return self.pixels[y : y + self.tile_size, x : x + self.tile_size]

    def pictures(self) -> NDArray[np.uint8]:
        """Return all tiles: uint8 [count, tile_size, tile_size, 4]."""
        return np.stack([self.picture(number) for number in range(self.count)])

    def extruded(self, extrusion: int) -> Tileset:
        """Return the tileset with the edge pixels of every tile repeated around it.

        Engines that sample between pixels then blend a tile with itself, not its neighbour.
        """
        if not extrusion:
            return self
        frame = ((0, 0), (extrusion, extrusion), (extrusion, extrusion), (0, 0))
        tiles = np.pad(self.pictures(), frame, mode="edge")
        side = self.tile_size + 2 * extrusion
        grid = tiles.reshape(self.rows, self.columns, side, side, 4).swapaxes(1, 2)
        pixels = grid.reshape(self.rows * side, self.columns * side, 4)
        return replace(
            self, pixels=pixels, margin=extrusion, spacing=2 * extrusion, extrusion=extrusion
        )


def mask_terrain(layer: Layer, table: NDArray[np.int32]) -> Terrain | None:
    """Return the terrain of a layer whose tiles are the neighbourhoods themselves, else None.

    Args:
        layer: A tile layer, perhaps one the autotile generator made.
        table: The number of each tile id.
    """
    by_name = {tile.name: tile for tile in layer.tiles}
    kinds: tuple[AutotileSet, ...] = ("blob", "edges")
    for kind in kinds:
        names = [_MASK_NAME.format(mask) for mask in masks_of(kind)]
        if all(name in by_name for name in names):
            numbers = tuple(int(table[by_name[name].id]) for name in names)
            return Terrain(layer.name, by_name[names[-1]].color[:7], kind, numbers)
    return None


def place_hash(height: int, width: int) -> NDArray[np.uint32]:
    """Return a well mixed number for every cell, the same on every machine: [height, width]."""
    y = np.arange(height, dtype=np.uint32)[:, None]
    x = np.arange(width, dtype=np.uint32)[None, :]
    value = y * np.uint32(0x9E3779B1) ^ x * np.uint32(0x85EBCA77)
    for shift, factor in ((15, 0x2C1B3C6D), (12, 0x297A2D39)):
        value ^= value >> np.uint32(shift)
        value *= np.uint32(factor)
    value ^= value >> np.uint32(15)
    return value
