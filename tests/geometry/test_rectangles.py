"""Rectangles cover every cell of a mask once, and are few."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra.numpy import array_shapes, arrays

from cases import each_case
from exporter.geometry import rectangles as module
from exporter.geometry.rectangles import rectangles, rectangles_by_chunk

masks = arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12))


def covered(result: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """How many rectangles lie over each cell."""
    counts = np.zeros(shape, int)
    for x, y, width, height in result.tolist():
        assert width > 0
        assert height > 0
        assert min(x, y) >= 0
        assert x + width <= shape[1]
        assert y + height <= shape[0]
        counts[y : y + height, x : x + width] += 1
    return counts


def check(mask: np.ndarray, result: np.ndarray) -> None:
    assert result.dtype == np.int32
    assert result.shape[1] == 4
    np.testing.assert_array_equal(covered(result, mask.shape), mask)
    corners = [(y, x) for x, y, _, _ in result.tolist()]
    assert corners == sorted(corners)


def joined_runs(mask: np.ndarray) -> int:
    """How many rectangles there are if equal runs of neighbouring rows are joined."""
    count, before = 0, set()
    for row in mask:
        padded = np.concatenate([[False], row, [False]]).astype(int)
        ends = np.flatnonzero(np.diff(padded)).reshape(-1, 2)
        runs = set(map(tuple, ends.tolist()))
        count += len(runs - before)
        before = runs
    return count


@each_case("shape", [(0, 0), (0, 3), (2, 0), (1, 1), (1, 7), (7, 1), (3, 3), (2, 5)])
def test_every_small_mask_is_covered_once(shape: tuple[int, int]) -> None:
    cells = shape[0] * shape[1]
    for bits in range(1 << cells):
        mask = np.array([bits >> cell & 1 for cell in range(cells)], bool).reshape(shape)
        result = rectangles(mask)
        check(mask, result)
        assert len(result) <= joined_runs(mask)


@given(masks)
@settings(max_examples=120, deadline=None)
def test_any_mask_is_covered_once(mask: np.ndarray) -> None:
    check(mask, rectangles(mask))


@each_case("chunk", [1, 5, 64, 1000])
def test_no_rectangle_crosses_the_border_of_a_chunk(chunk: int) -> None:
    mask = np.random.default_rng(3).random((23, 37)) < 0.6
    counts = np.zeros(mask.shape, int)
    for part, result in rectangles_by_chunk(mask, chunk):
        counts += covered(result, mask.shape)
        assert (result[:, :2] >= [part.x, part.y]).all()
        last = result[:, :2] + result[:, 2:]
        assert (last <= [part.x + part.width, part.y + part.height]).all()
    np.testing.assert_array_equal(counts, mask)


def test_there_are_fewer_than_runs_of_rows() -> None:
    mask = np.random.default_rng(1).random((64, 64)) < 0.5
    assert len(rectangles(mask)) < joined_runs(mask)


def test_a_straight_wall_is_one_rectangle_whatever_lies_behind_it() -> None:
    # Behind a straight front of 12 cells every row begins elsewhere, though never at the front.
    mask = np.zeros((12, 9), bool)
    for row, start in enumerate([1, 4, 2, 5, 0, 3, 6, 2, 4, 1, 5, 3]):
        mask[row, start:] = True
    result = rectangles(mask)
    check(mask, result)
    at_front = result[result[:, 0] + result[:, 2] == 9]
    assert len(at_front) <= 4 < joined_runs(mask)


def test_a_rectangle_of_a_chunk_has_its_position_in_the_whole_map() -> None:
    mask = np.zeros((70, 70), bool)
    mask[65:68, 66:69] = True
    result = [part.tolist() for _, part in rectangles_by_chunk(mask, 64) if len(part)]
    assert result == [[[66, 65, 3, 3]]]


def test_too_long_a_side_is_refused() -> None:
    with pytest.raises(ValueError, match="8192"):
        rectangles(np.zeros((1, 8193), bool))


def test_the_example_is_true() -> None:
    assert doctest.testmod(module).failed == 0
