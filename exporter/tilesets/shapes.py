"""Compute noise, and depth behind the edges of a shape.

All arithmetic is on integers, so that pictures are equal on every machine. Arrays hold the pictures
for many neighbourhoods at once: [pictures, SIZE, SIZE].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.grids.neighbourhoods import (
    EAST,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
)

SIZE = 16
FAR = 2 * SIZE

Grid = NDArray[np.int32]

ROW: Grid = np.repeat(np.arange(SIZE, dtype=np.int32)[:, None], SIZE, axis=1)
COLUMN: Grid = np.ascontiguousarray(ROW.T)


def scatter(salt: int, row: NDArray[np.int32], column: NDArray[np.int32]) -> Grid:
    """Return a hash from 0 to 255 of each position.

    It depends on `salt`, `row` and `column` alone, and is equal on every machine.
    """
    value = row.astype(np.uint32) * np.uint32(0x9E3779B1)
    value ^= column.astype(np.uint32) * np.uint32(0x85EBCA77) + np.uint32(
        salt * 0x27D4EB2F & 0xFFFFFFFF
    )
    for shift, factor in ((15, 0x2C1B3C6D), (12, 0x297A2D39)):
        value ^= value >> np.uint32(shift)
        value *= np.uint32(factor)
    value ^= value >> np.uint32(15)
    return (value & np.uint32(255)).astype(np.int32)


def speckle(salt: int) -> Grid:
    """Return noise: a number from 0 to 255 for each pixel of a picture.

    Each `salt` gives different noise.
    """
    return scatter(salt, ROW, COLUMN)


def clouds(salt: int, cell: int = 4) -> Grid:
    """Return soft noise from 0 to 255 that continues across picture edges.

    `cell` is the size of the noise's blotches in pixels; each `salt` gives different noise.
    """
    count = SIZE // cell
    row, column = ROW // cell, COLUMN // cell
    down, right = (row + 1) % count, (column + 1) % count
    y, x = ROW % cell, COLUMN % cell
    upper = scatter(salt, row, column) * (cell - x) + scatter(salt, row, right) * x
    lower = scatter(salt, down, column) * (cell - x) + scatter(salt, down, right) * x
    soft: Grid = ((upper * (cell - y) + lower * y) // (cell * cell)).astype(np.int32)
    return soft


class OpenSides:
    """The sides and corners of each picture where the neighbour is open.

    A neighbour is open if it is of another surface. `masks` has the neighbourhood of each picture,
    with a bit for each neighbour that is not open. A corner counts only if both sides next to it
    are not open.
    """

    def __init__(self, masks: tuple[int, ...]) -> None:
        numbers = np.array(masks, np.int32)[:, None, None]
        self.count = len(masks)
        self.north, self.east, self.south, self.west = (
            (numbers & bit) == 0 for bit in (NORTH, EAST, SOUTH, WEST)
        )
        corners = []
        for bit, sides in (
            (NORTH_EAST, NORTH | EAST),
            (SOUTH_EAST, SOUTH | EAST),
            (SOUTH_WEST, SOUTH | WEST),
            (NORTH_WEST, NORTH | WEST),
        ):
            corners.append(((numbers & sides) == sides) & ((numbers & bit) == 0))
        self.north_east, self.south_east, self.south_west, self.north_west = corners


def depth(
    sides: OpenSides, *, bottom: int = SIZE, wobble: Grid | None = None, radius: int = 0
) -> Grid:
    """Return each pixel's distance from the nearest open edge, from 0.

    Args:
        sides: The sides of each picture with a neighbour of another surface.
        bottom: The row at which the surface ends if the south is open; below it hangs a face.
        wobble: How far each edge retreats at each pixel along it, int32 [SIZE]. Pixels outside the
            retreated edge have negative depths.
        radius: The radius of outer corners in pixels; 0 for square corners.
    """
    bend = np.zeros(SIZE, np.int32) if wobble is None else wobble
    far = np.full((sides.count, SIZE, SIZE), FAR, np.int32)
    up, left = ROW - bend[COLUMN], COLUMN - bend[(ROW + 5) % SIZE]
    right = SIZE - 1 - COLUMN - bend[(ROW + 11) % SIZE]
    down = bottom - 1 - ROW - (bend[(COLUMN + 7) % SIZE] if bottom == SIZE else 0)
    # Beside a neighbour's face an edge runs along the column, above it around the corner.
    under = np.maximum(bottom - 1 - ROW, 0)
    for open_, distance in (
        (sides.north, up),
        (sides.west, left),
        (sides.east, right),
        (sides.south, down),
        (sides.north_west, np.maximum(ROW, COLUMN)),
        (sides.north_east, np.maximum(ROW, SIZE - 1 - COLUMN)),
        (sides.south_west, np.maximum(under, COLUMN)),
        (sides.south_east, np.maximum(under, SIZE - 1 - COLUMN)),
    ):
        far = np.where(open_, np.minimum(far, distance), far)
    if radius:
        for item, other, row, column in (
            (sides.north, sides.west, ROW, COLUMN),
            (sides.north, sides.east, ROW, SIZE - 1 - COLUMN),
            (sides.south, sides.west, bottom - 1 - ROW, COLUMN),
            (sides.south, sides.east, bottom - 1 - ROW, SIZE - 1 - COLUMN),
        ):
            far = np.where(item & other, np.minimum(far, _rounded(radius, row, column)), far)
    return far


def _rounded(radius: int, row: Grid, column: Grid) -> Grid:
    """Return the depth behind a rounded corner of radius `radius`.

    `row` and `column` are the distances of each pixel from the two edges at the corner. Pixels away
    from the corner have the depth FAR.
    """
    y, x = 2 * radius - 1 - 2 * row, 2 * radius - 1 - 2 * column
    square = y * y + x * x
    # Half the root, rounded up, by integer arithmetic.
    steps = np.arange(2 * radius + 1, dtype=np.int32)
    reach = np.searchsorted(4 * steps * steps, square.ravel()).reshape(row.shape)
    inside = (row < radius) & (column < radius) & (row >= 0) & (column >= 0)
    rounded: Grid = np.where(inside, radius - reach, FAR).astype(np.int32)
    return rounded
