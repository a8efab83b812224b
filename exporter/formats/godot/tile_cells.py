"""Find cells whose tile becomes a scene or navigation area in Godot."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from exporter.model.level import Layer, Level, fits_tilemap


def tiles_as_scenes(level: Level, scenes: Container[str]) -> dict[str, int]:
    """Return which tiles become scene instances, and in how many cells.

    The keys are the tiles' names. `scenes` has the names of tiles and objects that have a scene. A
    name that objects have is left out, because then the scene is theirs; in a chunk of a world this
    is true for the objects of all chunks.
    """
    objects = {thing.name for thing in level.objects}
    if level.part is not None:
        objects |= level.part.objects
    counts: dict[str, int] = {}
    for layer in _layers(level):
        for tile in layer.tiles:
            if tile.name in scenes and tile.name not in objects:
                count = int(np.count_nonzero(layer.cells == tile.id))
                if count:
                    counts[tile.name] = counts.get(tile.name, 0) + count
    return counts


def cells_of(level: Level, name: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the cells that have the tile `name` in any layer, row by row.

    A cell is its x, its y, and the names of the layers that have the tile there.
    """
    masks = cells_with(level, (name,))
    either = np.logical_or.reduce(list(masks.values()))
    for y, x in np.argwhere(either).tolist():
        yield x, y, tuple(layer for layer, mask in masks.items() if mask[y, x])


def cells_with(level: Level, names: Container[str]) -> dict[str, NDArray[np.bool_]]:
    """Return where tiles called one of `names` are, by layer name.

    Layers without such a tile are left out; each value is bool [height, width].
    """
    return {
        layer.name: layer.lookup([tile.name in names for tile in layer.tiles])
        for layer in _layers(level)
        if any(tile.name in names for tile in layer.tiles)
    }


def navigation_areas(
    level: Level, masks: Mapping[str, int], walkable: NDArray[np.bool_]
) -> dict[int, NDArray[np.bool_]]:
    """Return, for each combination of navigation layers, the cells with it.

    The keys are bit masks of navigation layers, the values bool [height, width]. The areas of two
    keys do not overlap, and none contains walkable cells, because Godot joins at most two polygons
    at an edge. `masks` has the bit masks by tile name; `walkable` is bool [height, width].
    """
    if not masks:
        return {}
    bits = np.zeros(walkable.shape, np.uint32)
    for layer in _layers(level):
        for tile in layer.tiles:
            if tile.name in masks:
                bits[layer.cells == tile.id] |= np.uint32(masks[tile.name])
    bits[walkable] = 0
    return {mask: bits == mask for mask in np.unique(bits).tolist() if mask}


def _layers(level: Level) -> list[Layer]:
    shape = (level.height, level.width)
    return [layer for layer in level.play_layers() if fits_tilemap(layer, shape)]
