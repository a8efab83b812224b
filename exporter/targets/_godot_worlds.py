"""Worlds in Godot: the scene of each part, and one that keeps the parts around the view.

A world has many parts, and the editor looks at every file. So a part has a scene, which is not
imported, and heights as `.r16`, which the editor passes over. It has no pictures, which the editor
would import one by one, and no blob unless one is asked for by its profile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.formats import Artifact
from exporter.formats.godot.limits import closed_text, tile_warnings
from exporter.formats.godot.scene import SceneSource
from exporter.formats.godot.tscn import tscn
from exporter.formats.godot.world_parts import has_ways, part_scene, part_window
from exporter.formats.godot.world_scene import world_scene
from exporter.model.errors import ParameterError
from exporter.targets import Exported, Notice, SharedWork, _shared
from exporter.targets._files import format_file
from exporter.targets._godot_scene_tiles import chosen_tiles
from exporter.targets._object_scenes import object_scenes

if TYPE_CHECKING:
    from exporter.model.level import Level
    from exporter.targets.godot import Godot


def part_artifacts(level: Level, options: Godot, place: str, shared: SharedWork) -> Exported:
    """Return the files of a part of a world: heights, the scene, and a blob if one is wanted."""
    out: list[Artifact] = []
    if options.heightmaps:
        out += [format_file("r16", level, one, options, shared) for one in level.height_layers()]
    out += _shared.data_files(level, options, shared)
    if options.scene:
        chosen = chosen_tiles(level, options, place, shared, written=False)
        _check_radius(level, options, chosen.tiles.tile_size)
        things = object_scenes(level, options.scenes, place, shared)
        source = SceneSource(level, chosen.tiles, chosen.options, place, {}, things.scenes)
        out.append(Artifact(f"{level.name}.tscn", "scene", tscn(part_scene(source))))
    if not options.scene or options.blob is not True:
        out += _shared.blob_files(level, options, shared)
    return Exported(tuple(out))


def world_artifacts(level: Level, options: Godot, place: str, shared: SharedWork) -> Exported:
    """Return the tiles of a world and the scene with its parts; all warnings are told here.

    Args:
        level: The part in the middle.
        options: The target's options.
        place: The target folder, relative to the project.
        shared: What the targets share of the part.
    """
    if not options.scene:
        return Exported(())
    assert level.part is not None
    chosen = chosen_tiles(level, options, place, shared)
    _check_radius(level, options, chosen.tiles.tile_size)
    source = SceneSource(level, chosen.tiles, chosen.options, place, {})
    scene = Artifact(f"{level.part.world}.tscn", "scene", tscn(world_scene(source)))
    warnings: list[str | Notice] = [
        *chosen.notices,
        *tile_warnings(level, chosen.tiles, chosen.options, streamed=True, world=True),
    ]
    if options.agent_radius and level.walkable().any() and not has_ways(source):
        warnings.append(closed_text(chosen.options))
    return Exported((*chosen.files, scene), tuple(warnings))


def _check_radius(level: Level, options: Godot, tile_size: int) -> None:
    """Check that ways can keep the radius from walls that lie in other parts.

    Raises:
        ParameterError: They cannot, with the option's name.
    """
    part = level.part
    assert part is not None
    if not options.agent_radius or options.navigation != "merged":
        return
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
            f"in a world, agent_radius is at most {(min(known) - 1) * tile_size} pixels, as far as "
            "a part knows the parts beside it"
        )
        raise ParameterError(message, ("agent_radius",))
