"""Merge the options for a tileset that a team keeps itself.

In exporter.yaml a target's `tileset:` applies to all levels. A spec's `tileset: {targets: {ENGINE:
...}}` has the same keys and overrides the target's. A team's files are read, never written.
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
class TeamTilesetOptions(Parameters):
    """Base of the option `tileset` of a target: a tileset that a team keeps.

    A derived class has a field `tiles`: the team's tile for each tile of the level, by name. An
    unset field is None.
    """


Kind = TypeVar("Kind", bound=TeamTilesetOptions)
# The appearance of a tile, in an engine's terms.
SearchResult = TypeVar("SearchResult")


@dataclass(frozen=True, slots=True)
class TileRequest(Generic[Kind]):
    """The options for a team's tileset in one level, and who sets each.

    Attributes:
        options: The target's options in exporter.yaml, overridden by those of the level's spec.
        in_spec: Paths of the options that the level's spec sets; exporter.yaml sets the others.
        engine: The target's name in exporter.yaml.
    """

    options: Kind
    in_spec: frozenset[Path]
    engine: str

    def error(self, message: str, *path: str | int) -> ParameterError:
        """Return an error at the option `path`.

        It points to the level's spec or to exporter.yaml, whichever sets the option.
        """
        if self._is_in_spec(path):
            return LevelError(message, ("tileset", "targets", self.engine, *path))
        return ParameterError(message, ("tileset", *path))

    def notice(self, message: str, *path: str | int) -> Notice:
        """Return a warning at the option `path`.

        It points to the level's spec or to exporter.yaml, whichever sets the option.
        """
        if self._is_in_spec(path):
            return Notice(message, ("tileset", "targets", self.engine, *path), in_spec=True)
        return Notice(message, ("tileset", *path))

    def _is_in_spec(self, path: Path) -> bool:
        """Return whether the level's spec sets the option `path` or one above it.

        An empty path stands for all options: it is in the spec if any is.
        """
        return any(path[:length] in self.in_spec for length in range(1, len(path) + 1)) or (
            not path and bool(self.in_spec)
        )


def requested_tileset(level: Level, engine: str, project: Kind | None) -> TileRequest[Kind] | None:
    """Return the options for a team's tileset, merged for one level.

    `engine` is the target's name, `project` its option `tileset` in exporter.yaml. The spec of
    `level` may override that option. The result is None if neither asks for a tileset.

    Raises:
        LevelError: The spec names tiles that the level does not have.
    """
    targets: Mapping[str, Any] = level.tileset.options.targets if level.tileset else {}
    if engine not in targets:
        return None if project is None else TileRequest(project, frozenset(), engine)
    from_spec: Kind | None = targets[engine]
    if from_spec is None:
        return None
    _check_names(level, engine, from_spec)
    set_in_spec: set[Path] = {("tiles", name) for name in getattr(from_spec, "tiles", {})}
    set_in_spec |= {
        (field.name,)
        for field in fields(from_spec)
        if field.name != "tiles" and getattr(from_spec, field.name) is not None
    }
    if project is None:
        return TileRequest(from_spec, frozenset(set_in_spec | {("tiles",), ("file",)}), engine)
    names = [str(path[0]) for path in set_in_spec if len(path) == 1]
    changes = {name: getattr(from_spec, name) for name in names}
    changes["tiles"] = {**getattr(project, "tiles", {}), **getattr(from_spec, "tiles", {})}
    return TileRequest(replace(project, **changes), frozenset(set_in_spec), engine)


def placements_of_tiles(
    level: Level,
    requested: TileRequest[Any],
    named: Callable[[str], SearchResult],
    result: Callable[[str], SearchResult | None],
    missing: Callable[[list[str]], str],
) -> dict[str, SearchResult]:
    """Return the team's tiles for each tile of the visible layers, by name.

    Args:
        level: The level.
        requested: The options for the team's tileset.
        named: Returns what the option `tiles` says for a tile's name; raises ParameterError if the
            tileset lacks that.
        result: Returns the team's tiles that have the given name, or None; for tiles that the
            option `tiles` does not mention.
        missing: Returns the message for the tiles that have no match.

    Raises:
        ParameterError: `tiles` names a missing tile, or a tile of the level has no match.
    """
    names = dict.fromkeys(
        tile.name for layer in level.seen_layers() for tile in layer.tiles if not tile.empty
    )
    appearances: dict[str, SearchResult] = {}
    lacking: list[str] = []
    for name in names:
        appearance = named(name) if name in requested.options.tiles else result(name)
        if appearance is None:
            lacking.append(name)
        else:
            appearances[name] = appearance
    if lacking:
        raise requested.error(missing(lacking), "tiles")
    return appearances


def missing_tiles(names: Sequence[str], where: str, way_out: str, known: Sequence[str]) -> str:
    """Return the message that a team's tileset lacks tiles of a level.

    `names` are the tiles' names, `where` is the tileset's file, `known` are the names of the tiles
    in it, and `way_out` is the suggested fix.
    """
    listed = ", ".join(map(repr, names))
    subject = f"tile {listed} has" if len(names) == 1 else f"tiles {listed} have"
    has = f", which has {', '.join(known[:20])}" if known else ""
    return f"{subject} no match in {where}{has} ({way_out})"


def plain_name(name: str) -> str:
    """Return a tile's name in the form for comparison with other names.

    `Deep Water` becomes `deep_water`.
    """
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def _check_names(level: Level, engine: str, options: TeamTilesetOptions) -> None:
    known = sorted({tile.name for layer in level.tile_layers() for tile in layer.tiles})
    for name in getattr(options, "tiles", {}):
        if name not in known:
            path = ("tileset", "targets", engine, "tiles", name)
            raise LevelError(unknown_name("tile", name, known), path)


def warn_of_unfit_terrains(
    requested: TileRequest[Any], cells: Mapping[str, int], tileset: str, editor: str
) -> Iterator[Notice]:
    """Yield a warning for each terrain whose tiles do not all fit.

    `cells` has, by the name of the level's tile, in how many cells the terrain has no tile that
    fits the neighbours. `tileset` is what the program `editor` calls a tileset.
    """
    for name, count in cells.items():
        if count:
            subject = "cell has" if count == 1 else "cells have"
            yield requested.notice(
                f"{count} {subject} a tile of the terrain of {name!r} that does not fit the "
                f"neighbours, because the {tileset} has none that does (add it in {editor})",
                "tiles",
                name,
            )
