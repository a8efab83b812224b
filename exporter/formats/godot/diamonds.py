"""Convert positions on square cells to isometric diamonds.

The cell (0, 0) is at the top, x goes right and down, y left and down. Its diamond touches the left
and upper edge of the plane: Godot's layout *Diamond Down*.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Diamonds:
    """The conversion of positions from squares to diamonds.

    Attributes:
        width: Width of a diamond in pixels.
        height: Height of a diamond in pixels.
        side: Side of a square cell, in the units of the points to convert.
    """

    width: int
    height: int
    side: int

    def offsets(self, points: NDArray[np.generic]) -> NDArray[np.float64]:
        """Convert vectors (x, y) on the square grid to pixels: float64 [count, 2].

        Unlike a point, a vector does not depend on where the grid begins.
        """
        x, y = points.astype(np.float64).T
        across, down = (x - y) * self.width, (x + y) * self.height
        return np.stack([across, down], axis=1) / (2 * self.side)

    def points(self, points: NDArray[np.generic]) -> NDArray[np.float64]:
        """Convert points (x, y) on the square grid to pixels: float64 [count, 2].

        >>> Diamonds(32, 16, side=1).points(np.array([[0, 0], [1, 0], [0.5, 0.5]])).tolist()
        [[16.0, 0.0], [32.0, 8.0], [16.0, 8.0]]
        """
        out = self.offsets(points)
        out[:, 0] += self.width / 2
        return out

    @property
    def clearance(self) -> float:
        """Width in pixels of an isometric corridor that is one cell wide."""
        return self.width * self.height / math.hypot(self.width, self.height)

    def distance(self, pixels: float) -> int:
        """Convert a distance in `pixels` on diamonds to the units of squares.

        It is a distance from walls, rounded up, so that shapes keep at least as far away.
        """
        return math.ceil(pixels * self.side / self.clearance)
