"""The tileset of a level that names an image: numbers are the image's own."""

from __future__ import annotations

import numpy as np

from exporter.grids.neighbourhoods import masks_of
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Level, Tile
from exporter.model.tileset import TilesetOptions
from exporter.tilesets.drawn import check_names
from exporter.tilesets.materials import color_of
from exporter.tilesets.styles import DEFAULT, STYLES
from exporter.tilesets.tileset import Choice, Picks, Terrain, Tileset, mask_terrain


def image_tileset(level: Level) -> Tileset:
    """Return the tileset of a level's tile layers, cut from the image the level names.

    Raises:
        ParameterError: If a tile has no number, a number lies outside the image, or one number
            would have to be walkable and not, or opaque and not.
    """
    source = level.tileset
    if source is None or source.pixels is None:
        raise ValueError(f"level {level.name!r} names no image")
    options, pixels = source.options, source.pixels
    step = options.tile_size + options.spacing
    rows, columns = (
        (length - 2 * options.margin + options.spacing) // step for length in pixels.shape[:2]
    )
    check_names(level, dict(options.autotile), "autotile")
    check_names(level, dict.fromkeys(options.tiles, "edges"), "tiles")
    cutter = _Cutter(options, rows * columns)
    picks = {layer.name: cutter.add(layer) for layer in level.tile_layers()}
    return Tileset(
        options.tile_size,
        columns,
        rows,
        pixels,
        cutter.tiles,
        picks,
        margin=options.margin,
        spacing=options.spacing,
        terrains=tuple(cutter.terrains.values()),
    )


class _Cutter:
    """Finds the numbers of tiles, and notes what each number means."""

    def __init__(self, options: TilesetOptions, count: int) -> None:
        self.options = options
        self.count = count
        self.tiles: dict[int, Tile] = {}
        self.terrains: dict[str, Terrain] = {}

    def add(self, layer: Layer) -> Picks:
        """Return how a layer's ids become numbers."""
        table = np.full(65536, -1, np.int32)
        choices = []
        for tile in layer.tiles:
            numbers = self._numbers(tile)
            for number in numbers:
                self._mean(number, tile)
            if not numbers:
                continue
            table[tile.id] = numbers[0]
            kind = self.options.autotile.get(tile.name)
            if kind:
                self._terrain(tile, numbers)
            if len(numbers) > 1:
                classes = tuple((number,) for number in numbers) if kind else (tuple(numbers),)
                choices.append(Choice(tile.id, classes, kind))
        terrain = mask_terrain(layer, table)
        if terrain and min(terrain.numbers) >= 0:
            self.terrains.setdefault(layer.name, terrain)
        return Picks(table, tuple(choices))

    def _numbers(self, tile: Tile) -> list[int]:
        """Return the numbers of a tile's pictures; none for one that stays empty."""
        place: tuple[str, ...] = ("tileset", "tiles", tile.name)
        if not self.options.tiles:
            given: int | tuple[int, ...] | None = None if tile.empty else tile.id
            place = ("tileset", "tiles")
        elif tile.name in self.options.tiles:
            given = self.options.tiles[tile.name]
        elif tile.empty:
            given = None
        else:
            raise ParameterError(
                f"tile {tile.name!r} has no picture (a number, several, or null for none)",
                place[:2],
            )
        if given is None or given == ():
            return []
        numbers = [given] if isinstance(given, int) else list(given)
        kind = self.options.autotile.get(tile.name)
        if kind:
            wanted = len(masks_of(kind))
            if len(numbers) == 1:
                numbers = list(range(numbers[0], numbers[0] + wanted))
            if len(numbers) != wanted:
                raise ParameterError(
                    f"{kind} tiles have {wanted} pictures, not {len(numbers)} (one number, or "
                    "all of them in order)",
                    place,
                )
        if max(numbers) >= self.count:
            raise ParameterError(
                f"tile {tile.name!r} would be number {max(numbers)}, but {self.options.image} has "
                f"{self.count} tiles (0 to {self.count - 1})",
                place,
            )
        return numbers

    def _mean(self, number: int, tile: Tile) -> None:
        """Note what a number means: engines ask the picture whether it blocks."""
        other = self.tiles.setdefault(number, tile)
        if (other.walkable, other.opaque) != (tile.walkable, tile.opaque):
            raise ParameterError(
                f"number {number} is used for {other.name!r} and {tile.name!r}, of which only one "
                "is walkable or opaque: give one of them another picture",
                ("tileset", "tiles"),
            )

    def _terrain(self, tile: Tile, numbers: list[int]) -> None:
        color = "#{:02x}{:02x}{:02x}".format(*color_of(tile, STYLES.get(DEFAULT)).tolist())
        kind = self.options.autotile[tile.name]
        self.terrains.setdefault(tile.name, Terrain(tile.name, color, kind, tuple(numbers)))
