"""Split a map into the areas for which monsters and loot are drawn.

An area is a room, a square or the whole map, with its own budget of points. Its share says how far
it lies along the path through the level, since budgets can rise along the path.
"""

from __future__ import annotations

from collections import Counter
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from exporter.kernels import warn_uncompiled
from exporter.kernels.area_middles import COMPILED, middles
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer
from exporter.placement.ground import PlacementGround
from exporter.placement.spawn_rows import Share

Mask = NDArray[np.bool_]
NO_AREA = -1
NO_CELL = -1
# Time of the kernel when interpreted.
CELLS_A_SECOND = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """The areas of a map, each with its own budget of objects.

    Attributes:
        number: int32 [height, width]: the area of each cell, -1 outside all areas.
        names: The name of each area in messages.
        keys: A unique key of each area, from which its random numbers derive.
    """

    number: NDArray[np.int32]
    names: tuple[str, ...]
    keys: tuple[tuple[str | int, ...], ...]


def whole_map(height: int, width: int) -> Areas:
    """Return a map of this size as one area."""
    return Areas(np.zeros((height, width), np.int32), ("the map",), (("map",),))


def squares(height: int, width: int, cells: int) -> Areas:
    """Divide a map into squares, from its upper left corner.

    Args:
        height: Rows of the map.
        width: Cells in a row.
        cells: The number of cells of a square; its side is the square root, rounded up.
    """
    side = isqrt(cells - 1) + 1
    columns = -(-width // side)
    rows = -(-height // side)
    across = np.arange(width, dtype=np.int32) // side
    down = np.arange(height, dtype=np.int32) // side * columns
    places = [(column, row) for row in range(rows) for column in range(columns)]
    return Areas(
        down[:, None] + across[None, :],
        tuple(f"the square at [{column * side}, {row * side}]" for column, row in places),
        tuple(("square", column, row) for column, row in places),
    )


def rooms(ground: PlacementGround) -> Areas | None:
    """Return the rooms and named areas of the ground as areas.

    Return None without any. Of several layers the last one with rooms counts. A cell in
    several rooms belongs to the smallest room, and of equally large ones to the first.
    """
    layer = next((item for item in reversed(ground.layers) if item.rooms or item.masks), None)
    return None if layer is None else _rooms_of(layer)


def _rooms_of(layer: Layer) -> Areas:
    number = np.full(layer.cells.shape, NO_AREA, np.int32)
    names = [*(room.name for room in layer.rooms), *layer.masks]
    masks = list(layer.masks.values())
    sizes = [room.width * room.height for room in layer.rooms]
    sizes += [int(np.count_nonzero(mask)) for mask in masks]
    # Later ones cover earlier ones: the largest first.
    for position in sorted(range(len(names)), key=lambda item: (-sizes[item], -item)):
        if position >= len(layer.rooms):
            number[masks[position - len(layer.rooms)]] = position
            continue
        room = layer.rooms[position]
        bottom, right = max(room.y + room.height, 0), max(room.x + room.width, 0)
        number[max(room.y, 0) : bottom, max(room.x, 0) : right] = position
    seen: Counter[str] = Counter()
    keys: list[tuple[str | int, ...]] = []
    for name in names:
        seen[name] += 1
        keys.append(("room", name, seen[name]))
    return Areas(number, tuple(names), tuple(keys))


def shares_of(
    areas: Areas, walked: NDArray[np.int32], ahead: NDArray[np.int32]
) -> list[Share | None]:
    """Return how far along the path each area lies; None if not reachable.

    The path leads through the level, as the spec's `along` says. An area is measured at one cell:
    of its cells that are reachable from both ends of the path, the nearest to the middle of their
    bounding rectangle (of equally near cells the first, row by row).

    Args:
        areas: The areas.
        walked: int32 [height, width]: steps from the start of the path, -1 if not reachable.
        ahead: int32 [height, width]: steps to the end of the path, -1 if not reachable.
    """
    warn_uncompiled(COMPILED, "area_middles", areas.number.size, CELLS_A_SECOND)
    nearest = np.full(len(areas.names), NO_CELL, np.int64)
    boxes = np.full((len(areas.names), 5), NO_CELL, np.int64)
    walked, ahead = np.ascontiguousarray(walked), np.ascontiguousarray(ahead)
    number = np.ascontiguousarray(areas.number)
    middles(number.data, walked.data, ahead.data, boxes.data, nearest.data)
    # Areas without such a cell read any cell.
    done, rest = walked.ravel()[nearest].tolist(), ahead.ravel()[nearest].tolist()
    return [
        None if cell == NO_CELL else Share(walk, walk + left) if walk + left else Share(0, 1)
        for cell, walk, left in zip(nearest.tolist(), done, rest, strict=True)
    ]


def grouped(
    numbers: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Sort cells by area, keeping their order within each area.

    `numbers` is int32 [cells]: the area of each cell; at least one cell.

    Returns:
        The indices of the cells in the new order; for each area that occurs, where its cells start
        in this order; and the number of each of these areas.
    """
    # numpy sorts 16-bit numbers by their digits, several times as fast.
    small = numbers.astype(np.uint16) if int(numbers.max()) < 1 << 16 else numbers
    order = np.argsort(small, kind="stable")
    counts = np.bincount(numbers)
    present = np.flatnonzero(counts)
    ends = np.cumsum(counts[present])
    return order, ends - counts[present], present
