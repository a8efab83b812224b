"""Events: what the studio sends to the page, each named by `event`.

These types are the one schema of them: mypy checks what the server sends, tests check what arrives,
and the page is checked against the same types, which are written for TypeScript into
`page/messages.d.ts` by `tests/harness/update_page_types.py`. `Any` is a value of a spec. The arrays
of binary events are described by `frames`; the page gets typed arrays in their place.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from exporter.studio.requests import Cell, Path

ChangeKind = Literal["added", "removed", "changed"]


class Uint8Array(TypedDict):
    """Where an array of bytes lies in a binary message; see `frames`."""

    at: int
    type: Literal["uint8"]
    shape: list[int]


class Uint16Array(TypedDict):
    """Where an array of uint16 lies."""

    at: int
    type: Literal["uint16"]
    shape: list[int]


class Int32Array(TypedDict):
    """Where an array of int32 lies."""

    at: int
    type: Literal["int32"]
    shape: list[int]


class Problem(TypedDict):
    """A problem as the terminal prints it, and the `path` of its parameter."""

    message: str
    file: str
    line: int
    column: int
    source: str
    length: int
    severity: str
    path: Path
    text: str


class WelcomeEvent(TypedDict):
    """Greets a tab; `open` is the level it had open.

    `token` is that of this run; `key` is what a later run knows the tab by, see `handshake`.
    """

    event: Literal["welcome"]
    session: str
    title: str
    open: str | None
    token: str
    key: str


class ProofEvent(TypedDict):
    """Proves the studio to a tab of an earlier run; see `handshake`."""

    event: Literal["proof"]
    number: str
    proof: str


class ListedLevel(TypedDict):
    """A level that can be opened; its draft may be unsaved, its file deleted."""

    id: str
    name: str
    changed: bool
    gone: bool


class LevelsEvent(TypedDict):
    """Which levels there are."""

    event: Literal["levels"]
    levels: list[ListedLevel]
    open: str | None


class DraftEvent(TypedDict):
    """The draft as it is now.

    `number` is the number of its last change. `linked`: its last change is from a link, without an
    edit or save since. `looking`: it is only a preview of a link.
    """

    event: Literal["draft"]
    revision: int
    number: int
    level: str
    file: str
    text: str
    data: Any
    changed: bool
    linked: bool
    looking: bool
    edits: int
    undo: int
    redo: int


class ProblemsEvent(TypedDict):
    """The problems of a draft's revision; its level, if any, was sent before."""

    event: Literal["problems"]
    revision: int
    problems: list[Problem]


class DifferingLine(TypedDict):
    """A line that both texts have, or only mine or theirs."""

    side: Literal["both", "mine", "theirs"]
    text: str


class ConflictEvent(TypedDict):
    """The file was deleted or differs from the draft's base."""

    event: Literal["conflict"]
    lines: list[DifferingLine]
    gone: bool


class ProposalEvent(TypedDict):
    """What an agent wrote into the open level's file.

    `mine` is the agent's text, `theirs` the text before.

    Without lines nothing is proposed. `values`: how many differ; 0 if a text cannot be read.
    """

    event: Literal["proposal"]
    values: int
    lines: list[DifferingLine]


class SavedEvent(TypedDict):
    """The draft was saved; `changed`: whether there was anything to write."""

    event: Literal["saved"]
    name: str
    changed: bool


class RefusedEvent(TypedDict):
    """A request is refused; null where no request was its cause."""

    event: Literal["refused"]
    text: str
    problems: list[Problem]
    do: str | None
    number: int | None


class SchemaEvent(TypedDict):
    """The JSON Schema of specs."""

    event: Literal["schema"]
    schema: dict[str, Any]


class ExportingEvent(TypedDict):
    """The stage of a running export; for a world also the chunks done."""

    event: Literal["exporting"]
    level: str
    stage: str
    chunks: tuple[int, int]


class ExportReportEvent(TypedDict):
    """An export has ended; `report` is that of `exporter export --json`.

    It is null if there is no report.
    """

    event: Literal["export-report"]
    level: str
    number: int
    report: dict[str, Any] | None
    problems: list[Problem]


class ExportedEvent(TypedDict):
    """How the last export left the open level; see `exported`.

    `seconds` have passed since its files were made. `step`: how many steps of the draft's history
    were in the exported files; null if unknown.
    """

    event: Literal["exported"]
    level: str
    state: Literal["", "never", "built", "failed", "unknown"]
    stale: bool
    error: str
    complete: bool
    kept: int
    seconds: float
    step: int | None


class Preset(TypedDict):
    """What a level can start from."""

    name: str
    summary: str


class PresetsEvent(TypedDict):
    """All presets."""

    event: Literal["presets"]
    presets: list[Preset]


class CreatedEvent(TypedDict):
    """A level was created; null if the project does not find it."""

    event: Literal["created"]
    level: str | None
    name: str


class LinkEvent(TypedDict):
    """The draft's changes as pairs of path and value, and unsaved hand edits."""

    event: Literal["link"]
    level: str
    pairs: list[tuple[str, str]]
    edits: bool


class LinkedValue(TypedDict):
    """A path that a link changes, with its value or why it is refused.

    Both may be cut short.
    """

    path: str
    text: str


FollowedState = Literal["unchanged", "offered", "looking", "applied"]


class FollowedEvent(TypedDict):
    """The changes that a link makes or would make, and the refused ones."""

    event: Literal["followed"]
    state: FollowedState
    level: str
    revision: int
    undo: int
    changed: list[LinkedValue]
    refused: list[LinkedValue]


class ListedOverlay(TypedDict):
    """An overlay: its meaning, and the argument after its name."""

    name: str
    summary: str
    argument: str


class OverlaysEvent(TypedDict):
    """All overlays."""

    event: Literal["overlays"]
    overlays: list[ListedOverlay]


class KeptEvent(TypedDict):
    """The draft is kept, to compare with later."""

    event: Literal["kept"]
    label: str


class SeedsEvent(TypedDict):
    """A contact sheet begins: its number of levels, metrics and sweep values."""

    event: Literal["seeds"]
    sheet: int
    count: int
    metrics: list[str]
    asked: list[str]
    parameters: list[str]
    values: list[list[Any]]


class SeedsDoneEvent(TypedDict):
    """All levels of a contact sheet are there."""

    event: Literal["seeds-done"]
    sheet: int
    count: int
    matched: int
    failed: int
    seconds: float


class SeedsRefusedEvent(TypedDict):
    """Why there is no contact sheet, and which field is at fault.

    `start` and `length` mark the text within the field.
    """

    event: Literal["seeds-refused"]
    sheet: int
    field: str
    text: str
    start: int | None
    length: int


TextEvent = (
    WelcomeEvent
    | ProofEvent
    | LevelsEvent
    | DraftEvent
    | ProblemsEvent
    | ConflictEvent
    | ProposalEvent
    | SavedEvent
    | RefusedEvent
    | SchemaEvent
    | ExportingEvent
    | ExportReportEvent
    | ExportedEvent
    | PresetsEvent
    | CreatedEvent
    | LinkEvent
    | FollowedEvent
    | OverlaysEvent
    | KeptEvent
    | SeedsEvent
    | SeedsDoneEvent
    | SeedsRefusedEvent
)

# --- binary events: the level and its views ------------------------------------------------------


class Tile(TypedDict):
    """A tile of a layer's legend."""

    id: int
    name: str
    walkable: bool
    opaque: bool
    color: str


class Heights(TypedDict):
    """What the samples of heights mean."""

    minimum: float
    maximum: float
    units: str


class Room(TypedDict):
    """A room of a layer."""

    name: str
    x: int
    y: int
    width: int
    height: int
    center: Cell


class Connection(TypedDict):
    """Where two rooms meet."""

    rooms: tuple[int, int]
    x: int
    y: int
    kind: str


class Certificate(TypedDict):
    """Counts of a layer's cells."""

    regions_before: int
    regions_after: int
    cells_carved: int
    floor: int
    cells: int
    farthest: int
    start: Cell | None
    dead_ends: int
    chokes: int


class Drawing(TypedDict):
    """The numbers of a layer's pictures in the tileset, from 1; 0 for none."""

    between: bool
    numbers: Uint16Array


class Layer(TypedDict):
    """A layer of the level.

    `pictures`: how each of the `tiles` looks, as numbers of the tileset from 1, bottom first.
    """

    name: str
    kind: Literal["tiles", "heights"]
    generator: str
    version: int
    role: str
    aligned: bool
    width: int
    height: int
    complete: bool
    cells: Uint8Array | Uint16Array
    tiles: list[Tile]
    heights: Heights | None
    rooms: list[Room]
    connections: list[Connection]
    certificate: Certificate | None
    drawings: list[Drawing]
    pictures: list[list[int]]


class Thing(TypedDict):
    """An object of the level; `kind` names its picture."""

    id: int
    name: str
    x: int
    y: int
    properties: dict[str, Any]
    entry: int | None
    kind: str


class Sight(TypedDict):
    """What the page computes fields of view from."""

    layer: str | None
    rule: Literal["symmetric", "shadowcast", "raycast"]
    radius: int
    seeWalls: bool
    opaque: Uint8Array


class TilesetPicture(TypedDict):
    """The picture of all tiles, four bytes a pixel."""

    size: int
    columns: int
    rows: int
    margin: int
    spacing: int
    pixels: Uint8Array


class CellConflicts(TypedDict):
    """Edited cells of a layer whose generated tiles have changed."""

    layer: str
    cells: list[Cell]
    now: list[str | int | None]


class ObjectConflict(TypedDict):
    """An edited object that is now placed elsewhere (`at`).

    `now`: where the edit moves it, unless the edit removes it.
    """

    name: str
    ordinal: int
    at: Cell
    now: Cell | None


class Conflicts(TypedDict):
    """The hand edits below which the level has changed."""

    cells: list[CellConflicts]
    objects: list[ObjectConflict]


class EditedCells(TypedDict):
    """A layer's edited cells (indexes row by row) and their generated tiles."""

    places: Int32Array
    generated: Int32Array


class RemovedObject(TypedDict):
    """A placed object that is removed by hand."""

    name: str
    ordinal: int
    at: Cell


class Edits(TypedDict):
    """What drawing needs.

    `ordinals`: which of its name each placed object is, by its id. `names`: objects that can be
    added. `layers`: how many cells of each are edited, and `cells` which; `objects`: how many
    objects, `fixed` which stay where a person put or pinned them, `removed` which are gone.
    """

    ordinals: dict[str, int]
    names: list[str]
    layers: dict[str, int]
    cells: NotRequired[dict[str, EditedCells]]
    objects: int
    conflicts: Conflicts
    fixed: dict[str, Literal["moved", "pinned"]]
    removed: list[RemovedObject]


class Demand(TypedDict):
    """A requirement of an entry of `objects:`, as written."""

    name: str
    text: str


class LegendGroup(TypedDict):
    """An entry of `objects:`: how many were placed, of how many requested."""

    placed: int
    asked: int
    demands: list[Demand]


class LegendEntry(TypedDict):
    """A name of objects: colour, numbers placed and requested (0: none)."""

    name: str
    color: str
    placed: int
    asked: int
    groups: list[LegendGroup]


class LevelEvent(TypedDict):
    """The level: everything that the page draws and reports of it."""

    event: Literal["level"]
    revision: int
    level: str
    drawn: int
    seedResult: int | str | None
    pinned: bool
    problems: list[Problem]
    edits: Edits
    legend: list[LegendEntry]
    name: str
    width: int
    height: int
    seed: int | str
    rng: str
    layers: list[Layer]
    objects: list[Thing]
    sprites: dict[str, list[int]]
    sight: Sight | None
    walkable: Uint8Array
    start: Cell | None
    steps: Uint16Array
    tileset: TilesetPicture | None
    warnings: list[Problem]
    seconds: dict[str, float]


class ViewFailure(TypedDict):
    """A view that cannot be made, and why."""

    event: Literal["overlay", "steps", "comparison", "outputs"]
    revision: int
    level: str
    drawn: int
    problem: str
    name: NotRequired[str]
    wanted: NotRequired[str]
    number: NotRequired[int]
    label: NotRequired[str]


class OverlayClass(TypedDict):
    """One kind of cells."""

    id: int
    name: str
    color: str
    count: int


class OverlayScale(TypedDict):
    """The numbers of an overlay."""

    low: int
    high: int
    unit: str


class Circle(TypedDict):
    """A circle around a cell."""

    kind: Literal["circle"]
    x: int
    y: int
    radius: int


class Label(TypedDict):
    """A text at a cell."""

    kind: Literal["label"]
    x: int
    y: int
    text: str


class OverlayPath(TypedDict):
    """A line through cells."""

    kind: Literal["path"]
    cells: Int32Array


class OverlayEvent(TypedDict):
    """An overlay: values of cells, their colours, and marks.

    See `exporter.overlays`.
    """

    event: Literal["overlay"]
    revision: int
    level: str
    drawn: int
    name: str
    problem: None
    values: Uint8Array | Uint16Array | Int32Array
    palette: Uint8Array
    classes: list[OverlayClass]
    scale: OverlayScale | None
    marks: list[Circle | Label | OverlayPath]


class StepFrame(TypedDict):
    """What changes in a step; see `stepped`."""

    label: str
    cells: Int32Array | None
    values: Uint8Array | Uint16Array


class StepsEvent(TypedDict):
    """How a layer is made; `thinned`: there are more steps than frames."""

    event: Literal["steps"]
    revision: int
    level: str
    drawn: int
    wanted: str
    problem: None
    layer: str
    width: int
    height: int
    tiles: list[Tile]
    heights: Heights | None
    thinned: bool
    first: Uint8Array | Uint16Array
    frames: list[StepFrame]


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
    """How many cells of a tile are of another one now."""

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
    """How many entries of a list there were and are, and are the same."""

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


class ComparisonEvent(TypedDict):
    """The draft beside another level, which is the first of the two."""

    event: Literal["comparison"]
    revision: int
    level: str
    drawn: int
    number: int
    label: str
    problem: None
    exported: bool
    other: LevelEvent
    difference: Difference
    changed: Uint8Array
    masks: dict[str, Uint8Array]
    lines: list[DifferingLine] | None
    editLines: list[DifferingLine] | None


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


class OutputsEvent(TypedDict):
    """Differences between the exported files of the compared levels."""

    event: Literal["outputs"]
    revision: int
    level: str
    drawn: int
    number: int
    label: str
    problem: None
    targets: int
    outputs: Outputs


class SheetLevel(TypedDict):
    """A level of a contact sheet.

    `failure`: the broken requirement; `miss`: its distance from the condition; both empty if it
    passes. `warnings`: requests that could not be fulfilled.
    """

    number: int
    seed: int | str
    parameters: dict[str, Any]
    column: int
    row: int
    metrics: dict[str, float]
    failure: str
    miss: str
    drawn: bool
    complete: bool
    warnings: list[str]


class SeedLevelsEvent(TypedDict):
    """Levels of a contact sheet, and their pictures, three bytes a pixel."""

    event: Literal["seed-levels"]
    sheet: int
    levels: list[SheetLevel]
    width: int
    height: int
    pictures: Uint8Array


BinaryEvent = (
    LevelEvent
    | OverlayEvent
    | StepsEvent
    | ComparisonEvent
    | OutputsEvent
    | ViewFailure
    | SeedLevelsEvent
)
Event = TextEvent | BinaryEvent
