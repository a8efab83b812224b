"""Write Godot's files: scenes that open without a plugin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from exporter.formats import Artifact
from exporter.formats.godot.description import scene_description
from exporter.formats.godot.diamonds import Diamonds
from exporter.formats.godot.import_settings import (
    image_import,
    keep_import,
    level_import,
    picture_import,
)
from exporter.formats.godot.isometric import isometric_scene
from exporter.formats.godot.limits import (
    closed_warnings,
    inset_warnings,
    occluder_warnings,
    sort_warnings,
    tile_warnings,
)
from exporter.formats.godot.nodes import Scene
from exporter.formats.godot.overview import overview_pixels
from exporter.formats.godot.scene import SceneSource, is_streamed, level_scene, overview_step
from exporter.formats.godot.scene_tiles import TeamSceneTiles
from exporter.formats.godot.tscn import tscn
from exporter.formats.images.png import encode_png
from exporter.model.errors import ParameterError
from exporter.model.level import Level
from exporter.targets import (
    AssetKind,
    Exported,
    NewGame,
    Notice,
    Plugin,
    SharedWork,
    Start,
    shared_files,
    target,
)
from exporter.targets._godot_options import Godot
from exporter.targets._godot_scene_tiles import chosen_tiles
from exporter.targets._godot_tilesets import GodotTileset
from exporter.targets._godot_worlds import (
    grid_map_of,
    part_artifacts,
    world_artifacts,
    world_limits,
)
from exporter.targets._object_scenes import check_hook, object_scenes

# Loading a scene with more bytes takes seconds; a cell has 16.
_LARGE_SCENE = 64 << 20
# The codec of payloads that their chunk type describes.
_STORED = 0


def import_settings(
    file: Artifact, level: Level, options: Godot, position: str, shared: SharedWork
) -> list[Artifact]:
    """Return the `.import` of `file`; no file if Godot's defaults fit.

    `position` is the target folder, relative to the project.
    """
    if file.name.endswith(".exr"):
        return [image_import(file, position)]
    if file.name.endswith(".csv"):
        # Godot would import a CSV file as a table of translations.
        return [keep_import(file)]
    if file.name.endswith(".lvb"):
        if level.part is not None:
            # The addon would make a scene of each chunk's blob.
            return [keep_import(file)]
        result = object_scenes(level, options.scenes, position, shared)
        return [level_import(file, position, result.paths(level), options.after_export or "")]
    if not file.name.endswith(".png"):
        return []
    if file.kind == "heightmap":
        # Godot would read 8 of the 16 bits, without a warning.
        return [keep_import(file)]
    return [picture_import(file, position)]


@target(
    "godot",
    Godot,
    title="Godot",
    settings=import_settings,
    markers=("project.godot",),
    plugin=Plugin("godot/addons/level_exporter", "addons/level_exporter"),
    start=Start(
        folder="godot/levels",
        game_folder="generated/levels",
        nested_game_folder="levels",
        rank=0,
        # Godot need not look for assets among the specs.
        beside_specs={".gdignore": b""},
        new_game=NewGame(
            "godot",
            "open {folder}/project.godot in Godot and press F5",
            "tutorial/first-cave-in-godot.md",
        ),
        tilesets=AssetKind(".tres", b'type="TileSet"', "res://"),
        scenes=AssetKind(".tscn", b"[gd_scene", "res://"),
    ),
    tileset=GodotTileset,
    world=world_artifacts,
    world_limits=world_limits,
)
def artifacts(level: Level, options: Godot, position: str, shared: SharedWork) -> Exported:
    """Return the files of a level: pictures, heights, tables, scene and blob.

    `position` is the target folder, relative to the project.
    """
    if level.part is not None:
        return part_artifacts(level, options, position, shared)
    out: list[Artifact] = shared_files.bitmaps(level, options, shared)
    if options.heightmaps:
        for layer in level.height_layers():
            out += shared_files.height_files(level, layer, ("exr", "r16", "png"), options, shared)
    out += shared_files.data_files(level, options, shared)
    grid_map = grid_map_of(level, options, position, shared)
    out += grid_map.artifacts
    if not (options.scene or options.blob):
        return Exported(tuple(out), grid_map.warnings)
    heights = {file.layer: file.name for file in out if file.layer and file.name.endswith(".exr")}
    result = _scene_files(level, options, position, heights, shared)
    return Exported((*out, *result.artifacts), (*grid_map.warnings, *result.warnings))


def _scene_files(
    level: Level, options: Godot, position: str, height_files: Mapping[str, str], shared: SharedWork
) -> Exported:
    """Return a level's tile files, scene and blob, with warnings.

    `height_files` has the name of each height layer's EXR file, by the layer's name.
    """
    chosen = chosen_tiles(level, options, position, shared)
    tiles = chosen.tiles
    out = list(chosen.files)
    things = object_scenes(level, options.scenes, position, shared)
    things.check_resources(level, shared.game)
    check_hook(options.after_export, shared.game)
    source = SceneSource(level, tiles, chosen.options, position, height_files, things.scenes)
    streamed = is_streamed(level, tiles, chosen.options)
    if streamed and options.grid is not None:
        message = (
            "a level as large as this is written in chunks, which cannot be isometric (write "
            "`chunks: never`)"
        )
        raise ParameterError(message, ("chunks",))
    if streamed:
        pixels = overview_pixels(level, tiles, overview_step(level))
        overview = source.file("Texture2D", "chunks.overview.png")
        out.append(Artifact(overview.path, "preview", encode_png(pixels)))
    scene = level_scene(source)
    if options.diamond is not None:
        diamonds = Diamonds(*options.diamond, side=tiles.tile_size)
        scene = isometric_scene(scene, diamonds, tall_tiles=isinstance(tiles, TeamSceneTiles))
    warnings: list[str | Notice] = [
        *things.notices,
        *chosen.notices,
        *tile_warnings(level, tiles, chosen.options, streamed),
        *occluder_warnings(scene),
        *(sort_warnings(level, chosen.options) if streamed else []),
        *(inset_warnings(chosen.options) if streamed else []),
        *([] if streamed else closed_warnings(level, scene, chosen.options)),
    ]
    if options.scene:
        file = Artifact(f"{level.name}.tscn", "scene", tscn(scene))
        out.append(file)
        if len(file.data) > _LARGE_SCENE:
            warnings.append(
                f"{file.name} has {len(file.data) >> 20} MB, which Godot loads slowly: with "
                "`chunks: auto` it has the tiles near the view only"
            )
    for blob in shared_files.blob_files(level, options, shared):
        out.append(
            replace(blob, data=_with_scene(blob.data, scene, tiles.tile_size, options.diamond))
        )
    return Exported(tuple(out), tuple(warnings))


def _with_scene(
    blob: bytes, scene: Scene, tile_size: int, diamond: tuple[int, int] | None
) -> bytes:
    """Return `blob` with the scene in it, for Godot's addon to build.

    `tile_size` is a cell's side in pixels. `diamond` is width and height of isometric cells in
    pixels; None for square cells.
    """
    from exporter.blob import GODOT_SCENE, Chunk, with_chunk

    chunk = Chunk(GODOT_SCENE, _STORED, scene_description(scene, tile_size, diamond))
    return with_chunk(blob, chunk)
