"""Objects from a table: every budget, draw and cell is worked out again by plain, slow code."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interpreted_kernels
import slow_overlays as slow
from cases import each_case
from exporter.model.errors import ParameterError
from exporter.model.level import Column, Layer, PlacedObject, Room, Table, Tile
from exporter.placement import board as board_module
from exporter.placement import spawn_areas as spawn_areas_module
from exporter.placement import spawn_rows as spawn_rows_module
from exporter.placement import spawning as spawning_module
from exporter.placement.ground import ground_of_layer
from exporter.placement.parameters import ObjectParameters
from exporter.placement.placed import PlacedGroup
from exporter.placement.spawn_areas import Areas, rooms, shares_of, squares
from exporter.placement.spawn_parameters import Spawn
from exporter.placement.spawn_rows import MAXIMUM_WEIGHTS, Share, spawn_rows, table_faults
from exporter.streams import open_stream
from placed_objects import is_clear, placed_groups

TILES = (
    Tile(0, "floor", walkable=True, opaque=False, color="#ffffff"),
    Tile(1, "wall", walkable=False, opaque=True, color="#000000"),
    Tile(2, "water", walkable=False, opaque=False, color="#0000ff"),
)
COLUMNS = (
    Column("name", "text"),
    Column("danger", "integer"),
    Column("weight", "integer"),
    Column("first", "integer", nullable=True),
    Column("last", "integer", nullable=True),
)
MONSTERS = Table(
    "monsters",
    COLUMNS,
    (
        ("rat", 1, 6, None, 70),
        ("ghost", 3, 0, None, None),
        ("ogre", 5, 2, 20, None),
        ("dragon", 12, 1, 60, None),
    ),
)
Cell = tuple[int, int]


def layer_of(cells: Any, *, given_rooms: Sequence[Room] = (), **changes: Any) -> Layer:
    grid = np.asarray(cells, np.uint8)
    return Layer(
        "ground",
        "tiles",
        grid,
        "test",
        tiles=TILES,
        walkable=grid == 0,
        rooms=tuple(given_rooms),
        **changes,
    )


def room(name: str, x: int, y: int, width: int, height: int) -> Room:
    return Room(name, x, y, width, height, (x, y))


def three_rooms(walls: int = 0, seed: int = 1) -> Layer:
    """Three rooms of 10 x 8 in a row, joined by a corridor; some of their cells are walls."""
    cells = np.ones((10, 36), np.uint8)
    result = [room(f"room_{number + 1}", 1 + 12 * number, 1, 10, 8) for number in range(3)]
    blocked = open_stream("portable", seed, "map").chance("walls", 36, 10, walls)
    for item in result:
        cells[1:9, item.x : item.x + 10] = blocked[1:9, item.x : item.x + 10]
    cells[4, 1:35] = 0
    return layer_of(cells, given_rooms=result)


def spawn_of(**changes: Any) -> Spawn:
    return Spawn(**{"table": "monsters", "budget": (3, 12), "along": ("start", "exit"), **changes})


def entry(spawn: Spawn, **changes: Any) -> ObjectParameters:
    return ObjectParameters(**{"name": "monster", "required": False, "spawn": spawn, **changes})


ENDS = (ObjectParameters(name="start", at=(1, 4)), ObjectParameters(name="exit", at=(34, 4)))


def spawned(
    layer: Layer, item: ObjectParameters, table: Table = MONSTERS, seed: int = 1
) -> tuple[tuple[PlacedObject, ...], PlacedGroup]:
    """Return the objects of a spawn, and its result."""
    stream = open_stream("portable", seed, "objects")
    objects = (*ENDS, item) if item.spawn is not None and item.spawn.along else (item,)
    groups = placed_groups(objects, {"ground": layer}, ["ground"], stream, {table.name: table})
    index = len(objects) - 1
    return tuple(it for it in groups.all if it.entry == index), groups.spawned[index]


# --- the reference ------------------------------------------------------------------------------


def area_of(cell: Cell, layer: Layer, spawn: Spawn) -> tuple[Any, ...] | None:
    """Return a key for the part of the map that a cell belongs to."""
    x, y = cell
    if spawn.per == "map":
        return ("map",)
    if isinstance(spawn.per, int):
        side = ceil(spawn.per**0.5)
        return ("square", x // side, y // side)
    around = [
        (it.width * it.height, position, it.name)
        for position, it in enumerate(layer.rooms)
        if it.x <= x < it.x + it.width and it.y <= y < it.y + it.height
    ]
    for position, (name, mask) in enumerate(layer.masks.items(), len(layer.rooms)):
        if mask[y, x]:
            around.append((int(mask.sum()), position, name))
    if not around:
        return None
    _, position, name = min(around)
    names = [*(it.name for it in layer.rooms), *layer.masks]
    return ("room", name, names[: position + 1].count(name))


def share_of(cells: Sequence[Cell], walked: Mapping[Cell, int], ahead: Mapping[Cell, int]) -> Any:
    """Return the share of the way of a part of the map; None if no way leads there."""
    reached = [cell for cell in cells if cell in walked and cell in ahead]
    if not reached:
        return None
    middle = [
        Fraction(min(cell[axis] for cell in reached) + max(cell[axis] for cell in reached), 2)
        for axis in (0, 1)
    ]

    def away(cell: Cell) -> Any:
        return (cell[0] - middle[0]) ** 2 + (cell[1] - middle[1]) ** 2, cell[1], cell[0]

    cell = min(reached, key=away)
    total = walked[cell] + ahead[cell]
    return Fraction(walked[cell], total) if total else Fraction(0)


def draw(rows: Sequence[Any], points: int, draws: Any, most: int) -> list[int]:
    """Draw rows (danger, weight) by weight while one can be paid for."""
    drawn: list[int] = []
    while len(drawn) < most:
        able = sorted(
            (row[0], number) for number, row in enumerate(rows) if row[1] and row[0] <= points
        )
        if not able:
            return drawn
        lots = [number for _, number in able for _ in range(rows[number][1])]
        drawn.append(lots[draws.next(0, len(lots))])
        points -= rows[drawn[-1]][0]
    return drawn


def reference(
    layer: Layer, item: ObjectParameters, table: Table = MONSTERS, seed: int = 1
) -> dict[Any, tuple[int, list[str]]]:
    """Return the points of every part of the map and the names of the rows drawn for it."""
    spawn = item.spawn
    assert spawn is not None
    stream = open_stream("portable", seed, "objects").portable.child(item.name, 1)
    standing = layer.walkable if item.on_tile is None else layer.cells == 2
    cells: dict[Any, list[Cell]] = defaultdict(list)
    height, width = layer.cells.shape
    for y in range(height):
        for x in range(width):
            area = area_of((x, y), layer, spawn)
            if standing[y, x] and area is not None:
                cells[area].append((x, y))
    places = {column.name: position for position, column in enumerate(table.columns)}
    result = {}
    for area, inside in cells.items():
        first, last = spawn.budgets
        share = Fraction(0)
        if spawn.along is not None:
            walked = slow.steps(layer.walkable, [(1, 4)])
            share = share_of(inside, walked, slow.steps(layer.walkable, [(34, 4)]))
            if share is None:
                continue
        points = floor(first + (last - first) * share + Fraction(1, 2))
        if isinstance(spawn.per, int):
            exact = Fraction(points * len(inside), spawn.per)
            lot = stream.draws("points", *area).next(0, spawn.per)
            points = floor(exact) + (lot < (exact - floor(exact)) * spawn.per)
        rows = []
        for row in table.rows:
            early = row[places[spawn.earliest]] if spawn.earliest else None
            late = row[places[spawn.latest]] if spawn.latest else None
            fits = (early or 0) <= share * 100 <= (100 if late is None else late)
            rows.append((row[places[spawn.danger]], row[places[spawn.weight]] if fits else 0))
        numbers = draw(rows, points, stream.draws("rows", *area), spawn.at_most or 10**9)
        result[area] = points, [str(table.rows[number][0]) for number in numbers]
    return result


# --- invariants ---------------------------------------------------------------------------------

SPAWNS = st.builds(
    spawn_of,
    budget=st.tuples(st.integers(0, 30), st.integers(0, 30)),
    per=st.sampled_from(["room", 16, 40, 100]),
    at_most=st.none() | st.integers(1, 6),
    earliest=st.sampled_from([None, "first"]),
    latest=st.sampled_from([None, "last"]),
)


@settings(max_examples=60, deadline=None)
@given(spawn=SPAWNS, walls=st.integers(0, 60), seed=st.integers(0, 9))
def test_every_part_of_the_map_has_the_rows_that_plain_code_draws(
    spawn: Spawn, walls: int, seed: int
) -> None:
    layer = three_rooms(walls, seed)
    item = entry(spawn)
    things, placed = spawned(layer, item, seed=seed)
    expected = {area: it for area, it in reference(layer, item, seed=seed).items() if it[1]}
    result: dict[Any, list[str]] = defaultdict(list)
    for thing in things:
        result[area_of((thing.x, thing.y), layer, spawn)].append(str(thing.properties["name"]))
    assert placed.requested == sum(len(names) for _, names in expected.values())
    costs = {row[0]: row[1] for row in MONSTERS.rows}
    for area, (points, names) in expected.items():
        # Where cells are short, the first drawn objects have them.
        assert result[area] == names[: len(result[area])]
        assert sum(costs[name] for name in names) <= points  # type: ignore[misc]
        if len(result[area]) < len(names):
            assert placed.shortfall
    assert set(result) <= set(expected)
    assert bool(placed.shortfall) == (not things or len(things) < placed.requested)
    assert len({(thing.x, thing.y) for thing in things}) == len(things)
    for thing in things:
        assert layer.walkable is not None
        assert layer.walkable[thing.y, thing.x]


@settings(max_examples=40, deadline=None)
@given(budget=st.integers(0, 40), seed=st.integers(0, 20), walls=st.integers(0, 30))
def test_a_room_is_not_done_while_a_row_fits(budget: int, seed: int, walls: int) -> None:
    layer = three_rooms(walls, seed)
    things, placed = spawned(layer, entry(spawn_of(budget=budget, along=None)), seed=seed)
    spent = Counter[str]()
    for thing in things:
        danger = thing.properties["danger"]
        assert isinstance(danger, int)
        spent[str(area_of((thing.x, thing.y), layer, spawn_of()))] += danger
    assert all(points <= budget for points in spent.values())
    if things and not placed.shortfall:
        # A rat costs one point, so nothing is left.
        assert set(spent.values()) == {budget}


def test_a_change_in_one_room_moves_nothing_in_another() -> None:
    layer = three_rooms()
    item = entry(spawn_of(budget=20, along=None))
    before, _ = spawned(layer, item)
    cells = layer.cells.copy()
    cells[1:4, 13:23] = 1
    after, _ = spawned(layer_of(cells, given_rooms=layer.rooms), item)

    def outside(things: Sequence[PlacedObject]) -> list[Any]:
        return [(it.x, it.y, it.properties) for it in things if not 13 <= it.x < 23]

    assert outside(before) == outside(after)
    assert [(it.x, it.y) for it in before] != [(it.x, it.y) for it in after]
    # Nor does a further room, at any position among the others.
    more, _ = spawned(
        layer_of(layer.cells, given_rooms=(room("cellar", 0, 0, 1, 1), *layer.rooms)), item
    )
    assert [(it.x, it.y, it.properties) for it in more] == [
        (it.x, it.y, it.properties) for it in before
    ]


def test_cells_are_accepted_in_the_order_of_their_numbers() -> None:
    layer = three_rooms()
    item = entry(spawn_of(budget=9, along=None))
    things, _ = spawned(layer, item)
    words = open_stream("portable", 1, "objects").portable.child("monster", 1)
    lots = words.words("order", 36, 10)
    for it in layer.rooms:
        inside = [(x, y) for x in range(it.x, it.x + 10) for y in range(1, 9)]
        inside.sort(key=lambda cell: lots[cell[1], cell[0]])
        result = [(thing.x, thing.y) for thing in things if it.x <= thing.x < it.x + 10]
        assert result == inside[: len(result)]
        assert result


@settings(max_examples=40, deadline=None)
@given(
    spacing=st.integers(0, 6),
    clear=st.integers(0, 2),
    seed=st.integers(0, 9),
    per=st.sampled_from(["room", "map", 50]),
)
def test_the_other_demands_hold(spacing: int, clear: int, seed: int, per: Any) -> None:
    layer = three_rooms(10, seed)
    along = None if per == "map" else ("start", "exit")
    budget = 25 if per == "map" else (5, 25)
    ends = (
        *ENDS,
        entry(
            spawn_of(per=per, along=along, budget=budget),
            spacing=spacing,
            clear_radius=clear,
            far_from="start",
            min_distance=5,
            near="exit",
            max_distance=28,
        ),
    )
    stream = open_stream("portable", seed, "objects")
    groups = placed_groups(ends, {"ground": layer}, ["ground"], stream, {"monsters": MONSTERS})
    things = [it for it in groups.all if it.name == "monster"]
    walked, ahead = (slow.steps(layer.walkable, [end]) for end in ((1, 4), (34, 4)))
    for thing in things:
        assert walked[thing.x, thing.y] >= 5
        assert ahead[thing.x, thing.y] <= 28
        assert is_clear(thing.x, thing.y, clear, layer.walkable)
        for other in things:
            apart = (thing.x - other.x) ** 2 + (thing.y - other.y) ** 2
            assert other is thing or apart >= max(spacing, 1) ** 2


def test_far_and_near_without_a_distance_choose_the_best_cells_of_each_room() -> None:
    layer = three_rooms()
    item = entry(spawn_of(budget=1, along=("start", "exit")), far_from="start")
    things, _ = spawned(layer, item)
    walked = slow.steps(layer.walkable, [(1, 4)])
    for thing, it in zip(things, layer.rooms, strict=True):
        inside = [(x, y) for x in range(it.x, it.x + 10) for y in range(1, 9)]
        assert walked[thing.x, thing.y] == max(walked[cell] for cell in inside if cell != (34, 4))


def test_objects_that_waste_room_are_packed() -> None:
    """Four with a spacing of two fit into 4 x 4 cells, but not wherever the first three are."""
    layer = layer_of(
        np.zeros((4, 8), np.uint8), given_rooms=[room("a", 0, 0, 4, 4), room("b", 4, 0, 4, 4)]
    )
    rats = Table("monsters", COLUMNS, (("rat", 1, 1, None, None),))
    for seed in range(20):
        item = entry(spawn_of(budget=4, along=None), spacing=2)
        things, placed = spawned(layer, item, rats, seed)
        assert [sum(it.x < 4 for it in things), len(things), placed.requested] == [4, 8, 8]
        for thing in things:
            for other in things:
                apart = (thing.x - other.x) ** 2 + (thing.y - other.y) ** 2
                assert other is thing or apart >= 4


def test_points_rise_along_the_way() -> None:
    rats = Table("monsters", COLUMNS, (("rat", 1, 1, None, None),))
    for budget in ((0, 40), (40, 0), (7, 7)):
        things, _ = spawned(three_rooms(), entry(spawn_of(budget=budget)), rats)
        counts = [
            sum(it.x <= thing.x < it.x + 10 for thing in things) for it in three_rooms().rooms
        ]
        assert counts == sorted(counts, reverse=budget[0] > budget[1])
        assert (len(set(counts)) == 1) == (budget == (7, 7))


@given(
    walked=st.integers(0, 10**6),
    ahead=st.integers(0, 10**6),
    first=st.integers(0, 10**6),
    last=st.integers(0, 10**6),
)
def test_a_budget_is_rounded_to_the_nearest_point_and_lies_between_the_two(
    walked: int, ahead: int, first: int, last: int
) -> None:
    share = Share(walked, walked + ahead or 1)
    exact = first + (last - first) * Fraction(walked, walked + ahead or 1)
    assert share.between(first, last) == floor(exact + Fraction(1, 2))
    assert min(first, last) <= share.between(first, last) <= max(first, last)


def test_fractions_of_points_are_not_lost_in_squares() -> None:
    """A square of 16 cells has a tenth of a point: on the whole a tenth of them has a rat."""
    rats = Table("monsters", COLUMNS, (("rat", 1, 1, None, None),))
    cells = np.ones((160, 160), np.uint8)
    cells[::4, ::4] = 0  # one cell in 16
    things, _ = spawned(layer_of(cells), entry(spawn_of(budget=2, along=None, per=16)), rats)
    assert 140 < len(things) < 260  # 1600 squares with an eighth of a point each
    assert {(it.x % 4, it.y % 4) for it in things} == {(0, 0)}


def test_a_cell_of_several_rooms_belongs_to_the_smallest() -> None:
    inner = np.zeros((6, 8), bool)
    inner[1:3, 1:3] = True
    layer = layer_of(
        np.zeros((6, 8), np.uint8),
        given_rooms=[room("hall", 0, 0, 6, 6), room("hall", 0, 0, 2, 2), room("twin", 0, 0, 2, 2)],
        masks={"pit": inner},
    )
    areas = rooms(ground_of_layer(layer))
    assert areas is not None
    assert areas.keys == (
        ("room", "hall", 1),
        ("room", "hall", 2),
        ("room", "twin", 1),
        ("room", "pit", 1),
    )
    assert areas.number.tolist()[0] == [1, 1, 0, 0, 0, 0, -1, -1]
    assert areas.number.tolist()[1] == [1, 1, 3, 0, 0, 0, -1, -1]
    assert areas.number.tolist()[2] == [0, 3, 3, 0, 0, 0, -1, -1]


def test_rooms_that_reach_over_the_edge_are_cut() -> None:
    layer = layer_of(
        np.zeros((2, 3), np.uint8), given_rooms=[room("a", -2, -2, 3, 3), room("b", 2, 1, 5, 5)]
    )
    areas = rooms(ground_of_layer(layer))
    assert areas is not None
    assert areas.number.tolist() == [[0, -1, -1], [-1, -1, 1]]


def test_squares_are_numbered_from_the_upper_left_corner() -> None:
    areas = squares(5, 7, 10)
    assert areas.number.tolist() == [[0] * 4 + [1] * 3] * 4 + [[2] * 4 + [3] * 3]
    assert areas.names[3] == "the square at [4, 4]"
    assert len(set(areas.keys)) == 4


def test_values_of_a_row_are_properties_and_the_entry_has_the_last_word() -> None:
    item = entry(spawn_of(budget=1, along=None), properties={"faction": "cellar", "danger": 9})
    things, _ = spawned(three_rooms(), item)
    assert [dict(it.properties) for it in things] == [
        {"name": "rat", "danger": 9, "last": 70, "faction": "cellar"}
    ] * 3
    way = entry(spawn_of(budget=1, earliest="first", latest="last"))
    # Values that only the drawing needs are left out, and so is null.
    assert {tuple(it.properties) for it in spawned(three_rooms(), way)[0]} == {("name", "danger")}


def test_fish_stand_in_water_and_the_way_leads_beside_it() -> None:
    cells = np.array(three_rooms().cells)
    cells[1:3, 26:30] = 2
    layer = layer_of(cells, given_rooms=three_rooms().rooms)
    item = entry(spawn_of(budget=(2, 8)), on_tile="water")
    things, _ = spawned(layer, item)
    assert things
    assert {int(cells[it.y, it.x]) for it in things} == {2}
    assert all(it.x >= 25 for it in things)


# --- unmet demands ------------------------------------------------------------------------------


def test_a_room_without_enough_cells_is_reported_with_figures() -> None:
    layer = three_rooms()
    item = entry(spawn_of(budget=9, along=None), clear_radius=3, spacing=4)
    things, placed = spawned(layer, item)
    assert len(things) < placed.requested
    assert placed.shortfall.startswith(
        f"monster: {len(things)} of {placed.requested} could be placed: room_1 has room for "
    )
    free = [(x, y) for x in range(1, 11) for y in range(1, 9) if is_clear(x, y, 3, layer.walkable)]
    left = f"(the demands leave {len(free)} of its 80 cells), and 2 more have too little"
    assert left in placed.shortfall
    assert placed.shortfall.endswith(
        "(lower `budget` or the demands, or limit them with `at_most`; `required: true` makes "
        "this an error)"
    )
    with pytest.raises(ParameterError, match="`required: false` makes this a warning") as caught:
        spawned(layer, replace(item, required=True))
    assert caught.value.path == (0, "spawn", "budget")


@pytest.mark.parametrize(
    ("layer", "item", "path", "said"),
    [
        (layer_of(np.zeros((4, 4), np.uint8)), entry(spawn_of(budget=5, along=None)),
         (0, "spawn", "per"),
         "monster: none appears: there are no rooms (write `per: 250` for a budget of so many "
         "cells, or `per: map`; if another layer has rooms, name it with `layer`)"),
        (three_rooms(), entry(spawn_of(budget=0, along=None)), (0, "spawn", "budget"),
         "monster: none appears: the largest budget is 0 points, the cheapest row costs 1 "
         "(raise `budget`)"),
        (three_rooms(), entry(spawn_of(budget=5, along=None), clear_radius=9),
         (0, "spawn", "budget"),
         "monster: none appears: no cells are left in rooms: 244 floor, 0 clear within 9"),
    ],
)  # fmt: skip
def test_that_nothing_appears_is_reported(
    layer: Layer, item: ObjectParameters, path: tuple[Any, ...], said: str
) -> None:
    things, placed = spawned(layer, item)
    assert (things, placed.shortfall) == ((), f"{said}; `required: true` makes this an error")
    with pytest.raises(ParameterError) as caught:
        spawned(layer, replace(item, required=True))
    assert caught.value.path == path
    assert caught.value.message == f"{said}; `required: false` makes this a warning"


def test_rooms_that_no_way_leads_to_have_nothing() -> None:
    cells = np.array(three_rooms().cells)
    cells[:, 24] = 1
    layer = layer_of(cells, given_rooms=three_rooms().rooms)
    ends = (ENDS[0], ObjectParameters(name="exit", at=(22, 4)))
    stream = open_stream("portable", 1, "objects")
    item = entry(spawn_of())
    groups = placed_groups(
        (*ends, item), {"ground": layer}, ["ground"], stream, {"monsters": MONSTERS}
    )
    monsters = [it for it in groups.all if it.name == "monster"]
    assert monsters
    assert max(it.x for it in monsters) < 24
    lonely = layer_of(cells, given_rooms=[three_rooms().rooms[2]])
    groups = placed_groups(
        (*ends, item), {"ground": lonely}, ["ground"], stream, {"monsters": MONSTERS}
    )
    assert groups.spawned[2].shortfall.startswith(
        "monster: none appears: none of the rooms can be reached from both start and exit"
    )


def test_each_limit_of_a_table_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    spawn = spawn_of(along=None)
    most = (1_000_000_000, MAXIMUM_WEIGHTS, 100, 100)
    for cells in ((1, 1, 0, 0), most):
        assert not list(table_faults(spawn, Table("monsters", COLUMNS, (("rat", *cells),))))
    monkeypatch.setattr(spawn_rows_module, "MAXIMUM_ROWS", len(MONSTERS.rows))
    assert not list(table_faults(spawn, MONSTERS))
    shares = [(earliest, latest) for earliest in (24, 25, 26) for latest in (24, 25, 26)]
    within = [limits for limits in shares if Share(1, 4).within(*limits)]
    assert within == [(24, 25), (24, 26), (25, 25), (25, 26)]


def test_too_many_objects_are_refused() -> None:
    item = entry(spawn_of(budget=1_000_000, along=None))
    with pytest.raises(ParameterError, match="more than 65536 objects would be placed") as caught:
        spawned(three_rooms(), item)
    assert caught.value.path == (0, "spawn", "budget")
    many = entry(spawn_of(budget=40_000, along=None))
    with pytest.raises(ParameterError, match="more than 65536 objects would be placed"):
        spawned(three_rooms(), many, Table("monsters", COLUMNS, (("rat", 1, 1, None, None),)))


def test_objects_of_the_same_name_keep_their_distance_from_a_spawn() -> None:
    rats = ObjectParameters(name="monster", count=5)
    item = entry(spawn_of(budget=9, along=None), spacing=4)
    stream = open_stream("portable", 1, "objects")
    layers = {"ground": three_rooms()}
    groups = placed_groups((rats, item), layers, ["ground"], stream, {"monsters": MONSTERS})
    first = [it for it in groups.all if it.entry == 0]
    for it in groups.all:
        if it.entry == 1:
            assert all((it.x - at.x) ** 2 + (it.y - at.y) ** 2 >= 16 for at in first)


def test_interpreted_kernels_choose_the_same_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    layer, item = three_rooms(20), entry(spawn_of(budget=(6, 20)), spacing=3)
    compiled = spawned(layer, item)
    interpreted = interpreted_kernels.interpreted("placement")
    for name in ("clear_disc", "take_few", "take_in_order", "throw_darts"):
        monkeypatch.setattr(board_module, name, getattr(interpreted, name))
    monkeypatch.setattr(spawning_module, "clear_disc", interpreted.clear_disc)
    middles = interpreted_kernels.interpreted("area_middles").middles
    monkeypatch.setattr(spawn_areas_module, "middles", middles)
    assert spawned(layer, item) == compiled


@each_case(
    "demands",
    [
        {},
        {"spacing": 3},
        {"far_from": "start"},
        {"near": "exit", "spacing": 2},
        {"far_from": "start", "near": "exit", "spacing": 5},
    ],
)
@each_case("walls", [0, 30, 60])
def test_few_objects_of_an_area_get_the_cells_that_sorting_gives(
    demands: dict[str, Any], walls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    layer = three_rooms(walls)
    for per in ("room", 16, 40):
        item = entry(spawn_of(budget=(4, 16), per=per), **demands)
        result = spawned(layer, item)
        with monkeypatch.context() as patched:
            # No number of objects is few: all cells are sorted.
            patched.setattr(board_module, "FEW", 0)
            patched.setattr(board_module, "FEW_OF_ALL", 0)
            assert spawned(layer, item) == result


@settings(max_examples=60)
@given(
    st.lists(st.integers(-1, 3), min_size=60, max_size=60),
    st.lists(st.integers(-1, 9), min_size=60, max_size=60),
    st.lists(st.integers(-1, 9), min_size=60, max_size=60),
)
def test_the_middle_of_an_area_is_that_of_its_reached_cells(
    numbers: list[int], walked: list[int], ahead: list[int]
) -> None:
    number, done, rest = (
        np.array(item, np.int32).reshape(6, 10) for item in (numbers, walked, ahead)
    )
    areas = Areas(number, tuple("abcd"), tuple((name,) for name in "abcd"))
    expected: list[Share | None] = []
    for area in range(4):
        cells = [
            (y, x)
            for y in range(6)
            for x in range(10)
            if number[y, x] == area and done[y, x] >= 0 and rest[y, x] >= 0
        ]
        if not cells:
            expected.append(None)
            continue
        rows, columns = zip(*cells, strict=True)
        middle = Fraction(min(rows) + max(rows), 2), Fraction(min(columns) + max(columns), 2)
        y, x = min(cells, key=lambda at: (at[0] - middle[0]) ** 2 + (at[1] - middle[1]) ** 2)
        a, b = int(done[y, x]), int(rest[y, x])
        expected.append(Share(a, a + b) if a + b else Share(0, 1))
    assert shares_of(areas, done, rest) == expected


def test_rows_keep_their_order_among_equal_dangers() -> None:
    rows = spawn_rows(spawn_of(), MONSTERS)
    assert [(row.danger, row.weight) for row in rows] == [(1, 6), (3, 0), (5, 2), (12, 1)]
