"""Define the options of placed objects in a spec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Annotated, ClassVar, Literal

from exporter.model.costs import Cost
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import (
    About,
    LayerName,
    Name,
    Names,
    ObjectName,
    OptionGroups,
    Parameters,
    Within,
)
from exporter.model.property_values import WrittenValue
from exporter.placement.by_cell import MOST_OBJECTS, check_by_cell
from exporter.placement.spawn_parameters import Spawn

NO_COUNT = (
    "'count' does not go with 'spawn', whose `budget` decides how many there are (remove it, or "
    "limit them with `at_most` in `spawn`)"
)

# More rooms than any map has.
MOST_ROOMS = 65536
# Options that limit `far_from` and `near`, and options counted in rooms.
FAR_LIMITS = ("min_distance", "min_rooms", "min_doors")
NEAR_LIMITS = ("max_distance", "max_rooms", "max_doors")
ROOM_DEMANDS = (
    "min_rooms", "min_doors", "max_rooms", "max_doors",
    "in_rooms", "dead_end_rooms", "on_critical_path", "off_critical_path",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ObjectParameters(Parameters):
    """Objects of one kind, each on a cell of its own.

    `clear_radius` and `spacing` are Euclidean distances between centres of cells. `far_from` and
    `near` use walking distances: steps between 4-connected walkable cells, with objects not in the
    way. A cell that cannot be reached is neither near nor far. `on_path` and `off_path` are about
    the steps from the first object to a cell and on to the second object. Rooms and doors are
    counted along the ways between the rooms of the ground, whatever the walking distance.
    """

    option_groups: ClassVar[OptionGroups] = {
        "How many": ("count", "place", "percent", "spawn", "required", "after_others"),
        "Where": (
            "at", "layer", "on_tile", "only_in", "never_in", "region", "clear_radius", "spacing",
            "room", "in_rooms", "dead_end_rooms", "on_critical_path", "off_critical_path",
        ),
        "How far": (
            "reachable_from", "far_from", *FAR_LIMITS, "near", *NEAR_LIMITS,
            "steps", "min_steps", "max_steps", "on_path", "off_path", "max_detour",
        ),
        "What they carry": ("properties",),
    }  # fmt: skip

    name: Annotated[
        Name,
        About("Name of the objects; several entries may share one.", also=("type", "kind", "id")),
    ]
    count: Annotated[
        int, Within(1, 65536), About("Number of objects to place.", also=("number", "quantity"))
    ] = 1
    place: Annotated[
        Literal["by_count", "by_cell"],
        About(
            "How their cells are chosen. `by_count`: `count` of all cells that meet the demands. "
            "`by_cell`: each such cell gets one with the chance `percent`, whatever the others "
            "get, so that the parts of a world can be made apart; demands that look at the whole "
            "map do not go with it.",
            also=("method", "mode"),
        ),
    ] = "by_count"
    percent: Annotated[
        Annotated[float, Within(0, 100)] | None,
        About(
            "With `place: by_cell`: chance of each cell that meets the demands.",
            "%",
            also=("chance", "probability", "density"),
        ),
    ] = None
    layer: Annotated[
        LayerName | None,
        About(
            "Layer to place them on; default: all `play` layers together, where one can walk.",
            also=("map",),
        ),
    ] = None
    on_tile: Annotated[
        Annotated[str, Names("tile")] | None,
        About(
            "Name of the tile to place them on; default: any walkable cell. Without `layer` it is "
            "a tile of the last `play` layer that has one of that name. A tile that is not "
            "walkable counts as reachable from its neighbours.",
            also=("terrain",),
        ),
    ] = None
    at: Annotated[
        tuple[int, int] | None,
        About(
            "Fixed place [x, y]. Other constraints still apply.",
            also=("position", "pos", "xy", "coordinates", "cell", "x", "y"),
        ),
    ] = None
    clear_radius: Annotated[
        int,
        Within(0, 64),
        About(
            "All cells within this distance must be inside the map and walkable (or have the tile "
            "`on_tile`). 2 to 3 keeps objects out of narrow places.",
            "cells",
        ),
    ] = 0
    spacing: Annotated[
        int,
        Within(0, 4096),
        About(
            "Smallest distance between objects of this name.", "cells", also=("separation", "apart")
        ),
    ] = 0
    reachable_from: Annotated[
        ObjectName | None,
        About("Name of an object from which they must be reachable.", also=("connected_to",)),
    ] = None
    far_from: Annotated[
        ObjectName | tuple[ObjectName, ...] | None,
        About(
            "Objects to keep away from, measured to the nearest one. Without `min_distance`, "
            "`min_rooms` and `min_doors` the farthest cells are taken.",
            also=("far",),
        ),
    ] = None
    min_distance: Annotated[
        Annotated[int, Within(1, 2**31 - 1)] | None,
        About("Smallest distance to the objects of `far_from`.", "steps"),
    ] = None
    min_rooms: Annotated[
        Annotated[int, Within(1, MOST_ROOMS)] | None,
        About(
            "Smallest distance to the objects of `far_from` in rooms: 1 is a room next to theirs.",
            "rooms",
            also=("rooms_away",),
        ),
    ] = None
    min_doors: Annotated[
        Annotated[int, Within(1, MOST_ROOMS)] | None,
        About(
            "Smallest number of ways with doors between their room and those of the objects of "
            "`far_from`, on the walk with the fewest.",
            "doors",
            also=("doors_away",),
        ),
    ] = None
    near: Annotated[
        ObjectName | None,
        About(
            "Object to be close to. Without `max_distance`, `max_rooms` and `max_doors` the "
            "nearest cells are taken.",
            also=("close_to", "next_to"),
        ),
    ] = None
    max_distance: Annotated[
        Annotated[int, Within(1, 2**31 - 1)] | None,
        About("Largest distance to the nearest object of `near`.", "steps"),
    ] = None
    max_rooms: Annotated[
        Annotated[int, Within(0, MOST_ROOMS)] | None,
        About(
            "Largest distance to the nearest object of `near` in rooms: 0 is its own room.",
            "rooms",
            also=("same_room",),
        ),
    ] = None
    max_doors: Annotated[
        Annotated[int, Within(0, MOST_ROOMS)] | None,
        About(
            "Largest number of ways with doors between their room and those of the objects of "
            "`near`, on the walk with the fewest.",
            "doors",
        ),
    ] = None
    steps: Annotated[
        LayerName | None,
        About(
            "Layer of heights that `min_steps` and `max_steps` limit: walking distances of "
            "`steps_from`, or other heights in their own units.",
            also=("distance",),
        ),
    ] = None
    min_steps: Annotated[
        Annotated[int, Within(-(2**31) + 1, 2**31 - 1)] | None,
        About("Smallest value of `steps`.", "steps, or units of the layer"),
    ] = None
    max_steps: Annotated[
        Annotated[int, Within(-(2**31) + 1, 2**31 - 1)] | None,
        About("Largest value of `steps`.", "steps, or units of the layer"),
    ] = None
    on_path: Annotated[
        tuple[ObjectName, ObjectName] | None,
        About(
            "Two objects: they must stand on a shortest way from the one to the other.",
            also=("along",),
            example="[start, exit]",
        ),
    ] = None
    off_path: Annotated[
        tuple[ObjectName, ObjectName] | None,
        About(
            "Two objects: they must not stand on a shortest way from the one to the other.",
            example="[start, exit]",
        ),
    ] = None
    max_detour: Annotated[
        int,
        Within(0, 2**31 - 1),
        About(
            "How much longer than the shortest a way may be that `on_path` and `off_path` mean.",
            "steps",
            also=("slack", "path_width"),
        ),
    ] = 0
    room: Annotated[
        Annotated[str, Names("room")] | None,
        About(
            "Name of the room to place them in: of `layer`, or of the last `play` layer that has "
            "one of that name."
        ),
    ] = None
    in_rooms: Annotated[
        bool, About("Whether they must stand in rooms, and not in corridors.", also=("rooms_only",))
    ] = False
    dead_end_rooms: Annotated[
        bool, About("Whether they must stand in rooms with one neighbour.")
    ] = False
    on_critical_path: Annotated[
        tuple[ObjectName, ObjectName] | None,
        About(
            "Two names of objects. They must stand in rooms on the walk with the fewest rooms from "
            "the one to the other; if several walks have as few, in rooms of any of them.",
            also=("on_main_path",),
            example="[start, exit]",
        ),
    ] = None
    off_critical_path: Annotated[
        tuple[ObjectName, ObjectName] | None,
        About(
            "Two names of objects. They must stand in rooms that can be reached from them and are "
            "on no walk with the fewest rooms from the one to the other.",
            also=("off_main_path", "side_rooms"),
            example="[start, exit]",
        ),
    ] = None
    only_in: Annotated[
        LayerName | None,
        About("Layer on whose walkable cells they must stand, such as a painted mask."),
    ] = None
    never_in: Annotated[
        LayerName | None,
        About("Layer on whose walkable cells they must not stand, such as a painted mask."),
    ] = None
    region: Annotated[
        Literal["largest"] | Annotated[int, Within(1, 2**31 - 1)] | None,
        About("Connected region of walkable cells, by its rank in size; 1 is the largest."),
    ] = None
    required: Annotated[
        bool, About("Whether it is an error if not all objects can be placed.", also=("optional",))
    ] = True
    after_others: Annotated[
        bool,
        About(
            "Whether to place them after all objects without it, in cells that are left, with ids "
            "after theirs. Such an entry can be added anywhere in the list: no other object moves "
            "or gets another id.",
            also=("last", "later"),
        ),
    ] = False
    spawn: Annotated[
        Spawn | None,
        About(
            "Draw the objects from a table until the budget of each room is spent, instead of "
            "`count`.",
            also=("table", "budget"),
        ),
    ] = None
    properties: Annotated[
        Mapping[str, WrittenValue],
        About(
            'Values passed to the engines: single values, lists, colours (`{color: "#ff8000"}`), '
            'vectors (`{vector: [1, 2]}`), resources (`{resource: "res://key.tres"}`) and '
            "other objects (`{object: door}`)."
        ),
    ] = field(default_factory=dict)

    def check(self, width: int, height: int) -> None:
        """Check the options against each other, and against the map's size."""
        self._check_cell(width, height)
        self._check_distances()
        self._check_paths()
        check_by_cell(self, self.place, self.percent)
        if self.spawn is not None:
            self._check_spawn(self.spawn, width, height)

    def _check_cell(self, width: int, height: int) -> None:
        if self.at is None:
            return
        x, y = self.at
        if not (0 <= x < width and 0 <= y < height):
            raise ParameterError(
                f"[{x}, {y}] is outside the map (allowed: [0, 0] to [{width - 1}, {height - 1}])",
                ("at",),
            )
        if self.count != 1:
            raise ParameterError(
                f"{self.count} objects do not fit in one cell (remove `count`, or `at`)", ("count",)
            )

    def _check_distances(self) -> None:
        for needed, limits in (("far_from", FAR_LIMITS), ("near", NEAR_LIMITS)):
            for limit in limits:
                if getattr(self, limit) is not None and getattr(self, needed) is None:
                    message = f"`{limit}` has no effect without `{needed}` (add `{needed}`)"
                    raise ParameterError(message, (limit,))
        for name in ("min_steps", "max_steps"):
            if getattr(self, name) is not None and self.steps is None:
                raise ParameterError(
                    f"`{name}` has no effect without `steps` (add `steps`, the name of a layer of "
                    "`steps_from`)",
                    (name,),
                )
        least, most = self.min_steps, self.max_steps
        if least is not None and most is not None and most < least:
            raise ParameterError(
                f"{most} is less than `min_steps`, which is {least} (exchange the two numbers)",
                ("max_steps",),
            )

    def _check_paths(self) -> None:
        for name in ("on_critical_path", "off_critical_path", "on_path", "off_path"):
            ends = getattr(self, name)
            if ends is not None and ends[0] == ends[1]:
                message = (
                    f"a way from {ends[0]!r} to itself has one room (name two objects)"
                    if "critical" in name
                    else f"no way leads from {ends[0]!r} to itself (name two different objects)"
                )
                raise ParameterError(message, (name, 1))
        if self.max_detour and self.on_path is None and self.off_path is None:
            raise ParameterError(
                "'max_detour' needs 'on_path' or 'off_path' (such as `on_path: [start, exit]`)",
                ("max_detour",),
            )

    def _check_spawn(self, spawn: Spawn, width: int, height: int) -> None:
        """Refuse options that conflict with a spawn table."""
        if self.count != 1:
            raise ParameterError(NO_COUNT, ("count",))
        if self.at is not None:
            raise ParameterError(
                "`at` cannot be used with `spawn`, which chooses cells in every room (remove one "
                "of them)",
                ("at",),
            )
        try:
            spawn.check(width, height)
        except ParameterError as error:
            raise ParameterError(error.message, ("spawn", *error.path)) from None

    def expected_count(self, cells: int) -> int:
        """Return how many objects to expect among `cells` possible cells.

        For `place: by_count` this is the largest number.
        """
        if self.percent is None:
            return self.count
        return min(MOST_OBJECTS, int(self.percent * cells) // 100)

    @property
    def far_from_names(self) -> tuple[str, ...]:
        """The names in `far_from`."""
        if self.far_from is None:
            return ()
        return (self.far_from,) if isinstance(self.far_from, str) else tuple(self.far_from)

    @property
    def farthest(self) -> bool:
        """Whether farthest cells are preferred: `far_from` without limits."""
        unlimited = all(getattr(self, limit) is None for limit in FAR_LIMITS)
        return self.far_from is not None and unlimited

    @property
    def nearest(self) -> bool:
        """Whether nearest cells are preferred: `near` without limits."""
        return self.near is not None and all(
            getattr(self, near_limit) is None for near_limit in NEAR_LIMITS
        )

    @property
    def counts_rooms(self) -> bool:
        """Whether any option counts rooms or their connections."""
        # By identity: 0 rooms are a demand, too.
        values = [getattr(self, name) for name in ROOM_DEMANDS]
        return any(value is not None and value is not False for value in values)

    def cost(self, width: int, height: int) -> Cost:
        """Estimate the seconds of finding the cells on a map of this size."""
        cells = width * height
        parts = [
            Cost(cells * 0.02e-6, ("name",)),
            Cost(cells * 0.1e-6 * bool(self.clear_radius), ("clear_radius",)),
            Cost(self.count * self.spacing**2 * 3e-9, ("spacing",)),
            Cost(
                self.expected_count(cells) * 5e-6,
                ("count",) if self.percent is None else ("percent",),
            ),
        ]
        for name in ("far_from", "near", "reachable_from", "on_path", "off_path"):
            # Distances over the map, and sorting it by them.
            parts.append(Cost(cells * 0.6e-6 * (getattr(self, name) is not None), (name,)))
        # The rooms and their connections.
        demand = self.changed(*ROOM_DEMANDS)
        parts.append(Cost(cells * 0.1e-6 * self.counts_rooms, (demand,)))
        # Every cell of the map is taken out at most a few times.
        parts[2] = Cost(min(parts[2].seconds, cells * 0.5e-6), ("spacing",))
        if self.spawn is not None:
            squares = cells // self.spawn.per if isinstance(self.spawn.per, int) else 0
            parts.append(Cost(4e-3 + cells * 0.4e-6 + squares * 30e-6, ("spawn", "per")))
        seconds = sum(part.seconds for part in parts)
        return Cost(seconds, max(parts, key=lambda part: part.seconds).path)


def fixed_places(objects: Sequence[ObjectParameters]) -> dict[int, tuple[int, int]]:
    """Return the cells that `at` fixes, by the index of the object group.

    Raises:
        ParameterError: Two groups have the same cell; the error has the path (index, parameter).
    """
    places: dict[int, tuple[int, int]] = {}
    owners: set[tuple[int, int]] = set()
    for index, item in enumerate(objects):
        if item.at is None:
            continue
        if item.at in owners:
            x, y = item.at
            raise ParameterError(f"another object is already at [{x}, {y}]", (index, "at"))
        owners.add(item.at)
        places[index] = item.at
    return places
