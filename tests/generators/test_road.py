"""Roads: the cells of every way, and which tile lies on each, beside a plain search."""

from __future__ import annotations

import heapq
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.build.build import build_level
from exporter.generators import GENERATORS, Generated, Request
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Level, PlacedObject, Room, Tile
from exporter.reading.reader import parse_level
from exporter.streams import open_stream
from spec_problems import problems_in, problems_of

TILES = (
    Tile(0, "floor", walkable=True, opaque=False, color="#ffffff"),
    Tile(1, "wall", walkable=False, opaque=True, color="#000000"),
    Tile(2, "water", walkable=False, opaque=False, color="#0000ff"),
    Tile(3, "forest", walkable=True, opaque=False, color="#00ff00"),
)
GLYPHS = ".#~f"
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
Cell = tuple[int, int]


def layer_of(cells: Any, **changes: Any) -> Layer:
    grid = np.asarray(cells, np.uint8)
    return Layer("ground", "tiles", grid, "test", tiles=TILES, walkable=grid % 3 == 0, **changes)


def drawn(*rows: str, **changes: Any) -> Layer:
    return layer_of([[GLYPHS.index(glyph) for glyph in row] for row in rows], **changes)


def make(layer: Layer, ends: list[Cell], heights: Any = None, **values: Any) -> Generated:
    entry = GENERATORS.get("road")
    layers = {"ground": layer}
    if heights is not None:
        layers["dear"] = Layer("dear", "heights", np.asarray(heights, np.uint16), "test")
        values["cost"] = "dear"
    objects = tuple(PlacedObject(i, "end", x, y) for i, (x, y) in enumerate(ends, 1))
    values = {"between": ("end",) if ends else (), **values}
    request = Request(
        "road",
        layer.width,
        layer.height,
        open_stream("portable", 1, "road"),
        layers=layers,
        objects=objects,
    )
    return entry.generate(entry.parameters(of="ground", **values), request)


def rows(result: Generated) -> list[str]:
    return ["".join(" rb"[cell] for cell in row) for row in result.cells]


# --- a plain reference ----------------------------------------------------------------------------


def best(prices: dict[Cell, int], ends: set[Cell], start: Cell, goal: Cell) -> Any:
    """Cost, turns and cells of the least way; `ends` are entered, but only to stay."""
    heap: list[Any] = [(0, 0, [], start)]
    seen = set()
    while heap:
        cost, turns, directions, cell = heapq.heappop(heap)
        if cell == goal:
            path = [start]
            for direction in directions:
                dx, dy = STEPS[direction]
                path.append((path[-1][0] + dx, path[-1][1] + dy))
            return cost, path
        last = directions[-1] if directions else None
        if (cell, last) in seen or (cell in ends and cell != start):
            continue
        seen.add((cell, last))
        for direction, (dx, dy) in enumerate(STEPS):
            other = cell[0] + dx, cell[1] + dy
            price = 2 if other in ends else prices.get(other, 0)
            if price:
                turned = last is not None and last != direction
                further = [*directions, direction]
                heapq.heappush(heap, (cost + price, turns + turned, further, other))
    return None


def reference(layer: Layer, stops: list[Cell], join: str, prices: dict[Cell, int]) -> Any:
    """The cells of all ways, or None where one is missing."""
    stops = list(dict.fromkeys(stops))
    ends = {stop for stop in stops if stop not in prices}
    if join == "chain":
        pairs = list(pairwise(stops))
    elif join == "star":
        pairs = [(stops[0], stop) for stop in stops[1:]]
    else:
        result = []
        for (i, entry), (j, other) in combinations(enumerate(stops), 2):
            way = best(prices, ends, entry, other)
            if way is None:
                return None
            result.append((way[0] - (2 if other in ends else prices[other]), i, j))
        groups = {i: {i} for i in range(len(stops))}
        pairs = []
        for _, i, j in sorted(result):
            if groups[i] is not groups[j]:
                groups[i] |= groups[j]
                for k in groups[j]:
                    groups[k] = groups[i]
                pairs.append((stops[i], stops[j]))
    prices = dict(prices)
    laid: set[Cell] = set()
    for item, other in pairs:
        way = best(prices, ends, item, other)
        if way is None:
            return None
        for cell in way[1]:
            if cell in prices:
                laid.add(cell)
                prices[cell] = 1
    return laid


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    width=st.integers(2, 9),
    height=st.integers(2, 8),
    count=st.integers(2, 5),
    join=st.sampled_from(["chain", "star", "tree"]),
    dear=st.booleans(),
    dug=st.booleans(),
    brush=st.integers(1, 4),
)
def test_roads_are_those_of_a_plain_search(
    seed: int,
    width: int,
    height: int,
    count: int,
    join: str,
    dear: bool,
    dug: bool,
    brush: int,
) -> None:
    random = np.random.default_rng(seed)
    layer = layer_of(random.choice(4, (height, width), p=[0.5, 0.15, 0.2, 0.15]))
    stops = [(int(random.integers(width)), int(random.integers(height))) for _ in range(count)]
    if len(set(stops)) < 2:
        return
    heights = random.integers(0, 65536, (height, width)) if dear else None
    costs = {0: 1, 2: 4, 3: 3, 1: 9}
    prices = {
        (int(x), int(y)): costs[int(layer.cells[y, x])] * 2
        + (0 if heights is None else int(heights[y, x]) * 5 * 2 // 65535)
        for y, x in np.ndindex(height, width)
        if layer.cells[y, x] != 1 or dug
    }
    expected = reference(layer, stops, join, prices)
    values: dict[str, Any] = {
        "join": join,
        "over": ("water",),
        "bridge_cost": 4,
        "costs": {"forest": 3},
        "cost_weight": 5,
        "through": {"wall": 9} if dug else {},
        "width": brush,
    }
    if expected is None:
        with pytest.raises(ParameterError, match="no path leads from 'end' at") as caught:
            make(layer, stops, heights, **values)
        assert caught.value.path == ("between", 0)
        return
    result = make(layer, stops, heights, **values)
    # A path widens into walkable cells, and its bridges and tunnels into ground like theirs.
    tiles = np.zeros((height, width), np.uint8)
    for x, y in expected:
        below = layer.cells[y, x]
        for b, a in np.ndindex(brush, brush):
            column, row = x + a - (brush - 1) // 2, y + b - (brush - 1) // 2
            if 0 <= column < width and 0 <= row < height:
                beside = layer.cells[row, column]
                if beside in (0, 3, below):
                    tiles[row, column] = 2 if beside == 2 else 1
    assert np.array_equal(result.cells, tiles)
    assert result.report["length"] >= len(expected)


# --- cells of a path ------------------------------------------------------------------------------

RIVER = ("....~~....", "....~~....", "....~~....", "....~~....")


def test_a_road_crosses_a_river_on_a_bridge() -> None:
    result = make(drawn(*RIVER), [(1, 1), (8, 1)], over=("water",))
    assert rows(result) == ["          ", " rrrbbrrr ", "          ", "          "]
    assert result.report == {"ends": 2, "length": 8, "bridges": 2, "tunnels": 0}


def test_a_wide_road_leaves_the_shore_alone_but_not_its_bridge() -> None:
    result = make(drawn(*RIVER), [(3, 0), (3, 2), (6, 2)], over=("water",), width=2)
    # Down the shore, where no plank lies, and over the river with two rows.
    assert rows(result) == ["   r      ", "   r      ", "   rbbrr  ", "   rbbrr  "]


def test_the_width_is_a_square_around_each_cell() -> None:
    field = drawn(*["." * 7] * 5)
    assert rows(make(field, [(2, 2), (4, 2)], width=3)) == [
        "       ",
        " rrrrr ",
        " rrrrr ",
        " rrrrr ",
        "       ",
    ]
    assert rows(make(field, [(2, 2), (4, 2)], width=2))[2:4] == ["  rrrr ", "  rrrr "]


def test_a_wall_is_dug_through_only_if_that_is_written() -> None:
    layer = drawn("..#..", "..#..", "..#..")
    with pytest.raises(ParameterError) as caught:
        make(layer, [(0, 1), (4, 1)])
    assert caught.value.message == (
        "no path leads from 'end' at [0, 1] to 'end' at [4, 1]: 6 of 12 cells for roads can "
        "be reached "
        "from 'end' (in the way: wall; bridge with `over: [wall]`, or dig with "
        "`through: {wall: 30}`)"
    )
    result = make(layer, [(0, 1), (4, 1)], through={"wall": 30}, width=2)
    assert rows(result) == ["     ", "rrrrr", "rrrrr"]
    assert result.report["tunnels"] == 1


def test_a_tunnel_is_dug_only_where_the_way_around_is_dearer() -> None:
    layer = drawn("...", ".#.", ".#.", ".#.")
    around = make(layer, [(0, 3), (2, 3)], through={"wall": 8})
    assert rows(around) == ["rrr", "r r", "r r", "r r"]
    through = make(layer, [(0, 3), (2, 3)], through={"wall": 7})
    assert rows(through) == ["   ", "   ", "   ", "rrr"]


def test_an_end_that_cannot_be_walked_on_is_reached_but_not_built_on() -> None:
    layer = drawn(".....", "..#..", ".....")
    result = make(layer, [(0, 1), (2, 1), (4, 1)])
    assert rows(result) == ["     ", "rr rr", "     "]


def test_roads_join_where_they_can() -> None:
    # The second way would be as short along its own row: on the road it is cheaper.
    result = make(drawn(*["........"] * 3), [(0, 0), (7, 0), (0, 2)], join="star")
    assert rows(result) == ["rrrrrrrr", "r       ", "r       "]
    result = make(drawn(*["........"] * 3), [(0, 0), (7, 0), (7, 2)], join="star")
    assert rows(result) == ["rrrrrrrr", "       r", "       r"]


def test_rooms_are_joined_at_their_centres() -> None:
    areas = (Room("hall", 0, 0, 3, 1, (1, 0)), Room("attic", 4, 0, 3, 1, (5, 0)))
    layer = drawn(".......", rooms=areas)
    assert rows(make(layer, [], rooms="all")) == [" rrrrr "]
    assert rows(make(layer, [(6, 0)], rooms=("attic",))) == ["     rr"]
    with pytest.raises(ParameterError) as caught:
        make(layer, [], rooms=("hall", "atic"))
    assert caught.value.path == ("rooms", 1)
    assert caught.value.message == "unknown room 'atic' (did you mean 'attic'?)"
    for nothing, path in ((("hall",), ("rooms", 0)), ("all", ("rooms",))):
        with pytest.raises(ParameterError, match="the layer 'ground' has no rooms") as caught:
            make(drawn("..."), [], rooms=nothing)
        assert caught.value.path == path


def test_all_rooms_are_joined_though_some_have_one_name() -> None:
    areas = tuple(Room("cell", x, 0, 1, 1, (x, 0)) for x in (0, 3, 6))
    assert rows(make(drawn(".......", rooms=areas), [], rooms="all")) == ["rrrrrrr"]


def test_several_rooms_are_named_in_a_spec() -> None:
    text = (
        "size: [32, 24]\nlayers:\n  ground: {generator: bsp_rooms}\n"
        "  road: {generator: road, of: ground, rooms: [room_1, room_3, room_2]}\n"
    )
    level = build_level(parse_level(text.encode(), "x.level.yaml"))
    centres = {room.name: room.center for room in level.layers["ground"].rooms}
    for name in ("room_1", "room_2", "room_3"):
        x, y = centres[name]
        assert level.layers["road"].cells[y, x]


@each_case(
    ("values", "path", "message"),
    [
        ({"between": ()}, ("between",), "has no ends .name objects with `between`, or rooms"),
        ({"between": ("gate",)}, ("between",), "at least two ends, but none is on the map"),
        ({"costs": {"mud": 2}}, ("costs", "mud"), "the layer 'ground': unknown tile 'mud'"),
        ({"over": ("wather",)}, ("over", 0), "did you mean 'water'"),
        ({"through": {"rock": 2}}, ("through", "rock"), "unknown tile 'rock'"),
        ({"costs": {"water": 9}}, ("costs", "water"),
         r"over: \[water\]`, or dig through it with `through: {water: 9}"),
        ({"over": ("water",), "through": {"water": 3}}, ("through", "water"),
         "'water' is both in `over` and in `through`"),
        ({"costs": {"wall": 9}, "through": {"wall": 3}}, ("costs", "wall"),
         "'wall' has a second cost in `through`"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_reported_at_its_parameter(
    values: dict[str, Any], path: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(ParameterError, match=message) as caught:
        make(drawn("..~#f"), [(0, 0), (1, 0)], **values)
    assert caught.value.path == path


def test_one_end_is_not_enough_and_many_are_too_many() -> None:
    with pytest.raises(ParameterError, match="at least two ends, but only 'end' is on the map"):
        make(drawn("..."), [(0, 0), (0, 0)])
    everywhere = [(x, y) for x in range(20) for y in range(20)]
    with pytest.raises(ParameterError, match=r"have 400 ends \(allowed: 2 to 256\)"):
        make(layer_of(np.zeros((20, 20))), everywhere)


# --- in a level -----------------------------------------------------------------------------------

LEVEL = """size: [11, 5]
seed: 3
layers:
  plan: {generator: blank}
  land: {generator: stamp, of: plan, at: [[5, 0]], art: "~\\n~\\n~\\n~\\n~"}
  road: {generator: road, of: land, between: [start, exit], over: [water]}
JOINEDobjects:
  - {name: start, layer: land, at: [1, 2]}
  - {name: exit, layer: land, at: [9, 2]}
"""


def built(joined: str = "", more: str = "") -> Level:
    text = LEVEL.replace("JOINED", joined) + more
    return build_level(parse_level(text.encode(), "x.level.yaml"))


def test_a_road_alone_is_a_picture_over_the_land() -> None:
    level = built()
    assert level.layers["road"].role == "picture"
    assert not level.walkable()[2, 5]


def test_stamped_on_its_land_a_bridge_can_be_walked_on() -> None:
    stamp = "  all: {generator: stamp, of: land, from_layer: road, transparent: [empty]}\n"
    level = built(stamp, "  - {name: troll, on_tile: bridge, reachable_from: start}\n")
    assert [level.layers[name].role for name in ("land", "road", "all")] == ["data", "data", "play"]
    walkable = level.walkable()
    assert walkable[2].all()
    assert not walkable[[0, 1, 3, 4], 5].any()
    assert level.objects[-1].name == "troll"
    assert (level.objects[-1].x, level.objects[-1].y) == (5, 2)
    names = {tile.id: tile.name for tile in level.layers["all"].tiles}
    assert [names[cell] for cell in level.layers["all"].cells[2]] == [
        "floor", *["road"] * 4, "bridge", *["road"] * 4, "floor",
    ]  # fmt: skip


def test_a_union_is_walkable_on_the_bridge_too() -> None:
    level = built("  all: {generator: union, layers: [land, road]}\n")
    assert level.layers["road"].role == "data"
    assert level.walkable()[2].all()
    assert not level.walkable()[0, 5]


def test_ends_on_the_joined_layer_would_be_a_cycle() -> None:
    stamp = "  all: {generator: stamp, of: land, from_layer: road, transparent: [empty]}\n"
    text = LEVEL.replace("JOINED", stamp).replace(", layer: land, at: [9, 2]", "")
    (problem,) = problems_of(text)
    assert problem.startswith("6:54: cycle: road -> exit -> all -> road (")
    assert "name the layer of 'exit' with `layer`" in problem


def test_a_road_that_cannot_be_is_reported_at_the_object_it_does_not_reach() -> None:
    text = LEVEL.replace("JOINED", "").replace(", over: [water]", "")
    (problem,) = problems_in(lambda: build_level(parse_level(text.encode(), "x.level.yaml")))
    assert problem.startswith("6:54: ")
    assert "25 of 50 cells for roads can be reached from 'start' (in the way: water" in problem
