"""Define the events of views: what the page shows besides the level."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from exporter.studio.common_events import HeightsData, Int32Array, TileData, Uint8Array, Uint16Array
from exporter.studio.requests import Cell


class ViewFailure(TypedDict):
    """A view that cannot be made; `problem` is the reason.

    The optional fields identify the request.
    """

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
    """The fields that the events of all views have; `problem` is null.

    `revision`: the number of the draft. `drawn`: the number of the last request that drew cells in
    it.
    """

    revision: int
    level: str
    drawn: int
    problem: None


class PieceData(TypedDict):
    """A stamp or prefab that can be placed on a layer.

    `cells` are ids of the layer's tiles, -1 for none. `stamp`: whether the layer already is this
    stamp; then it gets another position. Otherwise `art` and `glyphs` draw the piece in a new
    layer; if `art` is empty, the piece cannot be placed.
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
    pieces: list[PieceData]


class ProvenMoveEvent(ViewResult):
    """Whether the mission works with an object moved to the cell `to`.

    `play`: the fewest events that make the goal unreachable; null if it stays reachable.
    """

    event: Literal["proven_move"]
    id: int
    to: Cell
    play: list[str] | None


class OverlayClassData(TypedDict):
    """A class of cells in an overlay: its name, colour and number of cells."""

    id: int
    name: str
    color: str
    count: int


class OverlayScaleData(TypedDict):
    """The range `low` to `high` of the numbers in an overlay, and their unit."""

    low: int
    high: int
    unit: str


class CircleData(TypedDict):
    """A mark of an overlay: a circle around a cell."""

    kind: Literal["circle"]
    x: int
    y: int
    radius: int


class LabelData(TypedDict):
    """A mark of an overlay: a text at a cell."""

    kind: Literal["label"]
    x: int
    y: int
    text: str


class OverlayPathData(TypedDict):
    """A mark of an overlay: a line through cells."""

    kind: Literal["path"]
    cells: Int32Array


class OverlayEvent(ViewResult):
    """An overlay: a value for each cell, their colours, and marks.

    The values are ids of `classes`, or numbers on `scale` plus 256; 0 is no value. `palette` has
    the colours of the classes by id, then those of the scale from its least number to its greatest.
    """

    event: Literal["overlay"]
    name: str
    values: Uint8Array | Uint16Array | Int32Array
    palette: Uint8Array
    classes: list[OverlayClassData]
    scale: OverlayScaleData | None
    marks: list[CircleData | LabelData | OverlayPathData]


class OverviewEvent(ViewResult):
    """The picture of a whole world from samples: RGBA [rows, columns, 4].

    `step`: the side in cells of the square that a sample represents. `complete`: no finer samples
    will follow.
    """

    event: Literal["overview"]
    complete: bool
    columns: int
    rows: int
    step: int
    pixels: Uint8Array


class StepFrameData(TypedDict):
    """The change of a layer from one step to the next.

    `values`: the exclusive or of the old and new numbers in the cells with the indexes `cells`; if
    `cells` is null, in all cells.
    """

    label: str
    cells: Int32Array | None
    values: Uint8Array | Uint16Array


class StepsEvent(ViewResult):
    """The steps in which a layer is generated.

    `wanted`: the layer that was requested. `thinned`: some steps have no frame.
    """

    event: Literal["steps"]
    wanted: str
    layer: str
    width: int
    height: int
    tiles: list[TileData]
    heights: HeightsData | None
    thinned: bool
    first: Uint8Array | Uint16Array
    frames: list[StepFrameData]


class ModelEvent(ViewResult):
    """The 3D model of the level, a binary glTF file."""

    event: Literal["model"]
    model: Uint8Array


class SheetLevelData(TypedDict):
    """A level of a contact sheet, without its picture.

    `failure`: the broken requirement. `miss`: the distance from the condition. Both are empty if
    the level passes. `warnings`: requests that could not be fulfilled. `column` and `row`: its
    position in a grid of parameter values.
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
    """Some levels of a contact sheet, with their pictures.

    `pictures`: the RGB bytes of all pictures, each `width` by `height` pixels.
    """

    event: Literal["seed-levels"]
    sheet: int
    levels: list[SheetLevelData]
    width: int
    height: int
    pictures: Uint8Array


class CardEvent(TypedDict):
    """The picture of a card on the start page: a PNG, or empty for none.

    `why`: why there is none.
    """

    event: Literal["card"]
    of: Literal["level", "preset", "layer"]
    name: str
    picture: Uint8Array
    why: str
