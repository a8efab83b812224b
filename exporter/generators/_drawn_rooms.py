"""Rooms drawn by hand for generators that scatter rooms: their doors, and corridors between them.

A room keeps every cell as it is drawn. Corridors begin and end at its doors and run around all
rooms, so each room needs a cell beside it where a corridor can pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Request
from exporter.generators._legend import TRANSPARENT, Glyph, Legend, TileOptions
from exporter.generators._pieces import DOOR, Ids, Path, PieceSource, directions, read_pieces
from exporter.grids.distances import distance_from
from exporter.grids.regions import label_regions
from exporter.kernels.random_draws import Draws
from exporter.model.costs import Cost
from exporter.model.errors import ParameterError
from exporter.model.level import Room
from exporter.model.parameters import About, Parameters, Within

# Solid cells around a room, so that a corridor can pass: one inside the border of the map.
BORDER = 2
# A way between two doors is looked for so far around both rooms first.
NEARBY = 8
_STEPS = ((0, -1), (0, 1), (1, 0), (-1, 0))


@dataclass(frozen=True, kw_only=True)
class DrawnRooms(PieceSource):
    """One or several rooms drawn by hand.

    Corridors join them at cells of the tile `door` that lie at their edge, or else at any walkable
    cell there.
    """

    glyphs: Annotated[
        dict[Glyph, TileOptions],
        Within(0, 256, length=True),
        About("Further characters of the drawing, and the tiles they stand for."),
    ] = field(default_factory=dict)
    turn: Annotated[
        bool, About("Whether they may be turned in steps of 90 degrees.", also=("rotate",))
    ] = False
    mirror: Annotated[bool, About("Whether they may be mirrored.")] = False


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A drawn room in one of its directions.

    Attributes:
        ids: int32 [height, width]: tiles, -1 where it has none.
        body: bool [height, width]: cells with tiles, and those that they enclose.
        doors: int64 [count, 2]: the cells (x, y) at its edge where corridors meet it.
        center: The walkable cell (x, y) nearest to its middle.
    """

    ids: Ids
    body: NDArray[np.bool_]
    doors: NDArray[np.int64]
    center: tuple[int, int]

    @property
    def width(self) -> int:
        """Cells in a row."""
        return int(self.ids.shape[1])

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.ids.shape[0])


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A drawn room at its place in the map."""

    shape: Shape
    x: int
    y: int

    def room(self, number: int) -> Room:
        """Return it as the room of that number."""
        x, y = self.shape.center
        return Room(
            f"room_{number}",
            self.x,
            self.y,
            self.shape.width,
            self.shape.height,
            (self.x + x, self.y + y),
        )


def check_drawn_rooms(rooms: Sequence[DrawnRooms]) -> None:
    """Check where drawn rooms come from, as far as no file has to be read.

    Raises:
        ParameterError: With the path of the parameter at fault.
    """
    for index, one in enumerate(rooms):
        path = ("drawn_rooms", index)
        one.check_source(one.glyphs, path)
        if one.glyphs and one.names_a_map():
            raise ParameterError("`glyphs` is for drawings only", (*path, "glyphs"))


def read_shapes(
    rooms: Sequence[DrawnRooms], legend: Legend, request: Request
) -> list[tuple[Shape, ...]]:
    """Return all drawn rooms, each in the directions it may have.

    Args:
        rooms: Where they come from.
        legend: The tiles of the map; those of the rooms are added.
        request: Reads files.

    Raises:
        ParameterError: With the path of the parameter at fault; also for a room that nobody can
            walk in, or that has no door and no walkable cell at its edge.
    """
    found: list[tuple[Shape, ...]] = []
    for index, one in enumerate(rooms):
        path = ("drawn_rooms", index)
        for piece in read_pieces(one, one.glyphs, legend, request, path):
            turned = directions(piece, one.turn, one.mirror)
            found.append(tuple(_shape(ids, legend, (*path, one.source_key)) for ids in turned))
    return found


def _shape(ids: Ids, legend: Legend, path: Path) -> Shape:
    """Return a piece as a room.

    Raises:
        ParameterError: At `path`, if it cannot be one.
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
            f"a drawn room of {width} x {height} cells cannot be entered: it has neither a door "
            "nor a walkable cell at its edge (draw the tile `door` there, or put an object of the "
            "class `door` on one of its cells)",
            path,
        )
    rows, columns = np.nonzero(walkable)
    middle_x, middle_y = ids.shape[1] // 2, ids.shape[0] // 2
    nearest = int(((rows - middle_y) ** 2 + (columns - middle_x) ** 2).argmin())
    body = ~outside[1:-1, 1:-1]
    return Shape(
        ids, body, np.argwhere(doors)[:, ::-1], (int(columns[nearest]), int(rows[nearest]))
    )


def _outside(ids: Ids) -> NDArray[np.bool_]:
    """Return which cells of a room, and of a frame of one cell around it, lie outside of it."""
    framed = np.pad(ids == TRANSPARENT, 1, constant_values=True)
    labels = label_regions(framed).labels
    outside: NDArray[np.bool_] = labels == labels[0, 0]
    return outside


def draw_shape(
    shapes: Sequence[tuple[Shape, ...]], width: int, height: int, draws: Draws
) -> Shape | None:
    """Draw one of the rooms that fit a frame, then one of its directions; None if none fits."""
    fitting: list[list[Shape]] = []
    for turned in shapes:
        able = [one for one in turned if one.width <= width and one.height <= height]
        if able:
            fitting.append(able)
    if not fitting:
        return None
    directions_of = fitting[draws.next(0, len(fitting))]
    chosen: Shape = directions_of[draws.next(0, len(directions_of))]
    return chosen


class DrawnMap:
    """A map of solid cells, into which drawn rooms are laid and corridors are dug.

    Args:
        width: Cells in a row.
        height: Rows.
        solid: The tile of cells in which nothing is.
        floor: The tile of corridors.

    Attributes:
        ids: int32 [height, width]: the map.
        taken: bool [height, width]: cells of rooms, where no corridor and no other room may be.
    """

    def __init__(self, width: int, height: int, solid: int, floor: int) -> None:
        self.ids = np.full((height, width), solid, np.int32)
        self.taken = np.zeros((height, width), bool)
        self._floor = floor

    def lay(self, placed: Placed) -> None:
        """Lay a room; its cells stay as they are from now on."""
        shape = placed.shape
        part = slice(placed.y, placed.y + shape.height), slice(placed.x, placed.x + shape.width)
        np.copyto(self.ids[part], shape.ids, where=shape.ids != TRANSPARENT)
        self.taken[part] |= shape.body

    def join(self, first: Placed, second: Placed, width: int) -> bool:
        """Dig a corridor between the doors of two rooms that are nearest to each other.

        Args:
            first: A room that is laid.
            second: Another.
            width: Of the corridor.

        Returns:
            Whether there is a way around the other rooms.
        """
        ends = _nearest(_doors(first), _doors(second))
        for window in (self._window(first, second), self._window()):
            cells = self._way(*ends, window)
            if cells:
                self._open(cells, width)
                return True
        return False

    def _window(self, *rooms: Placed) -> tuple[slice, slice]:
        """Return the rows and columns around rooms, inside the border; all of them for none."""
        height, width = self.ids.shape
        if not rooms:
            return slice(1, height - 1), slice(1, width - 1)
        top = min(one.y for one in rooms) - NEARBY
        left = min(one.x for one in rooms) - NEARBY
        bottom = max(one.y + one.shape.height for one in rooms) + NEARBY
        right = max(one.x + one.shape.width for one in rooms) + NEARBY
        return (
            slice(max(top, 1), min(bottom, height - 1)),
            slice(max(left, 1), min(right, width - 1)),
        )

    def _way(
        self, start: tuple[int, int], end: tuple[int, int], window: tuple[slice, slice]
    ) -> list[tuple[int, int]]:
        """Return the cells (x, y) of a shortest way between two doors; none if there is no way.

        It goes on straight as long as that is no longer.
        """
        top, left = window[0].start, window[1].start
        free = ~self.taken[window]
        sources = np.zeros(free.shape, bool)
        for x, y in _beside(end, top, left, free.shape):
            sources[y, x] = True
        distances = distance_from(sources, free)
        beginnings = [
            (int(distances[y, x]), x, y)
            for x, y in _beside(start, top, left, free.shape)
            if distances[y, x] >= 0
        ]
        if not beginnings:
            return []
        left_over, x, y = min(beginnings)
        cells = [(x + left, y + top)]
        step = (x + left - start[0], y + top - start[1])
        while left_over:
            for across, down in (step, *_STEPS):
                column, row = x + across, y + down
                inside = 0 <= row < free.shape[0] and 0 <= column < free.shape[1]
                if inside and distances[row, column] == left_over - 1:
                    x, y, step = column, row, (across, down)
                    break
            left_over -= 1
            cells.append((x + left, y + top))
        return cells

    def _open(self, cells: list[tuple[int, int]], width: int) -> None:
        """Make floor of the cells of a way and beside it, except in rooms and at the border."""
        before, behind = (width - 1) // 2, width // 2
        rows, columns = self.ids.shape
        for x, y in cells:
            part = (
                slice(max(y - before, 1), min(y + behind + 1, rows - 1)),
                slice(max(x - before, 1), min(x + behind + 1, columns - 1)),
            )
            np.copyto(self.ids[part], np.int32(self._floor), where=~self.taken[part])


def _doors(placed: Placed) -> NDArray[np.int64]:
    return placed.shape.doors + np.array([placed.x, placed.y], np.int64)


def _nearest(
    first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the two nearest of two lists of cells, by taxicab distance; the first of equals."""
    best: tuple[int, int, int] | None = None
    for number, door in enumerate(first):
        distances = np.abs(second - door).sum(axis=1)
        other = int(distances.argmin())
        if best is None or int(distances[other]) < best[0]:
            best = int(distances[other]), number, other
    assert best is not None
    (x, y), (other_x, other_y) = first[best[1]].tolist(), second[best[2]].tolist()
    return (x, y), (other_x, other_y)


def _beside(
    cell: tuple[int, int], top: int, left: int, shape: tuple[int, ...]
) -> list[tuple[int, int]]:
    """Return the cells beside a cell, as far as they are in a window, relative to it."""
    around = [(cell[0] + across - left, cell[1] + down - top) for across, down in _STEPS]
    return [(x, y) for x, y in around if 0 <= x < shape[1] and 0 <= y < shape[0]]


def refuse_unused(parameters: Parameters, names: Sequence[str], instead: str) -> None:
    """Refuse parameters that have no effect with drawn rooms, where they are given.

    Args:
        parameters: Of a generator.
        names: Those that have none.
        instead: What decides in their place, for the message.

    Raises:
        ParameterError: At the first of them.
    """
    name = parameters.changed(*names)
    if getattr(parameters, name) != type(parameters).__dataclass_fields__[name].default:
        raise ParameterError(
            f"`{name}` has no effect with `drawn_rooms`: {instead} (remove one of them)", (name,)
        )


def drawn_cost(rooms: int, parameter: str) -> Cost:
    """Estimate the seconds of laying rooms and of finding the ways between them."""
    return Cost(rooms * 1e-3, (parameter,))
