"""Unity: pictures, terrain heights and the blob, each with its `.meta`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from exporter.formats import Artifact
from exporter.formats.heights import UNITY_SIDES, fits_unity_terrain
from exporter.formats.tileset_metadata import tileset_metadata
from exporter.formats.unity_meta import LARGEST_TEXTURE, file_meta, picture_meta
from exporter.model.level import Level
from exporter.model.parameters import About
from exporter.targets import Exported, TargetOptions, Workshop, target
from exporter.targets._data import data_files
from exporter.targets._shared import bitmaps, blob, height_files, shared_tileset, tileset_picture


@dataclass(frozen=True, kw_only=True)
class Unity(TargetOptions):
    """Unity 2021.3 and newer: pictures and heights with import settings, and the blob."""

    plugin: Annotated[
        bool,
        About("Keep the exporter's Unity plugin in the game project up to date."),
    ] = False


@target("unity", Unity)
def artifacts(
    level: Level, options: Unity, place: str, workshop: Workshop | None = None
) -> Exported:
    """Return every asset behind its `.meta`: Unity gives an asset without one a random guid."""
    workshop = workshop or Workshop()
    out: list[Artifact] = []
    warnings: list[str] = []
    for picture in bitmaps(level, options, workshop):
        out += [picture_meta(picture, place, "sprite", options.block_size), picture]
        warnings += _size_warnings(level, picture, options.block_size)
    if options.heightmaps:
        for layer in level.height_layers():
            fits = fits_unity_terrain(layer)
            if not fits:
                sides = ", ".join(map(str, UNITY_SIDES))
                warnings.append(
                    f"layer {layer.name!r} has {layer.width} x {layer.height} samples: no .raw is "
                    f"written, because a Unity terrain is a square of {sides} samples"
                )
            encodings = ("png", "r16", "raw") if fits else ("png", "r16")
            for file in height_files(level, layer, encodings, workshop):
                out += [_height_meta(file, place), file]
    tileset = shared_tileset(level, options.extrude, workshop)
    if level.tile_layers():
        sheet = tileset_picture(level, options.extrude, workshop)
        out += [picture_meta(sheet, place, "sheet", tileset.tile_size), sheet]
        meaning = tileset_metadata(level, tileset, sheet.name)
        file = Artifact(f"{level.name}.tileset.json", "metadata", meaning)
        out += [file_meta(file, place), file]
    for file in (*data_files(level, options.tables, workshop), *blob(level, options, workshop)):
        out += [file_meta(file, place), file]
    return Exported(tuple(out), tuple(warnings))


def _height_meta(file: Artifact, place: str) -> Artifact:
    if file.name.endswith(".png"):
        return picture_meta(file, place, "heights", 1)
    return file_meta(file, place)


def _size_warnings(level: Level, picture: Artifact, block_size: int) -> list[str]:
    layer = level.layers[picture.layer or ""]
    side = max(layer.width, layer.height) * block_size
    if side <= LARGEST_TEXTURE:
        return []
    return [
        f"{picture.name} is {side} pixels long; Unity shrinks textures to {LARGEST_TEXTURE}: "
        f"choose a block_size of {LARGEST_TEXTURE // max(layer.width, layer.height)} or less"
    ]
