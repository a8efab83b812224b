"""Match a level's tiles with a TileSet that a team keeps in its game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.external_tileset import (
    LARGEST_POSITION,
    ExternalTileset,
    Location,
    TilesetError,
)
from exporter.formats.godot.scene_tiles import ExternalTiles, Placements, external_tiles
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
from exporter.targets.own_tilesets import (
    OwnTileset,
    TileRequest,
    missing_tiles,
    own_tileset,
    placements_of_tiles,
    plain_name,
    unfit_notices,
)
from exporter.tilesets.standing import OwnTerrain

FILE_PATTERN = r"res://(?!/)(?!(?:.*/)?\.\.?(?:/|$))[^\\:*?\"<>|\x00-\x1f]+\.t?res"
FILE_RULE = "a TileSet of the game, as in res://art/dungeon.tres"

Coordinate = Annotated[int, Within(0, LARGEST_POSITION)]
AtlasPosition = tuple[Coordinate, Coordinate]


@dataclass(frozen=True, kw_only=True)
class GodotTile(Parameters):
    """A tile of a TileSet, or a terrain of it."""

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
class GodotTileset(OwnTileset):
    """A TileSet of the team's: it is read, never written."""

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
class TeamTiles:
    """A level's tiles in a TileSet of the team's.

    Attributes:
        tiles: The tiles.
        tileset: The TileSet.
        notices: Warnings.
    """

    tiles: ExternalTiles
    tileset: ExternalTileset
    notices: tuple[Notice, ...]


def team_tiles(
    level: Level,
    project: GodotTileset | None,
    game: GameFiles,
    *,
    collide: bool,
    diamond: tuple[int, int] | None = None,
) -> TeamTiles | None:
    """Return a level's tiles in a team's TileSet; None for our own.

    Args:
        level: The level.
        project: The target's options.
        game: The files of the game.
        collide: Whether walls are solid by the polygons of their tiles.
        diamond: The pixels of isometric cells; None for squares.

    Raises:
        ParameterError: The TileSet cannot be used, or a tile is not in it.
    """
    requested = own_tileset(level, "godot", project)
    if requested is None:
        return None
    tileset = _open(requested, game, diamond)
    standing = _standing(level, requested, tileset)

    def picture(file: str) -> NDArray[np.uint8] | None:
        try:
            return read_colors(game.read(file), file, ())
        except ParameterError:
            return None  # only a small picture of the level shows it

    tiles = external_tiles(level, tileset, standing, picture)
    notices = [*unfit_notices(requested, tiles.inexact, "TileSet")]
    if collide:
        notices += _open_walls(level, requested, tileset, standing)
    return TeamTiles(tiles, tileset, tuple(notices))


def _open(
    requested: TileRequest[GodotTileset], game: GameFiles, diamond: tuple[int, int] | None
) -> ExternalTileset:
    path = requested.options.file
    if path is None:
        raise requested.error("'file' is missing here (as in `file: res://art/dungeon.tres`)")
    if not path.endswith(".tres"):
        message = f"{path} is a binary resource: save it as .tres in Godot, and name that file"
        raise requested.error(message, "file")
    try:
        content = game.read(path.removeprefix(RESOURCES))
        return _parsed(content, path, diamond) or read_tileset(content, path, game.read, diamond)
    except (ParameterError, TilesetError) as error:
        raise requested.error(str(error), "file") from None


@lru_cache(maxsize=4)
def _parsed(content: bytes, path: str, diamond: tuple[int, int] | None) -> ExternalTileset | None:
    """Return a TileSet of a single file, or None. Levels mostly share one."""

    class OtherFileError(Exception):
        pass

    def refuse(name: str) -> bytes:
        raise OtherFileError

    try:
        return read_tileset(content, path, refuse, diamond)
    except OtherFileError:
        return None


def _standing(
    level: Level, requested: TileRequest[GodotTileset], tileset: ExternalTileset
) -> dict[str, Placements]:
    """Return the appearance of each tile of the visible layers.

    Raises:
        ParameterError: A named tile is missing, or a tile has no appearance.
    """

    def missing(names: list[str]) -> str:
        state = "its" if len(names) == 1 else "their"
        way_out = f"give {state} atlas coordinates under `tiles`"
        return missing_tiles(names, tileset.path, way_out, _names(tileset))

    return placements_of_tiles(
        level,
        requested,
        lambda name: _named(name, requested, tileset),
        lambda name: _detected_by_name(name, tileset),
        missing,
    )


def _named(name: str, requested: TileRequest[GodotTileset], tileset: ExternalTileset) -> Placements:
    """Return the target of an entry of `tiles`."""
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
    places = []
    for index, item in enumerate(entry):
        assert not isinstance(item, int)
        tile = item if isinstance(item, GodotTile) else GodotTile(at=item)
        if tile.terrain is not None:
            message = "a terrain chooses among its own tiles, so it cannot be in a list"
            raise requested.error(message, *path, index, "terrain")
        places.append(_location(tile, requested, tileset, (*path, index)))
    return tuple(places)


def _location(
    tile: GodotTile,
    requested: TileRequest[GodotTileset],
    tileset: ExternalTileset,
    path: tuple[str | int, ...],
) -> Location:
    if tile.at is None:
        raise requested.error("'at' is missing here (as in `at: [3, 1]`), or `terrain`", *path)
    source = tile.source
    if source is None:
        atlases = [number for number, atlas in sorted(tileset.sources.items()) if atlas is not None]
        if not atlases:
            raise requested.error(f"{tileset.path} has no source with tiles", "file")
        source = atlases[0]
    position = source, *tile.at, tile.alternative
    problem = tileset.problem(position)
    if problem:
        raise requested.error(f"{tileset.path} {problem}", *path)
    return position


def _terrain(
    tile: GodotTile,
    requested: TileRequest[GodotTileset],
    tileset: ExternalTileset,
    path: tuple[str | int, ...],
) -> OwnTerrain:
    for key in ("at", "source", "alternative"):
        if getattr(tile, key) not in (None, 0):
            message = f"a terrain has no `{key}`: remove one of the two"
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
        message = f"the terrain sets {sets} have a terrain {tile.terrain!r}: choose one with"
        raise requested.error(f"{message} `terrain_set`", *path, "terrain")
    _check_tiles(result[0], tile.terrain, requested, tileset, path)
    return result[0]


def _check_tiles(
    terrain: OwnTerrain,
    name: str,
    requested: TileRequest[GodotTileset],
    tileset: ExternalTileset,
    path: tuple[str | int, ...],
) -> None:
    if not _has_tiles(terrain, tileset):
        message = f"{tileset.path} has no tile with the terrain {name!r} in its middle"
        raise requested.error(message, *path)


def _has_tiles(terrain: OwnTerrain, tileset: ExternalTileset) -> bool:
    return any(
        (facts.terrain_set, facts.terrain) == (terrain.terrain_set, terrain.terrain)
        for _, facts in tileset.every_tile()
    )


def _detected_by_name(name: str, tileset: ExternalTileset) -> Placements | None:
    """Return the terrain with a tile's name, or else tiles with that name."""
    expected = plain_name(name)
    for called, terrain in _terrains(tileset):
        if plain_name(called) == expected and _has_tiles(terrain, tileset):
            return terrain
    places = tuple(
        position
        for position, facts in tileset.every_tile()
        if facts.name and plain_name(facts.name) == expected
    )
    return places or None


def _terrains(tileset: ExternalTileset) -> Iterator[tuple[str, OwnTerrain]]:
    for number, terrain_set in enumerate(tileset.terrain_sets):
        for position, name in enumerate(terrain_set.names):
            yield name, OwnTerrain(number, position)


def _names(tileset: ExternalTileset) -> list[str]:
    """Return the names by which tiles can be found."""
    names = [name for name, _ in _terrains(tileset) if name]
    names += [facts.name for _, facts in tileset.every_tile() if facts.name]
    return list(dict.fromkeys(names))


def _open_walls(
    level: Level,
    requested: TileRequest[GodotTileset],
    tileset: ExternalTileset,
    standing: Mapping[str, Placements],
) -> Iterator[Notice]:
    """Yield a warning for every solid tile without a collision polygon."""
    blocking = (tile.name for layer in level.play_layers() for tile in layer.tiles if tile.blocking)
    for name in dict.fromkeys(blocking):
        placed_at = standing.get(name, ())
        if isinstance(placed_at, OwnTerrain):
            open_tiles = any(
                not facts.solid
                for _, facts in tileset.every_tile()
                if (facts.terrain_set, facts.terrain) == (placed_at.terrain_set, placed_at.terrain)
            )
        else:
            open_tiles = any(not tileset.facts(stand).solid for stand in placed_at)
        if open_tiles:
            yield requested.notice(
                f"`collision: tiles` lets bodies through {name!r}, which has tiles without a "
                "collision polygon in the TileSet: `collision: merged` does not need any",
                "tiles",
                name,
            )
