"""Certificates against measuring by brute force."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis.extra.numpy import array_shapes, arrays

from exporter.grids import certificates
from exporter.grids.certificates import certify, find_chokes, find_dead_ends
from exporter.grids.distances import distance_from
from exporter.grids.regions import label_regions
from interpreted_kernels import interpreted

masks = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=8))


def chokes_by_removal(walkable):
    """A cell is a choke when removing it leaves more regions (of at least one cell) behind."""
    regions = label_regions(walkable).count
    chokes = np.zeros(walkable.shape, bool)
    for y, x in np.argwhere(walkable):
        without = walkable.copy()
        without[y, x] = False
        chokes[y, x] = label_regions(without).count > regions
    return chokes


@settings(deadline=None, max_examples=80)
@given(masks)
def test_removing_a_choke_splits_its_region(walkable):
    np.testing.assert_array_equal(find_chokes(walkable), chokes_by_removal(walkable))


def test_uncompiled_chokes_are_the_same(monkeypatch):
    walkable = np.random.default_rng(4).random((60, 44)) < 0.65
    compiled = find_chokes(walkable)
    monkeypatch.setattr(certificates, "mark_chokes", interpreted("connectivity").mark_chokes)
    np.testing.assert_array_equal(find_chokes(walkable), compiled)
    assert compiled.any()


def test_a_corridor_of_a_million_cells_needs_no_recursion():
    walkable = np.ones((1, 1_000_000), bool)
    certificate = certify(walkable)
    assert certificate.chokes == 999_998
    assert certificate.dead_ends == 2
    assert certificate.farthest == 999_999


@settings(deadline=None, max_examples=80)
@given(masks)
def test_a_certificate_says_what_the_map_is(walkable):
    certificate = certify(walkable)
    regions = label_regions(walkable)
    assert certificate.regions_after == certificate.regions_before == regions.count
    assert certificate.connected == (regions.count == 1)
    assert certificate.floor == walkable.sum()
    assert certificate.cells == walkable.size
    assert certificate.chokes == chokes_by_removal(walkable).sum()
    if regions.count == 0:
        assert certificate.start is None
        assert certificate.farthest == 0
    else:
        x, y = certificate.start
        assert regions.labels[y, x] == regions.largest
        assert np.argwhere(regions.labels == regions.largest)[0].tolist() == [y, x]
        source = np.zeros(walkable.shape, bool)
        source[y, x] = True
        assert certificate.farthest == distance_from(source, walkable).max()


def test_dead_ends_have_exactly_one_way_on():
    walkable = np.array([[1, 1, 1, 0, 1], [0, 1, 0, 0, 0], [1, 0, 0, 1, 1]], bool)
    assert np.argwhere(find_dead_ends(walkable)).tolist() == [
        [0, 0],
        [0, 2],
        [1, 1],
        [2, 3],
        [2, 4],
    ]


def test_a_certificate_keeps_what_was_carved():
    walkable = np.ones((3, 4), bool)
    certificate = certify(walkable, regions_before=5, cells_carved=7)
    assert (certificate.regions_before, certificate.cells_carved) == (5, 7)
    assert certificate.start == (0, 0)
    assert certificate.farthest == 5
