"""Define the level, which generators make and output formats read.

A level consists of layers, which are grids of cells, of objects placed in cells, and of further
data. All are immutable values. Arrays are indexed `[y, x]` with row 0 at the top; points are `(x,
y)` in cells. Nothing here depends on a generator, an engine or a file.
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
from exporter.model.level_values import (
    DOOR_WORDS,
    EMPTY_NAMES,
    SEEN_ROLES,
    LayerDisplay,
    LayerRole,
    PropertyValue,
    Scalar,
)

if TYPE_CHECKING:
    from exporter.model.mission import Mission
    from exporter.model.sight import Sight
    from exporter.model.tileset import TilesetSource
    from exporter.model.world_part import WorldPart

LayerKind = Literal["tiles", "heights"]
ConnectionKind = Literal["door", "opening"]
ColumnType = Literal["text", "integer", "number", "boolean"]


@dataclass(frozen=True, slots=True)
class Tile:
    """The meaning of a tile id in a layer: name, colour and properties.

    `walkable` is whether a player can enter its cells, `opaque` whether they block sight. `color`
    is `#rrggbb` or `#rrggbbaa`; a tile with alpha 00 is invisible.
    """

    id: int
    name: str
    walkable: bool
    opaque: bool
    color: str

    @property
    def empty(self) -> bool:
        """Whether the tile's name means an empty cell, as `nothing` does."""
        return self.name in EMPTY_NAMES

    @property
    def door(self) -> bool:
        """Whether a word in the tile's name means a door, as in `iron_gate_2`."""
        return not DOOR_WORDS.isdisjoint(re.split("[^a-z]+", self.name.lower()))

    @property
    def blocking(self) -> bool:
        """Whether no other layer can make the tile's cell walkable.

        This holds for tiles that are neither walkable nor empty.
        """
        return not (self.walkable or self.empty)


# The reference programs paint the 1 cells solid black and leave the rest transparent.
CLEAR = "#00000000"
BLACK = "#000000ff"


# Layers of walking distances have this unit, and this sample for unreachable cells.
STEPS = "steps"
NO_STEPS = 65535


@dataclass(frozen=True, slots=True)
class HeightRange:
    """The heights that 16-bit samples represent.

    Sample 0 means `minimum`, sample 65535 `maximum`, both in `units`.
    """

    minimum: float = 0.0
    maximum: float = 1.0
    units: str = "metres"


@dataclass(frozen=True, slots=True)
class Room:
    """A named area made by a generator: its rectangle, and a cell inside.

    `x` and `y` are the rectangle's first column and row; `center` is the cell inside.
    """

    name: str
    x: int
    y: int
    width: int
    height: int
    center: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Connection:
    """A connection between two rooms of a layer.

    Attributes:
        rooms: The two rooms, by their indices in the layer's `rooms`.
        x: The column of the cell where the rooms meet.
        y: The row of that cell.
        kind: `door` or `opening`.
    """

    rooms: tuple[int, int]
    x: int
    y: int
    kind: ConnectionKind = "opening"


@dataclass(frozen=True, slots=True)
class Certificate:
    """Proven facts about a layer's walkable cells.

    A region is a set of walkable cells connected by shared edges, as large as possible.

    Attributes:
        regions_before: The number of regions before `connect`.
        regions_after: The number of regions in the finished layer.
        cells_carved: The number of cells opened to join regions.
        floor: The number of walkable cells.
        cells: The number of all cells.
        farthest: The steps from `start` to the farthest reachable cell.
        start: The cell (x, y) from which steps are counted; None if nothing is walkable.
        dead_ends: The number of walkable cells with exactly one walkable neighbour.
        chokes: The number of walkable cells whose removal splits a region (articulation cells).
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
        """Whether the layer has walkable cells, all in one region."""
        return self.regions_after == 1


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The cells around a layer that is a chunk of a larger layer.

    Attributes:
        cells: uint8 or uint16 [rows, columns]: the cells of the layer with those around it, as far
            as known and inside the map.
        inside: The rows and columns in `cells` that are the layer's own.
        origin: The position (x, y) in the larger layer of the upper left cell of `cells`.
    """

    cells: NDArray[np.uint8] | NDArray[np.uint16]
    inside: tuple[slice, slice]
    origin: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A grid of tiles or heights in a level, with its rooms and objects.

    Attributes:
        name: The layer's name in the spec.
        kind: `tiles` or `heights`.
        cells: uint8 or uint16 [height, width]: tile ids, or height samples.
        generator: The name of the generator that made the layer.
        version: The version of that generator's output.
        tiles: The tiles of a tile layer, by ascending id; empty for heights.
        walkable: bool [height, width], or None for a heights layer without `walkable_above`.
        heights: The range of a heights layer.
        complete: Whether the generator placed everything requested.
        report: Facts from the generator for the export report, as JSON data.
        rooms: The rooms that the generator built, for placing objects.
        certificate: Proven facts about the walkable cells, or None.
        grid_aligned: Whether cells of this layer are cells of the level (False if the layer has
            another size and only covers the same area).
        role: The purpose of the layer. `play`: seen and walked on; `picture`: only seen; `data`:
            for programs; `none`: only for other layers.
        connections: The connections between rooms; in a build they are computed on first access.
        masks: Named sets of cells: bool [height, width] each.
        objects: Objects from the generator, numbered from 1 in the layer; the level renumbers them.
        measures: Whether the layer measures other layers, so that its heights are not terrain. Not
            in blobs.
        display: How engines draw the layer. Not in blobs.
        around: The cells around the layer, if it is a chunk of a larger one. Not in blobs.
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
        """The number of cells in a row."""
        return int(self.cells.shape[1])

    @property
    def height(self) -> int:
        """The number of rows."""
        return int(self.cells.shape[0])

    @property
    def opaque(self) -> NDArray[np.bool_]:
        """The cells whose tiles block sight: bool [height, width]."""
        if self.kind == "heights":
            if self.walkable is None:
                return np.zeros(self.cells.shape, bool)
            return ~self.walkable
        return self.lookup([tile.opaque for tile in self.tiles])

    @property
    def doors(self) -> NDArray[np.bool_]:
        """The cells with walkable doors: bool [height, width]."""
        return self.lookup([tile.door and tile.walkable for tile in self.tiles])

    def lookup(self, values: Iterable[bool]) -> NDArray[np.bool_]:
        """Return for each cell the entry of `values` for its tile.

        `values` has an entry for each of `tiles`, in order; cells with an unknown tile id become
        False. The result is bool [height, width].
        """
        return self._lookup(values).view(np.bool_)

    def _lookup(self, values: Iterable[int]) -> NDArray[np.uint8]:
        """Return for each cell the number in `values` for its tile.

        `values` has a number for each of `tiles`, in order; cells with an unknown tile id get 0.
        """
        table = np.zeros(1 << 8 * self.cells.itemsize, np.uint8)
        for tile, value in zip(self.tiles, values, strict=True):
            if tile.id < table.size:
                table[tile.id] = value
        result: NDArray[np.uint8] = table.take(self.cells)
        return result


@dataclass(frozen=True, slots=True)
class PlacedObject:
    """An object in the cell (x, y) of a level, such as a chest.

    `id` counts from 1 in the order of placement. `entry` is the index of the object group in the
    spec's `objects`, for messages; None for an object from elsewhere.
    """

    id: int
    name: str
    x: int
    y: int
    properties: Mapping[str, PropertyValue] = field(default_factory=dict)
    entry: int | None = field(default=None, compare=False)

    @property
    def kind(self) -> str:
        """The name, with the property `name` of a monster: `monster/ogre`."""
        row = self.properties.get("name")
        return f"{self.name}/{row}" if isinstance(row, str) else self.name

    @property
    def opens(self) -> str | None:
        """The name of the lock that this key opens; None if it is not a key."""
        lock = self.properties.get("opens")
        return lock if isinstance(lock, str) else None

    def called(self, names: Container[str]) -> str | None:
        """Return the object's kind or else its name, whichever is in `names`.

        A kind is such as `monster/ogre`. Return None if neither is in `names`.
        """
        return next((name for name in (self.kind, self.name) if name in names), None)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, whose values have one `type`.

    If `nullable`, values may also be None.
    """

    name: str
    type: ColumnType
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of game data, such as monsters, loot or spawn lists.

    Each of the `rows` has a value for each of the `columns`, in order.
    """

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle, such as one that opens a lock.

    `data` is JSON data, whose keys depend on the `kind` of puzzle.
    """

    name: str
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """A finished level: layers of cells, objects, tables and puzzles.

    Attributes:
        name: The name, also the first part of every output's file name.
        width: The number of cells in a row.
        height: The number of rows.
        seed: The seed as in the spec, integer or text.
        rng: The random number generator: `portable` or `dotnet`.
        layers: The layers by name, in the order of the spec.
        visibility: The field of view of every cell, if the spec asks for it.
        visibility_layer: The layer whose opaque cells block the view.
        objects: The placed objects by ascending id.
        tables: The tables by name.
        puzzles: The puzzles by name.
        properties: The user's own values in the spec, passed on to engines.
        tileset: The pictures of tiles if the spec names some; else they are drawn.
        part: Which chunk of a world the level is; None for an ordinary level.
        mission: The locks and the goal; None without a mission.
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
        """Make the mappings read-only, because formats share the level."""
        for name in ("layers", "tables", "puzzles", "properties"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def tile_layers(self) -> list[Layer]:
        """Return the tile layers that have exactly the cells of the level."""
        shape = self.height, self.width
        return [layer for layer in self.layers.values() if fits_tilemap(layer, shape)]

    def play_layers(self) -> list[Layer]:
        """Return the tile layers of the role `play`.

        These layers are drawn, and decide which cells are walkable.
        """
        return [layer for layer in self.tile_layers() if layer.role == "play"]

    def seen_layers(self) -> list[Layer]:
        """Return the tile layers that engines draw: `play` and `picture`."""
        return [layer for layer in self.tile_layers() if layer.role in SEEN_ROLES]

    def walkable(self) -> NDArray[np.bool_]:
        """Return the level's walkable cells: bool [height, width].

        In such a cell a `play` layer has a walkable tile, and no `play` layer a tile that blocks.
        """
        return walkable_cells(self.layers.values(), (self.height, self.width))

    def opaque(self) -> NDArray[np.bool_]:
        """Return the cells where a `play` layer blocks sight.

        The result is bool [height, width].
        """
        opaque = np.zeros((self.height, self.width), bool)
        for layer in self.play_layers():
            opaque |= layer.opaque
        return opaque

    def exported(self) -> Level:
        """Return the level as outputs get it: without layers of the role `none`.

        The field of view stays, even if the layer that blocks sight is left out.
        """
        remaining = {name: layer for name, layer in self.layers.items() if layer.role != "none"}
        if len(remaining) == len(self.layers):
            return self
        blocking = self.visibility_layer if self.visibility_layer in remaining else None
        return replace(self, layers=remaining, visibility_layer=blocking)

    def height_layers(self) -> list[Layer]:
        """Return the layers of height samples."""
        return [layer for layer in self.layers.values() if layer.kind == "heights"]


# The flags of a cell's tiles, as bits.
_FLOOR, _BLOCKED = 1, 2


def walkable_cells(layers: Iterable[Layer], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Return the walkable cells of a level: bool [height, width].

    A cell is walkable if a `play` layer has a walkable tile there, and no `play` layer has a tile
    that is neither walkable nor empty. So a cell without any tile is not walkable. All code uses
    this definition.

    Args:
        layers: The level's layers; only `play` layers of the level's size are used.
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
    """Return whether `layer` has tiles, one for each cell of the level.

    `shape` is the level's height and width. It is compared with the cells, since an untrusted blob
    may set `grid_aligned` wrongly.
    """
    return layer.kind == "tiles" and layer.grid_aligned and layer.cells.shape == shape
