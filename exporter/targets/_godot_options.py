"""Define the options of a Godot target in exporter.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Literal

from exporter.formats.godot.options import LayerBits, SceneOptions, Shapes, Streaming
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import LayerDisplay
from exporter.model.parameters import About, Matches, Parameters, Within
from exporter.targets._godot_tilesets import GodotTeamTiles, GodotTileset
from exporter.targets._map_options import MapOptions

ScenePath = Annotated[str, Within(1, 1024, length=True)]

GridMapLibrary = Annotated[
    str,
    Matches(
        r"res://(?!/)(?!(?:.*/)?\.\.?(?:/|$))[^\\:*?\"<>|\x00-\x1f]+\.(?:tres|res|meshlib)",
        "a MeshLibrary of the game, as in res://art/kit.tres",
    ),
]

BitMask = Annotated[int, Within(0, 2**32 - 1)]


@dataclass(frozen=True, kw_only=True)
class ObjectsNode(Parameters):
    """How the node that holds the objects is drawn; its keys are a layer's."""

    y_sort: Annotated[
        bool, About("Draw objects in the order of their positions, together with sorted layers.")
    ] = False
    z_index: Annotated[
        int, Within(-4096, 4096), About("Nodes with a larger number are drawn above.")
    ] = 0
    godot: Annotated[
        dict[str, bool | int | str],
        About(
            "Further properties of the Node2D, by their names in Godot.",
            example='{modulate: "#ffffff80"}',
        ),
    ] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Godot(MapOptions):
    """Godot 4.3 and newer: a scene, its TileSet and the files they use."""

    plugin: Annotated[
        bool, About("Keep the exporter's Godot plugin in the game project up to date.")
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

    occlusion_inset: Annotated[
        int,
        Within(0, 512),
        About(
            "How far merged occluders lie inside of opaque cells, so that light falls on the rims "
            "of walls; less than half a tile.",
            unit="pixels",
        ),
    ] = 0

    navigation: Annotated[
        Shapes,
        About(
            "Where paths are found: `merged` (regions of large polygons), `tiles` (a square in "
            "each tile of the TileSet) or `none`."
        ),
    ] = "merged"

    navigation_layers: Annotated[
        Mapping[Annotated[str, Within(1, 64, length=True)], Annotated[int, Within(1, 2**32 - 1)]],
        About(
            "Merged navigation over cells that cannot be walked on, by the names of their tiles: "
            "the layers of the paths, as Godot's bit mask. `{water: 2}` is for boats, whose agents "
            "are on layer 2."
        ),
    ] = field(default_factory=dict)

    agent_radius: Annotated[
        Literal["auto"] | Annotated[int, Within(0, 1024)],
        About(
            "How far merged navigation keeps from walls. `auto`: a pixel more than the widest body "
            "of the `scenes` that have a NavigationAgent2D, else 0.35 of a tile.",
            unit="pixels",
        ),
    ] = "auto"

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
            "`name: ogre`. Properties set exported variables of the same name. In a level without "
            "objects of a name, its scene replaces all tiles of that name in `play` layers, in "
            "place of their picture."
        ),
    ] = field(default_factory=dict)

    objects: Annotated[
        ObjectsNode, About("How the node with the objects is drawn.", example="{y_sort: true}")
    ] = field(default_factory=ObjectsNode)

    after_export: Annotated[
        ScenePath | None,
        About(
            "A script of the game, `res://...gd`, whose `func after_export(root: Node) -> void` "
            "gets each level: of a scene when the game enters it, of a blob when the editor "
            "imports it. The export itself runs nothing.",
            example="res://tools/after_export.gd",
        ),
    ] = None

    collision_layer: Annotated[
        BitMask | None,
        About(
            "Physics layers of solid cells, as Godot's bit mask: 4 is layer 3, 5 is layers 1 and "
            "3. Default: those of the first physics layer of the team's TileSet, else 1."
        ),
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

    gridmap: Annotated[
        bool | GridMapLibrary,
        About(
            "Also write the level in three dimensions, as a GridMap `<level>.gridmap.tscn`: of a "
            "MeshLibrary of the game (`res://kit.tres`), or of plain boxes (`true`).",
            example="res://art/kit.tres",
        ),
    ] = False

    def check_options(self) -> None:
        MapOptions.check_options(self)
        if self.grid is not None and self.chunks == "always":
            message = "`chunks: always` cannot be used with `grid: isometric` (leave it out)"
            raise ParameterError(message, ("chunks",))
        if self.agent_radius not in ("auto", 0) and self.navigation != "merged":
            message = (
                f"agent_radius has no effect with `{self.navigation}` (write `navigation: merged`)"
            )
            raise ParameterError(message, ("agent_radius",))
        if self.navigation_layers and self.navigation != "merged":
            message = (
                f"navigation_layers has no effect with `{self.navigation}` (write `navigation: "
                "merged`)"
            )
            raise ParameterError(message, ("navigation_layers",))
        if self.occlusion_inset and self.occlusion != "merged":
            message = (
                f"occlusion_inset has no effect with `{self.occlusion}` (write `occlusion: merged`)"
            )
            raise ParameterError(message, ("occlusion_inset",))
        if self.occlusion_inset and self.chunks == "always":
            message = "occlusion_inset has no effect with `chunks: always` (write `chunks: never`)"
            raise ParameterError(message, ("occlusion_inset",))

    def scene_options(
        self, agent_radius: int, occlusion_inset: int, team: GodotTeamTiles | None = None
    ) -> SceneOptions:
        """Return these options in the form that scene writers take.

        `agent_radius` is how far paths keep from walls, `occlusion_inset` how far occluders lie
        inside opaque cells, both in pixels of a tile. Physics, navigation and light layers are
        those of the team's TileSet in `team`, if there is one.
        """
        return SceneOptions(
            collision=self.collision,
            occlusion=self.occlusion,
            navigation=self.navigation,
            navigation_layers=self.navigation_layers,
            agent_radius=agent_radius,
            occlusion_inset=occlusion_inset,
            chunks=self.chunks,
            bits=self._bits(team),
            objects=LayerDisplay(self.objects.y_sort, self.objects.z_index, self.objects.godot),
            after_export=self.after_export or "",
            diamond=self.diamond,
        )

    def _bits(self, team: GodotTeamTiles | None) -> LayerBits:
        tileset = team.tileset if team else None
        physics = tileset.physics_layers if tileset else ()
        navigation = tileset.navigation_layers if tileset else ()
        light = tileset.light_masks if tileset else ()
        layer, mask = physics[0] if physics else (1, 1)
        return LayerBits(
            collision_layer=layer if self.collision_layer is None else self.collision_layer,
            collision_mask=mask,
            navigation_layers=navigation[0] if navigation else 1,
            light_mask=light[0] if light else 1,
        )
