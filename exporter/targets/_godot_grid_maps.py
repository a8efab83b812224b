"""Write a level as a Godot GridMap: 3D pieces from a MeshLibrary."""

from __future__ import annotations

from typing import Literal

from exporter.formats import Artifact
from exporter.formats.godot.grid_map import (
    LIBRARY,
    LONGEST_SIDE,
    MissingPiece,
    grid_map,
    library_uid,
    plain_library,
    read_library,
)
from exporter.formats.godot.resource_text import ResourceTextError
from exporter.formats.godot.tscn import tscn
from exporter.formats.godot.uid import godot_uid
from exporter.formats.godot.values import RESOURCES, ExternalResource
from exporter.model.errors import ParameterError
from exporter.model.level import Level
from exporter.model.suggestions import did_you_mean, suggestions
from exporter.targets._target import Exported, Notice
from exporter.targets._work import GameFiles
from exporter.targets.team_tilesets import plain_name

_AT = ("gridmap",)
# Godot adds about 100,000 cells in a second.
_MANY_CELLS = 1 << 18


def grid_map_files(
    level: Level, chosen: str | Literal[True], position: str, game: GameFiles
) -> Exported:
    """Return the files of a level's GridMap: its scene and maybe MeshLibrary.

    `chosen` is the path (`res://...`) of the team's MeshLibrary; with True the exporter writes one
    of plain boxes, before the scene. `position` is the target folder, relative to the project.

    Raises:
        ParameterError: The level is too large for a GridMap; or the team's library is unusable, or
            has no piece for a tile.
    """
    name = f"{level.name}.gridmap.tscn"
    if not level.play_layers():
        message = f"{name} is not written, because the level has no layer of tiles to play on"
        return Exported((), (Notice(message, _AT),))
    if max(level.width, level.height) > LONGEST_SIDE:
        message = (
            f"the level is larger than a GridMap can be, {LONGEST_SIDE} cells a side (write "
            "`chunk: 256`)"
        )
        raise ParameterError(message, _AT)
    notices: tuple[Notice, ...] = ()
    cells = level.width * level.height
    if cells > _MANY_CELLS:
        message = f"{name} has {cells:,} cells, which Godot loads slowly (write `chunk: 256`)"
        notices = (Notice(message, ("size",), in_spec=True),)
    uid = godot_uid(position, name)
    if chosen is True:
        file = f"{level.name}.gridmap.tres"
        library = ExternalResource(LIBRARY, file, godot_uid(position, file))
        content, numbers = plain_library(level, library.uid)
        scene, _ = grid_map(level, library, lambda layer: numbers.get(layer.name, {}), uid)
        model = Artifact(file, "model", content)
        return Exported((model, Artifact(name, "scene", tscn(scene))), notices)
    library, known = _team_library(chosen, game)
    # An item `Wall Corner` is also found as `wall_corner`, unless another has that name.
    items = {plain_name(item): number for item, number in known.items()} | known
    scene, missing = grid_map(level, library, lambda _: items, uid)
    if missing:
        raise ParameterError(_missing(missing, chosen, list(known)), _AT)
    return Exported((Artifact(name, "scene", tscn(scene)),), notices)


def _team_library(path: str, game: GameFiles) -> tuple[ExternalResource, dict[str, int]]:
    """Return the game's MeshLibrary at `path`, and its item numbers by name.

    Raises:
        ParameterError: The file is missing, binary, or not a MeshLibrary.
    """
    if not path.endswith(".tres"):
        raise ParameterError(
            f"{path} is a binary resource: open it in Godot's inspector, save it as .tres there "
            "(the disk, `Save As...`), and name that file",
            _AT,
        )
    try:
        content = game.read(path.removeprefix(RESOURCES))
        items = read_library(content)
        return ExternalResource(LIBRARY, path, library_uid(content)), items
    except ParameterError as error:
        raise ParameterError(error.message, _AT) from None
    except ResourceTextError as error:
        raise ParameterError(f"{path} cannot be used: {error}", _AT) from None


def _missing(missing: list[MissingPiece], path: str, known: list[str]) -> str:
    """Return the message that a MeshLibrary lacks pieces for some tiles.

    `path` is the library's; `known` has the names of its items, for suggestions.
    """
    names: dict[str, dict[str, None]] = {}
    for piece in missing:
        pieces = names.setdefault(piece.tile, {})
        # The plainest name is the last one.
        pieces.pop(piece.names[-1], None)
        pieces.update(dict.fromkeys(piece.names))
    looked_for = [f"{tile!r} (looked for: {', '.join(pieces)})" for tile, pieces in names.items()]
    meant = [close for tile in names for close in suggestions(tile, known)]
    hint = did_you_mean(meant) if meant else f"its items: {', '.join(known[:20]) or 'none'}"
    tiles = "the tile" if len(names) == 1 else "the tiles"
    return f"{path} has no item for {tiles} {', '.join(looked_for)}: add one, or rename it; {hint}"
