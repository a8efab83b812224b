"""Compute a decoded level's visibility from its rule, on first use.

The rule takes four bytes, but its table may take gigabytes and minutes. So a level is read without
the table; on first use the table is charged to the budget of the level and computed.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.blob._budget import DecodingBudget
from exporter.model.errors import BlobError, ExporterError
from exporter.model.sight import Sight


class DerivedSight:
    """The cells that each cell sees, computed from the blob's rule on demand.

    It has the interface of `exporter.visibility.table.VisibilityTable`. Except for the four
    attributes, every access raises `BlobError` if the table is over the budget.

    Attributes:
        opaque: bool [height, width], the cells that block sight.
        radius: The range of sight, in cells.
        algorithm: The name of the rule.
        see_walls: Whether the opaque cells at the ends of rays are seen.
    """

    def __init__(
        self,
        opaque: NDArray[np.bool_],
        radius: int,
        algorithm: str,
        see_walls: bool,
        budget: DecodingBudget,
    ) -> None:
        self.opaque = opaque
        self.radius = radius
        self.algorithm = algorithm
        self.see_walls = see_walls
        self._budget = budget

    def charged_to(self, budget: DecodingBudget) -> DerivedSight:
        """Return a copy that subtracts the cost of its computation from `budget`."""
        return DerivedSight(self.opaque, self.radius, self.algorithm, self.see_walls, budget)

    @cached_property
    def _table(self) -> Sight:
        # Imported here: only who asks for visibility needs to know how it is computed.
        from exporter.visibility import compute_visibility, table_bytes

        height, width = self.opaque.shape
        size = table_bytes(width, height, self.radius, self.algorithm)
        what = f"the visibility of {width} x {height} cells at radius {self.radius}"
        self._budget.charge_sight(what, size, (self.algorithm, self.radius, self.see_walls))
        try:
            return compute_visibility(
                self.opaque, self.radius, self.algorithm, see_walls=self.see_walls
            )
        except (ExporterError, ValueError) as error:
            raise BlobError(f"the visibility cannot be computed from the layer: {error}") from error

    @property
    def mutual(self) -> bool:
        return self._table.mutual

    @property
    def offsets(self) -> NDArray[np.int16]:
        return self._table.offsets

    @property
    def blocks(self) -> NDArray[np.uint64]:
        return self._table.blocks

    @property
    def count(self) -> NDArray[np.int32]:
        return self._table.count

    def visible_from(self, x: Any, y: Any) -> NDArray[np.bool_]:
        return self._table.visible_from(x, y)

    def can_see(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        return self._table.can_see(a, b)

    def plane(self, index: int) -> NDArray[np.bool_]:
        return self._table.plane(index)

    def opposite_plane(self, index: int) -> NDArray[np.bool_]:
        return self._table.opposite_plane(index)

    def __getattr__(self, name: str) -> Any:
        # Private names are never the table's: a copy that is being made has no attributes yet.
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._table, name)
