"""Find the connected regions of a grid.

Labelling by union-find over runs (He, Chao, Suzuki, "A run-based two-scan labeling algorithm",
2008): numpy finds the runs of every row, a compiled loop joins touching runs, and the labels are
written back. The time is linear for any shape of region.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from exporter.kernels.regions import COMPILED, number_runs, paint_runs
from exporter.model.lazy_dataclass import dataclass

Connectivity = Literal[4, 8]


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """The connected regions of a mask.

    Attributes:
        labels: int32 [height, width]: 0 outside the mask, else the region's number. Regions
            count from 1 in the row-major order of their first cells.
        sizes: int64 [count]: the number of cells of region 1, 2, ...
    """

    labels: NDArray[np.int32]
    sizes: NDArray[np.int64]

    @property
    def count(self) -> int:
        """The number of regions."""
        return int(self.sizes.size)

    @property
    def largest(self) -> int:
        """The number of the largest region; 0 without any."""
        return int(self.sizes.argmax()) + 1 if self.sizes.size else 0


def find_regions(mask: ArrayLike, diagonal: bool = False) -> Regions:
    """Find the connected regions of `mask`, in linear time.

    >>> regions = find_regions([[1, 1, 0], [0, 0, 1]])
    >>> regions.labels.tolist(), regions.sizes.tolist()
    ([[1, 1, 0], [0, 0, 2]], [2, 1])

    Args:
        mask: bool [height, width], or anything that numpy converts to such an array, with zero
            outside the mask; may be empty.
        diagonal: Whether cells that share only a corner are connected, too.

    Raises:
        ValueError: `mask` has not two dimensions.
    """
    return label_regions(np.asarray(mask).astype(np.bool_, copy=False), 8 if diagonal else 4)


def label_regions(mask: NDArray[np.bool_], connectivity: Connectivity = 4) -> Regions:
    """Find the connected regions of `mask`, in linear time.

    Args:
        mask: bool [height, width]; may be empty.
        connectivity: 4 if connected cells share an edge, 8 if a corner is enough.

    Raises:
        ValueError: `mask` has not two dimensions, or `connectivity` is another number.
    """
    if mask.ndim != 2:
        raise ValueError(f"the mask has {mask.ndim} dimensions (needed: 2)")
    if connectivity not in (4, 8):
        raise ValueError(f"unknown connectivity {connectivity} (known: 4, 8)")
    height, width = mask.shape
    if mask.size == 0:
        return Regions(np.zeros(mask.shape, np.int32), np.zeros(0, np.int64))
    # One column of False behind every row keeps runs of different rows apart, and one False
    # in front makes every run begin and end with a change.
    stride = width + 1
    padded = np.zeros(1 + height * stride, bool)
    padded[1:].reshape(height, stride)[:, :width] = mask
    changes = np.flatnonzero(padded[1:] != padded[:-1]).astype(np.int64, copy=False)
    numbers = np.zeros(changes.size // 2, np.int32)
    sizes = np.zeros(changes.size // 2, np.int64)
    count = number_runs(changes.data, stride, int(connectivity == 8), numbers.data, sizes.data)
    labels = _paint_runs(changes, numbers, (height, width), stride)
    return Regions(labels, sizes[:count].copy())


def _paint_runs(
    changes: NDArray[np.int64], numbers: NDArray[np.int32], shape: tuple[int, int], stride: int
) -> NDArray[np.int32]:
    """Return a grid of `shape` with the number of each run in its cells.

    A run is a stretch of cells in a row. `changes` are the positions where runs start and end, in
    rows of `stride` cells. Other cells are 0.
    """
    height, width = shape
    if COMPILED:
        cells = np.zeros(height * width, np.int32)
        paint_runs(changes.data, numbers.data, width, stride, cells.data)
        return cells.reshape(shape)
    # The grid as alternating stretches: a gap, a run, a gap, ..., a gap.
    values = np.zeros(changes.size + 1, np.int32)
    values[1::2] = numbers
    borders = np.zeros(changes.size + 2, np.int64)
    borders[1:-1] = changes
    borders[-1] = height * stride
    painted = np.repeat(values, np.diff(borders)).reshape(height, stride)
    return np.ascontiguousarray(painted[:, :width])
