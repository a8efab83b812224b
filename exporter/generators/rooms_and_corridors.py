"""Grow rooms and corridors from one room, or from two joined first.

After a C# program of 2013: a corridor starts at the edge of a room or corridor, runs straight and
turns, and a room is tried where it ends in solid cells. With `rng: dotnet` the map equals that
program's, cell for cell. Every loop has a limit, so what cannot be built is reported.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Request, generator
from exporter.generators._corridors import backtracking_draws, check_corridor_lengths
from exporter.generators._room_shapes import framed_room
from exporter.kernels.random_draws import Draws
from exporter.kernels.rooms import (
    COMPLETE,
    NO_ATTEMPTS_LEFT,
    NO_EDGE,
    NO_SPACE,
    NOT_JOINED,
    Builder,
)
from exporter.model.costs import Cost, kernel_seconds, most_expensive
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import BLACK, CLEAR, Layer, Room, Tile
from exporter.model.parameters import About, OptionGroups, Percent, Within

TILES = (
    Tile(0, "floor", walkable=True, opaque=False, color=CLEAR),
    Tile(1, "rock", walkable=False, opaque=True, color=BLACK),
)

OUTCOMES = {
    COMPLETE: "all rooms built",
    NO_ATTEMPTS_LEFT: "gave up: attempts exceeded",
    NO_EDGE: "gave up: no rock beside any corridor to start another from",
    NOT_JOINED: "gave up: the two start rooms could not be joined",
    NO_SPACE: "gave up: no room for a start room at the centre",
}

# Irregular rooms have as many corners as in the generator `irregular_rooms`.
CORNERS = 9
# Turns a corridor between two start rooms may take, in the kernel.
START_TURNS = 100
# The reference program tries for ever to join two start rooms. On its default map one try in a
# hundred works, with very short runs one in some thousand; on a map too large for a corridor to
# cross, none. So many tries take about two seconds there (minutes uncompiled).
START_TRIES = 100_000

# A given wall, for the kernel: no corridor and no room opens it.
CLOSED = 3

SideLength = Annotated[int, Within(1, 1000)]


@dataclass(frozen=True, kw_only=True)
class RoomsAndCorridors(MapParameters):
    """A dungeon of rooms and corridors, grown corridor by corridor.

    A room opens one cell more than its size each way, as in the reference program. For corridors
    that start at corridors only, set `from_corridor_percent` to 100, at rooms only to 0. For long
    winding corridors set `rooms` to 5 and `corridor_max_turns` to 25, for rooms far apart
    `corridor_spacing` to 10 and `attempts` to 1000.
    """

    option_groups: ClassVar[OptionGroups] = {
        "Corridors": (
            "min_corridor_length", "max_corridor_length", "corridor_max_turns",
            "from_corridor_percent", "prevent_backtracking", "attempts",
        ),
        "Distances": ("room_distance", "corridor_distance", "corridor_spacing"),
        **MapParameters.option_groups,
    }  # fmt: skip

    min_room_size: Annotated[
        tuple[SideLength, SideLength],
        About("Smallest room, width and height.", "cells", also=("room_size",)),
    ] = (3, 3)
    max_room_size: Annotated[
        tuple[SideLength, SideLength],
        About("Largest room, width and height, inclusive.", "cells", also=("room_size",)),
    ] = (14, 14)
    rooms: Annotated[
        int,
        Within(1, 100_000),
        About(
            "Number of rooms to build.",
            also=("room_count", "max_rooms", "number_of_rooms", "count"),
        ),
    ] = 15
    room_distance: Annotated[
        int, Within(0, 1000), About("Solid cells kept between rooms.", "cells")
    ] = 5
    corridor_distance: Annotated[
        int, Within(0, 1000), About("Solid cells kept between a new room and corridors.", "cells")
    ] = 2
    min_corridor_length: Annotated[
        int, Within(0, 1000), About("Shortest straight run of a corridor.", "cells")
    ] = 3
    max_corridor_length: Annotated[
        int, Within(0, 1000), About("Longest straight run of a corridor, inclusive.", "cells")
    ] = 14
    corridor_max_turns: Annotated[
        int, Within(2, 1000), About("A corridor has fewer straight runs than this.")
    ] = 5
    corridor_spacing: Annotated[
        int, Within(0, 1000), About("Solid cells kept on both sides of a corridor.", "cells")
    ] = 2
    from_corridor_percent: Annotated[
        Percent,
        About("Chance that a corridor starts from another corridor; 0: from rooms only.", "%"),
    ] = 50
    prevent_backtracking: Annotated[
        Percent,
        About(
            "Chance that a corridor also never turns into the reverse of its first direction. "
            "50 gives the odds of the reference program, which are 49 in 100.",
            "%",
        ),
    ] = 50
    attempts: Annotated[
        int,
        Within(0, 10_000_000),
        About("Corridors tried before building stops.", also=("retries",)),
    ] = 250
    start: Annotated[
        Literal["one_room", "connected_rooms"],
        About("Start with one room at the centre, or with two joined rooms on opposite sides."),
    ] = "one_room"
    room_shape: Annotated[
        Literal["rectangle", "irregular"],
        About("Shape of the rooms: rectangles, or polygons as those of `irregular_rooms`."),
    ] = "rectangle"

    def check(self, width: int, height: int) -> None:
        """Refuse parameters that cannot work on a map of this size."""
        for axis, side in enumerate((width, height)):
            low, high = self.min_room_size[axis], self.max_room_size[axis]
            what = ("width", "height")[axis]
            if low > high:
                raise ParameterError(
                    f"the smallest {what} of a room, {low}, is greater than the largest, {high} "
                    "(lower `min_room_size` or raise `max_room_size`)",
                    (self.changed("min_room_size", "max_room_size"), axis),
                )
            if low > side:
                raise ParameterError(
                    f"a room of {what} {low} does not fit into a map of {what} {side}",
                    ("min_room_size", axis),
                )
        check_corridor_lengths(self, self.min_corridor_length, self.max_corridor_length)


def _shortfall(parameters: RoomsAndCorridors, layer: Layer) -> str:
    said = []
    if not layer.complete:
        why = str(layer.report.get("outcome", "")).removeprefix("gave up: ")
        said.append(
            f"{layer.report.get('rooms', 0)} of {parameters.rooms} rooms are built: {why} "
            "(ask for fewer or smaller rooms, or enlarge the map)"
        )
    if "start_room" in layer.report:
        said.append(f"the start room is {layer.report['start_room']}")
    return "; ".join(said)


def cost(parameters: RoomsAndCorridors, width: int, height: int) -> Cost:
    """Estimate the time of all attempts to place rooms and corridors."""
    # The kernel does not report whether it is compiled; all of them are, or none.
    from exporter.kernels import visited_caves

    widest, highest = parameters.max_room_size
    area = min(widest, width) * min(highest, height)
    seconds = kernel_seconds(visited_caves, parameters.attempts * (1 + area / 1000), 2e6, 20e3)
    return most_expensive(width, height, Cost(seconds, ("attempts",)))


@generator(
    "rooms_and_corridors",
    version=1,
    cost=cost,
    shortfall=_shortfall,
    tiles=TILES,
    also=("rooms", "dungeon", "room", "roguelike"),
)
def generate(parameters: RoomsAndCorridors, request: Request) -> Generated:
    """Place the first room or two, then grow corridors and rooms from them."""
    parameters.check(request.width, request.height)
    grid = np.full((request.height + 2, request.width + 2), 2, np.uint8)
    grid[1:-1, 1:-1] = 1
    in_corridors = np.zeros(grid.shape, np.uint8)
    if request.fixed is not None:
        grid[1:-1, 1:-1][request.fixed.open] = 0
        grid[1:-1, 1:-1][request.fixed.blocked] = CLOSED
        # Corridors end at given floor as at other corridors.
        in_corridors[1:-1, 1:-1] = request.fixed.open
    builder = _builder(parameters, request, grid, in_corridors)
    report: dict[str, Any] = {}
    if parameters.start == "one_room":
        outcome, cut = builder.place_start_room()
        if cut:
            report["start_room"] = "cut, as it would have left the map"
    else:
        outcome = builder.join_start_rooms(START_TRIES)
    tell = None
    if request.trace is not None:

        def opened() -> NDArray[np.uint8]:
            return np.minimum(grid[1:-1, 1:-1], np.uint8(1))

        request.trace.frame("start", opened, TILES)
        tell = request.trace.teller("corridor", opened, TILES)
    if outcome == COMPLETE:
        outcome = builder.build(
            parameters.rooms,
            parameters.attempts,
            parameters.corridor_max_turns,
            backtracking_draws(parameters.prevent_backtracking),
            tell,
        )
    rooms = tuple(
        Room(f"room_{number}", left, top, width + 1, height + 1, (x, y))
        for number, (left, top, width, height, x, y) in enumerate(builder.detected_rooms(), 1)
    )
    report |= {"rooms": len(rooms), "wanted": parameters.rooms, "outcome": OUTCOMES[outcome]}
    return Generated(
        np.minimum(grid[1:-1, 1:-1], np.uint8(1)),
        TILES,
        complete=outcome == COMPLETE,
        report=report,
        rooms=rooms,
    )


def _builder(
    parameters: RoomsAndCorridors,
    request: Request,
    grid: NDArray[np.uint8],
    in_corridors: NDArray[np.uint8],
) -> Builder:
    draws: Draws = request.stream.draws("rooms")
    run = parameters.max_corridor_length
    runs = max(START_TURNS, parameters.corridor_max_turns)
    # A corridor never crosses itself, so it has no more cells than the map.
    longest = min(run * runs, grid.size) + 1
    widest, highest = parameters.max_room_size
    irregular = parameters.room_shape == "irregular"
    return Builder(
        grid.ravel().data,
        np.zeros(grid.size, np.uint8).data,
        in_corridors.ravel().data,
        np.zeros(grid.size, np.int32).data,
        np.empty(longest, np.int32).data,
        (request.width, request.height),
        (*parameters.min_room_size, widest + 1, highest + 1),
        (parameters.room_distance, parameters.corridor_distance),
        (parameters.min_corridor_length, parameters.max_corridor_length + 1),
        parameters.corridor_spacing,
        parameters.from_corridor_percent,
        draws,
        partial(framed_room, corners=CORNERS, draws=draws) if irregular else None,
    )
