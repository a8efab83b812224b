"""Tiles of terrains fit their neighbours, as a slow reference finds them cell by cell."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from exporter.grids.neighbourhoods import BLOB_MASKS, EDGE_MASKS, classes, masks_of
from exporter.tilesets.terrain_match import (
    Matching,
    TerrainTile,
    by_chance,
    match_terrains,
    ranks_of,
)
from exporter.tilesets.tile_choice import cell_hash

STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
MODES: tuple[Matching, ...] = ("corners and sides", "corners", "sides")
WEIGHTS = (8, 3) * 4


def bits_of(mask: int, terrain: int = 0) -> tuple[int, ...]:
    return tuple(terrain if mask >> index & 1 else -1 for index in range(8))


def complete(masks: tuple[int, ...], terrain: int = 0, first: int = 0) -> list[TerrainTile]:
    return [
        TerrainTile(first + number, frozenset({terrain}), bits_of(mask, terrain))
        for number, mask in enumerate(masks)
    ]


def shared(cells: np.ndarray, ranks: dict[int, int], x: int, y: int) -> list[int]:
    """The terrains of a cell's sides and corners: the lowest of the cells that meet there."""
    height, width = cells.shape

    def at(dx: int, dy: int) -> int:
        return int(cells[min(max(y + dy, 0), height - 1), min(max(x + dx, 0), width - 1)])

    expected = []
    for dx, dy in STEPS:
        meeting = {at(a, b) for a in {0, dx} for b in {0, dy}}
        expected.append(min(meeting, key=lambda item: ranks[item]))
    return expected


def compared(mode: Matching) -> list[int]:
    return {"corners and sides": list(range(8)), "corners": [1, 3, 5, 7], "sides": [0, 2, 4, 6]}[
        mode
    ]


tiles_of_sets = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.tuples(*[st.integers(-1, 2)] * 8),
        st.sampled_from([0.0, 0.25, 1.0, 3.0]),
    ),
    max_size=12,
)


@settings(deadline=None)
@given(
    arrays.arrays(
        np.int16, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(-1, 2)
    ),
    tiles_of_sets,
    st.sampled_from(MODES),
)
def test_the_nearest_tile_is_chosen(cells: np.ndarray, listed: list[Any], mode: Matching) -> None:
    tiles = [
        TerrainTile(number, frozenset({own}), bits, chance)
        for number, (own, bits, chance) in enumerate(listed)
    ]
    numbers, inexact = match_terrains(cells, tiles, mode, cell_hash(*cells.shape))
    ranks = ranks_of(tiles, cells)
    for y, x in itertools.product(*map(range, cells.shape)):
        own = int(cells[y, x])
        able = [tile for tile in tiles if own in tile.terrains]
        if own < 0 or not able:
            assert numbers[y, x] == -1
            assert inexact[y, x] == (own >= 0)
            continue
        expected = shared(cells, ranks, x, y)
        costs = [
            sum(
                WEIGHTS[position]
                for position in compared(mode)
                if tile.bits[position] != expected[position]
            )
            for tile in able
        ]
        chosen = next(tile for tile in able if tile.number == numbers[y, x])
        assert costs[able.index(chosen)] == min(costs)
        assert inexact[y, x] == (min(costs) > 0)
        # Of equally different ones, one with the bits of the first.
        first = able[costs.index(min(costs))]
        assert all(chosen.bits[position] == first.bits[position] for position in compared(mode))


@pytest.mark.parametrize(("kind", "mode"), [("blob", MODES[0]), ("edges", MODES[2])])
def test_complete_sets_give_the_tiles_of_autotiles(kind: Any, mode: Matching) -> None:
    cells = (np.random.default_rng(2).random((30, 40)) < 0.6).astype(np.int16) - 1
    tiles = complete(masks_of(kind))
    numbers, inexact = match_terrains(cells, tiles, mode, cell_hash(30, 40))
    assert not inexact.any()
    expected = np.where(cells == 0, classes(cells == 0, kind).astype(np.int32), -1)
    # Beyond the edge the level goes on there, and walls go on here.
    np.testing.assert_array_equal(numbers[1:-1, 1:-1], expected[1:-1, 1:-1])


@pytest.mark.parametrize("carrier", [0, 1])
def test_the_terrain_that_has_transitions_shows_them(carrier: int) -> None:
    """Grass over dirt, or dirt over grass: whichever has the tiles."""
    other = 1 - carrier
    tiles = [TerrainTile(99, frozenset({other}), (other,) * 8)]
    for number, mask in enumerate(BLOB_MASKS):
        bits = tuple(carrier if mask >> index & 1 else other for index in range(8))
        tiles.append(TerrainTile(number, frozenset({carrier}), bits))
    cells = (np.random.default_rng(4).random((20, 20)) < 0.5).astype(np.int16)
    numbers, inexact = match_terrains(cells, tiles, MODES[0], cell_hash(20, 20))
    assert not inexact.any()
    assert (numbers[cells == other] == 99).all()
    assert len(np.unique(numbers[cells == carrier])) > 20


def test_a_set_without_a_tile_leaves_cells_empty() -> None:
    numbers, inexact = match_terrains(np.zeros((2, 2), np.int16), [], "sides", cell_hash(2, 2))
    assert (numbers == -1).all()
    assert inexact.all()


def test_sides_count_more_than_corners() -> None:
    """Of a tile with a wrong side and one with two wrong corners the second is nearer."""
    cells = np.zeros((3, 3), np.int16)
    sides = TerrainTile(0, frozenset({0}), (-1, 0, 0, 0, 0, 0, 0, 0))
    corners = TerrainTile(1, frozenset({0}), (0, -1, 0, -1, 0, 0, 0, 0))
    numbers, _ = match_terrains(cells, [sides, corners], MODES[0], cell_hash(3, 3))
    assert (numbers == 1).all()


def test_neighbours_of_another_set_are_nothing() -> None:
    cells = np.array([[0, -1]], np.int16)
    tiles = complete(EDGE_MASKS)
    numbers, _ = match_terrains(cells, tiles, "sides", cell_hash(1, 2))
    assert EDGE_MASKS[numbers[0, 0]] == 1 | 16 | 64
    assert numbers[0, 1] == -1


def test_tiles_come_as_often_as_their_probabilities() -> None:
    draws = cell_hash(200, 200).ravel().astype(np.uint64)
    result = by_chance([(5, 1.0), (7, 0.0), (9, 3.0)], draws)
    assert set(np.unique(result)) == {5, 9}
    assert 0.73 < (result == 9).mean() < 0.77


def test_tiles_that_never_come_come_equally_if_there_are_no_others() -> None:
    draws = cell_hash(100, 100).ravel().astype(np.uint64)
    assert set(np.unique(by_chance([(1, 0.0), (2, 0.0)], draws))) == {1, 2}
    assert set(np.unique(by_chance([(1, 1e30), (2, 0.0)], draws))) == {1}
