"""Match a level's tiles with a TileSet that a team keeps in its game.

The option `tileset` names the TileSet (`file`) and its tile for each tile of the level (`tiles`).
The file is read, never written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.scene_tiles import Placements, TeamSceneTiles, team_scene_tiles
from exporter.formats.godot.team_tileset import (
    LARGEST_POSITION,
    GodotTeamTileset,
    Location,
    TilesetError,
)
from exporter.formats.godot.tileset_reader import read_tileset
from exporter.formats.godot.values import RESOURCES
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.parameters import About, Matches, Parameters, Within
from exporter.model.picture_files import read_colors
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
from exporter.tilesets.team_tiles import TeamTerrain

FILE_PATTERN = r"res://(?!/)(?!(?:.*/)?\.\.?(?:/|$))[^\\:*?\"<>|\x00-\x1f]+\.t?res"
FILE_RULE = "a TileSet of the game, as in res://art/dungeon.tres"

Coordinate = Annotated[int, Within(0, LARGEST_POSITION)]
AtlasPosition = tuple[Coordinate, Coordinate]


@dataclass(frozen=True, kw_only=True)
class GodotTile(Parameters):
    """An entry of `tiles`: a tile or a terrain of a TileSet."""

    at: Annotated[
        AtlasPosition | None, About("Column and row in the source.", example="[3, 1]")
    ] = None
    source: Annotated[
        int | None,
        Within(0, LARGEST_POSITION),
        About("Number of the source; default: the first one."),
    ] = None
    alternative: Annotated[
        int,
        Within(0, 32767),
        About(
            "Number of the alternative tile; 4096 more mirrors it left to right, 8192 top to "
            "bottom, 16384 swaps rows and columns."
        ),
    ] = 0
    terrain: Annotated[
        str | None, About("Name of a terrain instead, whose tiles are chosen by neighbours.")
    ] = None
    terrain_set: Annotated[
        int | None,
        Within(0, 999),
        About("Number of the terrain set, if several have a terrain of that name."),
    ] = None


GodotTiles = AtlasPosition | GodotTile | tuple[AtlasPosition | GodotTile, ...] | None


@dataclass(frozen=True, kw_only=True)
class GodotTileset(TeamTilesetOptions):
    """The option `tileset`: a TileSet of the game; it is read, never written."""

    file: Annotated[
        str | None,
        Matches(FILE_PATTERN, FILE_RULE),
        About("The TileSet, a path in the game.", example="res://art/dungeon.tres"),
    ] = None
    tiles: Annotated[
        Mapping[str, GodotTiles],
        About(
            "Tiles of the tileset by name: [column, row] in the first source, several of them "
            "as variants, a mapping, or null for nothing. Default: the terrain of that name, or "
            "else the tiles with that text in the custom data layer `name`.",
            example="{wall: [3, 1]}",
        ),
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class GodotTeamTiles:
    """A level's tiles, matched with tiles of a team's TileSet.

    Attributes:
        tiles: The matched tiles, for the level's scene.
        tileset: The team's TileSet.
        notices: Warnings about terrains whose tiles do not fit their neighbours, and about walls
            without collision.
    """

    tiles: TeamSceneTiles
    tileset: GodotTeamTileset
    notices: tuple[Notice, ...]


def team_tiles(
    level: Level,
    options: GodotTileset | None,
    game: GameFiles,
    *,
    collide: bool,
    diamond: tuple[int, int] | None = None,
) -> GodotTeamTiles | None:
    """Match a level's tiles with the tiles of a team's TileSet.

    `options` is the target's option `tileset`, which the level's spec may override; the result is
    None if neither names a TileSet. `collide` says whether walls collide by the polygons of their
    tiles, so that walls without them need a warning. `diamond` is width and height of isometric
    cells in pixels; None for square cells.

    Raises:
        ParameterError: The TileSet cannot be used, or lacks a tile of the level.
    """
    requested = requested_tileset(level, "godot", options)
    if requested is None:
        return None
    tileset = _read_team_tileset(requested, game, diamond)
    appearances = _appearances_by_name(level, requested, tileset)

    def picture(file: str) -> NDArray[np.uint8] | None:
        try:
            return read_colors(game.read(file), file, ())
        except ParameterError:
            return None  # only a small picture of the level shows it

    tiles = team_scene_tiles(level, tileset, appearances, picture)
    notices = [*warn_of_unfit_terrains(requested, tiles.inexact, "TileSet", "Godot")]
    if collide:
        notices += _warn_of_walls_without_collision(level, requested, tileset, appearances)
    return GodotTeamTiles(tiles, tileset, tuple(notices))


def _read_team_tileset(
    requested: TileRequest[GodotTileset], game: GameFiles, diamond: tuple[int, int] | None
) -> GodotTeamTileset:
    path = requested.options.file
    if path is None:
        raise requested.error("'file' is missing here (as in `file: res://art/dungeon.tres`)")
    if not path.endswith(".tres"):
        message = f"{path} is a binary resource (save it as .tres in Godot, and name that file)"
        raise requested.error(message, "file")
    try:
        content = game.read(path.removeprefix(RESOURCES))
        return _read_single_file(content, path, diamond) or read_tileset(
            content, path, game.read, diamond
        )
    except (ParameterError, TilesetError) as error:
        raise requested.error(str(error), "file") from None


@lru_cache(maxsize=4)
def _read_single_file(
    content: bytes, path: str, diamond: tuple[int, int] | None
) -> GodotTeamTileset | None:
    """Read the TileSet in `content`; return None if it refers to other files.

    The result is cached, because most levels of a game share a TileSet. A TileSet that needs other
    files is not cached, because these could change between two reads.
    """

    class OtherFileError(Exception):
        pass

    def refuse(name: str) -> bytes:
        raise OtherFileError

    try:
        return read_tileset(content, path, refuse, diamond)
    except OtherFileError:
        return None


def _appearances_by_name(
    level: Level, requested: TileRequest[GodotTileset], tileset: GodotTeamTileset
) -> dict[str, Placements]:
    """Return, by name of each visible tile of `level`, its tiles in `tileset`.

    `requested` has the option `tiles`.

    Raises:
        ParameterError: The option `tiles` names what `tileset` lacks, or a tile has no match.
    """

    def missing(names: list[str]) -> str:
        fix = f"write `tiles: {{{names[0]}: [COLUMN, ROW]}}` with its atlas coordinates"
        return missing_tiles(names, tileset.path, fix, _known_names(tileset))

    return placements_of_tiles(
        level,
        requested,
        lambda name: _appearance_in_tiles(name, requested, tileset),
        lambda name: _appearance_from_name(name, tileset),
        missing,
    )


def _appearance_in_tiles(
    name: str, requested: TileRequest[GodotTileset], tileset: GodotTeamTileset
) -> Placements:
    """Return what the option `tiles` says for the level's tile `name`.

    The result is a terrain, or the locations of tiles in `tileset`; empty if the option is null.

    Raises:
        ParameterError: The TileSet lacks the terrain or a tile.
    """
    entry = requested.options.tiles[name]
    path: tuple[str | int, ...] = ("tiles", name)
    if entry is None:
        return ()
    if isinstance(entry, GodotTile) and entry.terrain is not None:
        return _terrain(entry, requested, tileset, path)
    if isinstance(entry, GodotTile):
        return (_location(entry, requested, tileset, path),)
    if len(entry) == 2 and isinstance(entry[0], int) and isinstance(entry[1], int):
        return (_location(GodotTile(at=(entry[0], entry[1])), requested, tileset, path),)
    locations = []
    for index, item in enumerate(entry):
        assert not isinstance(item, int)
        tile = item if isinstance(item, GodotTile) else GodotTile(at=item)
        if tile.terrain is not None:
            message = (
                "a terrain cannot be in a list of variants, because it chooses its tiles itself "
                f"(give {name!r} the terrain alone, without a list)"
            )
            raise requested.error(message, *path, index, "terrain")
        locations.append(_location(tile, requested, tileset, (*path, index)))
    return tuple(locations)


def _location(
    tile: GodotTile,
    requested: TileRequest[GodotTileset],
    tileset: GodotTeamTileset,
    path: tuple[str | int, ...],
) -> Location:
    if tile.at is None:
        raise requested.error("'at' is missing here, or 'terrain' (as in `at: [3, 1]`)", *path)
    source = tile.source
    if source is None:
        atlases = [number for number, atlas in sorted(tileset.sources.items()) if atlas is not None]
        if not atlases:
            raise requested.error(
                f"{tileset.path} has no source with tiles (add a picture to it in Godot)", "file"
            )
        source = atlases[0]
    position = source, *tile.at, tile.alternative
    problem = tileset.problem(position)
    if problem:
        raise requested.error(f"{tileset.path} {problem}", *path)
    return position


def _terrain(
    tile: GodotTile,
    requested: TileRequest[GodotTileset],
    tileset: GodotTeamTileset,
    path: tuple[str | int, ...],
) -> TeamTerrain:
    for key in ("at", "source", "alternative"):
        if getattr(tile, key) not in (None, 0):
            message = f"`{key}` has no effect beside `terrain` (remove one of the two)"
            raise requested.error(message, *path, key)
    assert tile.terrain is not None
    known = list(_terrains(tileset))
    result = [terrain for name, terrain in known if name == tile.terrain]
    if tile.terrain_set is not None:
        result = [terrain for terrain in result if terrain.terrain_set == tile.terrain_set]
    if not result:
        names = sorted({name for name, _ in known})
        message = unknown_name("terrain", tile.terrain, names)
        where = f" in set {tile.terrain_set}" if tile.terrain_set is not None else ""
        raise requested.error(
            f"{tileset.path} has no such terrain{where}: {message}", *path, "terrain"
        )
    if len(result) > 1:
        sets = ", ".join(str(terrain.terrain_set) for terrain in result)
        message = (
            f"several terrain sets have a terrain {tile.terrain!r}: {sets} (write `terrain_set: "
            f"{result[0].terrain_set}` to choose one)"
        )
        raise requested.error(message, *path, "terrain")
    _check_tiles(result[0], tile.terrain, requested, tileset, path)
    return result[0]


def _check_tiles(
    terrain: TeamTerrain,
    name: str,
    requested: TileRequest[GodotTileset],
    tileset: GodotTeamTileset,
    path: tuple[str | int, ...],
) -> None:
    if not _has_tiles(terrain, tileset):
        message = f"{tileset.path} has no tile of the terrain {name!r} (paint one in Godot)"
        raise requested.error(message, *path)


def _has_tiles(terrain: TeamTerrain, tileset: GodotTeamTileset) -> bool:
    return any(
        (facts.terrain_set, facts.terrain) == (terrain.terrain_set, terrain.terrain)
        for _, facts in tileset.every_tile()
    )


def _appearance_from_name(name: str, tileset: GodotTeamTileset) -> Placements | None:
    """Return the terrain called `name`, or else all tiles of that name.

    None if the TileSet has neither. Names may differ in case, and in blanks, hyphens and
    underscores.
    """
    expected = plain_name(name)
    for called, terrain in _terrains(tileset):
        if plain_name(called) == expected and _has_tiles(terrain, tileset):
            return terrain
    locations = tuple(
        position
        for position, facts in tileset.every_tile()
        if facts.name and plain_name(facts.name) == expected
    )
    return locations or None


def _terrains(tileset: GodotTeamTileset) -> Iterator[tuple[str, TeamTerrain]]:
    for number, terrain_set in enumerate(tileset.terrain_sets):
        for position, name in enumerate(terrain_set.names):
            yield name, TeamTerrain(number, position)


def _known_names(tileset: GodotTeamTileset) -> list[str]:
    names = [name for name, _ in _terrains(tileset) if name]
    names += [facts.name for _, facts in tileset.every_tile() if facts.name]
    return list(dict.fromkeys(names))


def _warn_of_walls_without_collision(
    level: Level,
    requested: TileRequest[GodotTileset],
    tileset: GodotTeamTileset,
    appearances: Mapping[str, Placements],
) -> Iterator[Notice]:
    blocking = (tile.name for layer in level.play_layers() for tile in layer.tiles if tile.blocking)
    for name in dict.fromkeys(blocking):
        appearance = appearances.get(name, ())
        if isinstance(appearance, TeamTerrain):
            open_tiles = any(
                not facts.solid
                for _, facts in tileset.every_tile()
                if (facts.terrain_set, facts.terrain)
                == (appearance.terrain_set, appearance.terrain)
            )
        else:
            open_tiles = any(not tileset.facts(location).solid for location in appearance)
        if open_tiles:
            yield requested.notice(
                f"bodies go through {name!r}: with `collision: tiles` its tiles need a collision "
                "polygon in the TileSet (add it there, or write `collision: merged`)",
                "tiles",
                name,
            )
