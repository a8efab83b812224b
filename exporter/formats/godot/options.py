"""Define the options of Godot scenes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from exporter.formats.godot.values import Value
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import LayerDisplay

# Where shapes come from: all cells merged, single tiles, or nowhere.
Shapes = Literal["merged", "tiles", "none"]
Streaming = Literal["auto", "always", "never"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerBits:
    """Godot's physics, navigation and light layers as bit masks.

    Attributes:
        collision_layer: The physics layers of solid shapes.
        collision_mask: The physics layers that solid shapes scan.
        navigation_layers: The navigation layers of walkable areas.
        light_mask: The light layers that opaque shapes stop.
    """

    collision_layer: int = 1
    collision_mask: int = 1
    navigation_layers: int = 1
    light_mask: int = 1

    def body(self) -> dict[str, Value]:
        """Return a collision body's properties that differ from Godot's defaults."""
        return _unlike_default(
            {"collision_layer": self.collision_layer, "collision_mask": self.collision_mask}
        )

    def region(self) -> dict[str, Value]:
        """Return a navigation region's properties that differ from the defaults."""
        return _unlike_default({"navigation_layers": self.navigation_layers})

    def occluder(self) -> dict[str, Value]:
        """Return a light occluder's properties that differ from the defaults."""
        return _unlike_default({"occluder_light_mask": self.light_mask})


DEFAULT_BITS = LayerBits()
DEFAULT_DISPLAY = LayerDisplay()


def _unlike_default(masks: dict[str, int]) -> dict[str, Value]:
    return {name: mask for name, mask in masks.items() if mask != 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneOptions:
    """Options for making scenes of a level.

    Attributes:
        collision: Where collision shapes come from: `merged` cells, single `tiles`, or `none`.
        occlusion: Where light occluders come from; the values are the same.
        navigation: Where navigation polygons come from; the values are the same.
        navigation_layers: Masks of navigation layers by tile name, for paths over unwalkable cells.
        agent_radius: How far merged navigation keeps from walls, in pixels.
        occlusion_inset: How far merged occluders lie inside opaque cells, in pixels.
        chunks: Whether tiles are only loaded near the view: `auto` (if the level is large),
            `always` or `never`.
        bits: The layers and masks of solid, walkable and shadow-casting shapes.
        objects: How the node with the objects is drawn.
        after_export: The game's script that receives the finished level; empty for none.
        diamond: Width and height of isometric cells in pixels; None for square cells.
    """

    collision: Shapes = "merged"
    occlusion: Shapes = "merged"
    navigation: Shapes = "merged"
    navigation_layers: Mapping[str, int] = field(default_factory=dict)
    agent_radius: int = 0
    occlusion_inset: int = 0
    chunks: Streaming = "auto"
    bits: LayerBits = DEFAULT_BITS
    objects: LayerDisplay = DEFAULT_DISPLAY
    after_export: str = ""
    diamond: tuple[int, int] | None = None
