"""Convert a Godot scene of square cells to isometric diamonds.

Godot lays out the cells of tile layers itself. This module converts the rest of a scene: positions,
and corners of shapes. Boxes become convex polygons; equal boxes share one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.diamonds import Diamonds
from exporter.formats.godot.nodes import Node, Scene
from exporter.formats.godot.values import PackedVector2Array, SubResource, Value, Vector2

# The corners of a shape, by the property of the node and that of the resource.
_CORNERS = {
    "LightOccluder2D": ("occluder", "polygon"),
    "NavigationRegion2D": ("navigation_polygon", "vertices"),
}


def isometric_scene(scene: Scene, diamonds: Diamonds, *, tall_tiles: bool) -> Scene:
    """Return an isometric version of `scene`, which has square cells.

    `diamonds` converts positions. Objects are drawn in the order of their positions. With
    `tall_tiles`, tiles may overlap the cells behind, so tiles are sorted, too.
    """
    # Layers that are sorted together with the nodes beside them stay as the level wants them.
    tall = tall_tiles and "y_sort_enabled" not in scene.root.properties
    return replace(scene, root=_Layout(diamonds, tall).node(scene.root))


class _Layout:
    """Converts the nodes of one scene; equal boxes become one polygon."""

    def __init__(self, diamonds: Diamonds, tall_tiles: bool) -> None:
        self.diamonds = diamonds
        self.tall_tiles = tall_tiles
        self._boxes: dict[int, SubResource] = {}

    def node(self, node: Node) -> Node:
        properties = dict(node.properties)
        children = tuple(map(self.node, node.children))
        position = properties.get("position")
        if node.type == "TileMapLayer":
            if isinstance(position, Vector2):
                properties["position"] = _vector(self.diamonds.offsets(_array(position)))
            if self.tall_tiles:
                properties = {"y_sort_enabled": True, **properties}
        elif isinstance(position, Vector2):
            properties["position"] = _vector(self.diamonds.points(_array(position)))
        if node.type == "CollisionShape2D":
            properties["shape"] = self._polygon(properties["shape"])
        elif node.type in _CORNERS:
            name, corners = _CORNERS[node.type]
            properties[name] = self._laid_out(properties[name], corners)
        elif any(child.instance or child.type == "Marker2D" for child in children):
            properties = {"y_sort_enabled": True, **properties}
        return replace(node, properties=properties, children=children)

    def _polygon(self, box: Value) -> SubResource:
        """Return the convex polygon that replaces `box`, a RectangleShape2D.

        Both are around the origin.
        """
        assert isinstance(box, SubResource)
        if id(box) not in self._boxes:
            size = box.properties["size"]
            assert isinstance(size, Vector2)
            signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
            corners = self.diamonds.offsets(signs * _array(size))
            self._boxes[id(box)] = SubResource(
                "ConvexPolygonShape2D", {"points": PackedVector2Array(corners)}
            )
        return self._boxes[id(box)]

    def _laid_out(self, shape: Value, corners: str) -> SubResource:
        assert isinstance(shape, SubResource)
        values: Mapping[str, Value] = shape.properties
        old = values[corners]
        assert isinstance(old, PackedVector2Array)
        new = PackedVector2Array(self.diamonds.points(old.points))
        return replace(shape, properties={**values, corners: new})


def _array(vector: Vector2) -> NDArray[np.float64]:
    return np.array([[vector.x, vector.y]], np.float64)


def _vector(points: NDArray[np.float64]) -> Vector2:
    x, y = points[0].tolist()
    return Vector2(x, y)
