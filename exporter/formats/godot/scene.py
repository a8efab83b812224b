"""Write a level as Godot's scenes: tile layers, geometry, objects.

Every export overwrites the scenes; games instance or inherit them, and keep their own work there.
In a large level a script makes the nodes while the game runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.merged_nodes import (
    REGION_SIDE,
    collision_node,
    navigation_node,
    occlusion_node,
)
from exporter.formats.godot.nodes import Node, Scene
from exporter.formats.godot.object_scenes import ObjectScene
from exporter.formats.godot.objects import level_metadata, objects_node
from exporter.formats.godot.options import SceneOptions, Shapes
from exporter.formats.godot.scene_tiles import SceneTiles
from exporter.formats.godot.scripts import HOOK, hook_script
from exporter.formats.godot.streaming import (
    chunk_data,
    region_data,
    solid_data,
    streaming_node,
)
from exporter.formats.godot.text import node_name
from exporter.formats.godot.tile_cells import cells_with, navigation_areas, tiles_as_scenes
from exporter.formats.godot.tile_layers import tile_layer_node
from exporter.formats.godot.uid import godot_uid
from exporter.formats.godot.values import ExternalResource, SubResource, Value
from exporter.geometry.chunks import MapChunk
from exporter.geometry.pieces import Pieces, convex_pieces_by_chunk
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level
from exporter.model.texts import unused_name
from exporter.tilesets import PictureGrid

# Cells of all drawn layers together up to which `auto` makes one scene. TileMapLayer takes 370
# bytes a cell in Godot 4.6.
WHOLE_SCENE_CELLS = 200_000
# Pixels in a row or a column of the overview, at most.
OVERVIEW_SIDE = 2048


@dataclass(frozen=True, slots=True, eq=False)
class SceneSource:
    """What the scenes of a level are made from.

    Attributes:
        level: The level.
        tiles: The tiles of the level's cells.
        options: The options of the scenes.
        folder: The target folder, relative to the project; uids derive from it.
        height_files: Names of the EXR files of height layers, by layer name.
        object_scenes: The game's scenes, by the names of objects and tiles.
    """

    level: Level
    tiles: SceneTiles
    options: SceneOptions
    folder: str
    height_files: Mapping[str, str]
    object_scenes: Mapping[str, ObjectScene] = field(default_factory=dict)

    def file(self, kind: str, name: str) -> ExternalResource:
        """Return a reference to the file `<level>.<name>`.

        `kind` is the class of the resource in Godot.
        """
        file = f"{self.level.name}.{name}"
        return ExternalResource(kind, file, godot_uid(self.folder, file))


def is_streamed(level: Level, tiles: SceneTiles, options: SceneOptions) -> bool:
    """Return whether only nodes near the view exist while the game runs.

    A script then makes them. `options.chunks` decides this (`always`, `never`); with `auto` it is
    so if the level is too large to have all nodes in its scene.
    """
    layers = level.seen_layers()
    if options.chunks == "auto":
        cells = level.width * level.height * len(layers)
        if cells <= WHOLE_SCENE_CELLS:
            cells += sum(_pictures_beside_cells(layer, tiles) for layer in layers)
        return cells > WHOLE_SCENE_CELLS
    return options.chunks == "always" and bool(layers)


def _pictures_beside_cells(layer: Layer, tiles: SceneTiles) -> int:
    if not tiles.has_grids(layer):
        return 0
    drawings = [drawing for drawing in tiles.drawings(layer) if drawing.tile]
    return sum(int(np.count_nonzero(drawing.numbers >= 0)) for drawing in drawings)


def level_scene(source: SceneSource) -> Scene:
    """Return the Godot scene of the level in `source`.

    Raises:
        LevelError: An object's property does not fit its scene's variable of that name.
    """
    level = source.level
    contents = SceneContents.of(source)
    streamed = is_streamed(level, source.tiles, source.options)
    children = [contents.streaming()] if streamed else contents.nodes()
    children += contents.tile_regions()
    children += contents.objects()
    # Children sort together with those of their siblings if the node above sorts, too.
    sorts = source.options.objects.y_sort or any(
        layer.display.y_sort for layer in level.seen_layers()
    )
    root = Node(
        node_name(level.name),
        "Node2D",
        {
            **({"y_sort_enabled": True} if sorts and not streamed else {}),
            **_hook(source.options.after_export),
        },
        metadata=level_metadata(level, source.height_files, contents.names.get("objects", "")),
        children=tuple(children),
    )
    return Scene(root, godot_uid(source.folder, f"{level.name}.tscn"))


def _hook(script: str) -> dict[str, Value]:
    """Return the properties that make the root run a script of the game.

    `script` is its path; the result is empty without one.
    """
    if not script:
        return {}
    return {
        "script": SubResource("GDScript", {"script/source": hook_script()}),
        HOOK: ExternalResource("Script", script, ""),
    }


def overview_step(level: Level) -> int:
    """Return how many cells wide a pixel of the overview picture is."""
    return -(-max(level.width, level.height) // OVERVIEW_SIDE)


@dataclass(frozen=True, slots=True, eq=False)
class SceneContents:
    """What a level's nodes are made from.

    Attributes:
        source: The level, and its scenes' options.
        layers: Each grid of tiles to draw, bottom to top: the node's name, the layer, the tile
            numbers.
        layer_names: The name of each layer's node, by the layer's name.
        names: The names of the other nodes, by what they contain, such as `collision`.
        walkable: bool [height, width], the cells that can be walked on.
        opaque: bool [height, width], the cells that block light.
    """

    source: SceneSource
    layers: tuple[tuple[str, Layer, PictureGrid], ...]
    layer_names: Mapping[str, str]
    names: Mapping[str, str]
    walkable: NDArray[np.bool_]
    opaque: NDArray[np.bool_]

    @classmethod
    def of(cls, source: SceneSource) -> SceneContents:
        """Collect what the nodes of the level in `source` are made from."""
        used: set[str] = set()
        seen = source.level.seen_layers()
        named = {layer.name: unused_name(node_name(layer.name), used) for layer in seen}
        own = ("objects", "chunks", "collision", "occlusion", "navigation")
        names = {name: unused_name(name, used) for name in own}

        scene_names = tiles_as_scenes(source.level, source.object_scenes)
        hidden = cells_with(source.level, scene_names)

        def drawings(layer: Layer) -> Iterator[PictureGrid]:
            """Yield the grids of `layer`, without tiles that become scene instances."""
            for drawing in source.tiles.drawings(layer):
                if layer.name not in hidden:
                    yield drawing
                elif not drawing.tile:
                    seen = np.where(hidden[layer.name], -1, drawing.numbers)
                    yield replace(drawing, numbers=seen)
                elif drawing.tile not in scene_names:
                    yield drawing

        def name_of(layer: Layer, drawing: PictureGrid) -> str:
            name = named[layer.name]
            if not drawing.tile:
                return name
            return unused_name(f"{name}_{node_name(drawing.tile)}", used)

        layers = tuple(
            (name_of(layer, drawing), layer, drawing)
            for layer in seen
            for drawing in drawings(layer)
        )
        return cls(source, layers, named, names, source.level.walkable(), source.level.opaque())

    @property
    def tile_size(self) -> int:
        """Side of a cell in pixels."""
        return self.source.tiles.tile_size

    def merged(self, shapes: Shapes) -> bool:
        """Return whether one kind of shapes is made by merging cells.

        `shapes` is the option for that kind. Without play layers no cell is known to be walkable,
        so nothing is merged.
        """
        return shapes == "merged" and bool(self.source.level.play_layers())

    def pieces(self) -> Iterator[tuple[MapChunk, Pieces]]:
        """Return the walkable area as convex pieces, in blocks of the map.

        Each block becomes a navigation region.
        """
        radius = self.source.options.agent_radius
        return convex_pieces_by_chunk(self.walkable, REGION_SIDE, radius, self.tile_size)

    def nodes(self) -> list[Node]:
        """Return the nodes of tiles and geometry, if all are in the scene.

        In a streamed level, which is too large for this, a script makes them instead.
        """
        options = self.source.options
        nodes: list[Node | None] = [
            self.tile_layer(name, layer, drawing) for name, layer, drawing in self.layers
        ]
        if self.merged(options.collision):
            name = self.names["collision"]
            nodes.append(collision_node(self.walkable, name, self.tile_size, options.bits))
        if self.merged(options.occlusion):
            name = self.names["occlusion"]
            nodes.append(
                occlusion_node(
                    self.opaque, name, self.tile_size, options.bits, options.occlusion_inset
                )
            )
        if self.merged(options.navigation):
            name = self.names["navigation"]
            nodes.append(navigation_node(self.pieces(), name, self.tile_size, options.bits))
        return [node for node in nodes if node is not None]

    def tile_regions(self) -> list[Node]:
        """Return navigation regions over tiles that have own navigation layers.

        Also in a streamed level they cover the whole map.
        """
        level, options = self.source.level, self.source.options
        if not self.merged(options.navigation):
            return []
        used = {*self.names.values(), *(name for name, _, _ in self.layers)}
        nodes = []
        areas = navigation_areas(level, options.navigation_layers, self.walkable)
        for mask, cells in areas.items():
            pieces = convex_pieces_by_chunk(
                cells, REGION_SIDE, options.agent_radius, self.tile_size
            )
            name = unused_name(f"navigation_{mask}", used)
            bits = replace(options.bits, navigation_layers=mask)
            nodes.append(navigation_node(pieces, name, self.tile_size, bits))
        return [node for node in nodes if node is not None]

    def objects(self) -> list[Node]:
        """Return a list of the node with objects and scenes that replace tiles.

        It is empty if the level has neither.
        """
        source = self.source
        if not source.level.objects and not tiles_as_scenes(source.level, source.object_scenes):
            return []
        scenes, display = source.object_scenes, source.options.objects
        return [objects_node(source.level, self.names["objects"], self.tile_size, scenes, display)]

    def streaming(self) -> Node:
        """Return the node whose script makes a large level's nodes at run time."""
        source, options = self.source, self.source.options
        none = np.full((1, 1), -1, np.int32)
        return streaming_node(
            self.names["chunks"],
            shape=self.walkable.shape,
            tiles=source.tiles,
            layers=[
                self.tile_layer(name, layer, replace(drawing, numbers=none))
                for name, layer, drawing in self.layers
            ],
            chunks=chunk_data(
                [drawing.numbers for _, _, drawing in self.layers],
                self.opaque if self.merged(options.occlusion) else None,
            ),
            solids=solid_data(self.walkable) if self.merged(options.collision) else (),
            regions=(
                region_data(self.pieces(), self.tile_size)
                if self.merged(options.navigation)
                else ()
            ),
            bits=options.bits,
            overview=source.file("Texture2D", "chunks.overview.png"),
            overview_step=overview_step(source.level),
        )

    def tile_layer(self, name: str, layer: Layer, drawing: PictureGrid) -> Node:
        """Return the node `name` that draws `drawing`, a grid of `layer`."""
        return tile_layer_node(
            name,
            layer,
            drawing,
            self.source.tiles,
            self.source.options,
        )
