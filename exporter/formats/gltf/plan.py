"""Decide what a 3D model shows in each cell: floor, wall, liquid, door."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level, Tile
from exporter.tilesets.materials import Family, material_of

# The number for empty cells.
NOTHING = -1
# How far liquids and pits lie below the floor, in sides of a cell; walkable ones
# are shallow.
_DEPTHS: dict[Family, float] = {"water": 0.25, "deep": 0.25, "lava": 0.25, "pit": 1.0}
_SHALLOW = 0.125
# The height of unwalkable tiles that do not block sight, as a share of a wall's.
_LOW = 0.4


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of cell in a 3D model: a tile with its depth and height.

    Attributes:
        tile: The tile.
        layer: The layer whose pictures the tile uses.
        depth: How far the cell lies below the floor, in sides of a cell.
        height: How far the cell rises above the floor, as a share of a wall's height.
        door: Whether a door stands on the floor.
    """

    tile: Tile
    layer: str
    depth: float = 0.0
    height: float = 0.0
    door: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CellPlan:
    """The kind of each cell of a level.

    Attributes:
        kinds: The kinds that occur.
        cells: int16 [height, width]: the index in `kinds` of each cell, NOTHING for an empty cell.
        is_part: Whether the level is a chunk of a world, with other chunks at its border.
    """

    kinds: tuple[Kind, ...]
    cells: NDArray[np.int16]
    is_part: bool = False

    def of_cells(self, values: list[float], nothing: float) -> NDArray[np.float64]:
        """Return the entry of `values` for each cell's kind, with a border.

        `values` has an entry for each of `kinds`. Empty cells and the border, which is one cell
        wide, get `nothing`.
        """
        table = np.array([*values, nothing])
        return table[np.pad(self.cells, 1, constant_values=NOTHING)]


def level_plan(level: Level) -> CellPlan:
    """Return which kind of cell a 3D model shows in each cell of a level.

    Where several play layers have tiles, the last tile that blocks counts, or else the last tile.
    """
    shape = level.height, level.width
    cells = np.full(shape, NOTHING, np.int16)
    blocked = np.zeros(shape, bool)
    numbers: dict[Kind, int] = {}
    for layer in level.play_layers():
        kinds = np.full(1 << 8 * layer.cells.itemsize, NOTHING, np.int16)
        for tile in layer.tiles:
            if not tile.empty and tile.id < kinds.size:
                kinds[tile.id] = numbers.setdefault(kind_of(tile, layer), len(numbers))
        blocking = layer.lookup([tile.blocking for tile in layer.tiles])
        here = kinds[layer.cells]
        displayed = (here != NOTHING) & (blocking | ~blocked)
        cells[displayed] = here[displayed]
        blocked |= blocking
    used = np.unique(cells[cells != NOTHING])
    renumbered = np.full(len(numbers) + 1, NOTHING, np.int16)
    renumbered[used] = np.arange(used.size)
    known = list(numbers)
    kinds_used = tuple(known[number] for number in used.tolist())
    return CellPlan(kinds_used, renumbered[cells], level.part is not None)


def kind_of(tile: Tile, layer: Layer) -> Kind:
    """Return the kind of cells that have `tile` of `layer`."""
    if tile.door:
        return Kind(tile, layer.name, door=True)
    depth = _DEPTHS.get(material_of(tile).family)
    if depth is not None:
        return Kind(tile, layer.name, depth=_SHALLOW if tile.walkable else depth)
    if tile.walkable:
        return Kind(tile, layer.name)
    return Kind(tile, layer.name, height=1.0 if tile.opaque else _LOW)
