"""Define the interface of a level's field of view: which cells see which.

`exporter.visibility.table.VisibilityTable` is the exporter's implementation.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Sight(Protocol):
    """A field of view: for every cell (origin), the cells seen from it.

    It is stored as planes. A plane belongs to an offset (dx, dy) and has a bit for every origin:
    whether the origin sees the cell at this offset from itself.
    """

    @property
    def opaque(self) -> NDArray[np.bool_]:
        """The cells that block sight: bool [height, width]."""

    @property
    def radius(self) -> int:
        """The range of sight, in cells."""

    @property
    def algorithm(self) -> str:
        """The name of the algorithm that decides which cells are seen."""

    @property
    def see_walls(self) -> bool:
        """Whether `raycast` sees the opaque cells at the ends of its rays."""

    @property
    def mutual(self) -> bool:
        """Whether sight is symmetric, so that one plane serves opposite offsets."""

    @property
    def offsets(self) -> NDArray[np.int16]:
        """The offset (dx, dy) of each plane: int16 [planes, 2]."""

    @property
    def blocks(self) -> NDArray[np.uint64]:
        """The bits of all planes, as `exporter.visibility.table` arranges them."""

    @property
    def count(self) -> NDArray[np.int32]:
        """How many cells each cell sees: int32 [height, width]."""

    def visible_from(self, x: Any, y: Any) -> NDArray[np.bool_]:
        """Return the cells that the cell (x, y) sees: bool [height, width]."""

    def can_see(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        """Return whether the cell `a` sees the cell `b`."""

    def plane(self, index: int) -> NDArray[np.bool_]:
        """Return which cells see the cell that is `offsets[index]` away from them.

        The result is bool [height, width].
        """

    def opposite_plane(self, index: int) -> NDArray[np.bool_]:
        """Return which cells see the cell at the opposite of `offsets[index]`.

        The result is bool [height, width].
        """
