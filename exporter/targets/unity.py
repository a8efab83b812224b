"""Write Unity's files: pictures, heights, blob, each with its `.meta`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Annotated

from exporter.formats import Artifact
from exporter.formats.heights.samples import UNITY_SIDES, unity_side
from exporter.formats.unity.game_assets import AssetPath
from exporter.formats.unity.meta import file_meta, picture_meta
from exporter.formats.unity.tileset_metadata import Collision, scenes_metadata, tileset_metadata
from exporter.formats.worlds.description import world_description
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.limits import PART_SIDES
from exporter.model.parameters import About
from exporter.model.windows import parts_in
from exporter.targets import (
    AssetKind,
    Exported,
    Notice,
    Plugin,
    SharedWork,
    Start,
    block_sides,
    shared_files,
    target,
)
from exporter.targets._map_options import MapOptions
from exporter.targets._unity_tilesets import UnityTileset, level_assets

# The default of `WorldImporter.mostTerrains`: all terrains are in memory at once.
MOST_TERRAINS = 256


@dataclass(frozen=True, kw_only=True)
class Unity(MapOptions):
    """Unity 2021.3 and newer: pictures and heights with settings, and blob."""

    collision: Annotated[
        Collision,
        About(
            "Colliders that the package makes: `merged`, outlines of all cells that cannot be "
            "walked on, stored in the prefab; `tiles`, a tilemap collider for each layer, which "
            "Unity merges when a scene is loaded; or `none`."
        ),
    ] = "merged"
    tileset: Annotated[
        UnityTileset | None,
        About(
            "Tile assets of the game, which the package shows in tilemaps.",
            example="{tiles: {wall: Assets/Tiles/Wall.asset}}",
        ),
    ] = None
    scenes: Annotated[
        Mapping[str, AssetPath],
        About(
            "Prefabs by object name, which the package puts at the objects' places; "
            "`monster/ogre` are objects `monster` with the property `name: ogre`. Properties set "
            "fields of the same name.",
            also=("prefabs",),
            example="{chest: Assets/Prefabs/Chest.prefab}",
        ),
    ] = field(default_factory=dict)
    plugin: Annotated[
        bool, About("Keep the exporter's Unity plugin in the game project up to date.")
    ] = False


def import_settings(
    file: Artifact, level: Level, options: Unity, position: str, shared: SharedWork
) -> list[Artifact]:
    """Return the `.meta` of `file`; without one Unity assigns a random guid.

    `position` is the target folder, relative to the project.
    """
    if not file.name.endswith(".png"):
        return [file_meta(file, position)]
    if file.kind == "heightmap":
        return [picture_meta(file, position, "heights", 1)]
    if file.kind == "tileset":
        tile_size = shared_files.shared_tileset(level, options.extrude, shared).tile_size
        across = tile_size if options.diamond is None else options.diamond[0]
        return [picture_meta(file, position, "sheet", across)]
    # Unity has one scale for both directions: a cell is one unit wide, and as high as its block
    # is in proportion.
    pixels_across, _ = block_sides(options.block_size)
    return [picture_meta(file, position, "sprite", pixels_across)]


def world(level: Level, options: Unity, position: str, shared: SharedWork) -> Exported:
    """Return the file `.lvworld`, which lists a world's chunks for Unity.

    `level` is any chunk of the world.
    """
    assert level.part is not None
    data = world_description(level).data
    return Exported((Artifact(f"{level.part.world}.lvworld", "metadata", data),))


def world_limits(
    level: Level, options: Unity, position: str, shared: SharedWork
) -> Iterable[str | Notice]:
    """Return a warning if a world has more height chunks than Unity holds.

    `level` is the chunk in the middle of the world.
    """
    part = level.part
    assert part is not None
    heights = [height_layer for height_layer in level.height_layers() if not height_layer.measures]
    count = part.columns * part.rows
    if not (options.heightmaps and heights) or count <= MOST_TERRAINS:
        return []
    fits = [side for side in PART_SIDES if parts_in(part.size, side) <= MOST_TERRAINS]
    way_out = f"write `chunk: {fits[0]}`" if fits else "make the world smaller"
    message = (
        f"heights of {count:,} parts are more terrains than the package makes of a world, "
        f"{MOST_TERRAINS} ({way_out}, or raise *Most Terrains* in the import settings; a loader of "
        "parts needs none)"
    )
    return [Notice(message, ("chunk",), in_spec=True)]


@target(
    "unity",
    Unity,
    title="Unity",
    settings=import_settings,
    markers=("Assets", "ProjectSettings"),
    plugin=Plugin("unity/com.levelexporter.unity", "Packages/com.levelexporter.unity"),
    start=Start(
        folder="unity/Assets/Levels",
        game_folder="Assets/Levels",
        rank=1,
        scenes=AssetKind(".prefab", b"%YAML"),
    ),
    tileset=UnityTileset,
    world=world,
    world_limits=world_limits,
)
def artifacts(level: Level, options: Unity, position: str, shared: SharedWork) -> Exported:
    """Return the files of a level: pictures, heights, tile sheet and blob.

    `position` is the target folder, relative to the project.
    """
    out: list[Artifact] = shared_files.bitmaps(level, options, shared)
    warnings: list[str | Notice] = []
    heights, notes = _heights(level, options, shared)
    out += heights
    warnings += notes
    result = level_assets(level, options.tileset, options.scenes, shared.game)
    assets = result.assets
    warnings += result.notices
    description = f"{level.name}.tileset.json"
    if level.tile_layers():
        tileset = shared_files.shared_tileset(level, options.extrude, shared)
        sheet = shared_files.tileset_picture(
            level, options.extrude, shared, options.diamond, x_up=True, animated=options.animated
        )
        animation = shared_files.shared_animation(
            level, options.extrude, shared, animated=options.animated
        )
        meaning = tileset_metadata(
            level, tileset, sheet.name, options.collision, assets, options.diamond, animation
        )
        out += [sheet, Artifact(description, "metadata", meaning)]
    elif assets.prefabs:
        meaning = scenes_metadata(level, options.collision, assets)
        out.append(Artifact(description, "metadata", meaning))
    if options.blob and options.collision == "tiles":
        warnings += _collision_warnings(level)
    out += [
        *shared_files.data_files(level, options, shared),
        *shared_files.blob_files(level, options, shared),
    ]
    return Exported(tuple(out), tuple(warnings))


def _heights(level: Level, options: Unity, shared: SharedWork) -> tuple[list[Artifact], list[str]]:
    """Return the files of height layers, and warnings about unfit sizes.

    A terrain in Unity is a square whose side is one of a few numbers.
    """
    out: list[Artifact] = []
    warnings: list[str] = []
    for layer in level.height_layers() if options.heightmaps else ():
        fits = unity_side(level, layer) is not None
        encodings: tuple[str, ...] = ("png", "r16", "raw") if fits else ("png", "r16")
        # Measurement layers, such as steps or light, are not made into terrains.
        if level.part is not None:
            encodings = ("raw",) if fits and not layer.measures else ("r16",)
        elif not fits and not layer.measures and "raw" not in options.formats:
            sides = ", ".join(map(str, UNITY_SIDES))
            warnings.append(
                f"layer {layer.name!r} has {layer.width} x {layer.height} samples: no .raw is "
                f"written, because a Unity terrain is a square of {sides} samples"
            )
        out += shared_files.height_files(level, layer, encodings, options, shared)
    return out, warnings


def _collision_warnings(level: Level) -> list[str]:
    """Return a warning if unwalkable cells have no tile that blocks.

    With `collision: tiles`, such cells have no collider.
    """
    closed = ~level.walkable()
    for layer in level.play_layers():
        solid = [tile.blocking for tile in layer.tiles]
        closed &= ~layer.lookup(solid)
    count = int(closed.sum())
    if not count or not level.play_layers():
        return []
    return [
        f"{count} {'cell is' if count == 1 else 'cells are'} not walkable, but no tile blocks the "
        "way: write `collision: merged` to have colliders there, too"
    ]
