"""Compute the ground below tiles from a level's first height layer.

The ground goes through the height of each cell at its middle, and is continuous: what can be walked
on in the plan can be walked on in the model. A corner of cells has the mean height of those around
it, and four triangles go from a cell's corners to its middle. So a terrace is flat but for half a
cell at its border, and two terraces that touch are joined by a ramp.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.formats.heights.samples import FULL_SCALE, height_range
from exporter.grids.resampling import resampled
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The heights of the ground below a level's cells.

    Attributes:
        layer: The layer of heights.
        middles: float64 [height, width]: in the middles of cells.
        corners: float64 [height + 1, width + 1]: at their corners.
        sloped: bool [height, width]: the cells that are not level.
        slopes: float64 [height + 1, width + 1] twice: how far the ground rises in a cell at the
            corners, to the right and down.
        uneven: bool [height + 1, width + 1]: the corners around which cells differ in height.
    """

    layer: str
    middles: NDArray[np.float64]
    corners: NDArray[np.float64]
    sloped: NDArray[np.bool_]
    slopes: tuple[NDArray[np.float64], NDArray[np.float64]]
    uneven: NDArray[np.bool_]

    def at_corners(self, points: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the heights at corners of cells: x and y of each."""
        heights: NDArray[np.float64] = self.corners[points[..., 1], points[..., 0]]
        return heights

    def at(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the heights at points: x and y of each, in cells."""
        rows, columns = self.middles.shape
        x = np.clip(points[:, 0].astype(np.int64), 0, columns - 1)
        y = np.clip(points[:, 1].astype(np.int64), 0, rows - 1)
        right, down = points[:, 0] - x - 0.5, points[:, 1] - y - 0.5
        middle = self.middles[y, x]
        first, second = self.corners[y, x], self.corners[y, x + 1]
        third, fourth = self.corners[y + 1, x], self.corners[y + 1, x + 1]
        # Towards the side that is nearest, and along it.
        aside = abs(right) >= abs(down)
        out, along = np.where(aside, abs(right), abs(down)), np.where(aside, down, right)
        begin = np.where(
            aside, np.where(right > 0, second, first), np.where(down > 0, third, first)
        )
        end = np.where(
            aside, np.where(right > 0, fourth, third), np.where(down > 0, fourth, second)
        )
        heights: NDArray[np.float64] = (
            middle + out * (begin + end - 2 * middle) + along * (end - begin)
        )
        return heights

    def bounds(self, x: int, y: int, width: int, height: int) -> tuple[float, float]:
        """Return the lowest and the greatest height in a rectangle of cells."""
        corners = self.corners[y : y + height + 1, x : x + width + 1]
        middles = self.middles[y : y + height, x : x + width]
        return (
            float(min(corners.min(), middles.min())),
            float(max(corners.max(), middles.max())),
        )


def ground_layer(level: Level) -> Layer | None:
    """Return the layer with the heights of the terrain under a level's tiles.

    It is the first height layer that is not a measurement. A level without play layers has none.
    """
    if not level.play_layers():
        return None
    return next((layer for layer in level.height_layers() if not layer.measures), None)


def level_ground(level: Level) -> Ground | None:
    """Return the terrain under a level's tiles; None without heights."""
    layer = ground_layer(level)
    if layer is None:
        return None
    samples = _with_neighbours(layer, level.width, level.height)
    bounds = height_range(layer)
    factor = (bounds.maximum - bounds.minimum) / FULL_SCALE
    heights = samples.astype(np.float64) * factor + bounds.minimum
    across = heights[:, :-1] + heights[:, 1:]
    corners: NDArray[np.float64] = (across[:-1] + across[1:]) / 4
    right, down = heights[:, 1:] - heights[:, :-1], across[1:] - across[:-1]
    slopes = (right[:-1] + right[1:]) / 2, down / 2
    middles = heights[1:-1, 1:-1]
    equal = heights[:, :-1] == heights[:, 1:]
    uneven = ~(equal[:-1] & equal[1:] & (heights[:-1, 1:] == heights[1:, 1:]))
    sloped = uneven[:-1, :-1] | uneven[:-1, 1:] | uneven[1:, :-1] | uneven[1:, 1:]
    return Ground(layer.name, middles, corners, sloped, slopes, uneven)


def _with_neighbours(layer: Layer, width: int, height: int) -> NDArray[np.int32]:
    """Return the heights of a level's cells with a border of one cell.

    The border of a chunk of a world has the heights of its neighbours, so that corners have the
    same height in both chunks; else it repeats the outermost heights.
    """
    around = layer.around
    if around is None or layer.cells.shape != (height, width):
        samples = layer.cells.astype(np.int32)
        if samples.shape != (height, width):
            samples = resampled(samples, width, height, layer.grid_aligned, True)
        return np.pad(samples, 1, mode="edge")
    missing, inside = [], []
    for part, side in zip(around.inside, around.cells.shape, strict=True):
        first, behind = max(part.start - 1, 0), min(part.stop + 1, side)
        inside.append(slice(first, behind))
        missing.append((first - part.start + 1, part.stop + 1 - behind))
    return np.pad(around.cells[tuple(inside)].astype(np.int32), missing, mode="edge")
