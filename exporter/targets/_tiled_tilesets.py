"""Match a level's tiles with a tileset that a team keeps in Tiled.

The option `tileset` names the tileset (`file`) and its tile for each tile of the level (`tiles`).
The file is read, never written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.formats.tiled.team_tileset import (
    LARGEST_NUMBER,
    TiledTeamTileset,
    TiledTilesetError,
    read_tiled_tileset,
)
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level
from exporter.model.parameters import About, Matches, Parameters, Within
from exporter.model.suggestions import unknown_name
from exporter.targets._target import Notice
from exporter.targets._work import GameFiles
from exporter.targets.team_tilesets import (
    TeamTilesetOptions,
    TileRequest,
    missing_tiles,
    placements_of_tiles,
    plain_name,
    requested_tileset,
    warn_of_unfit_terrains,
)
from exporter.tilesets import PictureGrid, Tileset
from exporter.tilesets.team_tiles import (
    TeamAppearance,
    TeamTerrain,
    TeamTerrainSet,
    Variants,
    team_tile_numbers,
)

FILE_PATTERN = r"(?!/)(?!(?:.*/)?\.\.?(?:/|$))[^\\:*?\"<>|\x00-\x1f]+\.(?:tsx|tsj|json)"
FILE_RULE = "a tileset of Tiled in the project, as in art/dungeon.tsx"

TileNumber = Annotated[int, Within(0, LARGEST_NUMBER)]


@dataclass(frozen=True, kw_only=True)
class TiledTerrain(Parameters):
    """An entry of `tiles` that names a terrain of the team's tileset."""

    terrain: Annotated[
        str, About("Name of a terrain, whose tiles are chosen by neighbours.", example="Water")
    ]
    terrain_set: Annotated[
        str | None, About("Name of the terrain set, if several have a terrain of that name.")
    ] = None


TiledTiles = TileNumber | TiledTerrain | tuple[TileNumber, ...] | None


@dataclass(frozen=True, kw_only=True)
class TiledTileset(TeamTilesetOptions):
    """The option `tileset`: a tileset of Tiled, which is read, never written."""

    file: Annotated[
        str | None,
        Matches(FILE_PATTERN, FILE_RULE),
        About(
            "The tileset (.tsx or .tsj), relative to the project and inside of it.",
            example="art/dungeon.tsx",
        ),
    ] = None
    tiles: Annotated[
        Mapping[str, TiledTiles],
        About(
            "Tiles of the tileset by name: the tile's number, several of them as variants, "
            "`{terrain: NAME}`, or null for nothing. Default: the terrain of that name, or else "
            "the tiles of that class, or with that text in the property `name`.",
            example="{wall: 12}",
        ),
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class TiledTeamTiles:
    """A level's tiles, matched with tiles of a team's Tiled tileset.

    Visible layers use the team's tileset; data layers use the exporter's own.

    Attributes:
        file: The team's tileset file, relative to the map.
        tile_size: Side of a tile in pixels.
        count: How many tile numbers the team's tileset has; the numbers of `other` follow.
        cells: Tile numbers of each visible layer, by the layer's name: int32 [height, width].
        other: The exporter's tileset, for data layers.
        notices: Warnings about terrains whose tiles do not fit their neighbours.
    """

    file: str
    tile_size: int
    count: int
    cells: Mapping[str, NDArray[np.int32]]
    other: Tileset
    notices: tuple[Notice, ...]

    def drawings(self, layer: Layer) -> tuple[PictureGrid, ...]:
        """Return the grids of tiles to draw for `layer`, bottom to top.

        The numbers are those of the map's tilesets: first the team's, then the exporter's.
        """
        if layer.name in self.cells:
            return (PictureGrid("", self.cells[layer.name]),)
        return tuple(
            replace(
                drawing, numbers=np.where(drawing.numbers < 0, -1, drawing.numbers + self.count)
            )
            for drawing in self.other.drawings(layer)
        )

    def offset(self, drawing: PictureGrid) -> int:
        return self.other.offset(drawing)


def team_tiles(
    level: Level,
    options: TiledTileset | None,
    position: str,
    files: GameFiles,
    other: Tileset,
    diamond: tuple[int, int] | None = None,
) -> TiledTeamTiles | None:
    """Match a level's tiles with the tiles of a team's Tiled tileset.

    `options` is the target's option `tileset`, which the level's spec may override; the result is
    None if neither names a tileset. `position` is the target folder, relative to the project.
    `files` are those of the game. `other` is the exporter's tileset of the level, for data layers.
    `diamond` is width and height of isometric cells in pixels; None for square cells.

    Raises:
        ParameterError: The tileset cannot be used, or lacks a tile of the level.
    """
    requested = requested_tileset(level, "tiled", options)
    if requested is None:
        return None
    file = requested.options.file
    if file is None:
        raise requested.error("'file' is missing here (as in `file: art/dungeon.tsx`)")
    try:
        tileset = _read_team_tileset(files.read(file), file, diamond)
    except (ParameterError, TiledTilesetError) as error:
        raise requested.error(str(error), "file") from None
    appearances = _appearances_by_name(level, requested, tileset, file)
    sets = {
        number: TeamTerrainSet(wang_set.mode, wang_set.tiles)
        for number, wang_set in enumerate(tileset.wang_sets)
    }
    cells = {}
    notices: list[Notice] = []
    for layer in level.seen_layers():
        cells[layer.name], unfit = team_tile_numbers(layer, appearances, sets)
        notices += warn_of_unfit_terrains(requested, unfit, "tileset", "Tiled")
    relative = os.path.relpath(PurePosixPath(file), PurePosixPath(position)).replace(os.sep, "/")
    return TiledTeamTiles(relative, tileset.tile_size, tileset.count, cells, other, tuple(notices))


@lru_cache(maxsize=4)
def _read_team_tileset(
    content: bytes, file: str, diamond: tuple[int, int] | None
) -> TiledTeamTileset:
    return read_tiled_tileset(content, file, diamond)


def _appearances_by_name(
    level: Level, requested: TileRequest[TiledTileset], tileset: TiledTeamTileset, file: str
) -> dict[str, TeamAppearance]:
    """Return, by name of each visible tile of `level`, its tiles in `tileset`.

    `requested` has the option `tiles`; `file` is the tileset's, for messages.

    Raises:
        ParameterError: The option `tiles` names what `tileset` lacks, or a tile has no match.
    """

    def missing(names: list[str]) -> str:
        fix = f"write `tiles: {{{names[0]}: NUMBER}}` with its number in Tiled"
        return missing_tiles(names, file, fix, _known_names(tileset))

    return placements_of_tiles(
        level,
        requested,
        lambda name: _appearance_in_tiles(name, requested, tileset, file),
        lambda name: _appearance_from_name(name, tileset),
        missing,
    )


def _appearance_in_tiles(
    name: str, requested: TileRequest[TiledTileset], tileset: TiledTeamTileset, file: str
) -> TeamAppearance:
    """Return what the option `tiles` says for the level's tile `name`.

    The result is a terrain, or variants with their weights; no variants if the option is null.

    Raises:
        ParameterError: The tileset lacks the terrain or a tile; `file` names it in the message.
    """
    entry = requested.options.tiles[name]
    path: tuple[str | int, ...] = ("tiles", name)
    if isinstance(entry, TiledTerrain):
        return _terrain(entry, requested, tileset, file, path)
    numbers = () if entry is None else (entry,) if isinstance(entry, int) else entry
    for index, number in enumerate(numbers):
        if not tileset.has(number):
            position = path if isinstance(entry, int) else (*path, index)
            raise requested.error(
                f"{file} has no tile {number} (its tiles: 0 to {tileset.count - 1})", *position
            )
    return Variants(tuple((number, tileset.probability(number)) for number in numbers))


def _terrain(
    entry: TiledTerrain,
    requested: TileRequest[TiledTileset],
    tileset: TiledTeamTileset,
    file: str,
    path: tuple[str | int, ...],
) -> TeamTerrain:
    known = list(_terrains(tileset))
    result = [
        terrain
        for name, terrain in known
        if name == entry.terrain
        and entry.terrain_set in (None, tileset.wang_sets[terrain.terrain_set].name)
    ]
    if not result:
        message = unknown_name("terrain", entry.terrain, sorted({name for name, _ in known}))
        raise requested.error(f"{file} has no such terrain: {message}", *path, "terrain")
    if len(result) > 1:
        names = ", ".join(tileset.wang_sets[item.terrain_set].name for item in result)
        first = tileset.wang_sets[result[0].terrain_set].name
        message = (
            f"several terrain sets have a terrain {entry.terrain!r}: {names} (write `terrain_set: "
            f"{first}` to choose one)"
        )
        raise requested.error(message, *path, "terrain")
    if not _has_tiles(result[0], tileset):
        raise requested.error(
            f"{file} has no tile with the terrain {entry.terrain!r} (paint one in Tiled)", *path
        )
    return result[0]


def _appearance_from_name(name: str, tileset: TiledTeamTileset) -> TeamAppearance | None:
    """Return the terrain called `name`, or else all tiles of that name.

    None if the tileset has neither. Names may differ in case, and in blanks, hyphens and
    underscores.
    """
    expected = plain_name(name)
    for called, terrain in _terrains(tileset):
        if plain_name(called) == expected and _has_tiles(terrain, tileset):
            return terrain
    numbers = [number for number, called in tileset.names.items() if plain_name(called) == expected]
    chances = tuple((number, tileset.probability(number)) for number in sorted(numbers))
    return Variants(chances) if chances else None


def _has_tiles(terrain: TeamTerrain, tileset: TiledTeamTileset) -> bool:
    tiles = tileset.wang_sets[terrain.terrain_set].tiles
    return any(terrain.terrain in tile.terrains for tile in tiles)


def _terrains(tileset: TiledTeamTileset) -> Iterator[tuple[str, TeamTerrain]]:
    for number, wang_set in enumerate(tileset.wang_sets):
        for position, name in enumerate(wang_set.colors):
            yield name, TeamTerrain(number, position)


def _known_names(tileset: TiledTeamTileset) -> list[str]:
    names = [name for name, _ in _terrains(tileset) if name]
    return list(dict.fromkeys([*names, *tileset.names.values()]))
