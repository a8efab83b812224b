"""Define what differs between two levels, `was` and `now`."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import LayerKind, Level, PlacedObject, Scalar

ChangeKind = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class NamedChange:
    """A named value that differs; None on the side that lacks it."""

    name: str
    kind: ChangeKind
    was: Any = None
    now: Any = None


@dataclass(frozen=True, slots=True)
class PartChange:
    """A part of a level that differs, with the values that differ."""

    name: str
    kind: ChangeKind
    values: tuple[NamedChange, ...] = ()


@dataclass(frozen=True, slots=True)
class TilePair:
    """How many cells changed from one tile to another."""

    was: str
    now: str
    cells: int


@dataclass(frozen=True, slots=True)
class Box:
    """The smallest rectangle, in cells, that contains all changes."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True, eq=False)
class CellChanges:
    """The cells or samples of a layer that differ.

    Attributes:
        mask: The differing cells: bool [height, width] of the area that both layers have, from the
            upper left corner.
        changed: How many.
        box: Their bounds, or None.
        pairs: Their old and new tiles, most frequent first; empty for heights.
    """

    mask: NDArray[np.bool_]
    changed: int
    box: Box | None
    pairs: tuple[TilePair, ...] = ()

    @property
    def compared(self) -> int:
        """How many cells were compared."""
        return int(self.mask.size)

    @property
    def share(self) -> float:
        """The share of the compared cells that differ, 0 to 1."""
        return self.changed / self.compared if self.compared else 0.0


@dataclass(frozen=True, slots=True)
class HeightChanges:
    """How much heights differ, in the layer's units.

    Attributes:
        units: The units; both layers have the same ones.
        raised: Samples that are higher now.
        lowered: Samples that are lower now.
        largest: The largest difference.
        mean: The mean difference of the samples that differ, without signs.
    """

    units: str
    raised: int
    lowered: int
    largest: float
    mean: float


@dataclass(frozen=True, slots=True)
class WalkableChanges:
    """Cells that became walkable or unwalkable."""

    opened: int
    closed: int


@dataclass(frozen=True, slots=True)
class ListChange:
    """A list that differs: both lengths, and the number of common entries."""

    was: int
    now: int
    same: int


@dataclass(frozen=True, slots=True, eq=False)
class LayerDifference:
    """The differences between two layers of one name.

    Attributes:
        name: The name.
        kind: `tiles` or `heights`, of the second level.
        facts: Values of the layer as a whole that differ: size, kind, role, generator, range.
        legend: Tiles that were added, removed or redefined; `was` and `now` are a `Tile`.
        cells: The cells that differ; None if one layer has tiles and the other heights.
        heights: How much heights differ; None for tiles and for layers in different units.
        walkable: The cells of the layer that became walkable or unwalkable; None if one of them
            does not define walkable cells.
        masks: Differing masks, with their numbers of differing cells.
        rooms: The rooms, if they differ.
        connections: The connections of rooms, if they differ.
    """

    name: str
    kind: LayerKind
    facts: tuple[NamedChange, ...]
    legend: tuple[NamedChange, ...]
    cells: CellChanges | None
    heights: HeightChanges | None
    walkable: WalkableChanges | None
    masks: tuple[tuple[str, int], ...]
    rooms: ListChange | None
    connections: ListChange | None

    @property
    def differs(self) -> bool:
        """Whether there is any difference."""
        cells = self.cells is None or self.cells.changed > 0
        walkable = self.walkable is not None and self.walkable != WalkableChanges(0, 0)
        lists = self.rooms is not None or self.connections is not None
        return bool(cells or walkable or lists or self.facts or self.legend or self.masks)


@dataclass(frozen=True, slots=True, eq=False)
class NumberedObject:
    """An object, and its number among those of its name, from 1."""

    number: int
    placed: PlacedObject


@dataclass(frozen=True, slots=True, eq=False)
class ObjectChange:
    """An object of both levels that moved or has other properties."""

    was: NumberedObject
    now: NumberedObject
    properties: tuple[NamedChange, ...] = ()

    @property
    def moved(self) -> bool:
        """Whether its cell changed."""
        was, now = self.was.placed, self.now.placed
        return (was.x, was.y) != (now.x, now.y)

    @property
    def steps(self) -> int:
        """How far the object moved: columns plus rows."""
        was, now = self.was.placed, self.now.placed
        return abs(now.x - was.x) + abs(now.y - was.y)


@dataclass(frozen=True, slots=True, eq=False)
class ObjectDifference:
    """The differences between the objects of two levels.

    Attributes:
        added: Only in the second level.
        removed: Only in the first.
        changed: In both, moved or with other properties.
        other_ids: How many are in both and have another id.
        same: How many kept their cells and properties.
    """

    added: tuple[NumberedObject, ...]
    removed: tuple[NumberedObject, ...]
    changed: tuple[ObjectChange, ...]
    other_ids: int
    same: int

    @property
    def differs(self) -> bool:
        """Whether there is any difference."""
        return bool(self.added or self.removed or self.changed or self.other_ids)


@dataclass(frozen=True, slots=True)
class SightDifference:
    """What differs between the fields of view.

    Attributes:
        kind: Whether only one level has one.
        rule: What differs of the rule and the layer: then no views are compared.
        views: How many cells see other cells than before; None if they were not compared.
        reason: Why they were not.
    """

    kind: ChangeKind
    rule: tuple[NamedChange, ...] = ()
    views: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TableDifference:
    """What differs between two tables of one name.

    Attributes:
        name: The name.
        kind: Whether only one level has it.
        columns: Columns that were added or removed, or have another type.
        added: Rows that only the second one has, in the columns that both have.
        removed: Rows that only the first one has.
        reordered: Whether the same rows or columns are in another order.
    """

    name: str
    kind: ChangeKind
    columns: tuple[NamedChange, ...] = ()
    added: tuple[tuple[Scalar, ...], ...] = ()
    removed: tuple[tuple[Scalar, ...], ...] = ()
    reordered: bool = False


@dataclass(frozen=True, slots=True)
class MetricChange:
    """A metric that differs; None where a level lacks it."""

    name: str
    was: int | float | None
    now: int | float | None

    @property
    def difference(self) -> int | float | None:
        """The increase from `was` to `now`."""
        return None if self.was is None or self.now is None else self.now - self.was


@dataclass(frozen=True, slots=True, eq=False)
class LevelDifference:
    """The differences between two levels.

    Attributes:
        was: The first level.
        now: The second one.
        added_layers: Names of layers that only the second one has.
        removed_layers: Names of layers that only the first one has.
        layers: Layers of both that differ.
        reordered: Whether common layers changed their order, so that others lie above.
        walkable: The cells of the level that became walkable or unwalkable.
        objects: The objects.
        sight: The field of view, if it differs.
        tables: Tables that differ.
        puzzles: Puzzles that differ.
        properties: Values of `properties:` that differ.
        tileset: Whether the requested pictures of tiles differ.
        metrics: Metrics that differ; not measured for equal levels.
    """

    was: Level
    now: Level
    added_layers: tuple[str, ...]
    removed_layers: tuple[str, ...]
    layers: tuple[LayerDifference, ...]
    reordered: bool
    walkable: WalkableChanges
    objects: ObjectDifference
    sight: SightDifference | None
    tables: tuple[TableDifference, ...]
    puzzles: tuple[PartChange, ...]
    properties: tuple[NamedChange, ...]
    tileset: bool
    metrics: tuple[MetricChange, ...] = ()

    @property
    def resized(self) -> bool:
        """Whether the levels have different sizes."""
        return (self.was.width, self.was.height) != (self.now.width, self.now.height)

    @property
    def compared(self) -> tuple[int, int]:
        """Width and height of the area that both levels have."""
        was, now = self.was, self.now
        return min(was.width, now.width), min(was.height, now.height)

    @property
    def equal(self) -> bool:
        """Whether the levels are equal; their names and seeds may differ."""
        parts = self.added_layers or self.removed_layers or self.layers or self.reordered
        lists = self.tables or self.puzzles or self.properties
        rest = self.sight is not None or self.tileset or self.objects.differs
        return not (self.resized or parts or lists or rest)
