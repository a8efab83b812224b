"""Divisors and chunk sizes against trying every number."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.grids.divisors import (
    divisors,
    explain_chunk_size,
    fitting_chunk_sizes,
    greatest_common_factor,
    sizes_that_fit,
)

numbers = st.integers(1, 600)


@settings(deadline=None)
@given(numbers)
def test_divisors_are_all_numbers_without_a_rest_in_order(number):
    assert divisors(number) == [n for n in range(1, number + 1) if number % n == 0]


@settings(deadline=None)
@given(numbers, numbers)
def test_the_greatest_common_factor_is_the_greatest_common_divisor(first, second):
    common = set(divisors(first)) & set(divisors(second))
    assert greatest_common_factor(first, second) == max(common)


@settings(deadline=None)
@given(numbers, numbers)
def test_fitting_chunks_divide_both_sides(width, height):
    fitting = [n for n in range(1, min(width, height) + 1) if width % n == 0 == height % n]
    assert fitting_chunk_sizes(width, height) == fitting


@settings(deadline=None)
@given(numbers, st.integers(1, 700))
def test_sizes_that_fit_are_the_nearest_multiples(length, chunk):
    multiples = [n for n in range(chunk, length + chunk + 1, chunk) if abs(n - length) < chunk]
    below = [n for n in multiples if n <= length]
    assert length in multiples or sizes_that_fit(length, chunk) == multiples
    assert length not in multiples or sizes_that_fit(length, chunk) == [length]
    assert sizes_that_fit(length, chunk)[0] == (below[-1] if below else chunk)


def test_a_chunk_that_does_not_fit_is_explained_with_what_would():
    assert explain_chunk_size(100, 60, 20) is None
    assert explain_chunk_size(100, 60, 32) == (
        "chunks of 32 x 32 cells do not divide a map of 100 x 60 "
        "(chunks that do: 1, 2, 4, 5, 10, 20; maps that would: width 96 or 128, height 32 or 64)"
    )


@pytest.mark.parametrize("number", [0, -4])
def test_numbers_below_one_are_refused(number):
    for function in (divisors, lambda n: greatest_common_factor(6, n)):
        with pytest.raises(ValueError, match="at least 1"):
            function(number)
