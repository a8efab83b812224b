"""Choose a scene's tiles in Godot: the team's, or our sheet and TileSet."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from exporter.formats import Artifact
from exporter.formats.godot.options import SceneOptions
from exporter.formats.godot.scene_tiles import SceneTiles, SheetTiles
from exporter.formats.godot.tileset import tileset_resource
from exporter.formats.godot.uid import godot_uid
from exporter.formats.godot.values import ExternalResource
from exporter.model.lazy_dataclass import dataclass
from exporter.targets import Notice, SharedWork, _shared
from exporter.targets._godot_tilesets import team_tiles

if TYPE_CHECKING:
    from exporter.model.level import Level
    from exporter.targets._godot_options import Godot


@dataclass(frozen=True, slots=True)
class ChosenTiles:
    """The tiles of a level's scenes.

    Attributes:
        tiles: The tiles.
        options: The options of the scenes.
        files: The files of the tiles; none of the team's, or where no tile is seen.
        notices: Warnings about the team's tiles.
    """

    tiles: SceneTiles
    options: SceneOptions
    files: tuple[Artifact, ...]
    notices: tuple[Notice, ...]


def chosen_tiles(
    level: Level, options: Godot, place: str, shared: SharedWork, written: bool = True
) -> ChosenTiles:
    """Return the tiles of a level.

    Args:
        level: The level.
        options: The target's options.
        place: The target folder, relative to the project.
        shared: The shared work of the level's targets.
        written: Whether the files of the tiles are requested, too.
    """
    team = team_tiles(level, options.tileset, shared.game, collide=options.collision == "tiles")
    chosen = options.scene_options(team)
    if team is not None:
        return ChosenTiles(team.tiles, chosen, (), tuple(team.notices))
    tileset = _shared.shared_tileset(level, options.extrude, shared)
    if not written:
        nowhere = ExternalResource("TileSet", "", "")
        return ChosenTiles(SheetTiles(tileset, nowhere), chosen, (), ())
    sheet = _shared.tileset_picture(level, options.extrude, shared)
    stem = f"{level.name}.tileset"
    if options.tilesets == "project":
        stem = _shared.shared_stem(sheet.data, tileset_resource(tileset, "", "", "", chosen))
    sheet = replace(sheet, name=f"{stem}.png")
    own = ExternalResource("TileSet", f"{stem}.tres", godot_uid(place, f"{stem}.tres"))
    files: tuple[Artifact, ...] = ()
    if level.seen_layers():
        sheet_uid = godot_uid(place, sheet.name)
        resource = tileset_resource(tileset, sheet.name, sheet_uid, own.uid, chosen)
        files = (sheet, Artifact(own.path, "tileset", resource))
    return ChosenTiles(SheetTiles(tileset, own), chosen, files, ())
