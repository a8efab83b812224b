"""glTF: a model in three dimensions for engines, modelling programs and the web."""

from __future__ import annotations

from typing import Annotated

from exporter.formats import Artifact
from exporter.formats.gltf.model import level_model
from exporter.formats.gltf.surfaces import Scale
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.parameters import About, Within
from exporter.targets import Exported, SharedWork, TargetOptions, target
from exporter.targets._shared import bitmaps, blob_files, data_files, height_files, shared_tileset

_LONGEST_SIDE = 8192


@dataclass(frozen=True, kw_only=True)
class Gltf(TargetOptions):
    """glTF: a model in three dimensions with walls, floors, objects, collision and navigation."""

    wall_height: Annotated[float, Within(0.01, 1000), About("Height of walls.", unit="metres")] = (
        3.0
    )
    cell_size: Annotated[float, Within(0.01, 1000), About("Side of a cell.", unit="metres")] = 1.0
    ceiling: Annotated[bool, About("Close the level above all that is no wall.")] = False


@target("gltf", Gltf, title="glTF")
def artifacts(level: Level, options: Gltf, place: str, shared: SharedWork) -> Exported:
    """Return pictures and heights, the model, tables and puzzles, and the blob."""
    out = bitmaps(level, options, shared)
    if options.heightmaps:
        for layer in level.height_layers():
            out += height_files(level, layer, ("exr", "r16"), options, shared)
    if max(level.width, level.height) > _LONGEST_SIDE:
        raise ParameterError(
            f"{level.name}.glb cannot hold a level with more than {_LONGEST_SIDE} cells a side "
            "(write `chunk: 256` in its spec)"
        )
    tileset = shared_tileset(level, 0, shared)
    scale = Scale(float(options.cell_size), float(options.wall_height))
    model = level_model(level, tileset, scale, options.ceiling)
    out.append(Artifact(f"{level.name}.glb", "model", model))
    out += data_files(level, options, shared)
    return Exported((*out, *blob_files(level, options, shared)))
