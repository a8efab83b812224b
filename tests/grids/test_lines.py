"""Bresenham's line, and the line that stops at a barrier."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter import line, line_until

cells = st.tuples(st.integers(-40, 40), st.integers(-40, 40))


def rounded_away(value: Fraction) -> int:
    whole = int(abs(value) + Fraction(1, 2))
    return whole if value >= 0 else -whole


@settings(deadline=None)
@given(cells, cells)
def test_a_line_is_the_rounded_straight_line(a: tuple[int, int], b: tuple[int, int]) -> None:
    dx, dy = b[0] - a[0], b[1] - a[1]
    n = max(abs(dx), abs(dy))
    expected = [
        (a[0] + rounded_away(Fraction(i * dx, n)), a[1] + rounded_away(Fraction(i * dy, n)))
        for i in range(1, n + 1)
    ]
    assert line(a, b) == [a, *expected]


@settings(deadline=None)
@given(cells, cells)
def test_a_line_joins_its_ends_by_steps_to_neighbours(
    a: tuple[int, int], b: tuple[int, int]
) -> None:
    result = line(a, b)
    assert result[0] == a
    assert result[-1] == b
    for (ax, ay), (bx, by) in itertools.pairwise(result):
        assert max(abs(ax - bx), abs(ay - by)) == 1


def test_halves_are_rounded_away_from_the_start() -> None:
    assert line((0, 0), (2, 1)) == [(0, 0), (1, 1), (2, 1)]
    assert line((2, 1), (0, 0)) == [(2, 1), (1, 0), (0, 0)]
    assert line((0, 0), (-1, -2)) == [(0, 0), (-1, -1), (-1, -2)]


def test_a_line_to_its_own_start_is_one_cell() -> None:
    assert line((3, -4), (3, -4)) == [(3, -4)]


@settings(deadline=None)
@given(st.data())
def test_a_stopped_line_is_the_part_before_the_first_barrier(data: st.DataObject) -> None:
    height, width = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 12))
    opaque = np.array(
        data.draw(st.lists(st.booleans(), min_size=height * width, max_size=height * width))
    ).reshape(height, width)
    a = data.draw(st.tuples(st.integers(0, width - 1), st.integers(0, height - 1)))
    b = data.draw(st.tuples(st.integers(-3, width + 2), st.integers(-3, height + 2)))
    whole, stopped = line(a, b), line_until(a, b, opaque)
    assert stopped == whole[: len(stopped)]
    assert all(not opaque[y, x] for x, y in stopped[1:])
    if len(stopped) < len(whole):
        x, y = whole[len(stopped)]
        assert not (0 <= x < width and 0 <= y < height) or opaque[y, x]


def test_a_line_cannot_start_outside_the_map() -> None:
    with pytest.raises(ValueError, match="not inside"):
        line_until((3, 0), (0, 0), np.zeros((3, 3), bool))
    with pytest.raises(ValueError, match="has 1 dimensions"):
        line_until((0, 0), (0, 0), np.zeros(3, bool))


def test_cells_in_unsigned_integers_of_numpy_do_not_wrap() -> None:
    a, b = np.array([[5, 3], [2, 4]], np.uint8)
    result = line(tuple(a), tuple(b))
    assert result == line((5, 3), (2, 4))
    assert line_until(tuple(a), tuple(b), np.zeros((9, 9), bool)) == result
    assert all(type(part) is int for cell in result for part in cell)


def test_a_stopped_line_takes_no_longer_for_an_end_far_outside() -> None:
    assert line_until((0, 1), (10**15, 1), np.zeros((3, 3), bool)) == [(0, 1), (1, 1), (2, 1)]
