"""Hold the result of placing a group of objects."""

from __future__ import annotations

from collections.abc import Mapping

from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Scalar

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PlacedGroup:
    """The places of a group of objects.

    Attributes:
        cells: The cells, (x, y), in the order in which they were chosen.
        requested: How many objects were drawn from a table; 0 for other objects.
        kinds: The properties of the rows of the table that appear.
        kind_of: Which of these each object has; empty for objects of no table.
        shortfall: The objects of a table without space; may be empty.
    """

    cells: tuple[Cell, ...]
    requested: int = 0
    kinds: tuple[Mapping[str, Scalar], ...] = ()
    kind_of: tuple[int, ...] = ()
    shortfall: str = ""
