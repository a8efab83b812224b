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
    """Greet a tab; `open` is the id of the level that it had open, or null.

    `token`: the token of this run. `key`: a secret by which a later run of the studio recognises
    the tab; the tab proves that it has the key, but never sends it.
    """

    event: Literal["welcome"]
    session: str
    title: str
    open: str | None
    token: str
    key: str


class ProofEvent(TypedDict):
    """Prove to a tab of an earlier run that this is the same user's studio.

    `number` is the studio's random number. `proof` is an authentication code of this number and of
    the tab's, made with the key that the tab has.
    """

    event: Literal["proof"]
    number: str
    proof: str


class ListedLevelData(TypedDict):
    """A level that can be opened, with its id and name.

    `changed`: its draft is unsaved. `gone`: its file was deleted.
    """

    id: str
    name: str
    changed: bool
    gone: bool


class LevelsEvent(TypedDict):
    """The levels that can be opened; `open` is the id of the open one."""

    event: Literal["levels"]
    levels: list[ListedLevelData]
    open: str | None


class DraftEvent(TypedDict):
    """The text and state of the open level's draft.

    `revision`: the number of this state. `number`: the number of the request that changed the draft
    last. `edits` counts hand edits, `undo` and `redo` steps. `linked`: the last change came from a
    link, with no edit or save since. `looking`: the draft is only a preview of a link.
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
    """The problems of the draft that has the number `revision`.

    If the level could be built, the event that shows it was sent before.
    """

    event: Literal["problems"]
    revision: int
    problems: list[ProblemData]


class ConflictEvent(TypedDict):
    """The open level's file was changed elsewhere, or deleted (`gone`).

    `lines`: the lines in which the draft (`mine`) and the file (`theirs`) differ.
    """

    event: Literal["conflict"]
    lines: list[DifferingLine]
    gone: bool


class ProposalEvent(TypedDict):
    """A text that an agent wrote into the open level's file.

    `lines` compare the agent's text (`mine`) with the text before (`theirs`); without lines there
    is no proposal. `values`: how many values differ; 0 if a text is unreadable.
    """

    event: Literal["proposal"]
    values: int
    lines: list[DifferingLine]


class SavedEvent(TypedDict):
    """The draft of the level `name` was saved.

    `changed`: whether a file was written.
    """

    event: Literal["saved"]
    name: str
    changed: bool


class RefusedEvent(TypedDict):
    """A request was refused, or something else failed; `text` is the reason.

    `do` and `number` are copied from the request; null if it has none, or there is no request.
    """

    event: Literal["refused"]
    text: str
    problems: list[ProblemData]
    do: str | None
    number: int | None


class SchemaEvent(TypedDict):
    """The JSON Schema of specs, from which the page makes its controls."""

    event: Literal["schema"]
    schema: dict[str, Any]


class ExportingEvent(TypedDict):
    """The stage of a running export.

    `chunks`: for a world, how many chunks are finished, and how many there are; zeros for a level.
    """

    event: Literal["exporting"]
    level: str
    stage: str
    chunks: tuple[int, int]


class ExportReportEvent(TypedDict):
    """An export has ended; `report` is that of `exporter export --json`.

    `report` is null if the export failed before there was a report. `number`: the number of the
    page's request.
    """

    event: Literal["export-report"]
    level: str
    number: int
    report: dict[str, Any] | None
    problems: list[ProblemData]


class ExportedEvent(TypedDict):
    """The state of the open level's last export.

    `state`: `never` exported, `built`, `failed` (`error` is the reason), `unknown`, or empty if the
    level is in no project. `stale`: the level's files have changed since. `seconds`: time since the
    export. `step`: how many steps of the draft's history the exported files contain; null if
    unknown. `pack`: a text that changes with the exported pack; "" without one. `kept`: how many
    user-modified outputs were not overwritten.
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
    """A card of the start page: a level, a preset or a generator.

    `name`: the level's id, or the name of the preset or generator. `summary`: a sentence, or the
    level's file. `changed`: when the file changed, in seconds since 1970.
    """

    name: str
    summary: str
    group: str
    changed: float


class GalleryEvent(TypedDict):
    """The cards of one kind on the start page.

    Their pictures follow as `card` events.
    """

    event: Literal["gallery"]
    of: Literal["level", "preset", "layer"]
    cards: list[CardData]


class CreatedEvent(TypedDict):
    """A level was created.

    `level` is its id; null if no pattern of the project matches the file.
    """

    event: Literal["created"]
    level: str | None
    name: str


class LinkEvent(TypedDict):
    """The changes of the draft, to make a link of.

    `pairs`: the path and new value of each change. `edits`: whether there are unsaved hand edits,
    which a link cannot contain.
    """

    event: Literal["link"]
    level: str
    pairs: list[tuple[str, str]]
    edits: bool


class LinkedValueData(TypedDict):
    """A path that a link changes, with its new value or why it is refused.

    Both texts may be shortened.
    """

    path: str
    text: str


FollowedState = Literal["unchanged", "offered", "looking", "applied"]


class FollowedEvent(TypedDict):
    """The changes that a followed link makes in the draft, or would make.

    `changed` and `refused`: the changes that are possible, and the others. `state`: whether no
    change is possible (`unchanged`), or the changes are offered, previewed (`looking`) or applied.
    `undo`: how many steps can be undone after the changes.
    """

    event: Literal["followed"]
    state: FollowedState
    level: str
    revision: int
    undo: int
    changed: list[LinkedValueData]
    refused: list[LinkedValueData]


class ListedOverlayData(TypedDict):
    """An overlay that can be shown.

    `argument` is the kind of its argument; "" if it takes none.
    """

    name: str
    summary: str
    argument: str


class OverlaysEvent(TypedDict):
    """All overlays that can be shown on levels."""

    event: Literal["overlays"]
    overlays: list[ListedOverlayData]


class KeptEvent(TypedDict):
    """The draft was kept for comparisons; `label` names it."""

    event: Literal["kept"]
    label: str


class SeedsEvent(TypedDict):
    """The start of a contact sheet: the levels follow in `seed-levels`.

    `count`: the number of levels. `metrics`: the measured metrics; `asked`: those that the
    condition names. `parameters`: the paths of the varied parameters. `values`: in a grid of
    parameter values, the values of each parameter; else empty. `pack`: a text that changes with the
    pack whose levels the sheet shows; "" for other sheets.
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
    """The end of a contact sheet: all its levels were sent.

    Of its `count` levels, `matched` meet the condition and `failed` could not be built.
    """

    event: Literal["seeds-done"]
    sheet: int
    count: int
    matched: int
    failed: int
    seconds: float


class SeedsRefusedEvent(TypedDict):
    """A contact sheet is refused; `field` is the input that is at fault.

    `start` and `length` mark the faulty part of that input's text; `start` is null for all of it.
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
