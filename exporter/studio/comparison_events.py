"""Define the events that compare the draft's level with another one.

`was` is the other level, `now` that of the draft.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from exporter.studio.common_events import ChangeKind, DifferingLine, Uint8Array
from exporter.studio.level_event import LevelEvent
from exporter.studio.requests import Cell
from exporter.studio.view_events import ViewResult


class BoxData(TypedDict):
    """A rectangle of cells: its upper left cell (`x`, `y`), and its size."""

    x: int
    y: int
    width: int
    height: int


class NamedChangeData(TypedDict):
    """A value that differs; `was` or `now` is missing where a level lacks it."""

    name: str
    kind: ChangeKind
    was: NotRequired[Any]
    now: NotRequired[Any]


class TilePairData(TypedDict):
    """How many cells had the tile `was`, and have the tile `now`."""

    was: str
    now: str
    cells: int


class CellChangesData(TypedDict):
    """How many cells of a layer differ, and which tiles they have.

    `compared` and `changed` count cells, `share` is changed / compared, and `box` is the smallest
    rectangle around all changed cells.
    """

    compared: int
    changed: int
    share: float
    box: BoxData | None
    pairs: list[TilePairData]


class HeightChangesData(TypedDict):
    """How many samples of heights are higher or lower now, and by how much."""

    units: str
    raised: int
    lowered: int
    largest: float
    mean: float


class WalkableChangesData(TypedDict):
    """How many cells became walkable (`opened`), or unwalkable (`closed`)."""

    opened: int
    closed: int


class ListChangeData(TypedDict):
    """The lengths of a list in both levels.

    `same`: how many entries both lists have.
    """

    was: int
    now: int
    same: int


class LayerChangeData(TypedDict):
    """The differences of a layer that both levels have.

    A field is null if nothing in it differs, or if it cannot be compared.
    """

    name: str
    kind: Literal["tiles", "heights"]
    cells: CellChangesData | None
    heights: HeightChangesData | None
    walkable: WalkableChangesData | None
    legend: list[NamedChangeData]
    facts: list[NamedChangeData]
    masks: dict[str, int]
    rooms: ListChangeData | None
    connections: ListChangeData | None


class LayerChangesData(TypedDict):
    """The layers that were added, removed or changed.

    `reordered`: whether the layers that both levels have are in another order.
    """

    added: list[str]
    removed: list[str]
    reordered: bool
    changed: list[LayerChangeData]


class ComparedObjectData(TypedDict):
    """An object that exists in only one of the levels, at the cell `at`.

    `number`: its number among the objects of its name, from 1.
    """

    name: str
    number: int
    id: int
    at: Cell
    properties: dict[str, Any]


class ObjectSideData(TypedDict):
    """An object in one of the two levels: its number, id and cell.

    `number` counts the objects of its name, from 1.
    """

    number: int
    id: int
    at: Cell


class ObjectChangeData(TypedDict):
    """An object of both levels that moved, or has other properties.

    `steps`: how far it moved, in columns plus rows.
    """

    name: str
    was: ObjectSideData
    now: ObjectSideData
    moved: bool
    steps: int
    properties: list[NamedChangeData]


class ObjectChangesData(TypedDict):
    """The objects that were added, removed or changed.

    `same` counts objects without any change, `other_ids` objects with another id.
    """

    same: int
    other_ids: int
    added: list[ComparedObjectData]
    removed: list[ComparedObjectData]
    changed: list[ObjectChangeData]


class SightChangeData(TypedDict):
    """How the fields of view of the two levels differ.

    `views`: how many cells see other cells than before; if null, `reason` says why.
    """

    kind: ChangeKind
    rule: list[NamedChangeData]
    views: int | None
    reason: str


class TableChangeData(TypedDict):
    """A table that differs; `added` and `removed` count rows."""

    name: str
    kind: ChangeKind
    columns: list[NamedChangeData]
    added: int
    removed: int
    reordered: bool


class PuzzleChangeData(TypedDict):
    """A puzzle that differs; `values`: its values that differ."""

    name: str
    kind: ChangeKind
    values: list[NamedChangeData]


class MetricChangeData(TypedDict):
    """A metric with its value in both levels; null where a level has none."""

    was: float | None
    now: float | None
    difference: float | None
    unit: str


class ComparedLevelData(TypedDict):
    """The name, seed, random stream and size of a compared level."""

    level: str
    seed: int | str
    rng: str
    size: tuple[int, int]


class DifferenceData(TypedDict):
    """All differences of two levels, as in `exporter diff --json`.

    `compared`: width and height of the area that both levels have. `tileset`: whether the levels
    request different pictures of tiles.
    """

    equal: bool
    was: ComparedLevelData
    now: ComparedLevelData
    compared: tuple[int, int]
    walkable: WalkableChangesData
    layers: LayerChangesData
    objects: ObjectChangesData
    visibility: SightChangeData | None
    tables: list[TableChangeData]
    puzzles: list[PuzzleChangeData]
    properties: list[NamedChangeData]
    tileset: bool
    metrics: dict[str, MetricChangeData]


class ComparedResult(ViewResult):
    """The fields that the events `comparison` and `outputs` have in common.

    `number`: the number of the page's request. `label`: the name of the other level.
    """

    number: int
    label: str


class ComparisonEvent(ComparedResult):
    """The comparison of the draft with another level.

    `other` is the event that shows the other level. `changed` marks the cells in which any layer
    differs, `masks` has the differing cells of each layer. `lines` and `editLines` compare the
    texts of the specs and of the hand edits; each is null if its texts are too long.
    """

    event: Literal["comparison"]
    exported: bool
    other: LevelEvent
    difference: DifferenceData
    changed: Uint8Array
    masks: dict[str, Uint8Array]
    lines: list[DifferingLine] | None
    editLines: list[DifferingLine] | None  # noqa: N815 (as the page has it)


class OutputTotalData(TypedDict):
    """How many files a level exports, and the sum of their sizes in bytes."""

    files: int
    bytes: int


class OutputChangeData(TypedDict):
    """An exported file that differs.

    `was` and `now` are its sizes in bytes for each level; null if that level does not export it.
    """

    path: str
    kind: str
    layer: str | None
    target: str
    change: ChangeKind
    was: int | None
    now: int | None


class OutputsData(TypedDict):
    """How the files that two levels export differ.

    `kinds`: how many files of each kind differ. `layers`: the layers of which a file differs.
    """

    was: OutputTotalData
    now: OutputTotalData
    same: int
    kinds: dict[str, int]
    layers: list[str]
    changed: list[OutputChangeData]


class OutputsEvent(ComparedResult):
    """The comparison of the files that both levels export.

    `targets`: the number of the project's targets.
    """

    event: Literal["outputs"]
    targets: int
    outputs: OutputsData
