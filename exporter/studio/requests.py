"""Define requests: the messages of the page, each with its action in `do`.

These types are their only schema: the server refuses messages that do not fit (see
`request_checks.check_request`), and the page is checked against the same types, which
`tests/harness/update_page_types.py` writes for TypeScript into `page/messages.d.ts`. `Any` is a
value of a spec.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Path = list[str | int]
Cell = tuple[int, int]


class Hello(TypedDict):
    """The first message of a tab, with the token and its session's id.

    `challenge`: a random number, from a tab that has a key of an earlier run of the studio.
    """

    token: str
    session: str | None
    challenge: NotRequired[str]


class TokenProof(TypedDict):
    """Answer `ProofEvent`: prove that this tab has the studio's key.

    `proof`: an authentication code, made with the key, of the random numbers of tab and studio.
    """

    proof: str


class SetChange(TypedDict):
    """Set the value at the path `set`."""

    set: Path
    value: Any


class YamlChange(TypedDict):
    """Set the value at the path `set` to the value of the YAML text `yaml`."""

    set: Path
    yaml: str


class InsertChange(TypedDict):
    """Add `value` at the path `insert`; `place` is its index among siblings."""

    insert: Path
    value: Any
    place: NotRequired[int]


class RemoveChange(TypedDict):
    """Remove the entry at the path `remove`."""

    remove: Path


class RenameChange(TypedDict):
    """Replace the key of the entry at the path `rename` by `key`."""

    rename: Path
    key: str


class MoveChange(TypedDict):
    """Move the entry at the path `move` to the index `place`, among siblings."""

    move: Path
    place: int


Change = SetChange | YamlChange | InsertChange | RemoveChange | RenameChange | MoveChange


class OpenRequest(TypedDict):
    """Open a level, and show its draft; `level` is its id."""

    do: Literal["open"]
    level: str


class ChangeRequest(TypedDict):
    """Change the draft; requests with the same `merge` are one undo step.

    `number`: a number by which the page recognises the draft after the change.
    """

    do: Literal["change"]
    changes: list[Change]
    merge: NotRequired[str]
    number: NotRequired[int]


class TextRequest(TypedDict):
    """Replace the draft's text by one that a person typed.

    `revision`: the number of the draft in which it was typed. If that is not the newest, the
    request has no effect: the page gets the newest draft, and sends the text again. Requests with
    the same `merge` are one undo step.
    """

    do: Literal["text"]
    text: str
    revision: NotRequired[int]
    merge: NotRequired[str]
    number: NotRequired[int]


class UndoRequest(TypedDict):
    """Undo or redo a step, or return to the saved files (`revert`)."""

    do: Literal["undo", "redo", "revert"]


class SaveRequest(TypedDict):
    """Write the draft into its files.

    An autosave has the `revision` of the draft that the page saw. It writes nothing if the draft
    has changed since, or if the draft's last step came from a followed link.
    """

    do: Literal["save"]
    revision: NotRequired[int]


class ExportRequest(TypedDict):
    """Save the draft, and export the level for the project's targets."""

    do: Literal["export"]
    number: NotRequired[int]


class AdoptRequest(TypedDict):
    """Decide what to do after the level's file has changed or was deleted.

    `how`: load the file (`theirs`), or reapply the draft's changes to it (`mine`); after a
    deletion, write it again (`again`), or close the level (`nothing`).
    """

    do: Literal["adopt"]
    how: Literal["theirs", "mine", "again", "nothing"]


class PlainRequest(TypedDict):
    """Request one of several things that need no further fields."""

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
    """Show a contact sheet: small pictures of many levels of the draft.

    `sheet`: the page's number of the sheet. `first`: the first of consecutive seeds. `skip`: how
    many seeds to skip. `where`: the condition over metrics. `vary`: parameters, as for `exporter
    seeds --vary`. `steps`: how many values each parameter takes in a grid, for the one `seed`.
    `pack`: show the levels of the exported pack. A number is null if its input is unreadable.
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
    """Show another window of a world.

    `place`: the window's upper left cell; `size`: its width and height in cells.
    """

    do: Literal["area"]
    place: Cell
    size: Cell


class StepsRequest(TypedDict):
    """Show the steps in which a layer is generated, or hide them.

    `layer`: the layer's name; empty for the first layer with several steps, null to hide the steps.
    """

    do: Literal["steps"]
    layer: str | None


class ToggleRequest(TypedDict):
    """Show the 3D model, or the list of pieces to place; hide it if not `on`."""

    do: Literal["model", "pieces"]
    on: bool


class WithSaved(TypedDict):
    """Compare the draft with the saved files."""

    saved: Literal[True]


class WithRevision(TypedDict):
    """Compare the draft with the files in a commit of Git."""

    revision: str


class WithSeed(TypedDict):
    """Compare the draft with the same draft under another seed."""

    seed: int | str


class WithLevel(TypedDict):
    """Compare the draft with another saved level, given by its id."""

    level: str


class WithKept(TypedDict):
    """Compare the draft with an earlier one, kept by the request `keep`."""

    kept: Literal[True]


Compared = WithSaved | WithRevision | WithSeed | WithLevel | WithKept


# The functional form: `with` is a word of Python.
CompareRequest = TypedDict(
    "CompareRequest",
    {"do": Literal["compare"], "number": NotRequired[int], "with": Compared | None},
)
CompareRequest.__doc__ = "Compare from now on, until `with` is null."


class OutputsRequest(TypedDict):
    """Compare once the files that the draft and the other level export.

    `stop`: end the running comparison of files instead.
    """

    do: Literal["outputs"]
    stop: NotRequired[bool]


class DrawRequest(TypedDict):
    """Draw cells of a layer.

    `tile`: the name of a tile, a sample of heights, or null for empty.
    """

    do: Literal["draw"]
    layer: str
    cells: list[Cell]
    tile: str | int | None
    number: NotRequired[int]
    merge: NotRequired[str]


class RestoreRequest(TypedDict):
    """Restore cells of a layer as generated: remove their hand edits."""

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
    """Ask whether the mission still works with an object at another cell.

    `to`: that cell; null cancels the request.
    """

    do: Literal["prove_move"]
    id: int
    to: Cell | None


class AddObjectRequest(TypedDict):
    """Add an object with one of the level's names, at the cell `to`."""

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
    """Move the hand-drawn cells of a layer into a new layer.

    The generator of the new layer is `stamp`.
    """

    do: Literal["stamp"]
    layer: str


class PlaceStampRequest(TypedDict):
    """Place a stamp or prefab on a layer, in a new layer that draws it.

    `name`: the name of the new layer. `art`: a drawing in characters, `glyphs`: the tile of each
    character, `at`: where the drawing lies.
    """

    do: Literal["place_stamp"]
    layer: str
    name: str
    art: str
    glyphs: dict[str, Any]
    at: Any


class RenameLayerRequest(TypedDict):
    """Rename a layer everywhere in the spec and in the hand edits.

    `layer`: the old name, `name`: the new one.
    """

    do: Literal["rename_layer"]
    layer: str
    name: str


class GalleryRequest(TypedDict):
    """Request the cards of the start page of one kind, with pictures.

    `of`: levels to open, or presets or generators of layers to start from.
    """

    do: Literal["gallery"]
    of: Literal["level", "preset", "layer"]


class CreateRequest(TypedDict):
    """Write the spec of a new level, made from a preset or a picture.

    An existing file is never replaced. `picture`: the file of a picture, in base64.
    """

    do: Literal["create"]
    name: str
    preset: str
    picture: NotRequired[str]


class FollowRequest(TypedDict):
    """Propose the changes of a link, and leave the draft as it is."""

    do: Literal["follow"]
    level: str
    pairs: list[tuple[str, str]]


class DecideRequest(TypedDict):
    """Decide about the changes that a link proposes.

    `how`: apply them, preview them (`look`) or drop them.
    """

    do: Literal["decide"]
    how: Literal["apply", "look", "drop"]


class ProposalRequest(TypedDict):
    """Decide about the text that an agent wrote into the file.

    `how`: keep it (`keep`), or restore the text before it (`back`).
    """

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
