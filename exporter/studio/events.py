"""Events: what the studio sends to the page, each named by `event`.

These types are the one schema of them: mypy checks what the server sends, tests check what arrives,
and the page is checked against the same types, which are written for TypeScript into
`page/messages.d.ts` by `tests/harness/update_page_types.py`. `Any` is a value of a spec. The arrays
of binary events are described by `frames`; the page gets typed arrays in their place.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from exporter.studio.common_events import DifferingLine, Problem
from exporter.studio.comparison_events import ComparisonEvent, OutputsEvent
from exporter.studio.level_event import LevelEvent
from exporter.studio.view_events import (
    CardEvent,
    ModelEvent,
    OverlayEvent,
    OverviewEvent,
    PiecesEvent,
    ProvenMoveEvent,
    SeedLevelsEvent,
    StepsEvent,
    ViewFailure,
)


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
    were in the exported files; null if unknown. `pack` changes with the file of its pack.
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
    pack: str


class Card(TypedDict):
    """A level, by its id; or what a level or a layer can start from.

    `summary`: a sentence, or the file of the level; `changed`: when it was, in seconds since 1970.
    """

    name: str
    summary: str
    group: str
    changed: float


class GalleryEvent(TypedDict):
    """All levels, presets, or generators of layers; their pictures follow."""

    event: Literal["gallery"]
    of: Literal["level", "preset", "layer"]
    cards: list[Card]


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
    """A contact sheet begins: its number of levels, metrics and sweep values.

    `pack`: the state of the pack whose levels it shows, as in `exported`; else empty.
    """

    event: Literal["seeds"]
    sheet: int
    count: int
    metrics: list[str]
    asked: list[str]
    parameters: list[str]
    values: list[list[Any]]
    pack: str


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
    | GalleryEvent
    | CreatedEvent
    | LinkEvent
    | FollowedEvent
    | OverlaysEvent
    | KeptEvent
    | SeedsEvent
    | SeedsDoneEvent
    | SeedsRefusedEvent
)


BinaryEvent = (
    LevelEvent
    | CardEvent
    | OverlayEvent
    | OverviewEvent
    | StepsEvent
    | PiecesEvent
    | ProvenMoveEvent
    | ModelEvent
    | ComparisonEvent
    | OutputsEvent
    | ViewFailure
    | SeedLevelsEvent
)


Event = TextEvent | BinaryEvent
