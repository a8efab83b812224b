"""Make a 3D mesh of a layer of heights, with skirts at its border.

A skirt is a vertical wall along the border that reaches below the lowest point.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.formats.gltf.glb import Triangles
from exporter.formats.heights.samples import FULL_SCALE, height_range
from exporter.model.level import Layer


def terrain_triangles(layer: Layer, size: tuple[float, float], skirt: float) -> Triangles:
    """Return the surface of a layer of heights, with a vertex per sample.

    `layer` is at least two samples wide and high. `size` is the terrain's extent along x and z. The
    skirts reach `skirt` below the lowest possible sample.
    """
    cells, inside = _up_to_the_next(layer)
    bounds = height_range(layer)
    factor = (bounds.maximum - bounds.minimum) / FULL_SCALE
    wide = cells * factor + bounds.minimum
    heights = wide[inside]
    rows, columns = heights.shape
    x = np.arange(columns) * (size[0] / (columns - 1))
    z = np.arange(rows) * (size[1] / (rows - 1))
    top = np.empty((rows, columns, 3), np.float32)
    top[..., 0], top[..., 1], top[..., 2] = x, heights, z[:, None]
    steps = size[1] / (rows - 1), size[0] / (columns - 1)
    gradient: list[NDArray[np.float64]] = list(np.gradient(wide, *steps))
    falling_z, falling_x = (slope[inside] for slope in gradient)
    normals = np.stack([-falling_x, np.ones_like(heights), -falling_z], axis=-1)
    normals /= np.sqrt((normals * normals).sum(axis=-1, keepdims=True))
    numbers = np.arange(rows * columns).reshape(rows, columns)
    corners = numbers[:-1, :-1], numbers[1:, :-1], numbers[1:, 1:], numbers[:-1, 1:]
    first, below, across, right = (corner.ravel() for corner in corners)
    surface = np.stack([first, below, across, first, across, right], 1)
    border = _border(numbers)
    upper, outward = top.reshape(-1, 3)[border], _outward(rows, columns)
    lower = upper.copy()
    lower[:, 1] = bounds.minimum - skirt
    count = len(border)
    begin = rows * columns + np.arange(count)
    # Each corner has a vertex for both sides that meet there.
    sides = np.flatnonzero(border[1:] != border[:-1])
    left, along = begin[sides], begin[sides + 1]
    skirts = np.stack([left, left + count, along + count, left, along + count, along], 1)
    positions = np.concatenate([top.reshape(-1, 3), upper, lower])
    return Triangles(
        positions,
        np.concatenate([surface.ravel(), skirts.ravel()]),
        np.concatenate([normals.reshape(-1, 3), outward, outward]).astype(np.float32),
        np.ascontiguousarray(positions[:, ::2]),
    )


def _up_to_the_next(layer: Layer) -> tuple[NDArray[Any], tuple[slice, ...]]:
    """Return the samples around a chunk, and the part that its mesh shows.

    `samples[part]` ends with the first row and column of the next chunks, so that both meshes have
    the same heights where they meet; at the world's edge the last samples are repeated. The samples
    beyond the part are for the slopes at its border. A layer that is no chunk is shown whole.
    """
    around = layer.around
    if around is None:
        return layer.cells, np.s_[:, :]
    inside = tuple(slice(part.start, part.stop + 1) for part in around.inside)
    missing = [
        (0, max(0, part.stop - side)) for part, side in zip(inside, around.cells.shape, strict=True)
    ]
    return np.pad(around.cells, missing, mode="edge"), inside


def _border(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the entries on the border of the grid `numbers`, side after side.

    They run counter-clockwise from the upper left corner; each corner comes twice.
    """
    sides = (numbers[:, 0], numbers[-1], numbers[::-1, -1], numbers[0, ::-1])
    return np.concatenate(sides)


def _outward(rows: int, columns: int) -> NDArray[np.float32]:
    west, south, east, north = [-1, 0, 0], [0, 0, 1], [1, 0, 0], [0, 0, -1]
    normals = [west] * rows + [south] * columns + [east] * rows + [north] * columns
    return np.array(normals, np.float32)
