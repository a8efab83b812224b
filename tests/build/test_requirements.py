"""What a level requires of a layer: each limit at, above and below its figure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.build.requirements import broken_limits, connected
from exporter.generators import Generated
from exporter.model.level import Certificate, Layer, Tile
from exporter.reading.limit_keys import Requirements

FLOOR = Tile(0, "floor", True, False, "#000000")
WALL = Tile(1, "wall", False, True, "#000000")
MEASURED = Certificate(
    regions_before=3,
    regions_after=1,
    cells_carved=2,
    floor=30,
    cells=40,
    farthest=12,
    start=(0, 0),
    dead_ends=4,
    chokes=6,
)
LAYER = Layer("ground", "tiles", np.zeros((5, 8), np.uint8), "x", certificate=MEASURED)


def broken(layer: Layer, require: Requirements) -> dict[str, str]:
    result = broken_limits(layer.certificate, layer.complete, require)
    return {key: breach.text for key, breach in result.items()}


@each_case(
    ("key", "met", "exceeded"),
    [
        ("min_floor", [0.0, 0.5, 0.75], [0.7501, 1.0]),
        ("max_floor", [0.75, 0.76, 1.0], [0.0, 0.7499]),
        ("min_distance", [0, 12], [13, 100]),
        ("max_dead_ends", [4, 5], [3, 0]),
        ("max_chokes", [6, 7], [5, 0]),
        ("connected", [True], [False]),
        ("complete", [True], [False]),
    ],
)
def test_a_limit_is_preserved_at_its_figure(key: str, met: list[Any], exceeded: list[Any]) -> None:
    for limit in met:
        assert broken(LAYER, Requirements(**{key: limit})) == {}
    for limit in exceeded:
        assert list(broken(LAYER, Requirements(**{key: limit}))) == [key]


def test_the_message_has_the_figure_and_the_limit() -> None:
    require = Requirements(min_floor=0.8, max_dead_ends=3, min_distance=13, max_chokes=1)
    assert broken(LAYER, require) == {
        "min_floor": "the share of walkable cells is 0.7500 (required: 0.8)",
        "min_distance": "the farthest cell is 12 steps away (required: 13)",
        "max_dead_ends": "4 dead ends (required: 3)",
        "max_chokes": "6 choke cells (required: 1)",
    }


def test_two_regions_are_not_connected() -> None:
    apart = replace(LAYER, certificate=replace(MEASURED, regions_after=2))
    assert broken(apart, Requirements(connected=True)) == {
        "connected": "2 separate regions (required: true)"
    }
    assert broken(apart, Requirements(connected=False)) == {}


def test_an_incomplete_layer_breaks_complete_only() -> None:
    layer = replace(LAYER, complete=False)
    assert list(broken(layer, Requirements(complete=True, min_floor=0.5))) == ["complete"]
    assert broken(layer, Requirements(complete=False)) == {}


def test_a_layer_without_walkable_cells_cannot_keep_a_limit_of_them() -> None:
    heights = replace(LAYER, certificate=None)
    require = Requirements(complete=True, max_floor=1.0, max_chokes=9)
    assert broken(heights, require) == {
        "max_floor": "it has no walkable cells to measure",
        "max_chokes": "it has no walkable cells to measure",
    }


def generated(rows: list[str], **more: Any) -> Generated:
    cells = np.array([[character == "#" for character in row] for row in rows], np.uint8)
    return Generated(cells, tiles=(FLOOR, WALL), **more)


APART = ["..#..", "..#..", "..#.."]


def test_guaranteed_joins_what_is_apart_and_counts_the_cells() -> None:
    before = generated(APART)
    joined = connected(before, "guaranteed")
    assert (joined.regions_before, joined.cells_carved) == (2, 1)
    assert joined.walkable is not None
    assert joined.walkable.sum() == 13
    assert np.array_equal(joined.walkable, joined.generated.cells == FLOOR.id)
    assert before.cells.sum() == 3  # the input is unchanged


@pytest.mark.parametrize("connect", [True, "guaranteed"])
def test_connecting_falls_back_to_joins_where_the_generator_has_no_way(connect: Any) -> None:
    assert connected(generated(APART), connect).cells_carved == 1


def test_without_connecting_regions_are_counted_only() -> None:
    counted = connected(generated(APART), False)
    assert (counted.regions_before, counted.cells_carved) == (2, 0)
    assert counted.generated.cells.sum() == 3


def test_a_generators_own_way_is_reported_as_it_was() -> None:
    own = generated(APART, regions_before=5, carved=7)
    remaining = connected(own, True)
    assert (remaining.regions_before, remaining.cells_carved) == (5, 7)
    assert remaining.generated.cells.sum() == 3
    forced = connected(own, "guaranteed")
    assert (forced.regions_before, forced.cells_carved) == (5, 8)
    idle = connected(own, False)
    assert (idle.regions_before, idle.cells_carved) == (5, 7)


def test_a_layer_without_a_walkable_tile_has_nothing_to_connect() -> None:
    solid = Generated(np.ones((2, 2), np.uint8), tiles=(WALL,))
    result = connected(solid, "guaranteed")
    assert result.walkable is None
    assert (result.regions_before, result.cells_carved) == (0, 0)


def test_heights_are_counted_and_never_carved() -> None:
    walkable = np.array([[True, False, True]])
    hills = Generated(np.zeros((1, 3), np.uint16), kind="heights", walkable=walkable)
    result = connected(hills, "guaranteed")
    assert (result.regions_before, result.cells_carved) == (2, 0)
    assert result.walkable is walkable
    bare = Generated(np.zeros((1, 3), np.uint16), kind="heights")
    assert connected(bare, False).regions_before == 0
