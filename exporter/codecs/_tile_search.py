"""Divide the tiles of a layer into two classes, such as wall and floor.

The classes give the smallest code and are found by trial on a busy piece of the grid: first the
ascending ids are cut in two (tilesets group their tiles), and single ids are tried against the
rest; then single ids are moved across while this helps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Measure = Callable[[NDArray[Any], int, NDArray[np.uint8]], int]

# The side of the sampled piece, and the number of trials.
PIECE = 96
TRIALS = 160
# The same for values on a scale: the cuts leave equal shares of the cells on one side.
SCALE_PIECE = 48
SCALE_CUTS = 12


def scale_cut(grid: NDArray[Any], count: int, measure: Measure) -> NDArray[np.uint8]:
    """Return the best two classes that one threshold or one id can make.

    One class has the ids from the threshold on, or only the most frequent id. The result is uint8
    [count]: the class of each id, 0 or 1.

    Args:
        grid: The cells as ids from 0 to `count` - 1, [height, width].
        count: The number of ids, at least 2.
        measure: Returns the coded size of a grid, from the grid, `count` and the classes.
    """
    piece = busiest_piece(grid, SCALE_PIECE)
    frequency = np.bincount(grid.reshape(-1), minlength=count)
    below, index = np.cumsum(frequency), np.arange(count)
    shares = np.searchsorted(below, [grid.size * n // SCALE_CUTS for n in range(1, SCALE_CUTS)])
    cuts = sorted({1, *(int(cut) for cut in shares if 0 < cut < count)})
    attempted = [(index >= cut).astype(np.uint8) for cut in cuts]
    attempted.append((index == np.argmax(frequency)).astype(np.uint8))
    return min(attempted, key=lambda classes: measure(piece, count, classes))


def search_classes(grid: NDArray[Any], count: int, measure: Measure) -> NDArray[np.uint8]:
    """Divide ids into the two classes that give the smallest code.

    The classes are found by trial on the busiest piece of the grid. The result is uint8 [count]:
    the class of each id, 0 or 1.

    Args:
        grid: The cells as ids from 0 to `count` - 1, [height, width].
        count: The number of ids, at least 2.
        measure: Returns the coded size of a grid, from the grid, `count` and the classes.
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
    return best


def busiest_piece(grid: NDArray[Any], side: int = PIECE) -> NDArray[Any]:
    """Return the square piece of `grid` with the most differing neighbours.

    `side` is the side of the square in cells.
    """
    return np.ascontiguousarray(grid[busiest_position(grid, side)])


def busiest_position(grid: NDArray[Any], side: int = PIECE) -> tuple[slice, slice]:
    """Return rows and columns of the square with most differing neighbours.

    `side` is the side of the square in cells.
    """
    height, width = grid.shape
    rows = min(height, side)
    columns = min(width, side * side // rows)
    # Pieces more than half outside the grid are too small to be useful.
    tops = range(0, max(1, height - rows // 2), rows)
    lefts = range(0, max(1, width - columns // 2), columns)
    corners = [(top, left) for top in tops for left in lefts]

    def changes(corner: tuple[int, int]) -> int:
        piece = grid[corner[0] : corner[0] + rows, corner[1] : corner[1] + columns]
        across, down = piece[:, 1:] != piece[:, :-1], piece[1:] != piece[:-1]
        return int(np.count_nonzero(across)) + int(np.count_nonzero(down))

    top, left = max(corners, key=changes)
    return slice(top, top + rows), slice(left, left + columns)


def _cuts(count: int) -> list[int]:
    """Return the positions at which to try to cut `count` ids in two.

    These are all positions, or 24 if there are more.
    """
    if count <= 25:
        return list(range(1, count))
    return sorted({1 + (count - 2) * step // 23 for step in range(24)})
