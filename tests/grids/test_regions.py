"""Region labelling against a flood fill written the slow way."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import exporter
from cases import each_case
from exporter.grids import regions
from exporter.grids.regions import label_regions
from interpreted_kernels import interpreted

masks = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=14))
SIDES = [(0, -1), (0, 1), (1, 0), (-1, 0)]
CORNERS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def flood_fill(mask, connectivity):
    labels = np.zeros(mask.shape, int)
    sizes = []
    steps = SIDES if connectivity == 4 else SIDES + CORNERS
    for y, x in np.argwhere(mask):
        if labels[y, x]:
            continue
        sizes.append(0)
        labels[y, x] = len(sizes)
        waiting = [(y, x)]
        while waiting:
            y, x = waiting.pop()
            sizes[-1] += 1
            for dx, dy in steps:
                inside = 0 <= y + dy < mask.shape[0] and 0 <= x + dx < mask.shape[1]
                if inside and mask[y + dy, x + dx] and not labels[y + dy, x + dx]:
                    labels[y + dy, x + dx] = len(sizes)
                    waiting.append((y + dy, x + dx))
    return labels, sizes


@settings(deadline=None, max_examples=120)
@given(masks, st.sampled_from([4, 8]))
def test_labels_and_sizes_are_those_of_a_flood_fill(mask, connectivity):
    labels, sizes = flood_fill(mask, connectivity)
    result = label_regions(mask, connectivity)
    np.testing.assert_array_equal(result.labels, labels)
    assert result.sizes.tolist() == sizes
    assert result.labels.dtype == np.int32
    assert result.sizes.dtype == np.int64
    assert result.count == len(sizes)


@each_case("connectivity", [4, 8])
@each_case("density", [0.3, 0.5, 0.6, 0.9])
def test_uncompiled_labelling_gives_the_same(monkeypatch, density, connectivity):
    mask = np.random.default_rng(5).random((61, 83)) < density
    compiled = label_regions(mask, connectivity)
    kernel = interpreted("regions")
    monkeypatch.setattr(regions, "number_runs", kernel.number_runs)
    for paint in (True, False):
        monkeypatch.setattr(regions, "COMPILED", paint)
        monkeypatch.setattr(regions, "paint_runs", kernel.paint_runs)
        plain = label_regions(mask, connectivity)
        np.testing.assert_array_equal(plain.labels, compiled.labels)
        np.testing.assert_array_equal(plain.sizes, compiled.sizes)
    labels, _ = flood_fill(mask, connectivity)
    np.testing.assert_array_equal(compiled.labels, labels)


def test_a_spiral_of_half_a_million_cells_is_one_region():
    rows = np.zeros((1001, 1000), bool)
    rows[::2] = True
    rows[1::4, -1] = True
    rows[3::4, 0] = True
    result = label_regions(rows)
    assert result.count == 1
    assert result.sizes[0] == rows.sum()


def test_regions_of_different_rows_do_not_meet_over_the_edge():
    mask = np.array([[0, 0, 1], [1, 0, 0]], bool)
    assert label_regions(mask, 4).count == 2
    assert label_regions(mask, 8).count == 2


def test_the_largest_region_is_the_first_of_equals():
    mask = np.array([[1, 0, 1, 1], [0, 0, 0, 0], [1, 1, 0, 1]], bool)
    result = label_regions(mask)
    assert result.sizes.tolist() == [1, 2, 2, 1]
    assert result.largest == 2
    assert label_regions(np.zeros((3, 3), bool)).largest == 0


@each_case("shape", [(0, 0), (0, 5), (5, 0), (1, 1), (1, 9), (9, 1)])
def test_thin_and_empty_masks_are_labelled(shape):
    assert label_regions(np.zeros(shape, bool)).count == 0
    full = label_regions(np.ones(shape, bool))
    assert full.labels.shape == shape
    assert full.count == (1 if full.labels.size else 0)


def test_views_and_transposed_masks_are_read_right():
    mask = np.random.default_rng(1).random((40, 30)) < 0.5
    view = mask.T[::-1, ::2]
    np.testing.assert_array_equal(label_regions(view).labels, flood_fill(view, 4)[0])


def test_other_connectivities_and_dimensions_are_refused():
    with pytest.raises(ValueError, match="unknown connectivity"):
        label_regions(np.ones((2, 2), bool), 6)
    with pytest.raises(ValueError, match="dimensions"):
        label_regions(np.ones(4, bool))


def test_the_public_function_takes_anything_like_a_mask():
    mask = [[1, 0, 2], [0, 1, 0]]
    result = exporter.find_regions(mask)
    assert result.labels.tolist() == [[1, 0, 2], [0, 3, 0]]
    assert result.sizes.tolist() == [1, 1, 1]
    joined = exporter.find_regions(np.array(mask), diagonal=True)
    assert (joined.count, joined.sizes.tolist()) == (1, [3])
    with pytest.raises(ValueError, match="dimensions"):
        exporter.find_regions([1, 0])
    assert doctest.testmod(regions).failed == 0
