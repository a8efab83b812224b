"""Godot: files that the engine opens without a plugin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from exporter.formats import Artifact
from exporter.formats.godot.description import scene_description
from exporter.formats.godot.import_settings import (
    image_import,
    keep_import,
    level_import,
    picture_import,
)
from exporter.formats.godot.limits import closed_warnings, occluder_warnings, tile_warnings
from exporter.formats.godot.nodes import Scene
from exporter.formats.godot.options import LayerBits, SceneOptions, Shapes, Streaming
from exporter.formats.godot.overview import overview_pixels
from exporter.formats.godot.scene import SceneSource, is_streamed, level_scene, overview_step
from exporter.formats.godot.tscn import tscn
from exporter.formats.images.png import encode_png
from exporter.model.errors import ParameterError
from exporter.model.level import Level
from exporter.model.parameters import About, Within
from exporter.targets import (
    Exported,
    Notice,
    Plugin,
    SharedWork,
    Start,
    TargetOptions,
    _shared,
    target,
)
from exporter.targets._godot_scene_tiles import chosen_tiles
from exporter.targets._godot_tilesets import GodotTileset, TeamTiles
from exporter.targets._godot_worlds import part_artifacts, world_artifacts
from exporter.targets._object_scenes import object_scenes

ScenePath = Annotated[str, Within(1, 1024, length=True)]

# Bytes of a scene above which loading it takes seconds: 16 for each cell.
_LARGE_SCENE = 64 << 20
# The codec of payloads whose chunk type says what they are.
_STORED = 0
BitMask = Annotated[int, Within(0, 2**32 - 1)]


@dataclass(frozen=True, kw_only=True)
class Godot(TargetOptions):
    """Godot 4.3 and newer: a scene, its TileSet and the files they use."""

    plugin: Annotated[
        bool,
        About("Keep the exporter's Godot plugin in the game project up to date."),
    ] = False

    scene: Annotated[
        bool,
        About(
            "Write the scene as `.tscn`. Without it the scene is in the blob alone, which the "
            "addon imports."
        ),
    ] = True

    collision: Annotated[
        Shapes,
        About(
            "Where collision comes from: `merged` (boxes, solid at every cell that cannot be "
            "walked on), `tiles` (a square in each tile of the TileSet) or `none`."
        ),
    ] = "merged"

    occlusion: Annotated[
        Shapes,
        About(
            "Where shadows come from: `merged` (the outlines of all opaque cells together), "
            "`tiles` (a square in each tile of the TileSet) or `none`."
        ),
    ] = "merged"

    navigation: Annotated[
        Shapes,
        About(
            "Where paths are found: `merged` (regions of large polygons), `tiles` (a square in "
            "each tile of the TileSet) or `none`."
        ),
    ] = "merged"

    agent_radius: Annotated[
        int,
        Within(0, 1024),
        About("How far merged navigation keeps from walls.", unit="pixels"),
    ] = 0

    chunks: Annotated[
        Streaming,
        About(
            "Whether tiles and occluders are added in chunks near the camera while the game runs: "
            "`auto` (if all drawn layers together have more than 200,000 cells), `always` or "
            "`never`."
        ),
    ] = "auto"

    scenes: Annotated[
        Mapping[Annotated[str, Within(1, 129, length=True)], ScenePath],
        About(
            "Scenes that stand for objects, by the objects' names: `{chest: "
            "res://things/chest.tscn}`. `monster/ogre` are objects `monster` with the property "
            "`name: ogre`. Properties set exported variables of the same name."
        ),
    ] = field(default_factory=dict)

    collision_layer: Annotated[
        BitMask | None,
        About(
            "Physics layers of what is solid, as Godot's bit mask: 4 is layer 3, 5 is layers 1 and "
            "3. Default: those of the first physics layer of the team's TileSet, else 1."
        ),
    ] = None

    collision_mask: Annotated[
        BitMask | None, About("Physics layers that what is solid looks at, likewise.")
    ] = None

    tilesets: Annotated[
        Literal["level", "project"],
        About(
            "Whose the TileSets are that the exporter writes: one for each level (`level`), or one "
            "for all levels whose tiles look and mean the same (`project`)."
        ),
    ] = "level"

    tileset: Annotated[
        GodotTileset | None,
        About(
            "A TileSet that the team keeps in the game; default: each level's own, written by the "
            "exporter.",
            example="{file: res://art/dungeon.tres}",
        ),
    ] = None

    def check_options(self) -> None:
        """Check that `agent_radius` has something to act on.

        Raises:
            ParameterError: With the path of the option at fault.
        """
        if self.agent_radius and self.navigation != "merged":
            message = f"agent_radius needs `navigation: merged`, not `{self.navigation}`"
            raise ParameterError(message, ("agent_radius",))

    def scene_options(self, team: TeamTiles | None = None) -> SceneOptions:
        """Return what concerns the scenes; a TileSet of the team's has layers of its own."""
        return SceneOptions(
            collision=self.collision,
            occlusion=self.occlusion,
            navigation=self.navigation,
            agent_radius=self.agent_radius,
            chunks=self.chunks,
            bits=self._bits(team),
        )

    def _bits(self, team: TeamTiles | None) -> LayerBits:
        tileset = team.tileset if team else None
        physics = tileset.physics_layers if tileset else ()
        navigation = tileset.navigation_layers if tileset else ()
        light = tileset.light_masks if tileset else ()
        layer, mask = physics[0] if physics else (1, 1)
        return LayerBits(
            collision_layer=layer if self.collision_layer is None else self.collision_layer,
            collision_mask=mask if self.collision_mask is None else self.collision_mask,
            navigation_layers=navigation[0] if navigation else 1,
            light_mask=light[0] if light else 1,
        )


def import_settings(
    file: Artifact, level: Level, options: Godot, place: str, shared: SharedWork
) -> list[Artifact]:
    """Return the `.import` of a file Godot would otherwise import in another way."""
    if file.name.endswith(".exr"):
        return [image_import(file, place)]
    if file.name.endswith(".csv"):
        # Godot would take it for a table of translations.
        return [keep_import(file)]
    if file.name.endswith(".lvb"):
        if level.part is not None:
            # The addon would make a scene of each.
            return [keep_import(file)]
        found = object_scenes(level, options.scenes, place, shared)
        return [level_import(file, place, found.paths)]
    if not file.name.endswith(".png"):
        return []
    if file.kind == "heightmap":
        # Godot would read 8 of the 16 bits, without a warning.
        return [keep_import(file)]
    return [picture_import(file, place)]


@target(
    "godot",
    Godot,
    title="Godot",
    settings=import_settings,
    markers=("project.godot",),
    plugin=Plugin("godot/addons/level_exporter", "addons/level_exporter"),
    start=Start(
        folder="godot/levels",
        game_folder="generated/levels",
        nested_game_folder="levels",
        rank=0,
        # Godot need not look for assets among the specs.
        beside_specs={".gdignore": b""},
    ),
    tileset=GodotTileset,
    world=world_artifacts,
)
def artifacts(level: Level, options: Godot, place: str, shared: SharedWork) -> Exported:
    """Return pictures, heights and data, then TileSet, scene and blob."""
    if level.part is not None:
        return part_artifacts(level, options, place, shared)
    out: list[Artifact] = _shared.bitmaps(level, options, shared)
    if options.heightmaps:
        for layer in level.height_layers():
            out += _shared.height_files(level, layer, ("exr", "r16", "png"), options, shared)
    out += _shared.data_files(level, options, shared)
    if not (options.scene or options.blob):
        return Exported(tuple(out))
    heights = {file.layer: file.name for file in out if file.layer and file.name.endswith(".exr")}
    made = _scene_files(level, options, place, heights, shared)
    return Exported((*out, *made.artifacts), made.warnings)


def _scene_files(
    level: Level,
    options: Godot,
    place: str,
    height_files: Mapping[str, str],
    shared: SharedWork,
) -> Exported:
    """Return the sheet and the TileSet, where tiles are drawn, then the scene, last the blob."""
    chosen = chosen_tiles(level, options, place, shared)
    tiles = chosen.tiles
    out = list(chosen.files)
    things = object_scenes(level, options.scenes, place, shared)
    source = SceneSource(level, tiles, chosen.options, place, height_files, things.scenes)
    streamed = is_streamed(level, tiles, chosen.options)
    if streamed:
        pixels = overview_pixels(level, tiles, overview_step(level))
        overview = source.file("Texture2D", "chunks.overview.png")
        out.append(Artifact(overview.path, "preview", encode_png(pixels)))
    scene = level_scene(source)
    warnings: list[str | Notice] = [
        *things.notices,
        *chosen.notices,
        *tile_warnings(level, tiles, chosen.options, streamed),
        *occluder_warnings(scene),
        *([] if streamed else closed_warnings(level, scene, chosen.options)),
    ]
    if options.scene:
        file = Artifact(f"{level.name}.tscn", "scene", tscn(scene))
        out.append(file)
        if len(file.data) > _LARGE_SCENE:
            warnings.append(
                f"{file.name} has {len(file.data) >> 20} MB, which Godot loads slowly: with "
                "`chunks: auto` it has the tiles near the view only"
            )
    for blob in _shared.blob_files(level, options, shared):
        out.append(replace(blob, data=_with_scene(blob.data, scene, tiles.tile_size)))
    return Exported(tuple(out), tuple(warnings))


def _with_scene(blob: bytes, scene: Scene, tile_size: int) -> bytes:
    """Return a blob with the scene that the addon makes of it."""
    from exporter.blob import GODOT_SCENE, Chunk, with_chunk

    chunk = Chunk(GODOT_SCENE, _STORED, scene_description(scene, tile_size))
    return with_chunk(blob, chunk)
