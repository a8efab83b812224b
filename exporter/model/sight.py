"""Define the interface of a level's field of view: who sees which cells.

`exporter.visibility.table.VisibilityTable` is the exporter's implementation.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Sight(Protocol):
    """A field of view: for every cell the cells that are seen from it.

    The attributes are as in `VisibilityTable`.
    """

    @property
    def opaque(self) -> NDArray[np.bool_]:
        """The cells that block sight: bool [height, width]."""

    @property
    def radius(self) -> int:
        """The range of sight, in cells."""

    @property
    def algorithm(self) -> str:
        """The name of the rule of sight."""

    @property
    def see_walls(self) -> bool:
        """Whether opaque cells at the ends of rays are seen."""

    @property
    def mutual(self) -> bool:
        """Whether one plane serves two opposite offsets."""

    @property
    def offsets(self) -> NDArray[np.int16]:
        """The offsets (dx, dy) from origin to seen cell: int16 [planes, 2]."""

    @property
    def blocks(self) -> NDArray[np.uint64]:
        """The bits of all planes, in the layout of `exporter.visibility.table`."""

    @property
    def count(self) -> NDArray[np.int32]:
        """The number of cells that each cell sees: int32 [height, width]."""

    def visible_from(self, x: Any, y: Any) -> NDArray[np.bool_]:
        """Return the cells that (x, y) sees: bool [height, width]."""

    def can_see(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        """Return whether the cell `a` sees the cell `b`."""

    def plane(self, index: int) -> NDArray[np.bool_]:
        """Return the origins that see the cell at an offset: bool [height, width]."""

    def opposite_plane(self, index: int) -> NDArray[np.bool_]:
        """Return the origins that see the cell opposite: bool [height, width]."""
