"""Compute the contexts from which the tile codec predicts each cell.

A context is what is known of the cells around: their ids, or their classes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.codecs._range import FRESH, rates, view

# Factors of mask, W, N, NW, NE, WW, NN: odd constants whose sums scatter over 32 bits.
_MASK, _W, _N = 0xFD7046C5, 0x9E3779B1, 0x85EBCA77
_NW, _NE, _WW, _NN = 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1, 0xD3A2646D
_NOTHING = (0, 0, 0, 0, 0, 0, 0)
_TWO = (0, _W, _N, 0, 0, 0, 0)
_FOUR = (0, _W, _N, _NW, _NE, 0, 0)
_SIX = (0, _W, _N, _NW, _NE, _WW, _NN)
_ONLY_MASK = (1 << 23, 0, 0, 0, 0, 0, 0)
_MASK_TWO = (_MASK, _W, _N, 0, 0, 0, 0)
_MASK_FOUR = (_MASK, _W, _N, _NW, _NE, 0, 0)
MENUS = ((_NOTHING,), (_TWO, _FOUR), (_TWO, _FOUR, _SIX), (_NOTHING, _TWO))
MASKED_MENUS = ((_ONLY_MASK,), (_ONLY_MASK, _MASK_TWO), (_ONLY_MASK, _MASK_TWO, _MASK_FOUR))


def nine_classes(classes: NDArray[np.uint8], edge: int) -> NDArray[np.uint16]:
    """Return the classes of each cell and its 8 neighbours, as 9 bits.

    `classes` has 0 or 1 for each cell, `edge` is the class of cells outside the grid.
    """
    height, width = classes.shape
    framed = np.full((height + 2, width + 2), edge, np.uint16)
    framed[1:-1, 1:-1] = classes
    across = framed[:, :width] << np.uint16(2) | framed[:, 1:-1] << np.uint16(1) | framed[:, 2:]
    masks = across[:height] << np.uint16(6) | across[1:-1] << np.uint16(3) | across[2:]
    return np.asarray(masks, np.uint16)


class Tables:
    """The probabilities with which the cells of one grid are coded.

    Each belongs to a context, what is known of the cells around, and adapts to each coded cell.
    """

    def __init__(self, masked: bool, menu: int, size: tuple[int, int], ids: int) -> None:
        levels = MASKED_MENUS[menu] if masked else MENUS[menu]
        cells = size[0] * size[1]
        hashed = min(16, max(8, max(0, cells - 1).bit_length()))
        self.shape = np.zeros((len(levels), 10), np.int64)
        first = 0
        for level, factors in enumerate(levels):
            width = {_NOTHING: 0, _ONLY_MASK: 9}.get(factors, hashed)
            self.shape[level] = (first, 32 - width, *factors, 0)
            first += 1 << width
        self.shape[0, 9] = max(1, ids - 1).bit_length()
        self.contexts = np.zeros((first, 8), np.uint8)
        self.states = np.zeros((first, 6), np.uint32)
        self.literals = np.full((2, 256), FRESH, np.uint32)

    @property
    def first_candidates(self) -> NDArray[np.uint8]:
        """The first tile seen in each context."""
        return self.contexts[:, 0]

    @property
    def lengths(self) -> NDArray[np.uint8]:
        """The number of tiles that have followed each context so far."""
        return self.contexts[:, 6]

    def views(self) -> tuple[memoryview, ...]:
        """Return the arrays in the order that the compiled kernel expects."""
        arrays = self.shape, self.contexts, self.states, self.literals, rates()
        return tuple(view(array) for array in arrays)
