"""Tiled: maps for its editor, and for everything else that reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from exporter.formats import Artifact
from exporter.formats.tmj import Encoding, map_json, tileset_json
from exporter.level import Level
from exporter.parameters import About
from exporter.targets import Exported, TargetOptions, target
from exporter.targets._shared import bitmaps, blob, height_files, tileset_picture
from exporter.tilesets import builtin_tileset


@dataclass(frozen=True, kw_only=True)
class Tiled(TargetOptions):
    """Tiled: a JSON map with its tileset, which many other tools read too."""

    encoding: Annotated[
        Encoding, About("How cells are written: `csv` (numbers) or `zlib` (compressed).")
    ] = "csv"


@target("tiled", Tiled)
def artifacts(level: Level, options: Tiled, place: str) -> Exported:
    """Return pictures and heights, then the tileset, the map and the blob."""
    out: list[Artifact] = bitmaps(level, options)
    if options.heightmaps:
        for layer in level.height_layers():
            out += height_files(level, layer, ("png", "r16"))
    tileset = builtin_tileset(level)
    tileset_file = f"{level.name}.tileset.tsj"
    if level.tile_layers():
        sheet = tileset_picture(level, tileset)
        text = tileset_json(f"{level.name}.tileset", tileset, sheet.name)
        out += [sheet, Artifact(tileset_file, "tileset", text)]
    document = map_json(level, tileset, tileset_file, encoding=options.encoding)
    out.append(Artifact(f"{level.name}.tmj", "tilemap", document))
    return Exported((*out, *blob(level, options)))
