"""Group chunks of a world into blocks, so that wide margins cost less.

Every chunk is surveyed with a margin of cells around it, the halo. With a halo many times as wide
as a chunk, each cell would be built a hundred times. In blocks that are a few times as wide as the
halo, each cell is built only about twice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.model.limits import MAXIMUM_CELLS
from exporter.model.windows import Window

# The width of a block in halos; with 4, a block and its halo have 2.25 times the block's cells.
_HALOS = 4


def parts_a_side(size: tuple[int, int], chunk: int, halo: int) -> int:
    """Return how many chunks lie along a side of a block.

    A block is a square of chunks that are surveyed together.

    Args:
        size: Width and height of the world in cells.
        chunk: The side of a chunk in cells.
        halo: The width of the margin around a block in cells.
    """
    count = max(1, -(-_HALOS * halo // chunk))
    while count > 1 and not may_be_seen(size, count * chunk + 2 * halo):
        count -= 1
    return count


def may_be_seen(size: tuple[int, int], side: int) -> bool:
    """Return whether a square of cells is small enough for one survey.

    `side` is its side; cells beyond the world's `size` do not count.
    """
    return min(side, size[0]) * min(side, size[1]) <= MAXIMUM_CELLS


def block_of(part: Window, chunk: int, halo: int) -> Window | None:
    """Return the block of the chunk `part` if this chunk represents the block.

    A block is a square of chunks that are surveyed together. None for all chunks but one: this is
    in the left column of its block, in different rows in adjacent blocks, since different processes
    survey different rows.

    Args:
        part: The cells of the chunk.
        chunk: The side of a chunk in cells.
        halo: The width of the margin around a block in cells.
    """
    count = parts_a_side(part.whole, chunk, halo)
    block = blocks_around(part, chunk, halo)
    rows = -(-block.height // chunk)
    turn = (block.x // chunk // count) % rows
    return block if (part.x, part.y) == (block.x, block.y + turn * chunk) else None


def blocks_around(window: Window, chunk: int, halo: int) -> Window:
    """Return the smallest window of whole blocks around `window`.

    A block is a square of chunks that are surveyed together. The result ends at the world's edges.

    Args:
        window: Any window of the world.
        chunk: The side of a chunk in cells.
        halo: The width of the margin around a block in cells.
    """
    side = parts_a_side(window.whole, chunk, halo) * chunk
    left, top = window.x // side * side, window.y // side * side
    right = min(window.whole[0], -(-window.right // side) * side)
    bottom = min(window.whole[1], -(-window.bottom // side) * side)
    return Window(left, top, right - left, bottom - top, window.whole)


def window_of_parts(firsts: NDArray[np.uint32], size: tuple[int, int], chunk: int) -> Window:
    """Return the smallest window that contains some chunks.

    Args:
        firsts: The first cell of each of the chunks, as y * width of the world + x; at least one.
        size: Width and height of the world in cells.
        chunk: The side of a chunk in cells.
    """
    y, x = np.divmod(firsts.astype(np.int64), size[0])
    left, top = int(x.min()), int(y.min())
    right, bottom = min(size[0], int(x.max()) + chunk), min(size[1], int(y.max()) + chunk)
    return Window(left, top, right - left, bottom - top, size)
