"""Finding the two classes of a tile layer: which ids are wall, which are floor.

Nobody tells the encoder, so it tries: cuts through the ascending ids (tilesets group their tiles)
and single ids against the rest on a busy piece of the grid, then moves single ids across while
that helps. The measure is the coded size itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Measure = Callable[[NDArray[Any], int, NDArray[np.uint8]], int]

# The side of the piece the search looks at, and how many trials it may spend.
PIECE = 96
TRIALS = 160


def candidate_classes(
    grid: NDArray[Any], count: int, measure: Measure
) -> Iterator[NDArray[np.uint8]]:
    """Yield the most promising classes (uint8 [count], 0 or 1 for each id), best first.

    Args:
        grid: Dense ids [height, width].
        count: How many ids there are.
        measure: Returns the coded size of a grid with given classes.
    """
    piece = busiest_piece(grid)
    frequency = np.bincount(piece.reshape(-1), minlength=count)
    order = np.argsort(-frequency, kind="stable")
    index = np.arange(count)
    starts = [index >= cut for cut in _cuts(count)]
    starts += [index == tile for tile in order[:8] if count > 2]
    sizes: dict[bytes, int] = {}

    def size(classes: NDArray[np.uint8]) -> int:
        key = classes.tobytes()
        if key not in sizes:
            sizes[key] = measure(piece, count, classes)
        return sizes[key]

    best = min((start.astype(np.uint8) for start in starts), key=size)
    improved = True
    while improved and len(sizes) < TRIALS:
        improved = False
        for tile in order[:64]:
            if len(sizes) >= TRIALS or not frequency[tile]:
                break
            moved = best.copy()
            moved[tile] ^= 1
            if 0 < int(moved.sum()) < count and size(moved) < size(best):
                best, improved = moved, True
    yield best


def busiest_piece(grid: NDArray[Any], side: int = PIECE) -> NDArray[Any]:
    """Return the piece of at most `side` x `side` cells in which neighbours differ most often."""
    height, width = grid.shape
    if height <= side and width <= side:
        return grid
    best, most = (0, 0), -1
    for top in range(0, max(1, height - side // 2), side):
        for left in range(0, max(1, width - side // 2), side):
            piece = grid[top : top + side, left : left + side]
            changes = int((piece[1:] != piece[:-1]).sum()) + int(
                (piece[:, 1:] != piece[:, :-1]).sum()
            )
            if changes > most:
                best, most = (top, left), changes
    top, left = best
    return np.ascontiguousarray(grid[top : top + side, left : left + side])


def _cuts(count: int) -> list[int]:
    """Return where to cut the ascending ids in two: everywhere, or at 24 places."""
    if count <= 25:
        return list(range(1, count))
    return sorted({1 + (count - 2) * step // 23 for step in range(24)})
