"""Rectangles cover a mask exactly, none of its cells twice."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra.numpy import array_shapes, arrays

from exporter.geometry import rectangles as module
from exporter.geometry.rectangles import TooManyRectanglesError, rectangles
from geometry_references import random_mask

masks = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12))


def check(mask: np.ndarray) -> None:
    found = rectangles(mask)
    assert found.dtype == np.int32
    covered = np.zeros(mask.shape, int)
    for x, y, width, height in found.tolist():
        assert min(width, height) > 0
        covered[y : y + height, x : x + width] += 1
    np.testing.assert_array_equal(covered, mask.astype(int))
    corners = [(y, x) for x, y, _, _ in found.tolist()]
    assert corners == sorted(corners)
    assert len(found) <= min(joined_runs(mask), joined_runs(mask.T))


def joined_runs(mask: np.ndarray) -> int:
    """How many different runs of cells there are, those right below an equal one left out."""
    above: set[tuple[int, int]] = set()
    count = 0
    for row in mask.tolist():
        runs = set()
        for x, cell in enumerate(row):
            if cell and (x == 0 or not row[x - 1]):
                end = x
                while end < len(row) and row[end]:
                    end += 1
                runs.add((x, end))
        count += len(runs - above)
        above = runs
    return count


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 0), (1, 1), (1, 7), (7, 1), (3, 4)])
def test_every_small_mask_is_covered(shape: tuple[int, int]) -> None:
    cells = shape[0] * shape[1]
    for bits in range(1 << cells):
        check(np.array([bits >> cell & 1 for cell in range(cells)], bool).reshape(shape))


@settings(deadline=None, max_examples=300)
@given(masks)
def test_any_mask_is_covered(mask: np.ndarray) -> None:
    check(mask)


def test_masks_of_all_densities_are_covered() -> None:
    random = np.random.default_rng(5)
    for _ in range(60):
        check(random_mask(random))


def test_a_view_of_a_mask_is_read_right() -> None:
    check((np.random.default_rng(1).random((40, 30)) < 0.5).T[::-1, ::2])


def test_the_longest_sides_are_one_rectangle() -> None:
    assert rectangles(np.ones((8192, 8192), bool)).tolist() == [[0, 0, 8192, 8192]]


def test_a_comb_is_cut_the_way_that_gives_fewer() -> None:
    comb = np.ones((9, 9), bool)
    comb[1:, 1::2] = False
    assert len(rectangles(comb)) == len(rectangles(comb.T)) == 6


def test_more_rectangles_than_are_of_use_are_an_error() -> None:
    checkerboard = np.indices((6, 6)).sum(0) % 2 == 0
    assert len(rectangles(checkerboard, at_most=18)) == 18
    with pytest.raises(TooManyRectanglesError, match="more than 17"):
        rectangles(checkerboard, at_most=17)
    # Where one way gives too many, the other may do.
    stripes = np.zeros((6, 6), bool)
    stripes[::2, :3] = stripes[1::2, :4] = True
    assert len(rectangles(stripes, at_most=4)) == 4
    assert len(rectangles(stripes.T, at_most=4)) == 4


def test_what_is_no_mask_is_refused() -> None:
    with pytest.raises(ValueError, match="two dimensions"):
        rectangles(np.zeros(3, bool))
    with pytest.raises(ValueError, match="at most 8192"):
        rectangles(np.zeros((1, 8193), bool))


def test_the_examples_are_true() -> None:
    assert doctest.testmod(module).failed == 0
    assert doctest.testmod(module).attempted == 1
