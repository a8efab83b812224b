"""Assets of a Unity project that an export names: tile assets for tiles, prefabs for objects.

They are the team's own: the importer of the package looks for them by path. Nothing here reads or
writes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from exporter.model.level import Level
from exporter.model.parameters import About, Matches, Parameters

AssetPath = Annotated[
    str,
    Matches(
        r"(?:Assets|Packages)(?:/(?!\.\.?(?:/|$))[^/\\:*?\"<>|\x00-\x1f]+)+",
        "a path below Assets/ or Packages/, without '..'",
    ),
]
AssetPaths = AssetPath | tuple[AssetPath, ...]

_TILES = "Tile assets by tile name: a path in the Unity project, or a list of variants."


@dataclass(frozen=True, kw_only=True)
class UnityTileset(Parameters):
    """Tile assets of the game."""

    tiles: Annotated[
        Mapping[str, AssetPaths],
        About(
            f"{_TILES} Rule tiles keep their rules. Other tiles are drawn as everywhere.",
            example="{wall: Assets/Tiles/Wall.asset}",
        ),
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NamedAsset:
    """An asset that a level needs, and where in the target's options it is named."""

    path: str
    place: tuple[str | int, ...]
    instead: str


@dataclass(frozen=True, slots=True)
class GameAssets:
    """What a level shows of the game's own assets.

    Attributes:
        tiles: Paths of tile assets by tile name; of several, the cell's place chooses one.
        prefabs: Paths of prefabs by object name.
    """

    tiles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    prefabs: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, level: Level, tileset: UnityTileset, prefabs: Mapping[str, str]) -> GameAssets:
        """Return what concerns a level: a project's options may name things of other levels."""
        names = {tile.name for layer in level.seen_layers() for tile in layer.tiles}
        tiles = {
            name: (paths,) if isinstance(paths, str) else tuple(paths)
            for name, paths in tileset.tiles.items()
            if name in names and paths
        }
        things = {thing.name for thing in level.objects}
        return cls(tiles, {name: path for name, path in prefabs.items() if name in things})

    def named(self, tileset: UnityTileset) -> Iterator[NamedAsset]:
        """Return every asset once for each place that names it."""
        for name, paths in self.tiles.items():
            alone = isinstance(tileset.tiles[name], str)
            for index, path in enumerate(paths):
                place: tuple[str | int, ...] = ("tileset", "tiles", name)
                instead = "its cells show the exported tile"
                yield NamedAsset(path, place if alone else (*place, index), instead)
        for name, path in self.prefabs.items():
            yield NamedAsset(path, ("scenes", name), f"objects called {name} are empty markers")
