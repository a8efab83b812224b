"""Store an area as framed grids for the compiled kernels.

A field is a rectangle between grid lines, closed if outside the area. A frame of closed fields
surrounds the area. A lattice point (a crossing of grid lines) has the index of the field to
its lower right, so grids of points and of fields have the same shape.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.geometry.area import Area
from exporter.model.lazy_dataclass import dataclass

# Bits of `Lattice.marks`.
RIGHT, DOWN = 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """The grids of an area, in a frame of closed fields.

    Attributes:
        inside: uint8 [height + 2, width + 2]: 1 for the fields of the area.
        marks: uint8 [height + 2, width + 2]: for every point, `RIGHT` if the unit edge to its right
            is marked, plus `DOWN` if the one below is. At first the outline of the area is marked.
        columns: int64, the x of every column of points; the first belongs to the frame.
        rows: int64, the y of every row of points, likewise.
    """

    inside: NDArray[np.uint8]
    marks: NDArray[np.uint8]
    columns: NDArray[np.int64]
    rows: NDArray[np.int64]

    @property
    def stride(self) -> int:
        """The number of points in a row."""
        return int(self.inside.shape[1])


def lattice_of(area: Area) -> Lattice:
    height, width = area.fields.shape
    inside = np.zeros((height + 2, width + 2), np.uint8)
    inside[1:-1, 1:-1] = area.fields
    marks = np.zeros_like(inside)
    marks[1:] |= (inside[1:] != inside[:-1]) * np.uint8(RIGHT)
    marks[:, 1:] |= (inside[:, 1:] != inside[:, :-1]) * np.uint8(DOWN)
    return Lattice(inside, marks, _framed(area.columns), _framed(area.rows))


def _framed(lines: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([lines[:1] - 1, lines])


def reflex_kinds(lattice: Lattice) -> NDArray[np.uint8]:
    """Return which points are reflex corners, and where each is closed.

    Returns:
        uint8, shape of the lattice: 0 for other points; 1 for a corner whose only closed field is
        on the upper left, 2 on the upper right, 3 on the lower left, 4 on the lower right.
    """
    inside = lattice.inside
    kinds = np.zeros_like(inside)
    fields = inside[:-1, :-1], inside[:-1, 1:], inside[1:, :-1], inside[1:, 1:]
    reflex = sum(fields[1:], fields[0]) == 3
    for kind, field in enumerate(fields, start=1):
        kinds[1:, 1:][reflex & (field == 0)] = kind
    return kinds
