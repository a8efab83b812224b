"""Dungeons of rooms and corridors that grow from one room, or from two that are joined first.

After a C# program of 2013: a corridor starts on the edge of a room or corridor, runs straight,
turns, and where it ends in free rock a room is tried. With `rng: dotnet` the map equals that
program's, cell for cell. Every loop is counted, so what cannot be built is reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Request, generator
from exporter.generators._room_shapes import framed_room
from exporter.kernels.random_draws import Draws
from exporter.kernels.rooms import BREAKOUT, COMPLETE, NO_EDGE, NO_SPACE, NOT_JOINED, Builder
from exporter.model.errors import ParameterError
from exporter.model.level import BLACK, CLEAR, Room, Tile
from exporter.model.parameters import About, Within

TILES = (
    Tile(0, "floor", walkable=True, opaque=False, color=CLEAR),
    Tile(1, "rock", walkable=False, opaque=True, color=BLACK),
)

OUTCOMES = {
    COMPLETE: "all rooms built",
    BREAKOUT: "gave up: breakout exceeded",
    NO_EDGE: "gave up: no rock beside any corridor to start another from",
    NOT_JOINED: "gave up: the two start rooms could not be joined",
    NO_SPACE: "gave up: no room for a start room at the centre",
}

# Irregular rooms have as many corners as those of the generator `irregular_rooms`.
CORNERS = 9
# Turns a corridor between two start rooms may take, in the kernel.
START_TURNS = 100
# The reference program tries for ever to join two start rooms. On its default map one try in a
# hundred works, with very short runs one in some thousand; on a map too large for a corridor to
# cross, none. So many tries take about two seconds there (minutes uncompiled).
START_TRIES = 100_000

SideLength = Annotated[int, Within(1, 1000)]


@dataclass(frozen=True, kw_only=True)
class RoomsAndCorridors(MapParameters):
    """A dungeon of rooms, grown corridor by corridor.

    For corridors only off corridors set `select_room` to 100, only off rooms to 0; for twisty
    ones 5 rooms and 25 turns; for a spaced dungeon a spacing of 10 and a breakout of 1000.
    """

    room_min: Annotated[
        tuple[SideLength, SideLength], About("Least width and height of a room.", "cells")
    ] = (3, 3)
    room_max: Annotated[
        tuple[SideLength, SideLength],
        About(
            "Rooms are smaller than this width and height; equal to room_min, all are so large.",
            "cells",
        ),
    ] = (15, 15)
    rooms: Annotated[int, Within(1, 100_000), About("Rooms wanted.")] = 15
    room_distance: Annotated[int, Within(0, 1000), About("Rock kept between rooms.", "cells")] = 5
    corridor_distance: Annotated[
        int, Within(0, 1000), About("Rock kept between a new room and corridors.", "cells")
    ] = 2
    corridor_min: Annotated[
        int, Within(0, 1000), About("Shortest straight run of a corridor.", "cells")
    ] = 3
    corridor_max: Annotated[
        int,
        Within(0, 1000),
        About(
            "Straight runs are shorter than this; equal to corridor_min, all are so long.", "cells"
        ),
    ] = 15
    corridor_max_turns: Annotated[
        int, Within(2, 1000), About("A corridor has fewer straight runs than this.")
    ] = 5
    corridor_spacing: Annotated[
        int, Within(0, 1000), About("Rock kept on both sides of a corridor.", "cells")
    ] = 2
    select_room: Annotated[
        int,
        Within(0, 100),
        About("A draw at or above it starts a corridor from a room, below from a corridor.", "%"),
    ] = 50
    breakout: Annotated[
        int, Within(0, 10_000_000), About("Corridors tried before building gives up.")
    ] = 250
    start: Annotated[
        Literal["one_room", "connected_rooms"],
        About(
            "Begin with a room at the centre, or with two on opposite sides that are joined first."
        ),
    ] = "one_room"
    room_shape: Annotated[
        Literal["rectangle", "irregular"],
        About("Rectangles, or misshapen rooms as those of `irregular_rooms`."),
    ] = "rectangle"

    def check(self, width: int, height: int) -> None:
        """Refuse what can never work on a map of this size.

        Raises:
            ParameterError: With the path of the parameter at fault.
        """
        for axis, side in enumerate((width, height)):
            low, high = self.room_min[axis], self.room_max[axis]
            what = ("width", "height")[axis]
            if low > high:
                raise ParameterError(
                    f"the least {what} of a room, {low}, is larger than the greatest, {high}",
                    (self.changed("room_min", "room_max"), axis),
                )
            if low > side:
                raise ParameterError(
                    f"a room of {what} {low} does not fit a map of {what} {side}",
                    ("room_min", axis),
                )
        if self.corridor_min > self.corridor_max:
            raise ParameterError(
                f"corridor_min {self.corridor_min} is larger than corridor_max {self.corridor_max}",
                (self.changed("corridor_min", "corridor_max"),),
            )


@generator("rooms_and_corridors", version=1)
def generate(parameters: RoomsAndCorridors, request: Request) -> Generated:
    """Place the start, then grow corridors and rooms until enough stand or none will fit."""
    parameters.check(request.width, request.height)
    grid = np.full((request.height + 2, request.width + 2), 2, np.uint8)
    grid[1:-1, 1:-1] = 1
    builder = _builder(parameters, request, grid)
    report: dict[str, Any] = {}
    if parameters.start == "one_room":
        outcome, cut = builder.place_start_room()
        if cut:
            report["start_room"] = "cut, as it would have left the map"
    else:
        outcome = builder.join_start_rooms(START_TRIES)
    if outcome == COMPLETE:
        outcome = builder.build(
            parameters.rooms, parameters.breakout, parameters.corridor_max_turns
        )
    rooms = tuple(
        Room(f"room_{number}", left, top, width + 1, height + 1, (x, y))
        for number, (left, top, width, height, x, y) in enumerate(builder.found_rooms(), 1)
    )
    report |= {"rooms": len(rooms), "wanted": parameters.rooms, "outcome": OUTCOMES[outcome]}
    return Generated(
        grid[1:-1, 1:-1].copy(),
        TILES,
        complete=outcome == COMPLETE,
        report=report,
        rooms=rooms,
    )


def _builder(parameters: RoomsAndCorridors, request: Request, grid: NDArray[np.uint8]) -> Builder:
    """Return the kernel's builder for a framed grid."""
    draws: Draws = request.stream.draws("rooms")
    run = max(parameters.corridor_min, parameters.corridor_max - 1)
    runs = max(START_TURNS, parameters.corridor_max_turns)
    # A corridor never crosses itself, so it has no more cells than the map.
    longest = min(run * runs, grid.size) + 1
    irregular = parameters.room_shape == "irregular"
    return Builder(
        grid.ravel().data,
        np.zeros(grid.size, np.uint8).data,
        np.zeros(grid.size, np.uint8).data,
        np.zeros(grid.size, np.int32).data,
        np.empty(longest, np.int32).data,
        (request.width, request.height),
        (*parameters.room_min, *parameters.room_max),
        (parameters.room_distance, parameters.corridor_distance),
        (parameters.corridor_min, parameters.corridor_max),
        parameters.corridor_spacing,
        parameters.select_room,
        draws,
        partial(framed_room, corners=CORNERS, draws=draws) if irregular else None,
    )
