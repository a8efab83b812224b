"""Find the cells whose centre is inside a drawn area.

Only sums, products and comparisons of coordinates are used, so that all machines agree.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.handmade.maps import HandArea
from exporter.model.lazy_dataclass import dataclass


def rectangle_of(area: HandArea) -> tuple[int, int, int, int] | None:
    """Return which cells an upright rectangle covers; None for other shapes.

    Returns:
        The first column and row, the number of columns and of rows. The cells may lie outside the
        map, and there may be none.
    """
    if area.shape != "polygon" or len(area.outline) != 4:
        return None
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = area.outline
    level = y0 == y1 and x1 == x2 and y2 == y3 and x3 == x0
    turned = x0 == x1 and y1 == y2 and x2 == x3 and y3 == y0
    if not (level or turned):
        return None
    left, right = _first_cell(min(x0, x2)), _first_cell(max(x0, x2))
    top, bottom = _first_cell(min(y0, y2)), _first_cell(max(y0, y2))
    return left, top, right - left, bottom - top


# Limit of cells in the boxes around the areas of one map, overlaps included: each is tested.
MAXIMUM_AREA_CELLS = 1 << 29


@dataclass(frozen=True, slots=True)
class CellBox:
    """A rectangle of cells; `right` and `bottom` are exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def cells(self) -> int:
        """The number of cells."""
        return max(self.right - self.left, 0) * max(self.bottom - self.top, 0)

    @property
    def slices(self) -> tuple[slice, slice]:
        """The row and column slices that cut the rectangle out of a grid."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


def box_of(area: HandArea, width: int, height: int) -> CellBox:
    """Return the smallest box around the cells of `area` inside the map.

    `width` and `height` are those of the map in cells.
    """
    across, down = [x for x, _ in area.outline], [y for _, y in area.outline]
    left, top = max(_first_cell(min(across)), 0), max(_first_cell(min(down)), 0)
    right = max(min(_first_cell(max(across)) + 1, width), left)
    bottom = max(min(_first_cell(max(down)) + 1, height), top)
    return CellBox(left, top, right, bottom)


def mask_of(area: HandArea, width: int, height: int) -> NDArray[np.bool_]:
    """Return which cells of a map have their centre in `area`.

    The result is bool [height, width]; `width` and `height` are those of the map in cells. A
    polygon is filled by the even-odd rule.
    """
    mask = np.zeros((height, width), bool)
    box = box_of(area, width, height)
    if box.cells:
        mask[box.slices] = part_of(area, box)
    return mask


def part_of(area: HandArea, box: CellBox) -> NDArray[np.bool_]:
    """Return which cells of `box` have their centre in `area`.

    The result is bool [rows, columns] of the box.
    """
    if area.shape == "ellipse":
        return _ellipse(area, box)
    columns = box.right - box.left
    # Every edge flips the cells of its rows from itself on to the right.
    flips = np.zeros((box.bottom - box.top, columns + 1), bool)
    for (x0, y0), (x1, y1) in zip(area.outline, (*area.outline[1:], area.outline[0]), strict=True):
        if y0 == y1:
            continue
        if y0 > y1:
            x0, y0, x1, y1 = x1, y1, x0, y0
        rows = np.arange(max(_first_cell(y0), box.top), min(_first_cell(y1), box.bottom))
        crossings = x0 + (rows + 0.5 - y0) * ((x1 - x0) / (y1 - y0))
        first = np.clip(np.ceil(crossings - 0.5), box.left, box.right).astype(np.int64)
        flips[rows - box.top, first - box.left] ^= True
    mask: NDArray[np.bool_] = np.logical_xor.accumulate(flips, axis=1)[:, :columns]
    return mask


def _ellipse(area: HandArea, box: CellBox) -> NDArray[np.bool_]:
    """Return which cells of `box` have their centre in the ellipse `area`.

    The ellipse may be rotated.
    """
    (x0, y0), (x1, y1), _, (x3, y3) = area.outline
    across, down = (x1 - x0, y1 - y0), (x3 - x0, y3 - y0)
    long = across[0] ** 2 + across[1] ** 2
    high = down[0] ** 2 + down[1] ** 2
    if long == 0 or high == 0:
        return np.zeros((box.bottom - box.top, box.right - box.left), bool)
    x = np.arange(box.left, box.right) + 0.5 - x0
    y = (np.arange(box.top, box.bottom) + 0.5 - y0)[:, None]
    # How far along either side the centre of a cell lies; 0.5 is the middle of the ellipse.
    u = (x * across[0] + y * across[1]) / long - 0.5
    v = (x * down[0] + y * down[1]) / high - 0.5
    inside: NDArray[np.bool_] = u * u + v * v <= 0.25
    return inside


def _first_cell(edge: float) -> int:
    """Return the first cell whose centre lies at or after coordinate `edge`."""
    return int(np.ceil(edge - 0.5))
