"""Place hand-drawn rooms, and dig corridors between their doors.

The cells of a room stay unchanged. Corridors start and end at doors and run around all rooms, so
beside each room a corridor must be able to pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Request
from exporter.generators._corridors import dig_around, sides_of
from exporter.generators._legend import TRANSPARENT, AnyTile, Glyph, Legend
from exporter.generators._pieces import DOOR, Ids, Path, PieceSource, directions, read_pieces
from exporter.grids.regions import label_regions
from exporter.kernels.random_draws import Draws
from exporter.model.costs import Cost
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Room
from exporter.model.parameters import About, Parameters, Within

# Solid cells around a room, so that a corridor can pass: one inside the border of the map.
BORDER = 2
# Places that are tried for a room where cells are given.
PLACES = 30


@dataclass(frozen=True, kw_only=True)
class DrawnRooms(PieceSource):
    """Parameters for rooms that are drawn by hand.

    Corridors join them at cells of the tile `door` that lie at their edge, or else at any walkable
    cell there.
    """

    glyphs: Annotated[
        dict[Glyph, AnyTile],
        Within(0, 256, length=True),
        About("Further characters of the drawing, and the tiles they stand for."),
    ] = field(default_factory=dict)
    turn: Annotated[
        bool, About("Whether they may be turned in steps of 90 degrees.", also=("rotate",))
    ] = False
    mirror: Annotated[bool, About("Whether they may be mirrored.")] = False


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A drawn room in one orientation, rotated or mirrored.

    Attributes:
        ids: int32 [height, width]: tile ids, or -1 outside the room.
        body: bool [height, width]: cells with tiles, and cells enclosed by them.
        exits: int64 [count, 2]: the cells (x, y) outside the room, beside its doors, where
            corridors start and end.
        center: The walkable cell (x, y) nearest to the room's middle, from its upper left cell.
    """

    ids: Ids
    body: NDArray[np.bool_]
    exits: NDArray[np.int64]
    center: tuple[int, int]

    @property
    def width(self) -> int:
        return int(self.ids.shape[1])

    @property
    def height(self) -> int:
        return int(self.ids.shape[0])


@dataclass(frozen=True, slots=True, eq=False)
class PlacedRoom:
    """A drawn room on the map; (x, y) is its upper left cell."""

    shape: Shape
    x: int
    y: int

    @property
    def center(self) -> tuple[int, int]:
        """The walkable cell (x, y) of the map nearest to the room's middle."""
        return self.x + self.shape.center[0], self.y + self.shape.center[1]

    def room(self, number: int) -> Room:
        """Return the room as a `Room` with the name `room_<number>`."""
        width, height = self.shape.width, self.shape.height
        return Room(f"room_{number}", self.x, self.y, width, height, self.center)


def check_drawn_rooms(rooms: Sequence[DrawnRooms]) -> None:
    """Refuse wrong parameters in `rooms` before any file is read.

    Raises:
        ParameterError: A parameter is wrong; the error has its path.
    """
    for index, room in enumerate(rooms):
        path = ("drawn_rooms", index)
        room.check_source(room.glyphs, path)
        if room.glyphs and room.names_a_map():
            raise ParameterError(
                "`glyphs` has no effect without a drawing (remove it, or add drawings)",
                (*path, "glyphs"),
            )


def read_shapes(
    rooms: Sequence[DrawnRooms], legend: Legend, request: Request
) -> list[tuple[Shape, ...]]:
    """Read all drawn rooms; return each in its allowed orientations.

    Tiles of the rooms are added to `legend`; `request` reads files.

    Raises:
        ParameterError: A parameter is wrong, or a room has no walkable cell, or neither a door nor
            a walkable cell at its edge; the error has the path.
    """
    result: list[tuple[Shape, ...]] = []
    for index, room in enumerate(rooms):
        path = ("drawn_rooms", index)
        for piece in read_pieces(room, room.glyphs, legend, request, path):
            turned = directions(piece, room.turn, room.mirror)
            result.append(tuple(_shape(ids, legend, (*path, room.source_key)) for ids in turned))
    return result


def _shape(ids: Ids, legend: Legend, path: Path) -> Shape:
    """Return the drawn room with the tiles `ids`, int32 [height, width].

    Raises:
        ParameterError: The room has no walkable cell, or no entrance: neither a door nor a walkable
            cell at its edge. The error has `path`.
    """
    walkable = np.isin(ids, [tile.id for tile in legend.tiles if tile.walkable])
    if not walkable.any():
        raise ParameterError(
            "a drawn room has no walkable cell (if cells without a tile are floor, write `fill: "
            "floor`)",
            path,
        )
    outside = _outside(ids)
    edge = (ids != TRANSPARENT) & (
        outside[:-2, 1:-1] | outside[2:, 1:-1] | outside[1:-1, :-2] | outside[1:-1, 2:]
    )
    door = legend.find(DOOR)
    doors = edge & (ids == (TRANSPARENT if door is None else door.id))
    if not doors.any():
        doors = edge & walkable
    if not doors.any():
        height, width = ids.shape
        raise ParameterError(
            f"a drawn room of {width} x {height} cells has no entrance: neither a door nor a "
            "walkable cell at its edge (draw the tile `door` there, or put an object of the class "
            "`door` on one of its cells)",
            path,
        )
    rows, columns = np.nonzero(walkable)
    middle_x, middle_y = ids.shape[1] // 2, ids.shape[0] // 2
    nearest = int(((rows - middle_y) ** 2 + (columns - middle_x) ** 2).argmin())
    body = ~outside[1:-1, 1:-1]
    framed = np.pad(doors, 1)
    beside = np.zeros(framed.shape, bool)
    beside[:-1] |= framed[1:]
    beside[1:] |= framed[:-1]
    beside[:, :-1] |= framed[:, 1:]
    beside[:, 1:] |= framed[:, :-1]
    exits = np.argwhere(beside & outside)[:, ::-1] - 1
    return Shape(ids, body, exits, (int(columns[nearest]), int(rows[nearest])))


def _outside(ids: Ids) -> NDArray[np.bool_]:
    """Return which cells are outside the room, not enclosed by its tiles.

    The result, bool [height + 2, width + 2], has a frame of one cell around `ids`.
    """
    framed = np.pad(ids == TRANSPARENT, 1, constant_values=True)
    labels = label_regions(framed).labels
    outside: NDArray[np.bool_] = labels == labels[0, 0]
    return outside


def draw_shape(
    shapes: Sequence[tuple[Shape, ...]], width: int, height: int, draws: Draws
) -> Shape | None:
    """Choose a random drawn room that fits into `width` x `height` cells.

    `shapes` has the allowed orientations of each room; only fitting ones are chosen. None if no
    room fits.
    """
    fitting: list[list[Shape]] = []
    for turned in shapes:
        able = [item for item in turned if item.width <= width and item.height <= height]
        if able:
            fitting.append(able)
    if not fitting:
        return None
    directions_of = fitting[draws.next(0, len(fitting))]
    chosen: Shape = directions_of[draws.next(0, len(directions_of))]
    return chosen


class DrawnMap:
    """A map onto which drawn rooms are placed and corridors are dug.

    Corridors become the tile 0; cells with neither a room nor a corridor are the tile `solid`. No
    corridor passes the cells `blocked`, bool [height, width], which the spec fixes as walls.

    Attributes:
        ids: int32 [height, width]: the map.
        occupied: bool [height, width]: cells of rooms, and blocked ones.
    """

    def __init__(
        self, width: int, height: int, solid: int, blocked: NDArray[np.bool_] | None = None
    ) -> None:
        self.ids = np.full((height, width), solid, np.int32)
        self.occupied = np.zeros((height, width), bool) if blocked is None else blocked.copy()
        self._sides: NDArray[np.int32] | None = None

    def lay(self, placed: PlacedRoom) -> None:
        """Put the room `placed` on the map; corridors will not change its cells."""
        shape = placed.shape
        part = slice(placed.y, placed.y + shape.height), slice(placed.x, placed.x + shape.width)
        np.copyto(self.ids[part], shape.ids, where=shape.ids != TRANSPARENT)
        self.occupied[part] |= shape.body
        self._sides = None

    def groups(self, rooms: Sequence[PlacedRoom]) -> list[list[PlacedRoom]]:
        """Divide `rooms` into groups within which corridors can join all rooms."""
        groups: list[tuple[set[int], list[PlacedRoom]]] = []
        for room in rooms:
            sides = set(self._exits(room)[1].tolist())
            members = [room]
            apart = []
            for group in groups:
                if sides.isdisjoint(group[0]):
                    apart.append(group)
                else:
                    sides |= group[0]
                    members = group[1] + members
            groups = [*apart, (sides, members)]
        return [members for _, members in groups]

    def join(self, first: PlacedRoom, second: PlacedRoom, width: int) -> bool:
        """Dig a corridor, `width` wide, between the nearest doors of two rooms.

        Return False, and dig nothing, if there is no path around rooms and blocked cells.
        """
        starts, start_sides = self._exits(first)
        ends, end_sides = self._exits(second)
        result = [
            _nearest(starts[start_sides == side], ends[end_sides == side])
            for side in np.intersect1d(start_sides, end_sides).tolist()
        ]
        if not result:
            return False
        _, start, end = min(result)
        dig_around(self.ids, self.occupied, start, end, width)
        return True

    def _exits(self, room: PlacedRoom) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the cells (x, y) where corridors of `room` can start.

        The second array has the number of the area that each of them is in: corridors cannot leave
        an area.
        """
        if self._sides is None:
            self._sides = sides_of(self.occupied)
        cells = room.shape.exits + np.array([room.x, room.y], np.int64)
        sides = self._sides[cells[:, 1], cells[:, 0]]
        return cells[sides > 0], sides[sides > 0]


def _nearest(
    first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[int, tuple[int, int], tuple[int, int]]:
    """Return the distance of the nearest pair of cells, and the two cells.

    One is of `first`, the other of `second`, int64 [count, 2] each; the distance is in steps
    without diagonals. Of equally near pairs the first is taken.
    """
    best = [(np.abs(second - cell).sum(axis=1)) for cell in first]
    number = int(np.argmin([distances.min() for distances in best]))
    other = int(best[number].argmin())
    (x, y), (other_x, other_y) = first[number].tolist(), second[other].tolist()
    return int(best[number][other]), (x, y), (other_x, other_y)


def refuse_unused(parameters: Parameters, names: Sequence[str], instead: str) -> None:
    """Refuse the parameters `names`, which have no effect with drawn rooms.

    Raises:
        ParameterError: One of them is set. `instead` is the reason in the message: what decides in
            place of the parameter.
    """
    name = parameters.changed(*names)
    if getattr(parameters, name) != type(parameters).__dataclass_fields__[name].default:
        raise ParameterError(
            f"`{name}` has no effect with `drawn_rooms`: {instead} (remove one of them)", (name,)
        )


def no_way(layer: Layer) -> str:
    """Return a warning if corridors of `layer` could not be dug, or ""."""
    if "unjoined" not in layer.report:
        return ""
    return (
        f"{layer.report['unjoined']} corridors find no way between the given cells (open some "
        "cells of `fixed`, `only_in` or `never_in`)"
    )


def drawn_cost(rooms: int, parameter: str) -> Cost:
    """Estimate the time to place `rooms` drawn rooms and dig corridors.

    `parameter` is the one that a user should change to save time.
    """
    return Cost(rooms * 1e-3, (parameter,))
