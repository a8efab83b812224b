"""Godot: files that the engine opens without a plugin."""

from __future__ import annotations

from dataclasses import dataclass

from exporter.formats import Artifact
from exporter.formats.godot_import import image_import, keep_import, picture_import
from exporter.formats.identity import godot_uid
from exporter.formats.tres import tileset_resource
from exporter.formats.tscn import scene
from exporter.level import Level
from exporter.targets import Exported, TargetOptions, target
from exporter.targets._data import data_files
from exporter.targets._shared import bitmaps, blob, height_files, tileset_picture
from exporter.tilesets import level_tileset


@dataclass(frozen=True, kw_only=True)
class Godot(TargetOptions):
    """Godot 4.3 and newer: a scene, its TileSet and the files they use."""


@target("godot", Godot)
def artifacts(level: Level, options: Godot, place: str) -> Exported:
    """Return pictures and heights with their import settings, then TileSet, scene and blob."""
    out: list[Artifact] = []
    for picture in bitmaps(level, options):
        out += [picture_import(picture, place), picture]
    if options.heightmaps:
        for layer in level.height_layers():
            for file in height_files(level, layer, ("exr", "r16", "png")):
                out += [*_height_settings(file, place), file]
    tileset = level_tileset(level, options.extrude)
    tileset_file = f"{level.name}.tileset.tres"
    tileset_uid = godot_uid(place, tileset_file)
    if level.tile_layers():
        sheet = tileset_picture(level, tileset)
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
        height_files={
            file.layer: file.name for file in out if file.layer and file.name.endswith(".exr")
        },
    )
    for file in data_files(level, options.tables):
        # Godot would take a .csv for a table of translations.
        out += [keep_import(file), file] if file.name.endswith(".csv") else [file]
    out.append(Artifact(scene_file, "scene", text))
    return Exported((*out, *blob(level, options)))


def _height_settings(file: Artifact, place: str) -> list[Artifact]:
    """Return the import settings of a height file; only pictures need any."""
    if file.name.endswith(".exr"):
        return [image_import(file, place)]
    if file.name.endswith(".png"):
        # Godot would read 8 of the 16 bits, without a warning.
        return [keep_import(file)]
    return []
