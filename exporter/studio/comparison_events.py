"""Define the events about a comparison with another level."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from exporter.studio.common_events import ChangeKind, DifferingLine, Uint8Array
from exporter.studio.level_event import LevelEvent
from exporter.studio.requests import Cell
from exporter.studio.view_events import ViewResult


class BoxData(TypedDict):
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int


class NamedChangeData(TypedDict):
    """A value that differs; an added one has no `was`, a removed one no `now`."""

    name: str
    kind: ChangeKind
    was: NotRequired[Any]
    now: NotRequired[Any]


class TilePairData(TypedDict):
    """How many cells changed from one tile to another."""

    was: str
    now: str
    cells: int


class CellChangesData(TypedDict):
    """Cells that differ."""

    compared: int
    changed: int
    share: float
    box: BoxData | None
    pairs: list[TilePairData]


class HeightChangesData(TypedDict):
    """Heights that differ."""

    units: str
    raised: int
    lowered: int
    largest: float
    mean: float


class WalkableChangesData(TypedDict):
    """Numbers of cells that became walkable, or no longer are."""

    opened: int
    closed: int


class ListChangeData(TypedDict):
    """How many entries a list had, has now, and has kept."""

    was: int
    now: int
    same: int


class LayerChangeData(TypedDict):
    """A layer that differs."""

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
    """The layers that differ."""

    added: list[str]
    removed: list[str]
    reordered: bool
    changed: list[LayerChangeData]


class ComparedObjectData(TypedDict):
    """An object that exists only in one level."""

    name: str
    number: int
    id: int
    at: Cell
    properties: dict[str, Any]


class ObjectSideData(TypedDict):
    """An object as one of the levels has it."""

    number: int
    id: int
    at: Cell


class ObjectChangeData(TypedDict):
    """An object of both levels that differs."""

    name: str
    was: ObjectSideData
    now: ObjectSideData
    moved: bool
    steps: int
    properties: list[NamedChangeData]


class ObjectChangesData(TypedDict):
    """The objects that differ."""

    same: int
    other_ids: int
    added: list[ComparedObjectData]
    removed: list[ComparedObjectData]
    changed: list[ObjectChangeData]


class SightChangeData(TypedDict):
    """How the field of view differs."""

    kind: ChangeKind
    rule: list[NamedChangeData]
    views: int | None
    reason: str


class TableChangeData(TypedDict):
    """A table that differs, with numbers of rows."""

    name: str
    kind: ChangeKind
    columns: list[NamedChangeData]
    added: int
    removed: int
    reordered: bool


class PuzzleChangeData(TypedDict):
    """A puzzle that differs."""

    name: str
    kind: ChangeKind
    values: list[NamedChangeData]


class MetricChangeData(TypedDict):
    """A metric of both levels; null if it cannot be measured."""

    was: float | None
    now: float | None
    difference: float | None
    unit: str


class ComparedLevelData(TypedDict):
    """One of two compared levels."""

    level: str
    seed: int | str
    rng: str
    size: tuple[int, int]


class DifferenceData(TypedDict):
    """All differences of two levels, as in `exporter diff --json`."""

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
    """The fields of both events of a comparison."""

    number: int
    label: str


class ComparisonEvent(ComparedResult):
    """A comparison of the draft with another level, which comes first."""

    event: Literal["comparison"]
    exported: bool
    other: LevelEvent
    difference: DifferenceData
    changed: Uint8Array
    masks: dict[str, Uint8Array]
    lines: list[DifferingLine] | None
    editLines: list[DifferingLine] | None  # noqa: N815 (as the page has it)


class OutputTotalData(TypedDict):
    """A number of files, and their bytes."""

    files: int
    bytes: int


class OutputChangeData(TypedDict):
    """An exported file that differs, and its bytes in both levels.

    The bytes are null if a level lacks the file.
    """

    path: str
    kind: str
    layer: str | None
    target: str
    change: ChangeKind
    was: int | None
    now: int | None


class OutputsData(TypedDict):
    """How the exported files of two levels differ."""

    was: OutputTotalData
    now: OutputTotalData
    same: int
    kinds: dict[str, int]
    layers: list[str]
    changed: list[OutputChangeData]


class OutputsEvent(ComparedResult):
    """Differences between the exported files of the compared levels."""

    event: Literal["outputs"]
    targets: int
    outputs: OutputsData
