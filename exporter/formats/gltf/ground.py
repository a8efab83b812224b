"""Compute the ground below tiles from a level's first height layer.

The ground goes through the height of each cell at the cell's middle, and is continuous: cells that
can be walked on in the level can be walked on in the model. Between the middles of four cells the
ground is two triangles, whose common side joins the two middles that differ least. So terraces are
flat, and adjacent terraces are joined by a ramp from middle to middle. Where the ground bends
little, fewer triangles approximate it. Everything in the model stands on these triangles.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.formats.gltf.halved_triangles import halved_triangles
from exporter.formats.gltf.merged_triangles import merged_triangles
from exporter.formats.heights.samples import FULL_SCALE, height_range
from exporter.grids.resampling import resampled
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level

# The greatest distance of the model's ground from a cell's height, in sides of a cell.
TOLERANCE = 1 / 8
# The greatest difference between adjacent steps of heights that are not terraces, in sides of a
# cell.
_SMOOTH = 1 / 4


@dataclass(frozen=True, slots=True, eq=False)
class ModelGround:
    """The ground below a level's cells, as heights and triangles.

    Attributes:
        layer: The name of the height layer.
        halves: float64 [2 * height + 1, 2 * width + 1]: the heights at points half a cell apart,
            from the level's upper left corner. The diagonal that divides a square between four
            points begins at a middle or a corner of a cell.
        triangles: int64 [triangles, 3]: the corners of each triangle as indices in the flattened
            `halves`, clockwise on the screen.
        regions: int64 [triangles]: the region of each triangle: a number that its cells have.
        slopes: Two float64 [height + 1, width + 1]: how far the ground rises per cell to the right,
            and down, at the corners of cells. None if the ground is made of planes.
        uneven: bool [height + 1, width + 1]: the corners around which cells differ in height.
    """

    layer: str
    halves: NDArray[np.float64]
    triangles: NDArray[np.int64]
    regions: NDArray[np.int64]
    slopes: tuple[NDArray[np.float64], NDArray[np.float64]] | None
    uneven: NDArray[np.bool_]

    @property
    def middles(self) -> NDArray[np.float64]:
        """Heights in the middles of cells: float64 [height, width]."""
        return self.halves[1::2, 1::2]

    def at(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the ground's heights at `points`, [n, 2]: x and y in cells."""
        rows, columns = self.halves.shape
        x, y = points[:, 0] * 2, points[:, 1] * 2
        column = np.minimum(x.astype(np.int64), columns - 2)
        row = np.minimum(y.astype(np.int64), rows - 2)
        right, down = x - column, y - row
        first, second = self.halves[row, column], self.halves[row, column + 1]
        third, fourth = self.halves[row + 1, column], self.halves[row + 1, column + 1]
        falling = (row + column) % 2 == 0
        upper = np.where(falling, right >= down, right + down <= 1)
        along = np.where(upper, second - first, fourth - third)
        across = np.where(upper == falling, fourth - second, third - first)
        begin = np.where(falling | upper, first, second + third - fourth)
        heights: NDArray[np.float64] = begin + right * along + down * across
        return heights

    def at_halves(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the same as `at`, for points that are multiples of half a cell."""
        columns, rows = (points * 2).astype(np.int64).T
        heights: NDArray[np.float64] = self.halves[rows, columns]
        return heights

    def normals(self, points: NDArray[np.float64], cell: float) -> NDArray[np.float32]:
        """Return the normals of ground with `slopes` at `points`: float32 [n, 3].

        `points` are [n, 2]: x and y in cells; `cell` is a cell's side in the unit of the heights.
        """
        rows, columns = (side - 1 for side in self.uneven.shape)
        column = np.minimum(points[:, 0].astype(np.int64), columns - 1)
        row = np.minimum(points[:, 1].astype(np.int64), rows - 1)
        right, down = points[:, 0] - column, points[:, 1] - row
        rises = []
        for slope in self.slopes or ():
            upper = slope[row, column] * (1 - right) + slope[row, column + 1] * right
            lower = slope[row + 1, column] * (1 - right) + slope[row + 1, column + 1] * right
            rises.append((upper * (1 - down) + lower * down) / cell)
        return _upward(*rises)

    def planes(
        self, triangles: NDArray[np.int64], cell: float
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Return the distinct normals of `triangles`, and which of them each has.

        `triangles` are int64 [n, 3]: indices of corners in the flattened `halves`; `cell` is a
        cell's side in the unit of the heights. The results are float32 [normals, 3], and int64 [n]:
        indices in the first.
        """
        rows, columns = np.divmod(triangles, self.halves.shape[1])
        heights = self.halves[rows, columns]
        (x1, y1, z1), (x2, y2, z2) = (
            [values[:, end] - values[:, 0] for values in (columns, rows, heights)] for end in (1, 2)
        )
        area = (x1 * y2 - x2 * y1) * (cell / 2)
        normals = _upward((z1 * y2 - z2 * y1) / area, (x1 * z2 - x2 * z1) / area)
        # Equal planes have equal normals, except for rounding.
        unique, numbers = np.unique(normals[:, 0] + 1j * normals[:, 2], return_inverse=True)
        first = np.empty(len(unique), np.int64)
        first[numbers] = np.arange(len(normals))
        return normals[first], numbers

    def bounds(self, x: int, y: int, width: int, height: int) -> tuple[float, float]:
        """Return the lowest and the highest ground in a rectangle of cells.

        (`x`, `y`) is its upper left cell.
        """
        here = self.halves[2 * y : 2 * (y + height) + 1, 2 * x : 2 * (x + width) + 1]
        return float(here.min()), float(here.max())


def _upward(right: NDArray[np.float64], down: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the normals of ground with the slopes `right` and `down`."""
    normals = np.stack([-right, np.ones_like(right), -down], 1)
    normals /= np.sqrt((normals * normals).sum(axis=1, keepdims=True))
    return normals.astype(np.float32)


def ground_layer(level: Level) -> Layer | None:
    """Return the height layer that is the terrain under the level's tiles.

    It is the first height layer that is no measure. None without such a layer, or without play
    layers.
    """
    if not level.play_layers():
        return None
    return next((layer for layer in level.height_layers() if not layer.measures), None)


def level_ground(
    level: Level, regions: NDArray[np.integer[Any]], cell: float
) -> ModelGround | None:
    """Return the ground under a level's tiles, from its first height layer.

    None without a height layer, or without play layers. `regions`, integers [height, width], has a
    number for each cell, such as that of its kind; each triangle lies in one region. `cell` is a
    cell's side in the unit of the heights.
    """
    layer = ground_layer(level)
    if layer is None:
        return None
    samples = _with_neighbours(layer, level.width, level.height)
    bounds = height_range(layer)
    factor = (bounds.maximum - bounds.minimum) / FULL_SCALE
    around = samples.astype(np.float64) * factor + bounds.minimum
    first, second, third, fourth = (around[y, x] for y in _PAIR for x in _PAIR)
    right, down = second - first, third - first
    right_below, down_beside = fourth - third, fourth - second
    falling = abs(fourth - first) <= abs(third - second)
    uneven = (right != 0) | (down != 0) | (right_below != 0)
    halves = np.empty((2 * level.height + 1, 2 * level.width + 1))
    halves[1::2, 1::2] = around[1:-1, 1:-1]
    halves[::2, ::2] = np.where(falling, first + fourth, second + third) / 2
    halves[::2, 1::2] = (around[:-1, 1:-1] + around[1:, 1:-1]) / 2
    halves[1::2, ::2] = (around[1:-1, :-1] + around[1:-1, 1:]) / 2
    is_part = level.part is not None
    # Triangles in planes have separate corners, which are too many if little is level.
    if 2 * np.count_nonzero(uneven) > uneven.size or _is_smooth(around, cell * _SMOOTH):
        slopes = (right + right_below) / 2, (down + down_beside) / 2
        limit = cell * TOLERANCE
        halves, triangles, inside = halved_triangles(halves, regions, limit, is_part)
    else:
        slopes = None
        triangles, inside = merged_triangles(around, falling, regions, is_part)
    return ModelGround(layer.name, halves, triangles, inside, slopes, uneven)


_PAIR = (slice(None, -1), slice(1, None))


def _is_smooth(heights: NDArray[np.float64], limit: float) -> bool:
    """Return whether most heights change by slopes rather than by steps.

    A slope changes by at most `limit` from one cell to the next.
    """
    steps, smooth = 0, 0
    for along in (heights, heights.T):
        rises = np.diff(along)
        steps += int(np.count_nonzero(rises))
        bends = abs(np.diff(rises)) <= limit
        smooth += int(np.count_nonzero(bends & (rises[:, 1:] != 0)))
    return 2 * smooth > steps


def _with_neighbours(layer: Layer, width: int, height: int) -> NDArray[np.int32]:
    """Return a layer's height samples, one for each cell, with a border.

    The border is one cell wide. In a chunk of a world it has the samples of the adjacent chunks, so
    that corners have the same height in both; else it repeats the outermost samples.
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
