"""Define fixed cells: cells of a map that are set before generation."""

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
        tiles: The tiles of fixed cells, in the order of their ids.
        cells: int32 [height, width]: the id of the fixed tile; -1 elsewhere.
        closed: bool [height, width]: cells without a fixed tile that must not be walkable, because
            of `only_in` or `never_in`.
        open: bool [height, width]: cells with a fixed tile that is walkable.
        blocked: bool [height, width]: cells that must not be walkable, by their tile or because
            they are closed.
        rooms: The rooms of the layer that `fixed` names.
        masks: The named areas of that layer, bool [height, width] each.
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
        """Which cells have a fixed tile, or must not be walkable."""
        return self.open | self.blocked
