"""A level as Godot's scenes: tile layers, geometry of the one mask, markers for objects.

Scenes are generated again at every export: instance or inherit them, and keep own work there. A
large level is a main scene and a scene for each chunk, which the main scene opens near the camera.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.chunk_script import chunks_node
from exporter.formats.godot.collision import collision_node
from exporter.formats.godot.navigation import REGION_SIDE, navigation_node, navigation_pieces
from exporter.formats.godot.nodes import Node, Scene, unused_name
from exporter.formats.godot.objects import level_metadata, objects_node
from exporter.formats.godot.occlusion import occlusion_node
from exporter.formats.godot.options import SceneOptions
from exporter.formats.godot.text import node_name
from exporter.formats.godot.tile_layers import tile_layer_node
from exporter.formats.godot.uid import godot_uid
from exporter.formats.godot.values import ExternalResource, Vector2, Vector2i
from exporter.geometry.chunks import Chunk, chunks_of
from exporter.model.level import Layer, Level
from exporter.tilesets import Tileset

# Cells in a row and a column of a chunk with a scene of its own: wider than most screens, and
# opened in the time of a frame or two.
CHUNK_SIDE = 128
# Cells of all drawn layers together up to which `auto` makes one scene. TileMapLayer takes 370
# bytes a cell in Godot 4.6.
WHOLE_SCENE_CELLS = 200_000
# Cells of a level up to which a main scene with chunks has the navigation of the whole level.
WHOLE_NAVIGATION_CELLS = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class SceneSource:
    """What a level's scenes are made from.

    Attributes:
        level: The level.
        tileset: Its tileset.
        options: What the scenes are to have.
        place: The target folder, relative to the project, for the uids.
        height_files: File names of the EXR heights, by layer.
    """

    level: Level
    tileset: Tileset
    options: SceneOptions
    place: str
    height_files: Mapping[str, str]

    def file(self, kind: str, name: str) -> ExternalResource:
        """Return the reference to a file of the level, by what follows its name."""
        file = f"{self.level.name}.{name}"
        return ExternalResource(kind, file, godot_uid(self.place, file))


def in_chunks(level: Level, options: SceneOptions) -> bool:
    """Return whether the parts of a level are scenes of their own."""
    layers = len(level.seen_layers())
    if options.chunks == "auto":
        return level.width * level.height * layers > WHOLE_SCENE_CELLS
    return options.chunks == "always" and layers > 0


def level_scene(source: SceneSource) -> Scene:
    """Return the main scene: all of the level, or what opens its chunks."""
    level, options = source.level, source.options
    contents = _Contents.of(source)
    chunked = in_chunks(level, options)
    children: list[Node] = []
    if chunked:
        children.append(
            chunks_node(
                contents.names["chunks"],
                side=CHUNK_SIDE,
                grid=(-(-level.width // CHUNK_SIDE), -(-level.height // CHUNK_SIDE)),
                tile_size=source.tileset.tile_size,
                tile_set=source.file("TileSet", "tileset.tres"),
                overview=source.file("Texture2D", "overview.png"),
                overview_step=overview_step(level),
                files=chunk_file(level, "%d", "%d"),
            )
        )
    else:
        children += contents.part(Chunk(0, 0, level.width, level.height))
    if contents.navigates and not (chunked and _navigation_in_chunks(level)):
        pieces = navigation_pieces(
            contents.walkable, REGION_SIDE, options.agent_radius, contents.tile_size
        )
        node = navigation_node(
            pieces, contents.names["navigation"], contents.tile_size, REGION_SIDE
        )
        children += [node] if node else []
    if level.objects:
        children.append(objects_node(level, contents.names["objects"], contents.tile_size))
    root = Node(
        node_name(level.name),
        "Node2D",
        metadata=level_metadata(level, source.height_files),
        children=tuple(children),
    )
    return Scene(root, godot_uid(source.place, f"{level.name}.tscn"))


def chunk_scenes(source: SceneSource) -> Iterator[tuple[str, Scene]]:
    """Return the file name and the scene of every chunk, row after row."""
    level, options = source.level, source.options
    contents = _Contents.of(source)
    shape = (level.height, level.width)
    pieces = None
    if contents.navigates and _navigation_in_chunks(level):
        pieces = navigation_pieces(
            contents.walkable, CHUNK_SIDE, options.agent_radius, contents.tile_size
        )
    for part in chunks_of(shape, CHUNK_SIDE):
        children = contents.part(part)
        if pieces is not None:
            node = navigation_node(
                [next(pieces)],
                contents.names["navigation"],
                contents.tile_size,
                CHUNK_SIDE,
                (part.x, part.y),
            )
            children += [node] if node else []
        column, row = part.x // CHUNK_SIDE, part.y // CHUNK_SIDE
        place = Vector2(part.x * contents.tile_size, part.y * contents.tile_size)
        root = Node(
            f"chunk_{column}_{row}",
            "Node2D",
            {"position": place},
            {"cell": Vector2i(part.x, part.y), "size": Vector2i(part.width, part.height)},
            children=tuple(children),
        )
        file = chunk_file(level, column, row)
        yield file, Scene(root, godot_uid(source.place, file))


def chunk_file(level: Level, column: int | str, row: int | str) -> str:
    """Return the file name of a chunk's scene."""
    return f"{level.name}.chunk_{column}_{row}.tscn"


def overview_step(level: Level) -> int:
    """Return how many cells in a row are one pixel of the overview."""
    return -(-max(level.width, level.height) // 2048)


def _navigation_in_chunks(level: Level) -> bool:
    return level.width * level.height > WHOLE_NAVIGATION_CELLS


@dataclass(frozen=True, slots=True, eq=False)
class _Contents:
    """What parts of a level are cut from: tile numbers, masks, and names of nodes."""

    source: SceneSource
    layers: tuple[tuple[str, Layer, NDArray[np.int32]], ...]
    names: Mapping[str, str]
    walkable: NDArray[np.bool_]
    opaque: NDArray[np.bool_]

    @classmethod
    def of(cls, source: SceneSource) -> _Contents:
        """Return the contents of a level."""
        taken: set[str] = set()
        layers = tuple(
            (unused_name(node_name(layer.name), taken), layer, source.tileset.numbers(layer))
            for layer in source.level.seen_layers()
        )
        own = ("objects", "chunks", "collision", "occlusion", "navigation")
        names = {name: unused_name(name, taken) for name in own}
        return cls(source, layers, names, source.level.walkable(), source.level.opaque())

    @property
    def tile_size(self) -> int:
        """Side of a cell in pixels."""
        return self.source.tileset.tile_size

    @property
    def played(self) -> bool:
        """Whether there is a layer to play on; without one nothing is solid."""
        return bool(self.source.level.play_layers())

    @property
    def navigates(self) -> bool:
        """Whether there are regions of merged navigation."""
        return self.played and self.source.options.navigation == "merged"

    def part(self, part: Chunk) -> list[Node]:
        """Return the nodes of a part of the level, whose upper left corner is at (0, 0)."""
        options = self.source.options
        area = (slice(part.y, part.y + part.height), slice(part.x, part.x + part.width))
        tile_set = self.source.file("TileSet", "tileset.tres")
        columns = self.source.tileset.columns
        nodes: list[Node | None] = [
            tile_layer_node(name, layer, numbers[area], columns, self.tile_size, tile_set, options)
            for name, layer, numbers in self.layers
        ]
        if self.played and options.collision == "merged":
            name = self.names["collision"]
            nodes.append(collision_node(self.walkable[area], name, self.tile_size))
        if self.played and options.occlusion == "merged":
            name = self.names["occlusion"]
            nodes.append(occlusion_node(self.opaque[area], name, self.tile_size))
        return [node for node in nodes if node is not None]
