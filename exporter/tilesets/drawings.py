"""Compose the drawing of a layer: grids of pictures, one above the other.

One grid has the layer's cells. Extra grids show tiles that lie below the edges of other tiles, and
tiles whose pictures lie between the cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class PictureGrid:
    """A grid of tile pictures; a layer is drawn as one or more, stacked.

    One grid has the layer's cells. Each extra grid shows one tile, below or above the cells or
    between them.

    Attributes:
        tile: The name of an extra grid's tile; empty for the grid of the cells.
        numbers: Tile numbers, -1 for none: int32 [height, width]; with `between_cells` one more row
            and column.
        between_cells: Whether the pictures are centred on the corners of cells. The grid is then
            drawn half a tile up and left.
    """

    tile: str
    numbers: NDArray[np.int32]
    between_cells: bool = False


def without_hidden(
    drawings: Sequence[PictureGrid], solid: NDArray[np.bool_]
) -> tuple[PictureGrid, ...]:
    """Return `drawings` without pictures that higher grids hide completely.

    Args:
        drawings: The grids of a layer, bottom to top. The grid of the cells keeps all pictures.
        solid: For each tile number, whether its picture has no clear pixel.
    """
    height, width = next(item.numbers.shape for item in drawings if not item.between_cells)
    cells = np.zeros((height, width), bool)
    corners = np.zeros((height + 1, width + 1), bool)
    seen = []
    for drawing in reversed(drawings):
        hidden = corners | _around_corners(cells) if drawing.between_cells else cells
        if drawing.tile:
            drawing = replace(drawing, numbers=np.where(hidden, np.int32(-1), drawing.numbers))
        seen.append(drawing)
        covers = (drawing.numbers >= 0) & solid[drawing.numbers]
        if drawing.between_cells:
            corners |= covers
            cells |= corners[1:, 1:] & corners[1:, :-1] & corners[:-1, 1:] & corners[:-1, :-1]
        else:
            cells |= covers
    return tuple(reversed(seen))


def _around_corners(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the corners around which all four cells are True in `cells`.

    The result is bool [height + 1, width + 1].
    """
    padded = np.pad(cells, 1)
    return padded[1:, 1:] & padded[1:, :-1] & padded[:-1, 1:] & padded[:-1, :-1]
