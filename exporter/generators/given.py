"""Hold the fixed cells of a map, for generators that keep them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Room, Tile

Ids = NDArray[np.int32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class FixedCells:
    """The cells of a map that are fixed in advance.

    Attributes:
        tiles: The tiles that are given, by ascending id.
        cells: int32 [height, width]: the id of the given tile, -1 where none is.
        closed: bool [height, width]: cells without a given tile that must not be walkable.
        open: bool [height, width]: cells with a tile that can be walked on.
        blocked: bool [height, width]: cells that cannot be walked on, by their tile or as closed.
        rooms: The rooms of the layer that gives the cells.
        masks: Its named areas, bool [height, width] each.
    """

    tiles: tuple[Tile, ...]
    cells: Ids
    closed: Mask
    open: Mask
    blocked: Mask
    rooms: tuple[Room, ...] = ()
    masks: Mapping[str, Mask] = field(default_factory=dict)

    @property
    def kept(self) -> Mask:
        """The cells that nothing may change: bool [height, width]."""
        return self.open | self.blocked
