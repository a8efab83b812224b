"""Choose a scene's tiles in Godot: the team's, or our sheet and TileSet."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from exporter.formats import Artifact
from exporter.formats.godot.options import SceneOptions
from exporter.formats.godot.scene_tiles import SceneTiles, SheetTiles
from exporter.formats.godot.tileset import tileset_resource
from exporter.formats.godot.uid import godot_uid
from exporter.formats.godot.values import ExternalResource
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.targets import Notice, SharedWork, shared_files
from exporter.targets._godot_tilesets import team_tiles
from exporter.targets._object_scenes import agent_reaches

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
    level: Level, options: Godot, position: str, shared: SharedWork, written: bool = True
) -> ChosenTiles:
    """Return the tiles of a level.

    Args:
        level: The level.
        options: The target's options.
        position: The target folder, relative to the project.
        shared: The shared work of the level's targets.
        written: Whether the files of the tiles are requested, too.
    """
    team = team_tiles(level, options.tileset, shared.game, collide=options.collision == "tiles")
    if team is not None:
        radius, notices = _check_shapes(options, team.tiles.tile_size, position, shared)
        chosen = options.scene_options(radius, team)
        return ChosenTiles(team.tiles, chosen, (), (*team.notices, *notices))
    tileset = shared_files.shared_tileset(level, options.extrude, shared)
    radius, notices = _check_shapes(options, tileset.tile_size, position, shared)
    chosen = options.scene_options(radius)
    if not written:
        nowhere = ExternalResource("TileSet", "", "")
        return ChosenTiles(SheetTiles(tileset, nowhere), chosen, (), notices)
    sheet = shared_files.tileset_picture(level, options.extrude, shared)
    stem = f"{level.name}.tileset"
    if options.tilesets == "project":
        stem = shared_files.shared_stem(sheet.data, tileset_resource(tileset, "", "", "", chosen))
    sheet = replace(sheet, name=f"{stem}.png")
    own = ExternalResource("TileSet", f"{stem}.tres", godot_uid(position, f"{stem}.tres"))
    files: tuple[Artifact, ...] = ()
    if level.seen_layers():
        sheet_uid = godot_uid(position, sheet.name)
        resource = tileset_resource(tileset, sheet.name, sheet_uid, own.uid, chosen)
        files = (sheet, Artifact(own.path, "tileset", resource))
    return ChosenTiles(SheetTiles(tileset, own), chosen, files, notices)


def _check_shapes(
    options: Godot, tile_size: int, position: str, shared: SharedWork
) -> tuple[int, tuple[Notice, ...]]:
    """Return the distance of paths from walls in pixels, and wider scenes.

    Raises:
        ParameterError: Occluders would vanish in tiles as small as these.
    """
    if options.occlusion_inset and 2 * options.occlusion_inset >= tile_size:
        raise ParameterError(
            f"occlusion_inset is {options.occlusion_inset}, and walls of a cell would cast no "
            f"shadow (write at most {(tile_size - 1) // 2} with tiles of {tile_size} pixels)",
            ("occlusion_inset",),
        )
    if options.navigation != "merged":
        return 0, ()
    written = options.agent_radius
    reaches = agent_reaches(options.scenes, position, shared)
    if written == "auto":
        widest = max(reaches.values(), default=0.0)
        if widest > 0:
            return math.ceil(widest) + 1, ()
        # Corridors that are a cell wide stay open.
        return min(-(-tile_size * 35 // 100), (tile_size - 1) // 2), ()
    return written, tuple(
        Notice(
            f"the body of {path} reaches {reach:g} pixels from its origin, farther than "
            f"`agent_radius: {written}`, so that it gets stuck at corners (write `agent_radius: "
            f"{math.ceil(reach) + 1}`, or leave it out)",
            ("agent_radius",),
        )
        for path, reach in reaches.items()
        if reach > written
    )
