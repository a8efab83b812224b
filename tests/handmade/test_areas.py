"""The cells of an area are those whose centre lies inside, as a slow reference finds them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exporter.handmade.areas import mask_of, rectangle_of
from exporter.handmade.maps import HandArea

Corner = tuple[int, int]


def inside(corners: list[Corner], x: Fraction, y: Fraction) -> bool:
    """Whether a point lies in a polygon, by the even-odd rule, in exact numbers."""
    crossed = False
    for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (y0 <= y) != (y1 <= y):
            crossed ^= x0 + (y - y0) * Fraction(x1 - x0, y1 - y0) <= x
    return crossed


@given(
    st.lists(st.tuples(st.integers(-3, 12), st.integers(-3, 12)), min_size=1, max_size=8),
    st.integers(1, 10),
    st.integers(1, 10),
)
def test_polygons_are_filled_by_the_even_odd_rule(
    corners: list[Corner], width: int, height: int
) -> None:
    outline = tuple((float(x), float(y)) for x, y in corners)
    mask = mask_of(HandArea("a", "", outline), width, height)
    half = Fraction(1, 2)
    expected = [[inside(corners, x + half, y + half) for x in range(width)] for y in range(height)]
    assert mask.tolist() == expected


@given(st.integers(-40, 40), st.integers(-40, 40), st.integers(1, 60), st.integers(1, 60))
def test_a_rectangle_has_the_cells_of_its_mask(x: int, y: int, width: int, height: int) -> None:
    left, top, right, bottom = x / 4, y / 4, (x + width) / 4, (y + height) / 4
    area = HandArea("a", "", ((left, top), (right, top), (right, bottom), (left, bottom)))
    result = rectangle_of(area)
    assert result is not None
    column, row, columns, rows = result
    expected = np.zeros((30, 30), bool)
    expected[max(row, 0) : max(row + rows, 0), max(column, 0) : max(column + columns, 0)] = True
    assert np.array_equal(mask_of(area, 30, 30), expected)


def test_an_ellipse_turned_by_a_quarter_is_an_ellipse() -> None:
    upright = HandArea("a", "", ((1.0, 2.0), (9.0, 2.0), (9.0, 6.0), (1.0, 6.0)), "ellipse")
    turned = HandArea("a", "", ((9.0, 2.0), (9.0, 6.0), (1.0, 6.0), (1.0, 2.0)), "ellipse")
    assert np.array_equal(mask_of(upright, 12, 12), mask_of(turned, 12, 12))
    assert mask_of(upright, 12, 12).sum() == 28
    flat = HandArea("a", "", ((1.0, 2.0), (1.0, 2.0), (1.0, 6.0), (1.0, 6.0)), "ellipse")
    assert not mask_of(flat, 12, 12).any()
