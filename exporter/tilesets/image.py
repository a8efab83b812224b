"""Make the tileset of a level from the image that its spec names.

Some tiles are drawn in extra grids above or below the cells. In the cells such a tile has a clear
picture, from rows added below the image, so that engines still know whether it blocks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.grids.neighbourhoods import masks_of
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Level, Tile
from exporter.model.tileset import TilesetOptions
from exporter.tilesets.drawn import check_names
from exporter.tilesets.materials import color_of
from exporter.tilesets.stacking import Stacking, check_transitions
from exporter.tilesets.styles import DEFAULT, STYLES
from exporter.tilesets.tile_choice import CornerPicks, Picks, PictureChoice
from exporter.tilesets.tileset import LayerGrids, NeighbourhoodTile, TileGrid, Tileset, mask_terrain

# The mask of a point with the tile on all sides.
_FULL = 15


def image_tileset(level: Level) -> Tileset:
    """Return the tileset of a level's tile layers, cut from its image.

    Raises:
        ParameterError: A tile has no number, a number lies outside the image, tiles that differ in
            `walkable` or `opaque` share a number, or a transition is wrong.
    """
    source = level.tileset
    if source is None or source.pixels is None:
        raise ValueError(f"level {level.name!r} has no image for its tiles")
    options, pixels = source.options, source.pixels
    step = options.tile_size + options.spacing
    rows, columns = (
        (length - 2 * options.margin + options.spacing) // step for length in pixels.shape[:2]
    )
    check_names(level, options.autotile, "autotile")
    check_names(level, options.tiles, "tiles")
    check_transitions(level, options)
    cutter = _Cutter(options, rows * columns)
    for layer in level.tile_layers():
        cutter.add(layer)
    more = -(-len(cutter.clear) // columns)
    return Tileset(
        options.tile_size,
        columns,
        rows + more,
        _with_clear_rows(pixels, options, rows, more),
        cutter.meanings(),
        cutter.picks,
        margin=options.margin,
        spacing=options.spacing,
        terrains=tuple(cutter.terrains.values()),
        grids=cutter.grids,
        whole=cutter.whole,
    )


def _with_clear_rows(
    pixels: NDArray[np.uint8], options: TilesetOptions, rows: int, more: int
) -> NDArray[np.uint8]:
    """Return the first `rows` rows of tiles of a sheet, and `more` clear rows.

    If `more` is 0, return the whole sheet.
    """
    if not more:
        return pixels
    step = options.tile_size + options.spacing
    added = np.pad(pixels, ((0, more * step), (0, 0), (0, 0)))
    added[options.margin + rows * step :] = 0
    return added


class _Cutter:
    """Finds the numbers of tiles in an image, and records their meanings.

    Attributes:
        picks: How each layer's tile ids become numbers, by the layer's name.
        grids: The extra grids of each layer below and above its cells.
        clear: The number of the clear picture of each tile that has one, as it is drawn in a grid.
        whole: For each number of a clear picture, a number whose picture shows the tile.
        terrains: Tiles whose picture depends on their neighbours, by name.
    """

    def __init__(self, options: TilesetOptions, count: int) -> None:
        self.options = options
        self.count = count
        self.picks: dict[str, Picks] = {}
        self.grids: dict[str, LayerGrids] = {}
        self.clear: dict[Tile, int] = {}
        self.whole: dict[int, int] = {}
        self.terrains: dict[str, NeighbourhoodTile] = {}
        # The tiles of numbers that cells have, and of numbers that only pictures have.
        self._of_cells: dict[int, Tile] = {}
        self._only_seen: dict[int, Tile] = {}

    def add(self, layer: Layer) -> None:
        """Record how the tile ids of `layer` become numbers of pictures."""
        stacking = Stacking.of(layer, self.options)
        table = np.full(65536, -1, np.int32)
        choices = []
        pictures: dict[str, tuple[int, ...]] = {}
        for tile in layer.tiles:
            numbers = self._numbers(tile)
            if not numbers:
                continue
            pictures[tile.name] = numbers
            if self.options.autotile.get(tile.name):
                self._terrain(tile, numbers)
            if stacking.apart(tile):
                table[tile.id] = self._apart(tile, numbers, seen=layer.role != "data")
                continue
            for number in numbers:
                self._mean(number, tile)
            table[tile.id] = numbers[0]
            if len(numbers) > 1:
                choices.append(self._choice(tile, tile, numbers, stacking))
        terrain = mask_terrain(layer, table)
        if terrain and min(terrain.numbers) >= 0:
            self.terrains.setdefault(layer.name, terrain)
        self.picks[layer.name] = Picks(table, tuple(choices))
        # Pictures for data have to be readable, not decorative.
        if stacking.has_grids and layer.role != "data":
            self.grids[layer.name] = self._layer_grids(stacking, pictures)

    def meanings(self) -> dict[int, Tile]:
        return self._only_seen | self._of_cells

    def _layer_grids(self, stacking: Stacking, pictures: dict[str, tuple[int, ...]]) -> LayerGrids:
        below, above = (
            tuple(
                self._grid(tile, covered, pictures[tile.name], stacking)
                for tile, covered in part
                if tile.name in pictures and covered
            )
            for part in (stacking.below, stacking.above)
        )
        return LayerGrids(below, above)

    def _grid(
        self, tile: Tile, covered: tuple[Tile, ...], numbers: tuple[int, ...], stacking: Stacking
    ) -> TileGrid:
        """Return an extra grid that draws `tile` above or below the cells.

        `covered` are the tiles in whose cells `tile` is visible; `numbers` are its pictures.
        `stacking` has the order of the layer's tiles.
        """
        for number in numbers:
            self._only_seen.setdefault(number, tile)
        if self.options.autotile.get(tile.name) == "corners":
            by_mask = _by_mask(numbers)
            return TileGrid(
                tile.name, CornerPicks(by_mask, stacking.joins(tile), stacking.bare(tile))
            )
        table = np.full(65536, -1, np.int32)
        table[[item.id for item in covered]] = numbers[0]
        several = covered if len(numbers) > 1 else ()
        choices = (self._choice(item, tile, numbers, stacking) for item in several)
        return TileGrid(tile.name, Picks(table, tuple(choices)))

    def _choice(
        self, cell: Tile, tile: Tile, numbers: tuple[int, ...], stacking: Stacking
    ) -> PictureChoice:
        """Return how a picture of `tile` is chosen in cells with the tile `cell`.

        `numbers` are the pictures of `tile`; `stacking` says with which tiles `tile` joins.
        """
        kind = self.options.autotile.get(tile.name)
        if kind is None or kind == "corners":
            return PictureChoice(cell.id, (numbers,))
        joins = stacking.joins(tile)
        classes = tuple((number,) for number in numbers)
        return PictureChoice(cell.id, classes, kind, None if joins == {cell.id} else joins)

    def _apart(self, tile: Tile, numbers: tuple[int, ...], *, seen: bool) -> int:
        """Return the number that cells get for a tile drawn above the cells.

        It is that of the tile's clear picture; if `seen` is False, because no grid is drawn, that
        of a picture of the whole tile. `numbers` are the tile's pictures.
        """
        kind = self.options.autotile.get(tile.name)
        whole = _by_mask(numbers)[_FULL] if kind == "corners" else numbers[-1]
        if not seen:
            self._only_seen.setdefault(whole, tile)
            return whole
        number = self.clear.setdefault(tile, self.count + len(self.clear))
        self._of_cells[number] = tile
        self.whole[number] = whole
        return number

    def _numbers(self, tile: Tile) -> tuple[int, ...]:
        """Return the numbers of a tile's pictures; () if it is not drawn.

        Raises:
            ParameterError: The option `tiles` lacks the tile, or gives it wrong numbers.
        """
        position: tuple[str, ...] = ("tileset", "tiles", tile.name)
        if not self.options.tiles:
            given: int | tuple[int, ...] | None = None if tile.empty else tile.id
            position = ("tileset", "tiles")
        elif tile.name in self.options.tiles:
            given = self.options.tiles[tile.name]
        elif tile.empty:
            given = None
        else:
            raise ParameterError(
                f"tile {tile.name!r} has no picture (a number, several, or null for none)",
                position[:2],
            )
        if given is None or given == ():
            return ()
        numbers = (given,) if isinstance(given, int) else tuple(given)
        kind = self.options.autotile.get(tile.name)
        if kind:
            expected = len(masks_of(kind))
            if len(numbers) == 1:
                numbers = tuple(range(numbers[0], numbers[0] + expected))
            # The picture of a corner set for a point without the tile may be missing.
            if len(numbers) not in ((expected, expected - 1) if kind == "corners" else (expected,)):
                counts = f"{expected - 1} or {expected}" if kind == "corners" else f"{expected}"
                raise ParameterError(
                    f"{kind} tiles need {counts} pictures, and {len(numbers)} are given (one "
                    "number, or all of them in order)",
                    position,
                )
        if max(numbers) >= self.count:
            raise ParameterError(
                f"tile {tile.name!r} has the number {max(numbers)}, but {self.options.image} has "
                f"{self.count} tiles (0 to {self.count - 1})",
                position,
            )
        return numbers

    def _mean(self, number: int, tile: Tile) -> None:
        """Record that `number` means `tile` in cells.

        Raises:
            ParameterError: The number means another tile, too, which blocks differently.
        """
        other = self._of_cells.setdefault(number, tile)
        if (other.walkable, other.opaque) != (tile.walkable, tile.opaque):
            raise ParameterError(
                f"number {number} is used for both {other.name!r} and {tile.name!r}, which differ "
                "in `walkable` or `opaque` (give one of them another picture)",
                ("tileset", "tiles"),
            )

    def _terrain(self, tile: Tile, numbers: tuple[int, ...]) -> None:
        color = "#{:02x}{:02x}{:02x}".format(*color_of(tile, STYLES.get(DEFAULT)).tolist())
        kind = self.options.autotile[tile.name]
        displayed = _by_mask(numbers) if kind == "corners" else numbers
        self.terrains.setdefault(tile.name, NeighbourhoodTile(tile.name, color, kind, displayed))


def _by_mask(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return the pictures of a corner set in the order of masks.

    The picture for no joined cell comes first; it is -1 if `numbers` lacks it.
    """
    return numbers if len(numbers) > _FULL else (-1, *numbers)
