"""Define the events of views: overlays, steps of a layer, contact sheets."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from exporter.studio.common_events import Heights, Int32Array, Tile, Uint8Array, Uint16Array
from exporter.studio.requests import Cell


class ViewFailure(TypedDict):
    """A view that cannot be made, and why."""

    event: Literal[
        "overlay", "overview", "steps", "model", "pieces", "proven_move", "comparison", "outputs"
    ]
    revision: int
    level: str
    drawn: int
    problem: str
    name: NotRequired[str]
    wanted: NotRequired[str]
    number: NotRequired[int]
    id: NotRequired[int]
    to: NotRequired[Cell]
    label: NotRequired[str]


class ViewResult(TypedDict):
    """What the events of all views say: of which draft they are, and no problem."""

    revision: int
    level: str
    drawn: int
    problem: None


class Piece(TypedDict):
    """A stamp or a prefab; cells are ids of its layer's tiles, -1 for none.

    `stamp`: the layer is its stamp, and gets further places. Else `art` and `glyphs` draw it in a
    new one; without `art` it cannot be placed.
    """

    name: str
    layer: str
    stamp: bool
    width: int
    height: int
    cells: Int32Array
    art: str
    glyphs: dict[str, Any]


class PiecesEvent(ViewResult):
    """The stamps and prefabs that can be placed."""

    event: Literal["pieces"]
    pieces: list[Piece]


class ProvenMoveEvent(ViewResult):
    """Whether a mission holds with an object (by its id) at another cell.

    `play`: the fewest things that lose the goal; null if none do.
    """

    event: Literal["proven_move"]
    id: int
    to: Cell
    play: list[str] | None


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


class OverlayEvent(ViewResult):
    """An overlay: values of cells, their colours, and marks.

    See `exporter.overlays`.
    """

    event: Literal["overlay"]
    name: str
    values: Uint8Array | Uint16Array | Int32Array
    palette: Uint8Array
    classes: list[OverlayClass]
    scale: OverlayScale | None
    marks: list[Circle | Label | OverlayPath]


class OverviewEvent(ViewResult):
    """All of a world: four bytes a sample [rows, columns, 4].

    `step`: the cells of a sample's side; `complete`: no closer samples will come.
    """

    event: Literal["overview"]
    complete: bool
    columns: int
    rows: int
    step: int
    pixels: Uint8Array


class StepFrame(TypedDict):
    """What changes in a step; see `stepped`."""

    label: str
    cells: Int32Array | None
    values: Uint8Array | Uint16Array


class StepsEvent(ViewResult):
    """How a layer is made; `thinned`: there are more steps than frames."""

    event: Literal["steps"]
    wanted: str
    layer: str
    width: int
    height: int
    tiles: list[Tile]
    heights: Heights | None
    thinned: bool
    first: Uint8Array | Uint16Array
    frames: list[StepFrame]


class ModelEvent(ViewResult):
    """The level as a binary glTF file."""

    event: Literal["model"]
    model: Uint8Array


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


class CardEvent(TypedDict):
    """The picture of a card, a PNG; empty if there is none."""

    event: Literal["card"]
    of: Literal["level", "preset", "layer"]
    name: str
    picture: Uint8Array
