"""What shapes of single tiles cannot do, told before the engine fails without a word."""

from __future__ import annotations

import numpy as np

from exporter.formats.godot.options import SceneOptions
from exporter.model.level import Layer, Level

# Occluders that Godot 4.6 holds in all; further ones do not exist, and each logs an error.
MOST_OCCLUDERS = 262_144


def tile_warnings(level: Level, options: SceneOptions) -> list[str]:
    """Return where shapes of tiles differ from what the level means, and what to do about it."""
    layers = level.play_layers()
    if not layers:
        return []
    walkable = level.walkable()
    warnings = []
    if options.collision == "tiles":
        blocked = np.zeros_like(walkable)
        for layer in layers:
            blocked |= layer.lookup([not (tile.walkable or tile.empty) for tile in layer.tiles])
        free = int(np.count_nonzero(~blocked & ~walkable))
        if free:
            warnings.append(
                f"`collision: tiles` leaves {free} cells without a tile free, which cannot be "
                "walked on: `collision: merged` makes them solid"
            )
    if options.navigation == "tiles":
        counts = sum((_walkable_tiles(layer) for layer in layers), np.zeros(walkable.shape, int))
        wrong = int(np.count_nonzero((counts > 0) & ~walkable))
        if wrong:
            warnings.append(
                f"`navigation: tiles` leads through {wrong} cells that another layer blocks: "
                "`navigation: merged` does not"
            )
        elif (counts > 1).any():
            warnings.append(
                "`navigation: tiles` of several layers overlaps, which Godot reports as errors: "
                "`navigation: merged` does not"
            )
    if options.occlusion == "tiles":
        count = sum(int(np.count_nonzero(layer.opaque)) for layer in layers)
        if count > MOST_OCCLUDERS:
            warnings.append(
                f"`occlusion: tiles` makes {count} occluders, and Godot holds {MOST_OCCLUDERS}: "
                "`occlusion: merged` makes few"
            )
    return warnings


def _walkable_tiles(layer: Layer) -> np.ndarray:
    return layer.lookup([tile.walkable for tile in layer.tiles]).astype(int)
