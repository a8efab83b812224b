"""Write worlds for Godot: a scene for each chunk, and one that loads them.

A world has many chunks, and Godot's editor reads every file. So each chunk has only files that are
not imported: a scene, heights as `.r16`, which the editor skips, and a blob, which it keeps
unchanged. There are no pictures, because they would be imported one by one.

The modules that make these scenes are imported inside functions, because few levels are worlds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from exporter.formats import Artifact
from exporter.formats.godot.limits import closed_text, inset_warnings, sort_warnings, tile_warnings
from exporter.formats.godot.scene import SceneSource
from exporter.formats.godot.tscn import tscn
from exporter.model.errors import LevelError, ParameterError
from exporter.model.limits import PART_SIDES
from exporter.targets import Exported, Notice, SharedWork, shared_files
from exporter.targets._files import format_file
from exporter.targets._godot_scene_tiles import chosen_tiles
from exporter.targets._object_scenes import object_scenes

if TYPE_CHECKING:
    from exporter.formats.godot.options import SceneOptions
    from exporter.model.level import Level
    from exporter.targets._godot_options import Godot

# Beyond so many pixels Godot's 32-bit numbers do not resolve sixteenths of pixels.
_STEADY_PIXELS = 1 << 20
# Beyond so many pixels they do not resolve whole pixels.
_WHOLE_PIXELS = 1 << 24
# Terrain3D 1.0 has at most so many regions in a row; each chunk is a region.
_TERRAIN3D_REGIONS = 32


def world_limits(
    level: Level, options: Godot, position: str, shared: SharedWork
) -> Iterable[str | Notice]:
    """Return warnings that a world is very large or ignores `after_export`.

    `level` is the chunk in the middle of the world; `position` is the target folder.

    Raises:
        LevelError: The world has more pixels than Godot can count.
        ParameterError: `agent_radius` is larger than what a chunk knows of its neighbours.
    """
    part = level.part
    assert part is not None
    warnings: list[str | Notice] = []
    if options.scene:
        chosen = chosen_tiles(level, options, position, shared, written=False)
        _check_radius(level, chosen.options, chosen.tiles.tile_size)
        warnings += _pixel_notices(max(part.size), chosen.tiles.tile_size)
    if options.after_export:
        message = (
            f"{options.after_export} is not called for a world, whose parts are loaded while the "
            "game runs (use the signals of the world's node)"
        )
        warnings.append(Notice(message, ("after_export",)))
    heights = [height_layer for height_layer in level.height_layers() if not height_layer.measures]
    regions = max(part.columns, part.rows)
    if options.heightmaps and heights and regions > _TERRAIN3D_REGIONS:
        most = part.chunk * _TERRAIN3D_REGIONS
        fits = next(
            part_side
            for part_side in PART_SIDES
            if part_side * _TERRAIN3D_REGIONS >= max(part.size)
        )
        message = (
            f"Terrain3D takes 32 x 32 regions, and heights in {part.columns} x {part.rows} parts "
            f"do not fit (write `chunk: {fits}`, or at most {most:,} cells a side)"
        )
        warnings.append(Notice(message, ("chunk",), in_spec=True))
    return warnings


def _pixel_notices(side: int, tile_size: int) -> list[Notice]:
    """Return a warning if Godot's positions are inexact `side` cells away.

    `tile_size` is a cell's side in pixels.

    Raises:
        LevelError: The positions are wrong by whole pixels.
    """
    pixels = side * tile_size
    counted = f"{side:,} cells of {tile_size} pixels are {pixels:,} pixels"
    if pixels > _WHOLE_PIXELS:
        raise LevelError(
            f"{counted}, but Godot's 32-bit numbers are exact only up to {_WHOLE_PIXELS:,} (write "
            f"at most {_WHOLE_PIXELS // tile_size:,} cells a side, or use smaller tiles)",
            ("size",),
        )
    if pixels <= _STEADY_PIXELS:
        return []
    message = (
        f"{counted}: beyond {_STEADY_PIXELS:,} Godot's physics and cameras jitter (write at most "
        f"{_STEADY_PIXELS // tile_size:,} cells a side, use smaller tiles, or move the world "
        "instead of the camera)"
    )
    return [Notice(message, ("size",), in_spec=True)]


def grid_map_of(level: Level, options: Godot, position: str, shared: SharedWork) -> Exported:
    """Return the files of a level's GridMap; none if `gridmap` is unset.

    `position` is the target folder, relative to the project.
    """
    if not options.gridmap:
        return Exported(())
    from exporter.targets._godot_grid_maps import grid_map_files

    return grid_map_files(level, options.gridmap, position, shared.game)


def part_artifacts(level: Level, options: Godot, position: str, shared: SharedWork) -> Exported:
    """Return the files of a world's chunk, `level`: heights, scene and blob.

    `position` is the target folder, relative to the project.
    """
    out: list[Artifact] = []
    if options.heightmaps:
        out += [
            format_file("r16", level, height_layer, options, shared)
            for height_layer in level.height_layers()
        ]
    out += shared_files.data_files(level, options, shared)
    if options.scene:
        chosen = chosen_tiles(level, options, position, shared, written=False)
        _check_radius(level, chosen.options, chosen.tiles.tile_size)
        things = object_scenes(level, options.scenes, position, shared)
        source = SceneSource(level, chosen.tiles, chosen.options, position, {}, things.scenes)
        from exporter.formats.godot.world_parts import part_scene

        out.append(Artifact(f"{level.name}.tscn", "scene", tscn(part_scene(source))))
    grid_map = grid_map_of(level, options, position, shared)
    out += grid_map.artifacts
    out += shared_files.blob_files(level, options, shared)
    return Exported(tuple(out), grid_map.warnings)


def world_artifacts(level: Level, options: Godot, position: str, shared: SharedWork) -> Exported:
    """Return a world's TileSet, and the scene that loads its chunks.

    `level` is the chunk in the middle of the world; `position` is the target folder, relative to
    the project.
    """
    if not options.scene:
        return Exported(())
    from exporter.formats.godot.world_parts import has_ways
    from exporter.formats.godot.world_scene import world_scene

    assert level.part is not None
    chosen = chosen_tiles(level, options, position, shared)
    _check_radius(level, chosen.options, chosen.tiles.tile_size)
    source = SceneSource(level, chosen.tiles, chosen.options, position, {})
    scene = Artifact(f"{level.part.world}.tscn", "scene", tscn(world_scene(source)))
    warnings: list[str | Notice] = [
        *chosen.notices,
        *tile_warnings(level, chosen.tiles, chosen.options, streamed=True, world=True),
        *sort_warnings(level, chosen.options),
        *inset_warnings(chosen.options),
    ]
    if chosen.options.agent_radius and level.walkable().any() and not has_ways(source):
        warnings.append(closed_text(chosen.options))
    return Exported((*chosen.files, scene), tuple(warnings))


def _check_radius(level: Level, options: SceneOptions, tile_size: int) -> None:
    """Check that a chunk knows enough of its neighbours for `agent_radius`.

    Paths keep this distance from all walls, also those of adjacent chunks. `tile_size` is a cell's
    side in pixels.

    Raises:
        ParameterError: `agent_radius` is too large.
    """
    part = level.part
    assert part is not None
    if not options.agent_radius:
        return
    from exporter.formats.godot.world_parts import part_window

    mask, window = part_window(level)
    known = [
        beside
        for is_there, beside in (
            (part.column > 0, window.x),
            (part.row > 0, window.y),
            (part.column + 1 < part.columns, mask.shape[1] - window.x - window.width),
            (part.row + 1 < part.rows, mask.shape[0] - window.y - window.height),
        )
        if is_there
    ]
    if known and options.agent_radius > (min(known) - 1) * tile_size:
        message = (
            f"agent_radius is {options.agent_radius} pixels, farther than a part of a world sees "
            f"into its neighbours (write at most {(min(known) - 1) * tile_size})"
        )
        raise ParameterError(message, ("agent_radius",))
