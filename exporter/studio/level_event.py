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
    """A room of a layer."""

    name: str
    x: int
    y: int
    width: int
    height: int
    center: Cell


class ConnectionData(TypedDict):
    """A connection of two rooms."""

    rooms: tuple[int, int]
    x: int
    y: int
    kind: str


class CertificateData(TypedDict):
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


class DrawingData(TypedDict):
    """The numbers of a layer's pictures in the tileset, from 1; 0 for none."""

    between: bool
    numbers: Uint16Array


class LayerData(TypedDict):
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
    tiles: list[TileData]
    heights: HeightsData | None
    rooms: list[RoomData]
    connections: list[ConnectionData]
    certificate: CertificateData | None
    drawings: list[DrawingData]
    pictures: list[list[int]]


class ObjectData(TypedDict):
    """An object of the level; `kind` names its picture."""

    id: int
    name: str
    x: int
    y: int
    properties: dict[str, Any]
    entry: int | None
    kind: str


class SightData(TypedDict):
    """The data from which the page computes fields of view."""

    layer: str | None
    rule: Literal["symmetric", "shadowcast", "raycast"]
    radius: int
    seeWalls: bool
    opaque: Uint8Array


class TilesetPictureData(TypedDict):
    """The picture of all tiles, four bytes a pixel."""

    size: int
    columns: int
    rows: int
    margin: int
    spacing: int
    pixels: Uint8Array


class CellConflictsData(TypedDict):
    """Edited cells of a layer whose generated tiles have changed."""

    layer: str
    cells: list[Cell]
    now: list[str | int | None]


class ObjectConflictData(TypedDict):
    """An edited object that the generator now places elsewhere, at `at`.

    `now`: where the edit moves it, unless the edit removes it.
    """

    name: str
    ordinal: int
    at: Cell
    now: Cell | None


class ConflictsData(TypedDict):
    """The hand edits that conflict with the level as generated now."""

    cells: list[CellConflictsData]
    objects: list[ObjectConflictData]


class EditedCellsData(TypedDict):
    """A layer's edited cells (indexes row by row) and their generated tiles."""

    places: Int32Array
    generated: Int32Array


class RemovedObjectData(TypedDict):
    """A placed object that is removed by hand."""

    name: str
    ordinal: int
    at: Cell


class EditsData(TypedDict):
    """The facts about hand edits that drawing needs.

    `ordinals`: each placed object's number among its name, by id. `names`: objects that can be
    added. `layers`: how many cells of each layer are edited; `cells`: which ones. `objects`: how
    many objects are edited; `fixed`: which a person placed or pinned; `removed`: which a person
    removed.
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
    """A requirement of an entry of `objects:`, as written."""

    name: str
    text: str


class LegendGroupData(TypedDict):
    """An entry of `objects:`, with numbers of placed and requested objects."""

    placed: int
    asked: int
    demands: list[DemandData]


class LegendEntryData(TypedDict):
    """A name of objects: colour, numbers placed and requested (0: none)."""

    name: str
    color: str
    placed: int
    asked: int
    groups: list[LegendGroupData]


class WorldData(TypedDict):
    """The world that the shown level is a window of.

    `x`, `y`: the window's first cell. `complete`: whether the window has the whole requested area.
    """

    x: int
    y: int
    width: int
    height: int
    complete: bool


class LockData(TypedDict):
    """A lock of a mission, see `exporter.model.mission.Lock`."""

    name: str
    kind: Literal["key", "small_key", "one_way", "shortcut"]
    cells: list[Cell]
    opened_from: list[Cell]


class MissionData(TypedDict):
    """A mission; `behind` marks the cells that each lock's name opens."""

    start: str
    goal: str
    locks: list[LockData]
    walkthrough: list[str]
    behind: dict[str, Uint8Array]


class LevelEvent(TypedDict):
    """The level, with everything that the page draws and reports."""

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
