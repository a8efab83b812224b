"""Write glTF: a 3D model for engines, modelling programs and the web."""

from __future__ import annotations

from typing import Annotated

from exporter.formats import Artifact
from exporter.formats.gltf.model import DEFAULT_SCALE, level_model
from exporter.formats.gltf.surfaces import ModelScale
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.parameters import About, Within
from exporter.targets import Exported, SharedWork, TargetOptions, target
from exporter.targets.shared_files import (
    bitmaps,
    blob_files,
    data_files,
    height_files,
    shared_tileset,
)

_Length = Annotated[float, Within(0.01, 1000)]


@dataclass(frozen=True, kw_only=True)
class Gltf(TargetOptions):
    """glTF: a model with walls, floors, objects, collision, navigation."""

    wall_height: Annotated[_Length, About("Height of walls.", unit="metres")] = DEFAULT_SCALE.wall
    cell_size: Annotated[_Length, About("Side of a cell.", unit="metres")] = DEFAULT_SCALE.cell
    ceiling: Annotated[bool, About("Close the level above all that is no wall.")] = False


@target("gltf", Gltf, title="glTF")
def artifacts(level: Level, options: Gltf, folder: str, shared: SharedWork) -> Exported:
    """Return the files of a level: pictures, heights, model, tables and blob.

    `folder` is the target folder, relative to the project.
    """
    out = bitmaps(level, options, shared)
    if options.heightmaps:
        for layer in level.height_layers():
            out += height_files(level, layer, ("exr", "r16"), options, shared)
    scale = ModelScale(float(options.cell_size), float(options.wall_height))
    try:
        model = level_model(level, scale, options.ceiling, shared_tileset(level, 0, shared))
    except ValueError as error:
        raise ParameterError(
            f"{level.name}.glb cannot be made: {error} (write `chunk: 256` in the spec)"
        ) from None
    out.append(Artifact(f"{level.name}.glb", "model", model))
    out += data_files(level, options, shared)
    return Exported((*out, *blob_files(level, options, shared)))
