"""Hold the result of placing a group of objects."""

from __future__ import annotations

from collections.abc import Mapping

from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import Scalar

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PlacedGroup:
    """The cells of a placed object group, and the table rows drawn for them.

    Attributes:
        cells: The cells, (x, y), in the order in which they were chosen.
        requested: How many objects were drawn from a spawn table; 0 without a table.
        kinds: The properties of each table row that was drawn at least once.
        kind_of: For each object its index in `kinds`; empty without a table.
        shortfall: A text about the drawn objects that found no cell; empty if all did.
    """

    cells: tuple[Cell, ...]
    requested: int = 0
    kinds: tuple[Mapping[str, Scalar], ...] = ()
    kind_of: tuple[int, ...] = ()
    shortfall: str = ""
