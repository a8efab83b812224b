"""Choose one of 16 or 47 tile pictures by equal neighbours (autotiling).

A neighbour mask has a bit for each neighbour, clockwise from north: N 1, NE 2, E 4, SE 8, S 16, SW
32, W 64, NW 128. A corner counts only between two set sides, which leaves 47 masks (the "blob"
set); sides alone make 16. The class of a picture is the rank of its mask in ascending order. Cells
beyond the map's edge count as the same tile, so that walls do not end there.

A corner set has pictures for points where four cells meet, chosen by which of the cells have the
tile: NW 1, NE 2, SE 4, SW 8. Beyond the map's edge the nearest cell is used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.model.tileset import AutotileSet, PictureSet

NORTH, NORTH_EAST, EAST, SOUTH_EAST = 1, 2, 4, 8
SOUTH, SOUTH_WEST, WEST, NORTH_WEST = 16, 32, 64, 128
SIDES = NORTH | EAST | SOUTH | WEST
_CORNERS = (
    (NORTH_EAST, NORTH | EAST),
    (SOUTH_EAST, SOUTH | EAST),
    (SOUTH_WEST, SOUTH | WEST),
    (NORTH_WEST, NORTH | WEST),
)
# The corners of a picture, in the order of the cells around a point.
_AROUND = (NORTH_WEST, NORTH_EAST, SOUTH_EAST, SOUTH_WEST)
# Steps (x, y) to the neighbours in the order of the bits.
_STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


def reduced(mask: int) -> int:
    """Remove from `mask` the corners that lack one of their two sides.

    A mask has a bit for each of eight neighbours, clockwise from north: a corner such as NE counts
    only if N and E are set.
    """
    for corner, sides in _CORNERS:
        if mask & sides != sides:
            mask &= ~corner
    return mask


BLOB_MASKS = tuple(sorted({reduced(mask) for mask in range(256)}))
EDGE_MASKS = tuple(sorted({mask & SIDES for mask in range(256)}))


# Where the four cells around a point lie in the mask of a tile, by the mask of the corner set.
CORNER_MASKS = tuple(
    sum(bit for position, bit in enumerate(_AROUND) if mask >> position & 1) for mask in range(16)
)
_MASKS: dict[PictureSet, tuple[int, ...]] = {
    "blob": BLOB_MASKS,
    "edges": EDGE_MASKS,
    "corners": CORNER_MASKS,
}


def masks_of(kind: PictureSet) -> tuple[int, ...]:
    """Return the mask of each picture of the set `kind`, in order.

    A mask has a bit for each neighbour with the same tile; for the set `corners`, for each of the
    four cells around a point.
    """
    return _MASKS[kind]


def neighbour_masks(same: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the neighbour mask of each cell: uint8 [height, width].

    `same` is bool [height, width]: the cells with the tile. A mask has a bit for each of the eight
    neighbours with the tile, clockwise from north.
    """
    height, width = same.shape
    padded = np.pad(same, 1, constant_values=True).astype(np.uint8)
    masks = np.zeros((height, width), np.uint8)
    for bit, (x, y) in enumerate(_STEPS):
        masks |= padded[1 + y : 1 + y + height, 1 + x : 1 + x + width] << np.uint8(bit)
    return masks


def classes(same: NDArray[np.bool_], kind: AutotileSet) -> NDArray[np.uint8]:
    """Return which picture each cell gets: its class, uint8 [height, width].

    A class is the number of a picture in its set. It is meaningless for cells without the tile.

    Args:
        same: bool [height, width]: the cells with the tile.
        kind: The set of pictures to choose from, such as `blob` with 47.
    """
    ranks = {mask: rank for rank, mask in enumerate(masks_of(kind))}
    keep = reduced if kind == "blob" else SIDES.__and__
    table = np.array([ranks[keep(mask)] for mask in range(256)], np.uint8)
    return table[neighbour_masks(same)]


def corner_masks(joined: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the mask of each point where four cells meet.

    A mask has a bit for each of these cells with the tile: NW 1, NE 2, SE 4, SW 8. `joined` is bool
    [height, width]: the cells with the tile. The result is uint8 [height + 1, width + 1]: at [y, x]
    the mask of the upper left corner of cell (x, y).
    """
    cells = np.pad(joined, 1, mode="edge").astype(np.uint8)
    masks = np.zeros((joined.shape[0] + 1, joined.shape[1] + 1), np.uint8)
    for bit, (y, x) in enumerate(((0, 0), (0, 1), (1, 1), (1, 0))):
        masks |= cells[y : y + len(masks), x : x + masks.shape[1]] << np.uint8(bit)
    return masks
