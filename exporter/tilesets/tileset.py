"""Define a tileset: a sheet of pictures, and the number of each tile."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from exporter.grids.neighbourhoods import masks_of
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Tile
from exporter.model.tileset import AutotileSet, PictureSet
from exporter.tilesets.drawings import PictureGrid, without_hidden
from exporter.tilesets.tile_choice import CornerPicks, Picks

# The autotile generator's name of a neighbourhood's tile, by mask.
_MASK_NAME = "mask_{}"


@dataclass(frozen=True, slots=True)
class NeighbourhoodTile:
    """A tile with one picture for each neighbourhood of its cell.

    Attributes:
        name: The tile's name.
        color: The tile's colour in editors.
        autotile: The kind of neighbourhoods, such as `blob`.
        numbers: The picture's number for each neighbourhood of this kind, in order; -1 for none.
        variants: More pictures: pairs of a number and the index of its neighbourhood.
    """

    name: str
    color: str
    autotile: PictureSet
    numbers: tuple[int, ...]
    variants: tuple[tuple[int, int], ...] = ()

    def renumbered(self, numbers: NDArray[np.int32]) -> NeighbourhoodTile:
        """Return a copy with each picture number `n` replaced by `numbers[n]`."""
        return replace(
            self,
            numbers=tuple(numbers[list(self.numbers)].tolist()),
            variants=tuple((int(numbers[number]), which) for number, which in self.variants),
        )

    def masks(self) -> dict[int, int]:
        """Return the neighbourhood of each picture number, as a bit mask.

        The mask has a bit for each neighbour that has the same tile, clockwise from north.
        """
        masks = masks_of(self.autotile)
        own = {
            number: mask
            for number, mask in zip(self.numbers, masks, strict=True)
            # A picture between four cells without the tile does not count.
            if number >= 0 and (mask or self.autotile != "corners")
        }
        return own | {number: masks[which] for number, which in self.variants}


@dataclass(frozen=True, slots=True, eq=False)
class TileGrid:
    """An extra grid that draws one tile below or above its layer's cells.

    Attributes:
        tile: The tile's name.
        picks: How tile ids become pictures, in cells or at the corners between them.
    """

    tile: str
    picks: Picks | CornerPicks


@dataclass(frozen=True, slots=True)
class LayerGrids:
    """The extra grids below and above a layer's cells, bottom to top."""

    below: tuple[TileGrid, ...] = ()
    above: tuple[TileGrid, ...] = ()

    def renumbered(self, numbers: NDArray[np.int32]) -> LayerGrids:
        """Return a copy with each picture number `n` replaced by `numbers[n]`."""
        below, above = (
            tuple(replace(grid, picks=grid.picks.renumbered(numbers)) for grid in part)
            for part in (self.below, self.above)
        )
        return LayerGrids(below, above)


_NO_GRIDS = LayerGrids()


@dataclass(frozen=True, slots=True, eq=False)
class Tileset:
    """A sheet of tile pictures, and what the tiles mean.

    Attributes:
        tile_size: Side of a tile in pixels.
        columns: Tiles in a row of the sheet; numbers count along rows, from 0.
        rows: Rows of the sheet.
        pixels: The sheet, uint8 [height, width, 4].
        tiles: The tile that each number shows. Numbers without an entry are not used by the level.
        picks: How the tile ids of each layer become numbers, by the layer's name.
        margin: Pixels around the tiles of the sheet.
        spacing: Pixels between the tiles of the sheet.
        extrusion: Width in pixels of the frame that repeats each tile's edge around the tile.
        terrains: Tiles whose picture depends on their neighbours.
        grids: Extra grids of tiles below and above the cells, by the layer's name.
        whole: For each clear picture of a tile that is drawn in an extra grid, the number of a
            picture that shows the tile.
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
    terrains: tuple[NeighbourhoodTile, ...] = ()
    grids: Mapping[str, LayerGrids] = field(default_factory=dict)
    whole: Mapping[int, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """The number of tiles in the sheet, unused ones included."""
        return self.columns * self.rows

    def numbers(self, layer: Layer) -> NDArray[np.int32]:
        """Return each cell's tile number, -1 for nothing: int32 [height, width].

        A tile that is drawn in an extra grid above or below the cells has a clear picture in the
        cells.
        """
        return _numbers(self.picks[layer.name], layer)

    def whole_numbers(self, layer: Layer) -> NDArray[np.int32]:
        """Return one picture number for each cell of `layer`, -1 for nothing.

        Unlike `numbers`, it suits engines that draw no extra grids: a tile that such a grid would
        draw has a picture in the cell itself.
        """
        return self.combined(self.numbers(layer))

    def combined(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return `numbers` with clear pictures replaced by visible ones.

        Tiles that are drawn in extra grids have a clear picture in the cells; the replacement shows
        them.
        """
        displayed = numbers.copy()
        for clear, picture in self.whole.items():
            displayed[numbers == clear] = picture
        return displayed

    def drawings(self, layer: Layer) -> tuple[PictureGrid, ...]:
        """Return the grids of pictures of `layer`, bottom to top.

        One is the grid of the cells. Extra grids have tiles below, above or between the cells,
        without pictures that others hide completely.
        """
        grids = self.grids.get(layer.name, _NO_GRIDS)
        cells = PictureGrid("", self.numbers(layer))
        if not (grids.below or grids.above):
            return (cells,)
        below, above = (
            [
                PictureGrid(
                    grid.tile, _numbers(grid.picks, layer), isinstance(grid.picks, CornerPicks)
                )
                for grid in part
            ]
            for part in (grids.below, grids.above)
        )
        solid = np.array([self.picture(number)[..., 3].min() for number in range(self.count)])
        return without_hidden([*below, cells, *above], solid == 255)

    def offset(self, drawing: PictureGrid) -> int:
        """Return by how many pixels to shift `drawing`, both right and down.

        This is minus half a tile if its pictures are centred on corners of cells, else 0.
        """
        return -(self.tile_size // 2) if drawing.between_cells else 0

    def numbers_of(self, layer: Layer) -> set[int]:
        """Return all numbers that cells of `layer` may have, without -1."""
        picks = self.picks[layer.name]
        numbers = {int(picks.table[tile.id]) for tile in layer.tiles}
        for choice in picks.choices:
            numbers.update(choice.numbers.tolist())
        return numbers - {-1}

    def shaped_numbers(self) -> set[int]:
        """Return all numbers that cells of any layer may have, without -1.

        Only these need collision shapes: other numbers are drawn above or below the cells.
        """
        numbers: set[int] = set()
        for picks in self.picks.values():
            numbers.update(picks.used().tolist())
        return numbers - {-1}

    def corner(self, number: int) -> tuple[int, int]:
        """Return the upper left pixel (x, y) of tile `number` in the sheet."""
        row, column = divmod(number, self.columns)
        step = self.tile_size + self.spacing
        return self.margin + column * step, self.margin + row * step

    def picture(self, number: int) -> NDArray[np.uint8]:
        """Return the pixels of tile `number`, as a view of the sheet.

        Returns:
            uint8 [tile_size, tile_size, 4].
        """
        x, y = self.corner(number)
        return self.pixels[y : y + self.tile_size, x : x + self.tile_size]

    def pictures(self) -> NDArray[np.uint8]:
        """Return the pixels of all tiles: uint8 [count, tile_size, tile_size, 4]."""
        return np.stack([self.picture(number) for number in range(self.count)])

    def sides(self, extrusion: int) -> tuple[int, int]:
        """Return width and height in pixels that the sheet has once extruded.

        `extrusion` is how many pixels around each tile repeat its edge.
        """
        if not extrusion:
            return self.pixels.shape[1], self.pixels.shape[0]
        side = self.tile_size + 2 * extrusion
        return self.columns * side, self.rows * side

    def packed(self) -> Tileset:
        """Return a tileset with only the level's tiles, in a nearly square sheet.

        The tiles get new numbers.
        """
        picks = [*self.picks.values()]
        grids = [grid for both in self.grids.values() for grid in (*both.below, *both.above)]
        used = {*self.tiles, *self.whole, *self.whole.values()}
        used.update(number for terrain in self.terrains for number in terrain.masks())
        for item in (*picks, *(grid.picks for grid in grids)):
            used.update(np.unique(item.used()).tolist())
        remaining = sorted(used - {-1})
        columns = max(1, math.isqrt(max(len(remaining) - 1, 0)) + 1)
        rows = max(1, -(-len(remaining) // columns))
        size = self.tile_size
        pixels = np.zeros((rows * size, columns * size, 4), np.uint8)
        # The last entry is that of number -1, no tile.
        numbers = np.full(self.count + 1, -1, np.int32)
        numbers[remaining] = np.arange(len(remaining))
        new = replace(
            self,
            columns=columns,
            rows=rows,
            pixels=pixels,
            tiles={int(numbers[number]): tile for number, tile in self.tiles.items()},
            picks={name: item.renumbered(numbers) for name, item in self.picks.items()},
            margin=0,
            spacing=0,
            terrains=tuple(terrain.renumbered(numbers) for terrain in self.terrains),
            grids={name: item.renumbered(numbers) for name, item in self.grids.items()},
            whole={int(numbers[a]): int(numbers[b]) for a, b in self.whole.items()},
        )
        for position, number in enumerate(remaining):
            new.picture(position)[:] = self.picture(number)
        return new

    def extruded(self, extrusion: int) -> Tileset:
        """Return the tileset with each tile's edge repeated around the tile.

        The frame is `extrusion` pixels wide. Engines that sample between pixels then blend a tile
        with itself, not with its neighbour in the sheet.
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


def _numbers(picks: Picks | CornerPicks, layer: Layer) -> NDArray[np.int32]:
    """Return the picture numbers that `picks` choose for a layer.

    In a chunk of a world, cells of adjacent chunks count as neighbours.
    """
    around = layer.around
    if around is None:
        return picks.numbers(layer.cells)
    rows, columns = around.inside
    more = int(isinstance(picks, CornerPicks))
    inside = slice(rows.start, rows.stop + more), slice(columns.start, columns.stop + more)
    return np.ascontiguousarray(picks.numbers(around.cells, around.origin)[inside])


def mask_terrain(layer: Layer, table: NDArray[np.int32]) -> NeighbourhoodTile | None:
    """Return the tiles of a layer as one `NeighbourhoodTile`, or None.

    This is for layers of the generator `autotile`, which have a tile for each neighbourhood, named
    `mask_` and a number; None for any other layer. `table` has the picture number of each tile id.
    """
    by_name = {tile.name: tile for tile in layer.tiles}
    kinds: tuple[AutotileSet, ...] = ("blob", "edges")
    for kind in kinds:
        names = [_MASK_NAME.format(mask) for mask in masks_of(kind)]
        if all(name in by_name for name in names):
            numbers = tuple(int(table[by_name[name].id]) for name in names)
            return NeighbourhoodTile(layer.name, by_name[names[-1]].color[:7], kind, numbers)
    return None
