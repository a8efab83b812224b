"""Find cheapest paths on a grid of costs.

Costs are integers, so every machine finds the same path. Among the cheapest paths, those with the
fewest turns are preferred, and among these the one that, where they part, goes in the first
direction of north, east, south, west. The search is in `exporter.kernels.ways`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.kernels import warn_uncompiled
from exporter.kernels.ways import COMPILED, count_turns, follow, search

NO_WAY = -1
# Larger costs would need too many lists of the search.
LARGEST_COST = 1 << 20


class CostGrid:
    """A grid with the cost of entering each cell, in which paths are found.

    Cells are numbers y * width + x. Steps go to one of the four neighbours.

    Args:
        costs: Integers [height, width] from -`LARGEST_COST` to `LARGEST_COST`: 0 for cells that no
            path enters; below 0 for cells in which paths can only start or end, at the cost without
            the sign.

    Raises:
        ValueError: The array is not two-dimensional, or a cost is too large.
    """

    def __init__(self, costs: NDArray[np.int32]) -> None:
        if costs.ndim != 2:
            raise ValueError(f"the array of costs has {costs.ndim} dimensions (needed: 2)")
        self.height, self.width = costs.shape
        largest = int(np.abs(costs).max(initial=0))
        if largest > LARGEST_COST:
            raise ValueError(f"a cost of {largest} is too large (allowed: {LARGEST_COST})")
        self._stride = self.width + 2
        self._costs = np.zeros((self.height + 2, self._stride), np.int32)
        self._costs[1:-1, 1:-1] = costs
        self._span = largest + 1
        cells = self._costs.size
        self._remaining = np.empty(cells, np.int64)
        self._turns = np.empty(0, np.int32)
        self._lists = np.empty((2, cells), np.int32)

    def change(self, cells: NDArray[np.int64], cost: int) -> None:
        """Set the cost of entering each of `cells` to `cost`.

        `cost` must be at least 1, and at most the largest cost that the grid began with.

        Raises:
            ValueError: `cost` is out of this range.
        """
        if not 0 < cost < self._span:
            raise ValueError(f"a cost of {cost} is out of range (allowed: 1 to {self._span - 1})")
        self._costs.ravel()[self._framed(cells)] = cost

    def cost(self, cell: int) -> int:
        """Return the cost of entering `cell`."""
        return abs(int(self._costs[cell // self.width + 1, cell % self.width + 1]))

    def remaining(self, goal: int) -> NDArray[np.int64]:
        """Return the cost of the cheapest path from each cell to `goal`.

        The result is int64 [height, width]: the sum of the costs of the path's cells after the
        first one, the goal included; -1 without a path.
        """
        self._search(goal, -1)
        return self._remaining.reshape(self._costs.shape)[1:-1, 1:-1].copy()

    def way(self, start: int, goal: int) -> NDArray[np.int64] | None:
        """Return the cells of the cheapest path from `start` to `goal`.

        Return None if there is no path.
        """
        if not self._turns.size:
            self._turns = np.empty(4 * self._costs.size, np.int32)
        from_, to = (int(item) for item in self._framed(np.array([start, goal])))
        self._search(goal, from_)
        if self._remaining[from_] < 0:
            return None
        marks, stack = self._lists
        marks.fill(-1)
        count_turns(
            self._costs.ravel().data,
            self._remaining.data,
            self._turns.data,
            marks.data,
            stack.data,
            from_,
            to,
            self._stride,
        )
        positions = np.empty(self._costs.size, np.int32)
        count = follow(self._turns.data, positions.data, from_, to, self._stride)
        rows, columns = np.divmod(positions[:count].astype(np.int64), self._stride)
        return np.asarray((rows - 1) * self.width + columns - 1)

    def _search(self, goal: int, last: int) -> None:
        warn_uncompiled(COMPILED, "ways", self._costs.size, 100_000)
        self._remaining.fill(NO_WAY)
        buckets = np.full(self._span, -1, np.int32)
        (target,) = self._framed(np.array([goal]))
        search(
            self._costs.ravel().data,
            self._remaining.data,
            buckets.data,
            self._lists[0].data,
            self._lists[1].data,
            int(target),
            last,
            self._stride,
        )

    def _framed(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        rows, columns = np.divmod(cells, self.width)
        return np.asarray((rows + 1) * self._stride + columns + 1)
