"""Write a project for the LDtk editor, and its Super Simple Export.

The Super Simple Export is a folder of pictures and CSV for each level. LDtk fixes the names of the
files in it, so the folder has the level's name.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from exporter.formats import Artifact
from exporter.formats.images.png import encode_png
from exporter.formats.ldtk.project import project_json
from exporter.formats.ldtk.simple_export import composite, data_json, grid_csv, layer_picture
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.parameters import About, Within
from exporter.targets import Exported, SharedWork, Start, TargetOptions, target
from exporter.targets.shared_files import (
    blob_files,
    data_files,
    height_files,
    shared_tileset,
    tileset_picture,
)

Form = Literal["project", "simple"]

# Readers of this format cannot use longer pictures.
_LARGEST_SIDE = 16384
# Levels with more cells get pictures only on request: 512 x 512 take 15 seconds and 38 MB.
_MOST_DRAWN_UNASKED = 1 << 16
# A project holds at most so many tiles: 70 MB.
_MOST_TILES = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Ldtk(TargetOptions):
    """LDtk: a project with IntGrid layers, entities and a simple export."""

    forms: Annotated[
        tuple[Form, ...] | None,
        Within(1, 2, length=True),
        About(
            "The outputs: a project that LDtk opens (`project`), its Super Simple Export, a "
            "folder of pictures, CSV grids and a JSON file (`simple`), or both. If unset, both, "
            "but without the pictures of levels with more than 65,536 cells."
        ),
    ] = None
    tiles: Annotated[
        bool,
        About(
            "Write the pictures of all cells into the project, too, about 60 bytes a cell, for "
            "readers that draw what a project holds."
        ),
    ] = False


@target(
    "ldtk",
    Ldtk,
    title="LDtk",
    start=Start(
        "ldtk",
        "ldtk",
        signs=("*.ldtk",),
        note="LDtk opens the exported `.ldtk` projects; changes made in LDtk do not "
        "come back to the levels",
    ),
)
def artifacts(level: Level, options: Ldtk, folder: str, shared: SharedWork) -> Exported:
    """Return the files of a level: project, simple export, heights, blob.

    `folder` is the target folder, relative to the project.
    """
    out: list[Artifact] = []
    warnings: list[str] = []
    forms = options.forms or ("project", "simple")
    if "simple" in forms:
        out += _grids(level)
        pictures, warning = _pictures(level, options, shared)
        drawn = [picture.layer for picture in pictures if picture.layer is not None]
        out += pictures
        warnings += warning
    if options.heightmaps:
        for layer in level.height_layers():
            out += height_files(level, layer, ("png", "r16"), options, shared)
    if "simple" in forms:
        document = data_json(level, shared_tileset(level, 0, shared).tile_size, folder, drawn)
        out.append(Artifact(f"{level.name}/data.json", "tilemap", document))
    if "project" in forms:
        files, warning = _project(level, options, folder, shared)
        out += files
        warnings += warning
    out += data_files(level, options, shared)
    return Exported((*out, *blob_files(level, options, shared)), tuple(warnings))


def _grids(level: Level) -> list[Artifact]:
    """Return the grid of each layer as CSV: its tile ids plus one.

    Layers of the role `picture` have no grid in LDtk.
    """
    return [
        Artifact(f"{level.name}/{layer.name}.csv", "tilemap", grid_csv(layer), layer.name)
        for layer in level.tile_layers()
        if layer.role != "picture"
    ]


def _pictures(level: Level, options: Ldtk, shared: SharedWork) -> tuple[list[Artifact], list[str]]:
    """Return the pictures that `data.json` names, and warnings.

    There is a picture of each visible layer, and one of all together. If the level is too large,
    there is a warning instead; if the options ask for no pictures, there is neither.
    """
    seen = level.seen_layers()
    if not (options.bitmaps and seen):
        return [], []
    if options.forms is None and level.width * level.height > _MOST_DRAWN_UNASKED:
        return [], [
            f"{level.width} x {level.height} cells are drawn when asked for: only grids are "
            "written (write `forms: [project, simple]` for pictures, too, or `forms: [project]` "
            "for the project alone)"
        ]
    tileset = shared_tileset(level, 0, shared)
    size = tileset.tile_size
    if max(level.width, level.height) * size > _LARGEST_SIDE:
        return [], [
            f"{level.width} x {level.height} cells of {size} pixels are too large "
            f"for one picture of at most {_LARGEST_SIDE} pixels: only grids are written"
        ]
    pictures = [layer_picture(tileset, layer) for layer in seen]
    encoded = [encode_png(picture, period=size) for picture in pictures]
    out = [
        Artifact(f"{level.name}/{layer.name}.png", "bitmap", picture, layer.name)
        for layer, picture in zip(seen, encoded, strict=True)
    ]
    merged = composite(pictures)
    # A single layer without holes is the whole; encoding takes longer than comparing.
    same = len(pictures) == 1 and np.array_equal(merged, pictures[0])
    whole = encoded[0] if same else encode_png(merged, period=size)
    return [*out, Artifact(f"{level.name}/_composite.png", "preview", whole)], []


def _project(
    level: Level, options: Ldtk, position: str, shared: SharedWork
) -> tuple[list[Artifact], list[str]]:
    """Return the picture of the tileset, the project file, and warnings.

    `position` is the target folder, relative to the project.
    """
    tileset = shared_tileset(level, options.extrude, shared)
    sheet = tileset_picture(level, options.extrude, shared)
    tiles, warnings = options.tiles, []
    if tiles and len(level.seen_layers()) * level.width * level.height > _MOST_TILES:
        tiles = False
        warnings.append(
            f"{level.name}.ldtk has no pictures of cells: {len(level.seen_layers())} layers of "
            f"{level.width} x {level.height} cells are more than {_MOST_TILES} (a `tiled` target "
            "with `encoding: zlib` holds them)"
        )
    text = project_json(level, tileset, sheet.name, position, tiles)
    project = Artifact(f"{level.name}.ldtk", "tilemap", text)
    return ([sheet, project] if level.tile_layers() else [project]), warnings
