"""Read the cells of an LDtk layer: IntGrid values or tiles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.handmade.ldtk.definitions import MAXIMUM_GRID, Definitions, LayerDefinition
from exporter.handmade.ldtk.project import LdtkLevel
from exporter.handmade.ldtk.values import Value, whole_numbers
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_CELLS, MAXIMUM_SIDE

# The highest IntGrid value; LDtk numbers them from 1 on.
MAXIMUM_VALUE = (1 << 31) - 1


@dataclass(frozen=True, slots=True, eq=False)
class LdtkGrid:
    """The cells of a layer in one level.

    Attributes:
        level: The level.
        cells: uint32 [height, width]: IntGrid values, or ids of tiles plus 1; 0 is empty.
        size: Side of a cell in pixels.
        x: Column of the grid's left edge in the world, in pixels.
        y: Row of the grid's upper edge in the world, in pixels.
        tileset: LDtk's number of the tileset; None for IntGrid values, or without any tile.
        covered: Number of tiles that lie below others, and are not in `cells`.
    """

    level: LdtkLevel
    cells: NDArray[np.uint32]
    size: int
    x: int
    y: int
    tileset: int | None = None
    covered: int = 0

    @property
    def width(self) -> int:
        """The number of cells in a row."""
        return int(self.cells.shape[1])

    @property
    def height(self) -> int:
        """The number of rows."""
        return int(self.cells.shape[0])


def read_grid(
    instances: Value, level: LdtkLevel, layer: LayerDefinition, definitions: Definitions
) -> LdtkGrid:
    """Read the cells of `layer`, IntGrid values or tiles, in `level`.

    `instances` is the JSON of the level's layers.

    Raises:
        ParameterError: The layer is missing, broken or too large.
    """
    instance = _instance(instances, layer)
    width = instance.key("__cWid").integer(1, MAXIMUM_SIDE)
    height = instance.key("__cHei").integer(1, MAXIMUM_SIDE)
    if width * height > MAXIMUM_CELLS:
        raise ParameterError(
            f"{instance.path} has {width} x {height} cells (allowed: {MAXIMUM_CELLS})"
        )
    size = instance.key("__gridSize").integer(1, MAXIMUM_GRID)
    # That a layer is shifted in its level changes how it looks, not which cells it has.
    x, y = level.x, level.y
    if layer.type == "IntGrid":
        values = instance.key("intGridCsv").integers(width * height, MAXIMUM_VALUE)
        return LdtkGrid(level, values.astype(np.uint32).reshape(height, width), size, x, y)
    cells, covered = _tiles(instance, width, height, size)
    tileset = None
    if cells.any():
        uid = instance.key("__tilesetDefUid")
        tileset = uid.integer()
        known = definitions.tilesets.get(tileset)
        if known is None:
            raise ParameterError(f"{uid.path} names a tileset that the project does not have")
        if int(cells.max()) > known.count:
            raise ParameterError(
                f"{instance.path} uses tile {int(cells.max()) - 1} of the tileset {known.name}, "
                f"which has {known.count}"
            )
    return LdtkGrid(level, cells, size, x, y, tileset, covered)


def _instance(instances: Value, layer: LayerDefinition) -> Value:
    for instance in instances.items():
        if instance.key("layerDefUid").integer() == layer.uid:
            return instance
    raise ParameterError(f"{instances.path} has no layer {layer.name!r}")


def _tiles(instance: Value, width: int, height: int, size: int) -> tuple[NDArray[np.uint32], int]:
    """Return each cell's topmost tile id plus 1, and how many are covered."""
    tiles = instance.key("gridTiles")
    result = tiles.values()
    across = _numbers(tiles, lambda: [tile["px"][0] for tile in result]) // size
    down = _numbers(tiles, lambda: [tile["px"][1] for tile in result]) // size
    numbers = _numbers(tiles, lambda: [tile["t"] for tile in result])
    wrong = (across < 0) | (across >= width) | (down < 0) | (down >= height) | (numbers < 0)
    wrong |= numbers > MAXIMUM_VALUE
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ParameterError(f"{tiles.path}[{first}] is outside the layer, or is not a tile")
    cells = np.zeros((height, width), np.uint32)
    # LDtk lists the lower tiles of a cell first; numpy keeps the last of several.
    cells[down, across] = (numbers + 1).astype(np.uint32)
    return cells, len(result) - int(np.count_nonzero(cells))


def _numbers(tiles: Value, collect: Any) -> NDArray[np.int64]:
    """Return what `collect` yields for all `tiles`, as an array.

    `collect` returns one number for a tile of the list.
    """
    try:
        numbers = whole_numbers(collect())
    except (LookupError, TypeError):
        numbers = None
    if numbers is None:
        raise tiles.wrong("a list of tiles with `px` and `t`")
    return numbers
