"""Make heights from distances to walls or floor, or from a picture.

The result is an int64 field of 0 to 2**28, resampled with integers only.
"""

from __future__ import annotations

import numpy as np

from exporter.generators import Request
from exporter.generators._noise import UNIT, Field
from exporter.grids.distances import distance_to
from exporter.model.errors import ParameterError
from exporter.model.level import Layer
from exporter.model.picture_files import read_greys


def relief_of_layer(request: Request, name: str, rises: str, reach: int) -> Field:
    """Return heights that rise with the distance in the layer `name`.

    The distance is the mean of steps with and without diagonals, so that points of equal distance
    form octagons.

    Args:
        request: The request with the layers and the size.
        name: The name of a finished layer with walkable cells.
        rises: `floor`: walkable cells rise with their distance from walls; `walls`: walls rise with
            their distance from walkable cells.
        reach: The distance at which the relief is highest, in cells of that layer.

    Raises:
        ParameterError: There is no such layer, or its walkable cells are unknown.
    """
    walkable = walkable_layer(request, name, ("from_layer",)).walkable
    assert walkable is not None
    low = ~walkable if rises == "floor" else walkable
    if low.any():
        doubled = distance_to(low, "chebyshev") + distance_to(low, "taxicab")
        doubled = np.minimum(doubled, 2 * reach)
    else:
        doubled = np.full(low.shape, 2 * reach, np.int32)
    field = doubled.astype(np.int64) * UNIT // (2 * reach)
    return resample(field, request.width, request.height, cells=True)


def walkable_layer(request: Request, name: str, path: tuple[str | int, ...]) -> Layer:
    """Return the finished layer `name`, whose walkable cells must be known.

    Raises:
        ParameterError: The layer is missing, or its walkable cells are unknown. The error has
            `path`.
    """
    layer = request.finished_layer(name, path)
    if layer.walkable is None:
        raise ParameterError(f"the layer {name!r} does not say which cells are walkable", path)
    return layer


def relief_of_picture(request: Request, path: str) -> Field:
    """Return the brightness of the picture file `path` as heights.

    Raises:
        ParameterError: The file is missing, too big or not a picture.
    """
    where = ("from_image",)
    samples = read_greys(request.read_project_file(path, where), path, where)
    field = samples.astype(np.int64) * UNIT // 65535
    return resample(field, request.width, request.height, cells=False)


def resample(field: Field, width: int, height: int, cells: bool) -> Field:
    """Resample the heights of `field` to another size by interpolation.

    Args:
        field: int64 [rows, columns] of 0 to 2**28.
        width: The number of columns of the result.
        height: The number of rows of the result.
        cells: Whether the values of `field` are at the middles of cells; else its outer values are
            on the border of the area. Samples of the result are on the border.
    """
    if field.shape == (height, width):
        return field
    left, right, across = _between(field.shape[1], width, cells)
    above, below, down = _between(field.shape[0], height, cells)
    rows: Field = field[above] + (((field[below] - field[above]) * down[:, None]) >> 16)
    blended: Field = rows[:, left] + (((rows[:, right] - rows[:, left]) * across[None, :]) >> 16)
    # Picking columns leaves them one after the other in memory; kernels want rows.
    return np.ascontiguousarray(blended)


def _between(old: int, new: int, cells: bool) -> tuple[Field, Field, Field]:
    """Return for each new sample the old samples before and after it.

    The third array is how far it is from the first to the second, 0 to 65535. `old` and `new` are
    the numbers of samples in a row; `cells` says that old samples are at the middles of cells.
    """
    number = np.arange(new, dtype=np.int64)
    span = old if cells else old - 1
    position = (number * span << 16) // max(new - 1, 1)
    if new == 1:
        position[:] = (span << 16) // 2
    if cells:
        position -= 1 << 15
    position = np.clip(position, 0, (old - 1) << 16)
    first = position >> 16
    return first, np.minimum(first + 1, old - 1), position & 65535
