"""Define the events of a comparison with another level, and of its files."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from exporter.studio.common_events import ChangeKind, DifferingLine, Uint8Array
from exporter.studio.level_event import LevelEvent
from exporter.studio.requests import Cell
from exporter.studio.view_events import ViewResult


class Box(TypedDict):
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int


class NamedChange(TypedDict):
    """A value that differs; an added one has no `was`, a removed one no `now`."""

    name: str
    kind: ChangeKind
    was: NotRequired[Any]
    now: NotRequired[Any]


class TilePair(TypedDict):
    """How many cells changed from one tile to another."""

    was: str
    now: str
    cells: int


class CellChanges(TypedDict):
    """Cells that differ."""

    compared: int
    changed: int
    share: float
    box: Box | None
    pairs: list[TilePair]


class HeightChanges(TypedDict):
    """Heights that differ."""

    units: str
    raised: int
    lowered: int
    largest: float
    mean: float


class WalkableChanges(TypedDict):
    """Cells that have become walkable, and cells that no longer are."""

    opened: int
    closed: int


class ListChange(TypedDict):
    """How many entries a list had, has, and kept."""

    was: int
    now: int
    same: int


class LayerChange(TypedDict):
    """A layer that differs."""

    name: str
    kind: Literal["tiles", "heights"]
    cells: CellChanges | None
    heights: HeightChanges | None
    walkable: WalkableChanges | None
    legend: list[NamedChange]
    facts: list[NamedChange]
    masks: dict[str, int]
    rooms: ListChange | None
    connections: ListChange | None


class LayerChanges(TypedDict):
    """The layers that differ."""

    added: list[str]
    removed: list[str]
    reordered: bool
    changed: list[LayerChange]


class ComparedObject(TypedDict):
    """An object that only one level has."""

    name: str
    number: int
    id: int
    at: Cell
    properties: dict[str, Any]


class ObjectSide(TypedDict):
    """An object in one of the levels."""

    number: int
    id: int
    at: Cell


class ObjectChange(TypedDict):
    """An object that differs."""

    name: str
    was: ObjectSide
    now: ObjectSide
    moved: bool
    steps: int
    properties: list[NamedChange]


class ObjectChanges(TypedDict):
    """The objects that differ."""

    same: int
    other_ids: int
    added: list[ComparedObject]
    removed: list[ComparedObject]
    changed: list[ObjectChange]


class SightChange(TypedDict):
    """How the field of view differs."""

    kind: ChangeKind
    rule: list[NamedChange]
    views: int | None
    reason: str


class TableChange(TypedDict):
    """A table that differs, with the numbers of rows."""

    name: str
    kind: ChangeKind
    columns: list[NamedChange]
    added: int
    removed: int
    reordered: bool


class PuzzleChange(TypedDict):
    """A puzzle that differs."""

    name: str
    kind: ChangeKind
    values: list[NamedChange]


class MetricChange(TypedDict):
    """A metric of both levels; null where it cannot be measured."""

    was: float | None
    now: float | None
    difference: float | None
    unit: str


class ComparedLevel(TypedDict):
    """One of two compared levels."""

    level: str
    seed: int | str
    rng: str
    size: tuple[int, int]


class Difference(TypedDict):
    """What differs between two levels, as `exporter diff --json` has it."""

    equal: bool
    was: ComparedLevel
    now: ComparedLevel
    compared: tuple[int, int]
    walkable: WalkableChanges
    layers: LayerChanges
    objects: ObjectChanges
    visibility: SightChange | None
    tables: list[TableChange]
    puzzles: list[PuzzleChange]
    properties: list[NamedChange]
    tileset: bool
    metrics: dict[str, MetricChange]


class ComparedResult(ViewResult):
    """What both events of a comparison say: the page's request, and the other level."""

    number: int
    label: str


class ComparisonEvent(ComparedResult):
    """The draft beside another level, which is the first of the two."""

    event: Literal["comparison"]
    exported: bool
    other: LevelEvent
    difference: Difference
    changed: Uint8Array
    masks: dict[str, Uint8Array]
    lines: list[DifferingLine] | None
    editLines: list[DifferingLine] | None  # noqa: N815 (as the page has it)


class OutputTotal(TypedDict):
    """How many files, and their bytes."""

    files: int
    bytes: int


class OutputChange(TypedDict):
    """An exported file that differs, and its bytes in both levels.

    The bytes are null where the file is missing.
    """

    path: str
    kind: str
    layer: str | None
    target: str
    change: ChangeKind
    was: int | None
    now: int | None


class Outputs(TypedDict):
    """How the exported files of two levels differ."""

    was: OutputTotal
    now: OutputTotal
    same: int
    kinds: dict[str, int]
    layers: list[str]
    changed: list[OutputChange]


class OutputsEvent(ComparedResult):
    """Differences between the exported files of the compared levels."""

    event: Literal["outputs"]
    targets: int
    outputs: Outputs
