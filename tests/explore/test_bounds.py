"""The bound is that of the binomial sums, computed with fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from exporter.explore.bounds import at_least_probability, lower_bound


def exact(passed: int, attempted: int, share: Fraction) -> Fraction:
    """Sum the probabilities of all numbers that pass, from `passed` on."""
    return sum(
        (
            comb(attempted, number) * share**number * (1 - share) ** (attempted - number)
            for number in range(passed, attempted + 1)
        ),
        Fraction(0),
    )


shares = st.fractions(0, 1, max_denominator=1000)
trials = st.integers(1, 120).flatmap(
    lambda attempted: st.tuples(st.integers(1, attempted), st.just(attempted))
)


@given(trials, shares)
def test_the_probability_is_the_sum(trial: tuple[int, int], share: Fraction) -> None:
    expected = float(exact(*trial, share))
    assert at_least_probability(*trial, float(share)) == pytest.approx(
        expected, rel=1e-9, abs=1e-12
    )


@given(trials)
def test_the_bound_is_the_greatest_share_that_is_too_small(trial: tuple[int, int]) -> None:
    bound = Fraction(round(lower_bound(*trial) * 10**6), 10**6)
    assert exact(*trial, bound) <= Fraction(1, 20)
    assert exact(*trial, bound + Fraction(1, 10**6)) > Fraction(1, 20) - Fraction(1, 10**9)


@each_case("attempts", [1, 10, 1000, 1_000_000])
def test_with_none_passing_nothing_is_known(attempts: int) -> None:
    assert lower_bound(0, attempts) == 0


@each_case("attempts", [1, 2, 100, 10_000, 1_000_000])
def test_with_all_passing_the_bound_is_a_root(attempts: int) -> None:
    assert lower_bound(attempts, attempts) == pytest.approx(0.05 ** (1 / attempts), abs=2e-6)


def test_many_trials_come_near_their_share() -> None:
    assert 0.4990 < lower_bound(500_000, 1_000_000) < 0.5


@pytest.mark.parametrize(("passed", "attempted"), [(-1, 3), (4, 3), (0, 0)])
def test_what_is_no_share_is_refused(passed: int, attempted: int) -> None:
    with pytest.raises(ValueError, match="is not a share"):
        lower_bound(passed, attempted)
