"""Match a level's tiles with tile assets that a team keeps in Unity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated

from exporter.formats.unity.game_assets import AssetPath, GameAssets, paths_of
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.parameters import About
from exporter.targets._target import Notice
from exporter.targets._work import GameFiles
from exporter.targets.team_tilesets import TeamTilesetOptions, requested_tileset

# A file that every Unity project has.
_GAME_FILE = "ProjectSettings/ProjectVersion.txt"

AssetPaths = AssetPath | tuple[AssetPath, ...]


@dataclass(frozen=True, kw_only=True)
class UnityTileset(TeamTilesetOptions):
    """The option `tileset` of Unity: tile assets of the game."""

    tiles: Annotated[
        Mapping[str, AssetPaths | None],
        About(
            "Tile assets by tile name: a path in the Unity project, or a list of variants. Rule "
            "tiles keep their rules. Tiles without an entry, or with null, are the exporter's.",
            example="{wall: Assets/Tiles/Wall.asset}",
        ),
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LevelAssets:
    """The game's tile assets and prefabs that a level uses, with warnings."""

    assets: GameAssets
    notices: tuple[Notice, ...]


def level_assets(
    level: Level, project: UnityTileset | None, prefabs: Mapping[str, str], game: GameFiles
) -> LevelAssets:
    """Return the tile assets and prefabs of the game that `level` uses.

    `project` is the target's option `tileset`; the level's spec may override it. `prefabs` has
    paths by the objects' scene names. There is a warning for each path that is not in the game.

    Raises:
        LevelError: The spec names tiles that the level does not have.
    """
    requested = requested_tileset(level, "unity", project)
    tiles = {}
    if requested is not None:
        names = {tile.name for layer in level.seen_layers() for tile in layer.tiles}
        given = ((name, paths_of(item)) for name, item in requested.options.tiles.items())
        tiles = {name: paths for name, paths in given if paths and name in names}
    things = {thing.called(prefabs) for thing in level.objects}
    assets = GameAssets(tiles, {name: path for name, path in prefabs.items() if name in things})
    notices: list[Notice] = []
    for name, paths in assets.tiles.items():
        assert requested is not None
        alone = isinstance(requested.options.tiles[name], str)
        for index, path in enumerate(paths):
            if _is_missing(path, game):
                message = f"{_absent(path)}, so its cells show the exported tile (correct the path)"
                notices.append(
                    requested.notice(message, "tiles", name, *(() if alone else (index,)))
                )
    for name, path in assets.prefabs.items():
        if _is_missing(path, game):
            message = f"{_absent(path)}, so objects {name!r} are empty markers (correct the path)"
            notices.append(Notice(message, ("scenes", name)))
    return LevelAssets(assets, tuple(notices))


def _absent(path: str) -> str:
    return f"there is no {path} in the Unity project"


def _is_missing(path: str, game: GameFiles) -> bool:
    """Return whether the asset at `path` is absent from the Unity project.

    False if the target lies in no Unity project, and for assets of packages, which may lie in
    Unity's cache. The asset's `.meta` is looked up first: it is small and changes rarely.
    """
    return (
        path.startswith("Assets/")
        and game.has(_GAME_FILE)
        and not (game.has(f"{path}.meta") or game.has(path))
    )
