"""Define teams' tilesets in exporter.yaml and in specs of levels.

`tileset:` of a target concerns all levels; `tileset: {targets: {ENGINE: ...}}` of a level has the
same keys and comes before it. Such files are read, never written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Generic, TypeVar

from exporter.model.errors import LevelError, ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.parameters import Parameters
from exporter.model.suggestions import unknown_name
from exporter.targets._target import Notice

Path = tuple[str | int, ...]


@dataclass(frozen=True, kw_only=True)
class OwnTileset(Parameters):
    """Base of a target's options for a tileset that the team keeps.

    A field `tiles` has the appearance of each tile, by name. None marks any other unset field.
    """


Kind = TypeVar("Kind", bound=OwnTileset)
# The appearance of a tile, in an engine's terms.
SearchResult = TypeVar("SearchResult")


@dataclass(frozen=True, slots=True)
class TileRequest(Generic[Kind]):
    """A level's team tileset, with the source of each setting.

    Attributes:
        options: The merged options of the target and the level's spec.
        in_spec: The paths, in the options, that the level's spec says.
        engine: The engine's name.
    """

    options: Kind
    in_spec: frozenset[Path]
    engine: str

    def error(self, message: str, *path: str | int) -> ParameterError:
        """Return an error at a part of the tileset, to raise."""
        if self._says(path):
            return LevelError(message, ("tileset", "targets", self.engine, *path))
        return ParameterError(message, ("tileset", *path))

    def notice(self, message: str, *path: str | int) -> Notice:
        """Return a warning at a part of the tileset."""
        if self._says(path):
            return Notice(message, ("tileset", "targets", self.engine, *path), in_spec=True)
        return Notice(message, ("tileset", *path))

    def _says(self, path: Path) -> bool:
        """Whether the level's spec has a setting: the nearest one counts."""
        return any(path[:length] in self.in_spec for length in range(1, len(path) + 1)) or (
            not path and bool(self.in_spec)
        )


def own_tileset(level: Level, engine: str, project: Kind | None) -> TileRequest[Kind] | None:
    """Return the team's tileset for a level; None if we draw it.

    Args:
        level: The level.
        engine: The engine's name.
        project: The target's options.

    Raises:
        LevelError: The spec names tiles that the level does not have.
    """
    targets: Mapping[str, Any] = level.tileset.options.targets if level.tileset else {}
    if engine not in targets:
        return None if project is None else TileRequest(project, frozenset(), engine)
    own: Kind | None = targets[engine]
    if own is None:
        return None
    _check_names(level, engine, own)
    said: set[Path] = {("tiles", name) for name in getattr(own, "tiles", {})}
    said |= {
        (field.name,)
        for field in fields(own)
        if field.name != "tiles" and getattr(own, field.name) is not None
    }
    if project is None:
        return TileRequest(own, frozenset(said | {("tiles",), ("file",)}), engine)
    names = [str(path[0]) for path in said if len(path) == 1]
    changes = {name: getattr(own, name) for name in names}
    changes["tiles"] = {**getattr(project, "tiles", {}), **getattr(own, "tiles", {})}
    return TileRequest(replace(project, **changes), frozenset(said), engine)


def placements_of_tiles(
    level: Level,
    requested: TileRequest[Any],
    named: Callable[[str], SearchResult],
    result: Callable[[str], SearchResult | None],
    missing: Callable[[list[str]], str],
) -> dict[str, SearchResult]:
    """Return the appearance of each tile of the visible layers.

    Args:
        level: The level.
        requested: The requested tileset.
        named: Returns the appearance that a tile's entry names; ParameterError if missing.
        result: Returns the appearance found by a tile's name; None without one.
        missing: Makes the message for tiles without an appearance.

    Raises:
        ParameterError: A named tile is missing, or a tile has no appearance.
    """
    names = dict.fromkeys(
        tile.name for layer in level.seen_layers() for tile in layer.tiles if not tile.empty
    )
    standing: dict[str, SearchResult] = {}
    lacking: list[str] = []
    for name in names:
        placed_at = named(name) if name in requested.options.tiles else result(name)
        if placed_at is None:
            lacking.append(name)
        else:
            standing[name] = placed_at
    if lacking:
        raise requested.error(missing(lacking), "tiles")
    return standing


def missing_tiles(names: Sequence[str], where: str, way_out: str, known: Sequence[str]) -> str:
    """Return the message for tiles without an appearance.

    Args:
        names: The tiles.
        where: The file in which nothing was found.
        way_out: The suggested fix.
        known: The names that the file has.
    """
    listed = ", ".join(map(repr, names))
    subject = f"tile {listed} has" if len(names) == 1 else f"tiles {listed} have"
    has = f"; its names: {', '.join(known[:20])}" if known else ""
    return f"{subject} no place in {where}: {way_out}{has}"


def plain_name(name: str) -> str:
    """Normalise a tile's name: `Deep Water` is `deep_water`."""
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def _check_names(level: Level, engine: str, own: OwnTileset) -> None:
    known = sorted({tile.name for layer in level.tile_layers() for tile in layer.tiles})
    for name in getattr(own, "tiles", {}):
        if name not in known:
            path = ("tileset", "targets", engine, "tiles", name)
            raise LevelError(unknown_name("tile", name, known), path)


def unfit_notices(
    requested: TileRequest[Any], cells: Mapping[str, int], what: str
) -> Iterator[Notice]:
    """Yield a warning for every terrain with tiles that do not fit.

    Args:
        requested: The request.
        cells: How many cells have such a tile, by the name of the level's tile.
        what: The engine's word for its tileset.
    """
    for name, count in cells.items():
        if count:
            state = "cell has" if count == 1 else "cells have"
            yield requested.notice(
                f"{count} {state} a tile of the terrain of {name!r} that does not fit the "
                f"neighbours: the {what} has none that does",
                "tiles",
                name,
            )
