"""What a scene is to have beside pictures of tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Where shapes come from: made from the one mask, from each tile by itself, or from nowhere.
Shapes = Literal["merged", "tiles", "none"]
Streaming = Literal["auto", "always", "never"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneOptions:
    """How a level becomes scenes.

    Attributes:
        collision: Where the shapes come from that bodies collide with.
        occlusion: Where the polygons come from that cast shadows.
        navigation: Where the polygons come from that paths are found in.
        agent_radius: How far merged navigation keeps from walls, in pixels.
        chunks: Whether tiles are only there near the view.
    """

    collision: Shapes = "merged"
    occlusion: Shapes = "merged"
    navigation: Shapes = "merged"
    agent_radius: int = 0
    chunks: Streaming = "auto"
