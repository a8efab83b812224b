"""Choose the tiles of Godot scenes: from a team's TileSet, or drawn ones."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from exporter.formats import Artifact
from exporter.formats.godot.diamonds import Diamonds
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
    from collections.abc import Callable

    from exporter.model.level import Level
    from exporter.targets._godot_options import Godot


@dataclass(frozen=True, slots=True)
class ChosenTiles:
    """The tiles that a level's scenes use, and the files to write for them.

    Attributes:
        tiles: The tiles of the scenes.
        options: The options for writing the scenes.
        files: The picture of all drawn tiles and their TileSet; empty for a team's TileSet, for a
            level without visible layers, and if no files were asked for.
        notices: Warnings about the team's tiles, and about `agent_radius`.
    """

    tiles: SceneTiles
    options: SceneOptions
    files: tuple[Artifact, ...]
    notices: tuple[Notice, ...]


def chosen_tiles(
    level: Level, options: Godot, position: str, shared: SharedWork, written: bool = True
) -> ChosenTiles:
    """Choose the tiles of a level's scenes: the team's if it has a TileSet.

    `position` is the target folder, relative to the project. With `written=False` no files are
    made.
    """
    team = team_tiles(
        level,
        options.tileset,
        shared.game,
        collide=options.collision == "tiles",
        diamond=options.diamond,
    )
    if team is not None:
        size = team.tiles.tile_size
        radius, inset, notices = _check_shapes(options, size, position, shared)
        chosen = options.scene_options(radius, inset, team)
        return ChosenTiles(team.tiles, chosen, (), (*team.notices, *notices))
    tileset = shared_files.shared_tileset(level, options.extrude, shared)
    radius, inset, notices = _check_shapes(options, tileset.tile_size, position, shared)
    chosen = options.scene_options(radius, inset)
    if not written:
        nowhere = ExternalResource("TileSet", "", "")
        return ChosenTiles(SheetTiles(tileset, nowhere), chosen, (), notices)
    sheet = shared_files.tileset_picture(
        level, options.extrude, shared, options.diamond, animated=options.animated
    )
    animation = shared_files.shared_animation(
        level, options.extrude, shared, animated=options.animated
    )
    animated = animation.numbers if animation else ()
    stem = f"{level.name}.tileset"
    if options.tilesets == "project":
        described = tileset_resource(tileset, "", "", "", chosen, animated)
        stem = shared_files.shared_stem(sheet.data, described)
    sheet = replace(sheet, name=f"{stem}.png")
    own = ExternalResource("TileSet", f"{stem}.tres", godot_uid(position, f"{stem}.tres"))
    files: tuple[Artifact, ...] = ()
    if level.seen_layers():
        sheet_uid = godot_uid(position, sheet.name)
        resource = tileset_resource(tileset, sheet.name, sheet_uid, own.uid, chosen, animated)
        files = (sheet, Artifact(own.path, "tileset", resource))
    return ChosenTiles(SheetTiles(tileset, own), chosen, files, notices)


def _check_shapes(
    options: Godot, tile_size: int, position: str, shared: SharedWork
) -> tuple[int, int, tuple[Notice, ...]]:
    """Return how far paths keep from walls, and occluders from open cells.

    Both are in pixels of a tile, whose side is `tile_size`; the last result is warnings about the
    first distance. `position` is the target folder.

    Raises:
        ParameterError: `occlusion_inset` is so large that single walls would cast no shadow.
    """
    units = _units(options, tile_size)
    inset = units(options.occlusion_inset)
    if inset and 2 * inset >= tile_size:
        most = max(pixels for pixels in range(tile_size) if 2 * units(pixels) < tile_size)
        raise ParameterError(
            f"occlusion_inset is {options.occlusion_inset}, and walls of a cell would cast no "
            f"shadow (write at most {most} with tiles of {tile_size} pixels)",
            ("occlusion_inset",),
        )
    if options.navigation != "merged":
        return 0, inset, ()
    written = options.agent_radius
    reaches = agent_reaches(options.scenes, position, shared)
    if written == "auto":
        widest = max(reaches.values(), default=0.0)
        if widest > 0:
            return units(math.ceil(widest) + 1), inset, ()
        # Corridors that are a cell wide stay open.
        return min(-(-tile_size * 35 // 100), (tile_size - 1) // 2), inset, ()
    wider = tuple(
        Notice(
            f"the body of {path} reaches {reach:g} pixels from its origin, farther than "
            f"`agent_radius: {written}`, so that it gets stuck at corners (write `agent_radius: "
            f"{math.ceil(reach) + 1}`, or leave it out)",
            ("agent_radius",),
        )
        for path, reach in reaches.items()
        if reach > written
    )
    return units(written), inset, wider


def _units(options: Godot, tile_size: int) -> Callable[[int], int]:
    """Return a function that converts screen pixels to pixels of a tile.

    They differ for isometric cells, whose square tiles are shown as diamonds.
    """
    if options.diamond is None:
        return lambda pixels: pixels
    return Diamonds(*options.diamond, side=tile_size).distance
