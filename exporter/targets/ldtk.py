"""LDtk's Super Simple Export: for small engines and tools that read pictures and CSV.

The format fixes the names inside a level's folder, so here the folder bears the level's name.
"""

from __future__ import annotations

from dataclasses import dataclass

from exporter.formats import Artifact
from exporter.formats.images.png import encode_png
from exporter.formats.ldtk.simple_export import composite, data_json, grid_csv, layer_picture
from exporter.model.level import Level
from exporter.targets import Exported, SharedWork, Start, TargetOptions, target
from exporter.targets._shared import blob_files, data_files, height_files, shared_tileset

# A picture longer than this is of no use to the readers of this format.
_LARGEST_SIDE = 16384


@dataclass(frozen=True, kw_only=True)
class Ldtk(TargetOptions):
    """LDtk's Super Simple Export: a folder of pictures, CSV grids and a JSON file."""


@target(
    "ldtk",
    Ldtk,
    title="LDtk",
    start=Start(
        "ldtk",
        "ldtk",
        signs=("*.ldtk",),
        note="LDtk itself cannot open exported levels: the target `ldtk` is its Super Simple "
        "Export, for programs that read that",
    ),
)
def artifacts(level: Level, options: Ldtk, place: str, shared: SharedWork) -> Exported:
    """Return grids and pictures of the tile layers, then `data.json`, which names the pictures.

    As in LDtk's own exports, what is only seen has no grid, and what is only data no picture.
    """
    out: list[Artifact] = []
    warnings: list[str] = []
    tileset = shared_tileset(level, 0, shared)
    folder = level.name
    seen = level.seen_layers()
    for layer in level.tile_layers():
        if layer.role == "picture":
            continue
        out.append(Artifact(f"{folder}/{layer.name}.csv", "tilemap", grid_csv(layer), layer.name))
    if options.bitmaps and seen:
        if max(level.width, level.height) * tileset.tile_size > _LARGEST_SIDE:
            warnings.append(
                f"{level.width} x {level.height} cells of {tileset.tile_size} pixels are too large "
                f"for one picture of at most {_LARGEST_SIDE} pixels: only grids are written"
            )
        else:
            pictures = [layer_picture(tileset, layer) for layer in seen]
            for layer, picture in zip(seen, pictures, strict=True):
                name = f"{folder}/{layer.name}.png"
                out.append(
                    Artifact(
                        name, "bitmap", encode_png(picture, period=tileset.tile_size), layer.name
                    )
                )
            whole = encode_png(composite(pictures), period=tileset.tile_size)
            out.append(Artifact(f"{folder}/_composite.png", "preview", whole))
    if options.heightmaps:
        for layer in level.height_layers():
            out += height_files(level, layer, ("png", "r16"), options, shared)
    document = data_json(level, tileset.tile_size, place)
    out.append(Artifact(f"{folder}/data.json", "tilemap", document))
    out += data_files(level, options, shared)
    return Exported((*out, *blob_files(level, options, shared)), tuple(warnings))
