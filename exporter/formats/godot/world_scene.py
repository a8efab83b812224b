"""Write the scene of a world, which loads the chunks near the player.

The scene has no tiles, only empty layers; each chunk gets copies of them. The editor shows the
border of the world; chunks are loaded when the game runs.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from exporter.formats.godot.nodes import Node, Scene
from exporter.formats.godot.objects import level_metadata
from exporter.formats.godot.scene import SceneContents, SceneSource
from exporter.formats.godot.scripts import world_script
from exporter.formats.godot.text import node_name
from exporter.formats.godot.tile_layers import tile_layer_node
from exporter.formats.godot.uid import godot_uid
from exporter.formats.godot.values import PackedByteArray, SubResource, Value, Vector2i
from exporter.formats.godot.world_parts import BODY_SIDE, CHUNK_SIDE, LAYERS, PICTURES
from exporter.model.world_part import SightRule
from exporter.tilesets import PictureGrid

# The name of the node with the script.
_NODE = "world"


def world_scene(source: SceneSource) -> Scene:
    """Return the Godot scene of a whole world.

    `source` has any chunk of the world as its level, and the folder of the world's own files.
    """
    level = source.level
    part = level.part
    assert part is not None
    contents = SceneContents.of(source)
    tiles, bits = source.tiles, source.options.bits
    properties: dict[str, Value] = {
        "script": SubResource("GDScript", {"script/source": world_script()}),
        "parts": f"{part.folder}/{part.world}",
        "size": Vector2i(*part.size),
        "part_side": part.chunk,
        "chunk_side": CHUNK_SIDE,
        "body_side": BODY_SIDE,
        "tile_size": tiles.tile_size,
        "tile_places": PackedByteArray(tiles.places().astype("<u2").tobytes()),
        **_sight(part.sight),
        **bits.body(),
        **bits.region(),
        **bits.occluder(),
    }
    children = (
        _border(part.size, tiles.tile_size),
        Node("overviews", "Node2D"),
        Node("tiles", "Node2D"),
        Node("parts", "Node2D"),
        *_models(contents),
    )
    root = Node(
        node_name(part.world),
        "Node2D",
        metadata={
            **level_metadata(replace(level, name=part.world), {}),
            "size": Vector2i(*part.size),
        },
        children=(Node(_NODE, "Node2D", properties, children=children),),
    )
    return Scene(root, godot_uid(source.folder, f"{part.world}.tscn"))


def _sight(rule: SightRule | None) -> dict[str, Value]:
    """Return the properties that give the script the world's rule of sight.

    Empty without a rule.
    """
    if rule is None:
        return {}
    return {"sight_rule": rule.algorithm, "sight_radius": rule.radius, "see_walls": rule.see_walls}


def _border(size: tuple[int, int], tile_size: int) -> Node:
    width, height = size[0] * tile_size, size[1] * tile_size
    look: dict[str, Value] = {
        "offset_right": float(width),
        "offset_bottom": float(height),
        "mouse_filter": 2,
        "border_width": float(max(width, height)) / 500,
    }
    return Node("border", "ReferenceRect", look)


def _models(contents: SceneContents) -> tuple[Node, Node]:
    """Return the nodes whose children, empty layers, each chunk copies.

    The first has layers for cells, the second for extra grids above or below the cells.
    """
    source = contents.source
    none = np.full((1, 1), -1, np.int32)
    cells: list[Node] = []
    pictures: list[Node] = []
    for layer in source.level.seen_layers():
        name = contents.layer_names[layer.name]
        for children, drawing in (
            (cells, PictureGrid("", none)),
            (pictures, PictureGrid(name, none)),
        ):
            model = tile_layer_node(name, layer, drawing, source.tiles, source.options)
            metadata = {item: value for item, value in model.metadata.items() if item != "tile"}
            children.append(replace(model, metadata=metadata))
    hidden: dict[str, Value] = {"visible": False}
    return (
        Node(LAYERS, "Node2D", hidden, children=tuple(cells)),
        Node(PICTURES, "Node2D", hidden, children=tuple(pictures)),
    )
