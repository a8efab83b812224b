"""Map a level's tiles to those of a Godot TileSet.

The TileSet is drawn by the exporter or made by a team. Each cell has a tile number, which means a
tile of the TileSet: its source, its column and row in the source, and its alternative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.team_tileset import AtlasSource, GodotTeamTileset, Location
from exporter.formats.godot.values import ExternalResource
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level, Tile
from exporter.tilesets import PictureGrid, Tileset
from exporter.tilesets.materials import color_of
from exporter.tilesets.styles import DEFAULT, STYLES
from exporter.tilesets.team_tiles import (
    TeamAppearance,
    TeamTerrain,
    TeamTerrainSet,
    Variants,
    team_tile_numbers,
)
from exporter.tilesets.terrain_match import TerrainTile

# The only source of a TileSet that the exporter writes.
SOURCE = 0


class SceneTiles(Protocol):
    """The tiles that a level's scene uses: the exporter's or a team's."""

    @property
    def file(self) -> ExternalResource:
        """The TileSet that the scene uses."""

    @property
    def tile_size(self) -> int:
        """Side of a cell in pixels."""

    @property
    def columns(self) -> int:
        """Number of tiles in a row of the sheet, the picture of all tiles.

        0 for a team's TileSet, whose tile numbers do not count along rows.
        """

    def places(self) -> NDArray[np.int32]:
        """Return where the tile of each number is in the TileSet.

        The result is int32 [numbers, 4]: source, column, row and alternative.
        """

    def numbers(self, layer: Layer) -> NDArray[np.int32]:
        """Return each cell's tile number, -1 for none: int32 [height, width]."""

    def whole_numbers(self, layer: Layer) -> NDArray[np.int32]:
        """Return one tile number for each cell of `layer`, -1 for none.

        The result is int32 [height, width]. Where the layer draws several tiles over each other,
        the number is that of a tile that shows all of them.
        """

    def combined(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return `numbers` with clear tiles replaced by ones that can be seen.

        Some tiles are drawn in an extra grid above or below the cells, so in the cells they are
        clear.
        """

    def drawings(self, layer: Layer) -> tuple[PictureGrid, ...]:
        """Return the grids of tiles to draw for `layer`, bottom to top.

        One is the grid of cells; extra grids have tiles below, above or between the cells.
        """

    def has_grids(self, layer: Layer) -> bool:
        """Return whether `layer` may have extra grids of tiles beside its cells."""

    def offset(self, drawing: PictureGrid) -> int:
        """Return by how many pixels to shift `drawing`, both right and down.

        This is minus half a tile if its pictures are centred on corners of cells, else 0.
        """

    def colors(self) -> NDArray[np.int32]:
        """Return the mean colour of the tile of each number: int32 [numbers, 4]."""

    def places_by_name(self, layer: Layer) -> Mapping[str, tuple[Location, ...]]:
        """Return where a team's TileSet has the tiles of `layer`, by tile name.

        Empty for the exporter's TileSets, which contain the tiles' names.
        """


@dataclass(frozen=True, slots=True, eq=False)
class SheetTiles:
    """The tiles of a TileSet that the exporter draws and writes.

    Attributes:
        tileset: The level's tileset, with the pictures.
        file: The file of the TileSet.
    """

    tileset: Tileset
    file: ExternalResource

    @property
    def tile_size(self) -> int:
        """Side of a cell in pixels."""
        return self.tileset.tile_size

    @property
    def columns(self) -> int:
        """Number of tiles in a row of the sheet, the picture of all tiles."""
        return self.tileset.columns

    def places(self) -> NDArray[np.int32]:
        """Return where the tile of each number is in the TileSet.

        The result is int32 [numbers, 4]: source, column, row and alternative.
        """
        places = np.zeros((self.tileset.count, 4), np.int32)
        places[:, 0] = SOURCE
        places[:, 2], places[:, 1] = np.divmod(np.arange(len(places)), self.columns)
        return places

    def numbers(self, layer: Layer) -> NDArray[np.int32]:
        """Return each cell's tile number, -1 for none: int32 [height, width]."""
        return self.tileset.numbers(layer)

    def whole_numbers(self, layer: Layer) -> NDArray[np.int32]:
        """Return one tile number for each cell of `layer`, -1 for none.

        Where the layer draws several tiles over each other, the tile of the number shows all of
        them.
        """
        return self.tileset.whole_numbers(layer)

    def combined(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return `numbers` with clear tiles replaced by ones that can be seen.

        Some tiles are drawn in an extra grid above or below the cells, so in the cells they are
        clear.
        """
        return self.tileset.combined(numbers)

    def drawings(self, layer: Layer) -> tuple[PictureGrid, ...]:
        """Return the grids of tiles to draw for `layer`, bottom to top."""
        return self.tileset.drawings(layer)

    def has_grids(self, layer: Layer) -> bool:
        """Return whether `layer` has extra grids of tiles beside its cells."""
        return layer.name in self.tileset.grids

    def offset(self, drawing: PictureGrid) -> int:
        """Return by how many pixels to shift `drawing`, both right and down.

        This is minus half a tile if its pictures are centred on corners of cells, else 0.
        """
        return self.tileset.offset(drawing)

    def colors(self) -> NDArray[np.int32]:
        """Return the mean colour of the tile of each number: int32 [numbers, 4]."""
        pixels = self.tileset.pictures().reshape(self.tileset.count, -1, 4)
        return mean_colors(pixels)

    def places_by_name(self, layer: Layer) -> Mapping[str, tuple[Location, ...]]:
        """Return nothing: no map is needed, since the TileSet has tile names."""
        return {}


# The appearance of a level's tile: tiles to choose from, a terrain, or nothing at all.
Placements: TypeAlias = tuple[Location, ...] | TeamTerrain


@dataclass(frozen=True, slots=True, eq=False)
class TeamSceneTiles:
    """The tiles of a TileSet that a team, not the exporter, made.

    Attributes:
        file: The file of the TileSet.
        tile_size: Side of a cell in pixels.
        listed: The location of each tile number in the TileSet.
        cells: The tile numbers of each layer, by the layer's name.
        inexact: For each tile of the level that is a terrain, the number of cells whose neighbours
            no tile of the TileSet fits.
        picture_colors: Returns the mean colour of each tile number.
        named: The locations of each tile of the level, by its name.
        columns: Always 0: tile numbers do not count along rows of a picture.
    """

    file: ExternalResource
    tile_size: int
    listed: tuple[Location, ...]
    cells: Mapping[str, NDArray[np.int32]]
    inexact: Mapping[str, int]
    picture_colors: Callable[[], NDArray[np.int32]]
    named: Mapping[str, tuple[Location, ...]]
    columns: int = 0

    def places(self) -> NDArray[np.int32]:
        """Return where the tile of each number is in the TileSet.

        The result is int32 [numbers, 4]: source, column, row and alternative.
        """
        return np.array(self.listed, np.int32).reshape(-1, 4)

    def numbers(self, layer: Layer) -> NDArray[np.int32]:
        """Return each cell's tile number, -1 for none: int32 [height, width]."""
        return self.cells[layer.name]

    def whole_numbers(self, layer: Layer) -> NDArray[np.int32]:
        """Return the same as `numbers`, since each cell has only one tile."""
        return self.cells[layer.name]

    def combined(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return `numbers` unchanged, since each cell has only one tile."""
        return numbers

    def drawings(self, layer: Layer) -> tuple[PictureGrid, ...]:
        """Return the only grid of tiles of `layer`, that of its cells."""
        return (PictureGrid("", self.cells[layer.name]),)

    def has_grids(self, layer: Layer) -> bool:
        """Return False, since each cell of a layer has only one tile."""
        return False

    def offset(self, drawing: PictureGrid) -> int:
        """Return 0, since no grid of tiles is shifted."""
        return 0

    def colors(self) -> NDArray[np.int32]:
        """Return the mean colour of the tile of each number: int32 [numbers, 4]."""
        return self.picture_colors()

    def places_by_name(self, layer: Layer) -> Mapping[str, tuple[Location, ...]]:
        """Return where the TileSet has the tiles of `layer`, by tile name.

        Tiles that it does not show are left out.
        """
        names = (tile.name for tile in layer.tiles)
        return {name: self.named[name] for name in names if self.named.get(name)}


def team_scene_tiles(
    level: Level,
    tileset: GodotTeamTileset,
    appearances: Mapping[str, Placements],
    picture: Callable[[str], NDArray[np.uint8] | None],
) -> TeamSceneTiles:
    """Choose a tile of a team's TileSet for each cell of a level.

    `appearances` has, by the name of a level's tile, the tiles or the terrain of the TileSet that
    show it; other tiles are not shown. `picture` returns the pixels of a file of the game, uint8
    [height, width, 4], or None if it cannot be read.
    """
    numbered: dict[Location, int] = {}
    meaning: dict[int, Tile] = {}

    def number(position: Location, tile: Tile) -> int:
        result = numbered.setdefault(position, len(numbered))
        meaning.setdefault(result, tile)
        return result

    resolved: dict[str, TeamAppearance] = {}
    terrains: dict[tuple[int, int], Tile] = {}
    legends = (tile for layer in level.seen_layers() for tile in layer.tiles)
    for tile in legends:
        appearance = appearances.get(tile.name)
        if isinstance(appearance, TeamTerrain):
            resolved[tile.name] = appearance
            terrains.setdefault((appearance.terrain_set, appearance.terrain), tile)
        elif appearance is not None:
            resolved[tile.name] = Variants(
                tuple(
                    (number(stand, tile), tileset.facts(stand).probability) for stand in appearance
                )
            )
    named = {name: list(at) for name, at in appearances.items() if not isinstance(at, TeamTerrain)}
    tiles: dict[int, list[TerrainTile]] = {which: [] for which, _ in terrains}
    for location, facts in tileset.every_tile() if terrains else ():
        painted = terrains.get((facts.terrain_set, facts.terrain))
        if painted is not None:
            own = frozenset((facts.terrain,))
            terrain_tile = TerrainTile(
                number(location, painted), own, facts.bits, facts.probability
            )
            tiles[facts.terrain_set].append(terrain_tile)
            named.setdefault(painted.name, []).append(location)
    sets = {
        which: TeamTerrainSet(tileset.terrain_sets[which].mode, tuple(members))
        for which, members in tiles.items()
    }
    cells: dict[str, NDArray[np.int32]] = {}
    inexact: Counter[str] = Counter()
    for layer in level.seen_layers():
        cells[layer.name], unfit = team_tile_numbers(layer, resolved, sets)
        inexact.update(unfit)

    def colors() -> NDArray[np.int32]:
        return _picture_colors(tileset, numbered, meaning, picture)

    file = ExternalResource("TileSet", tileset.path, tileset.uid)
    return TeamSceneTiles(
        file,
        tileset.tile_size,
        tuple(numbered),
        cells,
        inexact,
        colors,
        {name: tuple(at) for name, at in named.items()},
    )


def _picture_colors(
    tileset: GodotTeamTileset,
    places: Iterable[Location],
    meaning: Mapping[int, Tile],
    picture: Callable[[str], NDArray[np.uint8] | None],
) -> NDArray[np.int32]:
    """Return the mean colour of the tile at each location in `places`.

    `picture` returns the pixels of a file. Without a picture, the colour is that of the level's
    tile, which `meaning` has by the index in `places`.
    """
    files: dict[str, NDArray[np.uint8] | None] = {}
    colors = []
    for number, (source, column, row, _) in enumerate(places):
        atlas = tileset.sources[source]
        pixels = None
        if atlas is not None and atlas.texture is not None:
            if atlas.texture not in files:
                files[atlas.texture] = picture(atlas.texture)
            pixels = _cut(files[atlas.texture], atlas, column, row)
        if pixels is None:
            own = color_of(meaning[number], STYLES.get(DEFAULT))
            pixels = np.append(own, 255).astype(np.uint8)[None]
        colors.append(mean_colors(pixels[None])[0])
    return np.array(colors, np.int32).reshape(-1, 4)


def _cut(
    pixels: NDArray[np.uint8] | None, atlas: AtlasSource, column: int, row: int
) -> NDArray[np.uint8] | None:
    """Return the pixels of a tile of `atlas`, uint8 [count, 4].

    `pixels` is the whole picture; None without one, or if the tile is outside of it.
    """
    if pixels is None:
        return None
    left, top, right, bottom = atlas.box(column, row)
    part = pixels[top:bottom, left:right].reshape(-1, 4)
    return part if part.size else None


def mean_colors(pixels: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return the mean colour of each tile picture: int32 [pictures, 4].

    `pixels` is uint8 [pictures, pixels, 4]; transparent pixels do not count.
    """
    wide = pixels.astype(np.int64)
    alpha = wide[..., 3:]
    total = alpha.sum(axis=1)
    colors = (wide[..., :3] * alpha).sum(axis=1) // np.maximum(total, 1)
    mean = np.concatenate([colors, total // wide.shape[1]], axis=1)
    return mean.astype(np.int32)
