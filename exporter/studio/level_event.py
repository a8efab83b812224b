"""Define the event with the level that the page draws and reports."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from exporter.studio.common_events import (
    Heights,
    Int32Array,
    Problem,
    Tile,
    Uint8Array,
    Uint16Array,
)
from exporter.studio.requests import Cell


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


class World(TypedDict):
    """The world of which the level is a window.

    `x`, `y`: the window's first cell; `complete`: it has all of the requested area.
    """

    x: int
    y: int
    width: int
    height: int
    complete: bool


class Lock(TypedDict):
    """A lock of a mission, see `exporter.model.mission.Lock`."""

    name: str
    kind: Literal["key", "small_key", "one_way", "shortcut"]
    cells: list[Cell]
    opened_from: list[Cell]


class Mission(TypedDict):
    """A mission; `behind`: the cells that each lock's name opens, 1 for each."""

    start: str
    goal: str
    locks: list[Lock]
    walkthrough: list[str]
    behind: dict[str, Uint8Array]


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
    world: NotRequired[World]
    layers: list[Layer]
    objects: list[Thing]
    mission: Mission | None
    sprites: dict[str, Uint8Array]
    sight: Sight | None
    walkable: Uint8Array
    start: Cell | None
    steps: Uint16Array
    tileset: TilesetPicture | None
    warnings: list[Problem]
    seconds: dict[str, float]
