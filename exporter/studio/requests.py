"""Define the messages of the page, each with its action in `do`.

These types are their only schema: the server refuses messages that do not fit (`check_request` in
`messages`), and the page is checked against the same types, which are written for TypeScript into
`page/messages.d.ts` by `tests/harness/update_page_types.py`. `Any` is a value of a spec.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Path = list[str | int]
Cell = tuple[int, int]


class Hello(TypedDict):
    """The first message of a tab: who it is.

    `challenge` is of a tab that an earlier run has given a key; see `handshake`.
    """

    token: str
    session: str | None
    challenge: NotRequired[str]


class TokenProof(TypedDict):
    """The tab's proof that it has the key, sent after the studio's proof."""

    proof: str


class SetChange(TypedDict):
    """Set a value."""

    set: Path
    value: Any


class YamlChange(TypedDict):
    """Set a value written in YAML."""

    set: Path
    yaml: str


class InsertChange(TypedDict):
    """Add an entry at an index."""

    insert: Path
    value: Any
    place: NotRequired[int]


class RemoveChange(TypedDict):
    """Remove an entry."""

    remove: Path


class RenameChange(TypedDict):
    """Rename an entry's key."""

    rename: Path
    key: str


class MoveChange(TypedDict):
    """Move an entry among the others."""

    move: Path
    place: int


Change = SetChange | YamlChange | InsertChange | RemoveChange | RenameChange | MoveChange


class OpenRequest(TypedDict):
    """Show a level, by its id."""

    do: Literal["open"]
    level: str


class ChangeRequest(TypedDict):
    """Change the draft; `merge` names changes that are one step for undo."""

    do: Literal["change"]
    changes: list[Change]
    merge: NotRequired[str]
    number: NotRequired[int]


class TextRequest(TypedDict):
    """Replace the draft's text, as a person types it.

    With the revision of the draft it was typed on it has no effect on a newer draft, which the page
    gets and types the text on again. `merge` as in a change.
    """

    do: Literal["text"]
    text: str
    revision: NotRequired[int]
    merge: NotRequired[str]
    number: NotRequired[int]


class UndoRequest(TypedDict):
    """Take back or make again the last step, or go back to the saved files."""

    do: Literal["undo", "redo", "revert"]


class SaveRequest(TypedDict):
    """Write the draft into its files.

    With a revision (Autosave) only if the draft is still that one, and its last change is a
    person's.
    """

    do: Literal["save"]
    revision: NotRequired[int]


class ExportRequest(TypedDict):
    """Save the draft, and export the level for the project's targets."""

    do: Literal["export"]
    number: NotRequired[int]


class AdoptRequest(TypedDict):
    """Decide after a file has changed: load it, or reapply the draft's edits.

    After it was deleted: write it again, or close it.
    """

    do: Literal["adopt"]
    how: Literal["theirs", "mine", "again", "nothing"]


class PlainRequest(TypedDict):
    """Make a request that has no further fields."""

    do: Literal[
        "schema",  # the JSON Schema of specs, for the controls
        "release",  # the drag has ended: the spec's search for a seed runs again
        "seeds-stop",  # show no contact sheet any more
        "overlays",  # which overlays there are
        "overview",  # all of a world from afar; each time with more samples
        "keep",  # the present draft, for later comparisons
        "link",  # what the draft changes against its saved file, for a link
    ]


class SeedsRequest(TypedDict):
    """Show a contact sheet; null is an unreadable number.

    See `seed_tasks`. `pack`: of the levels of the exported pack.
    """

    do: Literal["seeds"]
    sheet: int
    count: NotRequired[float | None]
    first: NotRequired[float | None]
    skip: NotRequired[int]
    where: NotRequired[str]
    vary: NotRequired[list[str]]
    steps: NotRequired[list[float | None]]
    pack: NotRequired[bool]
    seed: NotRequired[int | str | None]


class OverlayRequest(TypedDict):
    """Show an overlay, `NAME` or `NAME:ARGUMENT`; null removes it."""

    do: Literal["overlay"]
    name: str | None


class AreaRequest(TypedDict):
    """Show another part of a world: its first cell, and its width and height."""

    do: Literal["area"]
    place: Cell
    size: Cell


class StepsRequest(TypedDict):
    """Show a layer's steps; null hides them.

    "" selects the first layer with several steps.
    """

    do: Literal["steps"]
    layer: str | None


class ToggleRequest(TypedDict):
    """Show the level in three dimensions or the pieces to place, or no more."""

    do: Literal["model", "pieces"]
    on: bool


class WithSaved(TypedDict):
    """Compare with the saved files."""

    saved: Literal[True]


class WithRevision(TypedDict):
    """Compare with the files in a commit of Git."""

    revision: str


class WithSeed(TypedDict):
    """Compare with the draft with another seed."""

    seed: int | str


class WithLevel(TypedDict):
    """Compare with another saved level."""

    level: str


class WithKept(TypedDict):
    """Compare with what `keep` has kept."""

    kept: Literal[True]


Compared = WithSaved | WithRevision | WithSeed | WithLevel | WithKept


# The functional form: `with` is a word of Python.
CompareRequest = TypedDict(
    "CompareRequest",
    {"do": Literal["compare"], "number": NotRequired[int], "with": Compared | None},
)
CompareRequest.__doc__ = "Compare from now on, until `with` is null."


class OutputsRequest(TypedDict):
    """Compare the exported files once, or stop comparing."""

    do: Literal["outputs"]
    stop: NotRequired[bool]


class DrawRequest(TypedDict):
    """Draw cells: the name of a tile, a sample of heights, or null for empty."""

    do: Literal["draw"]
    layer: str
    cells: list[Cell]
    tile: str | int | None
    number: NotRequired[int]
    merge: NotRequired[str]


class RestoreRequest(TypedDict):
    """Restore cells as the generator made them."""

    do: Literal["restore"]
    layer: str
    cells: list[Cell]
    number: NotRequired[int]
    merge: NotRequired[str]


# `from` is a word of Python.
MoveRequest = TypedDict(
    "MoveRequest",
    {
        "do": Literal["move"],
        "name": str,
        "ordinal": NotRequired[int],
        "from": NotRequired[Cell],
        "to": Cell,
        "number": NotRequired[int],
        "merge": NotRequired[str],
    },
)
MoveRequest.__doc__ = "Move an object: by its ordinal (from 1) a placed one, by its cell an added."


class ProveMoveRequest(TypedDict):
    """Ask if the mission holds with an object elsewhere; null ends asking."""

    do: Literal["prove_move"]
    id: int
    to: Cell | None


class AddObjectRequest(TypedDict):
    """Add an object of a name that the level has."""

    do: Literal["add_object"]
    name: str
    to: Cell
    number: NotRequired[int]


ObjectRequest = TypedDict(
    "ObjectRequest",
    {
        "do": Literal["remove_object", "restore_object", "pin_object"],
        "name": str,
        "ordinal": NotRequired[int],
        "from": NotRequired[Cell],
        "number": NotRequired[int],
    },
)
ObjectRequest.__doc__ = (
    "Remove an object, restore it as it was placed, or keep a placed one at its cell."
)


class StampRequest(TypedDict):
    """Turn the drawn cells of a layer into a layer `stamp`."""

    do: Literal["stamp"]
    layer: str


class PlaceStampRequest(TypedDict):
    """Put a piece on a layer, as a layer `stamp` with one place."""

    do: Literal["place_stamp"]
    layer: str
    name: str
    art: str
    glyphs: dict[str, Any]
    at: Any


class RenameLayerRequest(TypedDict):
    """Rename a layer everywhere in the spec, and in the hand edits."""

    do: Literal["rename_layer"]
    layer: str
    name: str


class GalleryRequest(TypedDict):
    """Request the levels, or the starts of levels or layers, with pictures."""

    do: Literal["gallery"]
    of: Literal["level", "preset", "layer"]


class CreateRequest(TypedDict):
    """Write a new spec, of a preset or a picture, but never over a file.

    A picture is in base64.
    """

    do: Literal["create"]
    name: str
    preset: str
    picture: NotRequired[str]


class FollowRequest(TypedDict):
    """Propose the changes of a link without changing the draft."""

    do: Literal["follow"]
    level: str
    pairs: list[tuple[str, str]]


class DecideRequest(TypedDict):
    """Apply the proposed changes, only look at them, or drop them."""

    do: Literal["decide"]
    how: Literal["apply", "look", "drop"]


class ProposalRequest(TypedDict):
    """Keep what an agent wrote into the file, or write the text before."""

    do: Literal["proposal"]
    how: Literal["keep", "back"]


# Requests that change the draft or save it.
EditRequest = (
    ChangeRequest
    | TextRequest
    | UndoRequest
    | SaveRequest
    | ExportRequest
    | AdoptRequest
    | DrawRequest
    | RestoreRequest
    | MoveRequest
    | AddObjectRequest
    | ObjectRequest
    | StampRequest
    | PlaceStampRequest
    | RenameLayerRequest
    | ProposalRequest
)
# Requests that do not change the draft.
ReadRequest = (
    OpenRequest
    | PlainRequest
    | ToggleRequest
    | SeedsRequest
    | OverlayRequest
    | AreaRequest
    | StepsRequest
    | ProveMoveRequest
    | CompareRequest
    | OutputsRequest
    | GalleryRequest
    | CreateRequest
    | FollowRequest
    | DecideRequest
)
Request = EditRequest | ReadRequest
