"""Define the values that describe what differs between two levels.

`was` is the first level, `now` the second one.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import LayerKind, Level, PlacedObject
from exporter.model.level_values import Scalar

ChangeKind = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class NamedChange:
    """A value that differs, with its name.

    Attributes:
        name: The name of the value, such as a key or a tile.
        kind: Whether it was added, removed or changed.
        was: The value in the first level; None if it is missing there.
        now: The value in the second level; None if it is missing there.
    """

    name: str
    kind: ChangeKind
    was: Any = None
    now: Any = None


@dataclass(frozen=True, slots=True)
class PartChange:
    """A part of the level, such as a puzzle, that differs.

    Attributes:
        name: The name of the part.
        kind: Whether it was added, removed or changed.
        values: The values in it that differ.
    """

    name: str
    kind: ChangeKind
    values: tuple[NamedChange, ...] = ()


@dataclass(frozen=True, slots=True)
class TilePair:
    """How many cells had the tile `was`, and have the tile `now`."""

    was: str
    now: str
    cells: int


@dataclass(frozen=True, slots=True)
class Box:
    """The smallest rectangle of cells that contains all changed cells."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True, eq=False)
class CellChanges:
    """The cells of a tile layer, or samples of heights, that differ.

    Attributes:
        mask: The cells that differ: bool [height, width] of the area that both layers have, from
            the upper left corner.
        changed: How many cells differ.
        box: The smallest rectangle around these cells; None if no cell differs.
        pairs: How many cells changed from one tile to another, most frequent pair first; empty for
            heights.
    """

    mask: NDArray[np.bool_]
    changed: int
    box: Box | None
    pairs: tuple[TilePair, ...] = ()

    @property
    def compared(self) -> int:
        """How many cells were compared: those that both layers have."""
        return int(self.mask.size)

    @property
    def share(self) -> float:
        """The share of the compared cells that differ, 0 to 1."""
        return self.changed / self.compared if self.compared else 0.0


@dataclass(frozen=True, slots=True)
class HeightChanges:
    """How much the heights of two layers differ.

    Attributes:
        units: The units of all heights; both layers have the same ones.
        raised: How many samples are higher in the second layer.
        lowered: How many samples are lower in the second layer.
        largest: The largest difference of a sample.
        mean: The mean difference of the samples that differ, without signs.
    """

    units: str
    raised: int
    lowered: int
    largest: float
    mean: float


@dataclass(frozen=True, slots=True)
class WalkableChanges:
    """How many cells became walkable (`opened`), or unwalkable (`closed`)."""

    opened: int
    closed: int


@dataclass(frozen=True, slots=True)
class ListChange:
    """How a list, such as that of rooms, differs.

    Attributes:
        was: Its length in the first level.
        now: Its length in the second level.
        same: How many entries both lists have.
    """

    was: int
    now: int
    same: int


@dataclass(frozen=True, slots=True, eq=False)
class LayerDifference:
    """The differences between the layers with one name in two levels.

    Attributes:
        name: The name.
        kind: `tiles` or `heights`, of the second level.
        facts: Values of the layer as a whole that differ: size, kind, role, generator or range.
        legend: Tiles that were added, removed or changed; `was` and `now` are a `Tile`.
        cells: The cells that differ; None if one layer has tiles and the other heights.
        heights: How much heights differ; None for tiles and for layers in different units.
        walkable: The cells of the layer that became walkable or unwalkable; None if one of the
            layers does not define walkable cells.
        masks: The names of masks that differ, with the numbers of cells.
        rooms: How the list of rooms differs; None if it does not.
        connections: How the list of connections between rooms differs; None if it does not.
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
        """Whether the two layers differ at all."""
        cells = self.cells is None or self.cells.changed > 0
        walkable = self.walkable is not None and self.walkable != WalkableChanges(0, 0)
        lists = self.rooms is not None or self.connections is not None
        return bool(cells or walkable or lists or self.facts or self.legend or self.masks)


@dataclass(frozen=True, slots=True, eq=False)
class NumberedObject:
    """A placed object, and its `number` among those with its name, from 1."""

    number: int
    placed: PlacedObject


@dataclass(frozen=True, slots=True, eq=False)
class ObjectChange:
    """An object that moved or has other properties: as it was, as it is now."""

    was: NumberedObject
    now: NumberedObject
    properties: tuple[NamedChange, ...] = ()

    @property
    def moved(self) -> bool:
        """Whether the object is in another cell."""
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
        added: The objects of the second level only.
        removed: The objects of the first level only.
        changed: The objects of both levels that moved, or have other properties.
        other_ids: How many objects of both levels have another id.
        same: How many objects of both levels have the same cell and properties.
    """

    added: tuple[NumberedObject, ...]
    removed: tuple[NumberedObject, ...]
    changed: tuple[ObjectChange, ...]
    other_ids: int
    same: int

    @property
    def differs(self) -> bool:
        """Whether the objects differ at all, if only by their ids."""
        return bool(self.added or self.removed or self.changed or self.other_ids)


@dataclass(frozen=True, slots=True)
class SightDifference:
    """The differences between the fields of view of two levels.

    Attributes:
        kind: Whether only the first level (`removed`), only the second (`added`), or both define
            fields of view (`changed`).
        rule: Values of the rule that differ, such as the radius; then views are mostly not
            compared.
        views: How many cells see other cells than before; None if that was not compared.
        reason: Why it was not compared; empty if it was.
    """

    kind: ChangeKind
    rule: tuple[NamedChange, ...] = ()
    views: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TableDifference:
    """The differences between the tables with one name in two levels.

    Attributes:
        name: The name.
        kind: Whether the table was added, removed or changed.
        columns: Columns that were added or removed, or have another type.
        added: The rows that only the second table has, in the columns that both have.
        removed: The rows that only the first table has, in these columns.
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
    """A metric that differs; `was` or `now` is None where a level lacks it."""

    name: str
    was: int | float | None
    now: int | float | None

    @property
    def difference(self) -> int | float | None:
        """The value of `now` minus that of `was`; None if one is missing."""
        return None if self.was is None or self.now is None else self.now - self.was


@dataclass(frozen=True, slots=True, eq=False)
class LevelDifference:
    """All differences between two levels.

    Attributes:
        was: The first level.
        now: The second level.
        added_layers: The names of layers that only the second level has.
        removed_layers: The names of layers that only the first level has.
        layers: The differences of layers that both levels have.
        reordered: Whether common layers changed their order, so that others lie above.
        walkable: The cells of the level that became walkable or unwalkable.
        objects: The differences of their objects.
        sight: The differences of their fields of view; None without any.
        tables: The differences of their tables.
        puzzles: The differences of their puzzles.
        properties: The values of the section `properties` that differ.
        tileset: Whether the levels request different pictures of tiles.
        metrics: The metrics that differ; equal levels are not measured.
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
        """Width and height of the area that both levels have, in cells."""
        was, now = self.was, self.now
        return min(was.width, now.width), min(was.height, now.height)

    @property
    def equal(self) -> bool:
        """Whether the levels are equal, except perhaps for names and seeds."""
        parts = self.added_layers or self.removed_layers or self.layers or self.reordered
        lists = self.tables or self.puzzles or self.properties
        rest = self.sight is not None or self.tileset or self.objects.differs
        return not (self.resized or parts or lists or rest)
