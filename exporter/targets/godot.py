"""Godot: files that the engine opens without a plugin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from exporter.formats import Artifact
from exporter.formats.godot.import_settings import image_import, keep_import, picture_import
from exporter.formats.godot.scene import scene
from exporter.formats.godot.tileset import tileset_resource
from exporter.formats.godot.uid import godot_uid
from exporter.model.level import Level
from exporter.model.parameters import About
from exporter.targets import Exported, Plugin, SharedWork, Start, TargetOptions, _shared, target

# Bytes of a scene above which loading it takes seconds: 16 for each cell.
_LARGE_SCENE = 64 << 20


@dataclass(frozen=True, kw_only=True)
class Godot(TargetOptions):
    """Godot 4.3 and newer: a scene, its TileSet and the files they use."""

    plugin: Annotated[
        bool,
        About("Keep the exporter's Godot plugin in the game project up to date."),
    ] = False

    scene: Annotated[
        bool, About("Write the scene and its TileSet. Without them the addon reads the blob.")
    ] = True


def import_settings(
    file: Artifact, level: Level, options: Godot, place: str, shared: SharedWork
) -> list[Artifact]:
    """Return the `.import` of a file Godot would otherwise import in another way."""
    if file.name.endswith(".exr"):
        return [image_import(file, place)]
    if file.name.endswith(".csv"):
        # Godot would take it for a table of translations.
        return [keep_import(file)]
    if not file.name.endswith(".png"):
        return []
    if file.kind == "heightmap":
        # Godot would read 8 of the 16 bits, without a warning.
        return [keep_import(file)]
    return [picture_import(file, place)]


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
    ),
)
def artifacts(level: Level, options: Godot, place: str, shared: SharedWork) -> Exported:
    """Return pictures and heights, then TileSet, scene and blob."""
    out: list[Artifact] = _shared.bitmaps(level, options, shared)
    if options.heightmaps:
        for layer in level.height_layers():
            out += _shared.height_files(level, layer, ("exr", "r16", "png"), options, shared)
    out += _shared.data_files(level, options, shared)
    warnings: list[str] = []
    if options.scene:
        heights = {
            file.layer: file.name for file in out if file.layer and file.name.endswith(".exr")
        }
        out += _scene(level, options, place, heights, shared)
        if len(out[-1].data) > _LARGE_SCENE:
            warnings.append(
                f"{out[-1].name} has {len(out[-1].data) >> 20} MB, which Godot loads slowly: with "
                "`scene: false` the addon reads the level from its .lvb instead"
            )
    return Exported((*out, *_shared.blob_files(level, options, shared)), tuple(warnings))


def _scene(
    level: Level,
    options: Godot,
    place: str,
    height_files: Mapping[str, str],
    shared: SharedWork,
) -> list[Artifact]:
    """Return the sheet and the TileSet, where there are tiles, and last the scene."""
    out: list[Artifact] = []
    tileset = _shared.shared_tileset(level, options.extrude, shared)
    tileset_file = f"{level.name}.tileset.tres"
    tileset_uid = godot_uid(place, tileset_file)
    if level.tile_layers():
        sheet = _shared.tileset_picture(level, options.extrude, shared)
        sheet_uid = godot_uid(place, sheet.name)
        resource = tileset_resource(tileset, sheet.name, sheet_uid, tileset_uid)
        out += [sheet, Artifact(tileset_file, "tileset", resource)]
    scene_file = f"{level.name}.tscn"
    text = scene(
        level,
        tileset,
        uid=godot_uid(place, scene_file),
        tileset_file=tileset_file,
        tileset_uid=tileset_uid,
        height_files=height_files,
    )
    return [*out, Artifact(scene_file, "scene", text)]
