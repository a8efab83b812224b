"""Join the grids of one LDtk level, or of adjacent levels of a world."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.handmade.ldtk.definitions import Definitions
from exporter.handmade.ldtk.grids import LdtkGrid
from exporter.handmade.maps import HandTile
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_CELLS, MAXIMUM_SIDE


@dataclass(frozen=True, slots=True)
class WorldFrame:
    """The rectangle of an LDtk world that becomes a map.

    `x` and `y` are its corner and `size` the side of a cell, in pixels of the world; `width` and
    `height` count cells.
    """

    x: int
    y: int
    size: int
    width: int
    height: int

    def cells(self, x: float, y: float) -> tuple[float, float]:
        """Convert position (x, y) from pixels of the world to cells of the map."""
        return (x - self.x) / self.size, (y - self.y) / self.size


def frame_of(grids: Sequence[LdtkGrid]) -> WorldFrame:
    """Return the smallest rectangle of the world that contains all `grids`.

    Raises:
        ParameterError: The grids have cells of different sizes, or are not aligned, or the map
            would be too large.
    """
    first = grids[0]
    size = first.size
    left, top = min(grid.x for grid in grids), min(grid.y for grid in grids)
    for grid in grids:
        if grid.size != size:
            raise ParameterError(
                f"the cells of the level {grid.level.name!r} have {grid.size} pixels, but those "
                f"of {first.level.name!r} have {size}, and levels with different grids cannot be "
                "joined (name one level)",
                ("world",),
            )
        beside = (grid.x - left) % size, (grid.y - top) % size
        if beside != (0, 0):
            raise ParameterError(
                f"the level {grid.level.name!r} is shifted by {beside[0]} and {beside[1]} pixels "
                f"from the grid of {size} pixels of the levels to its left and above (move it in "
                "LDtk, or name one level)",
                ("world",),
            )
    width = max((grid.x - left) // size + grid.width for grid in grids)
    height = max((grid.y - top) // size + grid.height for grid in grids)
    if width > MAXIMUM_SIDE or height > MAXIMUM_SIDE or width * height > MAXIMUM_CELLS:
        raise ParameterError(
            f"the world has {width} x {height} cells (allowed: {MAXIMUM_SIDE} each way, "
            f"{MAXIMUM_CELLS} in all)",
            ("world",),
        )
    return WorldFrame(left, top, size, width, height)


def joined_cells(grids: Sequence[LdtkGrid], frame: WorldFrame) -> NDArray[np.uint32]:
    """Join the cells of all `grids` to one map: uint32 [height, width].

    Raises:
        ParameterError: Two levels have different tiles in the same cell.
    """
    joined = np.zeros((frame.height, frame.width), np.uint32)
    for index, grid in enumerate(grids):
        x, y = (grid.x - frame.x) // frame.size, (grid.y - frame.y) // frame.size
        part = joined[y : y + grid.height, x : x + grid.width]
        differing = (part != 0) & (grid.cells != 0) & (part != grid.cells)
        if differing.any():
            row, column = (int(item) for item in np.argwhere(differing)[0])
            other = _level_at(grids[:index], frame, x + column, y + row)
            raise ParameterError(
                f"the levels {other!r} and {grid.level.name!r} overlap and differ at cell "
                f"({x + column}, {y + row}) of the world (move one in LDtk, give it another world "
                "depth, or name one level)",
                ("world",),
            )
        np.copyto(part, grid.cells, where=grid.cells != 0)
    return joined


def _level_at(grids: Sequence[LdtkGrid], frame: WorldFrame, x: int, y: int) -> str:
    """Return the name of the last level with a tile in cell (x, y) of the map."""
    for grid in reversed(grids):
        column = x - (grid.x - frame.x) // frame.size
        row = y - (grid.y - frame.y) // frame.size
        inside = 0 <= column < grid.width and 0 <= row < grid.height
        if inside and grid.cells[row, column]:
            return grid.level.name
    raise AssertionError("no level has a tile at this cell")


def numbered(
    grids: Sequence[LdtkGrid], definitions: Definitions
) -> tuple[list[LdtkGrid], dict[int, HandTile]]:
    """Renumber tiles, so that those of different tilesets differ.

    The cells of `grids` are ids of tiles plus 1, counted within their tileset. The first tileset
    that is used keeps these numbers; the numbers of each further one follow those of the one before
    it.

    Returns:
        The grids with new numbers, and the tile of each number.
    """
    used = [uid for uid in definitions.tilesets if any(grid.tileset == uid for grid in grids)]
    starts: dict[int | None, int] = {}
    start = 0
    for uid in used:
        starts[uid] = start
        start += definitions.tilesets[uid].count
    tiles: dict[int, HandTile] = {}
    renumbered = []
    for grid in grids:
        before = starts.get(grid.tileset, 0)
        cells = np.where(grid.cells != 0, grid.cells + np.uint32(before), np.uint32(0))
        renumbered.append(
            LdtkGrid(grid.level, cells, grid.size, grid.x, grid.y, grid.tileset, grid.covered)
        )
        if grid.tileset is None:
            continue
        for number in np.unique(grid.cells[grid.cells != 0]).tolist():
            tiles[number + before] = definitions.tilesets[grid.tileset].tile(number - 1)
    return renumbered, tiles
