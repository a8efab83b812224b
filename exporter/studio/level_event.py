"""Define the event that shows a level."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from exporter.studio.common_events import (
    HeightsData,
    Int32Array,
    ProblemData,
    TileData,
    Uint8Array,
    Uint16Array,
)
from exporter.studio.requests import Cell


class RoomData(TypedDict):
    """A room of a layer: its rectangle in cells, and the cell in its middle."""

    name: str
    x: int
    y: int
    width: int
    height: int
    center: Cell


class ConnectionData(TypedDict):
    """A connection between two rooms, such as a door, at the cell `x`, `y`.

    `rooms`: the indexes of the rooms in the layer's list.
    """

    rooms: tuple[int, int]
    x: int
    y: int
    kind: str


class CertificateData(TypedDict):
    """The certificate of a layer: counts of its cells and regions.

    `cells_carved`: cells opened to join regions. `floor`: walkable cells. `farthest`: the steps
    from `start` to the farthest cell. `chokes`: walkable cells whose removal splits a region.
    """

    regions_before: int
    regions_after: int
    cells_carved: int
    floor: int
    cells: int
    farthest: int
    start: Cell | None
    dead_ends: int
    chokes: int


class DrawingData(TypedDict):
    """The pictures with which a layer is drawn: numbers in the tileset.

    The numbers count from 1; 0 is no picture. `between`: the pictures lie on the corners of cells.
    """

    between: bool
    numbers: Uint16Array


class LayerData(TypedDict):
    """A layer of the level, with the cells and the pictures to draw it.

    `aligned`: whether each cell of the layer is a cell of the level. `version`: that of the
    generator. `complete`: whether the generator placed all that the spec requests. `pictures`: how
    each of the `tiles` looks, as numbers of the tileset from 1, bottom first.
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
    tiles: list[TileData]
    heights: HeightsData | None
    rooms: list[RoomData]
    connections: list[ConnectionData]
    certificate: CertificateData | None
    drawings: list[DrawingData]
    pictures: list[list[int]]


class ObjectData(TypedDict):
    """An object of the level; `kind` is the name of its picture.

    `entry`: the index of the entry of `objects:` that placed it; null if none did.
    """

    id: int
    name: str
    x: int
    y: int
    properties: dict[str, Any]
    entry: int | None
    kind: str


class SightData(TypedDict):
    """What the page needs to compute fields of view: rule and opaque cells.

    `layer`: the layer that the cells belong to. `seeWalls`: whether opaque cells are seen
    themselves.
    """

    layer: str | None
    rule: Literal["symmetric", "shadowcast", "raycast"]
    radius: int
    seeWalls: bool
    opaque: Uint8Array


class TilesetPictureData(TypedDict):
    """The picture of the tileset with all tiles: RGBA, four bytes a pixel."""

    size: int
    columns: int
    rows: int
    margin: int
    spacing: int
    pixels: Uint8Array


class CellConflictsData(TypedDict):
    """Edited cells whose generated tile has changed since the edit was made.

    `now`: the tiles or samples that the edits write into these cells.
    """

    layer: str
    cells: list[Cell]
    now: list[str | int | None]


class ObjectConflictData(TypedDict):
    """An edited object whose generated cell changed since the edit was made.

    `at`: its generated cell at present. `now`: the cell that the edit moves it to; null if the edit
    removes it.
    """

    name: str
    ordinal: int
    at: Cell
    now: Cell | None


class ConflictsData(TypedDict):
    """Hand edits that do not fit the level as it is generated now."""

    cells: list[CellConflictsData]
    objects: list[ObjectConflictData]


class EditedCellsData(TypedDict):
    """The edited cells of a layer, and the generated values there.

    `places` are the cells' indexes, row by row.
    """

    places: Int32Array
    generated: Int32Array


class RemovedObjectData(TypedDict):
    """A generated object that an edit removes, with its generated cell."""

    name: str
    ordinal: int
    at: Cell


class EditsData(TypedDict):
    """The facts about hand edits that the page needs for drawing.

    `ordinals`: the number of each generated object among those of its name, from 1, by the object's
    id. `names`: the objects that can be added. `layers`: how many cells are edited, by layer.
    `cells`: these cells, by layer. `objects`: how many objects are edited. `conflicts`: the edits
    that do not fit the level. `fixed`: the moved and pinned objects, by id. `removed`: the objects
    that edits remove.
    """

    ordinals: dict[str, int]
    names: list[str]
    layers: dict[str, int]
    cells: NotRequired[dict[str, EditedCellsData]]
    objects: int
    conflicts: ConflictsData
    fixed: dict[str, Literal["moved", "pinned"]]
    removed: list[RemovedObjectData]


class DemandData(TypedDict):
    """A requirement of an entry of `objects:`: its key, and its value as text."""

    name: str
    text: str


class LegendGroupData(TypedDict):
    """An entry of `objects:`, with the number of objects that it placed.

    `asked`: the requested number. `demands`: the entry's requirements.
    """

    placed: int
    asked: int
    demands: list[DemandData]


class LegendEntryData(TypedDict):
    """All objects of one name: their colour, and how many there are.

    `placed`: the number in the level. `asked`: the requested number; 0 if the spec requests none.
    """

    name: str
    color: str
    placed: int
    asked: int
    groups: list[LegendGroupData]


class WorldData(TypedDict):
    """The window of a world that is shown as the level.

    `x` and `y`: the window's first cell in the world. `width` and `height`: the size of the world.
    `complete`: whether the window is all that was requested.
    """

    x: int
    y: int
    width: int
    height: int
    complete: bool


class LockData(TypedDict):
    """A lock that blocks a path through the level until it is opened.

    `cells`: the closed cells. `opened_from`: for `one_way` and `shortcut`, the adjacent cells from
    which the lock can be entered or opened.
    """

    name: str
    kind: Literal["key", "small_key", "one_way", "shortcut"]
    cells: list[Cell]
    opened_from: list[Cell]


class MissionData(TypedDict):
    """The mission of a level: a start, a goal, and locks between them.

    `walkthrough`: the actions of a shortest complete walk, in order. `behind`: for the name of each
    lock, a mask of the cells that it opens.
    """

    start: str
    goal: str
    locks: list[LockData]
    walkthrough: list[str]
    behind: dict[str, Uint8Array]


class LevelEvent(TypedDict):
    """The level, with all that the page draws and reports about it.

    `drawn`: the number of the last request that drew cells. `seedResult`: the seed that the spec's
    search found; `pinned`: whether that of an earlier draft was used. `start`: where walks start;
    `steps`: how far each cell is from there.
    """

    event: Literal["level"]
    revision: int
    level: str
    drawn: int
    seedResult: int | str | None
    pinned: bool
    problems: list[ProblemData]
    edits: EditsData
    legend: list[LegendEntryData]
    name: str
    width: int
    height: int
    seed: int | str
    rng: str
    world: NotRequired[WorldData]
    layers: list[LayerData]
    objects: list[ObjectData]
    mission: MissionData | None
    sprites: dict[str, Uint8Array]
    sight: SightData | None
    walkable: Uint8Array
    start: Cell | None
    steps: Uint16Array
    tileset: TilesetPictureData | None
    warnings: list[ProblemData]
    seconds: dict[str, float]
