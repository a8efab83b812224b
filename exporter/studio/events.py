"""Define events: the messages that the studio sends to the page.

These types are the only schema of events: mypy checks what the server sends, tests check what
arrives, and `tests/harness/update_page_types.py` writes the same types for TypeScript into
`page/messages.d.ts`. `Any` is a value of a spec. `frames` defines binary events, whose arrays
become typed arrays in the page.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from exporter.studio.common_events import DifferingLine, ProblemData
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
    """Greet a tab; `open` is the level it had open.

    `token` is the token of this run. A later run recognises the tab by `key`; see `handshake`.
    """

    event: Literal["welcome"]
    session: str
    title: str
    open: str | None
    token: str
    key: str


class ProofEvent(TypedDict):
    """Prove to a tab of an earlier run that this is its studio."""

    event: Literal["proof"]
    number: str
    proof: str


class ListedLevelData(TypedDict):
    """A level that can be opened; its draft may be unsaved, or file deleted."""

    id: str
    name: str
    changed: bool
    gone: bool


class LevelsEvent(TypedDict):
    """The levels that can be opened."""

    event: Literal["levels"]
    levels: list[ListedLevelData]
    open: str | None


class DraftEvent(TypedDict):
    """The present draft.

    `number` is the number of the last change. `linked`: the last change came from a link, with no
    edit or save since. `looking`: the draft is only a preview of a link.
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
    problems: list[ProblemData]


class ConflictEvent(TypedDict):
    """The file was deleted, or differs from the text the draft is based on."""

    event: Literal["conflict"]
    lines: list[DifferingLine]
    gone: bool


class ProposalEvent(TypedDict):
    """A text that an agent wrote into the open level's file.

    `mine` is the agent's text, `theirs` the text before.

    Without lines there is no proposal. `values`: how many values differ; 0 if a text is unreadable.
    """

    event: Literal["proposal"]
    values: int
    lines: list[DifferingLine]


class SavedEvent(TypedDict):
    """The draft was saved; `changed` is whether a file was written."""

    event: Literal["saved"]
    name: str
    changed: bool


class RefusedEvent(TypedDict):
    """A request was refused; null if the cause was no request."""

    event: Literal["refused"]
    text: str
    problems: list[ProblemData]
    do: str | None
    number: int | None


class SchemaEvent(TypedDict):
    """The JSON Schema of specs."""

    event: Literal["schema"]
    schema: dict[str, Any]


class ExportingEvent(TypedDict):
    """The stage of a running export; for a world also its finished parts."""

    event: Literal["exporting"]
    level: str
    stage: str
    chunks: tuple[int, int]


class ExportReportEvent(TypedDict):
    """An export has ended; `report` is that of `exporter export --json`.

    `report` is null if there is none.
    """

    event: Literal["export-report"]
    level: str
    number: int
    report: dict[str, Any] | None
    problems: list[ProblemData]


class ExportedEvent(TypedDict):
    """The state of the open level's last export; see `exported`.

    `seconds`: time since the files were made. `step`: how many steps of the draft's history the
    exported files contain; null if unknown. `pack` changes with the file of its pack.
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


class CardData(TypedDict):
    """A level, by its id, or a preset or generator to start from.

    `summary`: a sentence, or the level's file. `changed`: when the file changed, in seconds since
    1970.
    """

    name: str
    summary: str
    group: str
    changed: float


class GalleryEvent(TypedDict):
    """All levels, presets, or generators of layers; their pictures follow."""

    event: Literal["gallery"]
    of: Literal["level", "preset", "layer"]
    cards: list[CardData]


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


class LinkedValueData(TypedDict):
    """A path that a link changes, with the value, or why it is refused.

    Both texts may be shortened.
    """

    path: str
    text: str


FollowedState = Literal["unchanged", "offered", "looking", "applied"]


class FollowedEvent(TypedDict):
    """The changes that a link makes or would make, and refused ones."""

    event: Literal["followed"]
    state: FollowedState
    level: str
    revision: int
    undo: int
    changed: list[LinkedValueData]
    refused: list[LinkedValueData]


class ListedOverlayData(TypedDict):
    """An overlay: its meaning, and the kind of its argument."""

    name: str
    summary: str
    argument: str


class OverlaysEvent(TypedDict):
    """All overlays that can be shown."""

    event: Literal["overlays"]
    overlays: list[ListedOverlayData]


class KeptEvent(TypedDict):
    """The draft was kept for later comparisons."""

    event: Literal["kept"]
    label: str


class SeedsEvent(TypedDict):
    """The start of a contact sheet: number of levels, metrics, sweep values.

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
    """The end of a contact sheet: all levels were sent."""

    event: Literal["seeds-done"]
    sheet: int
    count: int
    matched: int
    failed: int
    seconds: float


class SeedsRefusedEvent(TypedDict):
    """Why a contact sheet is impossible, and the field at fault.

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
