"""Define the level, the value that generators make and exporters read.

Plain immutable values over numpy arrays. Arrays are indexed `[y, x]`, row 0 at the top; points are
`(x, y)` in cells. Nothing here knows a generator, an engine or a file.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass
from exporter.model.roles import SEEN_ROLES, LayerRole

if TYPE_CHECKING:
    from exporter.model.mission import Mission
    from exporter.model.sight import Sight
    from exporter.model.tileset import TilesetSource
    from exporter.model.world_part import WorldPart

LayerKind = Literal["tiles", "heights"]
ConnectionKind = Literal["door", "opening"]
ColumnType = Literal["text", "integer", "number", "boolean"]
Scalar = str | int | float | bool | None
# A value of a property: a single value, a list of values, or a mapping with one key, the type of
# its value (`exporter.model.property_values`).
PropertyValue = Scalar | list[Any] | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tile:
    """What one tile id of a layer means.

    `color` is `#rrggbb` or `#rrggbbaa`; a tile with alpha 00 is drawn transparent.
    """

    id: int
    name: str
    walkable: bool
    opaque: bool
    color: str

    @property
    def empty(self) -> bool:
        """Return whether cells of this tile are empty, by its name."""
        return self.name in EMPTY_NAMES

    @property
    def door(self) -> bool:
        """Return whether this is a door, by a word such as in `iron_gate_2`."""
        return not DOOR_WORDS.isdisjoint(re.split("[^a-z]+", self.name.lower()))

    @property
    def blocking(self) -> bool:
        """Whether this tile blocks walking, whatever other layers have there."""
        return not (self.walkable or self.empty)


# Tiles of these names are never drawn and have no effect.
EMPTY_NAMES = frozenset({"empty", "nothing", "none", "other"})

# Words in names of tiles that mean doors; `trapdoor` does not.
DOOR_WORDS = frozenset({"door", "gate", "portcullis"})

# The reference programs paint the 1 cells solid black and leave the rest transparent.
CLEAR = "#00000000"
BLACK = "#000000ff"


# Layers of walking distances have this unit, and this sample for unreachable cells.
STEPS = "steps"
NO_STEPS = 65535


@dataclass(frozen=True, slots=True)
class HeightRange:
    """The meaning of 16-bit samples: 0 is `minimum`, 65535 is `maximum`."""

    minimum: float = 0.0
    maximum: float = 1.0
    units: str = "metres"


@dataclass(frozen=True, slots=True)
class Room:
    """A generator's named area: its rectangle and a point inside, in cells."""

    name: str
    x: int
    y: int
    width: int
    height: int
    center: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Connection:
    """An edge of a layer's room graph, between two rooms.

    Attributes:
        rooms: The two rooms, by their indices in the layer's `rooms`.
        x: Column of the cell where they meet.
        y: Row of that cell.
        kind: `door` or `opening`.
    """

    rooms: tuple[int, int]
    x: int
    y: int
    kind: ConnectionKind = "opening"


@dataclass(frozen=True, slots=True)
class Certificate:
    """Proven facts about the walkable cells of a tile layer, all 4-connected.

    Attributes:
        regions_before: Regions the generator left.
        regions_after: Regions in the finished layer.
        cells_carved: Cells opened to join regions.
        floor: Walkable cells.
        cells: All cells.
        farthest: Steps from `start` to the farthest cell reachable from it.
        start: The cell distances are measured from; None when nothing is walkable.
        dead_ends: Walkable cells with exactly one walkable neighbour.
        chokes: Walkable cells whose removal splits their region (articulation cells).
    """

    regions_before: int
    regions_after: int
    cells_carved: int
    floor: int
    cells: int
    farthest: int
    start: tuple[int, int] | None
    dead_ends: int
    chokes: int

    @property
    def connected(self) -> bool:
        """Return whether all walkable cells are connected, and there is one."""
        return self.regions_after == 1


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The cells around a layer that is a part of a larger one.

    Attributes:
        cells: uint8 or uint16 [rows, columns]: the cells of the layer and around it, as far as they
            are known and the map goes.
        inside: The rows and columns of them that are the layer's own.
        origin: Where the first of them lies in the larger one: x, y.
    """

    cells: NDArray[np.uint8] | NDArray[np.uint16]
    inside: tuple[slice, slice]
    origin: tuple[int, int]


@dataclass(frozen=True, slots=True)
class LayerDisplay:
    """How engines draw a layer.

    Attributes:
        y_sort: Whether its cells are drawn in the order of their lower edges, with other things.
        z_index: Layers with a larger one are drawn above.
        settings: Properties of the engine's own, by their names there.
    """

    y_sort: bool = False
    z_index: int = 0
    settings: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One named grid of a level.

    Attributes:
        name: The layer's name in the spec.
        kind: `tiles` or `heights`.
        cells: uint8 or uint16 [height, width]: tile ids, or height samples.
        generator: Name of the generator that made it.
        version: Version of that generator's output.
        tiles: The legend of a tiles layer, by ascending id; empty for heights.
        walkable: bool [height, width], or None for a heights layer without `walkable_above`.
        heights: The range of a heights layer.
        complete: False when the generator could not place everything requested.
        report: The generator's facts for the export report, JSON-able.
        rooms: Rooms the generator built, for placement.
        certificate: Proven facts about the walkable cells; None without any.
        grid_aligned: Whether a cell of this layer is a cell of the level (False when the layer has
            another size and only spans the same area).
        role: The purpose of the layer. `play`: seen and walked on; `picture`: only seen; `data`:
            for programs; `none`: only for other layers.
        connections: The connections of its rooms; those of a build are computed on first access.
        masks: Named sets of its cells: bool [height, width] each.
        objects: Objects of its generator, numbered from 1 in the layer: the level renumbers them.
        measures: Whether it measures other layers: its heights are then no terrain. Not in blobs.
        display: How engines draw it. Not in blobs.
        around: The cells around the layer, if it is a part of a larger one. Not in blobs.
    """

    name: str
    kind: LayerKind
    cells: NDArray[np.uint8] | NDArray[np.uint16]
    generator: str
    version: int = 1
    tiles: tuple[Tile, ...] = ()
    walkable: NDArray[np.bool_] | None = None
    heights: HeightRange | None = None
    complete: bool = True
    report: Mapping[str, Any] = field(default_factory=dict)
    rooms: tuple[Room, ...] = ()
    certificate: Certificate | None = None
    grid_aligned: bool = True
    role: LayerRole = "play"
    connections: Sequence[Connection] = ()
    masks: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    objects: tuple[PlacedObject, ...] = ()
    measures: bool = False
    display: LayerDisplay = LayerDisplay()
    around: Surroundings | None = None

    @property
    def width(self) -> int:
        """Cells in a row."""
        return int(self.cells.shape[1])

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.cells.shape[0])

    @property
    def opaque(self) -> NDArray[np.bool_]:
        """Which cells block sight: bool [height, width]."""
        if self.kind == "heights":
            if self.walkable is None:
                return np.zeros(self.cells.shape, bool)
            return ~self.walkable
        return self.lookup([tile.opaque for tile in self.tiles])

    @property
    def doors(self) -> NDArray[np.bool_]:
        """Return which cells are passable doors: bool [height, width]."""
        return self.lookup([tile.door and tile.walkable for tile in self.tiles])

    def lookup(self, values: Iterable[bool]) -> NDArray[np.bool_]:
        """Return the entry of `values` (one per legend tile) for every cell.

        Ids outside the legend count as False.
        """
        return self._lookup(values).view(np.bool_)

    def _lookup(self, values: Iterable[int]) -> NDArray[np.uint8]:
        """Return `lookup` of small numbers; unknown ids count as 0."""
        table = np.zeros(1 << 8 * self.cells.itemsize, np.uint8)
        for tile, value in zip(self.tiles, values, strict=True):
            if tile.id < table.size:
                table[tile.id] = value
        result: NDArray[np.uint8] = table.take(self.cells)
        return result


@dataclass(frozen=True, slots=True)
class PlacedObject:
    """An object in a cell: `id` counts from 1 in the order of placement.

    `entry` is the index in the spec's `objects` that requested it; None without one. Only messages
    use it.
    """

    id: int
    name: str
    x: int
    y: int
    properties: Mapping[str, PropertyValue] = field(default_factory=dict)
    entry: int | None = field(default=None, compare=False)

    @property
    def kind(self) -> str:
        """Return `monster/ogre` for a `monster` named `ogre`, else the name."""
        row = self.properties.get("name")
        return f"{self.name}/{row}" if isinstance(row, str) else self.name

    @property
    def opens(self) -> str | None:
        """The lock that it opens as a key; None if it is no key."""
        lock = self.properties.get("opens")
        return lock if isinstance(lock, str) else None

    def called(self, names: Container[str]) -> str | None:
        """Return which of some names it has: its kind, else its name."""
        return next((name for name in (self.kind, self.name) if name in names), None)


@dataclass(frozen=True, slots=True)
class Column:
    """A typed column of a table: `type` is text, integer, number or boolean."""

    name: str
    type: ColumnType
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of game data (monsters, loot, spawn lists)."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle lock: `data` is JSON-able and depends on `kind`."""

    name: str
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """A finished level.

    Attributes:
        name: Also the first part of every output's file name.
        width: Cells in a row.
        height: Rows.
        seed: As in the spec, integer or text.
        rng: `portable` or `dotnet`.
        layers: By name, in the order of the spec.
        visibility: The field of view of every cell, if the spec asks for it.
        visibility_layer: The layer whose opaque cells block that view.
        objects: Placed objects in order.
        tables: By name.
        puzzles: By name.
        properties: Free values of the spec that are passed through to the engines.
        tileset: The tiles' pictures, where the spec names some; otherwise they are drawn.
        part: The part of a world that it is; None for an ordinary level.
        mission: Its locks and goal; None without a mission.
    """

    name: str
    width: int
    height: int
    seed: int | str = 0
    rng: str = "portable"
    layers: Mapping[str, Layer] = field(default_factory=dict)
    visibility: Sight | None = None
    visibility_layer: str | None = None
    objects: tuple[PlacedObject, ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    puzzles: Mapping[str, Puzzle] = field(default_factory=dict)
    properties: Mapping[str, PropertyValue] = field(default_factory=dict)
    tileset: TilesetSource | None = None
    part: WorldPart | None = None
    mission: Mission | None = None

    def __post_init__(self) -> None:
        """Freeze the mappings: a level is shared between formats."""
        for name in ("layers", "tables", "puzzles", "properties"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def tile_layers(self) -> list[Layer]:
        """Return the tile layers with one cell for each cell of the level."""
        shape = self.height, self.width
        return [layer for layer in self.layers.values() if fits_tilemap(layer, shape)]

    def play_layers(self) -> list[Layer]:
        """Return the tile layers of the role `play`.

        They are seen, and decide where one can walk.
        """
        return [layer for layer in self.tile_layers() if layer.role == "play"]

    def seen_layers(self) -> list[Layer]:
        """Return the tile layers that engines draw: `play` and `picture`."""
        return [layer for layer in self.tile_layers() if layer.role in SEEN_ROLES]

    def walkable(self) -> NDArray[np.bool_]:
        """Return the level's mask of walkable cells; see `walkable_cells`."""
        return walkable_cells(self.layers.values(), (self.height, self.width))

    def opaque(self) -> NDArray[np.bool_]:
        """Return the cells where a play layer blocks light.

        bool [height, width].
        """
        opaque = np.zeros((self.height, self.width), bool)
        for layer in self.play_layers():
            opaque |= layer.opaque
        return opaque

    def exported(self) -> Level:
        """Return the level as outputs get it: without layers of the role `none`.

        The field of view stays, whatever becomes of the layer that blocks it.
        """
        remaining = {name: layer for name, layer in self.layers.items() if layer.role != "none"}
        if len(remaining) == len(self.layers):
            return self
        blocking = self.visibility_layer if self.visibility_layer in remaining else None
        return replace(self, layers=remaining, visibility_layer=blocking)

    def height_layers(self) -> list[Layer]:
        """The layers of height samples."""
        return [layer for layer in self.layers.values() if layer.kind == "heights"]


# The flags of a cell's tiles, as bits.
_FLOOR, _BLOCKED = 1, 2


def walkable_cells(layers: Iterable[Layer], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Return the walkable cells of a level, the mask that all code uses.

    A cell is walkable if some play layer has a walkable tile there, and none has a tile that is
    neither walkable nor empty. So a cell without a tile in any play layer is not walkable.

    Args:
        layers: The level's layers; all but the play layers of the level's size are ignored.
        shape: The level's height and width.
    """
    result = np.zeros(shape, np.uint8)
    for layer in layers:
        if layer.role == "play" and fits_tilemap(layer, shape):
            result |= layer._lookup(
                _FLOOR * tile.walkable + _BLOCKED * tile.blocking for tile in layer.tiles
            )
    walkable: NDArray[np.bool_] = result == _FLOOR
    return walkable


def fits_tilemap(layer: Layer, shape: tuple[int, int]) -> bool:
    """Whether a layer has tiles and the size of a level.

    A blob from anywhere may call a layer of another size aligned.
    """
    return layer.kind == "tiles" and layer.grid_aligned and layer.cells.shape == shape
