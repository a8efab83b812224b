"""Parts of worlds beside the whole that is made at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from exporter.build.world import World
from exporter.model.level import Layer, Level, PlacedObject
from exporter.model.windows import Window


def difference(whole: Layer, part: Layer, window: Window) -> str:
    """Return the differences between a part's layer and the whole; empty for none."""
    inside = slice(window.y, window.bottom), slice(window.x, window.right)
    if not np.array_equal(whole.cells[inside], part.cells):
        return "cells"
    if (whole.walkable is None) != (part.walkable is None):
        return "whether it can be walked on"
    if whole.walkable is not None and not np.array_equal(whole.walkable[inside], part.walkable):
        return "walkable cells"
    for name in ("kind", "tiles", "heights", "role", "generator", "version", "measures"):
        if getattr(whole, name) != getattr(part, name):
            return name
    return ""


def differences(whole: Level, world: World, windows: list[Window] | None = None) -> list[str]:
    """Return the differences between parts' layers and the whole."""
    known = world.surveyed()
    if windows is None:
        places = ((x, y) for y in range(world.rows) for x in range(world.columns))
        windows = [world.window(x, y) for x, y in places]
    result = []
    for window in windows:
        layers = world.layers(window, known)
        objects = world.objects(window, known)
        assert list(layers) == list(whole.layers)
        for name, layer in layers.items():
            what = difference(whole.layers[name], layer, window)
            result += [f"{name}: {what} in {window}"] if what else []
        placed = [(*identity_of(item), window.x + item.x, window.y + item.y) for item in objects]
        expected = [
            (*identity_of(item), item.x, item.y)
            for item in whole.objects
            if window.holds(item.x, item.y)
        ]
        if placed != expected or [item.id for item in objects] != list(range(1, len(objects) + 1)):
            result.append(f"objects in {window}")
    return result


def identity_of(item: PlacedObject) -> tuple[str, int | None, dict[str, Any]]:
    return item.name, item.entry, dict(item.properties)
