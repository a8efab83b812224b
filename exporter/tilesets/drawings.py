"""Compose the drawing of a layer: grids of pictures on top of each other.

One is the layer's cells. Others show tiles below the edges of tiles that lie on them, and tiles
whose pictures stand between the cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class PictureGrid:
    """A grid of pictures.

    Attributes:
        tile: The name of the tile that all of them show; empty for the cells themselves.
        numbers: Tile numbers, -1 for none: int32 [height, width], or one more each way.
        between_cells: Whether it has a picture for each corner of the cells, in the middle of
            which the corner is: all is drawn half a tile up and left.
    """

    tile: str
    numbers: NDArray[np.int32]
    between_cells: bool = False


def without_hidden(
    drawings: Sequence[PictureGrid], solid: NDArray[np.bool_]
) -> tuple[PictureGrid, ...]:
    """Return drawings without hidden pictures; cells keep all of theirs.

    Args:
        drawings: From the bottom to the top.
        solid: Which numbers have a picture without any clear pixel.
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
    """Return corners with four cells among some; beyond the map never."""
    padded = np.pad(cells, 1)
    return padded[1:, 1:] & padded[1:, :-1] & padded[:-1, 1:] & padded[:-1, :-1]
