"""Placement: every demand is checked again, cell by cell, by plain code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interpreted_kernels
import slow_overlays as slow
from cases import each_case
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, PlacedObject, Room, Tile
from exporter.placement import board as board_module
from exporter.placement.board import packing_orders
from exporter.placement.demands import clear_cells
from exporter.placement.parameters import ObjectParameters
from exporter.reading.adapters import adapter
from exporter.reading.build_order import build_graph
from exporter.streams import open_stream
from placed_objects import is_clear, place_objects

TILES = (
    Tile(0, "floor", walkable=True, opaque=False, color="#ffffff"),
    Tile(1, "wall", walkable=False, opaque=True, color="#000000"),
    Tile(2, "water", walkable=False, opaque=False, color="#0000ff"),
)


def layer_of(cells: Any, name: str = "ground", **changes: Any) -> Layer:
    grid = np.asarray(cells, np.uint8)
    return Layer(name, "tiles", grid, "test", tiles=TILES, walkable=grid == 0, **changes)


def drawn(*rows: str, **changes: Any) -> Layer:
    """A layer from a drawing: `.` floor, `#` wall, `~` water."""
    return layer_of([[".#~".index(character) for character in row] for row in rows], **changes)


def random_layer(seed: int, width: int, height: int, walls: int) -> Layer:
    stream = open_stream("portable", seed, "map")
    return layer_of(stream.chance("walls", width, height, walls))


def put(
    *objects: ObjectParameters, layer: Layer | None = None, seed: int = 1, **layers: Layer
) -> tuple[PlacedObject, ...]:
    given_layers: Mapping[str, Layer] = {"ground": layer} if layer is not None else layers
    play = [name for name, item in given_layers.items() if item.kind == "tiles"]
    play = [name for name in play if given_layers[name].role == "play"]
    return place_objects(objects, given_layers, play, open_stream("portable", seed, "objects"))


FREE = ObjectParameters(name="thing")


def test_objects_come_in_the_order_of_the_spec_with_ids_from_one() -> None:
    placed = put(
        ObjectParameters(name="b", count=2, near="a", properties={"hp": 3}),
        ObjectParameters(name="a"),
        layer=random_layer(1, 20, 10, 30),
    )
    assert [(item.id, item.name) for item in placed] == [(1, "b"), (2, "b"), (3, "a")]
    assert placed[0].properties == {"hp": 3}


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    width=st.integers(1, 30),
    height=st.integers(1, 30),
    walls=st.integers(0, 60),
    count=st.integers(1, 12),
    clear=st.integers(0, 4),
    spacing=st.integers(0, 9),
    least=st.none() | st.integers(1, 20),
    most=st.none() | st.integers(1, 30),
    uses=st.tuples(*[st.booleans()] * 3),
)
def test_every_placed_object_meets_every_demand(
    seed: int,
    width: int,
    height: int,
    walls: int,
    count: int,
    clear: int,
    spacing: int,
    least: int | None,
    most: int | None,
    uses: tuple[bool, bool, bool],
) -> None:
    layer = random_layer(seed, width, height, walls)
    walkable = layer.walkable
    reachable, far, near = uses
    expected = ObjectParameters(
        name="chest",
        count=count,
        clear_radius=clear,
        spacing=spacing,
        reachable_from="stairs" if reachable else None,
        far_from=("stairs", "door") if far else None,
        min_distance=least if far else None,
        near="stairs" if near else None,
        max_distance=most if near else None,
        required=False,
    )
    starts = [
        ObjectParameters(name="stairs", required=False),
        ObjectParameters(name="door", required=False),
    ]
    placed = put(*starts, expected, layer=layer, seed=seed)
    assert placed == put(*starts, expected, layer=layer, seed=seed)
    assert len({(item.x, item.y) for item in placed}) == len(placed)
    at = {name: [(o.x, o.y) for o in placed if o.name == name] for name in ("stairs", "door")}
    chests = [(item.x, item.y) for item in placed if item.name == "chest"]
    from_stairs = slow.steps(walkable, at["stairs"])
    from_both = slow.steps(walkable, at["stairs"] + at["door"])

    def fits(x: int, y: int) -> bool:
        return bool(
            walkable[y, x]
            and (x, y) not in at["stairs"] + at["door"]
            and is_clear(x, y, clear, walkable)
            and (not reachable or (x, y) in from_stairs)
            and (not far or from_both.get((x, y), -1) >= (least or 0))
            and (not near or 0 <= from_stairs.get((x, y), -1) <= (most or 10**6))
        )

    fitting = {(x, y) for x in range(width) for y in range(height) if fits(x, y)}
    assert set(chests) <= fitting
    for i, (x, y) in enumerate(chests):
        assert all((x - u) ** 2 + (y - v) ** 2 >= spacing**2 for u, v in chests[:i])
    if len(chests) < count:
        # No further one would fit: the sample is maximal.
        for x, y in fitting - set(chests):
            assert any((x - u) ** 2 + (y - v) ** 2 < spacing**2 for u, v in chests)
    elif far and least is None and spacing <= 1 and not (near and most is None):
        worst = min(from_both[cell] for cell in chests)
        assert all(from_both[cell] <= worst for cell in fitting - set(chests))
    elif near and most is None and spacing <= 1 and not (far and least is None):
        worst = max(from_stairs[cell] for cell in chests)
        assert all(from_stairs[cell] >= worst for cell in fitting - set(chests))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 25),
    st.integers(1, 25),
    st.integers(0, 30),
    st.integers(0, 14),
)
def test_clear_cells_have_only_free_cells_in_their_disc(
    seed: int, width: int, height: int, walls: int, radius: int
) -> None:
    free = ~open_stream("portable", seed, "m").chance("w", width, height, walls)
    expected = [[is_clear(x, y, radius, free) for x in range(width)] for y in range(height)]
    assert clear_cells(free, radius).tolist() == expected


def test_what_lies_outside_the_map_is_not_clear() -> None:
    layer = layer_of(np.zeros((5, 5)))
    assert [(o.x, o.y) for o in put(ObjectParameters(name="a", clear_radius=2), layer=layer)] == [
        (2, 2)
    ]
    with pytest.raises(ParameterError, match="25 floor cells, 0 clear within 3"):
        put(ObjectParameters(name="a", clear_radius=3), layer=layer)


def test_another_object_does_not_move_the_others() -> None:
    layer = random_layer(2, 60, 60, 40)
    chests = ObjectParameters(name="chest", count=5, spacing=8)
    alone = put(chests, layer=layer)
    together = put(ObjectParameters(name="torch", count=30), chests, layer=layer)
    moved = {(o.x, o.y) for o in alone} ^ {(o.x, o.y) for o in together if o.name == "chest"}
    used = {(o.x, o.y) for o in together if o.name == "torch"} & {(o.x, o.y) for o in alone}
    assert len(moved) <= 2 * len(used)
    more = put(ObjectParameters(name="chest", count=7, spacing=8), layer=layer)
    assert [(o.x, o.y) for o in more[:5]] == [(o.x, o.y) for o in alone]


def test_seeds_and_names_give_other_places() -> None:
    layer = random_layer(2, 60, 60, 40)
    places = {
        tuple((o.x, o.y) for o in put(ObjectParameters(name=name, count=3), layer=layer, seed=s))
        for name in ("a", "b")
        for s in (1, 2)
    }
    assert len(places) == 4


def test_random_places_are_spread_evenly() -> None:
    placed = put(ObjectParameters(name="a", count=4000), layer=layer_of(np.zeros((100, 100))))
    quarters = np.zeros((2, 2), int)
    for item in placed:
        quarters[item.y // 50, item.x // 50] += 1
    assert (abs(quarters - 1000) < 120).all()


def test_the_same_name_twice_keeps_the_spacing_between_both() -> None:
    object_parameters = ObjectParameters(name="a", count=4, spacing=6)
    placed = put(object_parameters, object_parameters, layer=layer_of(np.zeros((30, 30))))
    assert len(placed) == 8
    for i, first in enumerate(placed):
        for second in placed[:i]:
            assert (first.x - second.x) ** 2 + (first.y - second.y) ** 2 >= 36


def test_dense_demands_are_packed_where_random_places_do_not_suffice() -> None:
    # 10 x 10 objects fit only as a lattice, which darts never hit.
    placed = put(
        ObjectParameters(name="a", count=100, spacing=3), layer=layer_of(np.zeros((28, 28)))
    )
    assert len(placed) == 100


def test_an_object_with_a_fixed_position_keeps_it_whatever_comes_before() -> None:
    layer = drawn("...", "###", "###")
    placed = put(
        ObjectParameters(name="a", count=2), ObjectParameters(name="b", at=(1, 0)), layer=layer
    )
    assert sorted((o.x, o.y) for o in placed if o.name == "a") == [(0, 0), (2, 0)]
    assert [(o.x, o.y) for o in placed if o.name == "b"] == [(1, 0)]


def test_regions_are_ranked_by_size() -> None:
    layer = drawn("..#....#.", "..#....#.", "..#######")
    for region, columns in (("largest", range(3, 7)), (1, range(3, 7)), (2, (0, 1)), (3, (8,))):
        placed = put(ObjectParameters(name="a", region=region), layer=layer)
        assert placed[0].x in columns
    with pytest.raises(ParameterError, match=r"no region 4 \(there are 3\)"):
        put(ObjectParameters(name="a", region=4), layer=layer)


@pytest.mark.parametrize("demand", [{"room": "room_9"}, {"region": 2}])
def test_a_room_or_region_that_was_not_created_is_no_error_unless_required(demand: Any) -> None:
    ground = drawn("...", rooms=(Room("room_1", 0, 0, 3, 1, (1, 0)),))
    assert put(ObjectParameters(name="a", required=False, **demand), layer=ground) == ()
    with pytest.raises(ParameterError):
        put(ObjectParameters(name="a", **demand), layer=ground)


def test_rooms_are_chosen_by_name() -> None:
    rooms = (Room("hall", 1, 1, 2, 2, (1, 1)), Room("cell", 6, 0, 2, 3, (6, 1)))
    layer = layer_of(np.zeros((5, 9)), rooms=rooms)
    placed = put(ObjectParameters(name="a", count=4, room="hall"), layer=layer)
    assert {(o.x, o.y) for o in placed} == {(1, 1), (2, 1), (1, 2), (2, 2)}
    with pytest.raises(ParameterError, match="did you mean 'hall'"):
        put(ObjectParameters(name="a", room="hal"), layer=layer)
    with pytest.raises(ParameterError, match="the `play` layers have no rooms"):
        put(ObjectParameters(name="a", room="hall"), layer=layer_of(np.zeros((5, 9))))


def test_a_tile_that_is_not_walkable_is_reached_from_beside_it() -> None:
    layer = drawn("..#~", "..#~", "#~##", "~~~~")
    placed = put(
        ObjectParameters(name="hero", at=(0, 0)),
        ObjectParameters(name="boat", on_tile="water", reachable_from="hero"),
        layer=layer,
    )
    assert (placed[1].x, placed[1].y) == (1, 2)
    far = put(
        ObjectParameters(name="boat", on_tile="water", at=(3, 3)),
        ObjectParameters(name="gull", near="boat", required=False),
        layer=layer,
    )
    assert [item.name for item in far] == ["boat"]


def test_surroundings_of_the_tile_itself_count_as_clear() -> None:
    layer = drawn("~~~~~", "~~~~~", "~~~~#")
    placed = put(ObjectParameters(name="boat", on_tile="water", clear_radius=1), layer=layer)
    assert (placed[0].x, placed[0].y) in {(1, 1), (2, 1), (3, 1)}


def test_objects_stand_on_the_layer_they_name() -> None:
    ground, roof = drawn("..", "##"), drawn("##", "..", name="roof")
    heights = Layer("relief", "heights", np.zeros((2, 2), np.uint16), "heightmap")
    layers = {"relief": heights, "ground": ground, "roof": roof}
    assert put(ObjectParameters(name="a", layer="ground"), **layers)[0].y == 0
    assert put(ObjectParameters(name="a", layer="roof"), **layers)[0].y == 1
    with pytest.raises(
        ParameterError, match="objects cannot be placed on layer 'relief'"
    ) as caught:
        put(ObjectParameters(name="a", layer="relief"), **layers)
    assert caught.value.path == (0, "layer")
    with pytest.raises(ParameterError, match="no `play` layer for objects"):
        put(ObjectParameters(name="a"), relief=heights)


@each_case(
    ("objects", "reason", "path"),
    [
        ([ObjectParameters(name="chest", count=9)], "only 8 of 9 could be placed: 8 floor cells",
         (0, "layer")),
        ([FREE, ObjectParameters(name="chest", count=8)],
         "chest: only 7 of 8 could be placed: 8 floor cells, 7 free", (1, "count")),
        ([
             ObjectParameters(name="stairs", at=(0, 0)),
             ObjectParameters(name="chest", count=4, reachable_from="stairs"),
         ], "chest: only 3 of 4 could be placed: 8 floor cells, 4 reachable from stairs, 3 free",
         (1, "count")),
        ([ObjectParameters(name="chest", count=3, spacing=4)],
         ("chest: only 2 of 3 could be placed: 8 floor cells, "
"spacing 4 leaves room for 2"), (0, "spacing")),
        ([
             ObjectParameters(name="stairs", at=(0, 0)),
             ObjectParameters(name="exit", far_from="stairs", min_distance=9),
         ], r"exit: only 0 of 1 could be placed: 8 floor cells, 0 at least 9 steps from stairs "
         r"\(the farthest is \d steps away\)",
         (1, "far_from")),
        ([ObjectParameters(name="a", at=(2, 0))], r"a: \[2, 0\] is not floor", (0, "at")),
        ([ObjectParameters(name="a", at=(1, 0), clear_radius=1)],
         r"a: \[1, 0\] is not clear within 1", (0, "at")),
        ([ObjectParameters(name="a", at=(0, 2))], r"\[0, 2\] is outside the map", (0, "at")),
        ([ObjectParameters(name="a", at=(-1, 0))], "outside the map", (0, "at")),
        ([ObjectParameters(name="a", at=(0, 0)), ObjectParameters(name="b", at=(0, 0))],
         "another object is already at", (1, "at")),
        ([ObjectParameters(name="a", at=(0, 0), count=2)], "2 objects do not fit", (0, "count")),
        ([ObjectParameters(name="a", min_distance=2)], "without `far_from`", (0, "min_distance")),
        ([ObjectParameters(name="a", max_distance=2)], "without `near`", (0, "max_distance")),
        ([ObjectParameters(name="a", on_tile="lava")], "unknown tile 'lava'", (0, "on_tile")),
    ],
)  # fmt: skip
def test_what_cannot_be_placed_says_why_and_where(
    objects: list[ObjectParameters], reason: str, path: tuple[str | int, ...]
) -> None:
    layer = drawn("..#..", "..#..")
    with pytest.raises(ParameterError, match=reason) as caught:
        put(*objects, layer=layer)
    assert caught.value.path == path


def test_a_thousand_things_in_twenty_by_twenty_end_with_a_report() -> None:
    with pytest.raises(ParameterError, match="only 400 of 1000 could be placed"):
        put(ObjectParameters(name="a", count=1000), layer=layer_of(np.zeros((20, 20))))
    with pytest.raises(ParameterError, match=r"of 60000 could be placed: .* leaves room for 1$"):
        put(
            ObjectParameters(name="a", count=60000, spacing=4096),
            layer=layer_of(np.zeros((20, 20))),
        )


def test_nothing_is_placed_without_objects_or_floor() -> None:
    assert place_objects([], {}, [], open_stream("portable", 1, "objects")) == ()
    walls = layer_of(np.ones((3, 3)))
    assert put(ObjectParameters(name="a", required=False), layer=walls) == ()
    waiting = [
        ObjectParameters(name="b", near="a", required=False),
        ObjectParameters(name="a", required=False),
    ]
    assert put(*waiting, layer=walls) == ()


def test_objects_wait_for_those_they_name() -> None:
    objects = [
        ObjectParameters(name="c", near="b"),
        ObjectParameters(name="b", far_from="a"),
        ObjectParameters(name="d"),
        ObjectParameters(name="a"),
    ]
    order = build_graph({}, objects, None, {}, None).ordered()
    assert [part.key for part in order if part.kind == "objects"] == [2, 3, 1, 0]


def test_the_dotnet_stream_places_like_the_portable_one() -> None:
    layer = random_layer(3, 30, 30, 40)
    places = [
        place_objects([FREE], {"g": layer}, ["g"], open_stream(rng, 7, "objects"))
        for rng in ("portable", "dotnet")
    ]
    assert places[0] == places[1]


def test_places_are_the_same_on_every_machine() -> None:
    layer = random_layer(5, 64, 48, 30)
    placed = put(
        ObjectParameters(name="stairs", clear_radius=1),
        ObjectParameters(name="chest", count=3, spacing=10, reachable_from="stairs"),
        ObjectParameters(name="exit", far_from="stairs"),
        layer=layer,
    )
    assert [(item.x, item.y) for item in placed] == GOLDEN


GOLDEN = [(46, 13), (32, 47), (6, 5), (30, 3), (2, 47)]


def test_the_choice_is_the_same_compiled_and_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    layer = random_layer(5, 64, 48, 30)
    objects = [
        ObjectParameters(name="a", count=40, spacing=4),
        ObjectParameters(name="b", count=500),
        ObjectParameters(name="c", count=70, spacing=6, required=False),
        ObjectParameters(name="d", count=3, far_from="a", spacing=6),
    ]
    compiled = put(*objects, layer=layer)
    interpreted = interpreted_kernels.interpreted("placement")
    for name in ("throw_darts", "take_few", "take_in_order", "clear_disc"):
        monkeypatch.setattr(board_module, name, getattr(interpreted, name))
    assert put(*objects, layer=layer) == compiled


def test_cells_are_packed_by_rows_and_columns_from_both_ends() -> None:
    orders = packing_orders(np.array([0, 1, 3, 4, 5]), 3)
    rows, columns = [0, 1, 3, 4, 5], [0, 3, 1, 4, 5]
    assert [order.tolist() for order in orders] == [rows, columns, rows[::-1], columns[::-1]]


def test_cells_sorted_in_parts_are_in_the_order_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    layer = random_layer(5, 12, 8, 20)
    y, x = np.argwhere(layer.walkable)[0].tolist()
    objects = [
        ObjectParameters(name="a", at=(x, y)),
        ObjectParameters(name="b", count=9, far_from="a", spacing=2, required=False),
    ]
    expected = put(*objects, layer=layer)
    monkeypatch.setattr(board_module, "DARTS_FOR_EACH", 0)
    for first in range(layer.cells.size + 1):
        monkeypatch.setattr(board_module, "DARTS", first)
        assert put(*objects, layer=layer) == expected, first


def test_a_spec_entry_becomes_parameters() -> None:
    text = {"name": "chest", "count": 6, "far_from": ["a", "b"], "at": [3, 4], "region": "largest"}
    parameters = adapter(ObjectParameters).validate_json(json.dumps(text))
    assert (parameters.far_from, parameters.at, parameters.region) == (
        ("a", "b"),
        (3, 4),
        "largest",
    )


def test_objects_know_the_entry_that_requested_for_them() -> None:
    placed = put(
        ObjectParameters(name="chest", count=2, near="stairs"),
        ObjectParameters(name="stairs"),
        ObjectParameters(name="chest"),
        layer=drawn("....", "...."),
    )
    assert [(thing.name, thing.entry) for thing in placed] == [
        ("chest", 0),
        ("chest", 0),
        ("stairs", 1),
        ("chest", 2),
    ]
