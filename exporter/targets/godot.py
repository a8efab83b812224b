"""Godot: files that the engine opens without a plugin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from exporter.formats import Artifact
from exporter.formats.godot_import import image_import, keep_import, picture_import
from exporter.formats.identity import godot_uid
from exporter.formats.tres import tileset_resource
from exporter.formats.tscn import scene
from exporter.model.level import Level
from exporter.model.parameters import About
from exporter.targets import Exported, TargetOptions, Workshop, target
from exporter.targets._data import data_files
from exporter.targets._shared import bitmaps, blob, height_files, shared_tileset, tileset_picture

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
        bool, About("Write the scene and its TileSet; without them the addon reads the blob.")
    ] = True


@target("godot", Godot)
def artifacts(
    level: Level, options: Godot, place: str, workshop: Workshop | None = None
) -> Exported:
    """Return pictures and heights with their import settings, then TileSet, scene and blob."""
    workshop = workshop or Workshop()
    out: list[Artifact] = []
    for picture in bitmaps(level, options, workshop):
        out += [picture_import(picture, place), picture]
    if options.heightmaps:
        for layer in level.height_layers():
            for file in height_files(level, layer, ("exr", "r16", "png"), workshop):
                out += [*_height_settings(file, place), file]
    for file in data_files(level, options.tables, workshop):
        # Godot would take a .csv for a table of translations.
        out += [keep_import(file), file] if file.name.endswith(".csv") else [file]
    warnings: list[str] = []
    if options.scene:
        heights = {
            file.layer: file.name for file in out if file.layer and file.name.endswith(".exr")
        }
        out += _scene(level, options, place, heights, workshop)
        if len(out[-1].data) > _LARGE_SCENE:
            warnings.append(
                f"{out[-1].name} has {len(out[-1].data) >> 20} MB, which Godot loads slowly: with "
                "`scene: false` the addon reads the level from its .lvb instead"
            )
    return Exported((*out, *blob(level, options, workshop)), tuple(warnings))


def _scene(
    level: Level,
    options: Godot,
    place: str,
    height_files: Mapping[str, str],
    workshop: Workshop,
) -> list[Artifact]:
    """Return the sheet and the TileSet, where there are tiles, and last the scene."""
    out: list[Artifact] = []
    tileset = shared_tileset(level, options.extrude, workshop)
    tileset_file = f"{level.name}.tileset.tres"
    tileset_uid = godot_uid(place, tileset_file)
    if level.tile_layers():
        sheet = tileset_picture(level, options.extrude, workshop)
        sheet_uid = godot_uid(place, sheet.name)
        resource = tileset_resource(tileset, sheet.name, sheet_uid, tileset_uid)
        out += [picture_import(sheet, place), sheet, Artifact(tileset_file, "tileset", resource)]
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


def _height_settings(file: Artifact, place: str) -> list[Artifact]:
    """Return the import settings of a height file; only pictures need any."""
    if file.name.endswith(".exr"):
        return [image_import(file, place)]
    if file.name.endswith(".png"):
        # Godot would read 8 of the 16 bits, without a warning.
        return [keep_import(file)]
    return []
