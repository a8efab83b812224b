"""Distances against definitions tried cell by cell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from exporter.grids import distances
from exporter.grids.distances import distance_from, distance_to
from interpreted_kernels import interpreted

shapes = array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=10)
masks = arrays(np.bool_, shapes)
pairs = shapes.flatmap(lambda shape: st.tuples(arrays(np.bool_, shape), arrays(np.bool_, shape)))


def relax(sources, passable):
    """Lower distances until nothing changes (Bellman and Ford)."""
    height, width = passable.shape
    result = np.where(sources & passable, 0, 10**6)
    changed = True
    while changed:
        changed = False
        for y in range(height):
            for x in range(width):
                for dx, dy in [(0, -1), (0, 1), (1, 0), (-1, 0)]:
                    if not (0 <= y + dy < height and 0 <= x + dx < width) or not passable[y, x]:
                        continue
                    if result[y + dy, x + dx] + 1 < result[y, x]:
                        result[y, x] = result[y + dy, x + dx] + 1
                        changed = True
    return np.where(result < 10**6, result, -1)


def nearest(marked, metric):
    points = [tuple(point) for point in np.argwhere(marked)]
    result = np.full(marked.shape, -1)
    for y, x in np.ndindex(marked.shape):
        gaps = [(abs(y - other_y), abs(x - other_x)) for other_y, other_x in points]
        if gaps:
            result[y, x] = min(map(max if metric == "chebyshev" else sum, gaps))
    return result


@settings(deadline=None, max_examples=80)
@given(pairs)
def test_distances_are_the_fewest_steps_between_neighbours(pair):
    sources, passable = pair
    result = distance_from(sources, passable)
    np.testing.assert_array_equal(result, relax(sources, passable))
    assert result.dtype == np.int32


def test_uncompiled_distances_are_the_same(monkeypatch):
    random = np.random.default_rng(3)
    passable = random.random((70, 53)) < 0.7
    sources = random.random((70, 53)) < 0.01
    compiled = distance_from(sources, passable)
    monkeypatch.setattr(distances, "flood", interpreted("distances").flood)
    np.testing.assert_array_equal(distance_from(sources, passable), compiled)
    assert compiled.max() > 10


def test_sources_that_cannot_be_walked_on_start_nothing():
    passable = np.array([[True, False, True]])
    assert distance_from(~passable, passable).tolist() == [[-1, -1, -1]]


def test_grids_of_different_shapes_are_refused():
    with pytest.raises(ValueError, match="differ in shape"):
        distance_from(np.ones((2, 3), bool), np.ones((3, 2), bool))


@settings(deadline=None, max_examples=80)
@given(masks, st.sampled_from(["chebyshev", "taxicab"]))
def test_the_nearest_marked_cell_is_as_far_as_trying_all_says(marked, metric):
    result = distance_to(marked, metric)
    np.testing.assert_array_equal(result, nearest(marked, metric))
    assert result.dtype == np.int32


def test_unknown_metrics_are_refused():
    with pytest.raises(ValueError, match="unknown metric 'euclid'"):
        distance_to(np.ones((2, 2), bool), "euclid")
