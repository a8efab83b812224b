"""Lay the cheapest roads between objects or rooms, with bridges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import partial
from itertools import chain, islice, pairwise, repeat
from typing import Annotated, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, Request, generator
from exporter.generators._combining import aligned_layer, aligned_tiles
from exporter.generators._legend import USUAL_TILES, TileName
from exporter.generators._road_costs import (
    END,
    REUSED,
    SCALE,
    Mask,
    RoadTerrain,
    terrain_of,
    widened,
)
from exporter.grids.ways import CostGrid
from exporter.kernels import ways
from exporter.model.costs import Cost, kernel_seconds, most_expensive
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import CLEAR, Layer, Room, Tile
from exporter.model.parameters import (
    About,
    AlignedLayerName,
    Names,
    ObjectName,
    OptionGroups,
    Parameters,
    Within,
)
from exporter.model.suggestions import unknown_name

MAXIMUM_ENDS = 256
FULL = 65535
ROAD, BRIDGE = 1, 2
TILES = (
    Tile(0, "empty", walkable=False, opaque=False, color=CLEAR),
    Tile(ROAD, "road", walkable=True, opaque=False, color="#b8935aff"),
    Tile(BRIDGE, "bridge", walkable=True, opaque=False, color=USUAL_TILES["bridge"].color or CLEAR),
)
TileCost = Annotated[int, Within(1, 1000)]
Join = Literal["chain", "star", "tree"]


@dataclass(frozen=True, kw_only=True)
class Road(Parameters):
    """Roads on the cheapest ways between objects or rooms, with bridges.

    The tiles are `road` and `bridge`, elsewhere `empty`: an overlay for the layer it is of. A way
    costs what its cells cost; steps go to the four sides. Of the cheapest ways it is the one with
    the fewest turns. Ways are laid one after the other, and a cell that is road already costs half
    as much as the cheapest ground, so that roads join.
    """

    needs_level_size: ClassVar[bool] = True
    option_groups: ClassVar[OptionGroups] = {
        "Costs": ("costs", "cost", "cost_weight", "over", "bridge_cost", "through"),
    }

    of: Annotated[
        AlignedLayerName, About("Tile layer through which roads lead.", also=("on", "map"))
    ]
    between: Annotated[
        tuple[ObjectName, ...],
        Within(0, 64, length=True),
        About(
            "Names of the placed objects that are joined, in this order; those of one name in the "
            "order of their ids.",
            also=("objects", "ends", "connect"),
        ),
    ] = ()
    rooms: Annotated[
        tuple[Annotated[str, Within(1, 64, length=True), Names("room")], ...] | Literal["all"],
        Within(0, 256, length=True),
        About("Names of rooms of `of` whose centres are joined after the objects, or `all`."),
    ] = ()
    join: Annotated[
        Join,
        About(
            "`chain`: each end with the next one; `star`: the first end with every other one; "
            "`tree`: the minimum spanning tree, which joins all ends at the least cost."
        ),
    ] = "chain"
    costs: Annotated[
        dict[TileName, TileCost],
        Within(0, 256, length=True),
        About(
            "Cost of a cell of a tile, by the tile's name; default: 1 for tiles that can be walked "
            "on, `bridge_cost` for those of `over`.",
            example="{forest: 3}",
        ),
    ] = field(default_factory=dict)
    cost: Annotated[
        AlignedLayerName | None,
        About("Layer of heights that makes cells dearer, such as a relief or the steps to a foe."),
    ] = None
    cost_weight: Annotated[
        int,
        Within(1, 1000),
        About("What the sample 65535 of `cost` adds to the cost of a cell; others in proportion."),
    ] = 20
    over: Annotated[
        tuple[TileName, ...],
        Within(0, 64, length=True),
        About(
            "Names of the tiles over which roads lead on bridges.",
            also=("bridges", "bridge"),
            example="[water]",
        ),
    ] = ()
    bridge_cost: Annotated[TileCost, About("Cost of a cell of a bridge.")] = 8
    through: Annotated[
        dict[TileName, TileCost],
        Within(0, 64, length=True),
        About(
            "Tiles that roads are dug through although they cannot be walked on, and the cost of a "
            "cell.",
            also=("tunnels", "carve"),
            example="{wall: 30}",
        ),
    ] = field(default_factory=dict)
    width: Annotated[
        int,
        Within(1, 16),
        About("Width of the roads, where there is room for it.", "cells", also=("thickness",)),
    ] = 1

    def check(self, width: int, height: int) -> None:
        """Refuse roads without ends, which `between` or `rooms` name.

        Raises:
            ParameterError: There are no ends; the error has the path of `between`.
        """
        if not self.between and not self.rooms:
            raise ParameterError(
                "the road has no ends (name objects with `between`, or rooms with `rooms`)",
                ("between",),
            )

    def with_objects(self, counts: Mapping[str, int]) -> Road:
        """Return parameters in which `between` repeats names of several objects.

        `counts` says how many objects each name has; the number of ends is limited.
        """
        names = chain.from_iterable(repeat(name, counts.get(name, 1)) for name in self.between)
        return replace(self, between=tuple(islice(names, MAXIMUM_ENDS)))


class End(NamedTuple):
    """An end of roads: the cell of an object, or the middle of a room.

    Attributes:
        cell: The cell, as y * width + x.
        name: The name of the object or room, for messages.
        path: The path of the parameter that names it.
    """

    cell: int
    name: str
    path: tuple[str | int, ...]

    def at(self, width: int) -> str:
        """Format the end for messages; `width` is the level's number of columns."""
        return f"{self.name!r} at [{self.cell % width}, {self.cell // width}]"


def cost(parameters: Road, width: int, height: int) -> Cost:
    """Estimate the time of the path searches: one per road, or one per end."""
    ends = max(2, len(parameters.between))
    if parameters.rooms:
        ends += 16 if parameters.rooms == "all" else len(parameters.rooms)
    searches = ends - 1 + (ends if parameters.join == "tree" else 0)
    seconds = kernel_seconds(ways, width * height * searches, 12e6, 60e3)
    return most_expensive(width, height, Cost(seconds, ("between",)))


@generator(
    "road",
    version=1,
    cost=cost,
    tiles=TILES,
    role="picture",
    also=("path", "street", "highway", "bridge"),
)
def generate(parameters: Road, request: Request) -> Generated:
    """Find the cheapest paths between the ends and lay roads on them."""
    parameters.check(request.width, request.height)
    layer = aligned_tiles(request, parameters.of, ("of",))
    terrain = terrain_of(
        layer, parameters.costs, parameters.over, parameters.bridge_cost, parameters.through
    )
    ends = _ends(parameters, layer, request)
    grid = CostGrid(_costs(parameters, terrain, ends, request))
    open_ = terrain.costs > 0
    centre = np.zeros(open_.shape, bool)
    flat = centre.ravel()
    pairs = _joined(parameters.join, ends, grid, terrain)
    for number, (start, goal) in enumerate(pairs, 1):
        way = grid.way(start.cell, goal.cell)
        if way is None:
            raise _no_way(start, goal, grid, terrain)
        flat[way] = True
        grid.change(way[open_.ravel()[way]], REUSED)
        if request.trace is not None:
            so_far = partial(_laid, centre & open_, terrain, parameters.width)
            request.trace.frame("way", so_far, TILES, number=number, of=len(pairs))
    cells = _laid(centre & open_, terrain, parameters.width)
    return Generated(
        cells,
        TILES,
        report={
            "ends": len(ends),
            "length": int(np.count_nonzero(centre)),
            "bridges": int(np.count_nonzero(centre & terrain.bridged)),
            "tunnels": int(np.count_nonzero(centre & terrain.dug)),
        },
    )


def _ends(parameters: Road, layer: Layer, request: Request) -> list[End]:
    """Return the cells that roads shall join, each once.

    Raises:
        ParameterError: There are fewer than two, too many, or a room that does not exist.
    """
    result: list[End] = []
    for index, name in enumerate(parameters.between):
        result += [
            End(item.y * request.width + item.x, name, ("between", index))
            for item in request.objects
            if item.name == name
        ]
    rooms = {room.name: room for room in reversed(layer.rooms)}
    expected: list[tuple[Room, tuple[str | int, ...]]] = []
    if parameters.rooms and not rooms:
        path: tuple[str | int, ...] = ("rooms",) if parameters.rooms == "all" else ("rooms", 0)
        raise ParameterError(
            f"`rooms` cannot be used, because the layer {layer.name!r} has no rooms (write objects "
            "in `between` instead, or set `of` to a layer that has rooms)",
            path,
        )
    if parameters.rooms == "all":
        # Several may have one name.
        expected = [(room, ("rooms",)) for room in layer.rooms]
    else:
        for index, name in enumerate(parameters.rooms):
            if name not in rooms:
                raise ParameterError(unknown_name("room", name, list(rooms)), ("rooms", index))
            expected.append((rooms[name], ("rooms", index)))
    for room, path in expected:
        x, y = room.center
        result.append(End(y * request.width + x, room.name, path))
    first: dict[int, End] = {}
    for end in result:
        first.setdefault(end.cell, end)
    ends = list(first.values())
    path = ("between",) if parameters.between else ("rooms",)
    if len(ends) < 2:
        there = f"only {ends[0].name!r} is on the map" if ends else "none is on the map"
        way_out = "name more, or raise their `count`" if parameters.between else "name more"
        raise ParameterError(f"a road needs at least two ends, but {there} ({way_out})", path)
    if len(ends) > MAXIMUM_ENDS:
        raise ParameterError(
            f"the roads have {len(ends)} ends (allowed: 2 to {MAXIMUM_ENDS})", path
        )
    return ends


def _costs(
    parameters: Road, terrain: RoadTerrain, ends: list[End], request: Request
) -> NDArray[np.int32]:
    """Return each cell's cost for the path search: int32 [height, width].

    It is that of `terrain`, and that of the layer `cost` if set. Ends where no road can be laid are
    negative: paths may only begin or end there.
    """
    costs = terrain.costs.copy()
    if parameters.cost is not None:
        layer = aligned_layer(request, parameters.cost, ("cost",))
        if layer.kind != "heights":
            raise ParameterError(
                f"the layer {parameters.cost!r} holds tiles, not heights (give costs of tiles with "
                "`costs`)",
                ("cost",),
            )
        dearer = layer.cells.astype(np.int64) * parameters.cost_weight * SCALE // FULL
        costs[costs > 0] += dearer[costs > 0].astype(np.int32)
    flat = costs.ravel()
    for end in ends:
        if not flat[end.cell]:
            flat[end.cell] = -END
    return costs


def _joined(
    join: Join, ends: list[End], grid: CostGrid, terrain: RoadTerrain
) -> list[tuple[End, End]]:
    """Return the pairs of ends that roads shall join, in order.

    `join` is `chain` (each with the next), `star` (the first with all others) or else a spanning
    tree.
    """
    if join == "chain":
        return list(pairwise(ends))
    if join == "star":
        return [(ends[0], end) for end in ends[1:]]
    return _spanning_tree(ends, grid, terrain)


def _spanning_tree(ends: list[End], grid: CostGrid, terrain: RoadTerrain) -> list[tuple[End, End]]:
    """Return the pairs of a minimum spanning tree, cheapest first (Kruskal).

    A pair costs the sum of the cells between its ends; of equals the ends' order decides.

    Raises:
        ParameterError: No road can join two ends.
    """
    result = []
    for second, goal in enumerate(ends[1:], 1):
        remaining = grid.remaining(goal.cell).ravel()
        for first, start in enumerate(ends[:second]):
            price = int(remaining[start.cell])
            if price < 0:
                raise _no_way(start, goal, grid, terrain)
            result.append((price - grid.cost(goal.cell), first, second))
    trees = list(range(len(ends)))
    pairs = []
    for _, first, second in sorted(result):
        item, other = trees[first], trees[second]
        if item != other:
            trees = [item if tree == other else tree for tree in trees]
            pairs.append((ends[first], ends[second]))
    return pairs


def _laid(centre: Mask, terrain: RoadTerrain, width: int) -> NDArray[np.uint8]:
    """Return the tiles of roads of `width` cells along the marked `centre`.

    A road is widened only into ground of the same kind: from land into neither water nor walls.
    """
    cells = np.zeros(centre.shape, np.uint8)
    land = (terrain.costs > 0) & ~terrain.bridged & ~terrain.dug
    # Cells that a bridge or tunnel may widen into: also the land at its ends, as entrances.
    cells[widened(centre, width) & land] = ROAD
    cells[widened(centre & terrain.dug, width) & terrain.dug] = ROAD
    cells[widened(centre & terrain.bridged, width) & terrain.bridged] = BRIDGE
    return cells


def _no_way(start: End, goal: End, grid: CostGrid, terrain: RoadTerrain) -> ParameterError:
    """Return the error that no road joins `start` and `goal`, with a fix."""
    fit = terrain.costs > 0
    reached = int(np.count_nonzero((grid.remaining(start.cell) >= 0) & fit))
    message = (
        f"no path leads from {start.at(grid.width)} to {goal.at(grid.width)}: {reached} of "
        f"{int(np.count_nonzero(fit))} cells for roads can be reached from {start.name!r}"
    )
    if terrain.in_the_way:
        first = terrain.in_the_way[0]
        message += (
            f" (in the way: {', '.join(terrain.in_the_way)}; bridge with `over: [{first}]`, or dig "
            f"with `through: {{{first}: 30}}`)"
        )
    return ParameterError(message, goal.path)
