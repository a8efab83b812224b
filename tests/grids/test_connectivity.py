"""Joining regions: always one region, shortest joins, the same uncompiled."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from cases import each_case
from exporter.grids import connectivity
from exporter.grids.connectivity import join_regions
from exporter.grids.regions import label_regions
from interpreted_kernels import interpreted

masks = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12))


def cells_between(walkable, labels, first, second, allowed):
    """Fewest allowed solid cells to open so that two regions meet (Bellman and Ford)."""
    height, width = walkable.shape
    cost = np.where(labels == first, 0, 10**6)
    for _ in range(walkable.size):
        before = cost.copy()
        for y, x in np.ndindex(walkable.shape):
            if walkable[y, x] or not allowed[y, x]:
                continue
            for dx, dy in [(0, -1), (0, 1), (1, 0), (-1, 0)]:
                if 0 <= y + dy < height and 0 <= x + dx < width:
                    cost[y, x] = min(cost[y, x], cost[y + dy, x + dx] + 1)
        if (before == cost).all():
            break
    best = 10**6
    for y, x in np.argwhere(labels == second):
        for dx, dy in [(0, -1), (0, 1), (1, 0), (-1, 0)]:
            if 0 <= y + dy < height and 0 <= x + dx < width:
                best = min(best, cost[y + dy, x + dx])
    return int(best)


def spanning_tree_cost(walkable, allowed):
    regions = label_regions(walkable)
    numbers = range(1, regions.count + 1)
    joins = sorted(
        (cells_between(walkable, regions.labels, first, second, allowed), first, second)
        for first, second in combinations(numbers, 2)
    )
    group = {number: number for number in numbers}
    total = 0
    for cost, first, second in joins:
        if group[first] != group[second]:
            total += cost
            old = group[second]
            group = {n: group[first] if g == old else g for n, g in group.items()}
    return total


@settings(deadline=None, max_examples=120)
@given(masks)
def test_every_map_becomes_one_region_and_keeps_its_floor(walkable):
    joined = join_regions(walkable)
    assert label_regions(joined.walkable).count == 1
    assert joined.walkable[walkable].all()
    np.testing.assert_array_equal(joined.carved, joined.walkable & ~walkable)
    assert joined.cells_carved == joined.carved.sum()
    assert joined.regions_before == label_regions(walkable).count


@settings(deadline=None, max_examples=60)
@given(arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=6)))
def test_no_more_is_opened_than_the_cheapest_tree_of_joins_takes(inner):
    walkable = np.pad(inner, 1)
    inside = np.pad(np.ones(inner.shape, bool), 1)
    joined = join_regions(walkable)
    if label_regions(walkable).count == 0:
        assert joined.cells_carved == 1
    else:
        assert joined.cells_carved <= spanning_tree_cost(walkable, inside)
        assert not joined.carved[~inside].any()


@settings(deadline=None, max_examples=100)
@given(arrays(np.bool_, (9, 12)))
def test_two_regions_are_joined_by_the_fewest_cells(mask):
    labels = label_regions(mask).labels
    walkable = np.pad((labels == 1) | (labels == 2), 1)
    regions = label_regions(walkable)
    if regions.count == 2:
        inside = np.pad(np.ones(mask.shape, bool), 1)
        fewest = cells_between(walkable, regions.labels, 1, 2, inside)
        assert join_regions(walkable).cells_carved == fewest


@each_case("corner", [(0, 0), (0, -1), (-1, 0), (-1, -1)])
def test_the_border_is_opened_only_beside_a_corner_that_needs_it(corner):
    walkable = np.zeros((7, 9), bool)
    walkable[corner] = True
    walkable[3, 4] = True
    walkable[3, 0] = True
    joined = join_regions(walkable)
    border = np.ones(walkable.shape, bool)
    border[1:-1, 1:-1] = False
    assert (joined.carved & border).sum() == 1
    assert label_regions(joined.walkable).count == 1


@each_case("shape", [(1, 9), (9, 1), (2, 8), (8, 2)])
def test_maps_without_an_inside_are_joined_along_the_border(shape):
    walkable = np.zeros(shape, bool)
    walkable[0, 0] = walkable[-1, -1] = True
    assert label_regions(join_regions(walkable).walkable).count == 1


def test_a_map_without_floor_gets_one_opening_in_the_middle():
    joined = join_regions(np.zeros((5, 8), bool))
    assert joined.cells_carved == 1
    assert joined.regions_before == 0
    assert joined.walkable[2, 4]


def test_a_connected_map_is_left_alone():
    walkable = np.zeros((5, 8), bool)
    walkable[2, 1:6] = True
    joined = join_regions(walkable)
    assert joined.cells_carved == 0
    np.testing.assert_array_equal(joined.walkable, walkable)


def test_a_map_without_cells_cannot_be_connected():
    with pytest.raises(ValueError, match="must have two dimensions"):
        join_regions(np.zeros((0, 4), bool))


@pytest.mark.parametrize("density", [0.02, 0.3, 0.5])
def test_uncompiled_joins_are_the_same(monkeypatch, density):
    walkable = np.random.default_rng(8).random((45, 61)) < density
    compiled = join_regions(walkable)
    kernel = interpreted("connectivity")
    monkeypatch.setattr(connectivity, "spread", kernel.spread)
    monkeypatch.setattr(connectivity, "join_meetings", kernel.join_meetings)
    plain = join_regions(walkable)
    np.testing.assert_array_equal(plain.walkable, compiled.walkable)
    assert plain.cells_carved == compiled.cells_carved > 0


@st.composite
def maps_with_retained_cells(draw):
    """A map of floor and rock, and cells of it that must stay."""
    shape = draw(array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=9))
    return draw(arrays(np.bool_, shape)), draw(arrays(np.bool_, shape))


@settings(deadline=None, max_examples=120)
@given(maps_with_retained_cells())
def test_preserved_cells_are_never_opened_and_only_they_keep_regions_apart(cells):
    walkable, remaining = cells
    joined = join_regions(walkable, remaining)
    assert not (joined.carved & remaining).any()
    assert joined.walkable[walkable].all()
    assert joined.regions.count == label_regions(joined.walkable).count
    # Everything that may be opened, opened: cells still apart are so in every map.
    reachable = label_regions(walkable | ~remaining).labels
    if walkable.any():
        assert joined.regions.count == len(np.unique(reachable[walkable]))
    else:
        assert joined.regions.count == int(not remaining.all())


@settings(deadline=None, max_examples=60)
@given(maps_with_retained_cells())
def test_around_preserved_cells_no_more_is_opened_than_a_tree_of_joins_takes(cells):
    inner, remaining = (np.pad(mask, 1) for mask in cells)
    inside = np.pad(np.ones(cells[0].shape, bool), 1)
    joined = join_regions(inner, remaining)
    reachable = label_regions(inner | (inside & ~remaining)).labels
    if inner.any() and len(np.unique(reachable[inner])) == 1:
        assert joined.cells_carved <= spanning_tree_cost(inner, inside & ~remaining)


def test_without_a_region_the_free_cell_nearest_to_the_middle_is_opened():
    remaining = np.ones((5, 7), bool)
    remaining[1, 3] = remaining[4, 0] = False
    joined = join_regions(np.zeros((5, 7), bool), remaining)
    assert np.argwhere(joined.walkable).tolist() == [[1, 3]]
    assert (joined.cells_carved, joined.regions.count) == (1, 1)
