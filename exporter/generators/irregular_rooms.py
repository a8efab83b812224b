"""Scatter rooms that are not rectangles, and join them by corridors.

A room is a polygon with random corners, or overlapping rectangles and discs. Rooms are scattered
without touching, and each is joined to the nearest connected one (Prim's algorithm) by a corridor
with one bend.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Request, generator
from exporter.generators._corridors import dig_bent, sides_apart, sides_of
from exporter.generators._drawn_rooms import (
    BORDER,
    DrawnMap,
    DrawnRooms,
    PlacedRoom,
    Shape,
    check_drawn_rooms,
    draw_shape,
    drawn_cost,
    no_way,
    read_shapes,
    refuse_unused,
)
from exporter.generators._legend import Legend, cells_of
from exporter.generators._room_shapes import round_room
from exporter.kernels.random_draws import Draws
from exporter.model.costs import Cost, most_expensive
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import BLACK, CLEAR, Layer, Room, Tile
from exporter.model.parameters import About, Within

TILES = (
    Tile(0, "floor", walkable=True, opaque=False, color=CLEAR),
    Tile(1, "rock", walkable=False, opaque=True, color=BLACK),
)

# Cells tried for each requested room; a room's unused tries serve the others.
PLACES_PER_ROOM = 30


@dataclass(frozen=True, kw_only=True)
class IrregularRooms(MapParameters):
    """Scattered rooms that are not rectangles, with corridors between them."""

    rooms: Annotated[
        int, Within(1, 10_000), About("Number of rooms to place.", also=("room_count", "count"))
    ] = 12
    min_radius: Annotated[
        int,
        Within(1, 200),
        About("Smallest distance from the middle of a room to a corner.", "cells"),
    ] = 4
    max_radius: Annotated[
        int,
        Within(1, 200),
        About("Largest distance from the middle of a room to a corner, inclusive.", "cells"),
    ] = 9
    points: Annotated[int, Within(3, 64), About("Number of corners of a polygon.")] = 9
    method: Annotated[
        Literal["polygon", "merged"],
        About(
            "`polygon` joins random points around the middle, for natural caverns; `merged` "
            "overlaps two to four rectangles and discs, for halls with alcoves."
        ),
    ] = "polygon"
    corridor_width: Annotated[
        int, Within(0, 50), About("Width of the corridors between rooms; 0: no corridors.", "cells")
    ] = 1
    drawn_rooms: Annotated[
        tuple[DrawnRooms, ...],
        Within(0, 256, length=True),
        About(
            "Rooms drawn by hand: every room is one of these, each equally likely, and corridors "
            "run from door to door."
        ),
    ] = ()

    def may_have_other_tiles(self) -> bool:
        """Return whether drawn rooms or fixed cells may bring other tiles."""
        return bool(self.drawn_rooms) or self.gives_cells

    def check(self, width: int, height: int) -> None:
        """Refuse a `min_radius` above `max_radius`, and wrong drawn rooms."""
        if self.min_radius > self.max_radius:
            raise ParameterError(
                f"min_radius {self.min_radius} is greater than max_radius {self.max_radius}",
                (self.changed("min_radius", "max_radius"),),
            )
        if self.drawn_rooms:
            names = ("min_radius", "max_radius", "points", "method")
            refuse_unused(self, names, "the drawings already give the sizes and shapes")
            check_drawn_rooms(self.drawn_rooms)


def _shortfall(parameters: IrregularRooms, layer: Layer) -> str:
    said = []
    built = layer.report.get("rooms", 0)
    if built < parameters.rooms:
        said.append(
            f"{built} of {parameters.rooms} rooms could be placed (ask for fewer or smaller ones, "
            "or enlarge the map)"
        )
    said += [text for text in (sides_apart(layer), no_way(layer)) if text]
    if "radius" in layer.report:
        said.append(str(layer.report["radius"]))
    return "; ".join(said)


def cost(parameters: IrregularRooms, width: int, height: int) -> Cost:
    """Estimate the time of making every room's shape."""
    if parameters.drawn_rooms:
        return most_expensive(width, height, drawn_cost(parameters.rooms, "rooms"))
    cells = parameters.rooms * (2 * min(parameters.max_radius, max(width, height))) ** 2
    return most_expensive(width, height, Cost(cells / 200e6, ("rooms",)))


@generator(
    "irregular_rooms", version=1, cost=cost, shortfall=_shortfall, tiles=TILES, also=("rooms",)
)
def generate(parameters: IrregularRooms, request: Request) -> Generated:
    """Scatter rooms, then dig corridors between them."""
    parameters.check(request.width, request.height)
    if parameters.drawn_rooms:
        return _drawn(parameters, request)
    cells = np.ones((request.height, request.width), np.uint8)
    report: dict[str, Any] = {}
    # A room needs its radius on both sides, its middle, and rock around it.
    most = (min(request.width, request.height) - 3) // 2
    low, high = min(parameters.min_radius, most), min(parameters.max_radius, most)
    if low < parameters.min_radius:
        report["radius"] = f"rooms are smaller than asked, to fit the map: radius {max(low, 0)}"
    rooms: list[Room] = []
    fixed = request.fixed
    if high >= 0:
        remaining = None if fixed is None else fixed.kept
        tell = None
        if request.trace is not None:
            tell = request.trace.teller("room", lambda: cells, TILES, of=parameters.rooms)
        rooms = _scatter(
            cells, parameters, low, high, request.stream.draws("rooms"), remaining, tell
        )
    if parameters.corridor_width:
        draws = request.stream.draws("corridors")
        blocked, groups = None, [rooms]
        if fixed is not None:
            blocked, groups = fixed.blocked, _by_side(rooms, fixed.blocked)
            report["sides"] = len(groups)
        pairs = [
            pair for group in groups for pair in _nearest_pairs([item.center for item in group])
        ]
        for number, (start, end) in enumerate(pairs, 1):
            width = parameters.corridor_width
            dig_bent(cells, start, end, width, blocked, across_first=draws.next(0, 2) == 0)
            if request.trace is not None:
                request.trace.frame("corridor", cells, TILES, number=number, of=len(pairs))
    report |= {"rooms": len(rooms), "wanted": parameters.rooms}
    return Generated(
        cells,
        TILES,
        complete=len(rooms) == parameters.rooms and report.get("sides", 1) <= 1,
        report=report,
        rooms=tuple(rooms),
    )


def _drawn(parameters: IrregularRooms, request: Request) -> Generated:
    """Scatter hand-drawn rooms, then dig corridors from door to door."""
    legend = Legend(TILES)
    shapes = read_shapes(parameters.drawn_rooms, legend, request)
    fixed = request.fixed
    blocked = None if fixed is None else fixed.blocked
    drawn = DrawnMap(request.width, request.height, solid=1, blocked=blocked)
    remaining = np.zeros(drawn.ids.shape, bool) if fixed is None else fixed.kept
    draws = request.stream.draws("rooms")
    trace, tell = request.trace, None
    if trace is not None:
        tell = trace.teller("room", lambda: drawn.ids, legend.tiles, of=parameters.rooms)
    placed = _scatter_drawn(drawn, parameters.rooms, shapes, remaining.copy(), draws, tell)
    report: dict[str, Any] = {"rooms": len(placed), "wanted": parameters.rooms}
    unjoined = corridors = 0
    if parameters.corridor_width:
        groups = drawn.groups(placed)
        if fixed is not None:
            report["sides"] = len(groups)
        for group in groups:
            at = {item.center: item for item in group}
            for start, end in _nearest_pairs(list(at)):
                unjoined += not drawn.join(at[start], at[end], parameters.corridor_width)
                corridors += 1
                if trace is not None:
                    trace.frame("corridor", drawn.ids, legend.tiles, number=corridors)
    if unjoined:
        report["unjoined"] = unjoined
    return Generated(
        cells_of(drawn.ids),
        legend.tiles,
        complete=len(placed) == parameters.rooms and not unjoined and report.get("sides", 1) <= 1,
        report=report,
        rooms=tuple(item.room(number) for number, item in enumerate(placed, 1)),
        kept=drawn.occupied,
    )


def _scatter_drawn(
    drawn: DrawnMap,
    expected: int,
    shapes: list[tuple[Shape, ...]],
    frames: NDArray[np.bool_],
    draws: Draws,
    tell: Callable[[int], None] | None,
) -> list[PlacedRoom]:
    """Place rooms that do not touch, until all are placed or tries run out.

    Each of the `expected` rooms is chosen from `shapes`. `frames`, bool [height, width], are cells
    closed to rooms, and receive the placed rooms. `tell`, if given, is called with the number of
    rooms after each.
    """
    height, width = drawn.ids.shape
    placed: list[PlacedRoom] = []
    for _ in range(PLACES_PER_ROOM * expected):
        if len(placed) == expected:
            break
        shape = draw_shape(shapes, width - 2 * BORDER, height - 2 * BORDER, draws)
        if shape is None:
            break
        x = draws.next(BORDER, width - BORDER - shape.width + 1)
        y = draws.next(BORDER, height - BORDER - shape.height + 1)
        # One solid cell at least stays between the frames of two rooms.
        if frames[y - 1 : y + shape.height + 1, x - 1 : x + shape.width + 1].any():
            continue
        frames[y : y + shape.height, x : x + shape.width] = True
        placed.append(PlacedRoom(shape, x, y))
        drawn.lay(placed[-1])
        if tell is not None:
            tell(len(placed))
    return placed


def _scatter(
    cells: NDArray[np.uint8],
    parameters: IrregularRooms,
    low: int,
    high: int,
    draws: Draws,
    remaining: NDArray[np.bool_] | None,
    tell: Callable[[int], None] | None,
) -> list[Room]:
    """Open rooms that do not touch, until all are placed or tries run out.

    `cells`, uint8 [height, width] of ones, receives 0 in rooms; radii are `low` to `high` cells.
    `remaining` are the fixed cells: a room that would cover one is drawn but left out, so that the
    other rooms stay in place. `tell`, if given, is called with the number of rooms after each.
    """
    height, width = cells.shape
    planned = cells if remaining is None else cells.copy()
    rooms: list[Room] = []
    for _ in range(PLACES_PER_ROOM * parameters.rooms):
        if len(rooms) == parameters.rooms:
            break
        largest = draws.next(low, high + 1)
        x = draws.next(1, width - 2 * largest - 1)
        y = draws.next(1, height - 2 * largest - 1)
        side = 2 * largest + 1
        # One cell of rock at least stays between the frames of two rooms.
        if not planned[y - 1 : y + side + 1, x - 1 : x + side + 1].all():
            continue
        mask, (inner_x, inner_y) = round_room(
            parameters.method, low, largest, parameters.points, draws
        )
        if remaining is not None:
            planned[y : y + side, x : x + side] -= mask
            if (remaining[y : y + side, x : x + side] & (mask == 1)).any():
                continue
        cells[y : y + side, x : x + side] -= mask
        rooms.append(_room(len(rooms) + 1, x, y, mask, (x + inner_x, y + inner_y)))
        if tell is not None:
            tell(len(rooms))
    return rooms


def _by_side(rooms: list[Room], blocked: NDArray[np.bool_]) -> list[list[Room]]:
    """Group `rooms` by the area that `blocked` cells leave around them.

    Corridors can join all rooms of a group.
    """
    sides = sides_of(blocked)
    groups: dict[int, list[Room]] = {}
    for room in rooms:
        x, y = room.center
        groups.setdefault(int(sides[y, x]), []).append(room)
    return list(groups.values())


def _room(number: int, x: int, y: int, mask: NDArray[np.uint8], center: tuple[int, int]) -> Room:
    """Return a room: the smallest rectangle around the open cells of `mask`.

    (`x`, `y`) is the map's cell under the first cell of the mask, `center` the room's middle on the
    map.
    """
    rows = np.flatnonzero(mask.any(axis=1))
    columns = np.flatnonzero(mask.any(axis=0))
    return Room(
        f"room_{number}",
        x + int(columns[0]),
        y + int(rows[0]),
        int(columns[-1] - columns[0]) + 1,
        int(rows[-1] - rows[0]) + 1,
        center,
    )


def _nearest_pairs(points: list[tuple[int, int]]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the pairs of a minimum spanning tree by taxicab distance (Prim)."""
    if not points:
        return []
    places = np.array(points, np.int64)
    nearest = np.zeros(len(points), np.int64)
    distances = np.abs(places - places[0]).sum(axis=1)
    joined = np.zeros(len(points), bool)
    joined[0] = True
    pairs = []
    for _ in range(len(points) - 1):
        new = int(np.where(joined, np.iinfo(np.int64).max, distances).argmin())
        pairs.append((points[int(nearest[new])], points[new]))
        joined[new] = True
        closer = np.abs(places - places[new]).sum(axis=1)
        nearest[closer < distances] = new
        np.minimum(distances, closer, out=distances)
    return pairs
