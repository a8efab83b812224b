"""Write Defold's files: a tile map, its tile source, objects as Lua."""

from __future__ import annotations

from posixpath import normpath
from typing import Annotated

from exporter.formats import Artifact
from exporter.formats.defold.tiles import blocking_numbers, collision_picture, tile_map, tile_source
from exporter.formats.images.png import encode_png
from exporter.formats.tiled.lua import lua_program
from exporter.formats.tiled.map import level_properties
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.parameters import About, Matches
from exporter.targets import Exported, SharedWork, Start, TargetOptions, target
from exporter.targets.shared_files import (
    bitmaps,
    blob_files,
    data_files,
    height_files,
    shared_tileset,
    tileset_picture,
)

_RESOURCES = r"/|(?:/(?!\.\.?(?:/|$))[^/\\:*?\"<>|\x00-\x1f]+)+"


@dataclass(frozen=True, kw_only=True)
class Defold(TargetOptions):
    """Defold: a tile map, its tile source, and a Lua module with the objects."""

    resources: Annotated[
        Annotated[str, Matches(_RESOURCES, "a folder from the top of the Defold project")] | None,
        About(
            "The target's folder as Defold names it, from the folder with `game.project`; default: "
            "its path, as where `game.project` and exporter.yaml are in one folder.",
            example="/levels",
        ),
    ] = None


@target("defold", Defold, title="Defold", start=Start("defold", "defold", signs=("game.project",)))
def artifacts(level: Level, options: Defold, folder: str, shared: SharedWork) -> Exported:
    """Return the files of a level: pictures, heights, tile map, objects, blob.

    `folder` is the target folder, relative to the project.
    """
    out = bitmaps(level, options, shared)
    if options.heightmaps:
        for layer in level.height_layers():
            out += height_files(level, layer, ("png", "r16"), options, shared)
    if level.seen_layers():
        out += _map(level, options, _folder(level, options, folder), shared)
    size = shared_tileset(level, options.extrude, shared).tile_size
    out.append(
        Artifact(f"{level.name}_objects.lua", "metadata", lua_program(_level_facts(level, size)))
    )
    out += data_files(level, options, shared)
    return Exported((*out, *blob_files(level, options, shared)))


def _folder(level: Level, options: Defold, position: str) -> str:
    """Return the level's folder as Defold names it, from `/` to a final `/`.

    `position` is the target folder, relative to the project; the option `resources` overrides it.

    Raises:
        ParameterError: The folder is outside the Defold project.
    """
    if options.resources is None:
        if position.startswith("../"):
            raise ParameterError(
                f"{position!r} is outside the Defold project, so its name in Defold is unknown "
                "(write `resources`, such as /levels)",
                ("resources",),
            )
        return f"{normpath(f'/{position}').rstrip('/')}/"
    folder = f"{options.resources.rstrip('/')}/"
    return folder if level.part is None else f"{folder}{level.part.folder}/"


def _map(level: Level, options: Defold, folder: str, shared: SharedWork) -> list[Artifact]:
    tileset = shared_tileset(level, options.extrude, shared)
    sheet = tileset_picture(level, options.extrude, shared)
    solid = blocking_numbers(level, tileset)
    collision = f"{level.name}.collision.png"
    source = f"{level.name}.tilesource"
    described = tile_source(tileset, folder + sheet.name, folder + collision, solid)
    layers = [(layer.name, tileset.whole_numbers(layer)) for layer in level.seen_layers()]
    return [
        sheet,
        Artifact(collision, "tileset", encode_png(collision_picture(tileset, solid))),
        Artifact(source, "tileset", described),
        Artifact(f"{level.name}.tilemap", "tilemap", tile_map(folder + source, layers)),
    ]


def _level_facts(level: Level, size: int) -> dict[str, object]:
    """Return a level's size, properties and objects, as data for Lua scripts.

    An object's x and y are the centre of its cell in pixels, y upwards; `size` is a tile's side.
    """
    return {
        "width": level.width,
        "height": level.height,
        "tile_size": size,
        "properties": level_properties(level),
        "objects": [
            {
                "id": thing.id,
                "name": thing.name,
                "x": (thing.x + 0.5) * size,
                "y": (level.height - thing.y - 0.5) * size,
                "properties": thing.properties,
            }
            for thing in level.objects
        ],
    }
